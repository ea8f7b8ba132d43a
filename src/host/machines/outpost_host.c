/* outpost_host.c - the worker's side of an outpost: a thread that reads what it sends. */
#include "outpost.h"

#include "base/clock.h"
#include "jail/wire_fault.h"
#include "outpost_wire.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEND_MS = 60000 };

/* What a thread of the outpost has played. */
struct played {
    void *games;
    size_t length;
};

struct outpost {
    struct outpost_options options;
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

static bool outpost_say(struct outpost *outpost, enum outpost_word word, const uint32_t *numbers,
                        size_t count, const void *bytes, size_t length) {
    struct frame *frame = &outpost->outgoing;
    pthread_mutex_lock(&outpost->sending);
    frame_clear(frame);
    frame_put_number(frame, word);
    for (size_t i = 0; i < count; i++) frame_put_number(frame, numbers[i]);
    frame_put(frame, bytes, length);
    bool said =
        !frame->broken && wire_send(outpost->child.to, frame, 0, clock_ms() + SEND_MS) == WIRE_OK;
    pthread_mutex_unlock(&outpost->sending);
    return said;
}

static bool answer_question(struct outpost *outpost) {
    const struct outpost_options *options = &outpost->options;
    const struct frame *asked = &outpost->incoming;
    size_t length = 0;
    void *answer = options->ask(options->context, asked->bytes + WIRE_HEADER + asked->at,
                                asked->length - asked->at, &length);
    bool said = outpost_say(outpost, OUTPOST_ANSWER, NULL, 0, answer, answer ? length : 0);
    free(answer);
    return said;
}

/* Reads the next frame that is no question. 0 with a fault at the end. */
static enum outpost_word outpost_hear(struct outpost *outpost, struct fault *fault) {
    struct frame *frame = &outpost->incoming;
    for (;;) {
        bool came = wire_next(outpost->child.from, frame) == WIRE_OK;
        enum outpost_word word = came ? (enum outpost_word)frame_take_number(frame) : 0;
        if (word == OUTPOST_FAILS && frame_take_fault(frame, fault)) return 0;
        if (word == OUTPOST_ASKS && answer_question(outpost)) continue;
        if (word == OUTPOST_READY || word == OUTPOST_PLAYED) return word;
        fault_set(fault, STATUS_KILLED, "the process that plays the match was killed or stopped");
        return 0;
    }
}

static bool take_played(struct outpost *outpost) {
    struct frame *frame = &outpost->incoming;
    const uint32_t thread = frame_take_number(frame);
    if (frame->broken || thread >= (uint32_t)outpost->options.threads) return false;
    struct played played = {.length = frame->length - frame->at};
    played.games = malloc(played.length + 1);
    if (!played.games) return false;
    memcpy(played.games, frame->bytes + WIRE_HEADER + frame->at, played.length);
    pthread_mutex_lock(&outpost->lock);
    bool awaited = !outpost->played[thread].games;
    if (awaited) outpost->played[thread] = played;
    pthread_cond_broadcast(&outpost->news);
    pthread_mutex_unlock(&outpost->lock);
    if (!awaited) free(played.games);
    return awaited;
}

static void *outpost_read(void *context) {
    struct outpost *outpost = context;
    struct fault fault = {0};
    while (outpost_hear(outpost, &fault) == OUTPOST_PLAYED && take_played(outpost)) {}
    pthread_mutex_lock(&outpost->lock);
    outpost->over = true;
    if (fault.status == STATUS_OK)
        fault_set(&fault, STATUS_CRASH, "the process that plays the match makes no sense");
    outpost->why = fault;
    pthread_cond_broadcast(&outpost->news);
    pthread_mutex_unlock(&outpost->lock);
    return NULL;
}

struct outpost *outpost_open(const struct outpost_options *options, struct fault *fault) {
    struct outpost *outpost = calloc(1, sizeof *outpost);
    if (!outpost) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    outpost->options = *options;
    pthread_mutex_init(&outpost->sending, NULL);
    pthread_mutex_init(&outpost->lock, NULL);
    pthread_cond_init(&outpost->news, NULL);
    outpost->child = (struct nursery_child){0, -1, -1, -1};
    outpost->played = calloc((size_t)options->threads, sizeof *outpost->played);
    const uint32_t threads = (uint32_t)options->threads;
    bool ready = outpost->played && frame_open(&outpost->incoming, OUTPOST_FRAME_MAX) &&
                 frame_open(&outpost->outgoing, OUTPOST_FRAME_MAX);
    if (!ready) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    ready = ready && nursery_take(options->nursery, &outpost->child, fault);
    if (ready &&
        !outpost_say(outpost, OUTPOST_BEGINS, &threads, 1, options->terms, options->length))
        ready = fault_set(fault, STATUS_KILLED, "the process that plays the match was killed");
    ready = ready && outpost_hear(outpost, fault) == OUTPOST_READY;
    if (ready) {
        outpost->reads = !pthread_create(&outpost->reader, NULL, outpost_read, outpost);
        if (outpost->reads) return outpost;
        fault_set(fault, STATUS_SYSTEM, "cannot start a thread for a match");
    }
    outpost_close(outpost);
    return NULL;
}

void outpost_stop(struct outpost *outpost) {
    kill(outpost->child.pid, SIGKILL); /* its pipe ends, and so does the thread that reads */
}

void outpost_close(struct outpost *outpost) {
    if (!outpost) return;
    if (outpost->child.to >= 0) {
        outpost_stop(outpost);
        if (outpost->reads) pthread_join(outpost->reader, NULL);
        nursery_end(outpost->options.nursery, &outpost->child);
    }
    for (int i = 0; outpost->played && i < outpost->options.threads; i++)
        free(outpost->played[i].games);
    free(outpost->played);
    frame_close(&outpost->incoming);
    frame_close(&outpost->outgoing);
    pthread_cond_destroy(&outpost->news);
    pthread_mutex_destroy(&outpost->lock);
    pthread_mutex_destroy(&outpost->sending);
    free(outpost);
}

void *outpost_play(struct outpost *outpost, int thread, uint32_t pair, size_t *length,
                   struct fault *fault) {
    const uint32_t order[] = {(uint32_t)thread, pair};
    bool sent = outpost_say(outpost, OUTPOST_PLAYS, order, 2, NULL, 0);
    struct played *played = &outpost->played[thread];
    pthread_mutex_lock(&outpost->lock);
    while (sent && !played->games && !outpost->over)
        pthread_cond_wait(&outpost->news, &outpost->lock);
    void *games = played->games;
    *length = played->length;
    *played = (struct played){NULL, 0};
    if (!games) {
        if (outpost->over)
            *fault = outpost->why;
        else
            fault_set(fault, STATUS_KILLED, "the process that plays the match was killed");
    }
    pthread_mutex_unlock(&outpost->lock);
    return games;
}
