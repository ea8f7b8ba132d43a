/* search.h - evaluation, guided playouts and perft, on a game in which all kinds are known, such as
 * a sample. Alpha-beta is in lookahead.h.
 *
 * Values are integers, VALUE_UNIT to the point, so that they are the same on every machine. They
 * are from the viewpoint of one side, `own`. */
#ifndef ENSIGN_CORE_SEARCH_SEARCH_H
#define ENSIGN_CORE_SEARCH_SEARCH_H

#include "base/random.h"
#include "core/play/turn.h"

enum {
    VALUE_UNIT = 256,
    VALUE_MAX = 10000 * VALUE_UNIT, /* of a piece, and of a piece on a square */
    VALUE_WIN_MAX = 100 * VALUE_MAX
};

/* Values of pieces by cell_plain() and square; the enemy's are negated already. */
struct values {
    int32_t at[2 * KINDS_MAX][BOARD_SQUARES_MAX];
    int32_t win; /* value of winning; losing is its negative */
};

static inline int32_t values_of(const struct values *values, cell piece, square at) {
    return piece ? values->at[cell_plain(piece)][at] : 0;
}

struct search {
    const struct values *values;
    enum side own;
    struct move *moves; /* the caller's room for lists of moves */
    size_t room;        /* of `moves`, see lookahead_room(); moves beyond it are ignored */
    kindset far;        /* see lookahead_far(); for lookahead.h */
    uint64_t nodes;     /* moves played so far */
    uint64_t nodes_max; /* the search stops there */
    uint64_t paid;      /* calls_paid() when it began; for lookahead.h */
};

/* The sum of the pieces, plus or minus the win once the game is over; 0 for a draw. */
int32_t search_evaluate(const struct search *search, const cell cells[BOARD_SQUARES_MAX],
                        enum result result);

/* The value of a game that is over; `sum` is that of the pieces. */
int32_t search_ended(const struct search *search, enum result result, int32_t sum);

/* Plays at most `plies` random moves. With probability guided / 256 a move is an attack that wins
 * or ties, if there is one, and else avoids attacks. The plies of the game must have room for them.
 */
void search_playout(struct search *search, struct game *game, struct random *random, uint32_t plies,
                    uint32_t guided);

/* Perft: the number of leaves of the tree of legal moves `depth` plies deep, 1 for depth 0, to
 * check the move generator against known numbers. The game is unchanged afterwards. Its plies must
 * have room for `depth` more, `moves` for depth * rules.moves_max. */
uint64_t perft_count(struct game *game, int depth, struct move *moves);

#endif
