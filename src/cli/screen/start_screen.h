/* start_screen.h - the start screen: which game, who plays whom, who begins, which seed.
 *
 * Lists all variants by title and all bots: first the stock ones from weak to strong, then the
 * user's own. */
#ifndef ENSIGN_CLI_SCREEN_START_SCREEN_H
#define ENSIGN_CLI_SCREEN_START_SCREEN_H

#include "cli/ui.h"
#include "lua/language.h"
#include "screen.h"

/* Lets a person choose, starting from `terms`. False if the person leaves, the screen closes or
 * memory is short. A `newcomer` is shown where the lesson is. */
bool start_screen_choose(struct screen *screen, const struct folders *folders,
                         const struct language *language, bool newcomer, struct terms *terms);

#endif
