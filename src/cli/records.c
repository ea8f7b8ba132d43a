/* records.c - record files as the commands take them.
 *
 * A record comes from anywhere, so its Variant tag may only name a variant that can be found, never
 * a path; who trusts a file gives it with -v. Of a damaged record everything that could be read is
 * played, but the first fault is what is reported. */
#include "records.h"

#include "base/faults.h"
#include "base/files.h"
#include "host/wall/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_record(struct records *records) {
    record_free(records->record);
    free(records->history);
    records->record = NULL;
    records->history = NULL;
    records->started = false;
    /* The history is gone, and the next record's rules may come to lie where these did. */
    memset(&records->game, 0, sizeof records->game);
    records->replay = (struct replay){0};
}

static void drop_rules(struct records *records) {
    rules_free(records->rules);
    records->rules = NULL;
}

/* The variant that the record at hand is of; NULL with a fault if it does not say. */
static const char *variant_of(const struct records *records, const struct record_tag *tag,
                              struct fault *fault) {
    if (records->variant) return records->variant;
    if (!tag) {
        fault_set(fault, STATUS_TEXT, "tag \"Variant\" is missing; it or -v VARIANT is expected");
        return NULL;
    }
    if (!strchr(tag->value, '/')) return tag->value;
    fault_set(fault, STATUS_TEXT,
              "variant \"%s\": a name is expected here; a path is given with -v", tag->value);
    fault_place(fault, NULL, tag->line, tag->column);
    return NULL;
}

static bool load_rules(struct records *records, struct fault *fault) {
    const struct record_tag *tag = record_find_tag(records->record, "Variant");
    const char *name = variant_of(records, tag, fault);
    if (name && records->rules && !strcmp(name, records->rules_name)) return true;
    drop_rules(records); /* nobody is to judge this record by those of the last one */
    if (!name) return false;
    records->rules = loader_variant(records->folders, name, fault);
    snprintf(records->rules_name, sizeof records->rules_name, "%s", name);
    if (!records->rules && fault->status == STATUS_NOT_FOUND && !records->variant) {
        fault->status = STATUS_TEXT; /* it is the record that names it */
        fault_place(fault, NULL, tag->line, tag->column);
    }
    return records->rules != NULL;
}

bool records_play(struct records *records, const char *path, uint32_t plies, struct fault *fault) {
    drop_record(records);
    size_t length;
    char *text = files_read(path, RECORD_BYTES_MAX, &length, fault);
    if (!text) return false;
    struct fault damage = {0};
    records->record = records->faults ? record_examine(text, length, records->faults)
                                      : record_read(text, length, &damage);
    free(text);
    if (!records->record) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    size_t capacity = records->record->move_count + 1;
    records->history = malloc(capacity * sizeof *records->history);
    if (!records->history) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    bool played = false;
    if (load_rules(records, fault)) {
        played = record_replay(records->record, records->rules, plies, &records->game,
                               records->history, &records->replay, fault);
        records->started = records->game.rules == records->rules;
    }
    if (records->record->damaged) {
        records->replay.legal = played = false;
        if (records->faults) damage = *faults_first(records->faults);
        *fault = damage;
    }
    /* A fault in the variant's own file keeps its place. */
    if (!played && !fault->file[0]) {
        fault_place(fault, strcmp(path, "-") != 0 ? path : "standard input", 0, 0);
    }
    return played;
}

void records_clear(struct records *records) {
    drop_record(records);
    drop_rules(records);
}
