/* rulesheet.h - the printed rule sheet of a variant: board, army, combat table, abilities, endings.
 */
#ifndef ENSIGN_CLI_RULESHEET_H
#define ENSIGN_CLI_RULESHEET_H

#include "lua/language.h"

#include <stdio.h>

enum { RULESHEET_COLUMNS = 96 }; /* default wrap width */

/* Prints the sheet with sentences wrapped at `columns`. */
void rulesheet_print(FILE *out, int columns, const struct language *language,
                     const struct rules *rules);

/* Prints only the combat table. */
void rulesheet_combat(FILE *out, const struct language *language, const struct rules *rules);

#endif
