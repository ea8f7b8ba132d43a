/* arrange_screen.h - a person sets up an army on the screen. */
#ifndef ENSIGN_CLI_SCREEN_ARRANGE_SCREEN_H
#define ENSIGN_CLI_SCREEN_ARRANGE_SCREEN_H

#include "core/play/position.h"
#include "lua/language.h"
#include "screen.h"

struct arrange_options {
    const struct language *language;
    const struct rules *rules;
    const struct folders *folders; /* search path of named set-ups */
    enum side side;
    const char *title; /* in the first row */
};

/* Shows the editor until the person confirms a legal set-up. It starts from the pieces of `setup`
 * that fit, or from a random one if there are none. False with a fault, or with an empty fault when
 * the person left or the screen closed; `setup` is then what stood on the board. */
bool arrange_on_screen(struct screen *screen, const struct arrange_options *options,
                       struct random *random, struct setup *setup, struct fault *fault);

#endif
