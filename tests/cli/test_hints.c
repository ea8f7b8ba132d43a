/* test_hints.c - hints and one's own marks in "ensign play", on the screen of an emulated terminal
 * and in lines: hints are noted in the record and tell nothing but what the person may know; marks
 * are only for their owner. */
#include "base/files.h"
#include "player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char RED_SETUP[] = "M.9......./..2......./..2.....S./..3..3BFB.\n";

/* A bot with this army that walks with its piece on h8. */
static const char *walker(const char *setup) {
    char text[512];
    snprintf(text, sizeof text,
             "local played = 0\n"
             "local moves = { 'h8-h7', 'h7-h8', 'h8-i8', 'i8-h8' }\n"
             "return { api = 1, setup = function() return '%s' end,\n"
             "  move = function() played = played + 1 return moves[played] end }\n",
             setup);
    return console_file(0, "walker.lua", text);
}

static const char ARMY[] = ".......9.M/..2......./..2.....S./..3..3BFB.";
static const char OTHER_ARMY[] = ".......M.9/..3......./..2.....S./..2..3FBB.";

/* Waits until the words are no longer shown. */
static void await_end_of(const char *words) {
    for (;;) {
        vt_read(&vt, console.text, console.length);
        if (!vt_shows(&vt, words)) return;
        if (!console_receive(&console)) fail_msg("\"%s\" is still shown", words);
    }
}

static void leave_game(void) {
    type("q");
    await("Leave this game?");
    type_other();
    console_finish(&console);
}

/* The screen with the hint for the second turn against this army. */
static void look(const char *army, char *out, size_t size) {
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", walker(army), "--setup", setup,
                           "--seed", "3"));
    await("1. red to move");
    type("++++++");
    await("Bots wait 0 ms");
    type(":a4-a5\r");
    await("2. red to move");
    type("i");
    await("sealord would play ");
    await("Next best: ");
    type("kkklllm");
    await("no mark");
    await("──────┘"); /* the end of the list */
    size_t used = 0;
    for (int row = 0; row < vt.rows; row++)
        used += (size_t)snprintf(out + used, size - used, "%s\n", vt_row(&vt, row));
    type("q");
    leave_game();
    player_goes(NULL);
}

static void hints_and_marks_show_nothing_that_the_enemy_hides(void **state) {
    (void)state;
    static char screens[2][16384];
    look(ARMY, screens[0], sizeof screens[0]);
    look(OTHER_ARMY, screens[1], sizeof screens[1]);
    assert_string_equal(screens[0], screens[1]);
    assert_non_null(strstr(screens[0], "% to win"));
    assert_non_null(strstr(screens[0], "*["));
}

static void a_hint_lasts_until_the_turn_ends(void **state) {
    (void)state;
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", walker(ARMY), "--setup", setup));
    await("1. red to move");
    type("i");
    await("sealord would play ");
    type("kkk"); /* looking around keeps it */
    await("sealord would play ");
    type(":a4-a5\r");
    await("Blue h8-h7.");
    await_end_of("sealord would play");
    leave_game();
}

static void a_hint_that_is_too_long_for_the_screen_keeps_its_move(void **state) {
    (void)state;
    const char *bot = console_file(
        2, ".local/share/ensign/bots/a-bot-with-a-long-name.lua",
        "return { api = 1, level = 'grandmaster', move = function(view) return 'a4-a5' end,\n"
        "  explain = function(view) return {\n"
        "    { move = 'a4-a5', score = 12345.67, stake = 12345.6 },\n"
        "    { move = 'a4-b4', score = 12345.67 }, { move = 'c4-c5', score = 12345.67 } }\n"
        "  end }\n");
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", walker(ARMY), "--setup", setup));
    await("1. red to move");
    type("i");
    await("a-bot-with-a-long-name would play a4-a5.");
    leave_game();
    assert_int_equal(remove(bot), 0);
}

static void two_people_get_no_hints(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", "human", "--setup", "random"));
    await("Enter");
    type("\r");
    await("1. red to move");
    type("i");
    await("Hints are for games against a bot.");
    leave_game();
}

/* Plays three moves, with hints before the first and the last, and resigns. The record is written
 * to `path`. */
static void play_plain(const char *path, bool hints) {
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    const char *ask = hints ? "hint\n" : "";
    char input[256];
    snprintf(input, sizeof input, "%sa4-a5\na5-a4\n%sa4-b4\nquit\n", ask, ask);
    remove(path);
    console_run(&console, input,
                ARGUMENTS("play", "duel", "--plain", "--new", "--blue", "hunter", "--setup", setup,
                          "--seed", "11"));
    console_clear(&console);
    console_run(&console, hints ? "hint\nresign\ny\n" : "resign\ny\n",
                ARGUMENTS("play", "--plain", "--continue", "-o", path));
}

static char *read_record(const char *path) {
    size_t length;
    char *text = files_read(path, 1 << 20, &length, NULL);
    if (!text) fail_msg("%s was not written:\n%s", path, console.text);
    return text;
}

static void hints_are_noted_in_the_record_and_change_nothing_else(void **state) {
    (void)state;
    char folder[256], with[300], without[300];
    snprintf(folder, sizeof folder, "%s", console_folder());
    snprintf(with, sizeof with, "%s/with.rec", folder);
    snprintf(without, sizeof without, "%s/without.rec", folder);
    play_plain(with, true);
    assert_non_null(strstr(console.text, "sealord would play "));
    console_clear(&console);
    play_plain(without, false);
    console_clear(&console);
    char *noted = read_record(with), *plain = read_record(without);
    assert_non_null(strstr(noted, "[RedHints \"sealord at 1, sealord at 5, sealord at 7\"]"));
    assert_null(strstr(plain, "Hints"));
    assert_string_equal(strstr(noted, "\n1. "), strstr(plain, "\n1. "));
    free(noted);
    free(plain);
    console_run(&console, "", ARGUMENTS("replay", "--plain", with));
    assert_non_null(
        strstr(console.text, "Hints for red: sealord at 1, sealord at 5, sealord at 7"));
    console_clear(&console);
    console_run(&console, "", ARGUMENTS("games", folder));
    assert_non_null(strstr(console.text, "6? with.rec"));
    assert_non_null(strstr(console.text, "? played with hints"));
    console_clear(&console);
}

static void a_mark_is_chosen_from_a_list_and_moves_with_its_piece(void **state) {
    (void)state;
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", walker(ARMY), "--setup", setup));
    await("1. red to move");
    type("m");
    await("Marks are for hidden enemies");
    type("kkkklll"); /* from e4 to h8 */
    await("h8: Blue, has never moved");
    type("m");
    await("What do you think stands on h8?");
    type("2\r");
    await("your mark:");
    await("( 2)");
    type(":a4-a5\r");
    await("Blue h8-h7.");
    await("h8: free");
    type("j");
    await("your mark:");
    leave_game();
    player_goes(NULL);
    player_comes(ARGUMENTS("play", "--continue"));
    await("2. red to move");
    await("( 2)");
    type("\320\277kkklllm"); /* п is no command; then as above, to h7 */
    await("What do you think stands on h7?");
    type("n\r");
    await("(?\?)");
    await_end_of("your mark");
    leave_game();
}

static void army_marks_and_clock_are_kept_before_the_first_move_and_after_it_is_taken_back(
    void **state) {
    (void)state;
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", walker(ARMY), "--setup", setup,
                           "--clock", "10"));
    await("1. red to move");
    type("kkkklllm"); /* from e4 to h8 */
    await("What do you think stands on h8?");
    type("2\r");
    await("your mark:");
    for (int i = 0; i < 2; i++) {
        leave_game();
        assert_lines("The game is saved");
        player_goes(NULL);
        player_comes(ARGUMENTS("play", "--continue"));
        await("1. red to move");
        await("[9:");
        await("( 2)");
        type("++++++:a4-a5\r");
        await("2. red to move");
        type("u");
        await("Taken back to ply 0.");
        await("1. red to move");
    }
    leave_game();
}

static const char SCOUT_FIRST[] = "2.9......./..M......./..2.....S./..3..3BFB.\n";

/* The part of the output from the n-th board on. */
static const char *board(int number) {
    const char *at = console.text;
    while (at && number--) at = strstr(at + 1, "Red has lost");
    if (!at) fail_msg("not so many boards in:\n%s", console.text);
    return at;
}

static void a_mark_goes_when_the_piece_is_shown_and_is_in_no_record(void **state) {
    (void)state;
    const char *setup = console_file(1, "red.txt", SCOUT_FIRST);
    char path[300], *text;
    snprintf(path, sizeof path, "%s/marked.rec", console_folder());
    console_run(&console,
                "mark a7 bomb\nmark h8\nmark a4 bomb\nmark h8 \xd1\x80\xd0\xb0\xd0\xb7\xd0\xb2\xd0"
                "\xb5\xd0\xb4\xd1\x87\xd0\xb8\xd0\xba\nboard\na4xa7\nquit\n",
                ARGUMENTS("play", "duel", "--plain", "--new", "--blue", walker(ARMY), "--setup",
                          setup, "--lang", "ru"));
    console_clear(&console);
    console_run(&console, "mark h7\nmark h7 bomb\nmark h7 spy\nresign\ny\n",
                ARGUMENTS("play", "--plain", "--continue", "-o", path));
    assert_non_null(strstr(console.text, "( 2m")); /* moved from h8 to h7, as it was left */
    assert_null(strstr(console.text, "( Bm"));     /* shown in the battle */
    assert_non_null(strstr(console.text, "(10)"));
    assert_null(strstr(board(2), "( 2m"));
    assert_non_null(strstr(console.text, "h7: Bomb is ruled out."));
    assert_non_null(strstr(board(2), "( Sm"));
    console_clear(&console);
    text = read_record(path);
    assert_null(strstr(text, "Marks"));
    assert_null(strstr(text, "spy"));
    free(text);
}

static void each_of_two_people_sees_own_marks_only(void **state) {
    (void)state;
    console_run(&console, "\nmark j7 bomb\na4-a5\n\nmark a5 spy\nquit\n",
                ARGUMENTS("play", "duel", "--plain", "--new", "--blue", "human", "--setup",
                          console_file(1, "red.txt", RED_SETUP)));
    const char *handed = strstr(console.text, "blue to move");
    assert_non_null(strstr(console.text, "( Bm"));
    assert_non_null(handed);
    assert_null(strstr(handed, "Bm"));
    assert_non_null(strstr(handed, "[ Sm"));
    console_clear(&console);
}

int main(void) {
    console_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hints_and_marks_show_nothing_that_the_enemy_hides),
        cmocka_unit_test_teardown(a_hint_lasts_until_the_turn_ends, player_goes),
        cmocka_unit_test_teardown(a_hint_that_is_too_long_for_the_screen_keeps_its_move,
                                  player_goes),
        cmocka_unit_test_teardown(two_people_get_no_hints, player_goes),
        cmocka_unit_test_teardown(a_mark_is_chosen_from_a_list_and_moves_with_its_piece,
                                  player_goes),
        cmocka_unit_test_teardown(
            army_marks_and_clock_are_kept_before_the_first_move_and_after_it_is_taken_back,
            player_goes),
        cmocka_unit_test(a_mark_goes_when_the_piece_is_shown_and_is_in_no_record),
        cmocka_unit_test(each_of_two_people_sees_own_marks_only),
        cmocka_unit_test(hints_are_noted_in_the_record_and_change_nothing_else),
    };
    return cmocka_run_group_tests_name("cli/hints", tests, NULL, NULL);
}
