/* progress.h - the progress of a match, in one line of standard error that is overwritten. */
#ifndef ENSIGN_CLI_MATCH_PROGRESS_H
#define ENSIGN_CLI_MATCH_PROGRESS_H

#include "host/match/tournament.h"

struct progress {
    bool shown; /* is standard error a terminal? */
    bool begun;
    uint32_t first;      /* games found in the store */
    int64_t start, last; /* clock_ms() */
};

void progress_open(struct progress *progress);

/* Call it after every game; it writes at most ten times a second. */
void progress_show(struct progress *progress, const struct tournament *match,
                   const struct sprt *sprt);

/* Wipes the line. */
void progress_close(struct progress *progress);

#endif
