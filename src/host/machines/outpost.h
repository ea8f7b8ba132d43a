/* outpost.h - a process that plays the pairs of one match for a worker, on several threads.
 *
 * It has no file and no connection: variant, bots, their modules and set-ups come through its pipe
 * from the coordinator, by way of the worker, and run in processes of their own behind the wall. A
 * nursery forks it before the worker has threads (nursery.h). */
#ifndef ENSIGN_HOST_MACHINES_OUTPOST_H
#define ENSIGN_HOST_MACHINES_OUTPOST_H

#include "jail/nursery.h"
#include "slip.h"

enum { OUTPOST_THREADS_MAX = TOURNAMENT_JOBS_MAX };

/* Where outposts come from. They know the permits before anything of a match reaches them, and
 * judge by them whatever arrives. NULL with a STATUS_SYSTEM fault. */
struct nursery *outpost_nursery(const struct permits *permits, struct fault *fault);

/* The work of that nursery's children, which know a struct permits. */
nursery_job outpost_run;

/* The worker's side. */
struct outpost;

struct outpost_options {
    struct nursery *nursery; /* of outpost_nursery() */
    int threads;             /* 1 … OUTPOST_THREADS_MAX */
    const void *terms;       /* as terms_put() */
    size_t length;
    /* Carries a question (from SLIP_ASKS_PATH to SLIP_ASKS_SETUPS, without the greeting) to the
     * coordinator; the answer is the caller's to free, NULL if there is none. */
    void *(*ask)(void *context, const void *question, size_t length, size_t *answer_length);
    void *context;
};

/* Starts a process and has it load everything. NULL with a fault, also of the scripts. */
struct outpost *outpost_open(const struct outpost_options *options, struct fault *fault);

/* Kills the process: calls of outpost_play() fail soon. Any thread may call it. */
void outpost_stop(struct outpost *outpost);

/* The same, and frees. NULL is allowed. */
void outpost_close(struct outpost *outpost);

/* Plays a pair in the thread of that number, from 0; each must be used by one caller at a time. The
 * games as games_put() writes them, the caller's to free. NULL with a fault if the process is gone
 * or its host fails. */
void *outpost_play(struct outpost *outpost, int thread, uint32_t pair, size_t *length,
                   struct fault *fault);

#endif
