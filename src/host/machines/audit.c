#include "audit.h"

#include "base/clock.h"
#include "host/match/hand.h"
#include "slip.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>

struct audited {
    uint32_t pair;
    uint64_t digest; /* 0: not played yet */
};

struct audit {
    const struct consignment *consignment;
    struct processors processors;
    pthread_t thread;
    atomic_bool stop;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t news;
    struct audited list[AUDIT_WAITING]; /* in the order in which they were added */
    int count, played;
    struct fault fault;
};

/* Plays a pair. 0 if it was given up, or after a failure. */
static uint64_t audit_play(struct audit *audit, struct hand *hand, uint32_t number) {
    const struct consignment *consignment = audit->consignment;
    struct fault fault = {0};
    struct finished *games[2];
    struct pair pair = {.match = consignment->match,
                        .options = consignment->options,
                        .nursery = hand->nursery,
                        .stop = &audit->stop,
                        .number = number};
    hand_settle(hand);
    if (!pair_play_both(&pair, games, &fault)) {
        pthread_mutex_lock(&audit->lock);
        audit->fault = fault;
        pthread_mutex_unlock(&audit->lock);
        return 0;
    }
    const uint64_t digest = games_digest(games);
    for (int i = 0; i < 2; i++) finished_free(games[i]);
    return digest;
}

static void *audit_run(void *context) {
    struct audit *audit = context;
    struct hand hand = hand_open(&audit->processors, audit->consignment->options->nursery, false);
    pthread_mutex_lock(&audit->lock);
    while (!atomic_load(&audit->stop)) {
        if (audit->played == audit->count || audit->fault.status != STATUS_OK) {
            pthread_cond_wait(&audit->news, &audit->lock);
            continue;
        }
        const uint32_t pair = audit->list[audit->played].pair;
        pthread_mutex_unlock(&audit->lock);
        const uint64_t digest = audit_play(audit, &hand, pair);
        pthread_mutex_lock(&audit->lock);
        /* What was played before may have been taken meanwhile. */
        if (digest) audit->list[audit->played++].digest = digest;
        pthread_cond_broadcast(&audit->news);
    }
    pthread_mutex_unlock(&audit->lock);
    hand_close(&hand);
    return NULL;
}

struct audit *audit_open(const struct consignment *consignment, struct fault *fault) {
    struct audit *audit = calloc(1, sizeof *audit);
    if (!audit) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    audit->consignment = consignment;
    processors_get(0, &audit->processors);
    pthread_mutex_init(&audit->lock, NULL);
    clock_condition(&audit->news);
    if (!pthread_create(&audit->thread, NULL, audit_run, audit)) return audit;
    fault_set(fault, STATUS_SYSTEM, "cannot start a thread for a match");
    free(audit);
    return NULL;
}

void audit_close(struct audit *audit) {
    if (!audit) return;
    pthread_mutex_lock(&audit->lock);
    atomic_store(&audit->stop, true);
    pthread_cond_broadcast(&audit->news);
    pthread_mutex_unlock(&audit->lock);
    pthread_join(audit->thread, NULL);
    pthread_cond_destroy(&audit->news);
    pthread_mutex_destroy(&audit->lock);
    free(audit);
}

void audit_add(struct audit *audit, uint32_t pair) {
    pthread_mutex_lock(&audit->lock);
    const int first = audit->played + 1; /* the one before is being played */
    int place = audit->count;
    if (audit->count < AUDIT_WAITING)
        audit->count++;
    else if (first < AUDIT_WAITING)
        place = first + (int)randombytes_uniform((uint32_t)(AUDIT_WAITING - first));
    if (place < AUDIT_WAITING) audit->list[place] = (struct audited){.pair = pair};
    pthread_cond_broadcast(&audit->news);
    pthread_mutex_unlock(&audit->lock);
}

bool audit_take(struct audit *audit, uint32_t *pair, uint64_t *digest, struct fault *fault) {
    pthread_mutex_lock(&audit->lock);
    const bool there = audit->played > 0;
    if (there) {
        *pair = audit->list[0].pair;
        *digest = audit->list[0].digest;
        audit->count--, audit->played--;
        for (int i = 0; i < audit->count; i++) audit->list[i] = audit->list[i + 1];
    }
    *fault = audit->fault;
    pthread_mutex_unlock(&audit->lock);
    return there;
}

int audit_wait(struct audit *audit, int ms) {
    const int64_t until = clock_ms() + ms;
    pthread_mutex_lock(&audit->lock);
    const int count = audit->fault.status == STATUS_OK ? audit->count : 0;
    while (count && !audit->played && audit->fault.status == STATUS_OK &&
           clock_wait(&audit->news, &audit->lock, until)) {}
    pthread_mutex_unlock(&audit->lock);
    return count;
}
