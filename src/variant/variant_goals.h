/* variant_goals.h - reads `counters`, `goal` and `repetition`. */
#ifndef ENSIGN_VARIANT_VARIANT_GOALS_H
#define ENSIGN_VARIANT_VARIANT_GOALS_H

#include "variant_build.h"

/* Both need the kinds, goals the board too. False after a refusal. */
bool variant_counters_build(const struct variant_build *build);
bool variant_goals_build(const struct variant_build *build);

/* The counter of this name, which the value at `key` has, or -1 after a refusal. */
int variant_counter(const struct variant_build *build, const char *key, const char *name);

#endif
