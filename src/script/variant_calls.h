/* variant_calls.h - the functions of a variant that are asked during play: what core/calls.h asks,
 * answered by Lua.
 *
 * Lua states serve one thread at a time, and rules are shared. So there are as many states as
 * questions are asked at once: the one that the variant was loaded in, and others that are made
 * from the same texts when they are needed. A function is held to answering alike in all of them;
 * variant_calls_doubt() finds out. */
#ifndef ENSIGN_SCRIPT_VARIANT_CALLS_H
#define ENSIGN_SCRIPT_VARIANT_CALLS_H

#include "keeper.h"
#include "variant_build.h"

enum { CALL_FUEL = 1000000 }; /* instructions for one call */

/* Gives the rules their calls, if the variant has any. To be called in the protected call that
 * loads the variant, when all else is built. False after a refusal. */
bool variant_calls_build(struct variant_build *build);

/* Hands the state in which the variant was loaded over to its calls, with the texts of its files
 * and what its scripts required. The rules must have calls. False, with nothing taken, without
 * memory. */
bool variant_calls_adopt(struct rules *rules, struct variant_source *source, struct keeper *keeper);

/* From now on every other question is asked of a second state too, which has heard other questions
 * before; a difference is a fault of the call. For rules with or without calls. */
void variant_calls_doubt(struct rules *rules);

#endif
