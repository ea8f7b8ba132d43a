/* catalogue.c - collects the set-up library.
 *
 * A set-up file does not name its variant; it belongs to every variant whose rules accept it.
 * "original" comes first, then alphabetical order. */
#include "catalogue.h"

#include "host/safe_json.h"
#include "jail/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CATALOGUE_RULES_MAX = 256, CATALOGUE_MAX = 1024 };

struct catalogue_collector {
    struct catalogue *catalogue;
    const struct folders *folders;
};

static void add_rules(void *context, const char *name, const char *path) {
    struct catalogue_collector *collector = context;
    struct catalogue *catalogue = collector->catalogue;
    (void)path;
    struct fault fault = {0};
    struct rules *rules = loader_variant(collector->folders, name, &fault);
    if (!rules) return;
    if (catalogue->rules_count == CATALOGUE_RULES_MAX) {
        rules_free(rules);
        return;
    }
    size_t at = catalogue->rules_count++;
    catalogue->rules[at] = rules;
    if (!strcmp(rules->name, "original")) {
        memmove(&catalogue->rules[1], &catalogue->rules[0], at * sizeof *catalogue->rules);
        catalogue->rules[0] = rules;
    }
}

/* The entry of the file at `path`, a new one if there is none; NULL if there are too many. */
static struct catalogue_entry *entry_at(struct catalogue *catalogue, const char *path) {
    for (size_t i = 0; i < catalogue->count; i++)
        if (!strcmp(catalogue->list[i].entry.path, path)) return &catalogue->list[i];
    if (catalogue->count == CATALOGUE_MAX) return NULL;
    return &catalogue->list[catalogue->count++];
}

/* Adds every set-up that these rules accept of a side. */
static bool add_library(struct catalogue *catalogue, const struct folders *folders,
                        const struct rules *rules, enum side side, struct fault *fault) {
    struct setup_library library;
    if (!setup_library_open(&library, folders, rules, side, fault)) return false;
    for (size_t i = 0; i < library.count; i++) {
        struct catalogue_entry *entry = entry_at(catalogue, library.list[i].path);
        if (!entry) break;
        size_t used = strlen(entry->fits), room = sizeof entry->fits - used;
        int more = snprintf(entry->fits + used, room, "%s%s", used ? ", " : "", rules->name);
        if ((size_t)more >= room) entry->fits[used] = 0;
        if (entry->rules) continue;
        entry->rules = rules;
        entry->side = side;
        entry->entry = library.list[i];
    }
    setup_library_close(&library);
    return true;
}

/* Adds a file that no variant accepts, with the first variant's fault. */
static void add_misfit(void *context, const char *name, const char *path) {
    struct catalogue_collector *collector = context;
    struct catalogue_entry *entry = entry_at(collector->catalogue, path);
    if (!entry || entry->rules) return;
    struct library_setup found;
    setup_library_find(collector->folders, collector->catalogue->rules[0], RED, name, &found,
                       &entry->fault);
    snprintf(entry->entry.name, sizeof entry->entry.name, "%s", name);
    snprintf(entry->entry.path, sizeof entry->entry.path, "%s", path);
}

static size_t place_of(const struct catalogue *catalogue, const struct rules *rules) {
    size_t place = 0;
    while (place < catalogue->rules_count && catalogue->rules[place] != rules) place++;
    return place;
}

/* Stable sort by first variant; entries are sorted by name already. */
static void sort_entries(struct catalogue *catalogue) {
    for (size_t i = 1; i < catalogue->count; i++) {
        struct catalogue_entry moved = catalogue->list[i];
        size_t place = place_of(catalogue, moved.rules), at = i;
        while (at && place_of(catalogue, catalogue->list[at - 1].rules) > place) at--;
        memmove(&catalogue->list[at + 1], &catalogue->list[at], (i - at) * sizeof *catalogue->list);
        catalogue->list[at] = moved;
    }
}

bool catalogue_open(struct catalogue *catalogue, const struct folders *folders, const char *variant,
                    struct fault *fault) {
    struct catalogue_collector collector = {catalogue, folders};
    *catalogue = (struct catalogue){0};
    catalogue->rules = calloc(CATALOGUE_RULES_MAX, sizeof *catalogue->rules);
    catalogue->list = calloc(CATALOGUE_MAX, sizeof *catalogue->list);
    if (!catalogue->rules || !catalogue->list)
        return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (variant) {
        catalogue->rules[0] = loader_variant(folders, variant, fault);
        if (!catalogue->rules[0]) return false;
        catalogue->rules_count = 1;
    } else {
        folders_list(folders, FOLDER_VARIANTS, add_rules, &collector);
    }
    for (size_t i = 0; i < catalogue->rules_count; i++)
        for (int side = RED; side <= (catalogue->rules[i]->same_starts ? RED : BLUE); side++)
            if (!add_library(catalogue, folders, catalogue->rules[i], (enum side)side, fault))
                return false;
    if (!variant && catalogue->rules_count)
        folders_list(folders, FOLDER_SETUPS, add_misfit, &collector);
    sort_entries(catalogue);
    return true;
}

json_t *catalogue_json(const struct catalogue_entry *shown) {
    char text[SETUP_TEXT_MAX];
    json_t *variants = json_array();
    for (const char *at = shown->fits; *at;) {
        size_t length = strcspn(at, ",");
        json_array_append_new(variants, json_stringn(at, length));
        at += length + strspn(at + length, ", ");
    }
    setup_write(shown->rules, shown->side, &shown->entry.setup, text);
    return json_pack("{s:o, s:o, s:s, s:s, s:o}", "name", safe_json(shown->entry.name), "variants",
                     variants, "setup", text, "idea", shown->entry.idea, "path",
                     safe_json(shown->entry.path));
}

void catalogue_close(struct catalogue *catalogue) {
    for (size_t i = 0; i < catalogue->rules_count; i++) rules_free(catalogue->rules[i]);
    free(catalogue->rules);
    free(catalogue->list);
    *catalogue = (struct catalogue){0};
}
