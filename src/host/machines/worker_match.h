/* worker_match.h - a worker's part in one match: threads that fetch jobs, play their pairs and send
 * the games. */
#ifndef ENSIGN_HOST_MACHINES_WORKER_MATCH_H
#define ENSIGN_HOST_MACHINES_WORKER_MATCH_H

#include "chunk_cache.h"
#include "notices.h"
#include "worker.h"

struct worker_match;

struct worker_match_options {
    const struct worker_options *worker;
    struct jetstream *jetstream;
    struct chunk_cache *pieces;      /* shared by all, */
    atomic_size_t *memory;           /* as the memory (remote_match.h) */
    const struct notice_open *match; /* copied; of this protocol */
};

/* Starts a thread that does everything. NULL with a fault. */
struct worker_match *worker_match_open(const struct worker_match_options *options,
                                       struct fault *fault);

/* The match does not want this worker any more. */
void worker_match_end(struct worker_match *match);

/* The match was announced again, with jobs from this number on. */
void worker_match_announced(struct worker_match *match, uint64_t job);

/* The key of this worker in the match. */
const uint8_t *worker_match_key(const struct worker_match *match);

/* Whether it plays (it has been admitted), and whether it is over: then it can be closed. */
bool worker_match_plays(const struct worker_match *match);
bool worker_match_is_over(const struct worker_match *match);

/* Why it is over, if this worker cannot play the match, or is not let; else STATUS_OK. */
const struct fault *worker_match_why(const struct worker_match *match);

/* Pairs sent so far. */
uint64_t worker_match_pairs(const struct worker_match *match);

/* Ends it if need be, and waits. NULL is allowed. */
void worker_match_close(struct worker_match *match);

#endif
