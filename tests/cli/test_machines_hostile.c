/* Matches over machines while somebody at the NATS server means harm: a worker that lies, and a
 * stranger who reads, forges, repeats, floods and deletes. The games are those of one thread, and
 * no honest worker is blamed. */
#include "console.h"
#include "liar.h"
#include "machines.h"
#include "match_folder.h"
#include "program.h"

#include "base/clock.h"
#include "host/machines/jetstream.h"
#include "host/machines/notices.h"

#include <nats/nats.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PATIENCE_MS = 60000, STEP_MS = 20 };

/* Played in half a second by an idle machine: the worker must be stopped in the midst of them. */
#define GAMES "640"

static const char *const SUBJECTS[] = {"ensign.open.", "ensign.ask.", "ensign.results.",
                                       "ensign.jobs."};
enum { HEARD = sizeof SUBJECTS / sizeof *SUBJECTS };

static struct nats nats;
static char folder[2][MATCH_FOLDER_MAX]; /* of one process; over machines */

/* Somebody who may use the server, and what passes there. */
struct heard {
    char subject[96];
    void *bytes;
    size_t length;
};

static struct stranger {
    struct jetstream *jetstream;
    pthread_mutex_t lock;
    struct heard heard[HEARD]; /* the first of each subject */
} stranger;

static int play_alone(void **state) {
    (void)state;
    match_folder_make(folder[0]);
    struct program_run run = PROGRAM("match", "hunter", "raider", "-v", "duel", "-n", GAMES,
                                     "--seed", "11", "-o", folder[0], "--trust");
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    return 0;
}

static int forget(void **state) {
    (void)state;
    match_folder_remove(folder[0]);
    return 0;
}

static void note(void *context, const char *subject, const void *bytes, size_t length, void **reply,
                 size_t *reply_length) {
    (void)context, (void)reply, (void)reply_length;
    pthread_mutex_lock(&stranger.lock);
    for (int i = 0; i < HEARD; i++) {
        struct heard *heard = &stranger.heard[i];
        if (heard->bytes || strncmp(subject, SUBJECTS[i], strlen(SUBJECTS[i])) != 0) continue;
        snprintf(heard->subject, sizeof heard->subject, "%s", subject);
        heard->bytes = malloc(length + 1);
        memcpy(heard->bytes, bytes, length);
        heard->length = length;
    }
    pthread_mutex_unlock(&stranger.lock);
}

static int open_server(void **state) {
    (void)state;
    struct fault fault = {0};
    nats_open(&nats, true, NULL);
    match_folder_make(folder[1]);
    pthread_mutex_init(&stranger.lock, NULL);
    const struct jetstream_options options = {.url = nats.url, .part = "stranger"};
    stranger.jetstream = jetstream_open(&options, &fault);
    assert_non_null(stranger.jetstream);
    for (int i = 0; i < HEARD; i++) {
        char subject[32];
        snprintf(subject, sizeof subject, "%s*", SUBJECTS[i]);
        assert_true(jetstream_listen(stranger.jetstream, subject, note, NULL, &fault));
    }
    return 0;
}

static int close_server(void **state) {
    (void)state;
    jetstream_close(stranger.jetstream);
    for (int i = 0; i < HEARD; i++) free(stranger.heard[i].bytes);
    stranger = (struct stranger){.jetstream = NULL};
    nats_close(&nats);
    match_folder_remove(folder[1]);
    return 0;
}

/* The first message whose subject begins so, which the caller frees; waits for one. */
static struct heard overhear(const char *start) {
    for (int waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        struct heard found = {.bytes = NULL};
        pthread_mutex_lock(&stranger.lock);
        for (int i = 0; i < HEARD && !found.bytes; i++) {
            const struct heard *heard = &stranger.heard[i];
            if (!heard->bytes || strncmp(heard->subject, start, strlen(start)) != 0) continue;
            found = *heard;
            found.bytes = malloc(heard->length);
            memcpy(found.bytes, heard->bytes, heard->length);
        }
        pthread_mutex_unlock(&stranger.lock);
        if (found.bytes) return found;
        wait_ms(STEP_MS);
    }
    fail_msg("nothing to %s", start);
    return (struct heard){.bytes = NULL};
}

/* Of what was heard: the next of each subject is kept. */
static void forget_heard(void) {
    pthread_mutex_lock(&stranger.lock);
    for (int i = 0; i < HEARD; i++) {
        free(stranger.heard[i].bytes);
        stranger.heard[i].bytes = NULL;
    }
    pthread_mutex_unlock(&stranger.lock);
}

static void tell(const char *subject, const void *bytes, size_t length) {
    assert_true(jetstream_say(stranger.jetstream, subject, bytes, length));
}

static struct machine begin(void) {
    return MACHINE("match", "hunter", "raider", "-v", "duel", "-n", GAMES, "--seed", "11", "-o",
                   folder[1], "--events", "--over", nats.url);
}

/* Waits for the end of the match and compares it with that of one thread; what it has complained
 * about, for the caller to free. */
static char *finish(struct machine *match) {
    int code = machine_end(match, 0);
    char *err = machine_text(match, true);
    if (code) fail_msg("exit code %d: %s", code, err);
    machine_clear(match);
    match_folder_assert_same(folder[0], folder[1]);
    for (const char *c = err; *c; c++) assert_true(*c == '\n' || (unsigned char)*c >= ' ');
    return err;
}

/* Each lie but one shows in what is sent; a game that could have been played shows when it is
 * played again. */
static void a_worker_that_lies_is_found_out_and_its_games_are_played_again(void **state) {
    static const char *const why[LIES] = {
        [LIE_WINNER] =
            "has sent", /* a record that cannot be, or a pair that was given as a check */
        [LIE_RESIGNED] = "has sent games that are not those of this match (pair",
        [LIE_SETUP] = "has sent",
        [LIE_USAGE] = "has sent games that make no sense",
        [LIE_ESCAPES] = "has sent games that make no sense",
        [LIE_FAULT] = "has sent games that are not those of this match (pair",
        [LIE_LENGTH] = "has sent games that make no sense",
        [LIE_LACK] = "has sent games that make no sense",
    };
    (void)state;
    for (int lie = 0; lie < LIES; lie++) {
        match_folder_remove(folder[1]);
        match_folder_make(folder[1]);
        struct machine honest = worker_start(nats.url, "honest", "1");
        struct machine liar = liar_start(nats.url, "liar", (enum lie)lie);
        struct machine match = begin();
        char *err = finish(&match);
        if (!strstr(err, "worker liar ") || !strstr(err, why[lie]) ||
            strstr(err, "worker honest") ||
            (lie == LIE_RESIGNED && !strstr(err, "others may be false as well")))
            fail_msg("lie %d: %s", lie, err);
        free(err);
        machine_await(&liar, "it has sent games that this match cannot have");
        worker_end(&liar);
        worker_end(&honest);
    }
}

/* A bot that is late there might not be so on the match's own machine, which decides. */
static void a_worker_that_is_too_slow_is_not_blamed(void **state) {
    static const char text[] = "local bot = {api = 1, title = \"Thinker\"}\n"
                               "function bot.setup(view) return view:random_setup() end\n"
                               "function bot.move(view)\n"
                               "  for i = 1, 200000 do i = i + 1 end\n"
                               "  local moves = view:moves()\n"
                               "  return moves[view:random(#moves)]\n"
                               "end\n"
                               "return bot\n";
    (void)state;
    char thinker[128];
    snprintf(thinker, sizeof thinker, "%s", console_file(0, "thinker.lua", text));
    struct program_run alone =
        PROGRAM("match", thinker, "rookie", "-v", "duel", "-n", "12", "--seed", "5", "--json");
    assert_int_equal(alone.exit_code, 0);
    for (enum lie slow = SLOW_LATER; slow <= SLOW_AT_ONCE; slow++) {
        struct machine worker = liar_start(nats.url, "slow", slow), honest;
        struct machine match = MACHINE("match", thinker, "rookie", "-v", "duel", "-n", "12",
                                       "--seed", "5", "--json", "--over", nats.url);
        if (slow == SLOW_AT_ONCE) {
            machine_await(&worker, "this machine is too slow or too busy for the match's "
                                   "--deadline; it is tried again in 10 s");
            honest = worker_start(nats.url, "honest", "1");
        }
        assert_int_equal(machine_end(&match, 0), 0);
        char *out = machine_text(&match, false), *err = machine_text(&match, true);
        assert_string_equal(out, alone.out);
        assert_null(strstr(err, "trusted"));
        free(out);
        free(err);
        machine_clear(&match);
        worker_end(&worker);
        if (slow == SLOW_AT_ONCE) worker_end(&honest);
    }
    program_clear(&alone);
}

/* Starts liars until games of one were counted before it was found out: one that lies first about a
 * pair that another has played already, or about a check, is found out before. Since the next one
 * may be given the same job, it lies later. */
static struct machine liar_counted(const struct machine *match, const char *name) {
    enum { TRIES = 8, TRUTHS = 16 };
    for (int i = 0; i < TRIES; i++) {
        char called[32], line[64];
        snprintf(called, sizeof called, "%s%d", name, i);
        snprintf(line, sizeof line, "worker %s has sent", called);
        struct machine liar = liar_start_later(nats.url, called, LIE_RESIGNED, 1 + i * TRUTHS);
        machine_await(match, line);
        char *said = machine_text(match, true), *of = strstr(said, line);
        of[strcspn(of, "\n")] = 0;
        const bool counted = strstr(of, "that it has sent are played again");
        free(said);
        if (counted) return liar;
        worker_end(&liar);
    }
    fail_msg("no lie is counted");
    return (struct machine){0};
}

/* Games that are told after everything was counted anew; -1: it was not. */
static int games_anew(const struct machine *match) {
    char *told = machine_text(match, false);
    const char *at = strstr(told, "{\"event\":\"anew\"}\n");
    int games = at ? 0 : -1;
    while (at && (at = strstr(at + 1, "\"event\":\"game\""))) games++;
    free(told);
    return games;
}

/* Also without a folder: what others have sent is counted anew, not played anew. */
static void a_lie_costs_nobody_else_s_games(void **state) {
    enum { SENT = 40 };
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        struct machine honest = worker_start(nats.url, "honest", "1");
        struct machine match =
            MACHINE("match", "hunter", "raider", "-v", "duel", "-n", GAMES, "--seed", "11",
                    "--events", "--over", nats.url, kept ? "-o" : NULL, folder[1]);
        machine_await_lines(&match, SENT);
        kill(honest.process, SIGSTOP);
        struct machine liar = liar_counted(&match, "liar");
        for (int waited = 0; games_anew(&match) < SENT; waited += STEP_MS) {
            if (waited > PATIENCE_MS) fail_msg("the games of others are gone");
            wait_ms(STEP_MS);
        }
        kill(honest.process, SIGCONT);
        assert_int_equal(machine_end(&match, 0), 0);
        machine_clear(&match);
        worker_end(&liar);
        worker_end(&honest);
    }
    match_folder_assert_same(folder[0], folder[1]);
}

static int count_anew(const struct machine *match) {
    char *told = machine_text(match, false);
    int count = 0;
    for (const char *at = told; (at = strstr(at, "{\"event\":\"anew\"}\n")); at++) count++;
    free(told);
    return count;
}

static bool has_lies(void) {
    char *rows = match_folder_query(folder[1], "SELECT number FROM game WHERE reason = 'resigned'");
    const bool any = rows[0];
    free(rows);
    return any;
}

/* The second lie is not counted anew for ten seconds, but is gone at once. */
static void a_match_that_is_killed_after_a_lie_keeps_none_of_it(void **state) {
    enum { RECOUNT_MS = 10000 };
    (void)state;
    struct machine honest = worker_start(nats.url, "honest", "1");
    struct machine match = begin();
    machine_await_lines(&match, 40);
    kill(honest.process, SIGSTOP);
    struct machine first = liar_counted(&match, "first");
    while (!count_anew(&match)) wait_ms(STEP_MS);
    const int64_t anew = clock_ms();
    struct machine second = liar_counted(&match, "second");
    while (has_lies()) wait_ms(STEP_MS);
    assert_true(count_anew(&match) == 1 || clock_ms() - anew >= RECOUNT_MS);
    machine_end(&match, SIGKILL);
    machine_clear(&match);
    kill(honest.process, SIGCONT);
    match = MACHINE("match", "--resume", "-o", folder[1], "--over", nats.url);
    free(finish(&match));
    worker_end(&first);
    worker_end(&second);
    worker_end(&honest);
}

/* With --sprt a few pairs decide: a liar alone must not. */
static void a_test_is_not_decided_by_lies(void **state) {
    static const char *const words[] = {"match", "hunter", "raider", "-v", "duel",
                                        "-n",    "400",    "--seed", "3",  "--sprt",
                                        "0,200", "--json", NULL};
    const char *over[16];
    (void)state;
    struct program_run alone = program_run(NULL, words);
    assert_int_equal(alone.exit_code, 0);
    struct machine liar = liar_start(nats.url, "liar", LIE_RESIGNED);
    int count = 0;
    for (; words[count]; count++) over[count] = words[count];
    over[count++] = "--over", over[count++] = nats.url, over[count] = NULL;
    struct machine match = machine_start(over);
    machine_await(&match, "worker liar has sent");
    struct machine honest = worker_start(nats.url, "honest", "1");
    assert_int_equal(machine_end(&match, 0), 0);
    char *out = machine_text(&match, false);
    assert_string_equal(out, alone.out);
    free(out);
    program_clear(&alone);
    machine_clear(&match);
    worker_end(&liar);
    worker_end(&honest);
}

/* Everything that passes is sent again, changed, and under other keys. */
static void forged_and_repeated_messages_change_nothing(void **state) {
    (void)state;
    struct machine worker = worker_start(nats.url, "honest", "2");
    struct machine match = begin();
    machine_await_lines(&match, 4);
    struct heard all[HEARD];
    for (int i = 0; i < HEARD; i++) all[i] = overhear(SUBJECTS[i]);
    kill(worker.process, SIGSTOP); /* the match must not end before */
    for (int i = 0; i < HEARD; i++) {
        struct heard heard = all[i];
        unsigned char *bytes = heard.bytes;
        tell(heard.subject, bytes, heard.length);
        for (size_t at = 0; at < heard.length; at += heard.length / 20 + 1) {
            bytes[at] ^= 1;
            tell(heard.subject, bytes, heard.length);
            tell(heard.subject, bytes, at);
            bytes[at] ^= 1;
        }
        static const char old[] = "\2\0\0\0\3\0\0\0"
                                  "0.1"
                                  "\6\0\0\0"
                                  "honest"
                                  "\1\0\0\0\1\0\0\0"
                                  "\5\0\0\0\1\0\0\0\7\0\0\0garbage";
        tell(heard.subject, old, sizeof old - 1);
        tell(heard.subject, "\033]0;owned\007", 10);
        tell(heard.subject, "", 0);
        free(heard.bytes);
    }
    struct heard open = overhear("ensign.open.");
    const char *id = notice_match(open.subject);
    char subject[96];
    snprintf(subject, sizeof subject, "ensign.over.%s", id);
    static const char *const ends[] = {"{\"why\":\"\033[2Jover\"}",
                                       "{\"worker\":\"honest\",\"why\":\"go\"}", "{}", "[", "null"};
    for (int i = 0; i < 5; i++) tell(subject, ends[i], strlen(ends[i]));
    free(open.bytes);
    machine_await(&match, "to this match are not from its workers and are not counted");
    kill(worker.process, SIGCONT);
    char *err = finish(&match);
    assert_null(strstr(err, "trusted"));
    free(err);
    char *said = machine_text(&worker, true);
    assert_null(strstr(said, "killed"));
    assert_null(strchr(said, '\033'));
    free(said);
    worker_end(&worker);
}

static void deleted_and_purged_streams_are_made_again(void **state) {
    static const char *const harm[] = {"STREAM.PURGE.ENSIGN_JOBS", "STREAM.PURGE.ENSIGN_RESULTS",
                                       "STREAM.DELETE.ENSIGN_JOBS", "STREAM.DELETE.ENSIGN_RESULTS"};
    (void)state;
    struct machine worker = worker_start(nats.url, "honest", "1");
    struct machine match = begin();
    machine_await_lines(&match, 4);
    kill(worker.process, SIGSTOP); /* the match must not end before */
    for (int i = 0; i < 4; i++) {
        char subject[96];
        snprintf(subject, sizeof subject, "$JS.API.%s", harm[i]);
        tell(subject, "", 0);
    }
    machine_await(&match, "streams at the server: they are made again");
    kill(worker.process, SIGCONT);
    free(finish(&match));
    worker_end(&worker);
}

static void a_stream_of_another_kind_is_refused_in_one_line(void **state) {
    static const char *const wrong[] = {"\"retention\":\"limits\",\"max_msgs\":1",
                                        "\"retention\":\"workqueue\",\"max_age\":1000000000",
                                        "\"retention\":\"workqueue\",\"max_msg_size\":1000",
                                        "\"retention\":\"workqueue\",\"max_consumers\":1"};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char asked[256];
        snprintf(asked, sizeof asked,
                 "{\"name\":\"ENSIGN_RESULTS\",\"subjects\":[\"ensign.results.*\"],%s,"
                 "\"storage\":\"memory\",\"num_replicas\":1,\"discard\":\"old\"}",
                 wrong[i]);
        tell("$JS.API.STREAM.DELETE.ENSIGN_RESULTS", "", 0);
        tell("$JS.API.STREAM.CREATE.ENSIGN_RESULTS", asked, strlen(asked));
        wait_ms(200);
        program_expect(PROGRAM("worker", nats.url), 3, "the stream ENSIGN_RESULTS of the server");
    }
}

/* The last id of a match at the server comes from a file, which may be anybody's. */
static void a_folder_that_is_resumed_purges_no_other_match(void **state) {
    static const char other[] = "ensign.jobs.0123456789abcdef0123456789abcdef";
    static const char *const ids[] = {"*", ">", ""};
    struct fault fault = {0};
    (void)state;
    struct machine worker = worker_start(nats.url, "honest", "1");
    struct machine match = begin();
    machine_await_lines(&match, 4);
    machine_end(&match, SIGINT);
    machine_clear(&match);
    assert_true(jetstream_post(stranger.jetstream, other, "job", 3, &fault));
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char sql[96];
        snprintf(sql, sizeof sql, "UPDATE meta SET value = '%s' WHERE key = 'over'", ids[i]);
        free(match_folder_query(folder[1], sql));
        match = MACHINE("match", "--resume", "-o", folder[1], "--over", nats.url, "--events");
        machine_await_lines(&match, 1);
        machine_end(&match, SIGINT);
        machine_clear(&match);
        assert_true(jetstream_has_messages(stranger.jetstream, STREAM_JOBS, other));
    }
    worker_end(&worker);
}

/* Names, questions and matches by the thousand. */
static void floods_hold_nothing_up(void **state) {
    enum { NAMES = 20000, MATCHES = 200 };
    static const struct seal_secret none = {false, {0}};
    (void)state;
    struct machine worker = worker_start(nats.url, "honest", "1");
    struct machine match = begin();
    struct heard asked = overhear("ensign.ask.");
    struct fault fault = {0};
    for (uint32_t i = 0; i < NAMES; i++) {
        char subject[64], text[160];
        unsigned char *bytes = asked.bytes;
        memcpy(bytes + 4, &i, sizeof i); /* another key */
        tell(asked.subject, bytes, asked.length);
        snprintf(subject, sizeof subject, "ensign.worker.w%u", i);
        snprintf(text, sizeof text,
                 "{\"worker\":\"w%u\",\"version\":\"1\",\"threads\":256,\"pairs\":0,\"rate\":0,"
                 "\"matches\":[\"%s\"]}",
                 i, notice_match(asked.subject));
        tell(subject, text, strlen(text));
    }
    for (int i = 0; i < MATCHES; i++) {
        struct seal_match made;
        char subject[96];
        assert_true(seal_match_draw(&made, &fault));
        snprintf(subject, sizeof subject, "ensign.open.%s", made.id);
        jetstream_tell(stranger.jetstream, subject,
                       notice_open_write(&made, &none, ENSIGN_VERSION, 1, 0));
    }
    free(asked.bytes);
    free(finish(&match));
    /* The next match finds the worker as well, although it has been announced so many. */
    match_folder_remove(folder[1]);
    match_folder_make(folder[1]);
    match = begin();
    free(finish(&match));
    worker_end(&worker);
}

static void workers_lists_only_what_can_be_shown(void **state) {
    static const char *const said[] = {
        "{\"worker\":\"a\\u001b[2Jb\",\"version\":\"1\",\"threads\":1,\"pairs\":1,\"rate\":1,"
        "\"matches\":[]}",
        "{\"worker\":\"version\",\"version\":\"1\\u001b[2J\",\"threads\":1,\"pairs\":1,\"rate\":1,"
        "\"matches\":[]}",
        "{\"worker\":\"matches\",\"version\":\"1\",\"threads\":1,\"pairs\":1,\"rate\":1,"
        "\"matches\":[\"\\u001b]0;own\"]}",
        "{\"worker\":\"number\",\"version\":\"1\",\"threads\":1,\"pairs\":1,\"rate\":1,"
        "\"matches\":[1,null,{}]}",
        "{\"worker\":\"threads\",\"version\":\"1\",\"threads\":-5,\"pairs\":1,\"rate\":1,"
        "\"matches\":[]}",
        "{\"worker\":\"pairs\",\"version\":\"1\",\"threads\":1,\"pairs\":-1,\"rate\":1,"
        "\"matches\":[]}",
        "{\"worker\":\"rate\",\"version\":\"1\",\"threads\":1,\"pairs\":1,\"rate\":1e308,"
        "\"matches\":[]}",
        "{\"worker\":\"\\u202eright\",\"version\":\"1\",\"threads\":1,\"pairs\":1,\"rate\":1,"
        "\"matches\":[]}",
        "{\"worker\":\"sound\",\"version\":\"1\",\"threads\":1,\"pairs\":1,\"rate\":1,"
        "\"matches\":[\"0123456789abcdef0123456789abcdef\"]}"};
    (void)state;
    struct machine list = MACHINE("workers", nats.url);
    struct machine json = MACHINE("workers", nats.url, "--json");
    for (int i = 0; i < 20; i++) {
        for (size_t k = 0; k < sizeof said / sizeof *said; k++)
            tell("ensign.worker.x", said[k], strlen(said[k]));
        wait_ms(100);
    }
    assert_int_equal(machine_end(&list, 0), 0);
    assert_int_equal(machine_end(&json, 0), 0);
    char *text = machine_text(&list, false);
    assert_string_equal(
        text, "worker                           threads       pairs   pairs/s  plays for\n"
              "sound                                  1           1       1.0  01234567\n");
    free(text);
    text = machine_text(&json, false);
    json_t *told = json_loads(text, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(told, "workers")), 1);
    json_decref(told);
    free(text);
    machine_clear(&list);
    machine_clear(&json);
}

/* The text of a real announcement, with this in front; the caller frees. */
static char *announcement(const struct seal_match *match, int number, const char *front) {
    static const struct seal_secret none = {false, {0}};
    json_t *told = notice_open_write(match, &none, ENSIGN_VERSION, (uint64_t)number, 0);
    char *plain = json_dumps(told, JSON_COMPACT), *text = malloc(strlen(plain) + strlen(front) + 1);
    sprintf(text, "{%s%s", front, plain + 1);
    free(plain);
    json_decref(told);
    return text;
}

/* What a stranger says of a match before the match does, so that workers refuse it. */
static void an_announcement_that_nobody_has_signed_keeps_no_worker_away(void **state) {
    static const char *const forged[] = {
        "{\"protocol\":1,\"version\":\"forged\"}",
        "{\"protocol\":2147483647,\"version\":\"forged\",\"number\":9223372036854775807}", NULL};
    char proof[96];
    (void)state;
    snprintf(proof, sizeof proof, "\"proof\":\"%064d\",", 0);
    struct machine worker = worker_start(nats.url, "honest", "1");
    for (int i = 0; i < 3; i++) {
        struct seal_match made;
        struct fault fault = {0};
        char subject[96];
        assert_true(seal_match_draw(&made, &fault));
        snprintf(subject, sizeof subject, "ensign.open.%s", made.id);
        char *false_one = forged[i] ? strdup(forged[i]) : announcement(&made, 1, proof);
        char *real = announcement(&made, 2, "");
        tell(subject, false_one, strlen(false_one));
        wait_ms(300); /* it is looked at */
        tell(subject, real, strlen(real));
        snprintf(subject, sizeof subject, "ensign.ask.%s", made.id);
        free(overhear(subject).bytes);
        forget_heard();
        free(false_one);
        free(real);
    }
    machine_await(&worker, "the coordinator does not answer; it is tried again in 10 s");
    worker_end(&worker);
}

/* Where an answer has come; both are heard in one thread, in order. */
struct answered {
    pthread_mutex_t lock;
    bool elsewhere, inbox;
};

static const char ELSEWHERE[] = "ensign.results.0123456789abcdef0123456789abcdef",
                  INBOX[] = "_INBOX.worker.asker";

static void note_answer(natsConnection *connection, natsSubscription *subscription,
                        natsMsg *message, void *context) {
    struct answered *answered = context;
    const char *subject = natsMsg_GetSubject(message);
    (void)connection, (void)subscription;
    pthread_mutex_lock(&answered->lock);
    answered->elsewhere = answered->elsewhere || !strcmp(subject, ELSEWHERE);
    answered->inbox = answered->inbox || !strcmp(subject, INBOX);
    pthread_mutex_unlock(&answered->lock);
    natsMsg_Destroy(message);
}

/* A worker's question about the terms of the match, whose answer is to go there. */
static void ask_for(natsConnection *connection, const struct notice_open *match,
                    const uint8_t key[SEAL_KEY], const struct seal_keys *keys, const char *to) {
    const struct messages_greeting greeting = {
        .version = ENSIGN_VERSION, .worker = "asker", .threads = 1};
    char subject[96];
    struct frame question;
    size_t length;
    assert_true(frame_open(&question, MESSAGES_BYTES_MAX));
    messages_put_greeting(&question, &greeting);
    frame_put_number(&question, MESSAGES_ASKS_TERMS);
    unsigned char *sealed = messages_seal(key, keys, MESSAGES_QUESTION, &question, &length);
    snprintf(subject, sizeof subject, "ensign.ask.%s", match->match);
    assert_int_equal(natsConnection_PublishRequest(connection, subject, to, sealed, (int)length),
                     NATS_OK);
    free(sealed);
    frame_close(&question);
}

/* Else a match would publish what a worker may not, or fill streams of others. */
static void answers_go_to_inboxes_of_workers_alone(void **state) {
    static const struct seal_secret none = {false, {0}};
    static struct answered answered = {.lock = PTHREAD_MUTEX_INITIALIZER};
    uint8_t key[SEAL_KEY];
    struct notice_open notice;
    struct seal_keys keys;
    struct fault fault = {0};
    natsConnection *connection = NULL;
    natsSubscription *all = NULL;
    (void)state;
    struct machine match = begin();
    struct heard open = overhear("ensign.open.");
    assert_true(notice_open_read(open.subject, open.bytes, open.length, &notice));
    assert_true(seal_worker_draw(notice.key, &none, key, &keys, &fault));
    assert_int_equal(natsConnection_ConnectTo(&connection, nats.url), NATS_OK);
    assert_int_equal(natsConnection_Subscribe(&all, connection, ">", note_answer, &answered),
                     NATS_OK);
    bool inbox = false;
    for (int waited = 0; !inbox; waited += STEP_MS) {
        if (waited > PATIENCE_MS) fail_msg("no answer");
        ask_for(connection, &notice, key, &keys, ELSEWHERE);
        ask_for(connection, &notice, key, &keys, INBOX);
        wait_ms(STEP_MS);
        pthread_mutex_lock(&answered.lock);
        inbox = answered.inbox;
        assert_false(answered.elsewhere);
        pthread_mutex_unlock(&answered.lock);
    }
    natsSubscription_Destroy(all);
    natsConnection_Destroy(connection);
    free(open.bytes);
    machine_end(&match, SIGINT);
    machine_clear(&match);
}

/* A match with a key plays only with workers that have it, and the other way round. */
static void a_key_keeps_strangers_out(void **state) {
    (void)state;
    char key[128], other[128];
    snprintf(key, sizeof key, "%s", console_file(0, "one.key", "0123456789abcdef one\n"));
    snprintf(other, sizeof other, "%s", console_file(1, "other.key", "0123456789abcdef two\n"));
    struct machine open = worker_start(nats.url, "open", "1");
    struct machine wrong = MACHINE("worker", nats.url, "--name", "wrong", "--key", other);
    struct machine match =
        MACHINE("match", "hunter", "raider", "-v", "duel", "-n", GAMES, "--seed", "11", "-o",
                folder[1], "--events", "--over", nats.url, "--key", key);
    machine_await(&open, "it has a key: start the worker with --key");
    struct machine right = MACHINE("worker", nats.url, "--name", "right", "-j", "1", "--key", key);
    free(finish(&match));
    char *said = machine_text(&wrong, true);
    assert_null(strstr(said, "match "));
    free(said);
    worker_end(&open);
    worker_end(&wrong);
    worker_end(&right);
    program_expect(PROGRAM("worker", nats.url, "--key", console_file(2, "short.key", "12345\n")), 2,
                   "a key of at least 16 bytes is expected");
}

/* What the worker's owner has not allowed is not done, whatever the match asks for. */
static void a_worker_keeps_to_its_own_limits(void **state) {
    static const struct {
        const char *option, *value, *line;
    } asked[] = {{"--memory", "140", "start it with --memory; it is not tried again"},
                 {"--deadline", "700000", "start it with --deadline"},
                 {"--fuel", "20000000000", "start it with --fuel"}};
    (void)state;
    struct machine worker =
        MACHINE("worker", nats.url, "--name", "modest", "-j", "3", "--memory", "330");
    for (int i = 0; i < 3; i++) {
        struct machine match = MACHINE("match", "rookie", "raider", "-v", "duel", "-n", "4",
                                       asked[i].option, asked[i].value, "--over", nats.url);
        machine_await(&worker, asked[i].line);
        machine_end(&match, SIGINT);
        machine_clear(&match);
    }
    /* 64 MiB for files, and twice as much for the bots of each thread. */
    struct machine match = begin();
    machine_await(&worker, "2 of 3 threads play: there is no memory for more (--memory)");
    free(finish(&match));
    worker_end(&worker);
}

#define HARM(test) cmocka_unit_test_setup_teardown(test, open_server, close_server)

int main(void) {
    const struct CMUnitTest tests[] = {
        HARM(a_worker_that_lies_is_found_out_and_its_games_are_played_again),
        HARM(a_worker_that_is_too_slow_is_not_blamed),
        HARM(a_lie_costs_nobody_else_s_games),
        HARM(a_match_that_is_killed_after_a_lie_keeps_none_of_it),
        HARM(a_test_is_not_decided_by_lies),
        HARM(forged_and_repeated_messages_change_nothing),
        HARM(deleted_and_purged_streams_are_made_again),
        HARM(a_stream_of_another_kind_is_refused_in_one_line),
        HARM(a_folder_that_is_resumed_purges_no_other_match),
        HARM(floods_hold_nothing_up),
        HARM(workers_lists_only_what_can_be_shown),
        HARM(an_announcement_that_nobody_has_signed_keeps_no_worker_away),
        HARM(answers_go_to_inboxes_of_workers_alone),
        HARM(a_key_keeps_strangers_out),
        HARM(a_worker_keeps_to_its_own_limits),
    };
    return cmocka_run_group_tests(tests, play_alone, forget);
}
