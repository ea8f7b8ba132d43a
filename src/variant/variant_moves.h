/* variant_moves.h - compiles the `moves` of pieces to movements. */
#ifndef ENSIGN_VARIANT_VARIANT_MOVES_H
#define ENSIGN_VARIANT_VARIANT_MOVES_H

#include "variant_build.h"

/* Gives each kind its movement. Kinds with the same word, table or function as `moves` share one.
 * False after a refusal. */
bool variant_moves_build(struct variant_build *build);

#endif
