/* alarms.h - wakes tasks at times that they have set. Any thread may set one. */
#ifndef ENSIGN_SERVE_ALARMS_H
#define ENSIGN_SERVE_ALARMS_H

#include "workers.h"

#include <stdint.h>

struct alarms;

/* A member of whatever has the task. Zeroed before the first use; `task` is the caller's. */
struct alarm {
    struct task *task;
    int64_t at;   /* private from here on */
    size_t place; /* in the heap, from 1; 0: it is not set */
};

/* NULL without memory. All alarms must have been taken away before it is closed. */
struct alarms *alarms_open(void);
void alarms_close(struct alarms *alarms); /* NULL is allowed */

/* Sets it to a time of clock_ms(), once; INT64_MAX: takes it away. True if it is the next now:
 * alarms_ring() is due earlier than it said. Without memory it rings at once. */
bool alarms_set(struct alarms *alarms, struct alarm *alarm, int64_t at);

/* Wakes the tasks whose time has come. Returns the ms until the next of them, -1: none. */
int alarms_ring(struct alarms *alarms);

#endif
