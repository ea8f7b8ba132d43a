/* trainer_file.c - the state of learning in a file: the state as it is in memory, then its hash,
 * which another version of the program reckons otherwise. The hash guards against accidents;
 * trainer_check.c against everything else. */
#include "trainer_inside.h"

#include "base/digest.h"
#include "base/files.h"

#include <stdlib.h>
#include <string.h>

uint64_t trainer_hash(const struct trainer_state *state) {
    static const char version[] = ENSIGN_VERSION;
    return digest_add(digest_of(version, sizeof version), state, sizeof *state);
}

bool trainer_save(const struct trainer *trainer, const char *path, struct fault *fault) {
    const size_t size = sizeof trainer->state;
    const uint64_t hash = trainer_hash(&trainer->state);
    char *text = malloc(size + sizeof hash);
    if (!text) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    memcpy(text, &trainer->state, size);
    memcpy(text + size, &hash, sizeof hash);
    bool ok = files_replace(path, text, size + sizeof hash, fault);
    free(text);
    return ok;
}

/* Is it of the same opponents, and as many of what they bring along? */
static bool is_akin(const struct trainer *trainer, const struct trainer_state *state) {
    const struct trainer_state *fresh = &trainer->state;
    return state->made_for == fresh->made_for &&
           state->repertoire.count == fresh->repertoire.count &&
           state->repertoire.given == fresh->repertoire.given &&
           ((!trainer->opponent_count && !trainer->table_count) ||
            state->league.count == fresh->league.count);
}

bool trainer_load(struct trainer *trainer, const char *path, struct fault *fault) {
    const size_t size = sizeof trainer->state;
    uint64_t hash;
    size_t length;
    char *text = files_read(path, 2 * size, &length, fault);
    if (!text) return false;
    bool whole = length == size + sizeof hash;
    struct trainer_state *state = whole ? malloc(size) : NULL;
    if (state) {
        memcpy(state, text, size);
        memcpy(&hash, text + size, sizeof hash);
        whole = hash == trainer_hash(state);
    }
    free(text);
    const char *wrong;
    if (!state || !whole) {
        fault_set(fault, STATUS_TEXT,
                  "does not hold what this version of ensign has learned; remove it to begin anew");
    } else if (state->made_for >> 32 != trainer->state.made_for >> 32) {
        fault_set(fault, STATUS_TEXT, "is about other rules; remove it to begin anew");
    } else if ((wrong = trainer_check(trainer->rules, state)) != NULL) {
        fault_set(fault, STATUS_TEXT,
                  "does not hold what was learned: %s is out of range; remove it to begin anew",
                  wrong);
    } else if (!is_akin(trainer, state)) {
        fault_set(fault, STATUS_TEXT,
                  "is about other opponents or set-ups, or another order of them (--against, "
                  "--repertoire); remove it to begin anew");
    } else {
        trainer->state = *state;
        free(state);
        if (!trainer->opponent_count) league_meet(&trainer->roster, &trainer->state.league);
        if (trainer->table_count) muster_deal(trainer);
        return true;
    }
    free(state);
    fault_place(fault, path, 0, 0);
    return false;
}
