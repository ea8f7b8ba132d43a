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

/* The ratios, drawn to those of `first` as if `prior` more pieces of each kind had been seen that
 * show signs by them. An `unusual` part of armies may have begun anywhere, whatever was seen: where
 * a flag has never lain is where an opponent who knows that will lay it. What began beside a piece
 * is learned of kinds that cannot move alone: of others it says how these armies are laid out, and
 * strangers' are not. */
void habits_learn(const struct habit_counts *counts, const struct rules *rules,
                  const struct habits *first, double prior, double unusual, struct habits *habits);

#endif
