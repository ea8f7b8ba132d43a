/* records.c - opens record files for the commands.
 *
 * Records are untrusted, so the Variant tag must be a name on the search path; a path is accepted
 * only from -v. The readable part of a damaged record is played, but its first fault is reported.
 */
#include "records.h"

#include "base/fault.h"
#include "base/files.h"
#include "base/paths.h"
#include "host/seed.h"
#include "jail/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_record(struct records *records) {
    playback_close(&records->replay);
    record_free(records->record);
    records->record = NULL;
}

static void drop_rules(struct records *records) {
    rules_free(records->rules);
    records->rules = NULL;
}

/* The name of the current record's variant; NULL with a fault if it is missing or a path. */
static const char *variant_of(const struct records *records, const struct record_tag *tag,
                              struct fault *fault) {
    if (records->variant) return records->variant;
    if (!tag) {
        fault_set(fault, STATUS_TEXT, "tag \"Variant\" is missing; it or -v VARIANT is expected");
        return NULL;
    }
    if (!path_is_meant(tag->value, ".lua")) return tag->value;
    fault_set(fault, STATUS_TEXT,
              "variant \"%s\": a name is expected here; a path is given with -v", tag->value);
    fault_place(fault, NULL, tag->line, tag->column);
    return NULL;
}

static bool records_load_rules(struct records *records, struct fault *fault) {
    const struct record_tag *tag = record_find_tag(records->record, "Variant");
    const char *name = variant_of(records, tag, fault);
    if (name && records->rules && !strcmp(name, records->rules_name)) return true;
    drop_rules(records); /* the previous record's rules must not judge this one */
    if (!name) return false;
    records->rules = loader_variant(records->folders, name, fault);
    snprintf(records->rules_name, sizeof records->rules_name, "%s", name);
    if (!records->rules && fault->status == STATUS_NOT_FOUND && !records->variant) {
        fault->status = STATUS_TEXT; /* an error of the record, not of usage */
        fault_place(fault, NULL, tag->line, tag->column);
    }
    return records->rules != NULL;
}

static bool open_replay(struct records *records, const char *text, size_t length,
                        struct fault *fault) {
    struct fault damage = {0};
    records->record = records->faults ? record_examine(text, length, records->faults)
                                      : record_read(text, length, &damage);
    if (!records->record) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    bool opened = records_load_rules(records, fault) &&
                  playback_open(&records->replay, records->record, records->rules, fault);
    if (!records->record->damaged) return opened;
    *fault = records->faults ? *faults_first(records->faults) : damage;
    return false;
}

/* Adds the file to a fault without one; a fault in the variant's file keeps its place. Always
 * false. */
static bool name_file(const char *path, struct fault *fault) {
    if (!fault->file[0]) fault_place(fault, strcmp(path, "-") != 0 ? path : "standard input", 0, 0);
    return false;
}

bool records_open(struct records *records, const char *path, struct fault *fault) {
    size_t length;
    drop_record(records);
    char *text = files_read_text(path, RECORD_BYTES_MAX, &length, fault);
    bool opened = text && open_replay(records, text, length, fault);
    free(text);
    return opened || name_file(path, fault);
}

/* Plays the open record; `opened` is whether it is without fault so far. */
static bool play_record(struct records *records, bool opened, const char *path, uint32_t plies,
                        struct fault *fault) {
    struct fault wrong = {0};
    struct playback *replay = &records->replay;
    bool played = replay->session && playback_run(replay, plies, &wrong);
    if (opened && !played) {
        *fault = wrong;
        name_file(path, fault);
    }
    replay->legal = opened && played;
    return replay->legal;
}

bool records_play(struct records *records, const char *path, uint32_t plies, struct fault *fault) {
    bool opened = records_open(records, path, fault);
    return play_record(records, opened, path, plies, fault);
}

bool records_play_text(struct records *records, const char *path, const char *text, size_t length,
                       uint32_t plies, struct fault *fault) {
    drop_record(records);
    bool opened = open_replay(records, text, length, fault) || name_file(path, fault);
    return play_record(records, opened, path, plies, fault);
}

void records_variant(const char *path, char name[FOLDER_PATH_MAX]) {
    size_t length;
    char *text = files_read_text(path, RECORD_BYTES_MAX, &length, NULL);
    struct record *record = text ? record_read(text, length, NULL) : NULL;
    const char *tag = record ? record_tag(record, "Variant") : NULL;
    snprintf(name, FOLDER_PATH_MAX, "%s", tag ? tag : "");
    record_free(record);
    free(text);
}

bool records_load(struct records *records, const char *path, struct fault *fault) {
    char name[FOLDER_PATH_MAX];
    if (records->variant)
        snprintf(name, sizeof name, "%s", records->variant);
    else
        records_variant(path, name);
    drop_rules(records);
    if (name[0] && (records->variant || !path_is_meant(name, ".lua"))) {
        records->rules = loader_variant(records->folders, name, fault);
        snprintf(records->rules_name, sizeof records->rules_name, "%s", name);
        if (records->rules || records->variant) return records->rules != NULL;
        *fault = (struct fault){0};
    }
    /* Opening the record says what is wrong with it. */
    return records_open(records, path, fault) &&
           fault_set(fault, STATUS_TEXT, "%s does not name its variant", path);
}

bool records_seed(const struct record *record, uint64_t *seed, struct fault *fault) {
    const char *tag = record_tag(record, "Seed");
    if (seed_given() || !tag) return seed_take(UINT64_MAX, seed, fault);
    *seed = strtoull(tag, NULL, 10);
    return true;
}

void records_clear(struct records *records) {
    drop_record(records);
    drop_rules(records);
}
