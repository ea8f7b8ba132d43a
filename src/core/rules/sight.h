/* sight.h - which squares a side sees. RULES 8.
 *
 * Most games hide ranks only. A variant with `sight` hides pieces too: a side sees the squares of
 * its own pieces and those that these see, by kind and place; an enemy elsewhere is not shown. */
#ifndef ENSIGN_CORE_RULES_SIGHT_H
#define ENSIGN_CORE_RULES_SIGHT_H

#include "core/play/position.h"

/* What `side` sees with its pieces among these cells; every square where sight is not limited. */
squareset sight_of(const struct rules *rules, enum side side, const cell *at);

#endif
