/* trial.h - random games of a variant, in which nothing may go wrong.
 *
 * Both sides move at random from random set-ups. All along the core is held against itself
 * (core/know/integrity.h): what it keeps is looked at after every ply, what it lists, judges, takes
 * back and tells either side every few plies. The same seed gives the same figures. */
#ifndef ENSIGN_HOST_CHECK_TRIAL_H
#define ENSIGN_HOST_CHECK_TRIAL_H

#include "core/play/calls.h"
#include "core/rules/rules.h"

struct trial_options {
    const struct rules *rules;
    uint32_t games; /* at least 1 */
    uint64_t seed;
    int64_t deadline; /* a time of clock_ms(): a game that is not over by then is left out, and so
                         are those behind it; 0: none */
};

struct trial_call {
    uint64_t asked; /* how often the variant was asked */
    uint64_t moved; /* how often the answer was not the one that changes nothing */
};

struct trial {
    uint32_t games;
    uint64_t plies;
    uint32_t shortest, longest;        /* plies of a game */
    uint32_t wins[2], draws;           /* wins by side */
    uint32_t first_wins, first_losses; /* of the side that began */
    uint32_t stuck;                    /* games without a single move */
    uint32_t reasons[REASON_COUNT];    /* games by how they ended */
    uint64_t moves[KINDS_MAX], attacks[KINDS_MAX], falls[KINDS_MAX]; /* by kind, both sides */
    uint64_t uses[ABILITIES_MAX];                                    /* by number in the rules */
    struct trial_call calls[CALL_COUNT];
};

/* Plays the games; fewer where time ran out, or where the variant's calls were asked so often that
 * more games would say nothing new. False with a fault when a set-up cannot be drawn, a call of the
 * variant fails, or the core disagrees with itself; `trial` has the games before. */
bool trial_run(const struct trial_options *options, struct trial *trial, struct fault *fault);

/* Were its games stopped because the variant's calls had been asked often enough? */
bool trial_asked_enough(const struct trial *trial);

#endif
