/* trial.h - random games of a variant that test the core on the way.
 *
 * Both sides move at random from random set-ups. The core is checked against itself
 * (core/know/integrity.h): its state after every ply; move lists, judging, undo and views every few
 * plies. The same seed gives the same figures. */
#ifndef ENSIGN_HOST_CHECK_TRIAL_H
#define ENSIGN_HOST_CHECK_TRIAL_H

#include "core/play/calls.h"
#include "core/rules/rules.h"

struct trial_options {
    const struct rules *rules;
    uint32_t games; /* at least 1 */
    uint64_t seed;
    int64_t deadline; /* a time of clock_ms(); games not over by then do not count. 0: none */
};

enum { TRIAL_ENDINGS_MAX = 8 };

struct trial_call {
    uint64_t asked; /* times the call was made */
    uint64_t moved; /* times its answer changed anything */
};

struct trial {
    uint32_t games;
    uint64_t plies;
    uint32_t shortest, longest;        /* plies of a game */
    uint32_t wins[2], draws;           /* wins by side */
    uint32_t first_wins, first_losses; /* of the side that moved first */
    uint32_t stuck;                    /* games over before the first move */
    uint32_t reasons[REASON_COUNT];    /* games by reason */
    struct trial_ending {
        char text[CALL_WHY_MAX];
        uint32_t games;
    } ending[TRIAL_ENDINGS_MAX]; /* the variant's own words; beyond these not counted */
    uint64_t moves[KINDS_MAX], attacks[KINDS_MAX], falls[KINDS_MAX]; /* by kind, both sides */
    uint64_t uses[ABILITIES_MAX];                                    /* by number in the rules */
    struct trial_call calls[CALL_COUNT];
    uint32_t failed; /* the number of the game, from 1, that ended with a fault */
};

/* Plays the games, or fewer if time runs out or the variant's calls have been made often enough.
 * False with a fault when a set-up cannot be drawn, a call of the variant fails, or the core
 * disagrees with itself; `trial` then counts the games before. */
bool trial_run(const struct trial_options *options, struct trial *trial, struct fault *fault);

/* Did the trial stop because the variant's calls had been made often enough? */
bool trial_asked_enough(const struct trial *trial);

#endif
