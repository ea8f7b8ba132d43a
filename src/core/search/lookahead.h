/* lookahead.h - values of moves by alpha-beta, on a game in which all kinds are known, such as a
 * sample.
 *
 * Searches all moves one ply deep, then three and five or two, four and six: values are best
 * compared when the same side has moved last. All of it shares one budget of moves played. Beyond
 * the depth up to EXCHANGE_MAX attacks that win or tie are followed up, which are optional. Guesses
 * are left out below the first move: here they would always be right. */
#ifndef ENSIGN_CORE_SEARCH_LOOKAHEAD_H
#define ENSIGN_CORE_SEARCH_LOOKAHEAD_H

#include "search.h"

enum {
    SEARCH_DEPTH_MAX = 8,
    EXCHANGE_MAX = 4 /* attacks followed up beyond the depth */
};

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

/* What a search remembers. Zeroed before its first use, then reused: a search finds nothing of an
 * earlier one. */
struct lookahead {
    struct transpositions table;
    struct move killer[SEARCH_DEPTH_MAX][2]; /* by ply: quiet moves that refuted others */
};

/* A move and its value for `own`. */
struct prospect {
    struct move move;
    int32_t value;
    int32_t next; /* its value in the search under way */
};

/* Enough room for all lists of a search in nearly every position. */
static inline size_t lookahead_room(const struct rules *rules) {
    return rules->moves_max + 4096;
}

/* Kinds that can attack farther than the neighbouring squares. */
kindset lookahead_far(const struct rules *rules);

/* Fills in the values of `count` legal moves of the side to move, all of them for the same depth:
 * the greatest up to `depth`, 1 … SEARCH_DEPTH_MAX, that could be finished before search->nodes
 * reached search->nodes_max. Returns that depth; 0 means the evaluation after the move, which takes
 * `count` nodes whatever the budget. Each value is that of a full minimax search. `memory` NULL
 * searches without table and killers: the same values for more nodes.
 *
 * The game is unchanged afterwards. Its plies must have room for depth + EXCHANGE_MAX more. */
int lookahead_score(struct search *search, struct lookahead *memory, struct game *game,
                    struct prospect *prospects, size_t count, int depth);

#endif
