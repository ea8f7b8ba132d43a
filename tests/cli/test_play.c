/* test_play.c - "ensign play", driven as a person would, through pipes and at a terminal. */
#include "console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char RED_SETUP[] = "22222X2333/3344445555/6666777889/MS2FBBBBBB\n";
static const char BLUE_SETUP[] = "2222222333/3344445555/6666777889/MSXFBBBBBB";

/* A bot with that set-up that plays those moves one after the other, and then resigns by error. */
static const char *scripted_bot(int slot, const char *setup, const char *moves) {
    char text[2048];
    snprintf(text, sizeof text,
             "local played = 0\n"
             "return { api = 1,\n"
             "  setup = function() return \"%s\" end,\n"
             "  move = function()\n"
             "    played = played + 1\n"
             "    local left = played\n"
             "    for move in (\"%s\"):gmatch(\"%%S+\") do\n"
             "      left = left - 1\n"
             "      if left == 0 then return move end\n"
             "    end\n"
             "    error(\"out of moves\")\n"
             "  end }\n",
             setup, moves);
    return console_file(slot, "scripted.lua", text);
}

static void assert_has(const struct console *console, const char *text) {
    if (!strstr(console->text, text)) fail_msg("no \"%s\" in:\n%s", text, console->text);
}

static void assert_lacks(const struct console *console, const char *text) {
    if (strstr(console->text, text)) fail_msg("\"%s\" in:\n%s", text, console->text);
}

static void play_whole_game(bool terminal) {
    const char *folder = console_folder();
    char record[256];
    snprintf(record, sizeof record, "%s/whole-%d.rec", folder, terminal);
    struct console console;
    console_open(
        &console, terminal,
        ARGUMENTS("play", "--plain", "duel", "--blue", "rookie", "--seed", "5", "-o", record));
    console_expect(&console, "help)> ");
    console_send(&console, "random\nok\n");
    for (unsigned turn = 0;; turn++) {
        char move[32], line[40];
        if (console_expect_any(&console, ARGUMENTS("red to move> ", "The record is in "))) break;
        size_t before = console.seen;
        console_send(&console, "moves\n");
        console_expect(&console, "red to move> ");
        console_pick_move(console.text + before, turn, move);
        assert_true(*move != 0);
        snprintf(line, sizeof line, "%s\n", move);
        console_send(&console, line);
    }
    assert_int_equal(console_finish(&console), 0);
    assert_has(&console, "Uncovered:");
    assert_true(strstr(console.text, " wins. ") || strstr(console.text, "A draw. "));
    if (terminal)
        assert_has(&console, "\033[1;97;41m");
    else
        assert_lacks(&console, "\033");
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("replay", "--verify", record)), 0);
    console_clear(&console);
}

static void a_whole_game_is_played_through_pipes(void **state) {
    (void)state;
    play_whole_game(false);
}

static void a_whole_game_is_played_at_a_terminal(void **state) {
    (void)state;
    play_whole_game(true);
}

static void the_opponent_is_chosen_by_its_level(void **state) {
    (void)state;
    struct console console;
    console_open(&console, false, ARGUMENTS("play", "duel", "--level", "easy", "--plain"));
    console_expect(&console, "red: human, blue: midshipman");
    console_break(&console, 0);
    console_clear(&console);
    console_open(&console, false,
                 ARGUMENTS("play", "duel", "--level", "beginner", "--blue", "human", "--plain"));
    console_expect(&console, "red: cadet, blue: human");
    console_break(&console, 0);
    console_clear(&console);
    assert_int_equal(
        console_run(&console, "",
                    ARGUMENTS("play", "--level", "hard", "--red", "human", "--blue", "rookie")),
        2);
    console_clear(&console);
}

static void a_bot_of_ones_own_takes_a_place_on_the_ladder(void **state) {
    (void)state;
    const char *path = console_file(
        0, ".local/share/ensign/bots/able.lua",
        "return { api = 1, level = 'master', move = function(view) return view:moves()[1] end }");
    struct console console;
    console_open(&console, false, ARGUMENTS("play", "duel", "--level", "master", "--plain"));
    console_expect(&console, "red: human, blue: able");
    console_break(&console, 0);
    console_clear(&console);
    unlink(path);
}

static void hot_seat_wipes_the_screen_before_the_keyboard_changes_hands(void **state) {
    (void)state;
    console_folder();
    struct console console;
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "original", "--red", "human", "--blue", "human",
                           "--setup", "random", "--seed", "2"));
    const char wipe[] = "\033[H\033[2J\033[3J";
    for (int turn = 0; turn < 4; turn++) {
        const char *side = turn % 2 ? "blue" : "red", *called = turn % 2 ? "Blue" : "Red";
        char words[64];
        snprintf(words, sizeof words, "%s's turn.", called);
        size_t board = console.seen;
        console_expect(&console, words);
        /* between the last wipe and the words: only public lines */
        const char *last = NULL;
        for (const char *at = console.text + board; (at = strstr(at, wipe)); at++) last = at;
        assert_non_null(last);
        assert_null(strstr(last + strlen(wipe), "\033"));
        console_send(&console, "\n");
        snprintf(words, sizeof words, "%s to move> ", side);
        size_t handed = console.seen;
        console_expect(&console, words);
        assert_non_null(strstr(console.text + handed, wipe));
        console_send(&console, "moves\n");
        size_t listed = console.seen;
        console_expect(&console, words);
        char move[32], line[40];
        console_pick_move(console.text + listed, (unsigned)turn, move);
        snprintf(line, sizeof line, "%s\n", move);
        console_send(&console, line);
    }
    console_expect(&console, "Red's turn.");
    console_send(&console, "\nquit\n");
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
}

static void in_an_open_game_two_people_lay_out_nothing_and_hide_nothing(void **state) {
    (void)state;
    console_folder();
    struct console console;
    console_open(&console, false,
                 ARGUMENTS("play", "--plain", "variants/examples/hounds.lua", "--red", "human",
                           "--blue", "human"));
    console_expect(&console, "red to move> ");
    console_send(&console, "e1-d2\n");
    console_expect(&console, "blue to move> ");
    console_send(&console, "b8-a7\n");
    console_expect(&console, "red to move> ");
    assert_has(&console, "[ F]");
    assert_has(&console, "( H)");
    assert_lacks(&console, "Press Enter");
    assert_lacks(&console, "\f");
    console_send(&console, "quit\n");
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
}

static void hot_seat_in_a_pipe_parts_the_sides_by_form_feeds(void **state) {
    (void)state;
    console_folder();
    struct console console;
    console_run(&console, "\nresign\ny\n",
                ARGUMENTS("play", "duel", "--blue", "human", "--setup", "random", "--seed", "1"));
    assert_has(&console, "\f\nRed's turn.");
    assert_has(&console, "Blue wins. The other side resigned.");
    console_clear(&console);
}

static void a_draw_is_agreed_by_both_people(void **state) {
    (void)state;
    console_folder();
    struct console console;
    console_run(&console, "\ndraw\nn\ndraw\nmoves\nresign\nn\nquit\n",
                ARGUMENTS("play", "duel", "--blue", "human", "--setup", "random", "--seed", "1"));
    assert_has(&console, "draw was declined");
    assert_has(&console, "The game is saved");
    console_clear(&console);
    console_run(&console, "\ndraw\ny\n",
                ARGUMENTS("play", "duel", "--blue", "human", "--setup", "random", "--seed", "1"));
    assert_has(&console, "A draw. Both sides agreed.");
    console_clear(&console);
}

static void a_sabotage_is_typed_and_told(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6 e6-e5 j7-j6 i7-i6 j6-j7 i6-i7 j7-j6");
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    struct console console;
    console_run(&console,
                "a4-a5\nf4-f5\nf5-f6\nf6-e6\ne6-e7\nmoves e7\ne7@e8=bomb\ne7@e8=4\nquit\n",
                ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup, "--seed", "1"));
    assert_has(&console, "e7@e8=?");
    assert_has(&console, "sabotage: ? is one of ");
    assert_has(&console, "1 Saboteur, "); /* by label, as on the board */
    assert_has(&console, "Red: Saboteur on e7 uses sabotage on e8, naming Bomb: wrong.");
    assert_has(&console, "Red: Saboteur on e7 uses sabotage on e8, naming Sergeant: right.\n"
                         "Blue: Sergeant on e8 is removed.");
    assert_has(&console, "[ 1!"); /* the saboteur's owner sees that it is known */
    console_clear(&console);
}

/* Where sight is limited a side does not get all events, so that a missing one proves nothing. */
static void a_guess_in_the_fog_is_not_judged(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6 e6-e5 j7-j6 i7-i6 j6-j7 i6-i7");
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    const char *variant =
        console_file(2, "dim.lua", "return { api = 1, extends = 'infiltrator', sight = 3 }\n");
    struct console console;
    console_run(&console, "a4-a5\nf4-f5\nf5-f6\nf6-e6\ne6-e7\ne7@e8=bomb\nquit\n",
                ARGUMENTS("play", variant, "--blue", bot, "--setup", setup, "--seed", "1"));
    assert_has(&console, "uses sabotage on e8, naming Bomb.");
    console_clear(&console);
}

static void a_repetition_rule_is_named_when_it_forbids_a_move(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6 f7-f6 i7-i6 j7-j6 a7-a6");
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    struct console console;
    console_run(&console, "a4-a5\na5-a4\na4-a5\nwhy a5-a4\nwhy a5-a6\na5-a4\nquit\n",
                ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup));
    const char *asked = strstr(console.text, "Not legal (two-squares): ");
    assert_non_null(asked);
    assert_non_null(strstr(asked + 1, "Not legal (two-squares): ")); /* and tried */
    assert_has(&console, "Plies: 1. a4-a5, 3. a5-a4, 5. a4-a5.");
    assert_has(&console, "Legal: the way is free.");
    console_clear(&console);
}

/* The side itself cannot know: calls see only the true position. */
static void a_move_that_the_variant_forbids_is_refused_in_its_words(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    const char *variant = console_file(
        2, "shy.lua",
        "return { api = 1, extends = 'infiltrator', calls = { legal = function(_, move)\n"
        "  return move.kind ~= 'saboteur', 'the saboteur is shy' end } }\n");
    struct console console;
    console_run(&console, "f4-f5\nwhy f4-f5\na4-a5\nquit\n",
                ARGUMENTS("play", variant, "--blue", bot, "--setup", setup));
    const char *tried =
        strstr(console.text, "a rule of this variant forbids it: the saboteur is shy");
    assert_non_null(tried);
    assert_non_null(strstr(tried + 1, "forbids it: the saboteur is shy")); /* and asked why */
    assert_has(&console, "Red a4-a5.");
    assert_lacks(&console, "Red f4-f5.");
    console_clear(&console);
}

static void the_end_of_the_input_leaves_an_unfinished_record(void **state) {
    (void)state;
    char record[256];
    snprintf(record, sizeof record, "%s/unfinished.rec", console_folder());
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    struct console console;
    int code = console_run(
        &console, "a4a5\n",
        ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup, "-o", record));
    assert_int_equal(code, 0);
    assert_has(&console, "The input has ended.");
    console_clear(&console);
    FILE *file = fopen(record, "r");
    assert_non_null(file);
    char text[4096] = "";
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "[Result \"*\"]"));
    assert_non_null(strstr(text, "[Reason \"unfinished\"]"));
    assert_non_null(strstr(text, "1. a4-a5 e7-e6"));
}

static void moves_are_read_in_every_common_form(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6 f7-f6 i7-i6 j7-j6 a7-a6");
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    struct console console;
    console_run(&console, "a4a5\nb4 b5\n  E4 - e5 \nf4-f5\nquit\n",
                ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup));
    assert_has(&console, "Red a4-a5.");
    assert_has(&console, "Red b4-b5.");
    assert_has(&console, "Red e4-e5.");
    assert_has(&console, "Red f4-f5.");
    console_clear(&console);
}

/* Fog hides the enemy's pieces: both signs go to squares that this side does not see. */
static void a_typed_sign_tells_nothing_about_squares_out_of_sight(void **state) {
    (void)state;
    static const char *const tries[] = {"b4xb7\n", "b4-b7\n", "b4xb6\n", "b4-b6\n"};
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    const char *variant =
        console_file(2, "dim.lua", "return { api = 1, extends = 'infiltrator', sight = 1 }\n");
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct console console;
        char input[64];
        snprintf(input, sizeof input, "%squit\n", tries[i]);
        console_run(&console, input,
                    ARGUMENTS("play", variant, "--blue", bot, "--setup", setup, "--seed", "1"));
        assert_has(&console, "2. red to move> ");
        assert_lacks(&console, "to move there type");
        assert_lacks(&console, "to attack it type");
        console_clear(&console);
    }
}

static void wrong_lines_are_answered_in_words(void **state) {
    (void)state;
    static const struct {
        const char *line, *answer;
    } cases[] = {
        {"hello", "\"hello\" is neither a move nor a command"},
        {"a1-a2", "(immobile-kind)"}, /* the flag's neighbour is a bomb below */
        {"c4-c5", "(lake)"},
        {"a4-b4", "(own-piece)"},
        {"a7-a6", "(not-yours)"},
        {"a4-b5", "(movement)"},
        {"f4xf5", "no enemy on f5; to move there type f4-f5"},
        {"why f4xf5", "no enemy on f5; to move there type f4-f5"},
        {"a4xa5@a6=4", "(ability)"},
        {"b4-b7", "an enemy stands on b7; to attack it type b4xb7"},
        {"b4xb8", "(blocked)"},
        {"a4-z9", "expected a square from a1 to j10"},
        {"moves z9", "\"z9\" is not a square of the board."},
        {"why", "\"why\" takes a move"},
        {"save", "\"save\" takes a file name."},
        {"captured", "Red has lost: -"},
    };
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    const char *setup = console_file(1, "red.txt", "22222X2333/3344445555/6666777889/BSMFBBBBB2\n");
    struct console console;
    console_open(&console, false,
                 ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup));
    console_expect(&console, "to move> ");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s\n", cases[i].line);
        console_send(&console, line);
        console_expect(&console, cases[i].answer);
        console_expect(&console, "to move> ");
    }
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
}

static void the_screen_does_not_depend_on_hidden_ranks(void **state) {
    (void)state;
    static const char *const setups[2] = {
        "2222222333/3344445555/6666777889/MSXFBBBBBB",
        "2222222333/BBBBBB5XMF/9887776666/5S55444433", /* immobile pieces are permuted */
    };
    char *shown[2];
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    for (int i = 0; i < 2; i++) {
        const char *bot = scripted_bot(0, setups[i], "e7-e6 e6-e5 j7-j6 i7-i6 j6-j7 i6-i7 j7-j6");
        struct console console;
        console_run(
            &console,
            "a4-a5\nmoves\nf4-f5\nwhy b4xb7\nwhy f5-f7\nf5-f6\nf6-e6\ncaptured\ne6-e7\n"
            "moves e7\nboard\ne7@e8=spy\nb4-b5\nhelp\nresign\ny\n",
            ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup, "--seed", "1"));
        shown[i] = console.text;
        char *end = strstr(shown[i], "Uncovered:");
        assert_non_null(end);
        *end = 0;
    }
    assert_string_equal(shown[0], shown[1]);
    free(shown[0]);
    free(shown[1]);
}

static void a_set_up_is_changed_before_the_game(void **state) {
    (void)state;
    console_folder();
    struct console console;
    const char *file = console_file(1, "own.txt", "F........./BB......../22......../33S9M.....\n");
    char input[512];
    snprintf(input, sizeof input,
             "load %s\nswap a4 b4\nswap a1 e5\nmirror\nload /no/such\nnonsense\nok\nquit\n", file);
    console_run(&console, input, ARGUMENTS("play", "duel"));
    assert_has(&console, " 4 [ F]   . ");
    assert_has(&console, " 4   .  [ F]");
    assert_has(&console, "on e5, expected");
    assert_has(&console, "/no/such: no such file");
    assert_has(&console, "unknown command \"nonsense\"");
    assert_has(&console, "   .  [ F]   .  4"); /* mirrored */
    console_clear(&console);
}

static void games_that_end_in_one_second_keep_their_records(void **state) {
    (void)state;
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    char place[2][256];
    for (int i = 0; i < 2; i++) {
        struct console console;
        assert_int_equal(
            console_run(&console, "a4a5\nresign\ny\n",
                        ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup)),
            0);
        const char *at = strstr(console.text, "The record is in ");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "The record is in %255s", place[i]), 1);
        assert_int_equal(access(place[i], R_OK), 0);
        console_clear(&console);
    }
    assert_string_not_equal(place[0], place[1]);
}

static void bots_are_watched(void **state) {
    (void)state;
    console_folder();
    struct console console;
    int code = console_run(
        &console, "",
        ARGUMENTS("play", "barrage", "--red", "rookie", "--blue", "rookie", "--seed", "7"));
    assert_int_equal(code, 0);
    assert_has(&console, " attacks ");
    assert_has(&console, "Uncovered:");
    console_clear(&console);
}

static void what_breaks_a_bot_after_the_end_is_told_and_the_result_stands(void **state) {
    (void)state;
    console_folder();
    struct console console;
    assert_int_equal(console_run(&console, "",
                                 ARGUMENTS("play", "duel", "--red", "rookie", "--blue",
                                           "tests/data/late.lua", "--seed", "7")),
                     0);
    assert_has(&console, "Uncovered:");
    assert_has(&console, "tests/data/late.lua:9: in finish");
    console_clear(&console);
}

static void who_watches_is_told_what_can_be_typed(void **state) {
    (void)state;
    static const char *const wrong[] = {"foo",     "-3",      "0",
                                        "1000001", "3 moves", "99999999999999999"};
    static const char *const prompt = "quit> ";
    console_folder();
    struct console console;
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "barrage", "--red", "raider", "--blue", "rookie",
                           "--seed", "7"));
    console_expect(&console, prompt);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[64];
        size_t seen = console.seen;
        snprintf(line, sizeof line, "%s\n", wrong[i]);
        console_send(&console, line);
        console_expect(&console, "is none of these: Enter, a number from 1 to 1000000, end, quit.");
        console_expect(&console, prompt);
        assert_null(strstr(console.text + seen, "Red ")); /* nothing was played */
    }
    console_send(&console, "2\n");
    console_expect(&console, "Blue ");
    console_expect(&console, prompt);
    console_send(&console, "q\n");
    console_expect(&console, "The game is saved");
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
}

static void a_lone_square_is_answered_with_what_a_move_looks_like(void **state) {
    (void)state;
    console_folder();
    struct console console;
    console_run(&console, "e4\nwhy e4 \nresign\ny\n",
                ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", "random"));
    assert_has(&console, "\"e4\" is one square. A move has two, from and to, such as a4-a5.");
    assert_lacks(&console, "ends early");
    console_clear(&console);
}

static void q_leaves_a_game_and_a_set_up(void **state) {
    (void)state;
    console_folder();
    struct console console;
    assert_int_equal(console_run(&console, "q\n", ARGUMENTS("play", "duel", "--blue", "rookie")),
                     0);
    assert_has(&console, "No game was played.");
    assert_lacks(&console, "The input has ended.");
    console_clear(&console);
    assert_int_equal(
        console_run(&console, "q\n",
                    ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", "random")),
        0);
    assert_has(&console, "The game is saved");
    assert_lacks(&console, "No game was played.");
    assert_lacks(&console, "The input has ended.");
    console_clear(&console);
}

static void wrong_use_is_refused(void **state) {
    (void)state;
    const char *there = console_file(2, "there.rec", "x");
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "duel", "-o", there)), 2);
    assert_has(&console, "already exists");
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "duell")), 2);
    assert_has(&console, "did you mean \"duel\"");
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "duel", "--first", "green")), 2);
    console_clear(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_game_is_played_through_pipes),
        cmocka_unit_test(a_whole_game_is_played_at_a_terminal),
        cmocka_unit_test(the_opponent_is_chosen_by_its_level),
        cmocka_unit_test(a_bot_of_ones_own_takes_a_place_on_the_ladder),
        cmocka_unit_test(hot_seat_wipes_the_screen_before_the_keyboard_changes_hands),
        cmocka_unit_test(in_an_open_game_two_people_lay_out_nothing_and_hide_nothing),
        cmocka_unit_test(hot_seat_in_a_pipe_parts_the_sides_by_form_feeds),
        cmocka_unit_test(a_draw_is_agreed_by_both_people),
        cmocka_unit_test(a_sabotage_is_typed_and_told),
        cmocka_unit_test(a_guess_in_the_fog_is_not_judged),
        cmocka_unit_test(a_repetition_rule_is_named_when_it_forbids_a_move),
        cmocka_unit_test(a_move_that_the_variant_forbids_is_refused_in_its_words),
        cmocka_unit_test(the_end_of_the_input_leaves_an_unfinished_record),
        cmocka_unit_test(moves_are_read_in_every_common_form),
        cmocka_unit_test(a_typed_sign_tells_nothing_about_squares_out_of_sight),
        cmocka_unit_test(wrong_lines_are_answered_in_words),
        cmocka_unit_test(the_screen_does_not_depend_on_hidden_ranks),
        cmocka_unit_test(a_set_up_is_changed_before_the_game),
        cmocka_unit_test(games_that_end_in_one_second_keep_their_records),
        cmocka_unit_test(bots_are_watched),
        cmocka_unit_test(what_breaks_a_bot_after_the_end_is_told_and_the_result_stands),
        cmocka_unit_test(who_watches_is_told_what_can_be_typed),
        cmocka_unit_test(a_lone_square_is_answered_with_what_a_move_looks_like),
        cmocka_unit_test(q_leaves_a_game_and_a_set_up),
        cmocka_unit_test(wrong_use_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
