/* `ensign check`: what passes, and the one line for what does not. */
#include "program.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Writes the file, checks it with -v duel, expects this. */
static void check(const char *ending, const char *text, int exit_code, const char *message) {
    char path[64];
    program_file(path, ending, text, strlen(text));
    struct program_run run = PROGRAM("check", path, "-v", "duel");
    assert_int_equal(!*run.out, exit_code != 0);
    program_expect(run, exit_code, message);
    unlink(path);
}

static void stock_variants_pass_and_tell_of_their_trial_games(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("check", "variants/duel.lua", "variants/infiltrator.lua", "variants/lightning.lua");
    assert_non_null(strstr(run.out, "variant \"Duel\", 10 pieces a side on 10 x 10"));
    assert_non_null(strstr(run.out, "random games: "));
    program_expect(run, 0, "");
}

static void bots_are_told_from_variants_and_play_themselves(void **state) {
    (void)state;
    struct program_run run = PROGRAM("check", "bots/rookie.lua", "-v", "duel");
    assert_non_null(strstr(run.out, "bot, two games of duel"));
    program_expect(run, 0, "");
    program_expect(PROGRAM("check", "tests/data/mistaken.lua", "-v", "duel"), 1,
                   "tests/data/mistaken.lua:5: in move");
}

static void set_ups_are_counted_or_the_wrong_one_named(void **state) {
    (void)state;
    check(".txt", "M..2....../...9..2.../3.S......3/....BFB...\n", 0, "");
    check(".txt", "M..2......\n...9..2...\n3.S......3\n....BFB...\n", 0, "");
    check(".txt", "M..2....../...9..2.../3.S......3/....BFB...\n7 M...", 1, ":2:");
    check(".txt", "M..2....../...9..2.../3.S......3/....BF....\n", 1, "bomb");
    check(".txt", "M..2....../...9..2.../3.S......3/....B.B...\n", 1, "flag");
    check(".txt", "M..2....../...9..2.../3.S......3/....BFB7..\n", 1, "\"7\"");
    check(".txt", "", 1, "holds no set-up");
    check(".txt", "\x01\x02\x03\xff", 1, ":1:1");
}

static void records_are_judged(void **state) {
    (void)state;
    check(".rec",
          "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
          "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n1. a4-a5",
          0, "");
    check(".rec", "1. a4-a5 ]", 1, ":1:10: found \"]\"");
}

static void broken_lua_is_named_with_its_line(void **state) {
    (void)state;
    check(".lua", "return {\n  api = 1,,\n}\n", 1, ":2: ");
    check(".lua", "\n\nerror 'no'\n", 1, ":3: ");
    check(".lua", "return 7\n", 1, "7");
    check(".lua", "", 1, "table");
    check(".lua", "\x1bLua\x01", 1, "binary");
    check(".lua", "while true do end", 1, "fuel");
    check(".lua", "return { api = 1, extends = 'duel', titel = 'x' }", 1, "did you mean \"title\"");
    check(".lua", "return { api = 1, extends = 'duel', army = { marshal = 60 } }", 1,
          "army of 69 pieces");
}

static void wrong_use_is_exit_code_2(void **state) {
    (void)state;
    program_expect(PROGRAM("check"), 2, "a file is expected");
    program_expect(PROGRAM("check", "nothing.lua"), 2, "nothing.lua: no such file");
    program_expect(PROGRAM("check", "LICENSE"), 2, "LICENSE: a name that ends in");
    program_expect(PROGRAM("check", "-x"), 2, "unknown option \"-x\"");
}

static void the_worst_of_several_files_decides_the_exit_code(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("check", "tests/data/mistaken.lua", "bots/rookie.lua", "-v", "duel");
    assert_non_null(strstr(run.out, "rookie.lua: bot"));
    program_expect(run, 1, "mistaken.lua");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stock_variants_pass_and_tell_of_their_trial_games),
        cmocka_unit_test(bots_are_told_from_variants_and_play_themselves),
        cmocka_unit_test(set_ups_are_counted_or_the_wrong_one_named),
        cmocka_unit_test(records_are_judged),
        cmocka_unit_test(broken_lua_is_named_with_its_line),
        cmocka_unit_test(wrong_use_is_exit_code_2),
        cmocka_unit_test(the_worst_of_several_files_decides_the_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
