/* arrange.h - a human's set-up phase in line mode: a random army, and commands to change it. */
#ifndef ENSIGN_CLI_LINES_ARRANGE_H
#define ENSIGN_CLI_LINES_ARRANGE_H

#include "core/play/position.h"
#include "line_input.h"

/* Lets the human of `side` change a set-up until it is accepted, beginning with `setup` if that is
 * valid, else with a random one. False with a fault, or without words in it when the human left. */
bool arrange_ask(struct line_input *input, const struct rules *rules, enum side side,
                 struct random *random, struct setup *setup, struct fault *fault);

#endif
