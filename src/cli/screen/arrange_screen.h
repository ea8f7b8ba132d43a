/* arrange_screen.h - the set-up phase of a person at the screen: an editor of set-ups. */
#ifndef ENSIGN_CLI_SCREEN_ARRANGE_SCREEN_H
#define ENSIGN_CLI_SCREEN_ARRANGE_SCREEN_H

#include "core/play/position.h"
#include "lua/language.h"
#include "screen.h"

struct arrange_options {
    const struct language *language;
    const struct rules *rules;
    const struct folders *folders; /* where set-ups with a name are looked for */
    enum side side;
    const char *title; /* in the first row */
};

/* Shows the editor until the person is content with a set-up that the variant allows, beginning
 * with `setup` if that is one, else with one drawn from `random`. False without words in `fault`
 * when the person left or the screen is closed, else with a fault. */
bool arrange_on_screen(struct screen *screen, const struct arrange_options *options,
                       struct random *random, struct setup *setup, struct fault *fault);

#endif
