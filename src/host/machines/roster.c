#include "roster.h"

#include "base/buffer.h"
#include "issue.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEN_MS = 15000,
    GONE_MS = 60000, /* then an admitted one makes room for others */
    NAMED = 4        /* at most, in a line */
};

struct worker {
    uint8_t key[SEAL_KEY];
    struct seal_keys keys;
    char name[SLIP_WORKER_MAX];
    bool admitted, banned, sends;
    int threads;
    int64_t seen;
    uint64_t pairs, pairs_before;
    double rate;
};

struct roster {
    pthread_mutex_t lock; /* guards all below */
    struct worker *list;
    size_t count;
    int64_t rated; /* when rates were reckoned */
};

struct roster *roster_open(void) {
    struct roster *roster = calloc(1, sizeof *roster);
    if (roster) pthread_mutex_init(&roster->lock, NULL);
    return roster;
}

void roster_close(struct roster *roster) {
    if (!roster) return;
    pthread_mutex_destroy(&roster->lock);
    free(roster->list);
    free(roster);
}

static struct worker *find_worker(struct roster *roster, const uint8_t key[SEAL_KEY]) {
    for (size_t i = 0; i < roster->count; i++)
        if (!memcmp(roster->list[i].key, key, SEAL_KEY)) return &roster->list[i];
    return NULL;
}

/* The place of the one that was not seen for longest of those that can go. NULL if none can. */
static struct worker *replaceable(struct roster *roster, int64_t now) {
    struct worker *oldest = NULL;
    for (size_t i = 0; i < roster->count; i++) {
        struct worker *worker = &roster->list[i];
        const bool stays = worker->sends || (worker->admitted && now - worker->seen < GONE_MS);
        if (!stays && (!oldest || worker->seen < oldest->seen)) oldest = worker;
    }
    return oldest;
}

static struct worker *new_worker(struct roster *roster, int64_t now) {
    struct worker *grown =
        array_grown(roster->list, roster->count, sizeof *grown, ISSUE_WORKERS_MAX - 1);
    if (!grown) return replaceable(roster, now);
    roster->list = grown;
    return &roster->list[roster->count++];
}

uint32_t roster_find(struct roster *roster, const uint8_t key[SEAL_KEY], struct seal_keys *keys) {
    uint32_t number = 0;
    pthread_mutex_lock(&roster->lock);
    const struct worker *worker = find_worker(roster, key);
    if (worker) number = (uint32_t)(worker - roster->list) + 1;
    if (worker) *keys = worker->keys;
    pthread_mutex_unlock(&roster->lock);
    return number;
}

uint32_t roster_sender(struct roster *roster, const uint8_t key[SEAL_KEY], struct seal_keys *keys) {
    uint32_t number = 0;
    pthread_mutex_lock(&roster->lock);
    struct worker *worker = find_worker(roster, key);
    if (worker && worker->admitted) {
        number = (uint32_t)(worker - roster->list) + 1;
        *keys = worker->keys;
        worker->sends = true;
    }
    pthread_mutex_unlock(&roster->lock);
    return number;
}

uint32_t roster_greet(struct roster *roster, const uint8_t key[SEAL_KEY],
                      const struct seal_keys *keys, const struct slip_greeting *greeting,
                      int64_t now) {
    uint32_t number = 0;
    pthread_mutex_lock(&roster->lock);
    struct worker *worker = find_worker(roster, key);
    if (!worker && (worker = new_worker(roster, now))) {
        *worker = (struct worker){.keys = *keys};
        memcpy(worker->key, key, SEAL_KEY);
        memcpy(worker->name, greeting->worker, SLIP_WORKER_MAX);
    }
    if (worker) worker->seen = now, worker->threads = greeting->threads;
    if (worker) number = (uint32_t)(worker - roster->list) + 1;
    pthread_mutex_unlock(&roster->lock);
    return number;
}

/* Locks the roster. */
static struct worker *take(struct roster *roster, uint32_t worker) {
    pthread_mutex_lock(&roster->lock);
    return &roster->list[worker - 1];
}

static void leave(struct roster *roster) {
    pthread_mutex_unlock(&roster->lock);
}

void roster_name(struct roster *roster, uint32_t worker, char name[ROSTER_NAME_MAX]) {
    const struct worker *named = take(roster, worker);
    bool alone = true;
    for (size_t i = 0; i < roster->count; i++)
        alone = alone && (&roster->list[i] == named || strcmp(roster->list[i].name, named->name));
    snprintf(name, ROSTER_NAME_MAX, alone ? "%s" : "%s (%02x%02x%02x)", named->name, named->key[0],
             named->key[1], named->key[2]);
    leave(roster);
}

void roster_key(struct roster *roster, uint32_t worker, uint8_t key[SEAL_KEY]) {
    memcpy(key, take(roster, worker)->key, SEAL_KEY);
    leave(roster);
}

uint64_t roster_count(struct roster *roster, uint32_t worker) {
    const uint64_t pairs = ++take(roster, worker)->pairs;
    leave(roster);
    return pairs;
}

void roster_admit(struct roster *roster, uint32_t worker) {
    take(roster, worker)->admitted = true;
    leave(roster);
}

void roster_ban(struct roster *roster, uint32_t worker) {
    take(roster, worker)->banned = true;
    leave(roster);
}

bool roster_is_admitted(struct roster *roster, uint32_t worker) {
    bool admitted = take(roster, worker)->admitted;
    leave(roster);
    return admitted;
}

bool roster_is_banned(struct roster *roster, uint32_t worker) {
    bool banned = take(roster, worker)->banned;
    leave(roster);
    return banned;
}

static bool plays(const struct worker *worker, int64_t now) {
    return worker->admitted && !worker->banned && worker->seen && now - worker->seen < SEEN_MS;
}

int roster_threads(struct roster *roster, int64_t now) {
    int threads = 0;
    pthread_mutex_lock(&roster->lock);
    for (size_t i = 0; i < roster->count; i++)
        if (plays(&roster->list[i], now)) threads += roster->list[i].threads;
    pthread_mutex_unlock(&roster->lock);
    return threads;
}

static void reckon_rates(struct roster *roster, int64_t now) {
    const double passed = (double)(now - roster->rated) / 1000;
    if (passed < 1) return;
    for (size_t i = 0; i < roster->count; i++) {
        struct worker *worker = &roster->list[i];
        const double rate = (double)(worker->pairs - worker->pairs_before) / passed;
        /* Results come in packets, so a rate is a mean over some seconds. */
        worker->rate = worker->pairs_before ? worker->rate + (rate - worker->rate) / 4 : rate;
        worker->pairs_before = worker->pairs;
    }
    roster->rated = now;
}

void roster_line(struct roster *roster, int64_t now, char *out, size_t size) {
    int workers = 0, threads = 0, named = 0;
    double rate = 0;
    char each[NAMED * (SLIP_WORKER_MAX + 16)] = "";
    pthread_mutex_lock(&roster->lock);
    reckon_rates(roster, now);
    for (size_t i = 0; i < roster->count; i++) {
        const struct worker *worker = &roster->list[i];
        if (!plays(worker, now)) continue;
        workers++;
        threads += worker->threads;
        rate += worker->rate;
        if (named++ >= NAMED) continue;
        const size_t used = strlen(each);
        snprintf(each + used, sizeof each - used, "%s%s %.1f", used ? ", " : "", worker->name,
                 worker->rate);
    }
    pthread_mutex_unlock(&roster->lock);
    if (!workers)
        snprintf(out, size, "no workers");
    else
        snprintf(out, size, "%d worker%s with %d thread%s, %.1f pairs/s%s%s%s", workers,
                 workers > 1 ? "s" : "", threads, threads > 1 ? "s" : "", rate,
                 named > 1 && named <= NAMED ? " (" : "", named > 1 && named <= NAMED ? each : "",
                 named > 1 && named <= NAMED ? ")" : "");
}
