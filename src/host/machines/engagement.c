/* engagement.c - threads that fetch jobs, and one that begins, keeps the jobs in hand and ends.
 *
 * What is not sealed or signed by the match is passed over: any user of the server can send it. */
#include "engagement.h"

#include "base/clock.h"
#include "jail/wire_fault.h"
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
    struct engagement *engagement;
    pthread_t thread;
    int number;
    bool started;
    struct frame played; /* games of the last pair */
    struct slip_lack lack;
    struct frame games; /* to be sent */
    uint32_t pairs;     /* in it */
    int64_t sent;
    pthread_mutex_t lock;
    struct letter *letter; /* in hand; under the lock */
};

struct engagement {
    struct engagement_options options;
    struct notice_open match;
    uint8_t key[SEAL_KEY];
    struct seal_keys keys;
    char ask[SUBJECT_MAX], jobs[SUBJECT_MAX], results[SUBJECT_MAX];
    pthread_t thread;
    struct remote_match *remote;
    struct slot *slots;
    struct slip_greeting greeting; /* with the threads that play */
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
    snprintf(line, sizeof line, "match %.8s: %s%s", engagement->match.match, place, fault->text);
    worker->say(worker->context, line);
}

/* The same, not more often than once a minute. */
static void say_trouble(struct engagement *engagement, const struct fault *fault) {
    const int64_t now = clock_ms();
    int64_t said = atomic_load(&engagement->said);
    if (said && now - said < SAID_MS) return;
    if (atomic_compare_exchange_strong(&engagement->said, &said, now)) say(engagement, fault);
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
    if (length < SEAL_EXTRA || length > SLIP_BYTES_MAX) return false;
    asked->length = length - SEAL_EXTRA;
    asked->answer = malloc(asked->length + 1);
    if (asked->answer &&
        seal_open(asked->keys->to_worker, SLIP_ANSWER, asked->nonce, bytes, length, asked->answer))
        return true;
    free(asked->answer);
    asked->answer = NULL;
    return false;
}

/* Asks once. NULL if there is no answer. */
static void *ask_once(struct engagement *engagement, const struct frame *question, int ms,
                      size_t *answer_length) {
    size_t length;
    unsigned char *sealed =
        slip_seal(engagement->key, &engagement->keys, SLIP_QUESTION, question, &length);
    struct asked asked = {.keys = &engagement->keys};
    if (sealed) {
        asked.nonce = sealed + SLIP_HEAD;
        telegraph_ask(engagement->options.telegraph, engagement->ask, sealed, length, ms,
                      take_answer, &asked);
    }
    free(sealed);
    *answer_length = asked.length;
    return asked.answer;
}

/* Asks the coordinator, again and again for a while; the answer, from behind its yes. False with a
 * fault, also after a no. */
static bool ask(void *context, const struct frame *question, struct frame *answer,
                struct fault *fault) {
    struct engagement *engagement = context;
    const bool first = !atomic_load(&engagement->answered);
    const int64_t until = clock_ms() + (first ? FIRST_PATIENCE_MS : ASK_PATIENCE_MS);
    struct frame frame;
    void *told = NULL;
    size_t length = 0;
    frame_clear(answer);
    if (!frame_open(&frame, question->length + sizeof(struct slip_greeting) + 64))
        return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    slip_put_greeting(&frame, &engagement->greeting);
    frame_put(&frame, question->bytes + WIRE_HEADER, question->length);
    while (!is_ending(engagement) && clock_ms() < until) {
        told = ask_once(engagement, &frame, ASK_MS, &length);
        if (told) break;
        rest(engagement, RETRY_MS);
    }
    frame_close(&frame);
    if (!told) return fault_set(fault, STATUS_SYSTEM, "the coordinator does not answer");
    atomic_store(&engagement->answered, true);
    frame_put(answer, told, length);
    free(told);
    if (frame_take_number(answer) == 1) return true;
    if (!frame_take_fault(answer, fault))
        fault_set(fault, STATUS_CRASH, "the coordinator's answer makes no sense");
    return false;
}

/* Asks a question that is a number, and some games (NULL: none). */
static bool ask_number(struct engagement *engagement, enum slip_question number,
                       const struct frame *games, struct frame *answer, struct fault *fault) {
    struct frame question;
    bool told = frame_open(&question, SLIP_BYTES_MAX - SLIP_HEAD - SEAL_EXTRA);
    if (!told) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    frame_put_number(&question, number);
    if (games) frame_put(&question, games->bytes + WIRE_HEADER, games->length);
    told = ask(engagement, &question, answer, fault);
    frame_close(&question);
    return told;
}

static void break_off(struct engagement *engagement, const struct fault *fault) {
    pthread_mutex_lock(&engagement->lock);
    if (!atomic_load(&engagement->broken)) engagement->why = *fault;
    atomic_store(&engagement->broken, true);
    atomic_store(&engagement->stop, true);
    pthread_cond_broadcast(&engagement->news);
    pthread_mutex_unlock(&engagement->lock);
}

/* Sends the games in hand, for as long as it takes. False if the engagement ends before. */
static bool send_games(struct slot *slot) {
    struct engagement *engagement = slot->engagement;
    size_t length;
    if (!slot->pairs) return true;
    unsigned char *sealed =
        slip_seal(engagement->key, &engagement->keys, SLIP_GAMES, &slot->games, &length);
    bool sent = false;
    while (sealed && !sent && !is_ending(engagement)) {
        struct fault fault = {0};
        sent = telegraph_post(engagement->options.telegraph, engagement->results, sealed, length,
                              &fault);
        if (!sent && telegraph_stands(engagement->options.telegraph))
            say_trouble(engagement, &fault);
        if (!sent) rest(engagement, RETRY_MS);
    }
    free(sealed);
    if (!sent) return false;
    atomic_fetch_add(&engagement->pairs, slot->pairs);
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
    frame_put_number(&slot->games, ms < SLIP_PAIR_MS ? ms : SLIP_PAIR_MS);
    frame_put_number(&slot->games, (uint32_t)length);
    if (length)
        frame_put(&slot->games, played->bytes + WIRE_HEADER, length);
    else
        slip_put_lack(&slot->games, &slot->lack);
    slot->pairs++;
    return slot->games.length < SEND_BYTES && clock_ms() - slot->sent < SEND_MS ? true
                                                                                : send_games(slot);
}

/* How many pairs the job has; 0 if the match has not signed it, or does not want it any more. */
static size_t job_pairs(const struct engagement *engagement, const struct letter *letter) {
    const unsigned char *bytes = letter->bytes;
    uint64_t number;
    if (letter->length <= SLIP_JOB_HEAD ||
        letter->length > SLIP_JOB_HEAD + SLIP_JOB_PAIRS * sizeof(uint32_t) ||
        !seal_is_signed(engagement->match.key, SLIP_JOB, bytes + SEAL_SIGNATURE,
                        letter->length - SEAL_SIGNATURE, bytes))
        return 0;
    memcpy(&number, bytes + SEAL_SIGNATURE, sizeof number);
    return number < atomic_load(&engagement->job)
               ? 0
               : (letter->length - SLIP_JOB_HEAD) / sizeof(uint32_t);
}

/* Plays the pairs of a job. False if not all were played and sent. */
static bool do_job(struct slot *slot, struct hand *hand, const struct letter *letter) {
    struct engagement *engagement = slot->engagement;
    const size_t count = job_pairs(engagement, letter);
    const unsigned char *pairs = (const unsigned char *)letter->bytes + SLIP_JOB_HEAD;
    for (size_t i = 0; i < count; i++) {
        struct fault fault = {0};
        uint32_t pair;
        memcpy(&pair, pairs + i * sizeof pair, sizeof pair);
        const int64_t start = clock_ms();
        if (atomic_load(&engagement->stop)) return false;
        if (!remote_match_play(engagement->remote, hand, pair, &engagement->stop, &slot->played,
                               &slot->lack, &fault)) {
            if (fault.status != STATUS_OK) break_off(engagement, &fault);
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
    struct engagement *engagement = slot->engagement;
    struct telegraph *telegraph = engagement->options.telegraph;
    struct queue *queue = NULL;
    struct hand hand = remote_match_hand(engagement->remote, !slot->number);
    slot->sent = clock_ms();
    while (!is_ending(engagement) && !atomic_load(&engagement->broken)) {
        struct fault fault = {0};
        struct letter letter;
        if (!queue)
            queue = queue_open(telegraph, STREAM_JOBS, engagement->jobs, engagement->match.match,
                               JOB_SECONDS, &fault);
        if (!queue) {
            if (telegraph_stands(telegraph) && !telegraph_mend(telegraph, &fault))
                say_trouble(engagement, &fault);
            rest(engagement, RETRY_MS);
            continue;
        }
        const int got = queue_fetch(queue, &letter, 1, FETCH_MS);
        if (got < 0) {
            queue_close(queue);
            queue = NULL;
            rest(engagement, RETRY_MS);
        }
        if (got != 1) continue;
        atomic_store(&engagement->announced, clock_ms());
        hold(slot, &letter);
        bool done = do_job(slot, &hand, &letter);
        hold(slot, NULL);
        if (done)
            letter_done(&letter);
        else
            letter_return(&letter, RETURN_MS);
    }
    queue_close(queue);
    hand_close(&hand);
    return NULL;
}

/* Says of the jobs in hand that they are being done. */
static void keep_jobs(struct engagement *engagement) {
    for (int i = 0; i < engagement->threads; i++) {
        struct slot *slot = &engagement->slots[i];
        pthread_mutex_lock(&slot->lock);
        if (slot->letter) {
            letter_keep(slot->letter);
            atomic_store(&engagement->announced, clock_ms());
        }
        pthread_mutex_unlock(&slot->lock);
    }
}

/* Tells the coordinator that this worker is there. A no ends the engagement; if no answer comes,
 * the coordinator may be gone. */
static void stay(struct engagement *engagement) {
    struct frame frame;
    struct fault fault = {0};
    size_t length = 0;
    if (!frame_open(&frame, SLIP_BYTES_MAX)) return;
    slip_put_greeting(&frame, &engagement->greeting);
    frame_put_number(&frame, SLIP_STAYS);
    void *answer = ask_once(engagement, &frame, STAY_MS, &length);
    frame_clear(&frame);
    if (answer) frame_put(&frame, answer, length);
    if (answer && frame_take_number(&frame) != 1 && frame_take_fault(&frame, &fault))
        break_off(engagement, &fault);
    free(answer);
    frame_close(&frame);
}

/* Shows the coordinator that the same games are played here. */
static bool prove(struct engagement *engagement, struct frame *answer, struct fault *fault) {
    struct slot *slot = &engagement->slots[0];
    if (!ask_number(engagement, SLIP_ASKS_KNOWN, NULL, answer, fault)) return false;
    const uint32_t pair = frame_take_number(answer);
    struct hand hand = remote_match_hand(engagement->remote, true);
    const bool played = remote_match_play(engagement->remote, &hand, pair, &engagement->stop,
                                          &slot->played, &slot->lack, fault);
    hand_close(&hand);
    return played && ask_number(engagement, SLIP_SHOWS_KNOWN, &slot->played, answer, fault);
}

static void play(struct engagement *engagement) {
    const int threads = engagement->threads;
    atomic_store(&engagement->plays, true);
    for (int i = 0; i < threads; i++) {
        struct slot *slot = &engagement->slots[i];
        slot->started = !pthread_create(&slot->thread, NULL, fetch_jobs, slot);
    }
    while (!is_ending(engagement) && !atomic_load(&engagement->broken) &&
           clock_ms() - atomic_load(&engagement->announced) < SILENCE_MS) {
        keep_jobs(engagement);
        stay(engagement);
        rest(engagement, KEEP_MS);
    }
    if (!atomic_load(&engagement->broken)) engagement_end(engagement);
    for (int i = 0; i < threads; i++)
        if (engagement->slots[i].started) pthread_join(engagement->slots[i].thread, NULL);
    atomic_store(&engagement->plays, false);
}

/* They may be fewer than the worker's. */
static void tell_threads(struct engagement *engagement) {
    const int threads = remote_match_threads(engagement->remote);
    struct fault fault = {0};
    fault_set(&fault, STATUS_MEMORY,
              "%d of %d threads play: there is no memory for more (--memory)", threads,
              engagement->threads);
    if (threads < engagement->threads) say(engagement, &fault);
    engagement->greeting.threads = engagement->threads = threads;
}

/* The match, from its terms to the end of its part here. False with a fault. */
static bool take_part(struct engagement *engagement, struct frame *answer, struct fault *fault) {
    const struct worker_options *worker = engagement->options.worker;
    const struct remote_match_options options = {.permits = &worker->permits,
                                                 .pieces = engagement->options.pieces,
                                                 .memory = engagement->options.memory,
                                                 .terms = answer,
                                                 .ask = ask,
                                                 .context = engagement};
    if (!ask_number(engagement, SLIP_ASKS_TERMS, NULL, answer, fault)) return false;
    engagement->remote = remote_match_open(&options, worker->threads, fault);
    if (engagement->remote) tell_threads(engagement);
    bool good = engagement->remote && prove(engagement, answer, fault);
    if (good) {
        play(engagement);
        good = !atomic_load(&engagement->broken);
        if (!good) *fault = engagement->why;
    }
    remote_match_close(engagement->remote);
    return good;
}

static void *engage(void *context) {
    struct engagement *engagement = context;
    struct fault fault = {0};
    struct frame answer;
    const bool good = frame_open(&answer, SLIP_BYTES_MAX)
                          ? take_part(engagement, &answer, &fault)
                          : fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    engagement->why = good || is_ending(engagement) ? (struct fault){0} : fault;
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
    engagement->match = *options->match;
    engagement->greeting = options->worker->greeting;
    engagement->threads = threads;
    atomic_store(&engagement->job, options->match->job);
    snprintf(engagement->ask, SUBJECT_MAX, "ensign.ask.%s", engagement->match.match);
    snprintf(engagement->jobs, SUBJECT_MAX, "ensign.jobs.%s", engagement->match.match);
    snprintf(engagement->results, SUBJECT_MAX, "ensign.results.%s", engagement->match.match);
    pthread_mutex_init(&engagement->lock, NULL);
    clock_condition(&engagement->news);
    atomic_store(&engagement->announced, clock_ms());
    for (int i = 0; i < threads; i++) {
        struct slot *slot = &engagement->slots[i];
        *slot = (struct slot){.engagement = engagement, .number = i};
        pthread_mutex_init(&slot->lock, NULL);
        ready = frame_open(&slot->games, SLIP_BYTES_MAX - SLIP_HEAD - SEAL_EXTRA) &&
                frame_open(&slot->played, SLIP_GAMES_MAX) && ready;
    }
    if (!ready) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    ready = ready && seal_worker_draw(engagement->match.key, &options->worker->secret,
                                      engagement->key, &engagement->keys, fault);
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
    atomic_store(&engagement->stop, true);
    pthread_cond_broadcast(&engagement->news);
    pthread_mutex_unlock(&engagement->lock);
}

void engagement_announced(struct engagement *engagement, uint64_t job) {
    atomic_store(&engagement->announced, clock_ms());
    atomic_store(&engagement->job, job);
}

const uint8_t *engagement_key(const struct engagement *engagement) {
    return engagement->key;
}

bool engagement_plays(const struct engagement *engagement) {
    return atomic_load(&engagement->plays);
}

bool engagement_is_over(const struct engagement *engagement) {
    return atomic_load(&engagement->over);
}

const struct fault *engagement_why(const struct engagement *engagement) {
    return &engagement->why;
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
        frame_close(&engagement->slots[i].played);
        pthread_mutex_destroy(&engagement->slots[i].lock);
    }
    free(engagement->slots);
    pthread_cond_destroy(&engagement->news);
    pthread_mutex_destroy(&engagement->lock);
    free(engagement);
}
