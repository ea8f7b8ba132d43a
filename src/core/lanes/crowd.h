/* crowd.h - 256 games played at once, one bit of a vector for each game.
 *
 * Each game has a seat. Games at any ply may sit together if the same side is to move. Each plays
 * exactly the moves it would play in a lane alone. crowd_ply.c explains how. */
#ifndef ENSIGN_CORE_LANES_CROWD_H
#define ENSIGN_CORE_LANES_CROWD_H

#include "lanes.h"

enum { SEATS = 256 };

struct crowd;

/* The reason why this variant cannot be played in crowds on this machine, or NULL. */
const char *crowd_why_not(const struct lanes_table *table);

/* An empty crowd whose games are drawn by the ply limit after `cap` plies of their own. NULL
 * without memory. The table must outlive the crowd. */
struct crowd *crowd_new(const struct lanes_table *table, uint32_t cap);
void crowd_free(struct crowd *crowd);

/* The side to move in all games. */
enum side crowd_to_move(const struct crowd *crowd);

/* Seats a running game with that side to move on a free seat, 0 … SEATS - 1. */
void crowd_enter(struct crowd *crowd, int seat, const struct game *start, struct random random);

/* Plays one ply of every game. Returns the number of games that ended, with their seats, now free,
 * in `over`. */
int crowd_ply(struct crowd *crowd, uint8_t over[SEATS]);

/* The lane of a game that has just ended; game.result, game.reason, game.at, game.count and attacks
 * are valid. It played ply - started plies. */
const struct lane *crowd_lane(struct crowd *crowd, int seat);

/* Moves a running game out of the crowd into a lane; `plies` as in lane_start(). */
void crowd_leave(struct crowd *crowd, int seat, struct lane *lane, struct lane_ply *plies);

#endif
