/* schedule.h - which pairs are given out when, in jobs of about half a minute.
 *
 * Knows no network and no clock of its own. Pairs are given out in order of number; towards the end
 * jobs get shorter. What a slow or silent worker holds is given out once more, in parts from its
 * end, and so is a job that is large while threads are idle. In some jobs one pair is hidden that
 * somebody else has played before: who lies about it is found out. */
#ifndef ENSIGN_HOST_MACHINES_SCHEDULE_H
#define ENSIGN_HOST_MACHINES_SCHEDULE_H

#include "host/match/executor.h"

enum {
    SCHEDULE_MS = 30000,       /* of work in a job */
    SCHEDULE_PAIRS_MAX = 4096, /* in a job */
    SCHEDULE_CHECKED = 16,     /* one pair in so many, at most, is played only as a check */
    SCHEDULE_HERE = 0,         /* the number of this process among the workers */
    SCHEDULE_NOBODY = INT32_MAX
};

struct schedule;

/* The pairs of the batch that are not finished. `chance` picks the checks; who plays must not
 * foresee them. NULL without memory. */
struct schedule *schedule_open(const struct batch *batch, struct random chance);
void schedule_close(struct schedule *schedule); /* NULL is allowed */

/* The pairs of the next job, at most SCHEDULE_PAIRS_MAX, at time `now` in ms for workers with
 * `threads` in all (0: nobody knows); 0 if enough is given out. */
uint32_t schedule_job(struct schedule *schedule, int64_t now, int threads, uint32_t *pairs);

/* Games have come now. */
void schedule_hear(struct schedule *schedule, int64_t now);

/* For how many ms no games have come although jobs are out and so many threads play: a minute and
 * four pairs, twice as long each time in a row; what is out should then be given out anew. 0: that
 * is not so. */
int64_t schedule_silence(struct schedule *schedule, int64_t now, int threads);

/* The number of the next job; all jobs below the other one are done. */
uint64_t schedule_next_number(const struct schedule *schedule);
uint64_t schedule_oldest_number(const struct schedule *schedule);

/* No job is in anybody's hand any more: all are given out again. */
void schedule_lose(struct schedule *schedule);

enum schedule_verdict {
    SCHEDULE_NEW,   /* not known before: to be counted */
    SCHEDULE_KNOWN, /* the same as before */
    SCHEDULE_OTHER  /* not the same as before: somebody lies */
};

/* A pair came from a worker (a number of the caller's, below SCHEDULE_NOBODY), which says that
 * it took `ms` for it, or from this process (SCHEDULE_HERE). */
enum schedule_verdict schedule_take(struct schedule *schedule, uint32_t pair, uint64_t digest,
                                    uint32_t worker, uint32_t ms);

/* Who gave a pair that was counted, and its digest then; SCHEDULE_NOBODY and 0 if it was played
 * before or not yet. */
uint32_t schedule_worker(const struct schedule *schedule, uint32_t pair);
uint64_t schedule_digest(const struct schedule *schedule, uint32_t pair);

/* A pair that was counted is to be played again. */
void schedule_strike(struct schedule *schedule, uint32_t pair);

/* What was counted of a pair has been played here too: it is as if it came from here. */
void schedule_trust(struct schedule *schedule, uint32_t pair);

bool schedule_finished(const struct schedule *schedule, uint32_t pair);

/* Pairs not yet finished. */
uint32_t schedule_left(const struct schedule *schedule);
uint32_t schedule_open_jobs(const struct schedule *schedule);

#endif
