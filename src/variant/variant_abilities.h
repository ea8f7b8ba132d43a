/* variant_abilities.h - the abilities of pieces as tables of targets and effects. */
#ifndef ENSIGN_VARIANT_VARIANT_ABILITIES_H
#define ENSIGN_VARIANT_VARIANT_ABILITIES_H

#include "variant_build.h"

/* The words for what an ability does, "remove" first; NULL beyond the last. */
const char *variant_abilities_effect(int index);

/* Fills rules.ability. Pieces that were given the same ability table share its limit. False after
 * a refusal. */
bool variant_abilities_build(struct variant_build *build);

#endif
