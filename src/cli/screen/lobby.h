/* lobby.h - the start screen: which game, who plays whom, who begins, which seed.
 *
 * Lists what can be found: variants with their titles, bots from the weakest of those that come
 * along to the strongest, then those of the user's own. */
#ifndef ENSIGN_CLI_SCREEN_LOBBY_H
#define ENSIGN_CLI_SCREEN_LOBBY_H

#include "cli/play/front.h"
#include "lua/language.h"
#include "screen.h"

/* Lets a person choose, beginning with `terms` as far as they can be found. False when the person
 * leaves or the screen is closed, or without memory. */
bool lobby_choose(struct screen *screen, const struct folders *folders,
                  const struct language *language, struct terms *terms);

#endif
