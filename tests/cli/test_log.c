/* What scripts print, as `match --log`, `check`, `play --verbose` and `watch` show it. */
#include "base/files.h"
#include "lua/logbook.h"
#include "program.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/ensign-test-XXXXXX", talker[64], shouter[64];

static int make_files(void **state) {
    (void)state;
    static const char talks[] = "local bot = { api = 1 }\n"
                                "print('read')\n"
                                "function bot.move(view)\n"
                                "  local moves = view:moves()\n"
                                "  view:log('among', #moves, '\\27[31m')\n"
                                "  if view:ply() < 2 then print(view) end\n"
                                "  return moves[view:random(#moves)]\n"
                                "end\n"
                                "function bot.observe(view, event) print(event.type) end\n"
                                "return bot\n";
    static const char shouts[] = "local bot = { api = 1 }\n"
                                 "function bot.move(view)\n"
                                 "  for i = 1, 1000 do print(('x'):rep(100)) end\n"
                                 "  return view:moves()[1]\n"
                                 "end\n"
                                 "return bot\n";
    if (!mkdtemp(folder)) return 1;
    program_file(talker, ".lua", talks, strlen(talks));
    program_file(shouter, ".lua", shouts, strlen(shouts));
    return 0;
}

static int remove_files(void **state) {
    (void)state;
    char command[96];
    unlink(talker);
    unlink(shouter);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* A log of a game; the caller frees. */
static char *log_of(const char *logs, const char *game) {
    char path[128];
    size_t length;
    snprintf(path, sizeof path, "%s/%s/%s.log", folder, logs, game);
    char *text = files_read(path, 1 << 26, &length, NULL);
    if (!text) fail_msg("%s cannot be read", path);
    return text;
}

static int files_in(const char *logs) {
    char path[128];
    int count = 0;
    snprintf(path, sizeof path, "%s/%s", folder, logs);
    DIR *entries = opendir(path);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

static struct program_run match(const char *logs, const char *jobs, const char *trust) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, logs);
    if (!logs[0])
        return PROGRAM("match", talker, "raider", "-v", "duel", "-n", "4", "--seed", "5", "--json",
                       "-j", jobs);
    return PROGRAM("match", talker, "raider", "-v", "duel", "-n", "4", "--seed", "5", "--json",
                   "-j", jobs, "--log", path, trust);
}

static void a_match_is_the_same_with_logs_and_keeps_one_for_each_game_and_side(void **state) {
    (void)state;
    static const char *const games[] = {"0001-red", "0002-blue", "0003-red", "0004-blue"};
    struct program_run without = match("", "1", NULL), one = match("one", "1", NULL),
                       two = match("two", "2", NULL), trusted = match("trusted", "1", "--trust");
    assert_int_equal(one.exit_code, 0);
    assert_string_equal(one.out, without.out);
    assert_string_equal(two.out, without.out);
    assert_string_equal(trusted.out, without.out);
    assert_int_equal(files_in("one"), 4); /* raider prints nothing */
    for (int i = 0; i < 4; i++) {
        char *first = log_of("one", games[i]), *second = log_of("two", games[i]);
        char *inside = log_of("trusted", games[i]);
        assert_string_equal(first, second);
        assert_string_equal(first, inside);
        assert_memory_equal(first, "0 load: read\n", 13);
        assert_non_null(strstr(first, i % 2 ? "\n2 move: among " : "\n1 move: among "));
        assert_non_null(strstr(first, "\n1 observe: move\n"));
        assert_non_null(strstr(first, " ?[31m\n"));
        free(first);
        free(second);
        free(inside);
    }
    program_clear(&without);
    program_clear(&one);
    program_clear(&two);
    program_clear(&trusted);
}

/* A program of the seat protocol that says what it does on standard error. */
static const char PROGRAM_TEXT[] =
    "#!/bin/sh\n"
    "while read -r line; do\n"
    "  case $line in\n"
    "  *'\"type\":\"setup\"'*) echo 'lays out' >&2; echo '{\"type\":\"setup\",\"setup\":\"random\"}' ;;\n"
    "  *'\"moves\":[\"'*) printf 'chooses \\033[31m\\nhalf' >&2; move=${line#*'\"moves\":[\"'}\n"
    "    echo \"{\\\"type\\\":\\\"move\\\",\\\"move\\\":\\\"${move%%'\"'*}\\\"}\" ;;\n"
    "  esac\n"
    "done\n"
    "echo leaves >&2\n";

static void a_programs_standard_error_is_kept_and_traced_like_a_bots_log(void **state) {
    (void)state;
    char path[64], command[80], logs[128], games[128], record[192];
    program_file(path, ".sh", PROGRAM_TEXT, strlen(PROGRAM_TEXT));
    assert_int_equal(chmod(path, 0700), 0);
    snprintf(command, sizeof command, "json:%s", path);
    snprintf(logs, sizeof logs, "%s/errors", folder);
    snprintf(games, sizeof games, "%s/games", folder);
    snprintf(record, sizeof record, "%s/0001.rec", games);
    program_expect(PROGRAM("match", command, "rookie", "-v", "duel", "-n", "2", "--seed", "1",
                           "--log", logs, "-o", games),
                   0, "");
    char *log = log_of("errors", "0001-red");
    assert_memory_equal(log, "0 setup: lays out\n1 move: chooses ?[31m\n", 39);
    assert_non_null(strstr(log, "\n3 move: halfchooses ?[31m\n"));
    assert_non_null(strstr(log, " finish: halfleaves\n"));
    free(log);
    struct program_run run = PROGRAM("trace", record, command, "--ply", "3", "--verbose");
    if (!strstr(run.out, "0 setup | lays out\n| chooses ?[31m\n") ||
        !strstr(run.out, ", as in the record\ntime: "))
        fail_msg("%s%s", run.out, run.err);
    program_clear(&run);
    program_expect(PROGRAM("trace", record, command, "--profile"), 2, "is a program");
    program_expect(PROGRAM("watch", command), 2, "is a program, which cannot be watched");
    unlink(path);
}

static void a_log_keeps_to_the_bytes_of_a_ply_and_of_a_game(void **state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/loud", folder);
    struct program_run run = PROGRAM("match", shouter, "rookie", "-v", "duel", "-n", "2", "--seed",
                                     "1", "--no-limits", "--log", path);
    assert_int_equal(run.exit_code, 0);
    char *log = log_of("loud", "0001-red");
    const char *first = strstr(log, "1 move: (cut: more than 8192 bytes)\n");
    assert_non_null(first);
    assert_memory_equal(strchr(first, '\n') + 1, "3 move: xxx", 11);
    const char *last = strstr(log, "(cut: more than 1048576 bytes in this game)\n");
    assert_non_null(last);
    assert_string_equal(strchr(last, '\n') + 1, "");
    assert_true(strlen(log) > LOG_GAME_MAX && strlen(log) < 2 * LOG_GAME_MAX);
    free(log);
    program_clear(&run);
}

/* A program moves the folder away during its first game and puts a link to another one there. */
static void logs_stay_in_their_folder_when_it_is_moved(void **state) {
    (void)state;
    char path[64], command[80], logs[128], other[128], text[2048];
    snprintf(logs, sizeof logs, "%s/early", folder);
    snprintf(other, sizeof other, "%s/elsewhere", folder);
    snprintf(text, sizeof text, "#!/bin/bash\nmv %s %s/late 2>/dev/null && ln -s %s %s\n%s", logs,
             folder, other, logs, PROGRAM_TEXT);
    assert_int_equal(mkdir(other, 0700), 0);
    program_file(path, ".sh", text, strlen(text));
    assert_int_equal(chmod(path, 0700), 0);
    snprintf(command, sizeof command, "json:%s", path);
    program_expect(PROGRAM("match", command, "rookie", "-v", "duel", "-n", "2", "--log", logs), 0,
                   "");
    free(log_of("late", "0001-red"));
    free(log_of("late", "0002-blue"));
    assert_int_equal(rmdir(other), 0);
    unlink(path);
}

static void logs_are_not_put_among_the_records(void **state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/both", folder);
    program_expect(
        PROGRAM("match", "rookie", "rookie", "-v", "duel", "-n", "2", "-o", path, "--log", path), 2,
        "the folder is not empty");
}

static void logs_of_other_machines_are_not_offered(void **state) {
    (void)state;
    program_expect(PROGRAM("match", "rookie", "raider", "--over", "nats://127.0.0.1:1", "--log",
                           "/tmp/ensign-test-none"),
                   2, "--log does not go with --over");
}

/* A game with the talker as blue, which a person leaves at once. */
static struct program_run play(const char *option) {
    return program_run("quit\n", (const char *const[]){"play", "duel", "--red", "human", "--blue",
                                                       talker, "--setup", "random", "--seed", "3",
                                                       "--new", option, NULL});
}

static void play_shows_them_only_when_asked(void **state) {
    (void)state;
    struct program_run quiet = play("--plain"), verbose = play("--verbose");
    assert_null(strstr(quiet.out, "[blue"));
    assert_non_null(strstr(verbose.out, "[blue 0 load] read\n"));
    program_clear(&quiet);
    program_clear(&verbose);
}

static void check_shows_a_bots_first_game_and_a_variants_load_and_tests(void **state) {
    (void)state;
    static const char variant[] =
        "print('read')\n"
        "return { api = 1, extends = 'duel', title = 'T',\n"
        "  calls = { ending = function (position) print(position) end },\n"
        "  tests = { { title = 't', position = { a1 = 'rF', a4 = 'rM', j10 = 'bF', j9 = 'bM' },\n"
        "              move = 'a4-a5', known = '' } } }\n";
    char path[64];
    program_file(path, ".lua", variant, strlen(variant));
    struct program_run run = PROGRAM("check", path, "-n", "3", "--balance", "0");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "  load: read\n"));
    assert_non_null(strstr(run.out, "  test 1:  5 rM  .  ~  ~  .  .  ~  ~  .  . 5\n"));
    program_clear(&run);
    run = PROGRAM("check", path, "-n", "3", "--balance", "0", "--json");
    assert_non_null(strstr(run.out, "\"load: read\",\n"));
    program_clear(&run);
    unlink(path);
    run = PROGRAM("check", talker, "-v", "duel");
    assert_non_null(strstr(run.out, "  1 move: among "));
    assert_null(strstr(run.out, "  2 move: among ")); /* blue's is not shown */
    assert_non_null(strstr(run.out, " more lines\n"));
    program_clear(&run);
}

/* A variant whose call prints both armies, which its player must not learn during the game. */
static void what_calls_print_is_for_the_end_of_a_persons_game(void **state) {
    (void)state;
    static const char variant[] =
        "return { api = 1, extends = 'duel', title = 'T',\n"
        "  calls = { ending = function (position) print('asked', position) end } }\n";
    char path[64], logs[128];
    program_file(path, ".lua", variant, strlen(variant));
    const char *words[] = {"play",   path,     "--red", "human", "--blue",    "rookie", "--setup",
                           "random", "--seed", "3",     "--new", "--verbose", NULL};
    struct program_run left = program_run("moves\nquit\n", words);
    assert_null(strstr(left.out, "[variant"));
    struct program_run over = program_run("resign\ny\n", words);
    const char *end = strstr(over.out, "Blue wins"),
               *shown = strstr(over.out, "[variant 0 ending]");
    assert_true(end && shown && end < shown);
    program_clear(&left);
    program_clear(&over);
    struct program_run bots =
        PROGRAM("play", path, "--red", "rookie", "--blue", "rookie", "--seed", "3", "--verbose");
    end = strstr(bots.out, "Uncovered");
    shown = strstr(bots.out, "[variant 1 ending] asked");
    assert_true(end && shown && shown < end);
    program_clear(&bots);
    snprintf(logs, sizeof logs, "%s/calls", folder);
    struct program_run with = PROGRAM("match", "rookie", "raider", "-v", path, "-n", "2", "--seed",
                                      "2", "--json", "--log", logs),
                       without = PROGRAM("match", "rookie", "raider", "-v", path, "-n", "2",
                                         "--seed", "2", "--json");
    assert_string_equal(with.out, without.out);
    assert_int_equal(files_in("calls"), 2);
    char *log = log_of("calls", "0001-variant");
    assert_memory_equal(log, "0 ending: asked\n0 ending: after ply 0, ", 39);
    free(log);
    program_clear(&with);
    program_clear(&without);
    unlink(path);
}

static void an_error_that_many_tests_meet_is_reported_once_with_the_first(void **state) {
    (void)state;
    static const char variant[] =
        "local start = { a1 = 'rF', a4 = 'rM', j10 = 'bF', j9 = 'bM' }\n"
        "return { api = 1, extends = 'duel', title = 'T',\n"
        "  calls = { ending = function (p) if p:plies() > 0 then return p.x.y end end },\n"
        "  tests = { { title = 'first', position = start, move = 'a4-a5', known = '' },\n"
        "    { title = 'second', position = start, moves = 'a4-a5', move = 'j9-j8', known = '' },\n"
        "    { title = 'third', position = start, move = 'a4-a5', known = '' } } }\n";
    char path[64];
    program_file(path, ".lua", variant, strlen(variant));
    struct program_run run = PROGRAM("check", path);
    assert_int_equal(run.exit_code, 1);
    const char *error = strstr(run.err, "test \"first\": in ending: ");
    assert_non_null(error);
    assert_non_null(strstr(error, "(ply 1)"));
    assert_null(strstr(strstr(error, "(ply 1)"), "in ending"));
    program_clear(&run);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_is_the_same_with_logs_and_keeps_one_for_each_game_and_side),
        cmocka_unit_test(a_programs_standard_error_is_kept_and_traced_like_a_bots_log),
        cmocka_unit_test(a_log_keeps_to_the_bytes_of_a_ply_and_of_a_game),
        cmocka_unit_test(logs_stay_in_their_folder_when_it_is_moved),
        cmocka_unit_test(logs_are_not_put_among_the_records),
        cmocka_unit_test(logs_of_other_machines_are_not_offered),
        cmocka_unit_test(play_shows_them_only_when_asked),
        cmocka_unit_test(check_shows_a_bots_first_game_and_a_variants_load_and_tests),
        cmocka_unit_test(what_calls_print_is_for_the_end_of_a_persons_game),
        cmocka_unit_test(an_error_that_many_tests_meet_is_reported_once_with_the_first),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
