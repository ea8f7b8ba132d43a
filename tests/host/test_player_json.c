/* External programs through the seat protocol: whole games of every variant, and every misbehaviour
 * of a program. The program is tests/host/programs/actor.c. All that it is sent is held against the
 * schema. */
#include "host/program/player_json.h"

#include "base/files.h"
#include "core/text/layout.h"
#include "host/referee.h"
#include "processes.h"
#include "schema.h"
#include "scripted.h"
#include "support.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { QUICK = 300, PATIENT = 20000, PLIES = 12 }; /* ms: one that expires, one that does not */

#define SETUP "{\"type\":\"setup\",\"setup\":null}"

static struct rules *rules;
static struct scripted opponent;
static const struct setup *given; /* to the program, instead of asking it */
static enum side side;            /* of the program */
static char folder[64];
static bool accepts;      /* the opponent accepts draws */
static int offers_at;     /* ply at which the opponent offers a draw; -1: never */
static int asked_to_draw; /* offers that the opponent got */

static bool opponent_accepts(void *self, const struct view *view) {
    (void)self, (void)view;
    asked_to_draw++;
    return accepts;
}

static bool (*scripted_move)(void *self, const struct view *view, const struct move *moves,
                             size_t count, struct answer *answer, struct fault *fault);

static bool opponent_moves(void *self, const struct view *view, const struct move *moves,
                           size_t count, struct answer *answer, struct fault *fault) {
    if ((int)view->plies != offers_at)
        return scripted_move(self, view, moves, count, answer, fault);
    offers_at = -1;
    answer->type = ANSWER_DRAW;
    return true;
}

/* What processes leave behind comes to this one, so that it can be told whether any does. */
static int load(void **state) {
    (void)state;
    rules = support_rules("duel");
    support_folder(folder);
    return prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static int unload(void **state) {
    (void)state;
    rules_free(rules);
    support_remove(folder);
    return 0;
}

static int reset(void **state) {
    (void)state;
    given = NULL;
    side = RED;
    accepts = false;
    offers_at = -1;
    asked_to_draw = 0;
    return 0;
}

static int none_is_left(void **state) {
    (void)state;
    return processes_end() ? 0 : -1;
}

static void open_json(struct player *player, const struct rules *played, int deadline,
                      const char *words) {
    static const struct chance chance = {{1}};
    char command[4096];
    struct fault fault = {0};
    const struct json_options options = {.rules = played,
                                         .folders = support_folders(),
                                         .opponent = "the other",
                                         .chance = &chance,
                                         .program.deadline = deadline};
    snprintf(command, sizeof command, "'%s' %s/log %s", ENSIGN_ACTOR, folder, words);
    if (!player_json(player, command, &options, &fault)) fail_msg("%s", fault.text);
}

static struct referee_report play_variant(const struct rules *played, int deadline, uint32_t plies,
                                          const char *words) {
    struct player program, *players[2];
    struct referee_report report;
    struct fault fault = {0};
    struct setup setup;
    struct random random = random_stream(5, STREAM_BLUE_SETUP, 0);
    const struct limits limits = {.plies = plies};
    struct referee_options options = {.first = RED, .limits = &limits};
    open_json(&program, played, deadline, words);
    if (!setup_random(played, RED, &random, &setup, &fault)) fail_msg("%s", fault.text);
    scripted_start(&opponent, "the other", &setup, 5);
    scripted_move = opponent.player.move;
    opponent.player.move = opponent_moves;
    opponent.player.accepts_draw = opponent_accepts;
    options.setups[side] = given;
    players[side] = &program;
    players[side_other(side)] = &opponent.player;
    if (!referee_play(played, players, &options, NULL, &report, &fault)) fail_msg("%s", fault.text);
    program.close(program.self);
    return report;
}

/* A game of duel of at most 12 plies. `words` are steps of the actor, as a shell reads them. */
static struct referee_report play(int deadline, const char *words) {
    return play_variant(rules, deadline, PLIES, words);
}

static char *read_log(void) {
    char path[128];
    size_t length;
    snprintf(path, sizeof path, "%s/log", folder);
    char *text = files_read(path, 8 << 20, &length, NULL);
    assert_non_null(text);
    return text;
}

/* The types of the messages that the program got, one letter each; all fit the schema. */
static const char *messages(void) {
    static char types[4096];
    char *text = read_log(), why[SCHEMA_WHY_MAX];
    size_t count = 0;
    for (char *line = text; *line && count < sizeof types - 1;) {
        size_t length = strcspn(line, "\n");
        if (!schema_fits_line("from_host", line, length, why))
            fail_msg("%s: %.*s", why, (int)length, line);
        types[count++] = line[strlen("{\"type\":\"")] == 'e' && line[10] == 'v' ? 'v' /* events */
                         : !strncmp(line, "{\"type\":\"start", 14)              ? 't'
                         : !strncmp(line, "{\"type\":\"error", 14)              ? '!'
                                                                                : line[9];
        line += length + (line[length] == '\n');
    }
    types[count] = 0;
    free(text);
    return types;
}

static void expect_messages(const char *types) {
    assert_string_equal(messages(), types);
}

static void expect_words(const char *words) {
    char *text = read_log();
    if (!strstr(text, words)) fail_msg("%s is not in %s", words, text);
    free(text);
}

static void expect_forfeit(struct referee_report report, enum reason reason, const char *words) {
    if (report.reason != reason)
        fail_msg("%s: %s", reason_name(report.reason), report.forfeit.text);
    assert_int_equal(report.result, result_win(side_other(side)));
    if (!strstr(report.forfeit.text, words)) fail_msg("%s", report.forfeit.text);
    for (const char *text = report.forfeit.text; *text; text++)
        assert_true((unsigned char)*text >= ' ');
}

static void expect_sound(struct referee_report report) {
    if (report.forfeit.status != STATUS_OK) fail_msg("%s", report.forfeit.text);
    assert_int_equal(report.late.status, STATUS_OK);
}

static void a_program_is_told_the_game_in_the_order_of_the_protocol(void **state) {
    (void)state;
    expect_sound(play_variant(rules, PATIENT, 4, ""));
    expect_messages("gstmvvmvve");
    side = BLUE;
    expect_sound(play_variant(rules, PATIENT, 4, ""));
    expect_messages("gstvmvvmve");
    expect_words("\"names\":{\"red\":\"the other\",\"blue\":\"guest_actor\"}");
    expect_words("{\"type\":\"end\",\"result\":\"draw\",\"reason\":\"ply-limit\"");
}

static void every_variant_is_played_from_either_side(void **state) {
    (void)state;
    static const char *const variants[] = {
        "original", "duel",     "infiltrator", "classic",  "milton-bradley",
        "galaxy",   "russian",  "galaxy-duel", "barrage",  "lightning",
        "quick",    "lattaque", "luzhanqi",    "salpakan", "jungle"};
    static const char *const examples[] = {
        "airborne",    "breakthrough", "cordon",  "flag_moves_once", "fog",
        "medic",       "phalanx",      "rescue",  "sentry",          "silent_defence",
        "three_lakes", "railway",      "arbiter", "hounds",          "heights"};
    enum { STOCK = sizeof variants / sizeof *variants };
    enum { ALL = STOCK + sizeof examples / sizeof *examples };
    for (int i = 0; i < ALL; i++) {
        char path[64];
        snprintf(path, sizeof path, "variants/examples/%s.lua",
                 examples[i < STOCK ? 0 : i - STOCK]);
        struct rules *played = support_rules(i < STOCK ? variants[i] : path);
        side = i % 2 ? BLUE : RED;
        struct referee_report report = play_variant(played, PATIENT, 60, "");
        if (report.forfeit.status != STATUS_OK) fail_msg("%s: %s", path, report.forfeit.text);
        assert_true(strlen(messages()) > 20);
        rules_free(played);
    }
}

static void set_ups_are_taken_as_text_by_name_and_by_chance(void **state) {
    (void)state;
    struct setup setup;
    struct fault fault = {0};
    struct random random = random_stream(9, STREAM_RED_SETUP, 0);
    char words[256], written[SETUP_TEXT_MAX];
    assert_true(setup_random(rules, RED, &random, &setup, &fault));
    setup_write(rules, RED, &setup, written);
    snprintf(words, sizeof words, "'{\"type\":\"setup\",\"setup\":\"%s\"}'", written);
    struct referee_report report = play(PATIENT, words);
    expect_sound(report);
    assert_memory_equal(&report.setups[RED], &setup, sizeof setup);
    report = play(PATIENT, "'{\"type\":\"setup\",\"setup\":\"duel-open\"}'");
    expect_sound(report);
    report = play(PATIENT, "");
    expect_sound(report);
    given = &setup;
    report = play(PATIENT, "");
    expect_sound(report);
    assert_memory_equal(&report.setups[RED], &setup, sizeof setup);
    assert_null(strchr(messages(), 's'));
}

static void set_ups_that_are_none_forfeit_as_illegal(void **state) {
    (void)state;
    expect_forfeit(play(PATIENT, "'{\"type\":\"setup\",\"setup\":\"\"}'"), REASON_FORFEIT_ILLEGAL,
                   "");
    expect_forfeit(play(PATIENT, "'{\"type\":\"setup\",\"setup\":\"M9/x\"}'"),
                   REASON_FORFEIT_ILLEGAL, "");
    expect_forfeit(play(PATIENT, "'{\"type\":\"setup\",\"setup\":\"no-such-setup\"}'"),
                   REASON_FORFEIT_ILLEGAL, "no-such-setup");
    expect_forfeit(play(PATIENT, "'{\"type\":\"setup\",\"setup\":\"corner-fortress\"}'"),
                   REASON_FORFEIT_ILLEGAL, "the set-up does not fit \"duel\"");
    expect_forfeit(play(PATIENT, "'{\"type\":\"setup\",\"setup\":\"../../etc/passwd\"}'"),
                   REASON_FORFEIT_ILLEGAL, "");
}

static void an_illegal_move_is_refused_and_loses(void **state) {
    (void)state;
    expect_forfeit(play(PATIENT, "ok '{\"type\":\"move\",\"move\":\"a1-j10\"}'"),
                   REASON_FORFEIT_ILLEGAL, "a1-j10");
    expect_messages("gstmrve");
    expect_words("{\"type\":\"refused\",\"rule\":\"");
    expect_words("\"reason\":\"forfeit-illegal\"");
    expect_forfeit(play(PATIENT, "ok '{\"type\":\"move\",\"move\":\"z9-z8\"}'"),
                   REASON_FORFEIT_ILLEGAL, "z9-z8");
    expect_words("\"rule\":\"off-board\"");
    expect_forfeit(play(PATIENT, "ok '{\"type\":\"move\",\"move\":\"north\"}'"),
                   REASON_FORFEIT_ILLEGAL, "north");
    expect_words("\"rule\":\"text\"");
    expect_forfeit(play(PATIENT, "ok '{\"type\":\"move\",\"move\":\"\"}'"), REASON_FORFEIT_ILLEGAL,
                   "");
}

static void unreadable_lines_get_an_error_each_and_change_nothing(void **state) {
    (void)state;
    static const char *const lines[] = {
        "hello",
        "{",
        "[]",
        "1",
        "null",
        "\"move\"",
        "{}",
        "{\"type\":7}",
        "{\"type\":\"move\"}",
        "{\"type\":\"move\",\"move\":7}",
        "{\"type\":\"move\",\"move\":null}",
        "{\"type\":\"move\",\"move\":\"a1-a2\",\"move\":\"a1-a2\"}",
        "{\"type\":\"move\",\"move\":\"a1-a2\",\"ply\":-1}",
        "{\"type\":\"move\",\"move\":\"a1-a2\",\"ply\":1.5}",
        "{\"type\":\"move\",\"move\":\"a1-a2\",\"ply\":99999999999999999999}",
        "{\"type\":\"draw\",\"accept\":1}",
        "{\"type\":\"resign\"} {}",
    };
    enum { COUNT = sizeof lines / sizeof *lines };
    char words[4096] = "ok", errors[COUNT + 1], expected[64];
    for (int i = 0; i < COUNT; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), " '+%s'", lines[i]);
    strcat(words, " ok");
    expect_sound(play_variant(rules, PATIENT, 2, words));
    memset(errors, '!', COUNT);
    errors[COUNT] = 0;
    snprintf(expected, sizeof expected, "gstm%svve", errors);
    expect_messages(expected);
    expect_words("expected a JSON object, got an array");
}

static void answers_to_other_questions_are_skipped(void **state) {
    (void)state;
    /* Of another type, of another ply, twice; and keys that nobody knows. */
    expect_sound(play(PATIENT, "ok '+" SETUP "' '+{\"type\":\"draw\",\"accept\":true}' "
                               "'+{\"type\":\"thinking\",\"depth\":4}' "
                               "'+{\"type\":\"move\",\"move\":\"a1-a1\",\"ply\":77}' ok "
                               "+ok +ok ok ok"));
    assert_null(strchr(messages(), 'r'));
    assert_null(strchr(messages(), '!'));
}

static void more_than_64_lines_that_are_no_answer_forfeit(void **state) {
    (void)state;
    expect_sound(play(PATIENT, "ok +asides ok"));
    expect_forfeit(play(PATIENT, "ok +asides '+{\"type\":\"hm\"}' ok"), REASON_FORFEIT_ILLEGAL,
                   "more than 64 lines");
    expect_forfeit(play(PATIENT, "ok flood-lines"), REASON_FORFEIT_ILLEGAL, "more than 64 lines");
}

static void answers_that_come_early_are_taken_in_their_order(void **state) {
    (void)state;
    given = NULL;
    expect_sound(play_variant(rules, PATIENT, 2, "'!" SETUP "' '+{\"type\":\"hm\"}'"));
    /* A move for another ply than the question's is skipped, whenever it was written. */
    expect_sound(play(PATIENT, "'!" SETUP "' '!{\"type\":\"move\",\"move\":\"a1-a9\",\"ply\":5}'"));
    expect_forfeit(play(PATIENT, "'!" SETUP "' '!{\"type\":\"move\",\"move\":\"a1-a9\"}'"),
                   REASON_FORFEIT_ILLEGAL, "a1-a9");
}

static void silence_and_half_lines_forfeit_by_time(void **state) {
    (void)state;
    expect_forfeit(play(QUICK, "silence"), REASON_FORFEIT_TIME, "no set-up within 300 ms");
    expect_forfeit(play(QUICK, "ok silence"), REASON_FORFEIT_TIME, "no move within 300 ms");
    expect_forfeit(play(QUICK, "ok ok stop"), REASON_FORFEIT_TIME, "no move within 300 ms");
    expect_forfeit(play(QUICK, "ok half"), REASON_FORFEIT_TIME, "no move within 300 ms");
    expect_forfeit(play(QUICK, "ok '+not JSON' silence"), REASON_FORFEIT_TIME,
                   "its last line was no answer: not a JSON object");
}

static void a_program_that_dies_forfeits_as_crashed_in_every_state(void **state) {
    (void)state;
    expect_forfeit(play(PATIENT, "'!x' leave"), REASON_FORFEIT_CRASH,
                   "instead of giving a set-up (exit code 3)");
    expect_forfeit(play(PATIENT, "ok leave"), REASON_FORFEIT_CRASH,
                   "instead of giving a move (exit code 3)");
    expect_forfeit(play(PATIENT, "ok leave"), REASON_FORFEIT_CRASH, "I have seen enough");
    expect_forfeit(play(PATIENT, "ok ok crash"), REASON_FORFEIT_CRASH, "signal 11");
    expect_forfeit(play(PATIENT, "ok half-leave"), REASON_FORFEIT_CRASH, "exit code 3");
    expect_forfeit(play(PATIENT, "+ok leave"), REASON_FORFEIT_CRASH, "giving a move");
    expect_forfeit(play(PATIENT, "ok +ok leave"), REASON_FORFEIT_CRASH, "giving a move");
    expect_forfeit(play(PATIENT, "ok close"), REASON_FORFEIT_CRASH, "output is closed");
    expect_forfeit(play(PATIENT, "'!leave'"), REASON_FORFEIT_CRASH, "giving a set-up");
    offers_at = 1;
    expect_forfeit(play(PATIENT, "ok ok leave"), REASON_FORFEIT_CRASH, "giving a move");
    expect_sound(play(PATIENT, "ok @leave"));
    expect_sound(play(PATIENT, "ok @silence"));
}

static void children_of_a_program_do_not_outlive_it(void **state) {
    (void)state;
    expect_sound(play(PATIENT, "ok child"));
    expect_forfeit(play(PATIENT, "child leave"), REASON_FORFEIT_CRASH, "exit code 3");
}

static void floods_and_long_lines_forfeit_as_illegal(void **state) {
    (void)state;
    expect_forfeit(play(PATIENT, "ok flood-line"), REASON_FORFEIT_ILLEGAL,
                   "a line of more than 65535 bytes");
    expect_forfeit(play(PATIENT, "ok flood-blanks"), REASON_FORFEIT_ILLEGAL, "only blank ones");
    expect_forfeit(play(PATIENT, "ok long"), REASON_FORFEIT_ILLEGAL,
                   "a line of more than 65535 bytes");
    struct referee_report report = play(PATIENT, "ok longest");
    assert_int_equal(report.reason, REASON_RESIGNED);
    expect_sound(play(PATIENT, "flood-errors flood-errors"));
}

static void binary_rubbish_and_deep_nesting_get_an_error(void **state) {
    (void)state;
    expect_sound(play_variant(rules, PATIENT, 2, "ok rubbish"));
    expect_messages("gstm!vve");
    expect_sound(play_variant(rules, PATIENT, 2, "ok +deep ok"));
    expect_messages("gstm!!vve");
    expect_forfeit(play(PATIENT, "ok deepest"), REASON_FORFEIT_ILLEGAL,
                   "a line of more than 65535 bytes");
}

static void resigning_ends_the_game(void **state) {
    (void)state;
    struct referee_report report = play(PATIENT, "ok ok '{\"type\":\"resign\"}'");
    assert_int_equal(report.reason, REASON_RESIGNED);
    assert_int_equal(report.result, RESULT_BLUE);
    expect_messages("gstmvvmve");
}

static void an_offer_of_a_draw_may_be_accepted(void **state) {
    (void)state;
    accepts = true;
    struct referee_report report = play(PATIENT, "ok '{\"type\":\"draw\"}'");
    assert_int_equal(report.reason, REASON_AGREED);
    assert_int_equal(asked_to_draw, 1);
    offers_at = 1;
    report = play(PATIENT, "ok ok '{\"type\":\"draw\",\"accept\":true}'");
    assert_int_equal(report.reason, REASON_AGREED);
    expect_messages("gstmvdve");
}

static void an_offer_of_a_draw_may_be_declined_once_in_a_turn(void **state) {
    (void)state;
    expect_sound(play(PATIENT, "ok '{\"type\":\"draw\"}' ok '{\"type\":\"draw\"}' ok"));
    assert_int_equal(asked_to_draw, 2);
    assert_memory_equal(messages(), "gstmrmvvmrmvv", 13);
    expect_forfeit(play(PATIENT, "ok '{\"type\":\"draw\"}' '{\"type\":\"draw\"}'"),
                   REASON_FORFEIT_ILLEGAL, "declined");
    offers_at = 1;
    expect_sound(play(PATIENT, "ok ok ok"));
    assert_memory_equal(messages(), "gstmvdvmvv", 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, reset, none_is_left)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_program_is_told_the_game_in_the_order_of_the_protocol),
        TEST(every_variant_is_played_from_either_side),
        TEST(set_ups_are_taken_as_text_by_name_and_by_chance),
        TEST(set_ups_that_are_none_forfeit_as_illegal),
        TEST(an_illegal_move_is_refused_and_loses),
        TEST(unreadable_lines_get_an_error_each_and_change_nothing),
        TEST(answers_to_other_questions_are_skipped),
        TEST(more_than_64_lines_that_are_no_answer_forfeit),
        TEST(answers_that_come_early_are_taken_in_their_order),
        TEST(silence_and_half_lines_forfeit_by_time),
        TEST(a_program_that_dies_forfeits_as_crashed_in_every_state),
        TEST(children_of_a_program_do_not_outlive_it),
        TEST(floods_and_long_lines_forfeit_as_illegal),
        TEST(binary_rubbish_and_deep_nesting_get_an_error),
        TEST(resigning_ends_the_game),
        TEST(an_offer_of_a_draw_may_be_accepted),
        TEST(an_offer_of_a_draw_may_be_declined_once_in_a_turn),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
