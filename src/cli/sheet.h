/* sheet.h - sentences of a variant's rule sheet, derived from its compiled tables. */
#ifndef ENSIGN_CLI_SHEET_H
#define ENSIGN_CLI_SHEET_H

#include "lua/language.h"

enum { SHEET_TEXT_MAX = 2048 };

/* "one square", "any number of squares in a line", … */
void sheet_movement(const struct language *language, const struct rules *rules, kind_id kind,
                    char *out, size_t size);

/* What the board's grounds, links and walls mean, sentence by sentence; empty on a plain board
 * without grounds. */
void sheet_board(const struct language *language, const struct rules *rules, char *out,
                 size_t size);

/* Where a kind may stand at the start; empty if anywhere in the zone. */
void sheet_start(const struct language *language, const struct rules *rules, kind_id kind,
                 char *out, size_t size);

/* An ability: when and where it works, its targets, its question and its effects. */
void sheet_ability(const struct language *language, const struct rules *rules,
                   const struct ability *ability, char *out, size_t size);

/* Are two abilities equal except for the actor? */
bool sheet_same_ability(const struct ability *a, const struct ability *b);

const char *sheet_first(const struct rules *rules);

/* The visibility of a battle's winner: "reveal", "conceal", "silent", or "mixed" if it depends on
 * the pieces. */
const char *sheet_after_battle(const struct rules *rules);

#endif
