/* strength_test.h - how strong a bot that learns is against stock bots: a match of its file as it
 * is.
 *
 * Its chance is derived apart, so that a ladder makes no difference to what is learned. */
#ifndef ENSIGN_HOST_LEARN_STRENGTH_TEST_H
#define ENSIGN_HOST_LEARN_STRENGTH_TEST_H

#include "host/match/tournament.h"
#include "trainer.h"

extern const char *const STRENGTH_TEST_RIVALS[TRAINER_RIVALS];

/* Plays `match.games` (even) with the bot at `path` against each rival and notes the results; does
 * nothing if they are noted already, and notes nothing if `match.stop` ended it. `match` says
 * where, how many, in how many threads and who is told; the rest is the ladder's. False with a
 * fault. */
bool strength_test_play(struct trainer *trainer, const char *path, struct tournament_options match,
                        struct fault *fault);

#endif
