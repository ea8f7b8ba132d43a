/* school_file.c - the state of learning in a file: the state as it is in memory, then its hash,
 * which another version of the program reckons otherwise. */
#include "school_inside.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

uint64_t school_hash(const struct school_state *state) {
    static const char version[] = ENSIGN_VERSION;
    return XXH3_64bits_withSeed(state, sizeof *state, XXH3_64bits(version, sizeof version));
}

bool school_save(const struct school *school, const char *path, struct fault *fault) {
    const size_t size = sizeof school->state;
    const uint64_t hash = school_hash(&school->state);
    char *text = malloc(size + sizeof hash);
    if (!text) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    memcpy(text, &school->state, size);
    memcpy(text + size, &hash, sizeof hash);
    bool ok = files_replace(path, text, size + sizeof hash, fault);
    free(text);
    return ok;
}

/* The hash guards against accidents only. */
static bool is_sound(const struct school_state *state) {
    const struct league *league = &state->league;
    for (int i = 0; i < league->count && i < LEAGUE_MAX; i++)
        if (league->style[i].setups > LEARNED_SETUPS_MAX) return false;
    return state->past_count >= 1 && state->past_count <= SCHOOL_PAST && state->notes >= 0 &&
           state->notes <= SCHOOL_NOTES && state->rungs >= 0 && state->rungs <= SCHOOL_RUNGS &&
           league->count >= 0 && league->count <= LEAGUE_MAX && state->repertoire.count >= 0 &&
           state->repertoire.count <= REPERTOIRE_SETUPS && state->repertoire.steps >= 0;
}

bool school_load(struct school *school, const char *path, struct fault *fault) {
    const size_t size = sizeof school->state;
    uint64_t hash;
    size_t length;
    char *text = files_read(path, 2 * size, &length, fault);
    if (!text) return false;
    bool whole = length == size + sizeof hash;
    struct school_state *state = whole ? malloc(size) : NULL;
    if (state) {
        memcpy(state, text, size);
        memcpy(&hash, text + size, sizeof hash);
        whole = hash == school_hash(state);
    }
    free(text);
    if (!state || !whole || !is_sound(state)) {
        fault_set(fault, STATUS_TEXT,
                  "does not hold what this version of ensign has learned; remove it to begin anew");
    } else if (state->made_for >> 32 != school->state.made_for >> 32) {
        fault_set(fault, STATUS_TEXT, "is about other rules; remove it to begin anew");
    } else if (state->made_for != school->state.made_for ||
               state->repertoire.count != school->state.repertoire.count) {
        fault_set(fault, STATUS_TEXT,
                  "is about other opponents or set-ups, or another order of them (--against, "
                  "--repertoire); remove it to begin anew");
    } else {
        school->state = *state;
        free(state);
        if (!school->opponent_count) league_meet(&school->roster, &school->state.league);
        if (school->table_count) muster_deal(school);
        return true;
    }
    free(state);
    fault_place(fault, path, 0, 0);
    return false;
}
