/* trial.h - random games of all manners in which what a mind says is held against plain loops. */
#ifndef ENSIGN_TESTS_CORE_TRIAL_H
#define ENSIGN_TESTS_CORE_TRIAL_H

#include "core/know/eyes.h"
#include "core/value/mind.h"

enum { TRIAL_PLIES = 400, TRIAL_ROOM = 4096 };

/* The game under way; `moves` are those of the side to move. */
extern struct trial {
    const struct rules *rules;
    struct random random;
    struct game game;
    struct ply plies[TRIAL_PLIES];
    struct eyes eyes;
    struct move moves[TRIAL_ROOM];
    size_t count;
    struct measure measure;
    struct value value; /* by the rules alone to begin with */
    struct mind mind;
    int positions; /* that were looked at */
} trial;

/* Plays games until `expect` has counted so many positions, an eighth under sanitizers. It is
 * called before some of the turns, for one of the sides. Games differ by number. */
void trial_play(const struct rules *rules, uint64_t number, int positions,
                void (*expect)(enum side side));

/* Habits that tell much. */
void trial_draw_habits(struct random *random, struct habits *habits);

#endif
