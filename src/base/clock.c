/* clock.c - the monotonic clock in milliseconds and nanoseconds. */
#include "clock.h"

#include <errno.h>
#include <time.h>

static int64_t nanoseconds(struct timespec time) {
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t clock_read(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return nanoseconds(now);
}

int64_t clock_ns(void) {
    return clock_read(CLOCK_MONOTONIC);
}

int64_t clock_ms(void) {
    return clock_ns() / 1000000;
}

int64_t clock_thread_ns(void) {
    return clock_read(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock_process_ns(void) {
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

int64_t clock_other_ns(pid_t pid) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used)) return -1;
    return nanoseconds(used);
}

int clock_left(int64_t deadline) {
    int64_t left = deadline - clock_ms();
    return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

void clock_condition(pthread_cond_t *condition) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

bool clock_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t deadline) {
    const struct timespec until = {.tv_sec = deadline / 1000, .tv_nsec = deadline % 1000 * 1000000};
    return pthread_cond_timedwait(condition, mutex, &until) != ETIMEDOUT;
}
