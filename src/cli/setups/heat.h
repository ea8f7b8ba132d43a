/* heat.h - shaded maps of where each kind stands in many set-ups. */
#ifndef ENSIGN_CLI_SETUPS_HEAT_H
#define ENSIGN_CLI_SETUPS_HEAT_H

#include "cli/lines/terminal.h"
#include "host/setups/setup_tally.h"
#include "lua/language.h"

/* Draws one map for each kind, side by side within 80 columns, front rank on top. Shades are
 * relative to the kind's most frequent square, whose share is in the title. With colours each
 * square shows its share in percent. */
void heat_draw(const struct terminal *terminal, const struct language *language,
               const struct rules *rules, enum side side, const struct setup_tally *tally);

#endif
