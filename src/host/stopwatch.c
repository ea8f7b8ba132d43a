/* stopwatch.c - the clock of a running game that people watch. */
#include "stopwatch.h"

#include "base/clock.h"

#include <stdio.h>

enum { SECOND = 1000, MINUTE = 60, HOUR = 60 * MINUTE };

void stopwatch_open(struct stopwatch *watch, const struct game_clock *clock) {
    *watch = (struct stopwatch){.now = clock_ms, .clock = *clock, .side = -1};
    pthread_mutex_init(&watch->mutex, NULL);
}

void stopwatch_close(struct stopwatch *watch) {
    pthread_mutex_destroy(&watch->mutex);
}

/* Takes off what the side has used until now. Mutex held. */
static void settle(struct stopwatch *watch) {
    const int64_t now = watch->now();
    if (watch->side >= 0 && !watch->held)
        game_clock_spend(&watch->clock, (enum side)watch->side, now - watch->from);
    watch->from = now;
}

/* What may change while it stands is changed at once: no time passes twice. */
static void lock_and_settle(struct stopwatch *watch) {
    pthread_mutex_lock(&watch->mutex);
    settle(watch);
}

void stopwatch_run(struct stopwatch *watch, enum side side) {
    lock_and_settle(watch);
    watch->side = (int)side;
    pthread_mutex_unlock(&watch->mutex);
}

int64_t stopwatch_stop(struct stopwatch *watch, enum side side) {
    lock_and_settle(watch);
    watch->side = -1;
    const int64_t left = watch->clock.left[side];
    pthread_mutex_unlock(&watch->mutex);
    return left;
}

static void hold_or_go(struct stopwatch *watch, bool held) {
    lock_and_settle(watch);
    watch->held = held;
    pthread_mutex_unlock(&watch->mutex);
}

void stopwatch_hold(struct stopwatch *watch) {
    hold_or_go(watch, true);
}

void stopwatch_go(struct stopwatch *watch) {
    hold_or_go(watch, false);
}

void stopwatch_add(struct stopwatch *watch, enum side side) {
    lock_and_settle(watch);
    game_clock_add(&watch->clock, side);
    pthread_mutex_unlock(&watch->mutex);
}

struct game_clock stopwatch_look(struct stopwatch *watch) {
    lock_and_settle(watch);
    const struct game_clock clock = watch->clock;
    pthread_mutex_unlock(&watch->mutex);
    return clock;
}

int stopwatch_side(struct stopwatch *watch) {
    pthread_mutex_lock(&watch->mutex);
    const int side = watch->side;
    pthread_mutex_unlock(&watch->mutex);
    return side;
}

int64_t stopwatch_left(struct stopwatch *watch) {
    lock_and_settle(watch);
    const bool runs = watch->side >= 0 && !watch->held;
    const int64_t left = runs ? watch->clock.left[watch->side] : -1;
    pthread_mutex_unlock(&watch->mutex);
    return left;
}

int stopwatch_tick(struct stopwatch *watch) {
    const int64_t left = stopwatch_left(watch);
    return left > 0 ? (int)((left - 1) % SECOND) + 1 : (int)left;
}

void stopwatch_text(int64_t ms, char out[STOPWATCH_TEXT_MAX]) {
    const long seconds = (long)((ms + SECOND - 1) / SECOND);
    const long hours = seconds / HOUR, minutes = seconds / MINUTE % MINUTE;
    if (hours)
        snprintf(out, STOPWATCH_TEXT_MAX, "%ld:%02ld:%02ld", hours, minutes, seconds % MINUTE);
    else
        snprintf(out, STOPWATCH_TEXT_MAX, "%ld:%02ld", minutes, seconds % MINUTE);
}
