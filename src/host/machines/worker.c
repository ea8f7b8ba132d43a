/* worker.c - listens for matches, and has a part (worker_match.h) in each that it plays for.
 *
 * The jetstream's threads note what was announced and what is over; the calling thread does the
 * rest. Anyone can announce matches by the thousand, and some that never end: there is a place for
 * so many, an old announcement makes room for another, and where others wait, the match that is
 * played for longest gives up its turn. With a secret only those that know it are heard. */
#define _GNU_SOURCE
#include "worker.h"

#include "base/clock.h"
#include "worker_match.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OFFERS_MAX = 64,
    TICK_MS = 100,
    TOLD_MS = 1000,         /* between two words on who this is */
    OLD_MS = 5000,          /* an announcement is old then */
    TURN_MS = 600000,       /* of a match, at least, while others wait */
    AGAIN_MS = 10000,       /* until a match that failed is tried again; twice as long each time, */
    AGAIN_MOST_MS = 600000, /* up to this; nor is an announcement that was refused kept longer */
    DIFFERS_MS = 10000,     /* between two lines on matches that this worker cannot play */
    LINE_MAX_BYTES = 512
};

static const int64_t NEVER = INT64_MAX;

/* A match that was announced. */
struct offer {
    struct notice_open notice; /* the last */
    int64_t heard;             /* when; 0: there is no offer */
    bool fresh;                /* announced since the last look */
    bool over;                 /* it wants this worker no more */
    int64_t refused;           /* until when it is not looked at; NEVER */
    int failures;              /* in a row */
    int64_t turn; /* when the present turn began, or the last one ended, or it was first heard */
    struct worker_match *match;
};

struct worker {
    const struct worker_options *options;
    struct jetstream *jetstream;
    struct chunk_cache *pieces;
    atomic_size_t memory; /* that matches have */
    pthread_mutex_t lock; /* guards the offers, except for their engagements */
    struct offer offers[OFFERS_MAX];
    struct notice_open other;    /* the last match of another protocol; under the lock */
    struct random chance;        /* which offer makes room */
    int64_t differs;             /* when the last line on a match was said that cannot be played */
    char differing[SEAL_ID_MAX]; /* that match, if it is of another protocol */
    uint64_t pairs;              /* of engagements that are over */
    uint64_t pairs_before;
    int64_t told;
};

void worker_name(char name[MESSAGES_WORKER_MAX]) {
    char host[MESSAGES_WORKER_MAX - 16] = "";
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++) /* it is part of a subject */
        if (!(*c >= '0' && *c <= '9') && !((*c | 32) >= 'a' && (*c | 32) <= 'z')) *c = '-';
    snprintf(name, MESSAGES_WORKER_MAX, "%s-%ld", host[0] ? host : "worker", (long)getpid());
}

static void say(const struct worker *worker, const char *line) {
    worker->options->say(worker->options->context, line);
}

/* NULL if there is none. Locked. */
static struct offer *find_offer(struct worker *worker, const char *match) {
    for (int i = 0; i < OFFERS_MAX; i++)
        if (worker->offers[i].heard && !strcmp(worker->offers[i].notice.match, match))
            return &worker->offers[i];
    return NULL;
}

/* A place for another: one that is free, else that of an offer nobody repeats, else that of any
 * that is not played for. Locked. */
static struct offer *make_room(struct worker *worker, int64_t now) {
    struct offer *places[OFFERS_MAX];
    uint32_t count = 0;
    for (int old = 1; old >= 0 && !count; old--)
        for (int i = 0; i < OFFERS_MAX; i++) {
            struct offer *offer = &worker->offers[i];
            if (!offer->heard) return offer;
            const int64_t age = now - offer->heard;
            const bool gone = age > OLD_MS && (now > offer->refused || age > AGAIN_MOST_MS);
            if (!offer->match && (gone || !old)) places[count++] = offer;
        }
    return count ? places[random_below(&worker->chance, count)] : NULL;
}

/* Whether this worker and the match know the same secret, or both none. */
static bool shares_secret(const struct worker *worker, const struct notice_open *notice) {
    const struct seal_secret *secret = &worker->options->secret;
    uint8_t proof[SEAL_KEY];
    if (!secret->given || !notice->proven) return !secret->given && !notice->proven;
    seal_prove(secret, notice->match, proof);
    return !memcmp(proof, notice->proof, sizeof proof);
}

static void hear_open(void *context, const char *subject, const void *bytes, size_t length,
                      void **reply, size_t *reply_length) {
    struct worker *worker = context;
    const int64_t now = clock_ms();
    struct notice_open notice;
    (void)reply, (void)reply_length;
    if (!notice_open_read(subject, bytes, length, &notice)) return;
    const bool other = notice.protocol != MESSAGES_PROTOCOL;
    /* Matches that do not know the secret have no place here. */
    if (worker->options->secret.given && !other && !shares_secret(worker, &notice)) return;
    pthread_mutex_lock(&worker->lock);
    struct offer *offer = find_offer(worker, notice.match);
    const bool again = offer && offer->notice.number >= notice.number; /* somebody repeats it */
    if (other && !offer) worker->other = notice; /* nobody has signed it: it is only told */
    /* It queues behind those that have waited longer, or new ones would always go before. */
    if (!other && !offer && (offer = make_room(worker, now))) *offer = (struct offer){.turn = now};
    if (!other && offer && !again) {
        offer->notice = notice;
        offer->heard = now;
        offer->fresh = true;
    }
    pthread_mutex_unlock(&worker->lock);
}

static void hear_over(void *context, const char *subject, const void *bytes, size_t length,
                      void **reply, size_t *reply_length) {
    struct worker *worker = context;
    const char *match = notice_match(subject);
    struct notice_over notice;
    bool mine = false;
    (void)reply, (void)reply_length;
    pthread_mutex_lock(&worker->lock);
    struct offer *offer = match ? find_offer(worker, match) : NULL;
    if (offer && notice_over_read(bytes, length, offer->notice.key, &notice)) {
        mine = !notice.everybody && offer->match && offer->refused != NEVER &&
               !memcmp(notice.worker, worker_match_key(offer->match), SEAL_KEY);
        offer->over = offer->over || notice.everybody || mine;
        if (mine) offer->refused = NEVER;
    }
    pthread_mutex_unlock(&worker->lock);
    if (!mine) return;
    char line[LINE_MAX_BYTES];
    snprintf(line, sizeof line, "match %.8s: %s; it is not tried again", match, notice.why);
    say(worker, line);
}

/* Says why a match cannot be played; false if there was such a line a short while ago. */
static bool say_differs(struct worker *worker, const struct notice_open *notice, const char *why) {
    const int64_t now = clock_ms();
    char line[LINE_MAX_BYTES];
    if (worker->differs && now - worker->differs < DIFFERS_MS) return false;
    worker->differs = now;
    snprintf(line, sizeof line, "match %.8s: %s", notice->match, why);
    say(worker, line);
    return true;
}

static bool say_version(struct worker *worker, const struct notice_open *notice) {
    char why[LINE_MAX_BYTES - 32];
    snprintf(why, sizeof why,
             "the coordinator is version %s (protocol %d), this worker is version %s (protocol %d)",
             notice->version, notice->protocol, worker->options->greeting.version,
             MESSAGES_PROTOCOL);
    return say_differs(worker, notice, why);
}

/* Whether the match can be played; a line says why not. */
static bool can_play(struct worker *worker, const struct notice_open *notice) {
    const bool same = !strcmp(notice->version, worker->options->greeting.version);
    if (same && shares_secret(worker, notice)) return true;
    if (same)
        say_differs(worker, notice, "it has a key: start the worker with --key");
    else
        say_version(worker, notice);
    return false;
}

/* Tells of a match of another protocol, of each once in a while. */
static void tell_other(struct worker *worker) {
    pthread_mutex_lock(&worker->lock);
    const struct notice_open other = worker->other;
    worker->other.protocol = 0;
    pthread_mutex_unlock(&worker->lock);
    const bool told =
        !strcmp(worker->differing, other.match) && clock_ms() - worker->differs < AGAIN_MOST_MS;
    if (other.protocol && !told && say_version(worker, &other))
        memcpy(worker->differing, other.match, sizeof other.match);
}

/* A match cannot be played: says why, and when it is tried again. Locked. */
static void put_off(struct worker *worker, struct offer *offer, const struct fault *why) {
    const int64_t longer = (int64_t)AGAIN_MS << (offer->failures < 10 ? offer->failures++ : 10);
    const int64_t ms = longer < AGAIN_MOST_MS ? longer : AGAIN_MOST_MS;
    /* What it asks for, or plays, stays as it is. */
    const bool never = why->status == STATUS_USAGE || why->status == STATUS_CRASH;
    char place[FAULT_FILE_MAX + 32] = "", line[FAULT_TEXT_MAX + FAULT_FILE_MAX + 128], when[48];
    offer->refused = never ? NEVER : clock_ms() + ms;
    snprintf(when, sizeof when, never ? "it is not tried again" : "it is tried again in %d s",
             (int)(ms / 1000));
    fault_place_write(why, place, sizeof place);
    snprintf(line, sizeof line, "match %.8s: %s%s; %s", offer->notice.match, place, why->text,
             when);
    say(worker, line);
}

static void engage(struct worker *worker, struct offer *offer) {
    struct fault fault = {0};
    const struct worker_match_options options = {.worker = worker->options,
                                                 .jetstream = worker->jetstream,
                                                 .pieces = worker->pieces,
                                                 .memory = &worker->memory,
                                                 .match = &offer->notice};
    offer->turn = clock_ms();
    if (!can_play(worker, &offer->notice)) {
        offer->refused = NEVER; /* another version, or key, has another id */
        return;
    }
    offer->match = worker_match_open(&options, &fault);
    if (!offer->match) put_off(worker, offer, &fault);
}

/* Of the offers that wait, the one whose last turn is longest ago; NULL if none waits. Locked. */
static struct offer *next_offer(struct worker *worker, int64_t now) {
    struct offer *next = NULL;
    for (int i = 0; i < OFFERS_MAX; i++) {
        struct offer *offer = &worker->offers[i];
        const bool waits =
            offer->fresh && !offer->match && now >= offer->refused && now - offer->heard <= OLD_MS;
        if (waits && (!next || offer->turn < next->turn)) next = offer;
    }
    return next;
}

/* Ends the longest turn, if it was long enough. Locked. */
static void end_turn(struct worker *worker, int64_t now) {
    struct offer *longest = NULL;
    for (int i = 0; i < OFFERS_MAX; i++) {
        struct offer *offer = &worker->offers[i];
        if (offer->match && (!longest || offer->turn < longest->turn)) longest = offer;
    }
    if (longest && now - longest->turn > TURN_MS) worker_match_end(longest->match);
}

/* Ends what is over and begins what is new. */
static void look_at_offers(struct worker *worker) {
    const int64_t now = clock_ms();
    int engaged = 0, done_count = 0;
    struct worker_match *done[OFFERS_MAX];
    struct offer *next;
    pthread_mutex_lock(&worker->lock);
    for (int i = 0; i < OFFERS_MAX; i++) {
        struct offer *offer = &worker->offers[i];
        if (!offer->match) continue;
        if (offer->over) worker_match_end(offer->match);
        if (offer->fresh) worker_match_announced(offer->match, offer->notice.job);
        offer->fresh = false;
        if (!worker_match_is_over(offer->match)) {
            engaged++;
            continue;
        }
        const struct fault *why = worker_match_why(offer->match);
        if (worker_match_pairs(offer->match)) offer->failures = 0;
        if (why->status != STATUS_OK && offer->refused != NEVER) put_off(worker, offer, why);
        offer->over = false;
        offer->turn = now;
        worker->pairs += worker_match_pairs(offer->match);
        done[done_count++] = offer->match;
        offer->match = NULL;
    }
    while (engaged < WORKER_MATCHES && (next = next_offer(worker, now))) {
        next->fresh = next->over = false;
        engage(worker, next);
        engaged += next->match != NULL;
    }
    if (engaged == WORKER_MATCHES && next_offer(worker, now)) end_turn(worker, now);
    pthread_mutex_unlock(&worker->lock);
    while (done_count) worker_match_close(done[--done_count]);
}

/* Says who this is and what it does. */
static void tell(struct worker *worker) {
    const struct worker_options *options = worker->options;
    const int64_t now = clock_ms();
    const double passed = (double)(now - worker->told) / 1000;
    if (now - worker->told < TOLD_MS) return;
    struct notice_worker notice = {.threads = options->threads, .pairs = worker->pairs};
    memcpy(notice.worker, options->greeting.worker, sizeof notice.worker);
    memcpy(notice.version, options->greeting.version, sizeof notice.version);
    pthread_mutex_lock(&worker->lock);
    for (int i = 0; i < OFFERS_MAX; i++) {
        const struct worker_match *match = worker->offers[i].match;
        if (!match) continue;
        notice.pairs += worker_match_pairs(match);
        if (worker_match_plays(match) && notice.count < NOTICE_MATCHES)
            memcpy(notice.matches[notice.count++], worker->offers[i].notice.match, SEAL_ID_MAX);
    }
    pthread_mutex_unlock(&worker->lock);
    const uint64_t pairs = notice.pairs;
    if (worker->told) notice.rate = (double)(pairs - worker->pairs_before) / passed;
    char subject[MESSAGES_WORKER_MAX + 32];
    snprintf(subject, sizeof subject, "ensign.worker.%s", options->greeting.worker);
    jetstream_tell(worker->jetstream, subject, notice_worker_write(&notice));
    worker->told = now;
    worker->pairs_before = pairs;
}

static bool listen(struct worker *worker, struct fault *fault) {
    worker->jetstream = jetstream_open(&worker->options->server, fault);
    if (!worker->jetstream) return false;
    worker->pieces = chunk_cache_open();
    if (!worker->pieces) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    return jetstream_listen(worker->jetstream, "ensign.open.*", hear_open, worker, fault) &&
           jetstream_listen(worker->jetstream, "ensign.over.*", hear_over, worker, fault);
}

static void work(struct worker *worker) {
    char line[LINE_MAX_BYTES];
    bool stood = true;
    snprintf(line, sizeof line, "worker %s, %d thread%s, waits for matches at %s",
             worker->options->greeting.worker, worker->options->threads,
             worker->options->threads > 1 ? "s" : "", jetstream_url(worker->jetstream));
    say(worker, line);
    while (!atomic_load(worker->options->stop)) {
        look_at_offers(worker);
        tell_other(worker);
        tell(worker);
        const bool stands = jetstream_stands(worker->jetstream);
        if (stands != stood) {
            snprintf(line, sizeof line, stands ? "connected to %s again" : "no connection to %s",
                     jetstream_url(worker->jetstream));
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
    worker->chance = random_stream((uint64_t)clock_ns(), STREAM_PLAYOUT, 0);
    pthread_mutex_init(&worker->lock, NULL);
    const bool listens = listen(worker, fault);
    if (listens) work(worker);
    for (int i = 0; i < OFFERS_MAX; i++) {
        pthread_mutex_lock(&worker->lock); /* what is over is still heard */
        struct worker_match *match = worker->offers[i].match;
        worker->offers[i].match = NULL;
        pthread_mutex_unlock(&worker->lock);
        worker_match_close(match);
    }
    jetstream_close(worker->jetstream);
    chunk_cache_close(worker->pieces);
    pthread_mutex_destroy(&worker->lock);
    free(worker);
    return listens;
}
