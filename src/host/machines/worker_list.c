#include "worker_list.h"

#include "base/buffer.h"
#include "schedule.h"

#include <inttypes.h>
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEEN_MS = 15000,
    GONE_MS = 60000, /* then an admitted one makes room for others */
    NAMED = 4,       /* at most, in a line */
    BELIEVED = 8,    /* threads at once, and so many for each pair */
    PLACES = (1 << 15) - 1,
    CHAINS = 1 << 13,
    SAMPLE = 64 /* places that are looked at before all of them */
};

struct worker {
    uint16_t next;   /* place from 1 of the next one in its chain; 0: none */
    uint32_t number; /* its place from 1, plus PLACES for each sender that had the place before */
    uint8_t key[SEAL_KEY];
    struct seal_keys keys;
    char name[MESSAGES_WORKER_MAX];
    bool admitted, banned, sends;
    int threads;
    int64_t seen;
    uint64_t heard; /* number of its last greeting */
    uint64_t pairs, pairs_before;
    double rate;
};

struct worker_list {
    uint8_t secret[crypto_shorthash_KEYBYTES]; /* nobody can make keys of one chain */
    pthread_mutex_t lock;                      /* guards all below */
    uint16_t chains[CHAINS];                   /* by key: the place from 1 of the first; 0: none */
    struct worker *list;
    size_t count;
    bool lost;
    int64_t rated; /* when rates were reckoned */
};

struct worker_list *worker_list_open(void) {
    struct worker_list *list = calloc(1, sizeof *list);
    if (!list) return NULL;
    pthread_mutex_init(&list->lock, NULL);
    randombytes_buf(list->secret, sizeof list->secret);
    return list;
}

void worker_list_close(struct worker_list *list) {
    if (!list) return;
    pthread_mutex_destroy(&list->lock);
    free(list->list);
    free(list);
}

static uint16_t *chain_of(struct worker_list *list, const uint8_t key[SEAL_KEY]) {
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, key, SEAL_KEY, list->secret);
    return &list->chains[(hash[0] | hash[1] << 8) % CHAINS];
}

static struct worker *find_worker(struct worker_list *list, const uint8_t key[SEAL_KEY]) {
    for (uint16_t place = *chain_of(list, key); place; place = list->list[place - 1].next)
        if (!memcmp(list->list[place - 1].key, key, SEAL_KEY)) return &list->list[place - 1];
    return NULL;
}

static void leave_chain(struct worker_list *list, const struct worker *worker) {
    uint16_t *at = chain_of(list, worker->key);
    while (&list->list[*at - 1] != worker) at = &list->list[*at - 1].next;
    *at = worker->next;
}

/* Whether its games count, so that it makes room last. */
static bool is_kept(const struct worker *worker) {
    return worker->sends && !worker->banned;
}

/* Whether `one` makes room rather than `other`, of two that can. */
static bool goes_first(const struct worker *one, const struct worker *other) {
    if (is_kept(one) != is_kept(other)) return is_kept(other);
    return is_kept(one) && one->pairs != other->pairs ? one->pairs < other->pairs
                                                      : one->seen < other->seen;
}

static bool can_go(const struct worker *worker, int64_t now) {
    const bool stays = worker->admitted && !worker->banned && now - worker->seen < GONE_MS;
    return !stays && worker->number < SCHEDULE_NOBODY - PLACES;
}

/* The one that makes room; NULL if none can. Where keys come by the thousand, some will do. */
static struct worker *replaceable(struct worker_list *list, int64_t now) {
    struct worker *first = NULL;
    for (int i = 0; i < SAMPLE && list->count; i++) {
        struct worker *worker = &list->list[randombytes_uniform((uint32_t)list->count)];
        if (can_go(worker, now) && !is_kept(worker) && (!first || goes_first(worker, first)))
            first = worker;
    }
    const bool found = first;
    for (size_t i = 0; !found && i < list->count; i++) {
        struct worker *worker = &list->list[i];
        if (can_go(worker, now) && (!first || goes_first(worker, first))) first = worker;
    }
    return first;
}

/* A place for this key, with its number; NULL if there is none. */
static struct worker *new_worker(struct worker_list *list, const uint8_t key[SEAL_KEY],
                                 int64_t now) {
    struct worker *grown = array_grown(list->list, list->count, sizeof *grown, PLACES);
    if (grown) list->list = grown;
    struct worker *place = grown ? &grown[list->count] : replaceable(list, now);
    if (!place) return NULL;
    uint32_t number = (uint32_t)list->count + 1;
    if (grown) {
        list->count++;
    } else {
        number = place->number + (place->sends ? PLACES : 0);
        list->lost = list->lost || place->sends;
        leave_chain(list, place);
    }
    uint16_t *chain = chain_of(list, key);
    *place = (struct worker){.number = number, .next = *chain};
    memcpy(place->key, key, SEAL_KEY);
    *chain = (uint16_t)(place - list->list + 1);
    return place;
}

uint32_t worker_list_find(struct worker_list *list, const uint8_t key[SEAL_KEY],
                          struct seal_keys *keys) {
    uint32_t number = 0;
    pthread_mutex_lock(&list->lock);
    const struct worker *worker = find_worker(list, key);
    if (worker) number = worker->number;
    if (worker) *keys = worker->keys;
    pthread_mutex_unlock(&list->lock);
    return number;
}

uint32_t worker_list_sender(struct worker_list *list, const uint8_t key[SEAL_KEY],
                            struct seal_keys *keys) {
    uint32_t number = 0;
    pthread_mutex_lock(&list->lock);
    struct worker *worker = find_worker(list, key);
    if (worker && worker->admitted) {
        number = worker->number;
        *keys = worker->keys;
        worker->sends = true;
    }
    pthread_mutex_unlock(&list->lock);
    return number;
}

bool worker_list_is_news(struct worker_list *list, const uint8_t key[SEAL_KEY],
                         const struct messages_greeting *greeting) {
    pthread_mutex_lock(&list->lock);
    const struct worker *worker = find_worker(list, key);
    const bool news = !worker || greeting->number > worker->heard;
    pthread_mutex_unlock(&list->lock);
    return news;
}

uint32_t worker_list_greet(struct worker_list *list, const uint8_t key[SEAL_KEY],
                           const struct seal_keys *keys, const struct messages_greeting *greeting,
                           int64_t now) {
    uint32_t number = 0;
    pthread_mutex_lock(&list->lock);
    struct worker *worker = find_worker(list, key);
    if (!worker && (worker = new_worker(list, key, now))) {
        worker->keys = *keys;
        memcpy(worker->name, greeting->worker, MESSAGES_WORKER_MAX);
    }
    if (worker) {
        worker->seen = now;
        worker->heard = greeting->number;
        worker->threads = greeting->threads;
    }
    if (worker) number = worker->number;
    pthread_mutex_unlock(&list->lock);
    return number;
}

/* Locks the list. NULL if the worker has made room for another. */
static struct worker *take(struct worker_list *list, uint32_t number) {
    pthread_mutex_lock(&list->lock);
    struct worker *worker = &list->list[(number - 1) % PLACES];
    return worker->number == number ? worker : NULL;
}

static void leave(struct worker_list *list) {
    pthread_mutex_unlock(&list->lock);
}

void worker_list_name(struct worker_list *list, uint32_t worker, char name[WORKER_LIST_NAME_MAX]) {
    const struct worker *named = take(list, worker);
    bool alone = true;
    for (size_t i = 0; named && i < list->count; i++)
        alone = alone && (&list->list[i] == named || strcmp(list->list[i].name, named->name));
    if (!named)
        snprintf(name, WORKER_LIST_NAME_MAX, "%" PRIu32, worker);
    else
        snprintf(name, WORKER_LIST_NAME_MAX, alone ? "%s" : "%s (%02x%02x%02x)", named->name,
                 named->key[0], named->key[1], named->key[2]);
    leave(list);
}

bool worker_list_key(struct worker_list *list, uint32_t worker, uint8_t key[SEAL_KEY]) {
    const struct worker *known = take(list, worker);
    if (known) memcpy(key, known->key, SEAL_KEY);
    leave(list);
    return known;
}

uint64_t worker_list_count(struct worker_list *list, uint32_t worker) {
    struct worker *known = take(list, worker);
    const uint64_t pairs = known ? ++known->pairs : 0;
    leave(list);
    return pairs;
}

uint64_t worker_list_pairs(struct worker_list *list, uint32_t worker) {
    const struct worker *known = take(list, worker);
    const uint64_t pairs = known ? known->pairs : 0;
    leave(list);
    return pairs;
}

void worker_list_admit(struct worker_list *list, uint32_t worker) {
    struct worker *known = take(list, worker);
    if (known) known->admitted = true;
    leave(list);
}

void worker_list_ban(struct worker_list *list, uint32_t worker) {
    struct worker *known = take(list, worker);
    if (known) known->banned = true;
    leave(list);
}

bool worker_list_is_admitted(struct worker_list *list, uint32_t worker) {
    const struct worker *known = take(list, worker);
    const bool admitted = known && known->admitted;
    leave(list);
    return admitted;
}

bool worker_list_is_banned(struct worker_list *list, uint32_t worker) {
    const struct worker *known = take(list, worker);
    const bool banned = !known || known->banned;
    leave(list);
    return banned;
}

bool worker_list_lost(struct worker_list *list) {
    pthread_mutex_lock(&list->lock);
    const bool lost = list->lost;
    list->lost = false;
    pthread_mutex_unlock(&list->lock);
    return lost;
}

static bool plays(const struct worker *worker, int64_t now) {
    return worker->admitted && !worker->banned && worker->seen && now - worker->seen < SEEN_MS;
}

static int believed_threads(const struct worker *worker) {
    const uint64_t most = BELIEVED + BELIEVED * worker->pairs;
    return most < (uint64_t)worker->threads ? (int)most : worker->threads;
}

int worker_list_threads(struct worker_list *list, int64_t now) {
    int threads = 0;
    pthread_mutex_lock(&list->lock);
    for (size_t i = 0; i < list->count; i++)
        if (plays(&list->list[i], now)) threads += believed_threads(&list->list[i]);
    pthread_mutex_unlock(&list->lock);
    return threads;
}

static void reckon_rates(struct worker_list *list, int64_t now) {
    const double passed = (double)(now - list->rated) / 1000;
    if (passed < 1) return;
    for (size_t i = 0; i < list->count; i++) {
        struct worker *worker = &list->list[i];
        const double rate = (double)(worker->pairs - worker->pairs_before) / passed;
        /* Results come in packets, so a rate is a mean over some seconds. */
        worker->rate = worker->pairs_before ? worker->rate + (rate - worker->rate) / 4 : rate;
        worker->pairs_before = worker->pairs;
    }
    list->rated = now;
}

void worker_list_line(struct worker_list *list, int64_t now, char *out, size_t size) {
    int workers = 0, threads = 0, named = 0;
    double rate = 0;
    char each[NAMED * (MESSAGES_WORKER_MAX + 16)] = "";
    pthread_mutex_lock(&list->lock);
    reckon_rates(list, now);
    for (size_t i = 0; i < list->count; i++) {
        const struct worker *worker = &list->list[i];
        if (!plays(worker, now)) continue;
        workers++;
        threads += worker->threads;
        rate += worker->rate;
        if (named++ >= NAMED) continue;
        const size_t used = strlen(each);
        snprintf(each + used, sizeof each - used, "%s%s %.1f", used ? ", " : "", worker->name,
                 worker->rate);
    }
    pthread_mutex_unlock(&list->lock);
    if (!workers)
        snprintf(out, size, "no workers");
    else
        snprintf(out, size, "%d worker%s with %d thread%s, %.1f pairs/s%s%s%s", workers,
                 workers > 1 ? "s" : "", threads, threads > 1 ? "s" : "", rate,
                 named > 1 && named <= NAMED ? " (" : "", named > 1 && named <= NAMED ? each : "",
                 named > 1 && named <= NAMED ? ")" : "");
}
