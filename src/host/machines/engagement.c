/* engagement.c - threads that fetch jobs, and one that begins, keeps the jobs in hand and ends. */
#include "engagement.h"

#include "base/clock.h"
#include "host/wall/wire_fault.h"
#include "outpost.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ASK_MS = 5000,
    ASK_PATIENCE_MS = 60000, /* for a coordinator that is being started again */
    KEEP_MS = 3000,          /* between signs of life of a job */
    JOB_SECONDS = 15,        /* without one until it goes to another */
    FETCH_MS = 1000,
    RETURN_MS = 1000,
    RETRY_MS = 500,
    SEND_MS = 1000,      /* games are sent at least so often */
    SEND_BYTES = 400000, /* or when there are so many */
    SILENCE_MS = 60000,  /* without an announcement or a job: the match is gone */
    SUBJECT_MAX = 96,
    OUTPOSTS = 3 /* are started for a match, if they are killed */
};

struct slot {
    struct engagement *engagement;
    pthread_t thread;
    int number;
    bool started;
    struct frame games; /* to be sent */
    uint32_t pairs;     /* in it */
    int64_t sent;
    pthread_mutex_t lock;
    struct letter *letter; /* in hand; under the lock */
};

struct engagement {
    struct engagement_options options;
    char match[SLIP_MATCH_MAX];
    char ask[SUBJECT_MAX], jobs[SUBJECT_MAX], results[SUBJECT_MAX];
    pthread_t thread;
    struct outpost *outpost; /* set under the lock, by the first thread */
    struct slot *slots;
    atomic_bool ending, plays, failed, over, broken; /* broken: the outpost is gone */
    _Atomic int64_t announced;                       /* clock_ms(); or the last job */
    _Atomic uint64_t pairs;
    struct fault why; /* broken; written by the first */
    pthread_mutex_t lock;
    pthread_cond_t news;
};

static bool is_ending(const struct engagement *engagement) {
    return atomic_load(&engagement->ending) || atomic_load(engagement->options.worker->stop);
}

/* Waits, unless it ends before. */
static void rest(struct engagement *engagement, int ms) {
    const int64_t until = clock_ms() + ms;
    pthread_mutex_lock(&engagement->lock);
    while (!is_ending(engagement) && !atomic_load(&engagement->broken) &&
           clock_wait(&engagement->news, &engagement->lock, until)) {}
    pthread_mutex_unlock(&engagement->lock);
}

static void say(struct engagement *engagement, const struct fault *fault) {
    const struct worker_options *worker = engagement->options.worker;
    char place[FAULT_FILE_MAX + 32] = "", line[FAULT_TEXT_MAX + FAULT_FILE_MAX + 96];
    fault_place_write(fault, place, sizeof place);
    snprintf(line, sizeof line, "match %.8s: %s%s", engagement->match, place, fault->text);
    worker->say(worker->context, line);
}

/* Asks the coordinator, again and again for a minute. NULL if there is no answer. */
static void *ask(struct engagement *engagement, const void *question, size_t length,
                 size_t *answer_length) {
    const int64_t until = clock_ms() + ASK_PATIENCE_MS;
    struct frame frame;
    void *answer = NULL;
    if (!frame_open(&frame, length + sizeof(struct slip_greeting) + 64)) return NULL;
    slip_put_greeting(&frame, &engagement->options.worker->greeting);
    frame_put(&frame, question, length);
    while (!is_ending(engagement) && clock_ms() < until) {
        answer = telegraph_ask(engagement->options.telegraph, engagement->ask,
                               frame.bytes + WIRE_HEADER, frame.length, ASK_MS, answer_length);
        if (answer) break;
        rest(engagement, RETRY_MS);
    }
    frame_close(&frame);
    return answer;
}

/* The same, with the answer in a frame, from behind its yes. False with a fault. */
static bool ask_frame(struct engagement *engagement, enum slip_question question, const void *more,
                      size_t length, struct frame *answer, struct fault *fault) {
    const uint32_t number = question;
    size_t got = 0;
    char *bytes = malloc(sizeof number + length);
    void *told = NULL;
    frame_clear(answer);
    if (bytes) {
        memcpy(bytes, &number, sizeof number);
        if (length) memcpy(bytes + sizeof number, more, length);
        told = ask(engagement, bytes, sizeof number + length, &got);
    }
    free(bytes);
    if (told) frame_put(answer, told, got);
    free(told);
    if (!told) return fault_set(fault, STATUS_SYSTEM, "the coordinator does not answer");
    if (frame_take_number(answer) == 1) return true;
    if (!frame_take_fault(answer, fault))
        fault_set(fault, STATUS_TEXT, "the coordinator's answer makes no sense");
    return false;
}

/* Questions of the outpost. A piece of a file is asked for only once by this worker. */
static void *carry_question(void *context, const void *question, size_t length,
                            size_t *answer_length) {
    struct engagement *engagement = context;
    struct pieces *pieces = engagement->options.pieces;
    struct {
        uint32_t question;
        uint64_t hash;
        uint32_t offset;
    } asked = {.question = SLIP_QUESTIONS};
    const unsigned char *bytes = question;
    const bool piece = length == 16;
    if (piece) {
        memcpy(&asked.question, bytes, 4);
        memcpy(&asked.hash, bytes + 4, 8);
        memcpy(&asked.offset, bytes + 12, 4);
    }
    const bool keeps = asked.question == SLIP_ASKS_BYTES;
    void *answer = keeps ? pieces_find(pieces, asked.hash, asked.offset, answer_length) : NULL;
    if (answer) return answer;
    answer = ask(engagement, question, length, answer_length);
    uint32_t yes = 0;
    if (answer && *answer_length >= sizeof yes) memcpy(&yes, answer, sizeof yes);
    if (keeps && yes == 1) pieces_keep(pieces, asked.hash, asked.offset, answer, *answer_length);
    return answer;
}

static void break_off(struct engagement *engagement, const struct fault *fault) {
    pthread_mutex_lock(&engagement->lock);
    if (!atomic_load(&engagement->broken)) engagement->why = *fault;
    atomic_store(&engagement->broken, true);
    pthread_cond_broadcast(&engagement->news);
    pthread_mutex_unlock(&engagement->lock);
}

/* Sends the games in hand, for as long as it takes. False if the engagement ends before. */
static bool send_games(struct slot *slot) {
    struct engagement *engagement = slot->engagement;
    struct frame *games = &slot->games;
    struct fault fault = {0};
    if (!slot->pairs) return true;
    while (!telegraph_post(engagement->options.telegraph, engagement->results,
                           games->bytes + WIRE_HEADER, games->length, &fault)) {
        if (is_ending(engagement)) return false;
        rest(engagement, RETRY_MS);
    }
    atomic_fetch_add(&engagement->pairs, slot->pairs);
    slot->pairs = 0;
    slot->sent = clock_ms();
    return true;
}

static void begin_games(struct slot *slot) {
    frame_clear(&slot->games);
    slip_put_greeting(&slot->games, &slot->engagement->options.worker->greeting);
}

/* Adds a pair's games. Too long ones are sent without: the coordinator then plays them itself. */
static bool add_games(struct slot *slot, uint32_t pair, uint32_t ms, const void *games,
                      size_t length) {
    enum { HEAD = 256 };
    if (length + HEAD > SLIP_BYTES_MAX) length = 0;
    if (slot->pairs && slot->games.length + length + HEAD > SLIP_BYTES_MAX && !send_games(slot))
        return false;
    if (!slot->pairs) begin_games(slot);
    frame_put_number(&slot->games, pair);
    frame_put_number(&slot->games, ms);
    frame_put_number(&slot->games, (uint32_t)length);
    frame_put(&slot->games, games, length);
    slot->pairs++;
    return slot->games.length < SEND_BYTES && clock_ms() - slot->sent < SEND_MS ? true
                                                                                : send_games(slot);
}

/* Plays the pairs of a job. False if not all were played and sent. */
static bool do_job(struct slot *slot, const struct letter *letter) {
    struct engagement *engagement = slot->engagement;
    const size_t count = letter->length / sizeof(uint32_t);
    const unsigned char *pairs = letter->bytes;
    for (size_t i = 0; i < count; i++) {
        struct fault fault = {0};
        uint32_t pair;
        size_t length;
        memcpy(&pair, pairs + i * sizeof pair, sizeof pair);
        if (is_ending(engagement) || atomic_load(&engagement->broken)) return false;
        const int64_t start = clock_ms();
        void *games = outpost_play(engagement->outpost, slot->number, pair, &length, &fault);
        if (!games) {
            break_off(engagement, &fault);
            return false;
        }
        bool added = add_games(slot, pair, (uint32_t)(clock_ms() - start), games, length);
        free(games);
        if (!added) return false;
    }
    return send_games(slot);
}

static void hold(struct slot *slot, struct letter *letter) {
    pthread_mutex_lock(&slot->lock);
    slot->letter = letter;
    pthread_mutex_unlock(&slot->lock);
}

static void *fetch_jobs(void *context) {
    struct slot *slot = context;
    struct engagement *engagement = slot->engagement;
    struct fault fault = {0};
    struct queue *queue = NULL;
    slot->sent = clock_ms();
    while (!is_ending(engagement) && !atomic_load(&engagement->broken)) {
        struct letter letter;
        if (!queue)
            queue = queue_open(engagement->options.telegraph, STREAM_JOBS, engagement->jobs,
                               engagement->match, JOB_SECONDS, &fault);
        if (!queue) {
            rest(engagement, RETRY_MS);
            continue;
        }
        if (queue_fetch(queue, &letter, 1, FETCH_MS) != 1) continue;
        atomic_store(&engagement->announced, clock_ms());
        hold(slot, &letter);
        bool done = do_job(slot, &letter);
        hold(slot, NULL);
        if (done)
            letter_done(&letter);
        else
            letter_return(&letter, RETURN_MS);
    }
    queue_close(queue);
    return NULL;
}

/* Says of the jobs in hand that they are being done. */
static void keep_jobs(struct engagement *engagement) {
    for (int i = 0; i < engagement->options.worker->threads; i++) {
        struct slot *slot = &engagement->slots[i];
        pthread_mutex_lock(&slot->lock);
        if (slot->letter) {
            letter_keep(slot->letter);
            atomic_store(&engagement->announced, clock_ms());
        }
        pthread_mutex_unlock(&slot->lock);
    }
}

static bool prove(struct engagement *engagement, struct frame *answer, struct fault *fault) {
    size_t length;
    if (!ask_frame(engagement, SLIP_ASKS_KNOWN, NULL, 0, answer, fault)) return false;
    const uint32_t pair = frame_take_number(answer);
    void *games = outpost_play(engagement->outpost, 0, pair, &length, fault);
    if (!games) return false;
    bool shown = ask_frame(engagement, SLIP_SHOWS_KNOWN, games, length, answer, fault);
    free(games);
    return shown;
}

static void play(struct engagement *engagement) {
    const int threads = engagement->options.worker->threads;
    atomic_store(&engagement->plays, true);
    for (int i = 0; i < threads; i++) {
        struct slot *slot = &engagement->slots[i];
        slot->started = !pthread_create(&slot->thread, NULL, fetch_jobs, slot);
    }
    while (!is_ending(engagement) && !atomic_load(&engagement->broken) &&
           clock_ms() - atomic_load(&engagement->announced) < SILENCE_MS) {
        rest(engagement, KEEP_MS);
        keep_jobs(engagement);
    }
    if (!atomic_load(&engagement->broken)) engagement_end(engagement);
    for (int i = 0; i < threads; i++)
        if (engagement->slots[i].started) pthread_join(engagement->slots[i].thread, NULL);
    atomic_store(&engagement->plays, false);
}

static void set_outpost(struct engagement *engagement, struct outpost *outpost) {
    pthread_mutex_lock(&engagement->lock);
    engagement->outpost = outpost;
    pthread_mutex_unlock(&engagement->lock);
}

/* One outpost from its start to its end. False if it broke. */
static bool use_outpost(struct engagement *engagement, struct frame *answer, struct fault *fault) {
    const struct worker_options *worker = engagement->options.worker;
    const struct outpost_options options = {.nursery = worker->nursery,
                                            .threads = worker->threads,
                                            .terms = answer->bytes + WIRE_HEADER + answer->at,
                                            .length = answer->length - answer->at,
                                            .ask = carry_question,
                                            .context = engagement};
    struct outpost *outpost = outpost_open(&options, fault);
    if (!outpost) return false;
    set_outpost(engagement, outpost);
    atomic_store(&engagement->broken, false);
    bool good = prove(engagement, answer, fault);
    if (good) {
        play(engagement);
        good = !atomic_load(&engagement->broken) || is_ending(engagement);
        if (!good) *fault = engagement->why;
    }
    set_outpost(engagement, NULL);
    outpost_close(outpost);
    return good;
}

static void *engage(void *context) {
    struct engagement *engagement = context;
    struct fault fault = {0};
    struct frame answer;
    bool good =
        frame_open(&answer, SLIP_BYTES_MAX) || fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    for (int tries = 0; good && tries < OUTPOSTS && !is_ending(engagement); tries++) {
        fault = (struct fault){0};
        good = ask_frame(engagement, SLIP_ASKS_TERMS, NULL, 0, &answer, &fault);
        if (!good || use_outpost(engagement, &answer, &fault)) break;
        good = fault.status == STATUS_KILLED; /* anything else would happen again */
    }
    if (fault.status != STATUS_OK && !is_ending(engagement)) {
        say(engagement, &fault);
        atomic_store(&engagement->failed, true);
    }
    frame_close(&answer);
    atomic_store(&engagement->over, true);
    return NULL;
}

struct engagement *engagement_open(const struct engagement_options *options, struct fault *fault) {
    const int threads = options->worker->threads;
    struct engagement *engagement = calloc(1, sizeof *engagement);
    bool ready =
        engagement && (engagement->slots = calloc((size_t)threads, sizeof *engagement->slots));
    if (!ready) {
        free(engagement);
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    engagement->options = *options;
    snprintf(engagement->match, sizeof engagement->match, "%s", options->match);
    snprintf(engagement->ask, SUBJECT_MAX, "ensign.ask.%s", engagement->match);
    snprintf(engagement->jobs, SUBJECT_MAX, "ensign.jobs.%s", engagement->match);
    snprintf(engagement->results, SUBJECT_MAX, "ensign.results.%s", engagement->match);
    pthread_mutex_init(&engagement->lock, NULL);
    clock_condition(&engagement->news);
    atomic_store(&engagement->announced, clock_ms());
    for (int i = 0; i < threads; i++) {
        struct slot *slot = &engagement->slots[i];
        *slot = (struct slot){.engagement = engagement, .number = i};
        pthread_mutex_init(&slot->lock, NULL);
        ready = frame_open(&slot->games, SLIP_BYTES_MAX) && ready;
    }
    if (!ready) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (ready && !pthread_create(&engagement->thread, NULL, engage, engagement)) return engagement;
    if (ready) fault_set(fault, STATUS_SYSTEM, "cannot start a thread for a match");
    atomic_store(&engagement->over, true);
    engagement->thread = pthread_self();
    engagement_close(engagement);
    return NULL;
}

void engagement_end(struct engagement *engagement) {
    pthread_mutex_lock(&engagement->lock);
    atomic_store(&engagement->ending, true);
    if (engagement->outpost) outpost_stop(engagement->outpost); /* games that nobody waits for */
    pthread_cond_broadcast(&engagement->news);
    pthread_mutex_unlock(&engagement->lock);
}

void engagement_announced(struct engagement *engagement) {
    atomic_store(&engagement->announced, clock_ms());
}

bool engagement_plays(const struct engagement *engagement) {
    return atomic_load(&engagement->plays);
}

bool engagement_is_over(const struct engagement *engagement) {
    return atomic_load(&engagement->over);
}

bool engagement_failed(const struct engagement *engagement) {
    return atomic_load(&engagement->failed);
}

uint64_t engagement_pairs(const struct engagement *engagement) {
    return atomic_load(&engagement->pairs);
}

void engagement_close(struct engagement *engagement) {
    if (!engagement) return;
    engagement_end(engagement);
    if (!pthread_equal(engagement->thread, pthread_self())) pthread_join(engagement->thread, NULL);
    for (int i = 0; i < engagement->options.worker->threads; i++) {
        frame_close(&engagement->slots[i].games);
        pthread_mutex_destroy(&engagement->slots[i].lock);
    }
    free(engagement->slots);
    pthread_cond_destroy(&engagement->news);
    pthread_mutex_destroy(&engagement->lock);
    free(engagement);
}
