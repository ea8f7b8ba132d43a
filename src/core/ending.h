/* ending.h - has the game ended, for whom, and why. RULES 7. */
#ifndef ENSIGN_CORE_ENDING_H
#define ENSIGN_CORE_ENDING_H

#include "turn.h"

/* Looks at the game after a move to an empty square and nothing else. */
void ending_find_quiet(struct game *game);

/* Looks at the game after `turn` of `mover` was carried out and the turn passed on; `turn` NULL at
 * the start. Sets result and reason if it has ended. */
void ending_find(struct game *game, enum side mover, const struct turn *turn);

/* The draw without miners: nobody has a piece of rules.draw_without left, and no flag can be
 * reached. Reads `at`, `count`, `pieces` and `mobile`. */
bool ending_drawn_without(const struct game *game);

#endif
