/* test_games.c - `ensign games`: one's own games, the filters, the score. */
#include "console.h"
#include "program.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static char folder[512];

/* A record of so many plies: `games` reads the tags and counts the moves. */
static void keep(const char *name, const char *variant, const char *red, const char *blue,
                 const char *result, int plies, const char *more) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    fprintf(file, "[Variant \"%s\"]\n[Red \"%s\"]\n[Blue \"%s\"]\n%s[Result \"%s\"]\n\n", variant,
            red, blue, more, result);
    for (int i = 0; i < plies; i++) fputs(i % 2 ? "j7-j6\n" : "a4-a5 ", file);
    fclose(file);
}

static int keep_games(void **state) {
    (void)state;
    setenv("LC_ALL", "C.UTF-8", 1);
    snprintf(folder, sizeof folder, "%s/kept", console_folder());
    mkdir(folder, 0700);
    keep("e.rec", "duel", "human", "hunter", "red", 7, "[Date \"2026-03-01 10:00:00\"]\n");
    keep("d.rec", "duel", "hunter", "human", "blue", 4, "[Date \"2026-03-02 10:00:00\"]\n");
    keep("c.rec", "quick", "human", "rookie", "blue", 9, "[Date \"2026-03-02 11:00:00\"]\n");
    keep("b.rec", "duel", "human", "hunter", "red", 12, "[Date \"2026-04-01 10:00:00\"]\n");
    keep("a.rec", "duel", "human", "rookie", "draw", 6, "[Date \"2027-01-01 10:00:00\"]\n");
    keep("half.rec", "duel", "hunter", "rookie", "red", 99,
         "[Date \"2026-04-02 10:00:00\"]\n[RedPlayed \"human from 1, hunter from 5\"]\n");
    keep("left.rec", "duel", "human", "hunter", "*", 99, "[Date \"2026-04-03 10:00:00\"]\n");
    keep("two.rec", "duel", "human", "human", "blue", 99, "[Date \"2026-04-04 10:00:00\"]\n");
    keep("old.rec", "barrage", "raider", "rookie", "red", 99, "");
    char path[600];
    snprintf(path, sizeof path, "%s/old.rec", folder);
    return utime(path, &(struct utimbuf){.modtime = 1700000000}); /* in November 2023 */
}

static int forget_games(void **state) {
    (void)state;
    static const char *const names[] = {"a.rec",    "b.rec",    "c.rec",   "d.rec",  "e.rec",
                                        "half.rec", "left.rec", "two.rec", "old.rec"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static void the_words_of_an_ending_are_listed(void **state) {
    (void)state;
    keep("a.rec", "breakthrough", "human", "rookie", "red", 6,
         "[Date \"2027-01-01 10:00:00\"]\n[Reason \"variant\"]\n[Ending \"Through.\"]\n");
    struct program_run run = PROGRAM("games", folder);
    assert_non_null(strstr(run.out, "  a.rec  Through.\n"));
    program_clear(&run);
    run = PROGRAM("games", folder, "--json");
    assert_non_null(strstr(run.out, "\"ending\": \"Through.\""));
    program_clear(&run);
    keep_games(state);
}

static void games_are_listed_and_added_up(void **state) {
    (void)state;
    struct program_run run = PROGRAM("games", folder);
    assert_string_equal(run.out,
                        "2023-11-14  barrage  raider - rookie  Red            99  old.rec\n"
                        "2026-03-01  duel     hunter           won             7  e.rec\n"
                        "2026-03-02  duel     hunter           won             4  d.rec\n"
                        "2026-03-02  quick    rookie           lost            9  c.rec\n"
                        "2026-04-01  duel     hunter           won            12  b.rec\n"
                        "2026-04-02  duel     rookie           won       *    99  half.rec\n"
                        "2026-04-03  duel     hunter           unfinished     99  left.rec\n"
                        "2026-04-04  duel     human - human    Blue           99  two.rec\n"
                        "2027-01-01  duel     rookie           drawn           6  a.rec\n"
                        "\n* played in part by somebody else; not counted\n"
                        "\n  variant  opponent  won  lost  drawn\n"
                        "  duel     hunter      3     0      0\n"
                        "  duel     rookie      0     0      1\n"
                        "  quick    rookie      0     1      0\n"
                        "                       3     1      1\n"
                        "\nGames won in a row: 2; now: 0.\n"
                        "The longest game, in plies: 12, b.rec\n"
                        "The quickest win, in plies: 4, d.rec\n");
    program_expect(run, 0, "");
}

/* The files that a command lists, without their ending. */
static void assert_lists(struct program_run run, const char *files) {
    char listed[256] = "";
    json_t *document = json_loads(run.out, 0, NULL), *game;
    size_t i;
    json_array_foreach(json_object_get(document, "games"), i, game) {
        const char *file = json_string_value(json_object_get(game, "file"));
        snprintf(listed + strlen(listed), sizeof listed - strlen(listed), "%.*s ",
                 (int)strcspn(file, "."), file);
    }
    assert_string_equal(listed, files);
    json_decref(document);
    program_expect(run, 0, "");
}

static void filters_choose_games(void **state) {
    (void)state;
    assert_lists(PROGRAM("games", folder, "--json", "-v", "quick"), "c ");
    assert_lists(PROGRAM("games", folder, "--json", "--against", "rookie"), "c half a ");
    assert_lists(PROGRAM("games", folder, "--json", "--result", "won"), "e d b half ");
    assert_lists(PROGRAM("games", folder, "--json", "--result", "unfinished"), "left ");
    assert_lists(PROGRAM("games", folder, "--json", "--since", "2026-03-02", "--until", "2026-03"),
                 "d c ");
    assert_lists(PROGRAM("games", folder, "--json", "--since", "2026-04-04"), "two a ");
    assert_lists(PROGRAM("games", folder, "--json", "--until", "2026-03-02"), "old e d c ");
    assert_lists(PROGRAM("games", folder, "--json", "-v", "duel", "--result", "lost"), "");
    struct program_run run = PROGRAM("games", folder, "-v", "galaxy");
    assert_non_null(strstr(run.out, "No games found in "));
    program_expect(run, 0, "");
    program_expect(PROGRAM("games", folder, "--since", "yesterday"), 2,
                   "\"yesterday\": a date as 2026-03-14, 2026-03 or 2026 is expected");
    program_expect(PROGRAM("games", folder, "--until", "2026-3-1"), 2, "\"2026-3-1\": a date");
    program_expect(PROGRAM("games", "/nowhere"), 2, "/nowhere: cannot be read");
}

static void json_has_the_same_numbers(void **state) {
    (void)state;
    struct program_run run = PROGRAM("games", folder, "--json", "--against", "hunter");
    json_t *document = json_loads(run.out, 0, NULL);
    const char *folder_said, *longest, *quickest, *me, *outcome, *result;
    int won, lost, drawn, streak, now, plies, counts;
    json_t *scores, *games;
    assert_int_equal(json_unpack(document, "{s:s, s:o, s:o, s:{s:i, s:i, s:i}, s:i, s:i, s:s, s:s}",
                                 "folder", &folder_said, "games", &games, "scores", &scores,
                                 "total", "won", &won, "lost", &lost, "drawn", &drawn, "streak",
                                 &streak, "streak_now", &now, "longest", &longest, "quickest_win",
                                 &quickest),
                     0);
    assert_string_equal(folder_said, folder);
    assert_int_equal(json_array_size(scores), 1);
    assert_true(won == 3 && lost == 0 && drawn == 0 && streak == 3 && now == 3);
    assert_string_equal(longest, "b.rec");
    assert_string_equal(quickest, "d.rec");
    assert_int_equal(json_unpack(json_array_get(games, 1), "{s:s, s:s, s:s, s:i, s:b}", "me", &me,
                                 "outcome", &outcome, "result", &result, "plies", &plies, "counts",
                                 &counts),
                     0);
    assert_string_equal(me, "blue");
    assert_string_equal(outcome, "won");
    assert_string_equal(result, "blue");
    assert_true(plies == 4 && counts);
    json_decref(document);
    program_expect(run, 0, "");
}

static void a_record_that_cannot_be_read_is_named_and_the_others_count(void **state) {
    (void)state;
    char path[600];
    snprintf(path, sizeof path, "%s/torn.rec", folder);
    FILE *file = fopen(path, "w");
    fputs("[Variant \"duel\"", file);
    fclose(file);
    struct program_run run = PROGRAM("games", folder, "-v", "quick");
    unlink(path);
    assert_non_null(strstr(run.out, "c.rec\n"));
    assert_null(strstr(run.out, "torn.rec"));
    program_expect(run, 1, "torn.rec:1:");
}

/* Without a folder, those that `play` has kept. */
static void a_game_just_played_is_the_latest(void **state) {
    (void)state;
    struct console console;
    console_run(&console, "resign\ny\n",
                ARGUMENTS("play", "quick", "--red", "rookie", "--blue", "human", "--setup",
                          "random", "--seed", "1"));
    const char *where = strstr(console.text, "The record is in ");
    assert_non_null(where);
    char path[512];
    snprintf(path, sizeof path, "%.*s", (int)strcspn(where + 17, "\n"), where + 17);
    console_clear(&console);
    struct program_run run = PROGRAM("games");
    assert_non_null(strstr(run.out, "  quick  rookie  lost      1  quick-"));
    program_expect(run, 0, "");
    run = PROGRAM("games", "--lang", "bg");
    assert_non_null(strstr(run.out, "  quick  rookie  загубена      1  quick-"));
    assert_non_null(strstr(run.out, "Спечелени поред: 0; сега: 0.\n"));
    program_expect(run, 0, "");
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_listed_and_added_up),
        cmocka_unit_test(the_words_of_an_ending_are_listed),
        cmocka_unit_test(filters_choose_games),
        cmocka_unit_test(json_has_the_same_numbers),
        cmocka_unit_test(a_record_that_cannot_be_read_is_named_and_the_others_count),
        cmocka_unit_test(a_game_just_played_is_the_latest),
    };
    return cmocka_run_group_tests(tests, keep_games, forget_games);
}
