/* test_league.c - tests/bench/league.lua: two styles become one table, once played they are not
 * played again, and "ensign learn" reads the table; mixture.lua beside it does so without games.
 * strangers.lua tells how games went, by its own battles. */
#include "console.h"
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

/* Runs a script of tests/bench in the test's folder; what it printed ends up in `out`. Returns the
 * exit code. */
static int script(char out[4096], const char *name, const char *arguments) {
    char command[2048];
    assert_true(snprintf(command, sizeof command, "cd '%s' && lua5.4 '%s/tests/bench/%s' %s 2>&1",
                         console_folder(), ENSIGN_ROOT, name, arguments) < (int)sizeof command);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    out[fread(out, 1, 4095, pipe)] = 0;
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int league(char out[4096], const char *tables) {
    char arguments[1024];
    assert_true(snprintf(arguments, sizeof arguments, "'%s' duel 4 0 both.lua %s", ENSIGN_PROGRAM,
                         tables) < (int)sizeof arguments);
    return script(out, "league.lua", arguments);
}

static void learn(const char *seed, const char *name) {
    const char *out = console_file(0, name, "");
    remove(out);
    program_expect(PROGRAM("learn", "duel", "-n", "64", "--seed", seed, "--table", "-o", out), 0,
                   "");
}

static void styles_share_one_table(void **state) {
    static const char tables[] = "one.lua two.lua:1";
    char out[4096], again[4096], points[512], both[512], answer[512];
    float shares[2], scores[2];
    struct stat before, after;
    (void)state;
    learn("1", "one.lua");
    learn("2", "two.lua");
    if (league(out, tables) != 0 ||
        sscanf(out, "%*s share %f, scores %f %% %*s share %f, scores %f %%", &shares[0], &scores[0],
               &shares[1], &scores[1]) != 4)
        fail_msg("%s", out);
    assert_float_equal(shares[0] + shares[1], 1, 0.002);
    /* What one wins the other one loses, so the mean is even. */
    assert_float_equal(shares[0] * scores[0] + shares[1] * scores[1], 50, 0.2);

    snprintf(points, sizeof points, "%s/both.lua.points", console_folder());
    assert_int_equal(stat(points, &before), 0);
    assert_int_equal(league(again, tables), 0);
    assert_int_equal(stat(points, &after), 0);
    assert_true(before.st_size > 0 && before.st_size == after.st_size);
    assert_string_equal(out, again);

    snprintf(both, sizeof both, "%s/both.lua", console_folder());
    snprintf(answer, sizeof answer, "%s/answer.lua", console_folder());
    program_expect(PROGRAM("learn", "duel", "--against", both, "-n", "64", "-o", answer), 0, "");
}

static void what_is_no_table_is_told(void **state) {
    char out[4096];
    (void)state;
    assert_int_equal(league(out, ""), 2);
    assert_non_null(strstr(out, "usage: lua5.4 league.lua"));
    assert_int_equal(league(out, "'" ENSIGN_ROOT "/bots/rookie.lua'"), 1);
    assert_non_null(strstr(out, "rookie.lua: no table of `ensign learn --table`"));
    learn("1", "single.lua");
    assert_int_equal(league(out, "single.lua:2"), 1);
    assert_string_equal(out, "single.lua:2: the table ends with style 1\n");
    assert_int_equal(league(out, "none.lua"), 1);
    assert_string_equal(out, "none.lua: No such file or directory\n");
}

/* The second has its share twice, and a mixture as a table deals its share to its styles. */
static void tables_are_mixed(void **state) {
    static const char *const shares[] = {"share = 166,", "share = 334,", "share = 500,"};
    char out[4096], path[512], wide[512];
    (void)state;
    learn("1", "one.lua");
    learn("2", "two.lua");
    assert_int_equal(script(out, "mixture.lua", "three.lua one.lua two.lua two.lua"), 0);
    assert_string_equal(out, "");
    assert_int_equal(script(out, "mixture.lua", "mixed.lua three.lua one.lua"), 0);
    snprintf(path, sizeof path, "%s/mixed.lua", console_folder());
    char *text = program_text(fopen(path, "r"));
    assert_non_null(strstr(text, "3 styles of 2 tables"));
    const char *at = text;
    int found = 0;
    while ((at = strstr(at, "share = "))) {
        assert_in_range(found, 0, 2);
        assert_memory_equal(at, shares[found], strlen(shares[found]));
        found++, at++;
    }
    assert_int_equal(found, 3);
    free(text);
    snprintf(wide, sizeof wide, "%s/wide.lua", console_folder());
    program_expect(PROGRAM("learn", "duel", "--repertoire", path, "-n", "64", "-o", wide), 0, "");

    assert_int_equal(script(out, "mixture.lua", "three.lua"), 2);
    assert_int_equal(script(out, "mixture.lua", "three.lua none.lua"), 1);
    assert_string_equal(out, "none.lua: No such file or directory\n");
}

/* A game that a hand can follow, twice: the general falls attacking a bomb that nobody knew, the
 * spy to a scout that ran before; an illegal move of the other is told apart. */
static void lost_games_are_explained(void **state) {
    char out[4096], folder[512], record[2048];
    (void)state;
    /* b4 is the general; blue's bomb of the front row stands on c7. */
    static const char text[] = "[Variant \"milton-bradley\"]\n[Red \"mine\"]\n[Blue \"them\"]\n"
                               "[RedSetup \"S299999999/1334445555/6666777788/888BBBBBBF\"]\n"
                               "[BlueSetup \"9999999B99/1334445555/2666677778/8888BBBBSF\"]\n"
                               "[Result \"%s\"]\n[Reason \"%s\"]\n\n%s\n";
    static const char moves[] = "1. b4-b5 a7-a5 2. b5-b6 a5xa4 3. b6-c6 e7-e6 4. c6xc7";
    snprintf(folder, sizeof folder, "%s/told", console_folder());
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(record, sizeof record, text, "blue", "resigned", moves);
    console_file(0, "told/1.rec", record);
    snprintf(record, sizeof record, text, "red", "forfeit-illegal", moves);
    console_file(0, "told/2.rec", record);
    assert_int_equal(script(out, "strangers.lua", "told"), 0);
    assert_non_null(strstr(out,
                           "mine\n  0-0-1, 0.0 %; with 1 more that ended by an illegal move of "
                           "the program 50.0 %\n"));
    assert_non_null(strstr(out, "1 general to bomb (hidden, unmoved), attacking\n"));
    assert_non_null(strstr(out, "1 spy to a 9 (known)\n"));
    assert_non_null(strstr(out, "them\n  1-0-1, 50.0 %"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(styles_share_one_table),
        cmocka_unit_test(what_is_no_table_is_told),
        cmocka_unit_test(tables_are_mixed),
        cmocka_unit_test(lost_games_are_explained),
    };
    return cmocka_run_group_tests_name("cli/league", tests, NULL, NULL);
}
