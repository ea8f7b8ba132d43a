/* custom.h - small hand-made variants: any board, pieces that run, leap and turn corners, and
 * abilities that no stock variant has. */
#ifndef ENSIGN_TESTS_CORE_CUSTOM_H
#define ENSIGN_TESTS_CORE_CUSTOM_H

#include "base/random.h"
#include "core/rules/rules.h"

enum {
    CUSTOM_FLAG = 1,
    CUSTOM_BOMB,
    CUSTOM_RUNNER,
    CUSTOM_STEPPER,
    CUSTOM_LEAPER, /* as a knight */
    CUSTOM_TURNER, /* up to two steps, round a corner too */
    CUSTOM_BEARER, /* a flag that steps */
    CUSTOM_KINDS = CUSTOM_BEARER
};

/* Finished rules with `count[kind]` pieces of each kind on a board with these lakes (may be 0) and
 * a set-up zone of `zone_ranks`; a kind with count 0 is left out, so that kinds after it move up.
 * With `abilities` steppers swap with their neighbours, turners blast one and themselves, runners
 * bring a fallen piece back, and leapers win by naming a flag and lose by naming it wrongly. NULL
 * with a fault when the rules are refused. */
struct rules *custom_rules(int files, int ranks, int zone_ranks, squareset lakes,
                           const uint8_t count[CUSTOM_KINDS + 1], bool abilities,
                           struct fault *fault);

/* Makes battles depend on the squares, by chance: three places, which are others for each side.
 * `bars`: some attacks may not be made, and the game is open. Asks the variant only where a table
 * did. */
void custom_battles(struct rules *rules, struct random *random, bool bars);

#endif
