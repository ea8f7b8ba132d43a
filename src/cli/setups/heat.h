/* heat.h - where the kinds of many set-ups stand, as shaded maps of the set-up zone. */
#ifndef ENSIGN_CLI_SETUPS_HEAT_H
#define ENSIGN_CLI_SETUPS_HEAT_H

#include "cli/lines/terminal.h"
#include "host/setups/setup_tally.h"
#include "lua/language.h"

/* A map for each kind, several side by side, at most 80 columns wide; the front rank is at the top.
 * Shades are relative to the kind's fullest square, whose share is told above the map. With colours
 * the squares also hold their share in percent. */
void heat_draw(const struct terminal *terminal, const struct language *language,
               const struct rules *rules, const struct setup_tally *tally);

#endif
