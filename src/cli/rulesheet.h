/* rulesheet.h - the rule sheet of a variant, for people: board, army, who beats whom, abilities,
 * endings. */
#ifndef ENSIGN_CLI_RULESHEET_H
#define ENSIGN_CLI_RULESHEET_H

#include "lua/language.h"

#include <stdio.h>

enum { RULESHEET_COLUMNS = 96 }; /* what sentences are usually wrapped at */

/* Prints the sheet, sentences wrapped at `columns`. */
void rulesheet_print(FILE *out, int columns, const struct language *language,
                     const struct rules *rules);

/* Only who beats whom. */
void rulesheet_combat(FILE *out, const struct language *language, const struct rules *rules);

#endif
