/* catalogue.c - the set-up library as people browse it.
 *
 * A file does not say which army it is for; each is read under the rules of each variant, and that
 * is its answer. "original" comes first where there is a choice, then the alphabet decides. */
#include "catalogue.h"

#include "script/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CATALOGUE_RULES_MAX = 256, CATALOGUE_MAX = 1024 };

struct collector {
    struct catalogue *catalogue;
    const struct folders *folders;
    bool only; /* what one variant can use */
};

static void add_rules(void *context, const char *name, const char *path) {
    struct collector *collector = context;
    struct catalogue *catalogue = collector->catalogue;
    (void)path;
    struct fault fault = {0};
    struct rules *rules = variant_load(collector->folders, name, &fault);
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

static void add_entry(void *context, const char *name, const char *path) {
    struct collector *collector = context;
    struct catalogue *catalogue = collector->catalogue;
    if (catalogue->count == CATALOGUE_MAX) return;
    struct catalogue_entry *added = &catalogue->list[catalogue->count];
    *added = (struct catalogue_entry){0};
    size_t used = 0;
    for (size_t i = 0; i < catalogue->rules_count; i++) {
        const struct rules *rules = catalogue->rules[i];
        struct library_setup found;
        struct fault fault = {0};
        if (!setup_library_find(collector->folders, rules, name, &found, &fault)) {
            if (!i) added->fault = fault;
            continue;
        }
        int more = snprintf(added->fits + used, sizeof added->fits - used, "%s%s", used ? ", " : "",
                            rules->name);
        used += (size_t)more < sizeof added->fits - used ? (size_t)more : 0;
        added->fits[used] = 0;
        if (added->rules) continue;
        added->rules = rules;
        added->entry = found;
    }
    if (!added->rules && collector->only) return;
    if (!added->rules) {
        snprintf(added->entry.name, sizeof added->entry.name, "%s", name);
        snprintf(added->entry.path, sizeof added->entry.path, "%s", path);
    }
    catalogue->count++;
}

static size_t place_of(const struct catalogue *catalogue, const struct rules *rules) {
    size_t place = 0;
    while (place < catalogue->rules_count && catalogue->rules[place] != rules) place++;
    return place;
}

/* Brings together what belongs to the same variants; within them the order of names is kept. */
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
    struct collector collector = {catalogue, folders, variant != NULL};
    *catalogue = (struct catalogue){0};
    catalogue->rules = calloc(CATALOGUE_RULES_MAX, sizeof *catalogue->rules);
    catalogue->list = calloc(CATALOGUE_MAX, sizeof *catalogue->list);
    if (!catalogue->rules || !catalogue->list) {
        return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    }
    if (variant) {
        catalogue->rules[0] = variant_load(folders, variant, fault);
        if (!catalogue->rules[0]) return false;
        catalogue->rules_count = 1;
    } else {
        folders_list(folders, FOLDER_VARIANTS, add_rules, &collector);
    }
    folders_list(folders, FOLDER_SETUPS, add_entry, &collector);
    sort_entries(catalogue);
    return true;
}

void catalogue_close(struct catalogue *catalogue) {
    for (size_t i = 0; i < catalogue->rules_count; i++) rules_free(catalogue->rules[i]);
    free(catalogue->rules);
    free(catalogue->list);
    *catalogue = (struct catalogue){0};
}
