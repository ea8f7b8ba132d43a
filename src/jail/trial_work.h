/* trial_work.h - what a loader's process does with a variant that it has loaded, for the floor
 * above: its own tests, random games, and what is to be thought of both. */
#ifndef ENSIGN_JAIL_TRIAL_WORK_H
#define ENSIGN_JAIL_TRIAL_WORK_H

#include "base/buffer.h"
#include "base/fault.h"
#include "core/play/calls.h"
#include "core/rules/rules.h"
#include "variant/variant_tests.h"

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
    char changed[CALL_COUNT][WORD_MAX]; /* variables, by the call that changed them (calls.look) */
    uint32_t failed; /* the number of the game, from 1, that ended with a fault */
};

/* The functions, which the process calls: it runs the same program. A constant of that program. */
struct trial_work {
    /* Runs a test. False after adding an error. */
    bool (*claim)(const struct rules *rules, const struct claims *claims, const struct claim *claim,
                  struct faults *faults);
    /* Adds warnings about rules that are probably not meant. */
    void (*judge)(const struct rules *rules, struct faults *faults);
    /* Plays random games. False with a fault. */
    bool (*play)(const struct trial_options *options, struct trial *trial, struct fault *fault);
    /* Adds warnings from their figures. */
    void (*judge_games)(const struct rules *rules, const struct trial *trial,
                        struct faults *faults);
};

enum { LOADER_LOG_MAX = 64 << 10 }; /* bytes of a log */

/* Trials beyond loading, and their results. */
struct loader_trial {
    const struct trial_work *work;
    bool judge;     /* also warn of probable mistakes */
    uint32_t games; /* random games to be played; 0: none */
    uint64_t seed;
    int seconds; /* 1 to 86400, for tests and games together; no more are begun afterwards */

    struct buffer *log;      /* gets the lines that the scripts print while they are loaded and
                                tested, "load: TEXT" or "test 3: TEXT"; NULL: they are dropped */
    struct profile *profile; /* gets the fuel of all that runs; NULL: it is not noted */

    int tests, tried, held; /* the variant's own tests: all, tried, passed */
    bool played;            /* no game failed, and `trial` is valid */
    struct trial trial;     /* has fewer games if time ran out, or the variant's calls were asked
                               often enough (trial.h) */
};

#endif
