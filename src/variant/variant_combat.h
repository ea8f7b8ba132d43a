/* variant_combat.h - compiles who falls in each battle and whether the winner is shown. */
#ifndef ENSIGN_VARIANT_VARIANT_COMBAT_H
#define ENSIGN_VARIANT_VARIANT_COMBAT_H

#include "variant_build.h"

/* Fills rules.outcome and rules.after_battle for every mobile attacker and every defender. False
 * after a refusal. */
bool variant_combat_build(struct variant_build *build);

#endif
