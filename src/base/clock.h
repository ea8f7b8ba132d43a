/* clock.h - the monotonic clock.
 *
 * All deadlines are times of clock_ms(). Finer units are for measurements. */
#ifndef ENSIGN_BASE_CLOCK_H
#define ENSIGN_BASE_CLOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

int64_t clock_ms(void);
int64_t clock_ns(void);

/* Nanoseconds of processor time used by this thread, and by this process. */
int64_t clock_thread_ns(void);
int64_t clock_process_ns(void);

/* The same for another process; -1 if it is gone. */
int64_t clock_other_ns(pid_t pid);

/* Milliseconds until the deadline, for poll(); 0 once it has passed. */
int clock_left(int64_t deadline);

/* Initializes a condition variable for clock_wait(). The caller destroys it. */
void clock_condition(pthread_cond_t *condition);

/* pthread_cond_timedwait() on such a condition. False once the deadline has passed. */
bool clock_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline);

#endif
