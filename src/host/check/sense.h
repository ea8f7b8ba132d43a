/* sense.h - do the rules of a variant make sense?
 *
 * Not whether they can be played (rules.h sees to that) but whether they probably mean what they
 * say: can a flag be reached and taken, has every ability a use, does a game have an end. */
#ifndef ENSIGN_HOST_CHECK_SENSE_H
#define ENSIGN_HOST_CHECK_SENSE_H

#include "base/faults.h"
#include "trial.h"

/* Adds warnings with keys and without places. */
void sense_rules(const struct rules *rules, struct faults *faults);

/* The same from what random games of the rules have shown; at least 50 of them, or nothing is
 * concluded. */
void sense_trial(const struct rules *rules, const struct trial *trial, struct faults *faults);

#endif
