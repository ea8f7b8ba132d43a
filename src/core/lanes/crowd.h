/* crowd.h - 256 games that are played at once, one bit of each word for each game.
 *
 * A seat is where one of the games is played. Games of any age may sit together if it is the same
 * side's turn; each plays exactly the moves that it would play in a lane of its own. crowd_ply.c
 * explains how. */
#ifndef ENSIGN_CORE_LANES_CROWD_H
#define ENSIGN_CORE_LANES_CROWD_H

#include "lanes.h"

enum { SEATS = 256 };

struct crowd;

/* Why this variant is not played in crowds on this machine, or NULL. */
const char *crowd_why_not(const struct lanes_table *table);

/* An empty crowd whose games are drawn by the ply limit after `cap` plies of their own. NULL
 * without memory. The table must outlive it; the caller frees with crowd_free(). */
struct crowd *crowd_new(const struct lanes_table *table, uint32_t cap);
void crowd_free(struct crowd *crowd);

/* Whose turn it is in all games. */
enum side crowd_to_move(const struct crowd *crowd);

/* Begins a running game, in which it is that side's turn, on a free seat, 0 … SEATS - 1. */
void crowd_enter(struct crowd *crowd, int seat, const struct game *start, struct random random);

/* Plays one ply of every game. How many games are over then, and their seats, which are free. */
int crowd_ply(struct crowd *crowd, uint8_t over[SEATS]);

/* A game that has just ended: its lane's game.result, game.reason, game.at, game.count and attacks;
 * it has played ply - started plies. */
const struct lane *crowd_lane(struct crowd *crowd, int seat);

/* Moves a running game out of the crowd into a lane of its own, with room for its history as in
 * lane_start(). */
void crowd_leave(struct crowd *crowd, int seat, struct lane *lane, struct lane_ply *plies);

#endif
