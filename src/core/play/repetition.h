/* repetition.h - the two-squares rule and the two chase rules. RULES 5.
 *
 * Reads and keeps `struct chaser` of a game and its plies; called by game.c and legal.c only.
 * Positions are compared by their 64-bit Zobrist hashes. */
#ifndef ENSIGN_CORE_PLAY_REPETITION_H
#define ENSIGN_CORE_PLAY_REPETITION_H

#include "core/rules/rules.h"
#include "legal.h"

/* LEGAL, ILLEGAL_TWO_SQUARES or ILLEGAL_CHASE for a move that is legal otherwise. */
enum verdict repetition_judge(const struct game *game, struct move move);

/* The earlier moves of the side to move for which the repetition rules refuse a move, or count on
 * towards it. Plies are numbered from 1, moves of the other side included. */
struct evidence {
    enum verdict verdict; /* as repetition_judge() */
    int count;            /* of `ply`: moves of the same piece over the same border (two-squares,
                             also of a legal move), or of the chase (Russian) */
    uint32_t ply[TWO_SQUARES_MAX]; /* oldest first */
    square border[2];              /* two-squares: the squares on either side of it */
    uint32_t since;                /* chase: the ply with which it began */
    uint32_t position;             /* ISF chase: how many plies had been played when the position
                                      that the move would bring back was on the board */
};

void repetition_explain(const struct game *game, struct move move, struct evidence *evidence);

/* Is there a border between two squares that all of these moves cross? What the two-squares rule
 * asks of the new move and the last N of its side. */
bool repetition_to_and_fro(const struct board *board, const struct move *moves, int count);

/* Could repetition_judge() refuse any move at all now? */
static inline bool repetition_in_force(const struct game *game) {
    const struct chaser *own = &game->chaser[game->to_move];
    int limit = game->rules->two_squares;
    return (limit && own->run >= limit) || (own->chase >= 2 && game->rules->chase != CHASE_NONE);
}

/* All that repetition_judge() could refuse now: moves from this square, and moves to these. */
struct suspects {
    square from; /* or SQUARE_NONE */
    squareset to;
};

struct suspects repetition_suspects(const struct game *game);

static inline bool suspects_have(const struct suspects *suspects, struct move move) {
    return move.from == suspects->from || squareset_has(suspects->to, move.to);
}

#endif
