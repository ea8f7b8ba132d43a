/* plan.h - what a match is to be: read from arguments, kept in its store, taken up from there. */
#ifndef ENSIGN_CLI_MATCH_PLAN_H
#define ENSIGN_CLI_MATCH_PLAN_H

#include "host/match/match.h"
#include "host/match/store.h"

#include <stdio.h>

struct plan {
    struct match_options match; /* all that arguments tell; files are not read yet */
    const char *variant;
    const char *setups, *versus; /* files, or "random"; NULL: none */
    char folder[STORE_PATH_MAX]; /* empty: nothing is kept */
    bool resume, trust, json, events, help;
    bool allow_programs; /* programs that a store names are started without a question */
    struct sprt sprt;    /* where match.sprt points to */

    /* The plan's own. */
    const char *refused; /* an option that does not go with --resume */
    int argc;
    char **argv;  /* what the match was begun with */
    char **words; /* those of a match that is resumed, owned */
    bool jobs_given, games_given;
};

/* Reads the arguments of `match`. With --resume those that the match in the folder was begun with
 * come first, and the process moves to the folder where it was begun. A store may come from
 * anybody: if it names external programs a person at the terminal is asked, without one it is
 * refused unless
 * --allow-programs was given, and bots are trusted only if the command at hand says so. Returns an
 * exit code; all but EXIT_DONE after a complaint. Free with plan_clear() in any case. */
int plan_read(struct plan *plan, int argc, char **argv);
void plan_clear(struct plan *plan);

/* Writes what the match is into its new store. */
bool plan_keep(const struct plan *plan, const struct match *match, struct store *store,
               struct fault *fault);

/* Prints the command that takes the match up again, as a shell reads it, without a line's end. */
void plan_print_resume(const struct plan *plan, FILE *out);

#endif
