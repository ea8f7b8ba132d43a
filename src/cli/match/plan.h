/* plan.h - what a match is to be: read from arguments, kept in its store, taken up from there. */
#ifndef ENSIGN_CLI_MATCH_PLAN_H
#define ENSIGN_CLI_MATCH_PLAN_H

#include "cli/command.h"
#include "host/match/store.h"
#include "host/match/tournament.h"

#include <stdio.h>

/* Names of records have to fit behind the folder. */
enum { PLAN_FOLDER_BYTES_MAX = STORE_PATH_MAX - 65 };

/* What the arguments say. */
struct match_values {
    struct arguments players, typed;
    const char *variant, *folder, *sprt;
    const char *setups, *versus; /* files, or "random"; NULL: none */
    uint64_t fuel;               /* 0: as usual */
    uint32_t games, memory;      /* 0: as usual; memory in MiB */
    int jobs;                    /* 0: one for each processor */
    int first, deadline;         /* enum side, or -1; ms */
    bool gauntlet, resume, allow_programs, trust, json, events;
};

struct plan {
    struct match_values asked;
    struct tournament_options match; /* all that arguments tell; files are not read yet */
    char folder[STORE_PATH_MAX];     /* empty: nothing is kept */
    uint64_t seed;                   /* once plan_begin() or plan_take_up() has been called */
    bool renewed;                    /* taken up without the seed that it was begun with */
    struct sprt sprt;                /* where match.sprt points to */
    struct arguments words;          /* those of a match that is resumed, owned */
};

/* Makes a plan of what was asked for. With --resume the arguments come from the match in the
 * folder, and the process moves to the folder where that was begun. A store may come from anybody:
 * if it names external programs a person at the terminal is asked, without one it is refused unless
 * --allow-programs was given, and bots are trusted only if this command says so. Returns an exit
 * code; all but EXIT_DONE after a complaint. Free with plan_clear() in any case. */
int plan_make(struct plan *plan, const struct match_values *asked);
void plan_clear(struct plan *plan);

/* Settles where the chance of a new match comes from, and stretches it: after the nursery has been
 * opened, so that no bot's process has ever held the seed or the key. */
bool plan_begin(struct plan *plan, struct fault *fault);

/* The same for a match that is resumed, whose store may not hold the seed (store.h): then the one
 * that was given must be the right one (STATUS_USAGE), and without one the games left get chance of
 * their own. Says so on standard error. */
bool plan_take_up(struct plan *plan, struct store *store, struct fault *fault);

/* Writes what the match is into its new store, without the seed if a program plays. */
bool plan_keep(const struct plan *plan, const struct tournament *match, struct store *store,
               struct fault *fault);

/* May the seed be told? Not while a program plays that could read it, and not of a match that has
 * two of them. */
bool plan_tells_seed(const struct plan *plan, const struct tournament *match);

/* Writes the seed of a match that has ended, if plan_keep() did not. */
bool plan_end(const struct plan *plan, const struct tournament *match, struct store *store,
              struct fault *fault);

/* Prints the command that takes the match up again, as a shell reads it, without a line's end. */
void plan_print_resume(const struct plan *plan, FILE *out);

#endif
