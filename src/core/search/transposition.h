/* transposition.h - remembers values of positions that a search reaches in more than one way.
 *
 * A value is found again only for the same remaining depth and the same of all it may depend on
 * (see transposition_key()). So a search gives the same values with and without the table. */
#ifndef ENSIGN_CORE_SEARCH_TRANSPOSITION_H
#define ENSIGN_CORE_SEARCH_TRANSPOSITION_H

#include "core/play/game.h"

enum bound { BOUND_NONE, BOUND_LOWER, BOUND_UPPER, BOUND_EXACT };

struct transposition {
    uint64_t key;    /* sealed */
    int32_t value;   /* for the side to move */
    square from, to; /* the best move; SQUARE_NONE if none is known */
    int8_t depth;    /* plies left */
    uint8_t bound;   /* enum bound */
};

enum { TRANSPOSITIONS = 1 << 13 };

/* Zeroed before its first use; 128 KiB. */
struct transpositions {
    struct transposition entry[TRANSPOSITIONS];
    uint64_t age; /* times a search began; sealed into entries, so that none finds older ones */
};

/* Everything of the game that a value `depth` plies deep, at least 1, may depend on, in 64 bits:
 * the cells, the side to move; uses of abilities, pieces brought back and marks; counters that can
 * draw the game in time; the last moves that the two-squares rule can still count, and who chases
 * whom. False where a value may depend on more: in variants with calls, and in a chase (ISF) that
 * can return to positions before this one. Left out: that the repetition rules may leave a side
 * without a move beyond the depth. */
bool transposition_key(const struct game *game, int depth, uint64_t *key);

static inline uint64_t transposition_seal(const struct transpositions *table, uint64_t key) {
    return key ^ table->age * UINT64_C(0xD6E8FEB86659FD93);
}

/* What this search stored for the key, or NULL. Its depth may be another one. */
static inline const struct transposition *transposition_find(const struct transpositions *table,
                                                             uint64_t key) {
    const struct transposition *entry = &table->entry[key % TRANSPOSITIONS];
    bool same = entry->key == transposition_seal(table, key) && entry->bound != BOUND_NONE;
    return same ? entry : NULL;
}

/* Stores an entry for the key instead of what was there. */
static inline void transposition_keep(struct transpositions *table, uint64_t key,
                                      struct transposition entry) {
    entry.key = transposition_seal(table, key);
    table->entry[key % TRANSPOSITIONS] = entry;
}

#endif
