/* test_terminal.c - the screen at a pseudo-terminal, read by libvterm. */
#include "base/files.h"
#include "player.h"

#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <cmocka.h>

static const char RED_SETUP[] = "22222X2333/3344445555/6666777889/MS2FBBBBBB\n";

static const char PUPPET[] =
    "local played = 0\n"
    "local moves = { 'e7-e6', 'e6-e5', 'j7-j6', 'i7-i6', 'j6-j7', 'i6-i7' }\n"
    "return { api = 1,\n"
    "  setup = function() return '2222222333/3344445555/6666777889/MSXFBBBBBB' end,\n"
    "  move = function() played = played + 1 return moves[played] end }\n";

static void a_whole_game_of_duel_is_played_against_a_bot(void **state) {
    (void)state;
    char record[256];
    snprintf(record, sizeof record, "%s/screen.rec", console_folder());
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", "rookie", "--setup", "random",
                           "--seed", "5", "-o", record));
    await("1. red to move");
    assert_true(vt.other);
    type("++++++"); /* the bot does not wait */
    assert_false(play_on(1, UINT_MAX));
    await_any(ARGUMENTS("wins.", "A draw."));
    type("q");
    await("Play again");
    type(vt_key(&vt, VTERM_KEY_DOWN)); /* no stands below yes */
    type("\r");
    console_finish(&console);
    vt_read(&vt, console.text, console.length);
    assert_true(vt_is_given_back(&vt));
    assert_true(vt_shows(&vt, "The record is in "));
    assert_false(vt_shows(&vt, "red to move"));
    player_goes(NULL);
    assert_int_equal(console_run(&console, "", ARGUMENTS("replay", "--verify", record)), 0);
}

static void a_piece_is_sabotaged(void **state) {
    (void)state;
    const char *bot = console_file(0, "puppet.lua", PUPPET);
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    static const char *const moves[] = {"f4-f5", "f5-f6", "f6-e6", "e6-e7"};
    char turn[32];
    player_comes(ARGUMENTS("play", "infiltrator", "--new", "--blue", bot, "--setup", setup));
    await("1. red to move");
    type("++++++");
    for (unsigned n = 0; n < 4; n++) {
        snprintf(turn, sizeof turn, "%u. red to move", n + 1);
        await(turn);
        type(":");
        await("Move");
        type(moves[n]);
        type("\r");
    }
    await("5. red to move");
    type("kkk\r"); /* from e4 up to e7 */
    await("@(##)");
    type("k\r");
    await("stay on e7");
    type("\r");
    await("What stands on e8?");
    type("4\r");
    await("Sergeant on e8 is removed");
    type("q");
    await("Leave this game?");
    type(vt_key(&vt, VTERM_KEY_UP));
    type("\r");
    console_finish(&console);
}

static void the_function_keys_change_the_library(void **state) {
    (void)state;
    static const char army[] = "FBBS2233/9M....../........\n";
    char file[256];
    snprintf(file, sizeof file, "%s/.local/share/ensign/variants/setups/one.txt", console_folder());
    assert_true(files_folders(file, strlen(console_folder()), NULL));
    assert_true(files_write_new(file, army, strlen(army), 0, NULL));
    player_comes(ARGUMENTS("play", "quick", "--new", "--blue", "rookie"));
    await("Red's army");
    type("f");
    await("F2 renames");
    await("> one");
    type(vt_key(&vt, VTERM_KEY_FUNCTION(2)));
    await("Its new name:");
    type("two\r");
    await("> onetwo");
    type(vt_key(&vt, VTERM_KEY_DEL));
    await("Delete your set-up \"onetwo\"?");
    type(vt_key(&vt, VTERM_KEY_UP));
    type("\r");
    await("> quick-corner");
    assert_false(vt_shows(&vt, "onetwo"));
    console_break(&console, SIGTERM);
}

static void a_click_takes_up_a_piece_and_puts_it_down(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play", "original", "--new", "--blue", "rookie", "--setup", "random",
                           "--seed", "3"));
    await("1. red to move");
    type(vt_click(&vt, 13, 4)); /* a4 */
    await("Enter go there");
    type(vt_click(&vt, 11, 4));
    await("1. a4-a5");
    console_break(&console, SIGTERM);
}

static void resize(int rows, int columns) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    vt_resize(&vt, rows, columns);
    assert_int_equal(ioctl(console.in, TIOCSWINSZ, &size), 0);
}

static void the_board_follows_the_window(void **state) {
    (void)state;
    player_comes(
        ARGUMENTS("play", "duel", "--new", "--blue", "rookie", "--setup", "random", "--seed", "5"));
    await("1. red to move");
    resize(45, 140);
    await("│Scout │");
    resize(8, 40);
    await("The window is too small");
    resize(24, 80);
    await("└──┘");
    console_break(&console, SIGTERM);
}

/* Is anything drawn below the first 24 rows? */
static bool window_is_used(void) {
    for (int row = 24; row < vt.rows; row++) {
        const char *text = vt_row(&vt, row);
        if (strspn(text, " ") < strlen(text)) return true;
    }
    return false;
}

/* Stops the program by its key, makes the window larger, and lets it go on. */
static void enlarge_while_it_is_stopped(void) {
    type("\x1a");
    await("stopped here");
    resize(45, 140);
    type("\r");
    while (!window_is_used()) {
        if (!console_receive(&console)) fail_msg("the window is not used");
        vt_read(&vt, console.text, console.length);
    }
}

static void a_window_that_changed_while_the_program_was_stopped_is_followed(void **state) {
    (void)state;
    static const struct {
        const char *arguments[8], *first, *keys, *shown;
    } cases[] = {
        {{"play", "duel", "--new", "--blue", "rookie", "--setup", "random"},
         "Enter pick up",
         "",
         ""},
        {{"play", "duel", "--new", "--blue", "rookie", "--setup", "random"},
         "Enter pick up",
         "?",
         "On the board"},
        {{"play", "duel", "--new", "--blue", "rookie"}, "Red's army", "", ""},
        {{"play", "duel", "--new", "--blue", "rookie"}, "Red's army", "f", "duel-"},
        {{"play", "--lesson"}, "> Moving", "", ""},
        {{"play", "--lesson"}, "> Moving", "\r", "Lesson, 1 of 9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        player_comes_in_shell(cases[i].arguments);
        await(cases[i].first);
        type(cases[i].keys);
        await(cases[i].shown);
        enlarge_while_it_is_stopped();
        console_break(&console, 0);
        player_goes(NULL);
    }
}

#define X20 "xxxxxxxxxxxxxxxxxxxx"
#define X100 X20 X20 X20 X20 X20

static void a_terminal_that_is_not_known_is_named_with_what_helps(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"xterm-nobody-knows", "does not know the terminal \"xterm-nobody-knows\""},
        {X100 X100 X100, " the terminal \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"; "},
        {"", "TERM is not set"},
        {"dumb", "the cursor of the terminal \"dumb\" cannot be moved"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        console_terminal = cases[i][0];
        console_open(&console, true, ARGUMENTS("play", "duel", "--new", "--blue", "rookie"));
        console_terminal = "xterm";
        console_expect(&console, "plain lines instead of the screen: ");
        console_expect(&console, cases[i][1]);
        console_expect(&console, "TERM=xterm-256color");
        console_break(&console, SIGTERM);
        console_clear(&console);
    }
    console_open(&console, true, ARGUMENTS("play", "duel", "--new", "--blue", "rookie", "--plain"));
    console_expect(&console, "a1");
    assert_null(strstr(console.text, "instead of the screen"));
    console_break(&console, SIGTERM);
    console_clear(&console);
}

/* Counts the squares that open with the glyph, all of which stand on the ground. */
static int squares_on(uint32_t glyph, int ground) {
    enum { BOARD_ROWS = 21, BOARD_COLUMNS = 54 };
    int count = 0;
    for (int at = 0; at < BOARD_ROWS * BOARD_COLUMNS; at++) {
        VTermScreenCell cell = vt_cell(&vt, at / BOARD_COLUMNS, at % BOARD_COLUMNS);
        if (cell.chars[0] != glyph) continue;
        assert_false(VTERM_COLOR_IS_DEFAULT_BG(&cell.bg));
        assert_int_equal(cell.bg.indexed.idx, ground);
        count++;
    }
    return count;
}

static void pieces_stand_on_the_colour_of_their_side(void **state) {
    (void)state;
    enum { RED = 1, BLUE = 4 };
    player_comes(
        ARGUMENTS("play", "duel", "--new", "--blue", "rookie", "--setup", "random", "--seed", "5"));
    await("Enter pick up");
    assert_int_equal(squares_on('[', RED), 10);
    assert_int_equal(squares_on('(', BLUE), 10);
    console_break(&console, SIGTERM);
}

static bool cursor_is_behind(uint32_t glyph) {
    VTermPos at = vt_cursor(&vt);
    VTermScreenCell cell = vt_cell(&vt, at.row, at.col - 2);
    return cell.chars[0] == glyph && cell.width == 2;
}

static void the_cursor_stands_behind_what_is_typed(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", "rookie", "--setup", "random"));
    await("1. red to move");
    type(":");
    await("Move");
    type("e4-日");
    await("│ e4-日  ");
    while (!cursor_is_behind(L'日')) {
        assert_true(console_receive(&console));
        vt_read(&vt, console.text, console.length);
    }
    assert_false(vt.hides_cursor);
    console_break(&console, SIGTERM);
}

static void a_game_whose_terminal_was_closed_goes_on_later(void **state) {
    (void)state;
    player_comes(
        ARGUMENTS("play", "duel", "--new", "--blue", "rookie", "--setup", "random", "--seed", "6"));
    await("1. red to move");
    type("\t\r\t\r");
    await("2. red to move");
    console_break(&console, 0);
    player_goes(NULL);
    player_comes(ARGUMENTS("play"));
    await("There is an unfinished game: duel, red: human, blue: rookie, move ");
    await(" Continue it?"); /* in the next line: all of it is longer than 80 columns */
    await("> yes");
    resize(8, 60);
    await(" Continue it?");
    await("> yes");
    resize(24, 80);
    await("> yes");
    type("\r");
    await("2. red to move");
    await("  1. "); /* the moves played before */
    console_break(&console, SIGTERM);
}

static void whatever_ends_the_program_gives_the_terminal_back(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGABRT};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        player_comes(ARGUMENTS("play", "duel", "--new", "--blue", "rookie", "--setup", "random"));
        await("1. red to move");
        assert_true(vt.other);
        console_break(&console, signals[i]);
        vt_read(&vt, console.text, console.length);
        assert_true(vt_is_given_back(&vt));
        assert_false(vt_shows(&vt, "red to move"));
        player_goes(NULL);
    }
}

static void a_record_is_stepped_through(void **state) {
    (void)state;
    const char *record = console_file(2, "game.rec",
                                      "[Variant \"duel\"]\n[Red \"ann\"]\n[Blue \"bob\"]\n"
                                      "[RedSetup \"9......2../M........./"
                                      "S23......./FBB3......\"]\n"
                                      "[BlueSetup \"9......2../M........./"
                                      "S23......./FBB3......\"]\n"
                                      "[Result \"blue\"]\n[Reason \"resigned\"]\n\n"
                                      "1. a4-a5 j7-j6 2. a5-a6\n");
    player_comes(ARGUMENTS("replay", record));
    await("ply 0 of 3");
    type(vt_key(&vt, VTERM_KEY_RIGHT));
    await("ply 1 of 3");
    type(vt_key(&vt, VTERM_KEY_END));
    await("resigned");
    type("v");
    await("red's view");
    type("q");
    assert_int_equal(console_finish(&console), 0);
    vt_read(&vt, console.text, console.length);
    assert_true(vt_is_given_back(&vt));
}

static void names_of_wide_and_combined_characters_leave_the_columns_in_place(void **state) {
    (void)state;
    const char *record =
        console_file(2, "names.rec",
                     "[Variant \"duel\"]\n[Red \"安娜\"]\n[Blue \"Zoe\xCC\x81 🎲\"]\n"
                     "[RedSetup \"9......2../M........./"
                     "S23......./FBB3......\"]\n"
                     "[BlueSetup \"9......2../M........./"
                     "S23......./FBB3......\"]\n"
                     "[Result \"blue\"]\n[Reason \"resigned\"]\n\n"
                     "1. a4-a5 j7-j6 2. a5-a6\n");
    player_comes(ARGUMENTS("replay", record));
    await("Duel: red 安娜, blue Zoe\xCC\x81 🎲  ");
    assert_int_equal(vt_cell(&vt, 0, 10).width, 2);
    assert_int_equal(vt_cell(&vt, 0, 23).chars[1], 0x301);
    await("ply 0 of 3, uncovered");
    assert_int_equal(vt_cell(&vt, 0, 79).chars[0], 'd');
    type(vt_key(&vt, VTERM_KEY_RIGHT)); /* the row is written in part */
    await("ply 1 of 3, uncovered");
    assert_int_equal(vt_cell(&vt, 0, 79).chars[0], 'd');
    console_break(&console, SIGTERM);
}

static void leave_game_asked(void) {
    type("\033OA\r");
    while (console_receive(&console)) continue;
    console_finish(&console);
    player_goes(NULL);
}

static void leave_game(void) {
    type("q");
    await("Leave this game?");
    leave_game_asked();
}

static void assert_not_shown(const char *const *texts) {
    for (; *texts; texts++) assert_false(vt_shows(&vt, *texts));
}

static void a_continued_game_of_two_people_begins_covered(void **state) {
    (void)state;
    player_comes(
        ARGUMENTS("play", "duel", "--new", "--blue", "human", "--setup", "random", "--seed", "5"));
    await(" turn. Press Enter");
    type("\r");
    await("1. red to move");
    type("\t\r\t\r"); /* the first piece, to its first square */
    await("pass the keyboard to blue");
    leave_game();
    player_comes(ARGUMENTS("play", "--continue"));
    await("Blue's turn. Press Enter");
    type("x \tr:v");
    type("q");
    await("Leave this game?");
    assert_not_shown(ARGUMENTS("[", "(", "##", "??"));
    type("\r");
    await("Blue's turn. Press Enter");
    assert_not_shown(ARGUMENTS("[", "(", "##", "??"));
    type("\r");
    await("( F)");
    assert_not_shown(ARGUMENTS("[ F]", "[10]"));
    leave_game();
}

/* The keys of ":", "d" and "q" on a Russian keyboard, and f4-f5 typed there. */
static void a_game_is_played_on_a_russian_keyboard(void **state) {
    (void)state;
    const char *bot = console_file(0, "puppet.lua", PUPPET);
    player_comes(ARGUMENTS("play", "infiltrator", "--new", "--blue", bot, "--setup",
                           console_file(1, "red.txt", RED_SETUP), "--lang", "ru"));
    await("1. ход красных");
    type("++++++Ж");
    await("a4-a5 или");
    type("а4-а5\r");
    await("2. ход красных");
    await("f4-f5");
    type("в");
    await("Предложить ничью?");
    type("\r");
    type("й");
    await("Выйти из этой партии?");
    leave_game_asked();
}

/* Blue's army stays hidden from the person who played red and lets a bot go on. */
static void bots_that_take_a_game_over_are_watched_with_the_persons_eyes(void **state) {
    (void)state;
    player_comes(
        ARGUMENTS("play", "duel", "--new", "--blue", "rookie", "--setup", "random", "--seed", "5"));
    await("1. red to move");
    type("\t\r\t\r");
    await("2. red to move");
    leave_game();
    player_comes(ARGUMENTS("play", "--continue", "--red", "rookie"));
    type("p"); /* pause */
    await("paused, red's view");
    await("[ F]");
    assert_not_shown(ARGUMENTS("( F)", "( B)", "(10)"));
    type("v");
    await("blue's view");
    await("( F)");
    leave_game();
    player_comes(ARGUMENTS("play", "--continue", "--red", "raider")); /* once more */
    type("p");
    await("paused, red's view");
    assert_not_shown(ARGUMENTS("( F)", "( B)", "(10)"));
    leave_game();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        /* The first, since those after it leave games too. */
        cmocka_unit_test_teardown(a_game_whose_terminal_was_closed_goes_on_later, player_goes),
        cmocka_unit_test_teardown(a_whole_game_of_duel_is_played_against_a_bot, player_goes),
        cmocka_unit_test_teardown(a_piece_is_sabotaged, player_goes),
        cmocka_unit_test_teardown(the_function_keys_change_the_library, player_goes),
        cmocka_unit_test_teardown(a_click_takes_up_a_piece_and_puts_it_down, player_goes),
        cmocka_unit_test_teardown(the_board_follows_the_window, player_goes),
        cmocka_unit_test(a_window_that_changed_while_the_program_was_stopped_is_followed),
        cmocka_unit_test(a_terminal_that_is_not_known_is_named_with_what_helps),
        cmocka_unit_test_teardown(pieces_stand_on_the_colour_of_their_side, player_goes),
        cmocka_unit_test_teardown(the_cursor_stands_behind_what_is_typed, player_goes),
        cmocka_unit_test_teardown(whatever_ends_the_program_gives_the_terminal_back, player_goes),
        cmocka_unit_test_teardown(a_record_is_stepped_through, player_goes),
        cmocka_unit_test_teardown(names_of_wide_and_combined_characters_leave_the_columns_in_place,
                                  player_goes),
        cmocka_unit_test_teardown(a_game_is_played_on_a_russian_keyboard, player_goes),
        cmocka_unit_test_teardown(a_continued_game_of_two_people_begins_covered, player_goes),
        cmocka_unit_test_teardown(bots_that_take_a_game_over_are_watched_with_the_persons_eyes,
                                  player_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
