/* ladder.h - how strong a bot that learns is against stock bots: a match of its file as it is.
 *
 * Its chance is derived apart, so that a ladder makes no difference to what is learned. */
#ifndef ENSIGN_HOST_LEARN_LADDER_H
#define ENSIGN_HOST_LEARN_LADDER_H

#include "host/match/tournament.h"
#include "school.h"

extern const char *const LADDER_RIVALS[SCHOOL_RIVALS];

/* Plays `match.games` (even) with the bot at `path` against each rival and notes the results; does
 * nothing if they are noted already, and notes nothing if `match.stop` ended it. `match` says
 * where, how many, in how many threads and who is told; the rest is the ladder's. False with a
 * fault. */
bool ladder_play(struct school *school, const char *path, struct tournament_options match,
                 struct fault *fault);

#endif
