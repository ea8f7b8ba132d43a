/* engagement.h - a worker's part in one match: threads that fetch jobs, play their pairs and send
 * the games. */
#ifndef ENSIGN_HOST_MACHINES_ENGAGEMENT_H
#define ENSIGN_HOST_MACHINES_ENGAGEMENT_H

#include "notices.h"
#include "pieces.h"
#include "worker.h"

struct engagement;

struct engagement_options {
    const struct worker_options *worker;
    struct telegraph *telegraph;
    struct pieces *pieces;           /* shared by all, */
    atomic_size_t *memory;           /* as the memory (remote_match.h) */
    const struct notice_open *match; /* copied; of this protocol */
};

/* Starts a thread that does everything. NULL with a fault. */
struct engagement *engagement_open(const struct engagement_options *options, struct fault *fault);

/* The match does not want this worker any more. */
void engagement_end(struct engagement *engagement);

/* The match was announced again, with jobs from this number on. */
void engagement_announced(struct engagement *engagement, uint64_t job);

/* The key of this worker in the match. */
const uint8_t *engagement_key(const struct engagement *engagement);

/* Whether it plays (it has been admitted), and whether it is over: then it can be closed. */
bool engagement_plays(const struct engagement *engagement);
bool engagement_is_over(const struct engagement *engagement);

/* Why it is over, if this worker cannot play the match, or is not let; else STATUS_OK. */
const struct fault *engagement_why(const struct engagement *engagement);

/* Pairs sent so far. */
uint64_t engagement_pairs(const struct engagement *engagement);

/* Ends it if need be, and waits. NULL is allowed. */
void engagement_close(struct engagement *engagement);

#endif
