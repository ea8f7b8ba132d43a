/* habit_counts.h - how often pieces of each kind showed each sign, and the habits that follow. */
#ifndef ENSIGN_HOST_LEARN_HABIT_COUNTS_H
#define ENSIGN_HOST_LEARN_HABIT_COUNTS_H

#include "core/value/belief.h"

struct habit_counts {
    uint32_t seen[SIGNS][KINDS_MAX];
};

/* Counts the signs of the pieces that the view's side does not know in the game. */
void habit_counts_note(struct habit_counts *counts, const struct game *game,
                       const struct view *view);

void habit_counts_add(struct habit_counts *counts, const struct habit_counts *more);

/* Older games count less: halves all. */
void habit_counts_fade(struct habit_counts *counts);

/* The ratios, drawn to those of `first` as if `prior` more pieces of each kind had been seen that
 * show signs by them, and the more the rarer a sign is. An `unusual` part of armies may have begun
 * anywhere, whatever was seen: where a flag has never lain is where an opponent who knows that will
 * lay it. What began beside a piece is learned of kinds that cannot move alone: of others it says
 * how these armies are laid out, and strangers' are not.
 */
void habits_learn(const struct habit_counts *counts, const struct rules *rules,
                  const struct habits *first, double prior, double unusual, struct habits *habits);

/* Habits for opponents that were never met: of `own` with `share` of a hundred of `others`. Signs
 * of a piece go together, so that the product of their ratios says too much: a power of them is
 * taken.
 */
void habits_outside(const struct habits *own, const struct habits *others, int share,
                    struct habits *habits);

#endif
