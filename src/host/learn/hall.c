#include "hall.h"

#include <pthread.h>
#include <stdatomic.h>

struct hall {
    struct episode *const *episodes;
    struct pupil *pupils;
    int count;
    atomic_int next, seat;
};

static void *play_some(void *context) {
    struct hall *hall = context;
    struct episode *episode = hall->episodes[atomic_fetch_add(&hall->seat, 1)];
    for (;;) {
        int number = atomic_fetch_add(&hall->next, 1);
        if (number >= hall->count) return NULL;
        struct pupil *pupil = &hall->pupils[number];
        episode_play(episode, &pupil->options, pupil->random, &pupil->taken, &pupil->habits);
    }
}

void hall_play(struct episode *const *episodes, int jobs, struct pupil *pupils, int count) {
    struct hall hall = {.episodes = episodes, .pupils = pupils, .count = count};
    pthread_t threads[HALL_JOBS_MAX];
    int started = 0;
    while (started < jobs - 1 && pthread_create(&threads[started], NULL, play_some, &hall) == 0)
        started++;
    play_some(&hall);
    while (started > 0) pthread_join(threads[--started], NULL);
}

double pupil_points(const struct pupil *pupil, enum side side) {
    if (pupil->taken.result == result_win(side)) return 1;
    return pupil->taken.result == RESULT_DRAW ? 0.5 : 0;
}
