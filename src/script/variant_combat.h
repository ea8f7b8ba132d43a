/* variant_combat.h - who falls: exceptions of pieces, the combat function, else ranks. */
#ifndef ENSIGN_SCRIPT_VARIANT_COMBAT_H
#define ENSIGN_SCRIPT_VARIANT_COMBAT_H

#include "variant_build.h"

/* Fills rules.outcome for every mobile attacker and every defender. False after a refusal. */
bool variant_combat_build(struct variant_build *build);

#endif
