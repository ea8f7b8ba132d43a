/* arrange.h - the set-up phase of a person: a random army on the board, and commands to change it.
 */
#ifndef ENSIGN_CLI_LINES_ARRANGE_H
#define ENSIGN_CLI_LINES_ARRANGE_H

#include "core/play/position.h"
#include "table.h"

/* Asks until the person of `side` is content with a set-up that the variant allows, beginning with
 * `setup` if that is one, else with one drawn from `random`. False without words in `fault` when
 * the person left, else with a fault. */
bool arrange_ask(struct table *table, const struct rules *rules, enum side side,
                 struct random *random, struct setup *setup, struct fault *fault);

#endif
