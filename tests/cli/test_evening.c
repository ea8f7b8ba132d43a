/* test_evening.c - a first-time player's evening, by keys at the emulated terminal: the lesson,
 * three games at two levels, one with moves taken back, one left and continued; then the list of
 * games and one report of all. */
#include "base/files.h"
#include "player.h"

#include <jansson.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* From the start screen to the first move: types the seed, chooses the level and begins. */
static void begin(const char *level, const char *seed) {
    char shown[64];
    await("> Play");
    type("k\r");
    await("A whole number:");
    type(seed);
    type("\r");
    await("as given");
    type("\t\t\t\t\r"); /* by Play, the game and the side to the opponent */
    await("plays sensibly");
    type(level);
    snprintf(shown, sizeof shown, "> %s", level);
    await(shown);
    type("\rp");
    await("Red's army");
    type("d");
    await("1. red to move");
    type("++++++"); /* the bot does not wait */
}

/* Back from an ended game, without a rematch. */
static void leave_ended_game(void) {
    await("uncovered");
    await_any(ARGUMENTS("wins.", "A draw."));
    type("q");
    await("Play again with sides swapped?");
    type_other();
}

static json_t *document(const char *const *arguments) {
    assert_int_equal(console_run(&console, "", arguments), 0);
    json_t *read = json_loads(console.text, 0, NULL);
    assert_non_null(read);
    player_goes(NULL);
    return read;
}

static void a_first_evening(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play"));
    await("Never played? Press t");
    type("t");
    await("> Moving");
    type("\r");
    play_lesson();

    await("> Play");
    type("\t\r");
    await("Barrage");
    type("duel\r");
    await("10 pieces a side");
    type("k"); /* to Play again */
    begin("beginner", "5");
    play_on(1, UINT_MAX);
    leave_ended_game();

    begin("beginner", "6");
    assert_false(vt_shows(&vt, "Never played?"));
    assert_true(play_on(1, 4));
    type("u");
    assert_true(play_on(3, 3));
    type("u");
    assert_true(play_on(2, 5));
    type("r");
    await("Resign this game?");
    type_other();
    leave_ended_game();

    begin("medium", "7");
    assert_true(play_on(1, 3));
    type("q");
    await("Leave this game?");
    type_other();
    assert_int_equal(console_finish(&console), 0);
    assert_lines("The game is saved");
    player_goes(NULL);

    player_comes(ARGUMENTS("play"));
    await("There is an unfinished game: duel, red: human, blue: lieutenant, move 3");
    type("\r");
    await("3. red to move");
    type("++++++");
    play_on(3, UINT_MAX);
    leave_ended_game();
    assert_int_equal(console_finish(&console), 0);
    assert_lines("The record is in ");
    player_goes(NULL);
}

static void is_listed_and_reported(void **state) {
    (void)state;
    char folder[256], page[256];
    snprintf(folder, sizeof folder, "%s/ensign/games", console_folder());
    snprintf(page, sizeof page, "%s/evening.html", console_folder());
    json_t *games = document(ARGUMENTS("games", "--json"));
    json_t *list = json_object_get(games, "games");
    int lieutenants = 0; /* games that began in the same second are in any order */
    assert_int_equal(json_array_size(list), 3);
    for (size_t i = 0; i < 3; i++) {
        json_t *game = json_array_get(list, i);
        assert_string_equal(json_string_value(json_object_get(game, "variant")), "duel");
        lieutenants += !strcmp(json_string_value(json_object_get(game, "blue")), "lieutenant");
    }
    assert_int_equal(lieutenants, 1);
    json_decref(games);
    json_t *report = document(ARGUMENTS("report", folder, "--json"));
    assert_int_equal(json_array_size(json_object_get(report, "games")), 3);
    json_decref(report);
    assert_int_equal(console_run(&console, "", ARGUMENTS("report", folder, "-o", page)), 0);
    size_t length;
    char *text = files_read(page, 64 << 20, &length, NULL);
    assert_non_null(text);
    assert_non_null(strstr(text, "cadet"));
    assert_non_null(strstr(text, "lieutenant"));
    free(text);
    player_goes(NULL);
    console_run(&console, "", ARGUMENTS("games"));
    assert_lines("taken back");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_first_evening, player_goes),
        cmocka_unit_test_teardown(is_listed_and_reported, player_goes),
    };
    return cmocka_run_group_tests_name("cli/evening", tests, NULL, NULL);
}
