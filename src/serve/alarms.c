/* alarms.c - a binary heap behind a lock; each alarm knows its place in it. */
#include "alarms.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>

struct alarms {
    pthread_mutex_t lock;
    struct alarm **heap; /* its first is heap[0], at place 1 */
    size_t count, room;
};

struct alarms *alarms_open(void) {
    struct alarms *alarms = calloc(1, sizeof *alarms);
    if (alarms) pthread_mutex_init(&alarms->lock, NULL);
    return alarms;
}

void alarms_close(struct alarms *alarms) {
    if (!alarms) return;
    pthread_mutex_destroy(&alarms->lock);
    free(alarms->heap);
    free(alarms);
}

static void put(struct alarms *alarms, struct alarm *alarm, size_t place) {
    alarms->heap[place - 1] = alarm;
    alarm->place = place;
}

/* Moves an alarm to where it belongs, from a place that is free. */
static void settle(struct alarms *alarms, struct alarm *alarm, size_t place) {
    struct alarm **heap = alarms->heap;
    for (; place > 1 && heap[place / 2 - 1]->at > alarm->at; place /= 2)
        put(alarms, heap[place / 2 - 1], place);
    for (size_t child; (child = 2 * place) <= alarms->count; place = child) {
        if (child < alarms->count && heap[child]->at < heap[child - 1]->at) child++;
        if (heap[child - 1]->at >= alarm->at) break;
        put(alarms, heap[child - 1], place);
    }
    put(alarms, alarm, place);
}

static void take_away(struct alarms *alarms, struct alarm *alarm) {
    const size_t place = alarm->place;
    struct alarm *last = alarms->heap[--alarms->count];
    alarm->place = 0;
    if (last != alarm) settle(alarms, last, place);
}

static bool has_room(struct alarms *alarms) {
    if (alarms->count < alarms->room) return true;
    const size_t room = alarms->room ? 2 * alarms->room : 64;
    struct alarm **heap = realloc(alarms->heap, room * sizeof(struct alarm *));
    if (!heap) return false;
    alarms->heap = heap;
    alarms->room = room;
    return true;
}

bool alarms_set(struct alarms *alarms, struct alarm *alarm, int64_t at) {
    pthread_mutex_lock(&alarms->lock);
    if (alarm->place) take_away(alarms, alarm);
    alarm->at = at;
    if (at != INT64_MAX && has_room(alarms))
        settle(alarms, alarm, ++alarms->count);
    else if (at != INT64_MAX)
        task_wake(alarm->task);
    const bool first = alarm->place == 1;
    pthread_mutex_unlock(&alarms->lock);
    return first;
}

int alarms_ring(struct alarms *alarms) {
    const int64_t now = clock_ms();
    pthread_mutex_lock(&alarms->lock);
    while (alarms->count && alarms->heap[0]->at <= now) {
        struct alarm *alarm = alarms->heap[0];
        take_away(alarms, alarm);
        task_wake(alarm->task);
    }
    const int64_t next = alarms->count ? alarms->heap[0]->at : -1;
    pthread_mutex_unlock(&alarms->lock);
    return next < 0 ? -1 : clock_left(next);
}
