/* bench_host.c - the worker's side of a bench: a thread that reads what it sends. */
#include "bench.h"

#include "base/clock.h"
#include "bench_wire.h"
#include "host/wall/wire_fault.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEND_MS = 60000 };

/* What a thread of the bench has played. */
struct played {
    void *games;
    size_t length;
};

struct bench {
    struct bench_options options;
    struct nursery_child child;
    pthread_t reader;
    bool reads;
    struct frame incoming;
    pthread_mutex_t sending;
    struct frame outgoing; /* under `sending` */

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t news;
    struct played *played;
    bool over;
    struct fault why; /* over */
};

static bool bench_say(struct bench *bench, enum bench_word word, const uint32_t *numbers,
                      size_t count, const void *bytes, size_t length) {
    struct frame *frame = &bench->outgoing;
    pthread_mutex_lock(&bench->sending);
    frame_clear(frame);
    frame_put_number(frame, word);
    for (size_t i = 0; i < count; i++) frame_put_number(frame, numbers[i]);
    frame_put(frame, bytes, length);
    bool said =
        !frame->broken && wire_send(bench->child.to, frame, 0, clock_ms() + SEND_MS) == WIRE_OK;
    pthread_mutex_unlock(&bench->sending);
    return said;
}

static bool answer_question(struct bench *bench) {
    const struct bench_options *options = &bench->options;
    const struct frame *asked = &bench->incoming;
    size_t length = 0;
    void *answer = options->ask(options->context, asked->bytes + WIRE_HEADER + asked->at,
                                asked->length - asked->at, &length);
    bool said = bench_say(bench, BENCH_ANSWER, NULL, 0, answer, answer ? length : 0);
    free(answer);
    return said;
}

/* Reads the next frame that is no question. 0 with a fault at the end. */
static enum bench_word bench_hear(struct bench *bench, struct fault *fault) {
    struct frame *frame = &bench->incoming;
    for (;;) {
        bool came = wire_next(bench->child.from, frame) == WIRE_OK;
        enum bench_word word = came ? (enum bench_word)frame_take_number(frame) : 0;
        if (word == BENCH_FAILS && frame_take_fault(frame, fault)) return 0;
        if (word == BENCH_ASKS && answer_question(bench)) continue;
        if (word == BENCH_READY || word == BENCH_PLAYED) return word;
        fault_set(fault, STATUS_KILLED, "the process that plays the match was killed or stopped");
        return 0;
    }
}

static bool take_played(struct bench *bench) {
    struct frame *frame = &bench->incoming;
    const uint32_t thread = frame_take_number(frame);
    if (frame->broken || thread >= (uint32_t)bench->options.threads) return false;
    struct played played = {.length = frame->length - frame->at};
    played.games = malloc(played.length + 1);
    if (!played.games) return false;
    memcpy(played.games, frame->bytes + WIRE_HEADER + frame->at, played.length);
    pthread_mutex_lock(&bench->lock);
    bool awaited = !bench->played[thread].games;
    if (awaited) bench->played[thread] = played;
    pthread_cond_broadcast(&bench->news);
    pthread_mutex_unlock(&bench->lock);
    if (!awaited) free(played.games);
    return awaited;
}

static void *bench_read(void *context) {
    struct bench *bench = context;
    struct fault fault = {0};
    while (bench_hear(bench, &fault) == BENCH_PLAYED && take_played(bench)) {}
    pthread_mutex_lock(&bench->lock);
    bench->over = true;
    if (fault.status == STATUS_OK)
        fault_set(&fault, STATUS_CRASH, "the process that plays the match makes no sense");
    bench->why = fault;
    pthread_cond_broadcast(&bench->news);
    pthread_mutex_unlock(&bench->lock);
    return NULL;
}

struct bench *bench_open(const struct bench_options *options, struct fault *fault) {
    struct bench *bench = calloc(1, sizeof *bench);
    if (!bench) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    bench->options = *options;
    pthread_mutex_init(&bench->sending, NULL);
    pthread_mutex_init(&bench->lock, NULL);
    pthread_cond_init(&bench->news, NULL);
    bench->child = (struct nursery_child){0, -1, -1, -1};
    bench->played = calloc((size_t)options->threads, sizeof *bench->played);
    const uint32_t threads = (uint32_t)options->threads;
    bool ready = bench->played && frame_open(&bench->incoming, BENCH_FRAME_MAX) &&
                 frame_open(&bench->outgoing, BENCH_FRAME_MAX);
    if (!ready) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    ready = ready && nursery_take(options->nursery, &bench->child, fault);
    if (ready && !bench_say(bench, BENCH_BEGINS, &threads, 1, options->terms, options->length))
        ready = fault_set(fault, STATUS_KILLED, "the process that plays the match was killed");
    ready = ready && bench_hear(bench, fault) == BENCH_READY;
    if (ready) {
        bench->reads = !pthread_create(&bench->reader, NULL, bench_read, bench);
        if (bench->reads) return bench;
        fault_set(fault, STATUS_SYSTEM, "cannot start a thread for a match");
    }
    bench_close(bench);
    return NULL;
}

void bench_stop(struct bench *bench) {
    kill(bench->child.pid, SIGKILL); /* its pipe ends, and so does the thread that reads */
}

void bench_close(struct bench *bench) {
    if (!bench) return;
    if (bench->child.to >= 0) {
        bench_stop(bench);
        if (bench->reads) pthread_join(bench->reader, NULL);
        nursery_end(bench->options.nursery, &bench->child);
    }
    for (int i = 0; bench->played && i < bench->options.threads; i++) free(bench->played[i].games);
    free(bench->played);
    frame_close(&bench->incoming);
    frame_close(&bench->outgoing);
    pthread_cond_destroy(&bench->news);
    pthread_mutex_destroy(&bench->lock);
    pthread_mutex_destroy(&bench->sending);
    free(bench);
}

void *bench_play(struct bench *bench, int thread, uint32_t pair, size_t *length,
                 struct fault *fault) {
    const uint32_t order[] = {(uint32_t)thread, pair};
    bool sent = bench_say(bench, BENCH_PLAYS, order, 2, NULL, 0);
    struct played *played = &bench->played[thread];
    pthread_mutex_lock(&bench->lock);
    while (sent && !played->games && !bench->over) pthread_cond_wait(&bench->news, &bench->lock);
    void *games = played->games;
    *length = played->length;
    *played = (struct played){NULL, 0};
    if (!games) {
        if (bench->over)
            *fault = bench->why;
        else
            fault_set(fault, STATUS_KILLED, "the process that plays the match was killed");
    }
    pthread_mutex_unlock(&bench->lock);
    return games;
}
