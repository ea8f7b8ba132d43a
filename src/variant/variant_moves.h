/* variant_moves.h - the `moves` of pieces as movements of the rules. */
#ifndef ENSIGN_VARIANT_VARIANT_MOVES_H
#define ENSIGN_VARIANT_VARIANT_MOVES_H

#include "variant_build.h"

/* Gives every kind of the rules its movement. Kinds whose `moves` is the same word, table or
 * function share one. False after a refusal. */
bool variant_moves_build(struct variant_build *build);

#endif
