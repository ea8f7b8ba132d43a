/* exchange.h - a question to a locked process and its answer, or why there is none.
 *
 * A process that does not answer as it should is ended. Who is at fault is decided here, for bots,
 * calls and loaders alike; what follows from that is up to them. */
#ifndef ENSIGN_JAIL_EXCHANGE_H
#define ENSIGN_JAIL_EXCHANGE_H

#include "channel.h"
#include "zygote.h"

enum ending_kind {
    ENDING_LATE,     /* it gave no answer in time */
    ENDING_OUTSIDER, /* another process killed or stopped it */
    ENDING_SIGNAL,   /* a signal that it can have caused ended it (jail_crashed()) */
    ENDING_EXIT,     /* it exited */
    ENDING_MISDEED,  /* it broke the protocol */
    ENDING_GIVEN_UP, /* it was not waited for any longer */
    ENDING_ORPHAN,   /* the process that had forked it was killed or stopped */
    ENDING_HOST      /* the host cannot speak with it */
};

struct ending {
    enum ending_kind kind;
    int status;    /* from waitpid(); -1 if nobody knows */
    char how[160]; /* goes on behind "the process": "was killed by SIGKILL, from outside" */
};

/* Sends a question (NULL: it was sent) and receives its answer. `sequence` is not 0. */
enum channel_result exchange(const struct locked_process *process, struct frame *question,
                             struct frame *answer, uint32_t sequence, int64_t deadline);

/* Ends a process that gave no answer: `why` is not CHANNEL_OK, with its errno. `patience` is the
 * time that it had, in ms. */
struct ending exchange_end(struct locked_process *process, enum channel_result why, int patience);

/* Ends a process because of `what`, as in `how` above. */
struct ending exchange_refuse(struct locked_process *process, enum ending_kind kind,
                              const char *what);

/* Whether another process may do better: this one or its zygote may have been ended from outside.
 */
bool ending_is_doubtful(const struct ending *ending);

/* The status of a fault that tells of it. */
enum status ending_status(const struct ending *ending);

#endif
