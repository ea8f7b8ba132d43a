/* verify.h - whether a game that another machine has sent can have been played.
 *
 * Its record is replayed: each move must be legal, and result, reason, plies, set-ups, names, first
 * side and limits must be those that the match and the rest of the game say. That the players would
 * have moved so is not looked at; for this the pair must be played again. */
#ifndef ENSIGN_HOST_MACHINES_VERIFY_H
#define ENSIGN_HOST_MACHINES_VERIFY_H

#include "host/match/pair.h"

/* False with a fault that says what is wrong; true also if the host itself cannot say. */
bool verify_game(const struct tournament *match, const struct tournament_options *options,
                 const struct finished *finished, struct fault *fault);

#endif
