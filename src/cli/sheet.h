/* sheet.h - parts of a variant's rule sheet in words, read off its compiled tables. */
#ifndef ENSIGN_CLI_SHEET_H
#define ENSIGN_CLI_SHEET_H

#include "lua/language.h"

enum { SHEET_TEXT_MAX = 2048 };

/* "one square", "any number of squares in a line", … */
void sheet_movement(const struct language *language, const struct rules *rules, kind_id kind,
                    char *out, size_t size);

/* The whole of an ability: when, from where, at what, what is asked and what happens. */
void sheet_ability(const struct language *language, const struct rules *rules,
                   const struct ability *ability, char *out, size_t size);

/* The same in every respect but who has it? */
bool sheet_same_ability(const struct ability *a, const struct ability *b);

const char *sheet_chase(const struct rules *rules);
const char *sheet_first(const struct rules *rules);

/* What is shown of the winners of battles: "reveal", "conceal", "silent", or "mixed" where it
 * depends on the pieces. */
const char *sheet_after_battle(const struct rules *rules);

#endif
