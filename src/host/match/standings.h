/* standings.h - everybody's results in a match: totals and the cross table, counted game by game in
 * their order. */
#ifndef ENSIGN_HOST_MATCH_STANDINGS_H
#define ENSIGN_HOST_MATCH_STANDINGS_H

#include "statistics.h"

struct standings {
    int players;
    struct statistics *total; /* by player; the caller's */
    struct statistics *cross; /* of i against j at [i * players + j]; the caller's */
    int red_points;           /* half points of red in the game counted last; starts as 0 */
};

/* Counts a game of the players of red and blue. `ends_pair`: it is the second of a pair, whose
 * first game, with the sides exchanged, was counted just before. Returns the half points of red. */
int standings_add(struct standings *standings, const uint8_t players[2], enum result result,
                  enum reason reason, bool ends_pair);

#endif
