/* Matches over several machines: the same games as in one process, and clear words when something
 * is missing. Needs the real server of NATS. */
#define _GNU_SOURCE
#include "console.h"
#include "host/machines/jetstream.h"
#include "machines.h"
#include "match_folder.h"
#include "program.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORKERS = 4, WORDS_MAX = 32 };

static struct nats nats;
static struct machine workers[WORKERS];

static int open_machines(void **state) {
    (void)state;
    nats_open(&nats, true, NULL);
    for (int i = 0; i < WORKERS; i++) {
        char name[24];
        snprintf(name, sizeof name, "worker%d", i + 1);
        workers[i] = worker_start(nats.url, name, i ? "1" : "2");
    }
    return 0;
}

static int close_machines(void **state) {
    (void)state;
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(machine_end(&workers[i], SIGINT), 0);
        machine_clear(&workers[i]);
    }
    nats_close(&nats);
    return 0;
}

/* Plays a match in one process and over the machines; everything must be equal, so no table is
 * printed, which has times. */
static void compare(const char *const *terms) {
    char folder[2][MATCH_FOLDER_MAX];
    struct program_run run[2];
    for (int i = 0; i < 2; i++) {
        const char *words[WORDS_MAX] = {"match"};
        int count = 1;
        match_folder_make(folder[i]);
        bool values = false;
        for (int k = 0; terms[k]; k++) {
            words[count++] = terms[k];
            values |= !strcmp(terms[k], "--json") || !strcmp(terms[k], "--events");
        }
        if (!values) words[count++] = "--json";
        words[count++] = "-o", words[count++] = folder[i];
        words[count++] = i ? "--over" : "--trust", words[count++] = i ? nats.url : NULL;
        run[i] = program_run(NULL, words);
        if (run[i].exit_code > 1 || !run[i].out[0]) fail_msg("%s", run[i].err);
    }
    assert_int_equal(run[0].exit_code, run[1].exit_code);
    assert_string_equal(run[0].out, run[1].out);
    assert_string_equal(run[0].err, run[1].err);
    match_folder_assert_same(folder[0], folder[1]);
    for (int i = 0; i < 2; i++) {
        program_clear(&run[i]);
        match_folder_remove(folder[i]);
    }
}
#define COMPARE(...) compare((const char *const[]){__VA_ARGS__, NULL})

static void four_workers_play_the_games_of_one_thread(void **state) {
    (void)state;
    COMPARE("hunter", "raider", "-v", "duel", "-n", "40", "--seed", "5", "--events");
    COMPARE("hunter", "raider", "rookie", "-v", "infiltrator", "-n", "10", "--seed", "6", "--json");
    /* So little time that hunter loses by it now and then. */
    COMPARE("hunter", "raider", "-v", "duel", "-n", "20", "--seed", "5", "--events", "--clock",
            "0.002");
}

static void variants_with_calls_and_players_of_ones_own_travel(void **state) {
    (void)state;
    const char *folder = console_folder();
    char bot[128];
    /* A module that is asked for only in the middle of a game, and one that is not there. */
    console_file(0, "later.lua", "return { pick = function(moves) return moves[#moves] end }");
    const char *path =
        console_file(1, "mine.lua",
                     "local turns = 0\n"
                     "return { api = 1, title = 'Mine',\n"
                     "  move = function(view)\n"
                     "    turns = turns + 1\n"
                     "    if turns < 4 then return view:moves()[1] end\n"
                     "    if turns == 5 then assert(not pcall(require, 'missing')) end\n"
                     "    return require('later').pick(view:moves())\n"
                     "  end }\n");
    (void)folder;
    snprintf(bot, sizeof bot, "%s", path);
    COMPARE(bot, "rookie", "-v", "variants/examples/phalanx.lua", "-n", "10", "--seed", "7");
}

/* The first pair is played here before there are workers, so what it needs is known; these need
 * more: modules by names that no text holds, some that are not there, and set-ups by name, one of
 * them misspelt. */
static void what_only_later_games_need_travels_too(void **state) {
    (void)state;
    char bot[128];
    console_file(0, "odd1.lua", "return { pick = function(moves) return moves[1] end }");
    console_file(2, "odd2.lua", "return { pick = function(moves) return moves[#moves] end }");
    const char *path =
        console_file(1, "seldom.lua",
                     "local setups = { 'duel-corner', 'duel-hunt', 'duel-opem', 'duel-open' }\n"
                     "return { api = 1, title = 'Seldom',\n"
                     "  setup = function(view) return setups[view:random(4)] end,\n"
                     "  move = function(view)\n"
                     "    local name = 'odd' .. view:random(12)\n"
                     "    local there, odd = pcall(require, name)\n"
                     "    local moves = view:moves()\n"
                     "    return there and odd.pick(moves) or moves[view:random(#moves)]\n"
                     "  end }\n");
    snprintf(bot, sizeof bot, "%s", path);
    COMPARE(bot, "rookie", "-v", "duel", "-n", "60", "--seed", "7");
    path = console_file(1, "never.lua",
                        "return { api = 1, title = 'Never', setup = function() return 'nix' end,\n"
                        "  move = function(view) return view:moves()[1] end }\n");
    snprintf(bot, sizeof bot, "%s", path);
    COMPARE(bot, "rookie", "-v", "duel", "-n", "6", "--seed", "7");
}

static void set_ups_travel(void **state) {
    (void)state;
    COMPARE("rookie", "--setups", "random", "--versus", "duel-corner", "-v", "duel", "-n", "20",
            "--seed", "8", "--json");
    const char *path =
        console_file(2, "some.txt", "BFB2MXS398/..........\n" /* not read: a set-up is wrong */);
    unlink(path);
    COMPARE("rookie", "raider", "--setups", "duel-corner", "-v", "duel", "-n", "10", "--seed", "9",
            "--json");
}

static void a_test_is_decided_by_the_same_pair(void **state) {
    (void)state;
    COMPARE("raider", "rookie", "-v", "duel", "--sprt", "0,60", "--seed", "1", "--json");
}

static void a_match_is_broken_off_and_resumed(void **state) {
    (void)state;
    char folder[MATCH_FOLDER_MAX];
    match_folder_make(folder);
    struct program_run whole = PROGRAM("match", "hunter", "raider", "-v", "duel", "-n", "600",
                                       "--seed", "5", "--json", "--trust");
    struct machine match = MACHINE("match", "hunter", "raider", "-v", "duel", "-n", "600", "--seed",
                                   "5", "-o", folder, "--over", nats.url, "--events");
    machine_await_lines(&match, 15);
    assert_int_equal(machine_end(&match, SIGINT), 1);
    char *err = machine_text(&match, true);
    assert_non_null(strstr(err, " match --resume -o "));
    assert_null(strstr(err, "nats:")); /* it may hold a password */
    free(err);
    machine_clear(&match);
    assert_in_range(match_folder_games(folder), 15, 599);
    struct program_run run =
        PROGRAM("match", "--resume", "-o", folder, "--json", "--over", nats.url);
    assert_string_equal(run.err, "");
    assert_string_equal(run.out, whole.out);
    program_clear(&run);
    program_clear(&whole);
    match_folder_remove(folder);
}

static void workers_are_listed(void **state) {
    (void)state;
    struct program_run run = PROGRAM("workers", nats.url);
    for (int i = 0; i < WORKERS; i++) {
        char name[24];
        snprintf(name, sizeof name, "\nworker%d ", i + 1);
        assert_non_null(strstr(run.out, name));
    }
    assert_non_null(strstr(run.out, "waiting"));
    program_clear(&run);
    run = PROGRAM("workers", nats.url, "--json");
    json_t *told = json_loads(run.out, 0, NULL);
    assert_int_equal(json_array_size(json_object_get(told, "workers")), WORKERS);
    json_decref(told);
    program_clear(&run);
}

/* A program, or bots without the wall, only where they are allowed. */
static void what_is_not_behind_the_wall_is_refused(void **state) {
    (void)state;
    struct machine match[] = {MACHINE("match", "json:python3 bots/programs/player.py", "rookie",
                                      "-v", "duel", "-n", "4", "--over", nats.url),
                              MACHINE("match", "raider", "rookie", "-v", "duel", "-n", "4",
                                      "--trust", "--over", nats.url)};
    machine_await(&workers[0], "start the worker with --allow-programs");
    machine_await(&workers[0], "start the worker with --allow-trust");
    struct machine allowed = MACHINE("worker", nats.url, "--name", "open", "-j", "1",
                                     "--allow-programs", "--allow-trust");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(machine_end(&match[i], 0), 0);
        machine_clear(&match[i]);
    }
    assert_int_equal(machine_end(&allowed, SIGTERM), 0);
    machine_clear(&allowed);
}

static void a_fault_of_a_script_is_that_of_one_machine(void **state) {
    (void)state;
    const char *path = console_file(3, "breaks.lua",
                                    "local turns = 0\n"
                                    "return { api = 1, move = function(view)\n"
                                    "  turns = turns + 1\n"
                                    "  if turns > 7 then error('no idea') end\n"
                                    "  return view:moves()[1]\n"
                                    "end }\n");
    char bot[128];
    snprintf(bot, sizeof bot, "%s", path);
    COMPARE(bot, "rookie", "-v", "duel", "-n", "6", "--seed", "2");
}

static void what_is_missing_is_said_in_one_line(void **state) {
    (void)state;
    static const char *const plain[] = {"match", "worker", "workers"};
    struct nats other;
    for (int i = 0; i < 3; i++) {
        const char *words[] = {plain[i],
                               i ? "nats://127.0.0.1:9" : "rookie",
                               i ? NULL : "raider",
                               "--over",
                               "nats://127.0.0.1:9",
                               NULL};
        program_expect(program_run(NULL, words), 3, "no NATS server answers at nats://127.0.0.1:9");
    }
    program_expect(PROGRAM("worker", "http://127.0.0.1:9"), 2, "an address like nats://HOST:4222");
    nats_open(&other, false, NULL);
    program_expect(PROGRAM("worker", other.url), 3, "has no JetStream");
    nats_close(&other);
    nats_open(&other, true, (const char *const[]){"--user", "me", "--pass", "secret", NULL});
    program_expect(PROGRAM("worker", other.url), 2, "does not accept the credentials");
    program_expect(PROGRAM("worker", other.url, "--creds", ENSIGN_ROOT "/LICENSE"), 2,
                   "/LICENSE: a user's JWT and seed");
    program_expect(PROGRAM("worker", other.url, "--creds", "absent.creds"), 2, "absent.creds: ");
    char url[96];
    snprintf(url, sizeof url, "nats://me:wrong@127.0.0.1:%d", other.port);
    program_expect(PROGRAM("workers", url), 2, "does not accept the credentials");
    snprintf(url, sizeof url, "nats://me:secret@127.0.0.1:%d", other.port);
    struct program_run run = PROGRAM("workers", url);
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    nats_close(&other);
    /* Users who may do only a part. */
    const char *config = console_file(
        2, "users.conf",
        "authorization { users = [\n"
        "  { user: a, password: b, permissions: { publish: [\"ensign.>\"] } }\n"
        "  { user: r, password: b, permissions: { subscribe: [\"_INBOX.>\"] } } ] }\n");
    nats_open(&other, true, (const char *const[]){"-c", config, NULL});
    snprintf(url, sizeof url, "nats://a:b@127.0.0.1:%d", other.port);
    program_expect(PROGRAM("worker", url), 2, "forbids to keep streams of jobs and results");
    snprintf(url, sizeof url, "nats://r:b@127.0.0.1:%d", other.port);
    program_expect(PROGRAM("workers", url), 2, "forbids to listen");
    nats_close(&other);
    program_expect(PROGRAM("workers", nats.url, "--creds", "/none"), 2, "/none");
    program_expect(PROGRAM("worker", nats.url, "--name", "a.b"), 2, "letters, digits");
}

static void count_question(void *context, const char *subject, const void *bytes, size_t length,
                           void **reply, size_t *reply_length) {
    (void)subject, (void)bytes, (void)length, (void)reply, (void)reply_length;
    atomic_fetch_add((atomic_int *)context, 1);
}

static bool take_any(void *context, const void *answer, size_t length) {
    (void)context, (void)answer, (void)length;
    return true;
}

/* The first block of a page that begins so, as a file. */
static const char *block_of(const char *page, const char *start) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", ENSIGN_ROOT, page);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = program_text(file), *from = strstr(text, start), *to = strstr(from, "```");
    assert_non_null(to);
    *to = 0;
    const char *made = console_file(0, "users.conf", from);
    free(text);
    return made;
}

/* The user may not listen there. */
static void expect_deaf(struct jetstream *rogue, const char *subject) {
    atomic_int heard = 0;
    struct fault fault = {0};
    if (jetstream_listen(rogue, subject, count_question, &heard, &fault))
        fail_msg("can listen to %s", subject);
    assert_non_null(strstr(fault.text, "forbids to listen"));
}

/* The users that bots/MATCHES.md tells to set up. */
static void users_of_the_server_can_do_what_their_part_is_and_no_more(void **state) {
    static const char *const harm[] = {
        "$JS.API.STREAM.DELETE.ENSIGN_JOBS", "$JS.API.STREAM.PURGE.ENSIGN_JOBS",
        "$JS.API.STREAM.DELETE.ENSIGN_RESULTS", "$JS.API.STREAM.PURGE.ENSIGN_RESULTS"};
    static const char *const private[] = {"ensign.ask.*", "ensign.results.*", "ensign.jobs.*",
                                          "_INBOX.>",     "_INBOX.match.>",   "_INBOX.*.match.>"};
    const char *config = block_of("bots/MATCHES.md", "authorization {");
    char match[64], worker[64], onlooker[64], folder[2][MATCH_FOLDER_MAX];
    struct nats other;
    struct fault fault = {0};
    (void)state;
    nats_open(&other, true, (const char *const[]){"-c", config, NULL});
    snprintf(match, sizeof match, "nats://match:secret1@127.0.0.1:%d", other.port);
    snprintf(worker, sizeof worker, "nats://worker:secret2@127.0.0.1:%d", other.port);
    snprintf(onlooker, sizeof onlooker, "nats://onlooker:secret3@127.0.0.1:%d", other.port);
    for (int i = 0; i < 2; i++) match_folder_make(folder[i]);
    program_expect(PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "40", "--seed", "3",
                           "-o", folder[0], "--trust"),
                   0, "");
    struct machine plays = worker_start(worker, "plays", "1"); /* before there are streams */
    const struct jetstream_options options[] = {
        {.url = worker, .part = "worker"}, {.url = onlooker, .part = "worker", .listens = true}};
    for (int i = 0; i < 2; i++) {
        struct jetstream *rogue = jetstream_open(&options[i], &fault);
        assert_non_null(rogue);
        for (int k = 0; k < 4; k++)
            assert_false(jetstream_ask(rogue, harm[k], "", 0, 300, take_any, NULL));
        for (size_t k = 0; k < sizeof private / sizeof *private; k++)
            expect_deaf(rogue, private[k]);
        jetstream_close(rogue);
    }
    struct program_run run = PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "40",
                                     "--seed", "3", "-o", folder[1], "--over", match);
    assert_string_equal(run.err, "");
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    match_folder_assert_same(folder[0], folder[1]);
    run = PROGRAM("workers", onlooker);
    assert_non_null(strstr(run.out, "\nplays "));
    program_clear(&run);
    program_expect(PROGRAM("worker", onlooker), 2, "forbids to keep streams of jobs and results");
    for (int i = 0; i < 2; i++)
        program_expect(PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "4", "--over",
                               i ? onlooker : worker),
                       2, "forbids to ");
    worker_end(&plays);
    nats_close(&other);
    for (int i = 0; i < 2; i++) match_folder_remove(folder[i]);
}

/* The same page's worker under another name, with answers for this user alone. */
static const char *config_for(const char *user) {
    static const char name[] = "{ user: worker", inbox[] = "\"_INBOX.worker.>\"";
    const char *from = block_of("bots/MATCHES.md", "authorization {");
    FILE *file = fopen(from, "r");
    assert_non_null(file);
    char *text = program_text(file), *at = strstr(text, name), *to = strstr(text, inbox), *config;
    assert_true(at && to && at < to);
    assert_true(asprintf(&config, "%.*s{ user: %s%.*s\"_INBOX.worker.%s.>\"%s", (int)(at - text),
                         text, user, (int)(to - at - (int)strlen(name)), at + strlen(name), user,
                         to + strlen(inbox)) > 0);
    const char *made = console_file(1, "users.conf", config);
    free(config);
    free(text);
    return made;
}

static void a_worker_s_user_may_be_kept_to_its_own_answers(void **state) {
    char match[64], worker[64];
    struct nats other;
    struct fault fault = {0};
    (void)state;
    nats_open(&other, true, (const char *const[]){"-c", config_for("alpha"), NULL});
    snprintf(match, sizeof match, "nats://match:secret1@127.0.0.1:%d", other.port);
    snprintf(worker, sizeof worker, "nats://alpha:secret2@127.0.0.1:%d", other.port);
    struct machine plays = worker_start(worker, "plays", "1");
    struct jetstream *rogue =
        jetstream_open(&(struct jetstream_options){.url = worker, .part = "worker"}, &fault);
    assert_non_null(rogue);
    expect_deaf(rogue, "_INBOX.worker.>");
    expect_deaf(rogue, "_INBOX.worker.beta.>");
    jetstream_close(rogue);
    program_expect(PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "8", "--seed", "3",
                           "--over", match),
                   0, "");
    worker_end(&plays);
    nats_close(&other);
}

/* Each of the 80 games opens two bots by name. */
static void workers_ask_for_a_bot_once_and_not_for_each_game(void **state) {
    (void)state;
    atomic_int questions = 0;
    struct fault fault = {0};
    const struct jetstream_options options = {.url = nats.url, .part = "listener"};
    struct jetstream *jetstream = jetstream_open(&options, &fault);
    assert_non_null(jetstream);
    assert_true(jetstream_listen(jetstream, "ensign.ask.*", count_question, &questions, &fault));
    struct program_run run = PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "80",
                                     "--seed", "4", "--over", nats.url);
    jetstream_close(jetstream); /* after what has come was heard */
    program_expect(run, 0, "");
    assert_in_range(questions, 1, 2 * 80 - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_workers_play_the_games_of_one_thread),
        cmocka_unit_test(variants_with_calls_and_players_of_ones_own_travel),
        cmocka_unit_test(what_only_later_games_need_travels_too),
        cmocka_unit_test(set_ups_travel),
        cmocka_unit_test(a_test_is_decided_by_the_same_pair),
        cmocka_unit_test(a_match_is_broken_off_and_resumed),
        cmocka_unit_test(workers_are_listed),
        cmocka_unit_test(workers_ask_for_a_bot_once_and_not_for_each_game),
        cmocka_unit_test(a_fault_of_a_script_is_that_of_one_machine),
        cmocka_unit_test(what_is_not_behind_the_wall_is_refused),
        cmocka_unit_test(users_of_the_server_can_do_what_their_part_is_and_no_more),
        cmocka_unit_test(a_worker_s_user_may_be_kept_to_its_own_answers),
        cmocka_unit_test(what_is_missing_is_said_in_one_line),
    };
    return cmocka_run_group_tests(tests, open_machines, close_machines);
}
