/* repetition.h - the two-squares rule and the two chase rules. RULES 5.
 *
 * Reads the game's `struct chaser` (chase.h updates it) and its plies. Positions are compared by
 * their 64-bit Zobrist hashes. */
#ifndef ENSIGN_CORE_PLAY_REPETITION_H
#define ENSIGN_CORE_PLAY_REPETITION_H

#include "core/rules/rules.h"
#include "legal.h"

/* LEGAL, ILLEGAL_TWO_SQUARES or ILLEGAL_CHASE for a move that is legal by all other rules. */
enum verdict repetition_judge(const struct game *game, struct move move);

/* The earlier moves of the side to move that count against a move under the repetition rules. Plies
 * of both sides are numbered from 1. */
struct evidence {
    enum verdict verdict; /* as repetition_judge() */
    int count;            /* of `ply`: moves of the same piece over the same border (two-squares,
                             for legal moves too), or of the chase (Russian) */
    uint32_t ply[TWO_SQUARES_MAX]; /* oldest first */
    square border[2];              /* two-squares: the squares on either side of the border */
    uint32_t since;                /* chase: its first ply */
    uint32_t position; /* ISF chase: the repeated position arose after this many plies */
};

void repetition_explain(const struct game *game, struct move move, struct evidence *evidence);

/* Do all these moves cross a common border between two squares? The two-squares rule tests the new
 * move and the last N of its side. */
bool repetition_to_and_fro(const struct board *board, const struct move *moves, int count);

/* Could repetition_judge() refuse any move at all now? */
static inline bool repetition_in_force(const struct game *game) {
    const struct chaser *own = &game->chaser[game->to_move];
    int limit = game->rules->two_squares;
    return (limit && own->run >= limit) || (own->chase >= 2 && game->rules->chase != CHASE_NONE);
}

/* The moves that repetition_judge() could refuse now: those from this square or to these. */
struct suspects {
    square from; /* or SQUARE_NONE */
    squareset to;
};

struct suspects repetition_suspects(const struct game *game);

static inline bool suspects_have(const struct suspects *suspects, struct move move) {
    return move.from == suspects->from || squareset_has(suspects->to, move.to);
}

#endif
