/* coordinator.c - one thread gives out jobs, takes games and posts them; questions are answered by
 * the jetstream's, and another one plays pairs again (audit.h).
 *
 * Every user of the server can send anything. A message counts only if a worker that was admitted
 * has sealed it for this match; one that comes again says what is known already. Streams that
 * somebody removes are made again. */
#include "coordinator.h"

#include "answers.h"
#include "audit.h"
#include "base/clock.h"
#include "notices.h"
#include "schedule.h"
#include "verify.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LETTERS = 64,        /* taken at once */
    GATHER_MS = 80,      /* while games gather at the server: each that is awaited is a wake-up */
    WAIT_MS = 20,        /* for games, then */
    ANNOUNCE_MS = 1000,  /* between two announcements and lines */
    RESULT_SECONDS = 60, /* until games that were not acknowledged come again */
    LOST_LOOKS = 5,      /* so often the server has no job while some are out: they are lost */
    COMPLAIN_MS = 10000, /* between two lines on the server, */
    DROPPED_MS = 60000,  /* and between two on messages that do not count */
    VERIFIED = 8,        /* one pair in so many has its records replayed, */
    FIRST_PAIRS = 4,     /* and the first of each worker, and all with --sprt */
    AUDITED = 32,        /* one pair in so many is played again here, and each worker's first */
    RECOUNT_MS = 10000,  /* between two counts of all games because of lies, at least, */
    RECOUNT_SHARE = 20,  /* and so many times as long as the last one took */
    SUBJECT_MAX = 96,
    LINE_MAX_BYTES = 512
};

struct coordinator {
    struct coordinator_options options;
    struct seal_match seal;
    struct jetstream *jetstream;
    struct worker_list *list;
    struct answers *answers; /* of the present batch; read by the jetstream's threads */
    pthread_mutex_t answering;
    struct executor executor;
    char open[SUBJECT_MAX], over[SUBJECT_MAX], ask[SUBJECT_MAX], jobs[SUBJECT_MAX],
        results[SUBJECT_MAX], former[SUBJECT_MAX]; /* the last: jobs of another process */
    uint64_t announced;                            /* how many times */

    /* While it carries. */
    const struct batch *batch;
    struct schedule *schedule;
    struct audit *audit;
    struct queue *queue;  /* NULL: it is gone */
    struct random chance; /* picks what is looked at more closely */
    struct frame letter, games;
    uint32_t pairs[SCHEDULE_PAIRS_MAX],
        count; /* a job that could not be sent yet, and its number */
    uint64_t number;
    bool lied;                  /* there are games of workers that are not trusted any more */
    bool stale;                 /* some that were struck are counted */
    int64_t recount;            /* not before; 0: at once */
    uint32_t compared, refuted; /* pairs of workers that were played here too; and were false */
    bool more;                  /* the last letters were as many as are taken at once */
    int looks;                  /* how often the server had no job in a row */
    int64_t complained;
    uint64_t dropped, dropped_told; /* messages that do not count */
    int64_t dropped_at;
};

static void hear_question(void *context, const char *subject, const void *bytes, size_t length,
                          void **reply, size_t *reply_length) {
    struct coordinator *coordinator = context;
    (void)subject;
    pthread_mutex_lock(&coordinator->answering);
    if (coordinator->answers)
        *reply = answers_hear(coordinator->answers, bytes, length, reply_length);
    pthread_mutex_unlock(&coordinator->answering);
}

static void set_answers(struct coordinator *coordinator, struct answers *answers) {
    pthread_mutex_lock(&coordinator->answering);
    answers_close(coordinator->answers);
    coordinator->answers = answers;
    pthread_mutex_unlock(&coordinator->answering);
}

static bool is_over(const struct coordinator *coordinator) {
    return atomic_load(coordinator->batch->stop);
}

static void fail(struct coordinator *coordinator, const struct fault *fault) {
    result_writer_fail(coordinator->batch->writer, fault);
}

static void warn(struct coordinator *coordinator, const char *line) {
    const struct coordinator_options *options = &coordinator->options;
    if (options->warn) options->warn(options->context, line);
}

/* Says what is wrong with the server, but not all the time. */
static void complain(struct coordinator *coordinator, const char *line) {
    const int64_t now = clock_ms();
    if (coordinator->complained && now - coordinator->complained < COMPLAIN_MS) return;
    coordinator->complained = now;
    warn(coordinator, line);
}

/* Posts what the result writer has not. */
static void post(struct coordinator *coordinator, struct finished *const games[2]) {
    struct result_writer *writer = coordinator->batch->writer;
    for (int i = 0; i < 2; i++)
        if (result_writer_has(writer, games[i]->number))
            finished_free(games[i]);
        else
            result_writer_post(writer, games[i]);
}

/* Counts a pair that was played here. Of one that is overdue others may have other games. */
static void count_here(struct coordinator *coordinator, const struct audited *played) {
    schedule_take(coordinator->schedule, played->pair, played->overdue ? 0 : played->digest,
                  SCHEDULE_HERE, played->ms);
    post(coordinator, played->games);
}

/* Whether games fit into a message. */
static bool can_be_sent(struct coordinator *coordinator, struct finished *const games[2]) {
    frame_clear(&coordinator->games);
    games_put(&coordinator->games, games);
    return !coordinator->games.broken && coordinator->games.length <= MESSAGES_GAMES_MAX;
}

/* Plays a pair in the other thread and counts it. 0 if the match ends before, or after a failure.
 */
static uint64_t play_here(struct coordinator *coordinator, uint32_t pair, bool *shows) {
    struct audited played = {.digest = 0};
    struct fault fault = {0};
    audit_add(coordinator->audit, &(struct audited){.why = AUDIT_LACK, .pair = pair});
    while (!played.digest && !is_over(coordinator) && fault.status == STATUS_OK) {
        audit_wait(coordinator->audit, GATHER_MS);
        audit_take(coordinator->audit, &played, &fault);
    }
    if (fault.status != STATUS_OK) fail(coordinator, &fault);
    if (!played.digest) return 0;
    *shows = !played.overdue && can_be_sent(coordinator, played.games);
    for (int i = 0; i < 4; i++) *shows = *shows && played.games[i / 2]->setup[i % 2][0];
    count_here(coordinator, &played);
    return played.digest;
}

/* The pair that shows of workers that they play as this process does, before there are any: the
 * first in which all armies stood, since names of set-ups that are not there are told to nobody. */
static bool play_known(struct coordinator *coordinator) {
    const struct batch *batch = coordinator->batch;
    const uint32_t pairs = batch->match->game_count / 2;
    struct fault fault = {0};
    uint32_t known = consignment_next(batch, 0), next = known;
    uint64_t digest = 0;
    for (bool shows = false; !shows && next < pairs; next = consignment_next(batch, next + 1))
        if (!(digest = play_here(coordinator, known = next, &shows))) return false;
    const struct answers_options options = {.match = batch->match,
                                            .options = batch->options,
                                            .seal = &coordinator->seal,
                                            .secret = &coordinator->options.secret,
                                            .variant = coordinator->options.variant,
                                            .version = coordinator->options.version,
                                            .trust = coordinator->options.trust,
                                            .known = known,
                                            .digest = digest,
                                            .list = coordinator->list};
    struct answers *answers = answers_open(&options);
    if (!answers) {
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        fail(coordinator, &fault);
        return false;
    }
    set_answers(coordinator, answers);
    return true;
}

static void announce(struct coordinator *coordinator) {
    jetstream_tell(coordinator->jetstream, coordinator->open,
                   notice_open_write(&coordinator->seal, &coordinator->options.secret,
                                     coordinator->options.version, ++coordinator->announced,
                                     schedule_oldest_number(coordinator->schedule)));
}

static void report(struct coordinator *coordinator, int64_t now) {
    const struct coordinator_options *options = &coordinator->options;
    char line[LINE_MAX_BYTES];
    if (!options->report) return;
    if (!jetstream_stands(coordinator->jetstream)) {
        snprintf(line, sizeof line, "no connection to %s", jetstream_url(coordinator->jetstream));
    } else {
        worker_list_line(coordinator->list, now, line, sizeof line);
        const size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, ", %" PRIu32 " jobs out",
                 schedule_open_jobs(coordinator->schedule));
    }
    options->report(options->context, coordinator->batch->match, line);
}

/* Sends the job in hand, signed. */
static bool send_job(struct coordinator *coordinator) {
    static unsigned char message[MESSAGES_JOB_HEAD + sizeof coordinator->pairs];
    struct fault fault = {0};
    const size_t size = coordinator->count * sizeof *coordinator->pairs;
    memcpy(message + SEAL_SIGNATURE, &coordinator->number, sizeof coordinator->number);
    memcpy(message + MESSAGES_JOB_HEAD, coordinator->pairs, size);
    seal_sign(&coordinator->seal, MESSAGES_JOB, message + SEAL_SIGNATURE,
              sizeof coordinator->number + size, message);
    if (jetstream_post(coordinator->jetstream, coordinator->jobs, message, MESSAGES_JOB_HEAD + size,
                       &fault))
        return true;
    complain(coordinator, fault.text);
    return false;
}

/* Gives out jobs until enough are out, but games must be taken meanwhile. */
static void give_jobs(struct coordinator *coordinator) {
    const int64_t now = clock_ms();
    const int threads = worker_list_threads(coordinator->list, now);
    while (!is_over(coordinator) && jetstream_stands(coordinator->jetstream) &&
           clock_ms() - now < ANNOUNCE_MS) {
        if (!coordinator->count) {
            coordinator->number = schedule_next_number(coordinator->schedule);
            coordinator->count =
                schedule_job(coordinator->schedule, now, threads, coordinator->pairs);
        }
        if (!coordinator->count || !send_job(coordinator)) return;
        coordinator->count = 0;
    }
}

/* How many pairs of a worker are counted. */
static uint32_t count_pairs(const struct coordinator *coordinator, uint32_t worker) {
    uint32_t count = 0;
    for (uint32_t pair = 0; pair < coordinator->batch->match->game_count / 2; pair++)
        count += schedule_worker(coordinator->schedule, pair) == worker;
    return count;
}

/* Strikes the pairs of those that are not trusted any more, to be played again: if this process is
 * killed now, no lie of theirs is left. */
static void strike(struct coordinator *coordinator) {
    const struct batch *batch = coordinator->batch;
    struct schedule *schedule = coordinator->schedule;
    struct fault fault = {0};
    bool good = true, any = false;
    for (uint32_t pair = 0; good && pair < batch->match->game_count / 2; pair++) {
        const uint32_t worker = schedule_worker(schedule, pair);
        if (worker == SCHEDULE_HERE || worker == SCHEDULE_NOBODY ||
            !worker_list_is_banned(coordinator->list, worker))
            continue;
        good = result_writer_strike(batch->writer, pair);
        schedule_strike(schedule, pair);
        any = true;
    }
    coordinator->lied = false;
    coordinator->stale = coordinator->stale || any;
    if (!good) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    if (!good || (any && !result_writer_drop(batch->writer, &fault))) fail(coordinator, &fault);
}

/* Counts anew what is left. Whoever joins again and again to lie must not have the match do nothing
 * else, so it is done seldom, and at the end. */
static void recount(struct coordinator *coordinator) {
    struct fault fault = {0};
    const int64_t start = clock_ms();
    if (!result_writer_anew(coordinator->batch->writer, &fault)) fail(coordinator, &fault);
    const int64_t now = clock_ms(), share = RECOUNT_SHARE * (now - start);
    coordinator->recount = now + (share > RECOUNT_MS ? share : RECOUNT_MS);
    coordinator->stale = false;
}

/* Tells one worker, or all of them, that they are not wanted any more. */
static void say_over(struct coordinator *coordinator, uint32_t worker, const char *why) {
    struct notice_over notice = {.everybody = !worker};
    if (worker && !worker_list_key(coordinator->list, worker, notice.worker)) return;
    snprintf(notice.why, sizeof notice.why, "%s", why);
    jetstream_tell(coordinator->jetstream, coordinator->over,
                   notice_over_write(&coordinator->seal, &notice));
}

/* Trusts a worker no more. */
static void ban(struct coordinator *coordinator, uint32_t worker, const char *why) {
    char name[WORKER_LIST_NAME_MAX], line[LINE_MAX_BYTES];
    if (worker_list_is_banned(coordinator->list, worker)) return;
    worker_list_ban(coordinator->list, worker);
    worker_list_name(coordinator->list, worker, name);
    const uint32_t struck = count_pairs(coordinator, worker);
    coordinator->lied = coordinator->lied || struck;
    int used = snprintf(line, sizeof line, "worker %s %s: it is not trusted any more", name, why);
    if (struck && used < (int)sizeof line)
        snprintf(line + used, sizeof line - (size_t)used,
                 ", and the %" PRIu32 " pairs that it has sent are played again", struck);
    warn(coordinator, line);
    say_over(coordinator, worker, "it has sent games that this match cannot have");
}

static void ban_for_pair(struct coordinator *coordinator, uint32_t worker, uint32_t pair) {
    char why[96];
    snprintf(why, sizeof why, "has sent games that are not those of this match (pair %" PRIu32 ")",
             pair + 1);
    ban(coordinator, worker, why);
}

/* Whether a worker's games of a pair are those that were played here: it is banned if not. */
static bool is_true(struct coordinator *coordinator, uint32_t worker, uint32_t pair, bool same) {
    coordinator->compared++;
    if (same) return true;
    coordinator->refuted++;
    ban_for_pair(coordinator, worker, pair);
    return false;
}

static void judge_pair(struct coordinator *coordinator, uint32_t pair, uint64_t truth) {
    const uint32_t worker = schedule_worker(coordinator->schedule, pair);
    if (worker == SCHEDULE_HERE || worker == SCHEDULE_NOBODY) return;
    if (is_true(coordinator, worker, pair, schedule_digest(coordinator->schedule, pair) == truth))
        schedule_trust(coordinator->schedule, pair);
}

/* Whether no worker can have sent the games of a pair that has been played here. */
static bool lack_is_true(struct coordinator *coordinator, const struct audited *played) {
    const struct messages_lack *lack = &played->lack;
    struct sources *sources = coordinator->batch->options->sources;
    /* It may be there or not: who lies must not learn which. */
    if (lack->sort == FOLDER_SETUPS) return true;
    if (lack->sort == MESSAGES_LACKS_FILE)
        return sources_size(sources, lack->name) != SOURCES_UNREAD;
    if (lack->sort == MESSAGES_LACKS_TIME) return true; /* nobody can say */
    return lack->sort == MESSAGES_LACKS_ROOM && !can_be_sent(coordinator, played->games);
}

/* A pair has been played here: whoever has said something else of it is found out. */
static void judge(struct coordinator *coordinator, const struct audited *played) {
    const bool sure = !tournament_has_externals(coordinator->batch->match) && !played->overdue;
    const bool lies = played->why == AUDIT_LACK && sure && !lack_is_true(coordinator, played);
    if (sure) judge_pair(coordinator, played->pair, played->digest);
    if (sure && played->why == AUDIT_CLAIM)
        is_true(coordinator, played->worker, played->pair, played->claim == played->digest);
    if (lies) ban(coordinator, played->worker, "has sent games that make no sense");
    /* A lie makes room for the truth, so that nobody can lie about the same pair again. */
    if (coordinator->lied) strike(coordinator);
    if (!is_over(coordinator) && !schedule_finished(coordinator->schedule, played->pair))
        count_here(coordinator, played);
    else
        for (int i = 0; i < 2; i++) finished_free(played->games[i]);
}

/* Whether the games can be counted as far as can be said without playing them. */
static bool games_fit(struct coordinator *coordinator, uint32_t worker, uint64_t sent,
                      struct finished *const games[2]) {
    const struct batch *batch = coordinator->batch;
    const struct tournament_options *options = batch->options;
    const uint32_t pair = games[0]->number / 2;
    if (!pair_allows(batch->match, options, games)) {
        ban_for_pair(coordinator, worker, pair);
        return false;
    }
    if (!options->sprt && sent >= FIRST_PAIRS && random_below(&coordinator->chance, VERIFIED))
        return true;
    for (int i = 0; i < 2; i++) {
        struct fault fault = {0};
        char why[FAULT_TEXT_MAX + 64];
        if (verify_game(batch->match, options, games[i], &fault)) continue;
        snprintf(why, sizeof why, "has sent a record that cannot be (game %" PRIu32 ": %.200s)",
                 games[i]->number + 1, fault.text);
        ban(coordinator, worker, why);
        return false;
    }
    return true;
}

/* Counts games of a pair that is not finished. */
static void count_games(struct coordinator *coordinator, uint32_t worker, uint32_t ms,
                        struct finished *const games[2]) {
    const uint32_t pair = games[0]->number / 2;
    const uint64_t sent = worker_list_count(coordinator->list, worker);
    if (!games_fit(coordinator, worker, sent - 1, games)) {
        for (int i = 0; i < 2; i++) finished_free(games[i]);
        return;
    }
    schedule_take(coordinator->schedule, pair, games_digest(games), worker, ms);
    post(coordinator, games);
    /* A program need not play the same game again. */
    const struct audited asked = {.why = sent == 1 ? AUDIT_FIRST : AUDIT_DRAWN, .pair = pair};
    if (!tournament_has_externals(coordinator->batch->match) &&
        (sent == 1 || !random_below(&coordinator->chance, AUDITED)))
        audit_add(coordinator->audit, &asked);
}

/* A pair whose games the worker cannot send, it says: it is played here. */
static bool take_lack(struct coordinator *coordinator, uint32_t worker, uint32_t pair) {
    struct audited asked = {.why = AUDIT_LACK, .pair = pair, .worker = worker};
    if (!messages_take_lack(&coordinator->letter, &asked.lack)) return false;
    if (!schedule_finished(coordinator->schedule, pair)) audit_add(coordinator->audit, &asked);
    return true;
}

/* A worker has sent games that are not those counted: one of two is wrong. */
static void dispute(struct coordinator *coordinator, uint32_t worker, uint32_t pair,
                    uint64_t claim) {
    const struct audited asked = {.why = AUDIT_CLAIM,
                                  .pair = pair,
                                  .worker = worker,
                                  .claim = claim,
                                  .merit = worker_list_pairs(coordinator->list, worker)};
    if (schedule_worker(coordinator->schedule, pair) == SCHEDULE_HERE)
        is_true(coordinator, worker, pair, false);
    else
        audit_add(coordinator->audit, &asked);
}

/* The games of one pair. False if the rest of the letter makes no sense. */
static bool take_pair(struct coordinator *coordinator, uint32_t worker) {
    const struct tournament *match = coordinator->batch->match;
    struct frame *letter = &coordinator->letter;
    const uint32_t pair = frame_take_number(letter), ms = frame_take_number(letter);
    const uint32_t length = frame_take_number(letter);
    if (letter->broken || pair >= match->game_count / 2 || ms > MESSAGES_PAIR_MS ||
        length > letter->length - letter->at)
        return false;
    if (!length) return take_lack(coordinator, worker, pair);
    frame_clear(&coordinator->games);
    frame_put(&coordinator->games, letter->bytes + CHANNEL_HEADER + letter->at, length);
    letter->at += length;
    struct finished *games[2];
    if (!games_take(&coordinator->games, match, pair, games)) return false;
    if (!schedule_finished(coordinator->schedule, pair)) {
        count_games(coordinator, worker, ms, games);
        return true;
    }
    const uint64_t digest = games_digest(games);
    for (int i = 0; i < 2; i++) finished_free(games[i]);
    /* Two disagree; but a program need not play the same game again. */
    if (schedule_take(coordinator->schedule, pair, digest, worker, ms) == SCHEDULE_OTHER &&
        !tournament_has_externals(match))
        dispute(coordinator, worker, pair, digest);
    return true;
}

/* Opens a letter. The number of the worker that has sealed it; 0 if it is none of the match. */
static uint32_t open_letter(struct coordinator *coordinator, const struct letter *from) {
    struct frame *letter = &coordinator->letter;
    struct seal_keys keys;
    uint32_t protocol;
    if (from->length < MESSAGES_HEAD + SEAL_EXTRA || from->length > MESSAGES_BYTES_MAX) return 0;
    const unsigned char *bytes = from->bytes;
    memcpy(&protocol, bytes, sizeof protocol);
    const uint32_t worker =
        protocol == MESSAGES_PROTOCOL
            ? worker_list_sender(coordinator->list, bytes + sizeof protocol, &keys)
            : 0;
    if (!worker) return 0;
    /* Room for what it opens to. */
    frame_clear(letter);
    frame_put(letter, bytes + MESSAGES_HEAD + SEAL_EXTRA,
              from->length - MESSAGES_HEAD - SEAL_EXTRA);
    return !letter->broken &&
                   seal_open(keys.to_match, MESSAGES_GAMES, NULL, bytes + MESSAGES_HEAD,
                             from->length - MESSAGES_HEAD, letter->bytes + CHANNEL_HEADER)
               ? worker
               : 0;
}

static void take_letter(struct coordinator *coordinator, const struct letter *from) {
    struct frame *letter = &coordinator->letter;
    const uint32_t worker = open_letter(coordinator, from);
    if (!worker)
        coordinator->dropped++;
    else
        schedule_hear(coordinator->schedule, clock_ms());
    while (worker && letter->at < letter->length && !is_over(coordinator)) {
        if (worker_list_is_banned(coordinator->list, worker)) return;
        if (!take_pair(coordinator, worker))
            ban(coordinator, worker, "has sent games that make no sense");
    }
}

static void tell_dropped(struct coordinator *coordinator, int64_t now, bool at_end) {
    const uint64_t count = coordinator->dropped - coordinator->dropped_told;
    char line[LINE_MAX_BYTES];
    const bool soon = coordinator->dropped_told && now - coordinator->dropped_at < DROPPED_MS;
    if (!count || (soon && !at_end)) return;
    snprintf(line, sizeof line,
             "%" PRIu64 " message%s to this match %s not from its workers and %s not counted",
             count, count > 1 ? "s" : "", count > 1 ? "are" : "is", count > 1 ? "are" : "is");
    coordinator->dropped_told = coordinator->dropped;
    coordinator->dropped_at = now;
    warn(coordinator, line);
}

static bool open_queue(struct coordinator *coordinator, struct fault *fault) {
    coordinator->queue = queue_open(coordinator->jetstream, STREAM_RESULTS, coordinator->results,
                                    coordinator->seal.id, RESULT_SECONDS, fault);
    return coordinator->queue;
}

/* Somebody has removed the streams, or the queue. What was in them is lost. */
static void mend(struct coordinator *coordinator) {
    struct fault fault = {0};
    queue_close(coordinator->queue);
    coordinator->queue = NULL;
    if (!jetstream_stands(coordinator->jetstream)) return;
    if (jetstream_mend(coordinator->jetstream, &fault) && open_queue(coordinator, &fault)) {
        schedule_lose(coordinator->schedule);
        complain(coordinator, "somebody has removed this match's streams at the server: they are "
                              "made again");
    } else if (jetstream_stands(coordinator->jetstream)) {
        complain(coordinator, fault.text);
    }
}

/* The server keeps a job until all of its games have been sent, so some that are out are there. */
static void look_for_jobs(struct coordinator *coordinator) {
    const bool there =
        !schedule_open_jobs(coordinator->schedule) || coordinator->count ||
        jetstream_has_messages(coordinator->jetstream, STREAM_JOBS, coordinator->jobs);
    coordinator->looks = there ? 0 : coordinator->looks + 1;
    if (coordinator->looks < LOST_LOOKS) return;
    coordinator->looks = 0;
    schedule_lose(coordinator->schedule);
}

/* Somebody may fetch jobs or games at the server, or have changed the queues: they are made anew.
 */
static void look_for_games(struct coordinator *coordinator, int64_t now) {
    const int threads = worker_list_threads(coordinator->list, now);
    const int64_t silence = schedule_silence(coordinator->schedule, now, threads);
    char line[LINE_MAX_BYTES];
    if (!silence) return;
    snprintf(line, sizeof line,
             "no games have come for %" PRId64
             " s, although %d thread%s this match: they are slow, "
             "or somebody takes jobs or games away at the server",
             silence / 1000, threads, threads > 1 ? "s play" : " plays");
    complain(coordinator, line);
    jetstream_purge(coordinator->jetstream, STREAM_JOBS, coordinator->jobs, coordinator->seal.id);
    queue_close(coordinator->queue);
    coordinator->queue = NULL;
    jetstream_drop(coordinator->jetstream, STREAM_RESULTS, coordinator->seal.id);
}

static void take_games(struct coordinator *coordinator) {
    struct letter letters[LETTERS];
    if (!coordinator->more) usleep(GATHER_MS * 1000);
    if (!coordinator->queue) return;
    const int count = queue_fetch(coordinator->queue, letters, LETTERS, WAIT_MS);
    for (int i = 0; i < count; i++) take_letter(coordinator, &letters[i]);
    if (count > 0) result_writer_settle(coordinator->batch->writer);
    for (int i = 0; i < count; i++) letter_done(&letters[i]);
    coordinator->more = count == LETTERS;
    if (count < 0) mend(coordinator);
}

static void take_audits(struct coordinator *coordinator) {
    struct fault fault = {0};
    struct audited played;
    while (audit_take(coordinator->audit, &played, &fault)) judge(coordinator, &played);
    if (fault.status != STATUS_OK) fail(coordinator, &fault);
}

/* Before the match ends: the pair that decides it, and all those that wait. Whoever sends its games
 * faster than they are played again must not be the winner for it. */
static void look_again(struct coordinator *coordinator) {
    const struct batch *batch = coordinator->batch;
    const struct tournament *match = batch->match;
    const struct coordinator_options *options = &coordinator->options;
    int64_t announced = 0;
    int waiting;
    result_writer_settle(batch->writer);
    if (match->decision && !tournament_has_externals(match))
        audit_add_surely(coordinator->audit, match->counted / 2 - 1);
    while ((waiting = audit_wait(coordinator->audit, GATHER_MS)) &&
           (match->decision || !is_over(coordinator))) {
        const int64_t now = clock_ms();
        char line[LINE_MAX_BYTES];
        take_audits(coordinator);
        if (now - announced < ANNOUNCE_MS) continue;
        announced = now;
        announce(coordinator); /* workers may still be wanted */
        snprintf(line, sizeof line, "%d pair%s of workers played again before the end", waiting,
                 waiting > 1 ? "s" : "");
        if (options->report) options->report(options->context, match, line);
    }
}

static bool has_ended(const struct coordinator *coordinator) {
    return !schedule_left(coordinator->schedule) || coordinator->batch->match->decision;
}

static void give_and_take(struct coordinator *coordinator) {
    int64_t announced = 0;
    while (!is_over(coordinator) && schedule_left(coordinator->schedule)) {
        const int64_t now = clock_ms();
        if (now - announced >= ANNOUNCE_MS) {
            announce(coordinator);
            report(coordinator, now);
            tell_dropped(coordinator, now, false);
            look_for_jobs(coordinator);
            look_for_games(coordinator, now);
            if (!coordinator->queue) mend(coordinator);
            announced = now;
        }
        give_jobs(coordinator);
        take_games(coordinator);
        take_audits(coordinator);
        if (worker_list_lost(coordinator->list) || coordinator->lied) strike(coordinator);
        if (coordinator->stale && now >= coordinator->recount) recount(coordinator);
    }
    if (has_ended(coordinator)) look_again(coordinator);
}

/* Keys cost nothing: who lies under many names is caught under some of them only. */
static void tell_refuted(struct coordinator *coordinator) {
    char line[LINE_MAX_BYTES];
    if (!coordinator->refuted) return;
    snprintf(line, sizeof line,
             "%" PRIu32 " of the %" PRIu32
             " pairs of workers that were played here too were false: "
             "others may be false as well; a --key keeps strangers out",
             coordinator->refuted, coordinator->compared);
    warn(coordinator, line);
}

/* Nothing is left in the server: nobody else can read what this process was sent. */
static void clear_up(struct coordinator *coordinator) {
    struct jetstream *jetstream = coordinator->jetstream;
    tell_dropped(coordinator, clock_ms(), true);
    tell_refuted(coordinator);
    jetstream_purge(jetstream, STREAM_JOBS, coordinator->jobs, coordinator->seal.id);
    jetstream_purge(jetstream, STREAM_RESULTS, coordinator->results, coordinator->seal.id);
    say_over(coordinator, 0,
             has_ended(coordinator) ? "the match has ended" : "the match was broken off");
}

static bool get_ready(struct coordinator *coordinator) {
    struct fault fault = {0};
    struct jetstream *jetstream = coordinator->jetstream;
    jetstream_purge(jetstream, STREAM_JOBS, coordinator->jobs, NULL);
    if (coordinator->former[0]) jetstream_purge(jetstream, STREAM_JOBS, coordinator->former, NULL);
    bool ready = open_queue(coordinator, &fault) &&
                 (coordinator->audit = audit_open(coordinator->batch, &fault));
    ready =
        ready && jetstream_listen(jetstream, coordinator->ask, hear_question, coordinator, &fault);
    if (!ready) fail(coordinator, &fault);
    return ready;
}

static void carry(void *self, const struct batch *batch) {
    struct coordinator *coordinator = self;
    struct chance chance;
    if (consignment_next(batch, 0) == batch->match->game_count / 2) return;
    coordinator->batch = batch;
    /* Not from the seed of the match, which workers know. */
    randombytes_buf(chance.bytes, sizeof chance.bytes);
    coordinator->chance = chance_random(&chance, CHANCE_CHECK, 1);
    coordinator->schedule = schedule_open(batch, chance_random(&chance, CHANCE_CHECK, 0));
    if (!coordinator->schedule) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        fail(coordinator, &fault);
        return;
    }
    if (get_ready(coordinator) && play_known(coordinator)) {
        give_and_take(coordinator);
        while (coordinator->lied || coordinator->stale) {
            if (coordinator->lied)
                strike(coordinator);
            else
                recount(coordinator);
            give_and_take(coordinator);
        }
    }
    set_answers(coordinator, NULL);
    clear_up(coordinator);
    audit_close(coordinator->audit);
    queue_close(coordinator->queue);
    schedule_close(coordinator->schedule);
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
    coordinator->executor = (struct executor){carry, coordinator};
    if (!frame_open(&coordinator->letter, MESSAGES_BYTES_MAX) ||
        !frame_open(&coordinator->games, MESSAGES_BYTES_MAX) ||
        !(coordinator->list = worker_list_open()))
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    else if (seal_match_draw(&coordinator->seal, fault) &&
             (coordinator->jetstream = jetstream_open(&options->server, fault)))
        return coordinator;
    coordinator_close(coordinator);
    return NULL;
}

void coordinator_close(struct coordinator *coordinator) {
    if (!coordinator) return;
    jetstream_close(coordinator->jetstream);
    set_answers(coordinator, NULL);
    worker_list_close(coordinator->list);
    frame_close(&coordinator->letter);
    frame_close(&coordinator->games);
    pthread_mutex_destroy(&coordinator->answering);
    free(coordinator);
}

const struct executor *coordinator_carrier(struct coordinator *coordinator, const char *former) {
    struct coordinator *c = coordinator;
    const char *match = c->seal.id;
    snprintf(c->open, sizeof c->open, "ensign.open.%s", match);
    snprintf(c->over, sizeof c->over, "ensign.over.%s", match);
    snprintf(c->ask, sizeof c->ask, "ensign.ask.%s", match);
    snprintf(c->jobs, sizeof c->jobs, "ensign.jobs.%s", match);
    snprintf(c->results, sizeof c->results, "ensign.results.%s", match);
    if (former) snprintf(c->former, sizeof c->former, "ensign.jobs.%s", former);
    /* The id comes from a file: with a wildcard it would purge what others' matches have sent. */
    const char *id = notice_match(c->former);
    if (!id || strcmp(id, former) != 0) c->former[0] = 0;
    return &c->executor;
}

const char *coordinator_match(const struct coordinator *coordinator) {
    return coordinator->seal.id;
}
