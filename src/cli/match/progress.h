/* progress.h - how far a match is, in one line of a terminal that is written over and over. */
#ifndef ENSIGN_CLI_MATCH_PROGRESS_H
#define ENSIGN_CLI_MATCH_PROGRESS_H

#include "host/match/tournament.h"

struct progress {
    bool shown; /* is standard error a terminal? */
    bool begun;
    uint32_t first;      /* games that were there before */
    int64_t start, last; /* clock_ms() */
};

void progress_open(struct progress *progress);

/* To be called after every game; writes some times a second at most. */
void progress_show(struct progress *progress, const struct tournament *match,
                   const struct sprt *sprt);

/* Wipes the line. */
void progress_close(struct progress *progress);

#endif
