/* The example variants in the program: matches of bots in their processes, whose records are judged
 * move by move; and the message of every command for a variant whose calls contradict the
 * position. */
#include "console.h"
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char CONTRADICTION[] = "tests/data/contradiction.lua";
static const char MESSAGE[] = "tests/data/contradiction.lua:5: after_move returned an effect that "
                              "cannot be: remove: nothing stands on e5 (ply 3)";

static const char CHECKED[] = "tests/data/contradiction.lua:5: random game 1: after_move returned";

static void remove_games(const char *folder) {
    char path[96];
    for (int i = 1; i <= 4; i++) {
        snprintf(path, sizeof path, "%s/%04d.rec", folder, i);
        remove(path);
    }
    static const char *const endings[] = {"", "-wal", "-shm"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/match.sqlite%s", folder, endings[i]);
        remove(path);
    }
    assert_int_equal(remove(folder), 0);
}

static void bots_play_games_of_every_call_that_can_be_verified(void **state) {
    (void)state;
    static const char *const names[] = {"flag_moves_once", "phalanx", "medic",
                                        "sentry",          "cordon",  "breakthrough"};
    for (int n = 0; n < 6; n++) {
        char folder[] = "/tmp/ensign-examples-XXXXXX", variant[64], record[96];
        assert_non_null(mkdtemp(folder));
        snprintf(variant, sizeof variant, "variants/examples/%s.lua", names[n]);
        program_expect(PROGRAM("match", "hunter", "raider", "-v", variant, "-n", "4", "-j", "2",
                               "--seed", "7", "-o", folder),
                       0, "");
        for (int i = 1; i <= 4; i++) {
            snprintf(record, sizeof record, "%s/%04d.rec", folder, i);
            program_expect(PROGRAM("replay", record, "--verify", "-v", variant), 0, "");
        }
        remove_games(folder);
    }
}

static void a_contradiction_ends_the_command_with_its_place(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-examples-XXXXXX", record[96];
    assert_non_null(mkdtemp(folder));
    program_expect(
        PROGRAM("match", "rookie", "rookie", "-v", "duel", "-n", "2", "--seed", "7", "-o", folder),
        0, "");
    snprintf(record, sizeof record, "%s/0001.rec", folder);
    program_expect(
        PROGRAM("match", "rookie", "rookie", "-v", CONTRADICTION, "-n", "2", "--seed", "7"), 1,
        MESSAGE);
    program_expect(PROGRAM("match", "rookie", "rookie", "-v", CONTRADICTION, "-n", "2", "--seed",
                           "7", "--trust"),
                   1, MESSAGE);
    program_expect(
        PROGRAM("play", CONTRADICTION, "--red", "rookie", "--blue", "rookie", "--seed", "1"), 1,
        MESSAGE);
    program_expect(PROGRAM("check", CONTRADICTION), 1, CHECKED);
    program_expect(PROGRAM("replay", record, "--verify", "-v", CONTRADICTION), 1, MESSAGE);
    remove_games(folder);
}

static void a_refusal_is_told_with_the_variants_own_words(void **state) {
    (void)state;
    char path[64];
    static const char text[] =
        "[Variant \"flag_moves_once\"]\n"
        "[Position \"........../.......bM../bF........./........../........../"
        "........../........../........../........../rF......rM.. red\"]\n"
        "\n1. a1-a2 h9-h8\n";
    program_file(path, ".rec", text, sizeof text - 1);
    struct program_run run =
        PROGRAM("moves", path, "a2-a3", "-v", "variants/examples/flag_moves_once.lua");
    if (!strstr(run.out, "Not legal (variant): a rule of this variant forbids it: a flag moves "
                         "once only."))
        fail_msg("%s%s", run.out, run.err);
    assert_int_equal(run.exit_code, 1);
    program_clear(&run);
    remove(path);
}

static void the_sheet_names_the_calls_and_the_note(void **state) {
    (void)state;
    struct program_run run = PROGRAM("show", "variants/examples/phalanx.lua");
    assert_non_null(strstr(run.out, "? depends on the position"));
    assert_non_null(strstr(run.out, "Between equals the one with more comrades"));
    assert_non_null(strstr(run.out, "Decided by the variant's own functions"));
    assert_non_null(strstr(run.out, "Who falls in some battles."));
    assert_null(strstr(run.out, "Whether a move may be made."));
    program_clear(&run);
    run = PROGRAM("show", "variants/examples/phalanx.lua", "--json");
    assert_non_null(strstr(run.out, "\"battle\""));
    assert_non_null(strstr(run.out, "\"ask\""));
    program_clear(&run);
}

static void bench_says_why_moves_are_listed(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("bench", "-v", "variants/examples/sentry.lua", "--seconds", "0.05");
    assert_non_null(
        strstr(run.out, "moves are listed, because it asks the variant's own functions"));
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
}

/* A game ended by a variant's fault is saved for --continue: keep it out of the user's folder. */
static int keep_games_apart(void **state) {
    (void)state;
    console_folder();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_play_games_of_every_call_that_can_be_verified),
        cmocka_unit_test(a_contradiction_ends_the_command_with_its_place),
        cmocka_unit_test(a_refusal_is_told_with_the_variants_own_words),
        cmocka_unit_test(the_sheet_names_the_calls_and_the_note),
        cmocka_unit_test(bench_says_why_moves_are_listed),
    };
    return cmocka_run_group_tests_name("cli/examples", tests, keep_games_apart, NULL);
}
