/* search.h - what a position is worth, and what becomes of it: evaluation, search, playouts and
 * perft on a game whose ranks are all known, such as a sample.
 *
 * Values are whole numbers, VALUE_UNIT to the point, so that they are the same on every machine.
 * They are those of one side, `own`: its pieces count for it, the enemy's against it. */
#ifndef ENSIGN_CORE_SEARCH_SEARCH_H
#define ENSIGN_CORE_SEARCH_SEARCH_H

#include "base/random.h"
#include "core/play/game.h"

enum {
    VALUE_UNIT = 256,
    VALUE_MAX = 10000 * VALUE_UNIT, /* of a piece, and of its standing on a square */
    VALUE_WIN_MAX = 100 * VALUE_MAX,
    SEARCH_DEPTH_MAX = 8,
    EXCHANGE_MAX = 4 /* attacks that are followed up beyond the depth of a search */
};

/* What each piece is worth on each square, by side and kind (a cell without its other bits): the
 * enemy's have their sign turned already. */
struct values {
    int32_t at[2 * KINDS_MAX][BOARD_SQUARES_MAX];
    int32_t win; /* what winning is worth; losing is as bad */
};

struct search {
    const struct values *values;
    enum side own;
    struct move *moves; /* the caller's room for lists of moves */
    size_t room;        /* see search_room(); what does not fit is not looked at */
    kindset far;        /* see search_far() */
    uint64_t nodes;     /* moves played so far */
    uint64_t nodes_max; /* the search is broken off there */
};

/* Room enough for all lists that a search has at a time in nearly every position. */
static inline size_t search_room(const struct rules *rules) {
    return rules->moves_max + 4096;
}

/* Kinds that can attack a square that is not next to theirs. */
kindset search_far(const struct rules *rules);

/* The sum of the pieces that stand there; once the game is over plus or minus the win, 0 for a
 * draw. */
int32_t search_evaluate(const struct search *search, const cell cells[BOARD_SQUARES_MAX],
                        enum result result);

/* Alpha-beta `depth` plies deep, 0 … SEARCH_DEPTH_MAX, then attacks that win or tie only. Guesses
 * are left out, since here everybody would guess right. The game is as it was afterwards. The plies
 * of the game must have room for depth + EXCHANGE_MAX more. */
int32_t search_run(struct search *search, struct game *game, int depth);

/* Plays at most `plies` random moves. With a chance of `guided` of 256 each is an attack that wins,
 * if there is one, and no attack that loses, if there is another move. The plies of the game must
 * have room for them. */
void search_playout(struct search *search, struct game *game, struct random *random, uint32_t plies,
                    uint32_t guided);

/* Perft: leaves of the tree of legal moves `depth` plies deep, 1 for depth 0, to hold a move
 * generator against known numbers. The game is as it was afterwards. Its plies must have room for
 * `depth` more, `moves` for depth * rules.moves_max. */
uint64_t perft_count(struct game *game, int depth, struct move *moves);

#endif
