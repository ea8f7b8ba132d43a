/* habit_counts.h - how often pieces of each kind showed each sign, and the habits that follow. */
#ifndef ENSIGN_HOST_LEARN_HABIT_COUNTS_H
#define ENSIGN_HOST_LEARN_HABIT_COUNTS_H

#include "core/value/belief.h"

struct habit_counts {
    uint32_t seen[SIGNS][KINDS_MAX];
};

void habit_counts_add(struct habit_counts *counts, const struct habit_counts *more);

/* Older games count less: halves all. */
void habit_counts_fade(struct habit_counts *counts);

/* The ratios, drawn to "tells nothing" as if so many more pieces had been seen that show each sign
 * as often as all do. */
void habits_learn(const struct habit_counts *counts, const struct rules *rules,
                  struct habits *habits);

#endif
