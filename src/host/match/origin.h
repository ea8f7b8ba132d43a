/* origin.h - the game of a match that a record was written for: the chance and the limits that its
 * players had. They are in the match's own match.sqlite beside the record; the record does not tell
 * them, since nothing that a player may see may tell of other games. */
#ifndef ENSIGN_HOST_MATCH_ORIGIN_H
#define ENSIGN_HOST_MATCH_ORIGIN_H

#include "base/chance.h"
#include "base/fault.h"
#include "lua/sandbox.h"

#include <stdint.h>

/* What the match gave a bot. */
struct origin_terms {
    bool found; /* a match.sqlite beside the record has a game with this text */
    struct sandbox_limits limits;
};

struct origin {
    bool found;
    uint32_t number;         /* of the game, from 1 */
    bool asked;              /* the players laid out their armies themselves */
    bool clocked;            /* what was left on the clock in each turn is not known */
    bool known;              /* `chance` is that of the game */
    struct chance chance[2]; /* of the seats, by side */
};

/* Both find the game, and return false with a fault if the match cannot be read. `seed` (may be
 * NULL) takes the place of the match's own. */
bool origin_terms(const char *path, struct origin_terms *terms, struct fault *fault);
bool origin_find(const char *path, const uint64_t *seed, struct origin *origin,
                 struct fault *fault);

#endif
