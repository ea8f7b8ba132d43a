/* repetition.h - the two-squares rule and the two chase rules. RULES 5.
 *
 * Reads and keeps `struct chaser` of a game and its plies; called by game.c and legal.c only.
 * Positions are compared by their 64-bit Zobrist hashes. */
#ifndef ENSIGN_CORE_REPETITION_H
#define ENSIGN_CORE_REPETITION_H

#include "legal.h"
#include "turn.h"

/* LEGAL, ILLEGAL_TWO_SQUARES or ILLEGAL_CHASE for a move that is legal otherwise. */
enum verdict repetition_judge(const struct game *game, struct move move);

/* Is there a border between two squares that all of these moves cross? What the two-squares rule
 * asks of the new move and the last N of its side. */
bool repetition_to_and_fro(const struct board *board, const struct move *moves, int count);

/* Could repetition_judge() refuse any move at all now? */
bool repetition_in_force(const struct game *game);

/* Keeps the counters after `turn` of `mover`, the last ply, was carried out. */
void repetition_note(struct game *game, enum side mover, const struct turn *turn);

#endif
