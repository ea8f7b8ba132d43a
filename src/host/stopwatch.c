/* stopwatch.c - the clock of a running game that people watch. */
#include "stopwatch.h"

#include "base/clock.h"

#include <stdio.h>

enum { SECOND = 1000, MINUTE = 60, HOUR = 60 * MINUTE };

void stopwatch_open(struct stopwatch *watch, const struct game_clock *clock) {
    *watch = (struct stopwatch){.now = clock_ms, .clock = *clock, .side = -1, .from = -1};
    pthread_mutex_init(&watch->mutex, NULL);
}

void stopwatch_close(struct stopwatch *watch) {
    pthread_mutex_destroy(&watch->mutex);
}

/* Takes off what the side has used until now. Mutex held. */
static void settle(struct stopwatch *watch) {
    if (watch->side < 0 || watch->from < 0) return;
    const int64_t now = watch->now();
    game_clock_spend(&watch->clock, (enum side)watch->side, now - watch->from);
    watch->from = now;
}

void stopwatch_run(struct stopwatch *watch, enum side side) {
    pthread_mutex_lock(&watch->mutex);
    watch->side = (int)side;
    watch->from = watch->now();
    pthread_mutex_unlock(&watch->mutex);
}

int64_t stopwatch_stop(struct stopwatch *watch, enum side side) {
    pthread_mutex_lock(&watch->mutex);
    settle(watch);
    watch->side = -1;
    const int64_t left = watch->clock.left[side];
    pthread_mutex_unlock(&watch->mutex);
    return left;
}

void stopwatch_hold(struct stopwatch *watch) {
    pthread_mutex_lock(&watch->mutex);
    settle(watch);
    watch->from = -1;
    pthread_mutex_unlock(&watch->mutex);
}

void stopwatch_go(struct stopwatch *watch) {
    pthread_mutex_lock(&watch->mutex);
    if (watch->from < 0) watch->from = watch->now();
    pthread_mutex_unlock(&watch->mutex);
}

void stopwatch_add(struct stopwatch *watch, enum side side) {
    pthread_mutex_lock(&watch->mutex);
    game_clock_add(&watch->clock, side);
    pthread_mutex_unlock(&watch->mutex);
}

struct game_clock stopwatch_look(struct stopwatch *watch) {
    pthread_mutex_lock(&watch->mutex);
    settle(watch);
    const struct game_clock clock = watch->clock;
    pthread_mutex_unlock(&watch->mutex);
    return clock;
}

int stopwatch_tick(struct stopwatch *watch) {
    pthread_mutex_lock(&watch->mutex);
    settle(watch);
    const bool runs = watch->side >= 0 && watch->from >= 0;
    const int64_t left = runs ? watch->clock.left[watch->side] : 0;
    pthread_mutex_unlock(&watch->mutex);
    return !runs ? -1 : left ? (int)((left - 1) % SECOND) + 1 : 0;
}

void stopwatch_text(int64_t ms, char out[STOPWATCH_TEXT_MAX]) {
    const long seconds = (long)((ms + SECOND - 1) / SECOND);
    const long hours = seconds / HOUR, minutes = seconds / MINUTE % MINUTE;
    if (hours)
        snprintf(out, STOPWATCH_TEXT_MAX, "%ld:%02ld:%02ld", hours, minutes, seconds % MINUTE);
    else
        snprintf(out, STOPWATCH_TEXT_MAX, "%ld:%02ld", minutes, seconds % MINUTE);
}
