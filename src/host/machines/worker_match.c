/* worker_match.c - threads that fetch jobs, and one that begins, keeps the jobs in hand and ends.
 *
 * What is not sealed or signed by the match is passed over: any user of the server can send it. */
#include "worker_match.h"

#include "base/clock.h"
#include "jail/codec.h"
#include "remote_match.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ASK_MS = 5000,
    FIRST_PATIENCE_MS = 10000, /* for the first answer: the match may be none */
    ASK_PATIENCE_MS = 60000,   /* for others: a connection may be lost */
    STAY_MS = 2000,
    KEEP_MS = 3000,   /* between signs of life of a job, and of the worker */
    SAID_MS = 60000,  /* between two lines on the same trouble */
    JOB_SECONDS = 15, /* without one until it goes to another */
    FETCH_MS = 1000,
    RETURN_MS = 1000,
    RETRY_MS = 500,
    SEND_MS = 1000,      /* games are sent at least so often */
    SEND_BYTES = 400000, /* or when there are so many */
    SILENCE_MS = 60000,  /* without an announcement or a job: the match is gone */
    SUBJECT_MAX = 96
};

struct slot {
    struct worker_match *match;
    pthread_t thread;
    int number;
    bool started;
    struct frame played; /* games of the last pair */
    struct messages_lack lack;
    struct frame games; /* to be sent */
    uint32_t pairs;     /* in it */
    int64_t sent;
    pthread_mutex_t lock;
    struct letter *letter; /* in hand; under the lock */
};

struct worker_match {
    struct worker_match_options options;
    struct notice_open match;
    uint8_t key[SEAL_KEY];
    struct seal_keys keys;
    char ask[SUBJECT_MAX], jobs[SUBJECT_MAX], results[SUBJECT_MAX];
    pthread_t thread;
    struct remote_match *remote;
    struct slot *slots;
    struct messages_greeting greeting; /* with the threads that play */
    int threads;
    atomic_bool answered, ending, plays, over;
    atomic_bool broken;          /* the match cannot be played any more */
    atomic_bool stop;            /* ending or broken: games that nobody waits for end */
    _Atomic int64_t announced;   /* clock_ms(); or the last job */
    _Atomic uint64_t pairs, job; /* jobs below this number are done */
    _Atomic int64_t said;
    struct fault why; /* broken, written by the first; or over */
    pthread_mutex_t lock;
    pthread_cond_t news;
};

static bool is_ending(const struct worker_match *match) {
    return atomic_load(&match->ending) || atomic_load(match->options.worker->stop);
}

/* Waits, unless it ends before. */
static void rest(struct worker_match *match, int ms) {
    const int64_t until = clock_ms() + ms;
    pthread_mutex_lock(&match->lock);
    while (!is_ending(match) && !atomic_load(&match->broken) &&
           clock_wait(&match->news, &match->lock, until)) {}
    pthread_mutex_unlock(&match->lock);
}

static void say(struct worker_match *match, const struct fault *fault) {
    const struct worker_options *worker = match->options.worker;
    char place[FAULT_FILE_MAX + 32] = "", line[FAULT_TEXT_MAX + FAULT_FILE_MAX + 96];
    fault_place_write(fault, place, sizeof place);
    snprintf(line, sizeof line, "match %.8s: %s%s", match->match.match, place, fault->text);
    worker->say(worker->context, line);
}

/* The same, not more often than once a minute. */
static void say_trouble(struct worker_match *match, const struct fault *fault) {
    const int64_t now = clock_ms();
    int64_t said = atomic_load(&match->said);
    if (said && now - said < SAID_MS) return;
    if (atomic_compare_exchange_strong(&match->said, &said, now)) say(match, fault);
}

/* A question that was sent, and its answer. */
struct asked {
    const struct seal_keys *keys;
    const unsigned char *nonce;
    void *answer;
    size_t length;
};

static bool take_answer(void *context, const void *bytes, size_t length) {
    struct asked *asked = context;
    if (length < SEAL_EXTRA || length > MESSAGES_BYTES_MAX) return false;
    asked->length = length - SEAL_EXTRA;
    asked->answer = malloc(asked->length + 1);
    if (asked->answer && seal_open(asked->keys->to_worker, MESSAGES_ANSWER, asked->nonce, bytes,
                                   length, asked->answer))
        return true;
    free(asked->answer);
    asked->answer = NULL;
    return false;
}

/* Asks once. NULL if there is no answer. */
static void *ask_once(struct worker_match *match, const struct frame *question, int ms,
                      size_t *answer_length) {
    size_t length;
    unsigned char *sealed =
        messages_seal(match->key, &match->keys, MESSAGES_QUESTION, question, &length);
    struct asked asked = {.keys = &match->keys};
    if (sealed) {
        asked.nonce = sealed + MESSAGES_HEAD;
        jetstream_ask(match->options.jetstream, match->ask, sealed, length, ms, take_answer,
                      &asked);
    }
    free(sealed);
    *answer_length = asked.length;
    return asked.answer;
}

/* Asks the coordinator, again and again for a while; the answer, from behind its yes. False with a
 * fault, also after a no. */
static bool ask(void *context, const struct frame *question, struct frame *answer,
                struct fault *fault) {
    struct worker_match *match = context;
    const bool first = !atomic_load(&match->answered);
    const int64_t until = clock_ms() + (first ? FIRST_PATIENCE_MS : ASK_PATIENCE_MS);
    struct frame frame;
    void *told = NULL;
    size_t length = 0;
    frame_clear(answer);
    if (!frame_open(&frame, question->length + sizeof(struct messages_greeting) + 64))
        return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    while (!is_ending(match) && clock_ms() < until) {
        frame_clear(&frame);
        messages_put_greeting(&frame, &match->greeting);
        frame_put(&frame, question->bytes + CHANNEL_HEADER, question->length);
        told = ask_once(match, &frame, ASK_MS, &length);
        if (told) break;
        rest(match, RETRY_MS);
    }
    frame_close(&frame);
    if (!told) return fault_set(fault, STATUS_SYSTEM, "the coordinator does not answer");
    atomic_store(&match->answered, true);
    frame_put(answer, told, length);
    free(told);
    if (frame_take_number(answer) == 1) return true;
    if (!frame_take_fault(answer, fault))
        fault_set(fault, STATUS_CRASH, "the coordinator's answer makes no sense");
    return false;
}

/* Asks a question that is a number, and some games (NULL: none). */
static bool ask_number(struct worker_match *match, enum messages_question number,
                       const struct frame *games, struct frame *answer, struct fault *fault) {
    struct frame question;
    bool told = frame_open(&question, MESSAGES_BYTES_MAX - MESSAGES_HEAD - SEAL_EXTRA);
    if (!told) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    frame_put_number(&question, number);
    if (games) frame_put(&question, games->bytes + CHANNEL_HEADER, games->length);
    told = ask(match, &question, answer, fault);
    frame_close(&question);
    return told;
}

static void break_off(struct worker_match *match, const struct fault *fault) {
    pthread_mutex_lock(&match->lock);
    if (!atomic_load(&match->broken)) match->why = *fault;
    atomic_store(&match->broken, true);
    atomic_store(&match->stop, true);
    pthread_cond_broadcast(&match->news);
    pthread_mutex_unlock(&match->lock);
}

/* Sends the games in hand, for as long as it takes. False if the match ends before. */
static bool send_games(struct slot *slot) {
    struct worker_match *match = slot->match;
    size_t length;
    if (!slot->pairs) return true;
    unsigned char *sealed =
        messages_seal(match->key, &match->keys, MESSAGES_GAMES, &slot->games, &length);
    bool sent = false;
    while (sealed && !sent && !is_ending(match)) {
        struct fault fault = {0};
        sent = jetstream_post(match->options.jetstream, match->results, sealed, length, &fault);
        if (!sent && jetstream_stands(match->options.jetstream)) say_trouble(match, &fault);
        if (!sent) rest(match, RETRY_MS);
    }
    free(sealed);
    if (!sent) return false;
    atomic_fetch_add(&match->pairs, slot->pairs);
    frame_clear(&slot->games);
    slot->pairs = 0;
    slot->sent = clock_ms();
    return true;
}

/* Adds the games of a pair, or why there are none. */
static bool add_games(struct slot *slot, uint32_t pair, uint32_t ms) {
    enum { HEAD = 20 + FOLDER_PATH_MAX };
    const struct frame *played = &slot->played;
    const size_t length = played->length;
    if (slot->games.length + length + HEAD > slot->games.room && !send_games(slot)) return false;
    frame_put_number(&slot->games, pair);
    frame_put_number(&slot->games, ms < MESSAGES_PAIR_MS ? ms : MESSAGES_PAIR_MS);
    frame_put_number(&slot->games, (uint32_t)length);
    if (length)
        frame_put(&slot->games, played->bytes + CHANNEL_HEADER, length);
    else
        messages_put_lack(&slot->games, &slot->lack);
    slot->pairs++;
    return slot->games.length < SEND_BYTES && clock_ms() - slot->sent < SEND_MS ? true
                                                                                : send_games(slot);
}

/* How many pairs the job has; 0 if the match has not signed it, or does not want it any more. */
static size_t job_pairs(const struct worker_match *match, const struct letter *letter) {
    const unsigned char *bytes = letter->bytes;
    uint64_t number;
    if (letter->length <= MESSAGES_JOB_HEAD ||
        letter->length > MESSAGES_JOB_HEAD + MESSAGES_JOB_PAIRS * sizeof(uint32_t) ||
        !seal_is_signed(match->match.key, MESSAGES_JOB, bytes + SEAL_SIGNATURE,
                        letter->length - SEAL_SIGNATURE, bytes))
        return 0;
    memcpy(&number, bytes + SEAL_SIGNATURE, sizeof number);
    return number < atomic_load(&match->job)
               ? 0
               : (letter->length - MESSAGES_JOB_HEAD) / sizeof(uint32_t);
}

/* Plays the pairs of a job. False if not all were played and sent. */
static bool do_job(struct slot *slot, struct match_thread *hand, const struct letter *letter) {
    struct worker_match *match = slot->match;
    const size_t count = job_pairs(match, letter);
    const unsigned char *pairs = (const unsigned char *)letter->bytes + MESSAGES_JOB_HEAD;
    for (size_t i = 0; i < count; i++) {
        struct fault fault = {0};
        uint32_t pair;
        memcpy(&pair, pairs + i * sizeof pair, sizeof pair);
        const int64_t start = clock_ms();
        if (atomic_load(&match->stop)) return false;
        if (!remote_match_play(match->remote, hand, pair, &match->stop, &slot->played, &slot->lack,
                               &fault)) {
            if (fault.status != STATUS_OK) break_off(match, &fault);
            return false;
        }
        if (!add_games(slot, pair, (uint32_t)(clock_ms() - start))) return false;
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
    struct worker_match *match = slot->match;
    struct jetstream *jetstream = match->options.jetstream;
    struct queue *queue = NULL;
    struct match_thread hand = remote_match_hand(match->remote, !slot->number);
    slot->sent = clock_ms();
    while (!is_ending(match) && !atomic_load(&match->broken)) {
        struct fault fault = {0};
        struct letter letter;
        if (!queue)
            queue = queue_open(jetstream, STREAM_JOBS, match->jobs, match->match.match, JOB_SECONDS,
                               &fault);
        if (!queue) {
            if (jetstream_stands(jetstream) && !jetstream_mend(jetstream, &fault))
                say_trouble(match, &fault);
            rest(match, RETRY_MS);
            continue;
        }
        const int got = queue_fetch(queue, &letter, 1, FETCH_MS);
        if (got < 0) {
            queue_close(queue);
            queue = NULL;
            rest(match, RETRY_MS);
        }
        if (got != 1) continue;
        atomic_store(&match->announced, clock_ms());
        hold(slot, &letter);
        bool done = do_job(slot, &hand, &letter);
        hold(slot, NULL);
        if (done)
            letter_done(&letter);
        else
            letter_return(&letter, RETURN_MS);
    }
    queue_close(queue);
    match_thread_close(&hand);
    return NULL;
}

/* Says of the jobs in hand that they are being done. */
static void keep_jobs(struct worker_match *match) {
    for (int i = 0; i < match->threads; i++) {
        struct slot *slot = &match->slots[i];
        pthread_mutex_lock(&slot->lock);
        if (slot->letter) {
            letter_keep(slot->letter);
            atomic_store(&match->announced, clock_ms());
        }
        pthread_mutex_unlock(&slot->lock);
    }
}

/* Tells the coordinator that this worker is there. A no ends the match; if no answer comes,
 * the coordinator may be gone. */
static void stay(struct worker_match *match) {
    struct frame frame;
    struct fault fault = {0};
    size_t length = 0;
    if (!frame_open(&frame, MESSAGES_BYTES_MAX)) return;
    messages_put_greeting(&frame, &match->greeting);
    frame_put_number(&frame, MESSAGES_STAYS);
    void *answer = ask_once(match, &frame, STAY_MS, &length);
    frame_clear(&frame);
    if (answer) frame_put(&frame, answer, length);
    if (answer && frame_take_number(&frame) != 1 && frame_take_fault(&frame, &fault))
        break_off(match, &fault);
    free(answer);
    frame_close(&frame);
}

/* Shows the coordinator that the same games are played here. */
static bool prove(struct worker_match *match, struct frame *answer, struct fault *fault) {
    struct slot *slot = &match->slots[0];
    if (!ask_number(match, MESSAGES_ASKS_KNOWN, NULL, answer, fault)) return false;
    const uint32_t pair = frame_take_number(answer);
    struct match_thread hand = remote_match_hand(match->remote, true);
    const bool played = remote_match_play(match->remote, &hand, pair, &match->stop, &slot->played,
                                          &slot->lack, fault);
    match_thread_close(&hand);
    if (played && slot->lack.sort == MESSAGES_LACKS_TIME)
        return fault_set(fault, STATUS_TIME,
                         "this machine is too slow or too busy for the match's "
                         "--deadline");
    return played && ask_number(match, MESSAGES_SHOWS_KNOWN, &slot->played, answer, fault);
}

static void play(struct worker_match *match) {
    const int threads = match->threads;
    atomic_store(&match->plays, true);
    for (int i = 0; i < threads; i++) {
        struct slot *slot = &match->slots[i];
        slot->started = !pthread_create(&slot->thread, NULL, fetch_jobs, slot);
    }
    while (!is_ending(match) && !atomic_load(&match->broken) &&
           clock_ms() - atomic_load(&match->announced) < SILENCE_MS) {
        keep_jobs(match);
        stay(match);
        rest(match, KEEP_MS);
    }
    if (!atomic_load(&match->broken)) worker_match_end(match);
    for (int i = 0; i < threads; i++)
        if (match->slots[i].started) pthread_join(match->slots[i].thread, NULL);
    atomic_store(&match->plays, false);
}

/* They may be fewer than the worker's. */
static void tell_threads(struct worker_match *match) {
    const int threads = remote_match_threads(match->remote);
    struct fault fault = {0};
    fault_set(&fault, STATUS_MEMORY,
              "%d of %d threads play: there is no memory for more (--memory)", threads,
              match->threads);
    if (threads < match->threads) say(match, &fault);
    match->greeting.threads = match->threads = threads;
}

/* The match, from its terms to the end of its part here. False with a fault. */
static bool take_part(struct worker_match *match, struct frame *answer, struct fault *fault) {
    const struct worker_options *worker = match->options.worker;
    const struct remote_match_options options = {.permits = &worker->permits,
                                                 .pieces = match->options.pieces,
                                                 .memory = match->options.memory,
                                                 .terms = answer,
                                                 .ask = ask,
                                                 .context = match};
    if (!ask_number(match, MESSAGES_ASKS_TERMS, NULL, answer, fault)) return false;
    match->remote = remote_match_open(&options, worker->threads, fault);
    if (match->remote) tell_threads(match);
    bool good = match->remote && prove(match, answer, fault);
    if (good) {
        play(match);
        good = !atomic_load(&match->broken);
        if (!good) *fault = match->why;
    }
    remote_match_close(match->remote);
    return good;
}

static void *engage(void *context) {
    struct worker_match *match = context;
    struct fault fault = {0};
    struct frame answer;
    const bool good = frame_open(&answer, MESSAGES_BYTES_MAX)
                          ? take_part(match, &answer, &fault)
                          : fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    match->why = good || is_ending(match) ? (struct fault){0} : fault;
    frame_close(&answer);
    atomic_store(&match->over, true);
    return NULL;
}

struct worker_match *worker_match_open(const struct worker_match_options *options,
                                       struct fault *fault) {
    const int threads = options->worker->threads;
    struct worker_match *match = calloc(1, sizeof *match);
    bool ready = match && (match->slots = calloc((size_t)threads, sizeof *match->slots));
    if (!ready) {
        free(match);
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    match->options = *options;
    match->match = *options->match;
    match->greeting = options->worker->greeting;
    match->threads = threads;
    atomic_store(&match->job, options->match->job);
    snprintf(match->ask, SUBJECT_MAX, "ensign.ask.%s", match->match.match);
    snprintf(match->jobs, SUBJECT_MAX, "ensign.jobs.%s", match->match.match);
    snprintf(match->results, SUBJECT_MAX, "ensign.results.%s", match->match.match);
    pthread_mutex_init(&match->lock, NULL);
    clock_condition(&match->news);
    atomic_store(&match->announced, clock_ms());
    for (int i = 0; i < threads; i++) {
        struct slot *slot = &match->slots[i];
        *slot = (struct slot){.match = match, .number = i};
        pthread_mutex_init(&slot->lock, NULL);
        ready = frame_open(&slot->games, MESSAGES_BYTES_MAX - MESSAGES_HEAD - SEAL_EXTRA) &&
                frame_open(&slot->played, MESSAGES_GAMES_MAX) && ready;
    }
    if (!ready) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    ready = ready && seal_worker_draw(match->match.key, &options->worker->secret, match->key,
                                      &match->keys, fault);
    if (ready && !pthread_create(&match->thread, NULL, engage, match)) return match;
    if (ready) fault_set(fault, STATUS_SYSTEM, "cannot start a thread for a match");
    atomic_store(&match->over, true);
    match->thread = pthread_self();
    worker_match_close(match);
    return NULL;
}

void worker_match_end(struct worker_match *match) {
    pthread_mutex_lock(&match->lock);
    atomic_store(&match->ending, true);
    atomic_store(&match->stop, true);
    pthread_cond_broadcast(&match->news);
    pthread_mutex_unlock(&match->lock);
}

void worker_match_announced(struct worker_match *match, uint64_t job) {
    atomic_store(&match->announced, clock_ms());
    atomic_store(&match->job, job);
}

const uint8_t *worker_match_key(const struct worker_match *match) {
    return match->key;
}

bool worker_match_plays(const struct worker_match *match) {
    return atomic_load(&match->plays);
}

bool worker_match_is_over(const struct worker_match *match) {
    return atomic_load(&match->over);
}

const struct fault *worker_match_why(const struct worker_match *match) {
    return &match->why;
}

uint64_t worker_match_pairs(const struct worker_match *match) {
    return atomic_load(&match->pairs);
}

void worker_match_close(struct worker_match *match) {
    if (!match) return;
    worker_match_end(match);
    if (!pthread_equal(match->thread, pthread_self())) pthread_join(match->thread, NULL);
    for (int i = 0; i < match->options.worker->threads; i++) {
        frame_close(&match->slots[i].games);
        frame_close(&match->slots[i].played);
        pthread_mutex_destroy(&match->slots[i].lock);
    }
    free(match->slots);
    pthread_cond_destroy(&match->news);
    pthread_mutex_destroy(&match->lock);
    free(match);
}
