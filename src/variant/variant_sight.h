/* variant_sight.h - compiles the squares that each piece sees from each square. */
#ifndef ENSIGN_VARIANT_VARIANT_SIGHT_H
#define ENSIGN_VARIANT_VARIANT_SIGHT_H

#include "variant_build.h"

/* Fills rules.sight if the variant limits sight. False after a refusal. */
bool variant_sight_build(struct variant_build *build);

#endif
