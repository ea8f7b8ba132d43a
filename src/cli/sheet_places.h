/* sheet_places.h - names the squares on which battles are otherwise, for a rule sheet.
 *
 * Places are those of `struct battles`; `rules` has them. */
#ifndef ENSIGN_CLI_SHEET_PLACES_H
#define ENSIGN_CLI_SHEET_PLACES_H

#include "core/rules/rules.h"
#include "lua/language.h"

/* Is this pair the first of those with the same battles, and are these others than on squares
 * without a ground? */
bool sheet_places_first(const struct rules *rules, int from, int to);

/* All pairs with the battles of this one: "river → other squares; any square → trap of the
 * attacker". What does not fit is left out. */
void sheet_places(const struct language *language, const struct rules *rules, int from, int to,
                  char *out, size_t size);

#endif
