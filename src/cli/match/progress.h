/* progress.h - the progress of a match, in one line of standard error that is overwritten. */
#ifndef ENSIGN_CLI_MATCH_PROGRESS_H
#define ENSIGN_CLI_MATCH_PROGRESS_H

#include "host/match/tournament.h"

#include <pthread.h>

struct progress {
    pthread_mutex_t lock;
    bool shown; /* is standard error a terminal? */
    bool begun;
    uint32_t first;      /* games found in the store */
    int64_t start, last; /* clock_ms() */
    char told[256];      /* who plays, on other machines; empty: nobody does */
};

void progress_open(struct progress *progress);

/* Call it after every game; it writes at most ten times a second. Any thread may. */
void progress_show(struct progress *progress, const struct tournament *match,
                   const struct sprt *sprt);

/* Adds something to the line from now on. */
void progress_tell(struct progress *progress, const char *text);

/* Wipes the line. */
void progress_close(struct progress *progress);

#endif
