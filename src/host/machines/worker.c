/* worker.c - listens for matches, and has an engagement for each that it plays for.
 *
 * The telegraph's threads note what was announced and what is over; the calling thread does the
 * rest. */
#define _GNU_SOURCE
#include "worker.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "engagement.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OFFERS_MAX = 64,
    TICK_MS = 100,
    TOLD_MS = 1000,      /* between two words on who this is */
    REFUSED_MS = 600000, /* until a match that was refused is looked at again */
    LINE_MAX_BYTES = 512
};

/* A match that was announced. */
struct offer {
    char match[SLIP_MATCH_MAX];
    char session[SLIP_MATCH_MAX]; /* of its coordinator: another one knows nobody */
    char version[SLIP_VERSION_MAX];
    int protocol;
    bool fresh;      /* announced since the last look */
    bool over;       /* and it wants this worker no more */
    int64_t refused; /* until when it is not looked at */
    struct engagement *engagement;
};

struct worker {
    const struct worker_options *options;
    struct telegraph *telegraph;
    struct pieces *pieces;
    pthread_mutex_t lock; /* guards the offers, except for their engagements */
    struct offer offers[OFFERS_MAX];
    uint64_t pairs; /* of engagements that are over */
    uint64_t pairs_before;
    int64_t told;
};

void worker_name(char name[SLIP_WORKER_MAX]) {
    char host[SLIP_WORKER_MAX - 16] = "";
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++) /* it is part of a subject */
        if (!(*c >= '0' && *c <= '9') && !((*c | 32) >= 'a' && (*c | 32) <= 'z')) *c = '-';
    snprintf(name, SLIP_WORKER_MAX, "%s-%ld", host[0] ? host : "worker", (long)getpid());
}

static void say(const struct worker *worker, const char *line) {
    worker->options->say(worker->options->context, line);
}

/* The offer of a match; with `add`, in a free place. NULL if there is none. Locked. */
static struct offer *find_offer(struct worker *worker, const char *match, bool add) {
    struct offer *free_place = NULL;
    for (int i = 0; i < OFFERS_MAX; i++) {
        struct offer *offer = &worker->offers[i];
        if (!strcmp(offer->match, match)) return offer;
        const bool dead = !offer->engagement && !offer->fresh && clock_ms() > offer->refused;
        if (!free_place && (!offer->match[0] || dead)) free_place = offer;
    }
    if (!add || !free_place) return NULL;
    *free_place = (struct offer){.fresh = false};
    snprintf(free_place->match, sizeof free_place->match, "%s", match);
    return free_place;
}

/* The id at the end of "ensign.open.MATCH"; NULL if it is none. */
static const char *match_of(const char *subject) {
    const char *match = strrchr(subject, '.');
    if (!match || strlen(++match) != SLIP_MATCH_MAX - 1) return NULL;
    return match[strspn(match, "0123456789abcdef")] ? NULL : match;
}

static void hear_open(void *context, const char *subject, const void *bytes, size_t length,
                      void **reply, size_t *reply_length) {
    struct worker *worker = context;
    const char *match = match_of(subject);
    json_t *told = match ? json_loadb(bytes, length, 0, NULL) : NULL;
    const char *version = json_string_value(json_object_get(told, "version"));
    const char *session = json_string_value(json_object_get(told, "session"));
    (void)reply, (void)reply_length;
    if (session && version && utf8_is_safe(version, strlen(version))) {
        pthread_mutex_lock(&worker->lock);
        struct offer *offer = find_offer(worker, match, true);
        if (offer) {
            const bool changed = strncmp(offer->session, session, sizeof offer->session - 1) != 0;
            if (offer->engagement && changed) offer->over = true;
            if (changed) offer->refused = 0; /* it may want something else */
            snprintf(offer->session, sizeof offer->session, "%s", session);
            offer->fresh = true;
            offer->protocol = (int)json_integer_value(json_object_get(told, "protocol"));
            snprintf(offer->version, sizeof offer->version, "%s", version);
        }
        pthread_mutex_unlock(&worker->lock);
    }
    json_decref(told);
}

static void hear_over(void *context, const char *subject, const void *bytes, size_t length,
                      void **reply, size_t *reply_length) {
    struct worker *worker = context;
    const char *match = match_of(subject);
    json_t *told = match ? json_loadb(bytes, length, 0, NULL) : NULL;
    const char *name = json_string_value(json_object_get(told, "worker"));
    const char *why = json_string_value(json_object_get(told, "why"));
    (void)reply, (void)reply_length;
    if (told && (!name || !strcmp(name, worker->options->greeting.worker))) {
        pthread_mutex_lock(&worker->lock);
        struct offer *offer = find_offer(worker, match, false);
        if (offer) offer->over = true;
        if (offer && name) offer->refused = clock_ms() + REFUSED_MS;
        pthread_mutex_unlock(&worker->lock);
        if (offer && name && why && utf8_is_safe(why, strlen(why))) {
            char line[LINE_MAX_BYTES];
            snprintf(line, sizeof line, "match %.8s: %s", match, why);
            say(worker, line);
        }
    }
    json_decref(told);
}

static bool speaks_the_same(const struct worker *worker, const struct offer *offer) {
    return offer->protocol == SLIP_PROTOCOL &&
           !strcmp(offer->version, worker->options->greeting.version);
}

static void engage(struct worker *worker, struct offer *offer) {
    char line[LINE_MAX_BYTES];
    struct fault fault = {0};
    if (!speaks_the_same(worker, offer)) {
        snprintf(line, sizeof line,
                 "match %.8s: the coordinator is version %s (protocol %d), this worker is version "
                 "%s (protocol %d)",
                 offer->match, offer->version, offer->protocol, worker->options->greeting.version,
                 SLIP_PROTOCOL);
        say(worker, line);
        offer->refused = clock_ms() + REFUSED_MS;
        return;
    }
    const struct engagement_options options = {.worker = worker->options,
                                               .telegraph = worker->telegraph,
                                               .pieces = worker->pieces,
                                               .match = offer->match};
    offer->engagement = engagement_open(&options, &fault);
    if (!offer->engagement) {
        say(worker, fault.text);
        offer->refused = clock_ms() + REFUSED_MS;
    }
}

/* Ends what is over and begins what is new. Returns how many matches it plays for. */
static int look_at_offers(struct worker *worker) {
    int engaged = 0;
    struct engagement *done[OFFERS_MAX];
    int done_count = 0;
    pthread_mutex_lock(&worker->lock);
    for (int i = 0; i < OFFERS_MAX; i++) {
        struct offer *offer = &worker->offers[i];
        if (!offer->engagement) continue;
        if (offer->over) engagement_end(offer->engagement);
        if (offer->fresh) engagement_announced(offer->engagement);
        offer->fresh = false;
        if (!engagement_is_over(offer->engagement)) {
            engaged++;
            continue;
        }
        if (engagement_failed(offer->engagement)) offer->refused = clock_ms() + REFUSED_MS;
        offer->over = false;
        worker->pairs += engagement_pairs(offer->engagement);
        done[done_count++] = offer->engagement;
        offer->engagement = NULL;
    }
    for (int i = 0; i < OFFERS_MAX && engaged < WORKER_MATCHES; i++) {
        struct offer *offer = &worker->offers[i];
        if (offer->engagement || !offer->fresh || clock_ms() < offer->refused) continue;
        offer->fresh = offer->over = false;
        engage(worker, offer);
        engaged += offer->engagement != NULL;
    }
    pthread_mutex_unlock(&worker->lock);
    while (done_count) engagement_close(done[--done_count]);
    return engaged;
}

/* Says who this is and what it does. */
static void tell(struct worker *worker) {
    const struct worker_options *options = worker->options;
    const int64_t now = clock_ms();
    const double passed = (double)(now - worker->told) / 1000;
    if (now - worker->told < TOLD_MS) return;
    json_t *matches = json_array();
    uint64_t pairs = worker->pairs;
    pthread_mutex_lock(&worker->lock);
    for (int i = 0; i < OFFERS_MAX; i++) {
        const struct engagement *engagement = worker->offers[i].engagement;
        if (!engagement) continue;
        pairs += engagement_pairs(engagement);
        if (engagement_plays(engagement))
            json_array_append_new(matches, json_string(worker->offers[i].match));
    }
    pthread_mutex_unlock(&worker->lock);
    json_t *told = json_pack(
        "{s:s, s:s, s:i, s:I, s:f, s:o}", "worker", options->greeting.worker, "version",
        options->greeting.version, "threads", options->threads, "pairs", (json_int_t)pairs, "rate",
        worker->told ? (double)(pairs - worker->pairs_before) / passed : 0.0, "matches", matches);
    char subject[SLIP_WORKER_MAX + 32];
    snprintf(subject, sizeof subject, "ensign.worker.%s", options->greeting.worker);
    telegraph_tell(worker->telegraph, subject, told);
    worker->told = now;
    worker->pairs_before = pairs;
}

static bool listen(struct worker *worker, struct fault *fault) {
    worker->telegraph = telegraph_open(&worker->options->server, fault);
    if (!worker->telegraph) return false;
    worker->pieces = pieces_open();
    if (!worker->pieces) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    return telegraph_listen(worker->telegraph, "ensign.open.*", hear_open, worker, fault) &&
           telegraph_listen(worker->telegraph, "ensign.over.*", hear_over, worker, fault);
}

static void work(struct worker *worker) {
    char line[LINE_MAX_BYTES];
    bool stood = true;
    snprintf(line, sizeof line, "worker %s, %d thread%s, waits for matches at %s",
             worker->options->greeting.worker, worker->options->threads,
             worker->options->threads > 1 ? "s" : "", telegraph_url(worker->telegraph));
    say(worker, line);
    while (!atomic_load(worker->options->stop)) {
        look_at_offers(worker);
        tell(worker);
        const bool stands = telegraph_stands(worker->telegraph);
        if (stands != stood) {
            snprintf(line, sizeof line, stands ? "connected to %s again" : "no connection to %s",
                     telegraph_url(worker->telegraph));
            say(worker, line);
            stood = stands;
        }
        usleep(TICK_MS * 1000);
    }
}

bool worker_run(const struct worker_options *options, struct fault *fault) {
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    worker->options = options;
    pthread_mutex_init(&worker->lock, NULL);
    const bool listens = listen(worker, fault);
    if (listens) work(worker);
    for (int i = 0; i < OFFERS_MAX; i++) engagement_close(worker->offers[i].engagement);
    telegraph_close(worker->telegraph);
    pieces_close(worker->pieces);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
    return listens;
}
