#include "roster.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "issue.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_MS = 10000, NAMED = 4 /* at most, in a line */ };

struct worker {
    char name[SLIP_WORKER_MAX];
    bool admitted, banned;
    int threads;
    int64_t seen;
    uint64_t pairs, pairs_before;
    double rate;
};

struct roster {
    char match[SLIP_MATCH_MAX];
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

uint32_t roster_number(struct roster *roster, const char *name) {
    uint32_t number = 0;
    pthread_mutex_lock(&roster->lock);
    for (size_t i = 0; i < roster->count && !number; i++)
        if (!strcmp(roster->list[i].name, name)) number = (uint32_t)i + 1;
    struct worker *grown =
        number ? NULL
               : array_grown(roster->list, roster->count, sizeof *grown, ISSUE_WORKERS_MAX - 1);
    if (grown) {
        roster->list = grown;
        struct worker *worker = &roster->list[roster->count++];
        *worker = (struct worker){.threads = 0};
        snprintf(worker->name, sizeof worker->name, "%s", name);
        number = (uint32_t)roster->count;
    }
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

void roster_name(struct roster *roster, uint32_t worker, char name[SLIP_WORKER_MAX]) {
    memcpy(name, take(roster, worker)->name, SLIP_WORKER_MAX);
    leave(roster);
}

void roster_begin(struct roster *roster, const char *match) {
    snprintf(roster->match, sizeof roster->match, "%s", match);
}

static bool plays_for(const json_t *told, const char *match) {
    const json_t *named;
    size_t index;
    json_array_foreach(json_object_get(told, "matches"), index, named) {
        const char *id = json_string_value(named);
        if (id && !strcmp(id, match)) return true;
    }
    return false;
}

void roster_hear(void *context, const char *subject, const void *bytes, size_t length, void **reply,
                 size_t *reply_length) {
    struct roster *roster = context;
    json_t *told = json_loadb(bytes, length, 0, NULL);
    const char *name = json_string_value(json_object_get(told, "worker"));
    const json_int_t threads = json_integer_value(json_object_get(told, "threads"));
    (void)subject, (void)reply, (void)reply_length;
    const bool sound = name && name[0] && strlen(name) < SLIP_WORKER_MAX && threads > 0 &&
                       threads <= TOURNAMENT_JOBS_MAX && plays_for(told, roster->match);
    const uint32_t number = sound ? roster_number(roster, name) : 0;
    if (number) {
        struct worker *worker = take(roster, number);
        worker->threads = (int)threads;
        worker->seen = clock_ms();
        leave(roster);
    }
    json_decref(told);
}

void roster_count(struct roster *roster, uint32_t worker) {
    take(roster, worker)->pairs++;
    leave(roster);
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
