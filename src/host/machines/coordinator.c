/* coordinator.c - one thread gives out jobs, takes games and posts them; questions are answered by
 * the telegraph's.
 *
 * Games are acknowledged once the ledger has stored them, so a coordinator that is killed gets them
 * again when it is resumed. */
#include "coordinator.h"

#include "answers.h"
#include "base/clock.h"
#include "issue.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
    HERE = 0,            /* the number of this process among the workers */
    LETTERS = 256,       /* taken at once */
    GATHER_MS = 80,      /* while games gather at the server: each that is awaited is a wake-up */
    WAIT_MS = 20,        /* for games, then */
    ANNOUNCE_MS = 1000,  /* between two announcements and lines */
    RESULT_SECONDS = 60, /* until games that were not acknowledged come again */
    SUBJECT_MAX = 96,
    LINE_MAX_BYTES = 512
};

struct coordinator {
    struct coordinator_options options;
    struct telegraph *telegraph;
    struct roster *roster;
    struct answers *answers; /* of the present consignment; read by the telegraph's threads */
    pthread_mutex_t answering;
    bool listening;
    struct carrier carrier;
    char match[SLIP_MATCH_MAX], session[SLIP_MATCH_MAX]; /* the same and another when resumed */
    char open[SUBJECT_MAX], over[SUBJECT_MAX], ask[SUBJECT_MAX], jobs[SUBJECT_MAX],
        results[SUBJECT_MAX];

    /* While it carries. */
    const struct consignment *consignment;
    struct issue *issue;
    struct queue *queue;
    struct frame letter, games;
    bool again;
    bool more; /* the last letters were as many as are taken at once */
};

static void hear_question(void *context, const char *subject, const void *bytes, size_t length,
                          void **reply, size_t *reply_length) {
    struct coordinator *coordinator = context;
    pthread_mutex_lock(&coordinator->answering);
    if (coordinator->answers)
        answers_hear(coordinator->answers, subject, bytes, length, reply, reply_length);
    pthread_mutex_unlock(&coordinator->answering);
}

static void set_answers(struct coordinator *coordinator, struct answers *answers) {
    pthread_mutex_lock(&coordinator->answering);
    answers_close(coordinator->answers);
    coordinator->answers = answers;
    pthread_mutex_unlock(&coordinator->answering);
}

static bool is_over(const struct coordinator *coordinator) {
    return atomic_load(coordinator->consignment->stop);
}

static void fail(struct coordinator *coordinator, const struct fault *fault) {
    ledger_fail(coordinator->consignment->ledger, fault);
}

/* Plays a pair in this thread. False if the match is over, or after a failure. */
static bool play_here(struct coordinator *coordinator, uint32_t number, struct finished *games[2]) {
    const struct consignment *consignment = coordinator->consignment;
    struct fault fault = {0};
    struct pair pair = {.match = consignment->match,
                        .options = consignment->options,
                        .nursery = consignment->options->nursery,
                        .stop = consignment->stop,
                        .number = number};
    if (pair_play_both(&pair, games, &fault)) return true;
    if (fault.status != STATUS_OK) fail(coordinator, &fault);
    return false;
}

/* Posts what the ledger has not. */
static void post(struct coordinator *coordinator, struct finished *const games[2]) {
    struct ledger *ledger = coordinator->consignment->ledger;
    for (int i = 0; i < 2; i++)
        if (ledger_has(ledger, games[i]->number))
            finished_free(games[i]);
        else
            ledger_post(ledger, games[i]);
}

/* Plays a pair here and counts it. */
static bool play_and_count(struct coordinator *coordinator, uint32_t pair, uint64_t *digest) {
    const int64_t start = clock_ms();
    struct finished *games[2];
    if (!play_here(coordinator, pair, games)) return false;
    *digest = games_digest(games);
    issue_take(coordinator->issue, pair, *digest, HERE, (uint32_t)(clock_ms() - start));
    post(coordinator, games);
    return true;
}

static bool play_known(struct coordinator *coordinator) {
    const struct consignment *consignment = coordinator->consignment;
    const uint32_t known = consignment_next(consignment, 0);
    uint64_t digest;
    if (!play_and_count(coordinator, known, &digest)) return false;
    const struct answers_options options = {.match = consignment->match,
                                            .options = consignment->options,
                                            .variant = coordinator->options.variant,
                                            .version = coordinator->options.version,
                                            .trust = coordinator->options.trust,
                                            .programs = tournament_has_guests(consignment->match),
                                            .known = known,
                                            .digest = digest,
                                            .roster = coordinator->roster};
    struct answers *answers = answers_open(&options);
    if (!answers) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        fail(coordinator, &fault);
        return false;
    }
    set_answers(coordinator, answers);
    return true;
}

static void announce(struct coordinator *coordinator) {
    telegraph_tell(coordinator->telegraph, coordinator->open,
                   json_pack("{s:s, s:s, s:i, s:s}", "match", coordinator->match, "session",
                             coordinator->session, "protocol", SLIP_PROTOCOL, "version",
                             coordinator->options.version));
}

/* Tells one worker, or all of them, that they are not wanted any more. */
static void say_over(struct coordinator *coordinator, const char *worker, const char *why) {
    telegraph_tell(coordinator->telegraph, coordinator->over,
                   json_pack("{s:s?, s:s}", "worker", worker, "why", why));
}

static void report(struct coordinator *coordinator, int64_t now) {
    const struct coordinator_options *options = &coordinator->options;
    char line[LINE_MAX_BYTES];
    if (!options->report) return;
    if (!telegraph_stands(coordinator->telegraph)) {
        snprintf(line, sizeof line, "no connection to %s", telegraph_url(coordinator->telegraph));
    } else {
        roster_line(coordinator->roster, now, line, sizeof line);
        const size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, ", %" PRIu32 " jobs out",
                 issue_open_jobs(coordinator->issue));
    }
    options->report(options->context, coordinator->consignment->match, line);
}

/* Gives out jobs until enough are out. */
static void give_jobs(struct coordinator *coordinator) {
    static uint32_t pairs[ISSUE_PAIRS_MAX];
    const int64_t now = clock_ms();
    const int threads = roster_threads(coordinator->roster, now);
    uint32_t count;
    if (!telegraph_stands(coordinator->telegraph)) return;
    while (!is_over(coordinator) &&
           (count = issue_job(coordinator->issue, now, threads, pairs)) > 0) {
        struct fault fault = {0};
        /* One that is lost is given out again later. */
        if (!telegraph_post(coordinator->telegraph, coordinator->jobs, pairs, count * sizeof *pairs,
                            &fault))
            break;
    }
}

/* Has all pairs of a worker played again. How many there are. */
static uint32_t strike(struct coordinator *coordinator, uint32_t worker) {
    const struct consignment *consignment = coordinator->consignment;
    uint32_t struck = 0;
    for (uint32_t pair = 0; pair < consignment->match->game_count / 2; pair++) {
        if (issue_worker(coordinator->issue, pair) != worker) continue;
        if (!ledger_strike(consignment->ledger, pair)) {
            struct fault fault = {0};
            fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
            fail(coordinator, &fault);
        }
        struck++;
    }
    coordinator->again = coordinator->again || struck;
    return struck;
}

/* Trusts a worker no more. */
static void ban(struct coordinator *coordinator, uint32_t worker, const char *why) {
    const struct coordinator_options *options = &coordinator->options;
    char name[SLIP_WORKER_MAX], line[LINE_MAX_BYTES];
    if (roster_is_banned(coordinator->roster, worker)) return;
    roster_ban(coordinator->roster, worker);
    roster_name(coordinator->roster, worker, name);
    const uint32_t struck = strike(coordinator, worker);
    int used = snprintf(line, sizeof line, "worker %s %s: it is not trusted any more", name, why);
    if (struck)
        snprintf(line + used, sizeof line - (size_t)used,
                 ", and the %" PRIu32 " pairs that it has sent are played again", struck);
    if (options->warn) options->warn(options->context, line);
    say_over(coordinator, name, "it has sent games that this match cannot have");
}

/* Two workers disagree about a pair: it is played here. */
static void settle_dispute(struct coordinator *coordinator, uint32_t pair, uint64_t digest,
                           uint32_t worker) {
    char why[96];
    const uint32_t before = issue_worker(coordinator->issue, pair);
    struct finished *games[2];
    if (!play_here(coordinator, pair, games)) return;
    const uint64_t truth = games_digest(games);
    for (int i = 0; i < 2; i++) finished_free(games[i]);
    snprintf(why, sizeof why, "has sent games that are not those of this match (pair %" PRIu32 ")",
             pair + 1);
    if (digest != truth) ban(coordinator, worker, why);
    if (issue_digest(coordinator->issue, pair) != truth && before != HERE)
        ban(coordinator, before, why);
}

/* The games of one pair. False if the rest of the letter makes no sense. */
static bool take_pair(struct coordinator *coordinator, uint32_t worker) {
    const struct tournament *match = coordinator->consignment->match;
    struct frame *letter = &coordinator->letter;
    const uint32_t pair = frame_take_number(letter), ms = frame_take_number(letter);
    const uint32_t length = frame_take_number(letter);
    if (letter->broken || pair >= match->game_count / 2 || length > letter->length - letter->at)
        return false;
    /* Games too long for a message. */
    if (!length)
        return issue_finished(coordinator->issue, pair) ||
               play_and_count(coordinator, pair, &(uint64_t){0}) || is_over(coordinator);
    frame_clear(&coordinator->games);
    frame_put(&coordinator->games, letter->bytes + WIRE_HEADER + letter->at, length);
    letter->at += length;
    struct finished *games[2];
    if (!games_take(&coordinator->games, match, pair, games)) return false;
    const uint64_t digest = games_digest(games);
    enum issue_verdict verdict = issue_take(coordinator->issue, pair, digest, worker, ms);
    roster_count(coordinator->roster, worker);
    if (verdict == ISSUE_NEW) {
        post(coordinator, games);
        return true;
    }
    for (int i = 0; i < 2; i++) finished_free(games[i]);
    if (verdict == ISSUE_OTHER) settle_dispute(coordinator, pair, digest, worker);
    return true;
}

static void take_letter(struct coordinator *coordinator, const struct letter *from) {
    struct frame *letter = &coordinator->letter;
    struct slip_greeting greeting;
    frame_clear(letter);
    frame_put(letter, from->bytes, from->length);
    if (!slip_take_greeting(letter, &greeting)) return;
    const uint32_t worker = roster_number(coordinator->roster, greeting.worker);
    if (!worker) return;
    while (letter->at < letter->length && !coordinator->again && !is_over(coordinator)) {
        if (roster_is_banned(coordinator->roster, worker)) return;
        if (!take_pair(coordinator, worker))
            ban(coordinator, worker, "has sent games that make no sense");
    }
}

static void take_games(struct coordinator *coordinator) {
    struct letter letters[LETTERS];
    if (!coordinator->more) usleep(GATHER_MS * 1000);
    const int count = queue_fetch(coordinator->queue, letters, LETTERS, WAIT_MS);
    for (int i = 0; i < count && !coordinator->again; i++) take_letter(coordinator, &letters[i]);
    ledger_settle(coordinator->consignment->ledger);
    for (int i = 0; i < count; i++) letter_done(&letters[i]);
    coordinator->more = count == LETTERS;
}

static void give_and_take(struct coordinator *coordinator) {
    int64_t announced = 0;
    while (!is_over(coordinator) && !coordinator->again && issue_left(coordinator->issue)) {
        const int64_t now = clock_ms();
        if (now - announced >= ANNOUNCE_MS) {
            announce(coordinator);
            report(coordinator, now);
            announced = now;
        }
        telegraph_hear_collected(coordinator->telegraph);
        give_jobs(coordinator);
        take_games(coordinator);
    }
}

/* Nothing is left in the server of a match that has ended; of one that was broken off the games
 * that are still on their way. */
static void clear_up(struct coordinator *coordinator) {
    struct telegraph *telegraph = coordinator->telegraph;
    const bool ended = !issue_left(coordinator->issue) || coordinator->consignment->match->decision;
    telegraph_purge(telegraph, STREAM_JOBS, coordinator->jobs, ended ? coordinator->match : NULL);
    if (ended) telegraph_purge(telegraph, STREAM_RESULTS, coordinator->results, coordinator->match);
    say_over(coordinator, NULL, ended ? "the match has ended" : "the match was broken off");
}

static bool get_ready(struct coordinator *coordinator) {
    struct fault fault = {0};
    struct telegraph *telegraph = coordinator->telegraph;
    telegraph_purge(telegraph, STREAM_JOBS, coordinator->jobs, NULL);
    coordinator->queue = queue_open(telegraph, STREAM_RESULTS, coordinator->results,
                                    coordinator->match, RESULT_SECONDS, &fault);
    bool ready = coordinator->queue;
    if (ready && !coordinator->listening) {
        coordinator->listening =
            telegraph_collect(telegraph, "ensign.worker.*", roster_hear, coordinator->roster,
                              &fault) &&
            telegraph_listen(telegraph, coordinator->ask, hear_question, coordinator, &fault);
        ready = coordinator->listening;
    }
    if (!ready) fail(coordinator, &fault);
    return ready;
}

static bool carry(void *self, const struct consignment *consignment) {
    struct coordinator *coordinator = self;
    struct random random;
    struct chance chance;
    coordinator->consignment = consignment;
    coordinator->again = false;
    if (consignment_next(consignment, 0) == consignment->match->game_count / 2) return false;
    /* Not from the seed of the match, which workers know. */
    if (getrandom(chance.bytes, sizeof chance.bytes, 0) != (ssize_t)sizeof chance.bytes)
        memset(&chance, 0, sizeof chance);
    random = chance_random(&chance, CHANCE_CHECK, 0);
    coordinator->issue = issue_open(consignment, random);
    if (!coordinator->issue) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        fail(coordinator, &fault);
        return false;
    }
    if (get_ready(coordinator) && play_known(coordinator)) give_and_take(coordinator);
    set_answers(coordinator, NULL);
    if (!coordinator->again) clear_up(coordinator);
    queue_close(coordinator->queue);
    coordinator->queue = NULL;
    issue_close(coordinator->issue);
    coordinator->issue = NULL;
    return coordinator->again;
}

struct coordinator *coordinator_open(const struct coordinator_options *options,
                                     struct fault *fault) {
    struct coordinator *coordinator = calloc(1, sizeof *coordinator);
    if (!coordinator) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&coordinator->answering, NULL);
    coordinator->options = *options;
    coordinator->carrier = (struct carrier){carry, coordinator};
    if (!frame_open(&coordinator->letter, SLIP_BYTES_MAX) ||
        !frame_open(&coordinator->games, SLIP_BYTES_MAX) || !(coordinator->roster = roster_open()))
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    else if (slip_draw_id(coordinator->session, fault) &&
             (coordinator->telegraph = telegraph_open(&options->server, fault)))
        return coordinator;
    coordinator_close(coordinator);
    return NULL;
}

void coordinator_close(struct coordinator *coordinator) {
    if (!coordinator) return;
    telegraph_close(coordinator->telegraph);
    set_answers(coordinator, NULL);
    roster_close(coordinator->roster);
    frame_close(&coordinator->letter);
    frame_close(&coordinator->games);
    pthread_mutex_destroy(&coordinator->answering);
    free(coordinator);
}

const struct carrier *coordinator_carrier(struct coordinator *coordinator, const char *match) {
    struct coordinator *c = coordinator;
    snprintf(c->match, sizeof c->match, "%s", match);
    roster_begin(c->roster, match);
    snprintf(c->open, sizeof c->open, "ensign.open.%s", match);
    snprintf(c->over, sizeof c->over, "ensign.over.%s", match);
    snprintf(c->ask, sizeof c->ask, "ensign.ask.%s", match);
    snprintf(c->jobs, sizeof c->jobs, "ensign.jobs.%s", match);
    snprintf(c->results, sizeof c->results, "ensign.results.%s", match);
    return &c->carrier;
}
