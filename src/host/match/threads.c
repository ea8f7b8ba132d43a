/* threads.c - threads take pairs in order of number.
 *
 * They share the number of the next pair, the ledger, and rules, folders and options, which never
 * change; everything else belongs to one thread. */
#include "threads.h"

#include "hand.h"

#include <pthread.h>

struct crew {
    const struct consignment *consignment;
    struct processors processors; /* of the calling thread */
    atomic_uint next_pair;
};

static void play_pairs(struct crew *crew, bool first) {
    const struct consignment *consignment = crew->consignment;
    struct hand hand = hand_open(&crew->processors, consignment->options->nursery, first);
    while (!atomic_load(consignment->stop)) {
        struct fault fault = {0};
        uint32_t number = atomic_fetch_add(&crew->next_pair, 1);
        if (number >= consignment->match->game_count / 2) break;
        hand_settle(&hand);
        struct pair pair = consignment_pair(consignment, hand.nursery, number);
        if (pair_play(&pair, &fault)) continue;
        if (fault.status != STATUS_OK) ledger_fail(consignment->ledger, &fault);
        break;
    }
    hand_close(&hand);
}

static void *run(void *argument) {
    play_pairs(argument, false);
    return NULL;
}

static bool carry(void *self, const struct consignment *consignment) {
    struct crew crew = {.consignment = consignment};
    pthread_t threads[TOURNAMENT_JOBS_MAX];
    int started = 0, jobs = consignment->options->jobs;
    (void)self;
    processors_get(0, &crew.processors);
    while (started < jobs - 1 && !pthread_create(&threads[started], NULL, run, &crew)) started++;
    /* This thread plays too, and alone if no other can be created. */
    play_pairs(&crew, true);
    while (started) pthread_join(threads[--started], NULL);
    return false;
}

const struct carrier THREADS = {carry, NULL};
