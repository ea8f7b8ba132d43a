/* trial.h - random games of a variant that test the core on the way.
 *
 * Both sides move at random from random set-ups. The core is checked against itself
 * (core/know/integrity.h): its state after every ply; move lists, judging, undo and views every few
 * plies. The same seed gives the same figures. */
#ifndef ENSIGN_HOST_CHECK_TRIAL_H
#define ENSIGN_HOST_CHECK_TRIAL_H

#include "jail/trial_work.h"

/* Plays the games, or fewer if time runs out or the variant's calls have been made often enough.
 * False with a fault when a set-up cannot be drawn, a call of the variant fails, or the core
 * disagrees with itself; `trial` then counts the games before. */
bool trial_run(const struct trial_options *options, struct trial *trial, struct fault *fault);

/* Tests, warnings and games of `ensign check`. */
extern const struct trial_work TRIAL_WORK;

/* Did the trial stop because the variant's calls had been made often enough? */
bool trial_asked_enough(const struct trial *trial);

#endif
