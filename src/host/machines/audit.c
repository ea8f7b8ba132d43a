#include "audit.h"

#include "base/clock.h"
#include "host/match/match_thread.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>

/* Pairs of a kind, in the order in which they were added. */
struct line {
    struct audited list[AUDIT_WAITING + 1];
    int count;
    uint32_t came; /* since there was room, and those that waited then */
};

struct audit {
    const struct batch *batch;
    struct processors processors;
    pthread_t thread;
    atomic_bool stop;
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t news;
    struct line lines[AUDIT_KINDS], played;
    int next; /* the line to be taken from */
    bool playing;
    struct fault fault;
};

static struct audited line_take(struct line *line) {
    const struct audited first = line->list[0];
    line->count--;
    for (int i = 0; i < line->count; i++) line->list[i] = line->list[i + 1];
    return first;
}

/* Plays a pair. False if it was given up, or after a failure. */
static bool audit_play(struct audit *audit, struct match_thread *hand, struct audited *asked) {
    const struct batch *batch = audit->batch;
    const int64_t start = clock_ms();
    struct fault fault = {0};
    struct pair pair = {.match = batch->match,
                        .options = batch->options,
                        .template = hand->template,
                        .stop = &audit->stop,
                        .number = asked->pair};
    match_thread_settle(hand);
    if (!pair_play_both(&pair, asked->games, &fault)) {
        pthread_mutex_lock(&audit->lock);
        audit->fault = fault;
        pthread_mutex_unlock(&audit->lock);
        return false;
    }
    asked->digest = games_digest(asked->games);
    asked->ms = (uint32_t)(clock_ms() - start);
    asked->overdue = asked->games[0]->overdue || asked->games[1]->overdue;
    return true;
}

/* The line to take from; NULL if nothing waits, or what was played must be taken first. Locked. */
static struct line *audit_next(struct audit *audit) {
    if (audit->played.count == AUDIT_WAITING || audit->fault.status != STATUS_OK) return NULL;
    for (int i = 0; i < AUDIT_KINDS; i++) {
        struct line *line = &audit->lines[audit->next];
        audit->next = (audit->next + 1) % AUDIT_KINDS;
        if (line->count) return line;
    }
    return NULL;
}

static void *audit_run(void *context) {
    struct audit *audit = context;
    struct match_thread hand =
        match_thread_open(&audit->processors, audit->batch->options->template, false);
    pthread_mutex_lock(&audit->lock);
    while (!atomic_load(&audit->stop)) {
        struct line *line = audit_next(audit);
        if (!line) {
            pthread_cond_wait(&audit->news, &audit->lock);
            continue;
        }
        struct audited asked = line_take(line);
        audit->playing = true;
        pthread_mutex_unlock(&audit->lock);
        const bool whole = audit_play(audit, &hand, &asked);
        pthread_mutex_lock(&audit->lock);
        audit->playing = false;
        if (whole) audit->played.list[audit->played.count++] = asked;
        pthread_cond_broadcast(&audit->news);
    }
    pthread_mutex_unlock(&audit->lock);
    match_thread_close(&hand);
    return NULL;
}

struct audit *audit_open(const struct batch *batch, struct fault *fault) {
    struct audit *audit = calloc(1, sizeof *audit);
    if (!audit) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    audit->batch = batch;
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
    for (int i = 0; i < audit->played.count; i++)
        for (int game = 0; game < 2; game++) finished_free(audit->played.list[i].games[game]);
    pthread_cond_destroy(&audit->news);
    pthread_mutex_destroy(&audit->lock);
    free(audit);
}

/* Whether the same is waiting already: the pair, or something that the same worker claims. */
static bool line_has(const struct line *line, const struct audited *asked) {
    for (int i = 0; i < line->count; i++) {
        const struct audited *waits = &line->list[i];
        if (asked->why == AUDIT_CLAIM ? waits->worker == asked->worker : waits->pair == asked->pair)
            return true;
    }
    return false;
}

/* Of the claims the one with the least merit. */
static struct audited *least_claim(struct line *line) {
    struct audited *least = &line->list[0];
    for (int i = 1; i < line->count; i++)
        if (line->list[i].merit < least->merit) least = &line->list[i];
    return least;
}

/* A place for a pair, free or of one that must go; NULL if there is none for it. */
static struct audited *line_place(struct line *line, const struct audited *asked) {
    if (line->count < AUDIT_WAITING) {
        line->came = AUDIT_WAITING;
        return &line->list[line->count++];
    }
    if (asked->why == AUDIT_LACK) return NULL;
    if (asked->why == AUDIT_CLAIM) {
        struct audited *least = least_claim(line);
        return least->merit < asked->merit ? least : NULL;
    }
    const uint32_t place = randombytes_uniform(++line->came);
    return place < AUDIT_WAITING ? &line->list[place] : NULL;
}

void audit_add(struct audit *audit, const struct audited *asked) {
    pthread_mutex_lock(&audit->lock);
    struct line *line = &audit->lines[asked->why];
    struct audited *place = line_has(line, asked) ? NULL : line_place(line, asked);
    if (place) *place = *asked;
    pthread_cond_broadcast(&audit->news);
    pthread_mutex_unlock(&audit->lock);
}

void audit_add_surely(struct audit *audit, uint32_t pair) {
    pthread_mutex_lock(&audit->lock);
    struct line *line = &audit->lines[AUDIT_LACK]; /* where nothing is replaced */
    const struct audited asked = {.why = AUDIT_DRAWN, .pair = pair};
    if (line->count <= AUDIT_WAITING) line->list[line->count++] = asked;
    pthread_cond_broadcast(&audit->news);
    pthread_mutex_unlock(&audit->lock);
}

bool audit_take(struct audit *audit, struct audited *played, struct fault *fault) {
    pthread_mutex_lock(&audit->lock);
    const bool there = audit->played.count;
    if (there) *played = line_take(&audit->played);
    *fault = audit->fault;
    pthread_cond_broadcast(&audit->news);
    pthread_mutex_unlock(&audit->lock);
    return there;
}

/* Locked. */
static int audit_count(const struct audit *audit) {
    if (audit->fault.status != STATUS_OK) return 0;
    int count = audit->playing + audit->played.count;
    for (int i = 0; i < AUDIT_KINDS; i++) count += audit->lines[i].count;
    return count;
}

int audit_wait(struct audit *audit, int ms) {
    const int64_t until = clock_ms() + ms;
    pthread_mutex_lock(&audit->lock);
    while (audit_count(audit) && !audit->played.count &&
           clock_wait(&audit->news, &audit->lock, until)) {}
    const int count = audit_count(audit);
    pthread_mutex_unlock(&audit->lock);
    return count;
}
