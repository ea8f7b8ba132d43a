/* `ensign import` and `ensign export`. */
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define FIELD                                                                                      \
    "MBBAAAAAAAEECAAAAAAADAAAAAAAAALAADKAAAAAAA__AA__AAAA__AA__AA"                                 \
    "AAAAAWAAAPAAAAAAAAAPAAAAAAAOQQAAAAAAXNNY"
#define GSN "#X38FA11 Stratego-Notation v2\ntype 4\n" FIELD "\n"

static void one_file_goes_to_standard_output_and_back(void **state) {
    (void)state;
    static const char gsn[] = GSN "A4-A5\nK7-K4\nEND\nAnna vs Ben result 7 winner 2\n";
    struct program_run run = program_run(gsn, (const char *const[]){"import", "-", NULL});
    assert_non_null(strstr(run.out, "[Variant \"duel\"]\n[Red \"Anna\"]\n[Blue \"Ben\"]\n"));
    assert_non_null(strstr(run.out, "\n1. a4-a5 j7-j4\n"));
    struct program_run back = program_run(run.out, (const char *const[]){"export", "-", NULL});
    assert_string_equal(back.out, gsn);
    program_expect(run, 0, "");
    program_expect(back, 0, "");
}

static void notes_beyond_the_first_twenty_are_counted(void **state) {
    (void)state;
    char text[4096] = GSN "A4-A5\nEND\nA vs B result 7 winner 2\n";
    for (int i = 0; i < 50; i++) strcat(text, "END\n");
    struct program_run run = program_run(text, (const char *const[]){"import", "-", NULL});
    int lines = 0;
    for (const char *at = run.err; (at = strchr(at, '\n')); at++) lines++;
    assert_int_equal(lines, 21);
    assert_non_null(strstr(run.err, "ensign: and 30 more\n"));
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
}

/* Games of two bots: out as GSN, and back. With a seed, since GSN has no words for every end: a
 * draw by a limit would come back as agreed. */
static void games_of_bots_come_back_with_the_same_moves_and_result(void **state) {
    (void)state;
    static const char *const variants[] = {"original", "duel", "barrage"};
    for (int v = 0; v < 3; v++) {
        char folder[64] = "/tmp/ensign-import-XXXXXX", path[96];
        assert_non_null(mkdtemp(folder));
        strcat(folder, "/games");
        program_expect(PROGRAM("match", "hunter", "raider", "-v", variants[v], "-n", "2", "--seed",
                               "3", "-o", folder, "--trust", "--json"),
                       0, "");
        for (int game = 1; game <= 2; game++) {
            snprintf(path, sizeof path, "%s/%04d.rec", folder, game);
            struct program_run gsn = PROGRAM("export", path);
            struct program_run back =
                program_run(gsn.out, (const char *const[]){"import", "-", NULL});
            struct program_run here = PROGRAM("replay", path, "--json");
            struct program_run there =
                program_run(back.out, (const char *const[]){"replay", "-", "--json", NULL});
            assert_string_equal(here.out, there.out); /* variant, plies, position, result, reason */
            program_expect(gsn, 0, "");
            program_expect(back, 0, "");
            program_expect(here, 0, "");
            program_expect(there, 0, "");
        }
        char command[128];
        *strrchr(folder, '/') = 0;
        snprintf(command, sizeof command, "rm -r '%s'", folder);
        assert_int_equal(system(command), 0);
    }
}

static void an_illegal_move_is_told_with_file_line_and_rule(void **state) {
    (void)state;
    char path[64], place[96];
    static const char gsn[] = GSN "A4-A5\nK7-C7\nEND\nAnna vs Ben result 7 winner 2\n";
    program_file(path, ".gsn", gsn, strlen(gsn));
    struct program_run run = PROGRAM("import", path);
    assert_non_null(strstr(run.out, "\n1. a4-a5\n"));
    snprintf(place, sizeof place, "%s:5:1: ply 2, K7-C7 (blocked): ", path);
    program_expect(run, 1, place);
    unlink(path);
}

static void many_files_go_into_a_folder_and_the_worst_decides(void **state) {
    (void)state;
    char good[64], bad[64], folder[64] = "/tmp/ensign-import-XXXXXX", made[200];
    assert_non_null(mkdtemp(folder));
    static const char gsn[] = GSN "A4-A5\nEND\nAnna vs Ben result 7 winner 0\n";
    program_file(good, ".gsn", gsn, strlen(gsn));
    program_file(bad, ".gsn", "what?", 5);
    program_expect(PROGRAM("import", good, bad), 2, "-o FOLDER is expected");
    struct program_run run = PROGRAM("import", good, bad, "-o", folder);
    snprintf(made, sizeof made, "%s/%.*s.rec", folder, (int)strlen(good + 5) - 4, good + 5);
    assert_non_null(strstr(run.out, made));
    assert_non_null(strstr(run.out, "duel, 1 ply, red by resigned"));
    assert_int_equal(run.exit_code, 1);
    program_clear(&run);
    program_expect(PROGRAM("replay", "--verify", made), 0, "");
    program_expect(PROGRAM("import", good, "-o", folder), 2,
                   "already exists; remove it or give another path");
    program_expect(PROGRAM("import", good, "-o", "LICENSE"), 2,
                   "LICENSE: is a file; a folder is expected");
    unlink(made);
    unlink(good);
    unlink(bad);
    assert_int_equal(rmdir(folder), 0);
}

static void that_a_game_was_not_finished_is_told(void **state) {
    (void)state;
    struct program_run run = program_run(
        "[Variant \"duel\"]\n[RedSetup \"M..29...../2........./33S......./FBB.......\"]\n"
        "[BlueSetup \"2...9...../2........./33S......./FBBM......\"]\n1. a4-a5 j7-j4\n",
        (const char *const[]){"export", "-", NULL});
    assert_non_null(strstr(run.out, "\nEND\nred vs blue\n"));
    program_expect(run, 0, "the game was not finished");
}

static void what_cannot_be_exported_is_told_in_one_line(void **state) {
    (void)state;
    struct program_run run = program_run(
        "[Variant \"infiltrator\"]\n"
        "[Position \"bF......b2../........../........../........../........../........../"
        "........../........../........../rF.......r2rX red\"]\n1. j1-j2 h10-h9\n",
        (const char *const[]){"export", "-", NULL});
    assert_string_equal(run.out, "");
    program_expect(run, 1, "standard input: there is no word for the kind \"saboteur\"");
    program_expect(PROGRAM("export", "--format", "pgn", "x.rec"), 2,
                   "--format is \"pgn\", expected \"gsn\"");
    program_expect(PROGRAM("export"), 2, "a record is expected");
    program_expect(PROGRAM("import"), 2, "a file is expected");
    program_expect(PROGRAM("import", "nothing.gsn"), 2, "nothing.gsn: no such file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_goes_to_standard_output_and_back),
        cmocka_unit_test(notes_beyond_the_first_twenty_are_counted),
        cmocka_unit_test(games_of_bots_come_back_with_the_same_moves_and_result),
        cmocka_unit_test(an_illegal_move_is_told_with_file_line_and_rule),
        cmocka_unit_test(many_files_go_into_a_folder_and_the_worst_decides),
        cmocka_unit_test(that_a_game_was_not_finished_is_told),
        cmocka_unit_test(what_cannot_be_exported_is_told_in_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
