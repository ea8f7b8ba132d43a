/* External programs as players: a game through pipes, and every misbehaviour of a program. The
 * programs lie in tests/host/ucc/. */
#include "host/program/player_ucc.h"

#include "base/files.h"
#include "host/referee.h"
#include "processes.h"
#include "scripted.h"
#include "support.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { QUICK = 300, PATIENT = 20000 }; /* deadlines in ms: one that expires, one that does not */

static struct rules *rules;
static struct setup setups[2]; /* for opponents */
static struct scripted opponent;
static char folder[64];

/* Does nothing of this set-up go down the passage between the lakes and file j, in which the scouts
 * of pacer.sh and others go to and fro? */
static bool leaves_the_passage_alone(const struct setup *setup, enum side side) {
    square front = side == RED ? 38 : 30; /* i4; as red would stand, a4 */
    return !(rules->mobile >> setup->at[front] & 1) && !(rules->mobile >> setup->at[front + 1] & 1);
}

/* What processes leave behind comes to this one, so that it can be told whether any does. */
static int load(void **state) {
    (void)state;
    struct random random = random_stream(3, STREAM_RED_SETUP, 0);
    rules = support_rules("milton-bradley");
    support_folder(folder);
    for (int side = RED; side <= BLUE; side++) {
        do {
            if (!setup_random(rules, RED, &random, &setups[side], NULL)) return -1;
        } while (!leaves_the_passage_alone(&setups[side], (enum side)side));
    }
    return prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static int unload(void **state) {
    (void)state;
    rules_free(rules);
    support_remove(folder);
    return 0;
}

static int none_is_left(void **state) {
    (void)state;
    return processes_end() ? 0 : -1;
}

/* A program of the folder, with arguments. */
static void open_ucc(struct player *player, int deadline, const char *words) {
    char command[1024];
    struct fault fault = {0};
    struct ucc_options options = {
        .rules = rules, .opponent = "the other", .program.deadline = deadline};
    snprintf(command, sizeof command, "'%s/tests/host/ucc/'%s", ENSIGN_ROOT, words);
    if (!player_ucc(player, command, &options, &fault)) fail_msg("%s", fault.text);
}

struct played {
    struct referee_report report;
    struct record *record;
};

static struct played play(struct player *red, struct player *blue, enum side first,
                          uint32_t plies) {
    struct played played = {.record = record_new()};
    struct player *const players[2] = {red, blue};
    struct limits limits = {.plies = plies};
    struct referee_options options = {.first = first, .limits = &limits};
    struct fault fault = {0};
    if (!referee_play(rules, players, &options, played.record, &played.report, &fault))
        fail_msg("%s", fault.text);
    for (int side = RED; side <= BLUE; side++)
        if (players[side]->close) players[side]->close(players[side]->self);
    return played;
}

/* The program plays red for up to 20 plies against random moves. */
static struct referee_report play_red(int deadline, const char *words) {
    struct player red;
    open_ucc(&red, deadline, words);
    scripted_start(&opponent, "the other", &setups[BLUE], 5);
    struct played played = play(&red, &opponent.player, RED, 20);
    record_free(played.record);
    return played.report;
}

static void expect_forfeit(const struct referee_report *report, enum reason reason,
                           const char *words) {
    if (report->reason != reason)
        fail_msg("%s: %s", reason_name((enum reason)report->reason), report->forfeit.text);
    assert_int_equal(report->result, RESULT_BLUE);
    if (!strstr(report->forfeit.text, words)) fail_msg("%s", report->forfeit.text);
    for (const char *text = report->forfeit.text; *text; text++)
        assert_true((unsigned char)*text >= ' ');
}

static char *read_log(const char *name) {
    char path[128];
    size_t length;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = files_read(path, 1 << 20, &length, NULL);
    assert_non_null(text);
    return text;
}

/* RED's first board, as RED and as BLUE read it. */
#define LAKES "..++..++..\n..++..++..\n"
#define BOTTOM "##########\n##########\n##########\n##########\n"

static const char red_log[] =
    "RED the_other 10 10\n"
    "START\n"
    "FB8sB479B8\nBB31555583\n6724898974\n967B669999\n" LAKES BOTTOM "0 3 DOWN 2 OK\n"
    "1 6 UP OK\n"
    "FB8sB479B8\nBB31555583\n6724898974\n.67B669999\n"
    "..++..++..\n9#++..++..\n"
    "#.########\n##########\n##########\n##########\n"
    "1 3 DOWN OK\n"
    "1 5 LEFT KILLS 6 9\n"
    "FB8sB479B8\nBB31555583\n6724898974\n..7B669999\n"
    ".6++..++..\n#.++..++..\n"
    "#.########\n##########\n##########\n##########\n"
    "1 4 LEFT 1 OK\n"
    "0 5 UP BOTHDIE 6 6\n"
    "FB8sB479B8\nBB31555583\n6724898974\n..7B669999\n" LAKES
    "#.########\n##########\n##########\n##########\n"
    "8 3 DOWN 2 OK\n"
    "9 6 UP OK\n"
    "FB8sB479B8\nBB31555583\n6724898974\n..7B6699.9\n"
    "..++..++..\n..++..++9#\n"
    "#.#######.\n##########\n##########\n##########\n"
    "8 5 RIGHT BOTHDIE 9 9\n"
    "0 6 UP 2 OK\n"
    "FB8sB479B8\nBB31555583\n6724898974\n..7B6699.9\n"
    "#.++..++..\n..++..++..\n"
    "..#######.\n##########\n##########\n##########\n"
    "9 3 DOWN 4 DIES 9 4\n"
    "QUIT the_other BLUE SURRENDER 6 137 141\n";

static void a_program_reads_exactly_the_lines_of_the_protocol(void **state) {
    (void)state;
    struct player red, blue;
    char words[512];
    snprintf(words, sizeof words,
             "scripted.sh %s/red '0 3 DOWN 2' '1 3 DOWN' '1 4 LEFT 1' '8 3 DOWN 2' '8 5 RIGHT' "
             "'9 3 DOWN 4' '0 0 UP'",
             folder);
    open_ucc(&red, PATIENT, words);
    snprintf(words, sizeof words,
             "scripted.sh %s/blue ' 1  6\tUP ' \"1 5 LEFT\" 0\\ 5\\ UP '9 6 UP' '0 6 UP 2' "
             "SURRENDER",
             folder);
    open_ucc(&blue, PATIENT, words);
    struct played played = play(&red, &blue, RED, 100);
    assert_int_equal(played.report.result, RESULT_RED);
    assert_int_equal(played.report.reason, REASON_RESIGNED);
    assert_int_equal(played.report.plies, 11);
    assert_string_equal(record_tag(played.record, "Red"), "scripted.sh");
    assert_string_equal(record_tag(played.record, "RedSetup"),
                        "999966B769/4798984276/38555513BB/8B974BS8BF");
    assert_string_equal(record_tag(played.record, "BlueSetup"),
                        "967B669999/6724898974/BB31555583/FB8SB479B8");
    static const char *const moves[] = {"j4-j6", "i7-i6", "i4-i5", "i6xj6", "i5-j5", "j6xj5",
                                        "b4-b6", "a7-a6", "b6xa6", "j7-j5", "a4xa8"};
    for (size_t i = 0; i < 11; i++) assert_string_equal(played.record->moves[i].text, moves[i]);
    record_free(played.record);
    char *text = read_log("red");
    /* The program's opponent is known to it by that name alone; so is the one that gave up. */
    assert_string_equal(text, red_log);
    free(text);
    text = read_log("blue");
    static const char start[] = "BLUE the_other 10 10\n"
                                "0 3 DOWN 2 OK\n"
                                "##########\n##########\n##########\n.#########\n"
                                "..++..++..\n#.++..++..\n"
                                "967B669999\n6724898974\nBB31555583\nFB8sB479B8\n"
                                "1 6 UP OK\n"
                                "1 3 DOWN OK\n";
    assert_memory_equal(text, start, sizeof start - 1);
    static const char end[] = "QUIT scripted.sh BLUE SURRENDER 6 137 141\n";
    assert_string_equal(text + strlen(text) - (sizeof end - 1), end);
    free(text);
}

static void where_blue_begins_its_program_is_told_that_it_is_red(void **state) {
    (void)state;
    struct player red, blue;
    char words[256];
    open_ucc(&red, PATIENT, "pacer.sh");
    snprintf(words, sizeof words, "scripted.sh %s/first '0 3 DOWN' '0 4 UP'", folder);
    open_ucc(&blue, PATIENT, words);
    struct played played = play(&red, &blue, BLUE, 4);
    assert_int_equal(played.report.reason, REASON_PLY_LIMIT);
    assert_string_equal(played.record->moves[0].text, "a7-a6");
    assert_string_equal(played.record->moves[1].text, "a4-a5");
    record_free(played.record);
    char *text = read_log("first");
    assert_memory_equal(text, "RED the_other 10 10\nSTART\nFB8sB479B8\n", 37);
    /* The move that ends the game has no echo. */
    assert_non_null(strstr(text, "\n0 4 UP OK\nQUIT the_other BLUE DRAW_DEFAULT 2 148 148\n"));
    free(text);
}

static void programs_play_a_whole_game_against_lua_like_players(void **state) {
    (void)state;
    struct player red;
    open_ucc(&red, PATIENT, "walker.sh");
    scripted_start(&opponent, "the other", &setups[BLUE], 5);
    struct played played = play(&red, &opponent.player, RED, 400);
    if (played.report.forfeit.status != STATUS_OK) fail_msg("%s", played.report.forfeit.text);
    assert_true(played.report.plies > 50);
    record_free(played.record);
}

static void a_flood_of_standard_error_disturbs_nothing(void **state) {
    (void)state;
    struct referee_report report = play_red(PATIENT, "talker.sh");
    if (report.forfeit.status != STATUS_OK) fail_msg("%s", report.forfeit.text);
    assert_int_equal(report.plies, 20);
}

static void answers_that_come_early_or_twice_are_taken_in_their_order(void **state) {
    (void)state;
    /* The first answer comes twice: the scout steps on, as if it had been meant so. */
    struct referee_report report = play_red(PATIENT, "hasty.sh '0 3 DOWN' '0 3 DOWN'");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "the answer is \"0 3 DOWN\": move \"j4-j5\"");
    assert_int_equal(report.plies, 2);
    report = play_red(PATIENT, "hasty.sh '0 3 DOWN' '' '  ' '0 4 UP' '0 3 DOWN' '0 4 UP'");
    expect_forfeit(&report, REASON_FORFEIT_CRASH, "instead of giving a move (exit code 0)");
    assert_int_equal(report.plies, 8);
}

static void an_illegal_move_forfeits_as_illegal_and_is_quoted(void **state) {
    (void)state;
    struct referee_report report = play_red(PATIENT, "hasty.sh '3 3 DOWN'");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "the answer is \"3 3 DOWN\"");
    report = play_red(PATIENT, "hasty.sh '0 0 LEFT'");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "\"0 0 LEFT\" leaves the board");
    report = play_red(PATIENT, "hasty.sh '0 3 2 DOWN'");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "\"0 3 2 DOWN\", expected");
}

static void a_program_that_leaves_forfeits_as_crashed_with_its_last_words(void **state) {
    (void)state;
    struct referee_report report = play_red(PATIENT, "leaver.sh");
    expect_forfeit(&report, REASON_FORFEIT_CRASH, "(exit code 0)");
    expect_forfeit(&report, REASON_FORFEIT_CRASH, "I have seen enough");
    assert_string_equal(report.forfeit.file, ENSIGN_ROOT "/tests/host/ucc/leaver.sh");
    expect_forfeit(&report, REASON_FORFEIT_CRASH,
                   "(exit code 0); its standard error ends: I have seen enough (ply 1)");
}

static void a_program_that_dies_of_a_signal_forfeits_with_clean_last_words(void **state) {
    (void)state;
    struct referee_report report = play_red(PATIENT, "crasher.sh");
    expect_forfeit(&report, REASON_FORFEIT_CRASH, "signal 11");
    expect_forfeit(&report, REASON_FORFEIT_CRASH,
                   "far from the end | assertion failed:?[31m board is NULL | no more");
}

static void silence_forfeits_by_time(void **state) {
    (void)state;
    struct referee_report report = play_red(QUICK, "sleeper.sh setup");
    expect_forfeit(&report, REASON_FORFEIT_TIME, "no set-up within 300 ms");
    report = play_red(QUICK, "sleeper.sh move");
    expect_forfeit(&report, REASON_FORFEIT_TIME, "no move within 300 ms; its standard error");
    report = play_red(QUICK, "sleeper.sh stop");
    expect_forfeit(&report, REASON_FORFEIT_TIME, "no move within 300 ms");
}

static void children_that_hold_the_pipes_do_not_keep_a_program_alive(void **state) {
    (void)state;
    struct referee_report report = play_red(PATIENT, "parent.sh leave");
    expect_forfeit(&report, REASON_FORFEIT_CRASH, "exit code 3");
    report = play_red(PATIENT, "parent.sh stay");
    assert_int_equal(report.reason, REASON_PLY_LIMIT);
}

static void floods_of_standard_output_forfeit_as_illegal(void **state) {
    (void)state;
    struct referee_report report = play_red(PATIENT, "flooder.sh line");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "a line of more than 127 bytes");
    report = play_red(PATIENT, "flooder.sh blanks");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "or only blank ones");
    report = play_red(PATIENT, "flooder.sh lines");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "\"let me see\", expected");
}

static void set_ups_that_are_none_forfeit_as_illegal(void **state) {
    (void)state;
    struct referee_report report = play_red(PATIENT, "cheat.sh short");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "row 1 of the set-up is \"FB8sB479B\"");
    report = play_red(PATIENT, "cheat.sh letter");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "'x' is not one of");
    report = play_red(PATIENT, "cheat.sh army");
    expect_forfeit(&report, REASON_FORFEIT_ILLEGAL, "7 pieces of kind scout");
    assert_int_equal(report.plies, 0);
}

static void a_set_up_from_outside_is_not_played(void **state) {
    (void)state;
    for (int asked = 0; asked < 2; asked++) {
        struct player red;
        struct referee_report report;
        struct fault fault = {0};
        open_ucc(&red, PATIENT, "pacer.sh");
        scripted_start(&opponent, "the other", &setups[BLUE], 5);
        struct player *const players[2] = {&red, &opponent.player};
        struct referee_options options = {.setups = {&setups[RED], NULL}, .ask_anyway = asked};
        assert_true(red.own_setup);
        assert_true(referee_play(rules, players, &options, NULL, &report, &fault));
        red.close(red.self);
        expect_forfeit(&report, REASON_FORFEIT_ERROR, "lays out its own army");
    }
}

static void commands_that_cannot_be_run_are_refused_at_once(void **state) {
    (void)state;
    static const struct {
        const char *command;
        enum status status;
        const char *words;
    } cases[] = {
        {"", STATUS_USAGE, "the command of a program is expected"},
        {"  ", STATUS_USAGE, "the command of a program is expected"},
        {"''", STATUS_USAGE, "the command of a program is expected"},
        {"tests/host/ucc/nobody.sh", STATUS_NOT_FOUND, "nobody.sh"},
        {"nowhere/nobody", STATUS_NOT_FOUND, "nowhere/nobody"},
        {"no-such-program-anywhere x", STATUS_NOT_FOUND, "on PATH"},
        {"tests/host/ucc/army.sh", STATUS_USAGE, "not an executable file"},
        {"tests/host/ucc/", STATUS_USAGE, "not an executable file"},
        {"'tests/host/ucc/pacer.sh", STATUS_USAGE, "a quote (') is not closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct player player;
        struct fault fault = {0};
        struct ucc_options options = {.rules = rules, .program.deadline = QUICK};
        if (player_ucc(&player, cases[i].command, &options, &fault)) fail_msg("%zu", i);
        if (!strstr(fault.text, cases[i].words)) fail_msg("%s", fault.text);
        assert_int_equal(fault.status, cases[i].status);
    }
}

/* Found out only when it is started. */
static void a_file_that_the_system_cannot_run_ends_the_game_without_a_loser(void **state) {
    (void)state;
    struct player red;
    struct fault fault = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/junk", folder);
    assert_true(files_write_new(path, "\x7f\x45LF", 4, 0, NULL));
    assert_int_equal(chmod(path, 0700), 0);
    struct ucc_options options = {.rules = rules, .program.deadline = QUICK};
    if (!player_ucc(&red, path, &options, &fault)) fail_msg("%s", fault.text);
    scripted_start(&opponent, "the other", &setups[BLUE], 5);
    struct player *const players[2] = {&red, &opponent.player};
    struct referee_options referee = {.first = RED};
    struct referee_report report;
    assert_false(referee_play(rules, players, &referee, NULL, &report, &fault));
    assert_int_equal(fault.status, STATUS_START);
    assert_string_equal(fault.file, path);
    assert_non_null(strstr(fault.text, "cannot be started: Exec format error"));
    red.close(red.self);
}

#define TEST(name) cmocka_unit_test_teardown(name, none_is_left)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_program_reads_exactly_the_lines_of_the_protocol),
        TEST(where_blue_begins_its_program_is_told_that_it_is_red),
        TEST(programs_play_a_whole_game_against_lua_like_players),
        TEST(a_flood_of_standard_error_disturbs_nothing),
        TEST(answers_that_come_early_or_twice_are_taken_in_their_order),
        TEST(an_illegal_move_forfeits_as_illegal_and_is_quoted),
        TEST(a_program_that_leaves_forfeits_as_crashed_with_its_last_words),
        TEST(a_program_that_dies_of_a_signal_forfeits_with_clean_last_words),
        TEST(silence_forfeits_by_time),
        TEST(children_that_hold_the_pipes_do_not_keep_a_program_alive),
        TEST(floods_of_standard_output_forfeit_as_illegal),
        TEST(set_ups_that_are_none_forfeit_as_illegal),
        TEST(a_set_up_from_outside_is_not_played),
        TEST(commands_that_cannot_be_run_are_refused_at_once),
        TEST(a_file_that_the_system_cannot_run_ends_the_game_without_a_loser),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
