/* sense.h - warnings about rules that can be played (rules.h) but are probably not meant: a flag
 * that cannot be reached or taken, an ability without a use, a game without an end. */
#ifndef ENSIGN_HOST_CHECK_SENSE_H
#define ENSIGN_HOST_CHECK_SENSE_H

#include "base/faults.h"
#include "trial.h"

/* Adds warnings with keys and without places. */
void sense_rules(const struct rules *rules, struct faults *faults);

/* The same from the figures of random games; most of them need at least 50 games. */
void sense_trial(const struct rules *rules, const struct trial *trial, struct faults *faults);

#endif
