/* issue.h - which pairs are given out when, in jobs of about half a minute.
 *
 * Knows no network and no clock of its own. Pairs are given out in order of number; towards the end
 * jobs get shorter. What a slow or silent worker holds is given out once more, in parts from its
 * end, and so is a job that is large while threads are idle. In some jobs one pair is hidden that
 * somebody else has played before: who lies about it is found out. */
#ifndef ENSIGN_HOST_MACHINES_ISSUE_H
#define ENSIGN_HOST_MACHINES_ISSUE_H

#include "host/match/carrier.h"

enum {
    ISSUE_MS = 30000,       /* of work in a job */
    ISSUE_PAIRS_MAX = 4096, /* in a job */
    ISSUE_CHECKED = 16,     /* one pair in so many, at most, is played only as a check */
    ISSUE_WORKERS_MAX = 1 << 15,
    ISSUE_HERE = 0 /* the number of this process among the workers */
};

struct issue;

/* The pairs of the consignment that are not finished. `chance` picks the checks; who plays must not
 * foresee them. Jobs are numbered from `number` on. NULL without memory. */
struct issue *issue_open(const struct consignment *consignment, struct random chance,
                         uint64_t number);
void issue_close(struct issue *issue); /* NULL is allowed */

/* The pairs of the next job, at most ISSUE_PAIRS_MAX, at time `now` in ms for workers with
 * `threads` in all (0: nobody knows); 0 if enough is given out. */
uint32_t issue_job(struct issue *issue, int64_t now, int threads, uint32_t *pairs);

/* Games have come now. */
void issue_hear(struct issue *issue, int64_t now);

/* For how many ms no games have come although jobs are out and so many threads play: a minute and
 * four pairs, twice as long each time in a row; what is out should then be given out anew. 0: that
 * is not so. */
int64_t issue_silence(struct issue *issue, int64_t now, int threads);

/* The number of the next job; all jobs below the other one are done. */
uint64_t issue_next_number(const struct issue *issue);
uint64_t issue_oldest_number(const struct issue *issue);

/* No job is in anybody's hand any more: all are given out again. */
void issue_lose(struct issue *issue);

enum issue_verdict {
    ISSUE_NEW,   /* not known before: to be counted */
    ISSUE_KNOWN, /* the same as before */
    ISSUE_OTHER  /* not the same as before: somebody lies */
};

/* A pair came from a worker (a number of the caller's, below ISSUE_WORKERS_MAX), which says that it
 * took `ms` for it, or from this process (ISSUE_HERE). */
enum issue_verdict issue_take(struct issue *issue, uint32_t pair, uint64_t digest, uint32_t worker,
                              uint32_t ms);

enum { ISSUE_NOBODY = ISSUE_WORKERS_MAX };

/* Who gave a pair that was counted, and its digest then; ISSUE_NOBODY and 0 if it was played before
 * or not yet. */
uint32_t issue_worker(const struct issue *issue, uint32_t pair);
uint64_t issue_digest(const struct issue *issue, uint32_t pair);

bool issue_finished(const struct issue *issue, uint32_t pair);

/* Pairs not yet finished. */
uint32_t issue_left(const struct issue *issue);
uint32_t issue_open_jobs(const struct issue *issue);

#endif
