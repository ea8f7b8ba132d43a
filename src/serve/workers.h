/* workers.h - threads that run tasks, and the rule that one task runs in one thread at a time.
 *
 * A task is woken whenever there may be something for it to do; it then runs once more, at some
 * time, in some thread. Tasks of one pace share threads: those that never wait are not held up by
 * those that wait for a bot to think, and studies, which take long and are urgent to nobody, run at
 * a lower priority. Tasks come from sources, which take turns, and a source of
 * which a task comes finds a thread: those that use some, but for the tasks without a source, have
 * equal shares, and leave one more share. A task whose thread stands by (base/standby.h), because
 * the process that it waits for does not compute, does not count: a spare thread runs others
 * meanwhile. A task that waits for programs outside gets a thread of its own, which lives as long
 * as the task. */
#ifndef ENSIGN_SERVE_WORKERS_H
#define ENSIGN_SERVE_WORKERS_H

#include "base/fault.h"

struct workers;
struct task_source;

enum task_result {
    TASK_IDLE, /* nothing to do until it is woken */
    TASK_MORE, /* run it again, after the others */
    TASK_ENDED /* never again; the task has been freed */
};

enum task_pace {
    TASK_QUICK, /* computes and goes */
    TASK_SLOW,  /* waits for processes of ours, each for a bounded time */
    TASK_STUDY, /* the same, and gives way to all others */
    TASK_OWN,   /* waits for others: has its own thread */
};

enum {
    WORKERS_QUICK = 4,  /* quick tasks at a time */
    WORKERS_STUDY = 4,  /* studies at a time */
    WORKERS_NICE = 10,  /* of studies */
    WORKERS_SPARE = 32, /* further threads of each of the shared paces */
    WORKERS_LEFT = 8    /* of them, that no source takes from the others */
};

/* The first member of the caller's struct. Zeroed before the first use; `run` and the first
 * `source` (NULL: none) are the caller's, the rest private to workers.c. */
struct task {
    enum task_result (*run)(struct task *task);
    struct task_source *source;
    struct workers *workers;
    struct task *next;
    enum task_pace pace;
    struct task_thread *own;   /* of TASK_OWN */
    struct task_source **held; /* while it runs: its source, to be released at its end */
    bool waiting, running, again;
};

/* Starts the threads for WORKERS_QUICK quick tasks at a time, WORKERS_STUDY studies and `count`,
 * 1 … 256, slow ones. NULL with a STATUS_SYSTEM or STATUS_NO_MEMORY fault. */
struct workers *workers_open(int count, struct fault *fault);

/* Waits until no task is running or waiting, then ends the threads. Tasks with an own thread must
 * end (they may still be running); others stay with the caller. NULL is allowed. */
void workers_close(struct workers *workers);

/* A source, for the tasks of one workers; its tasks hold it too. NULL without memory. */
struct task_source *task_source_open(void);
void task_source_release(struct task_source *source); /* NULL is allowed */

/* Adds a task, idle. False with a STATUS_SYSTEM fault if there is no thread for TASK_OWN. */
bool task_begin(struct workers *workers, struct task *task, enum task_pace pace,
                struct fault *fault);

/* Gives a task that has not ended to another source (NULL: to none), even while it waits or runs.
 * Any thread. */
void task_move(struct task *task, struct task_source *source);

/* Slow tasks that wait for a thread. */
int workers_waiting(struct workers *workers);

/* Any thread may wake a task that has not ended. */
void task_wake(struct task *task);

#endif
