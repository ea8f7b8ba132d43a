/* External programs as players, from the command line. */
#include "program.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define UCC "ucc:tests/host/ucc/"

static void a_program_plays_a_match_against_a_bot(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("match", UCC "walker.sh", "rookie", "-v", "milton-bradley", "-n", "2", "--json");
    assert_int_equal(run.exit_code, 0);
    assert_string_equal(run.err, "");
    json_t *document = json_loads(run.out, 0, NULL);
    assert_non_null(document);
    json_t *games = json_object_get(document, "games");
    assert_int_equal(json_array_size(games), 2);
    for (size_t i = 0; i < 2; i++) {
        json_t *game = json_array_get(games, i);
        const char *reason = json_string_value(json_object_get(game, "reason"));
        assert_null(strstr(reason, "forfeit"));
        assert_string_equal(json_string_value(json_object_get(game, i ? "blue" : "red")),
                            "walker.sh");
    }
    json_decref(document);
    program_clear(&run);
}

static void a_match_tells_how_a_program_failed_and_goes_on(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("match", UCC "crasher.sh", UCC "sleeper.sh move", "-v", "milton-bradley", "-n", "2",
                "--deadline", "100", "--first", "red");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.out, "forfeit-time 1, forfeit-crash 1"));
    assert_non_null(strstr(run.err, "board is NULL | no more (ply 1)\n"));
    assert_non_null(strstr(run.err, "no move within 100 ms"));
    program_clear(&run);
}

static void a_match_stops_when_a_program_is_gone(void **state) {
    (void)state;
    char path[64], player[80];
    static const char text[] =
        "#!/bin/sh\nrm \"$0\"\ncd " ENSIGN_ROOT "/tests/host/ucc\nexec ./pacer.sh\n";
    program_file(path, ".sh", text, sizeof text - 1);
    assert_int_equal(chmod(path, 0700), 0);
    snprintf(player, sizeof player, "gone=ucc:%s", path);
    program_expect(
        PROGRAM("match", player, "rookie", "-v", "milton-bradley", "-n", "20", "-j", "1"), 2,
        "no program");
}

static void with_fresh_a_program_can_leave_files_that_break_no_later_game(void **state) {
    (void)state;
    char path[64], player[80];
    static const char text[] = "#!/bin/sh\n[ -e ran ] && exit 9\n: >ran\ncd " ENSIGN_ROOT
                               "/tests/host/ucc\nexec ./walker.sh\n";
    program_file(path, ".sh", text, sizeof text - 1);
    assert_int_equal(chmod(path, 0700), 0);
    snprintf(player, sizeof player, "ucc:%s", path);
    program_expect(PROGRAM("match", player, "rookie", "-v", "milton-bradley", "-n", "2", "--fresh"),
                   0, "");
    struct program_run run =
        PROGRAM("match", player, "rookie", "-v", "milton-bradley", "-n", "2", "--wall");
    if (!strstr(run.err, "--wall needs")) assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    unlink(path);
}

static void two_programs_can_be_watched(void **state) {
    (void)state;
    struct program_run run = PROGRAM("play", "milton-bradley", "--red", UCC "hasty.sh '0 2 DOWN'",
                                     "--blue", UCC "pacer.sh", "--first", "red");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.err, "the answer is \"0 2 DOWN\": move \"j3-j4\" is not legal"));
    program_clear(&run);
}

static void names_of_players(const char *first, const char *second, const char *expected) {
    struct program_run run =
        PROGRAM("match", first, second, "-v", "milton-bradley", "-n", "2", "--json");
    json_t *document = json_loads(run.out, 0, NULL);
    char names[128];
    snprintf(names, sizeof names, "%s %s",
             json_string_value(
                 json_object_get(json_array_get(json_object_get(document, "players"), 0), "name")),
             json_string_value(
                 json_object_get(json_array_get(json_object_get(document, "players"), 1), "name")));
    assert_string_equal(names, expected);
    json_decref(document);
    program_clear(&run);
}

static void a_program_can_be_given_a_name_and_two_of_one_name_are_told_apart(void **state) {
    (void)state;
    names_of_players("old-1=" UCC "hasty.sh", "new=" UCC "hasty.sh", "old-1 new");
    names_of_players(UCC "hasty.sh", UCC "hasty.sh x", "hasty.sh hasty.sh#2");
    program_expect(PROGRAM("match", "my bot=" UCC "pacer.sh", "rookie"), 2,
                   "the name in front of \"=ucc:\" is \"my bot\"");
    program_expect(PROGRAM("match", "=" UCC "pacer.sh", "rookie"), 2, "is \"\"");
}

static int count_hints(const char *variant) {
    struct program_run run =
        PROGRAM("match", UCC "hasty.sh", UCC "hasty.sh 2", "-v", variant, "-n", "2");
    int count = 0;
    for (const char *at = run.err; (at = strstr(at, "repetition rules")); at++) count++;
    program_clear(&run);
    return count;
}

static void repetition_rules_that_a_program_cannot_know_are_hinted_at_once(void **state) {
    (void)state;
    assert_int_equal(count_hints("original"), 1);
    assert_int_equal(count_hints("milton-bradley"), 0);
}

static void wrong_use_is_one_line_and_exit_code_2(void **state) {
    (void)state;
    program_expect(PROGRAM("match", UCC "nobody.sh", "rookie"), 2, "nobody.sh");
    program_expect(PROGRAM("match", UCC "pacer.sh", "rookie", "-v", "duel"), 2, "40 pieces");
    program_expect(PROGRAM("match", "ucc:", "rookie"), 2, "a program is expected");
    program_expect(PROGRAM("match", UCC "pacer.sh", "rookie", "--deadline", "0"), 2, "--deadline");
    program_expect(PROGRAM("play", "--blue", UCC "army.sh"), 2, "not an executable file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_plays_a_match_against_a_bot),
        cmocka_unit_test(a_match_tells_how_a_program_failed_and_goes_on),
        cmocka_unit_test(a_match_stops_when_a_program_is_gone),
        cmocka_unit_test(with_fresh_a_program_can_leave_files_that_break_no_later_game),
        cmocka_unit_test(two_programs_can_be_watched),
        cmocka_unit_test(a_program_can_be_given_a_name_and_two_of_one_name_are_told_apart),
        cmocka_unit_test(repetition_rules_that_a_program_cannot_know_are_hinted_at_once),
        cmocka_unit_test(wrong_use_is_one_line_and_exit_code_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
