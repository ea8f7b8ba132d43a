/* variant_abilities.h - compiles the abilities of pieces to tables of targets and effects. */
#ifndef ENSIGN_VARIANT_VARIANT_ABILITIES_H
#define ENSIGN_VARIANT_VARIANT_ABILITIES_H

#include "variant_build.h"

/* The names of abilities' effects, "remove" first; NULL past the end. */
const char *variant_abilities_effect(int index);

/* Fills rules.ability. Pieces with the same ability table share its limit. False after a refusal.
 */
bool variant_abilities_build(struct variant_build *build);

#endif
