/* belief.h - how likely each rank is for the hidden pieces of the other side. */
#ifndef BENCH_STRANGER_BELIEF_H
#define BENCH_STRANGER_BELIEF_H

#include "table.h"

/* How often a rank stands on each place of a set-up, against an even spread: 1 as often. */
struct places {
    double ratio[ARMY][RANKS];
};

/* `seen` counts set-ups and their mirror images. A tenth of belief stays with the even spread. */
void places_make(struct places *places, double seen[ARMY][RANKS]);

struct belief {
    double chance[PIECES][RANKS]; /* of theirs that stand; the sum is 1 */
    double mobile[PIECES];        /* the chance to be neither bomb nor flag */
    int hidden[2][RANKS];         /* pieces that the other side does not know, of ours and theirs */
};

/* From counts, places and manners; rows and columns are scaled in turn until they agree. */
void belief_make(struct belief *belief, const struct table *table, const struct places *places);

#endif
