/* threads.c - threads take pairs in order of number.
 *
 * They share the number of the next pair, the ledger, and rules, folders and options, which never
 * change; everything else belongs to one thread. */
#include "threads.h"

#include "base/clock.h"
#include "host/processors.h"
#include "host/wall/nursery.h"

#include <pthread.h>

enum { SETTLE_MILLISECONDS = 250 };

struct crew {
    const struct consignment *consignment;
    struct processors processors; /* of the calling thread */
    atomic_uint next_pair;
};

struct hand {
    struct nursery *nursery; /* its own, so that threads do not wait for each other; may be NULL */
    struct processor_claim claim;
    int64_t settle_at; /* when to look for a better processor; a time of clock_ms() */
};

/* A thread, its nursery and its bots stay on one processor; from time to time the thread looks for
 * one that is not shared. */
static void settle(const struct crew *crew, struct hand *hand) {
    int64_t now = clock_ms();
    if (!hand->nursery || now < hand->settle_at) return;
    hand->settle_at = now + SETTLE_MILLISECONDS;
    if (!processors_claim(&crew->processors, &hand->claim)) return;
    struct processors processors;
    processors_get(0, &processors);
    processors_set(nursery_process(hand->nursery), &processors);
}

static void play_pairs(struct crew *crew, struct nursery *nursery) {
    const struct consignment *consignment = crew->consignment;
    struct hand hand = {.nursery = nursery, .claim = PROCESSOR_UNCLAIMED};
    while (!atomic_load(consignment->stop)) {
        struct fault fault = {0};
        uint32_t number = atomic_fetch_add(&crew->next_pair, 1);
        if (number >= consignment->match->game_count / 2) break;
        settle(crew, &hand);
        struct pair pair = consignment_pair(consignment, nursery, number);
        if (pair_play(&pair, &fault)) continue;
        if (fault.status != STATUS_OK) ledger_fail(consignment->ledger, &fault);
        break;
    }
    processors_release(&crew->processors, &hand.claim);
}

/* A thread other than the first. */
static void *run(void *argument) {
    struct crew *crew = argument;
    struct nursery *first = crew->consignment->options->nursery;
    struct nursery *twin = first ? nursery_twin(first, NULL) : NULL;
    play_pairs(crew, twin ? twin : first);
    nursery_close(twin);
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
    play_pairs(&crew, consignment->options->nursery);
    while (started) pthread_join(threads[--started], NULL);
    return false;
}

const struct carrier THREADS = {carry, NULL};
