/* plan.h - the plan of a match: read from arguments, kept in its store, resumed from there. */
#ifndef ENSIGN_CLI_MATCH_PLAN_H
#define ENSIGN_CLI_MATCH_PLAN_H

#include "cli/command.h"
#include "host/match/store.h"
#include "host/match/tournament.h"

#include <stdio.h>

/* Leaves room for the names of records. */
enum { PLAN_FOLDER_BYTES_MAX = STORE_PATH_MAX - 65 };

/* The values of `ensign match`. */
struct match_values {
    struct arguments players, typed;
    const char *variant, *folder, *sprt, *clock, *log;
    const char *over, *creds, *key; /* of other machines; NULL: none */
    const char *setups, *versus;    /* a name, a file or "random"; NULL: none */
    uint64_t fuel;                  /* 0: the default */
    uint32_t games, memory;         /* 0: the default; memory in MiB */
    int jobs;                       /* 0: one for each processor */
    int first, deadline;            /* enum side, or -1; ms */
    bool gauntlet, resume, allow_programs, trust, json, events, verbose;
    bool fresh, wall; /* for programs */
    bool no_limits;
};

struct plan {
    struct match_values asked;
    struct tournament_options match; /* from the arguments alone, before files are read */
    char folder[STORE_PATH_MAX];     /* of the store; empty: none */
    uint64_t seed;                   /* set by plan_begin() or plan_take_up() */
    bool renewed;                    /* resumed with another seed than it was begun with */
    struct sprt sprt;                /* target of match.sprt */
    struct arguments words;          /* original arguments of a resumed match, owned */
};

/* Makes a plan from the command's values. With --resume the arguments come from the store, and the
 * process changes to the folder where the match was begun. A store is untrusted: if it names
 * external programs the user is asked, and without a terminal --allow-programs is required; bots
 * are trusted only if this command says so. Returns an exit code; all but EXIT_DONE after an error
 * message. Free with plan_clear() in any case. */
int plan_make(struct plan *plan, const struct match_values *asked);
void plan_clear(struct plan *plan);

/* Takes and stretches the seed of a new match. */
bool plan_begin(struct plan *plan, struct fault *fault);

/* The same for a resumed match, whose store may lack the seed (store.h). A given seed must be the
 * original one (STATUS_USAGE); without any the remaining games get a new one, with a warning on
 * standard error. */
bool plan_take_up(struct plan *plan, struct store *store, struct fault *fault);

/* Writes the plan into the new store, without the seed if a program plays. */
bool plan_keep(const struct plan *plan, const struct tournament *match, struct store *store,
               struct fault *fault);

/* May the seed be printed? Not while a program plays that could read it, and never for a match with
 * two seeds. */
bool plan_tells_seed(const struct plan *plan, const struct tournament *match);

/* Writes the seed of a finished match if plan_keep() did not. */
bool plan_end(const struct plan *plan, const struct tournament *match, struct store *store,
              struct fault *fault);

/* Prints the command that resumes the match, quoted for a shell, without a newline. */
void plan_print_resume(const struct plan *plan, FILE *out);

#endif
