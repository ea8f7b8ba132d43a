/* test_play.c - "ensign play", driven as a person would, through pipes and at a terminal. */
#include "session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
    return session_file(slot, "scripted.lua", text);
}

static void assert_has(const struct session *session, const char *text) {
    if (!strstr(session->text, text)) fail_msg("no \"%s\" in:\n%s", text, session->text);
}

static void assert_lacks(const struct session *session, const char *text) {
    if (strstr(session->text, text)) fail_msg("\"%s\" in:\n%s", text, session->text);
}

static void play_whole_game(bool terminal) {
    const char *folder = session_folder();
    char record[256];
    snprintf(record, sizeof record, "%s/whole-%d.rec", folder, terminal);
    struct session session;
    session_open(
        &session, terminal,
        ARGUMENTS("play", "--plain", "duel", "--blue", "rookie", "--seed", "5", "-o", record));
    session_expect(&session, "help)> ");
    session_send(&session, "random\nok\n");
    for (unsigned turn = 0;; turn++) {
        char move[32], line[40];
        if (session_expect_any(&session, ARGUMENTS("red to move> ", "The record is in "))) break;
        size_t before = session.seen;
        session_send(&session, "moves\n");
        session_expect(&session, "red to move> ");
        session_pick_move(session.text + before, turn, move);
        assert_true(*move != 0);
        snprintf(line, sizeof line, "%s\n", move);
        session_send(&session, line);
    }
    assert_int_equal(session_finish(&session), 0);
    assert_has(&session, "Uncovered:");
    assert_true(strstr(session.text, " wins. ") || strstr(session.text, "A draw. "));
    if (terminal)
        assert_has(&session, "\033[1;97;41m");
    else
        assert_lacks(&session, "\033");
    session_clear(&session);
    assert_int_equal(session_run(&session, "", ARGUMENTS("replay", "--verify", record)), 0);
    session_clear(&session);
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
    struct session session;
    session_open(&session, false, ARGUMENTS("play", "duel", "--level", "easy", "--plain"));
    session_expect(&session, "red: human, blue: midshipman");
    session_break(&session, 0);
    session_clear(&session);
    session_open(&session, false,
                 ARGUMENTS("play", "duel", "--level", "beginner", "--blue", "human", "--plain"));
    session_expect(&session, "red: cadet, blue: human");
    session_break(&session, 0);
    session_clear(&session);
    assert_int_equal(
        session_run(&session, "",
                    ARGUMENTS("play", "--level", "hard", "--red", "human", "--blue", "rookie")),
        2);
    session_clear(&session);
}

static void a_bot_of_ones_own_takes_a_place_on_the_ladder(void **state) {
    (void)state;
    char folder[512], path[600];
    snprintf(folder, sizeof folder, "%s/.local/share/ensign/bots", session_folder());
    for (char *at = folder + strlen(session_folder()) + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = 0;
        mkdir(folder, 0700);
    }
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/able.lua", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("return { api = 1, level = 'master', move = function(view) return view:moves()[1] end }",
          file);
    fclose(file);
    struct session session;
    session_open(&session, false, ARGUMENTS("play", "duel", "--level", "master", "--plain"));
    session_expect(&session, "red: human, blue: able");
    session_break(&session, 0);
    session_clear(&session);
    unlink(path);
}

static void hot_seat_wipes_the_screen_before_the_keyboard_changes_hands(void **state) {
    (void)state;
    session_folder();
    struct session session;
    session_open(&session, true,
                 ARGUMENTS("play", "--plain", "original", "--red", "human", "--blue", "human",
                           "--setup", "random", "--seed", "2"));
    const char wipe[] = "\033[H\033[2J\033[3J";
    for (int turn = 0; turn < 4; turn++) {
        const char *side = turn % 2 ? "blue" : "red", *called = turn % 2 ? "Blue" : "Red";
        char words[64];
        snprintf(words, sizeof words, "%s's turn.", called);
        size_t board = session.seen;
        session_expect(&session, words);
        /* between the last wipe and the words: only public lines */
        const char *last = NULL;
        for (const char *at = session.text + board; (at = strstr(at, wipe)); at++) last = at;
        assert_non_null(last);
        assert_null(strstr(last + strlen(wipe), "\033"));
        session_send(&session, "\n");
        snprintf(words, sizeof words, "%s to move> ", side);
        size_t handed = session.seen;
        session_expect(&session, words);
        assert_non_null(strstr(session.text + handed, wipe));
        session_send(&session, "moves\n");
        size_t listed = session.seen;
        session_expect(&session, words);
        char move[32], line[40];
        session_pick_move(session.text + listed, (unsigned)turn, move);
        snprintf(line, sizeof line, "%s\n", move);
        session_send(&session, line);
    }
    session_expect(&session, "Red's turn.");
    session_send(&session, "\nquit\n");
    assert_int_equal(session_finish(&session), 0);
    session_clear(&session);
}

static void hot_seat_in_a_pipe_parts_the_sides_by_form_feeds(void **state) {
    (void)state;
    session_folder();
    struct session session;
    session_run(&session, "\nresign\ny\n",
                ARGUMENTS("play", "duel", "--blue", "human", "--setup", "random", "--seed", "1"));
    assert_has(&session, "\f\nRed's turn.");
    assert_has(&session, "Blue wins. The other side resigned.");
    session_clear(&session);
}

static void a_draw_is_agreed_by_both_people(void **state) {
    (void)state;
    session_folder();
    struct session session;
    session_run(&session, "\ndraw\nn\ndraw\nmoves\nresign\nn\nquit\n",
                ARGUMENTS("play", "duel", "--blue", "human", "--setup", "random", "--seed", "1"));
    assert_has(&session, "draw was declined");
    assert_has(&session, "The game is saved");
    session_clear(&session);
    session_run(&session, "\ndraw\ny\n",
                ARGUMENTS("play", "duel", "--blue", "human", "--setup", "random", "--seed", "1"));
    assert_has(&session, "A draw. Both sides agreed.");
    session_clear(&session);
}

static void a_sabotage_is_typed_and_told(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6 e6-e5 j7-j6 i7-i6 j6-j7 i6-i7 j7-j6");
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    struct session session;
    session_run(&session,
                "a4-a5\nf4-f5\nf5-f6\nf6-e6\ne6-e7\nmoves e7\ne7@e8=bomb\ne7@e8=4\nquit\n",
                ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup, "--seed", "1"));
    assert_has(&session, "e7@e8=?");
    assert_has(&session, "sabotage: ? is one of ");
    assert_has(&session, "1 Saboteur, "); /* by label, as on the board */
    assert_has(&session, "Red: Saboteur on e7 uses sabotage on e8, naming Bomb: wrong.");
    assert_has(&session, "Red: Saboteur on e7 uses sabotage on e8, naming Sergeant: right.\n"
                         "Blue: Sergeant on e8 is removed.");
    assert_has(&session, "[ 1!"); /* the saboteur's owner sees that it is known */
    session_clear(&session);
}

/* Where sight is limited a side does not get all events, so that a missing one proves nothing. */
static void a_guess_in_the_fog_is_not_judged(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6 e6-e5 j7-j6 i7-i6 j6-j7 i6-i7");
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    const char *variant =
        session_file(2, "dim.lua", "return { api = 1, extends = 'infiltrator', sight = 3 }\n");
    struct session session;
    session_run(&session, "a4-a5\nf4-f5\nf5-f6\nf6-e6\ne6-e7\ne7@e8=bomb\nquit\n",
                ARGUMENTS("play", variant, "--blue", bot, "--setup", setup, "--seed", "1"));
    assert_has(&session, "uses sabotage on e8, naming Bomb.");
    session_clear(&session);
}

static void a_repetition_rule_is_named_when_it_forbids_a_move(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6 f7-f6 i7-i6 j7-j6 a7-a6");
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    struct session session;
    session_run(&session, "a4-a5\na5-a4\na4-a5\nwhy a5-a4\nwhy a5-a6\na5-a4\nquit\n",
                ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup));
    const char *asked = strstr(session.text, "Not legal (two-squares): ");
    assert_non_null(asked);
    assert_non_null(strstr(asked + 1, "Not legal (two-squares): ")); /* and tried */
    assert_has(&session, "Plies: 1. a4-a5, 3. a5-a4, 5. a4-a5.");
    assert_has(&session, "Legal: the way is free.");
    session_clear(&session);
}

/* The side itself cannot know: calls see only the true position. */
static void a_move_that_the_variant_forbids_is_refused_in_its_words(void **state) {
    (void)state;
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    const char *variant = session_file(
        2, "shy.lua",
        "return { api = 1, extends = 'infiltrator', calls = { legal = function(_, move)\n"
        "  return move.kind ~= 'saboteur', 'the saboteur is shy' end } }\n");
    struct session session;
    session_run(&session, "f4-f5\nwhy f4-f5\na4-a5\nquit\n",
                ARGUMENTS("play", variant, "--blue", bot, "--setup", setup));
    const char *tried =
        strstr(session.text, "a rule of this variant forbids it: the saboteur is shy");
    assert_non_null(tried);
    assert_non_null(strstr(tried + 1, "forbids it: the saboteur is shy")); /* and asked why */
    assert_has(&session, "Red a4-a5.");
    assert_lacks(&session, "Red f4-f5.");
    session_clear(&session);
}

static void the_end_of_the_input_leaves_an_unfinished_record(void **state) {
    (void)state;
    char record[256];
    snprintf(record, sizeof record, "%s/unfinished.rec", session_folder());
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    struct session session;
    int code = session_run(
        &session, "a4a5\n",
        ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup, "-o", record));
    assert_int_equal(code, 0);
    assert_has(&session, "The input has ended.");
    session_clear(&session);
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
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    struct session session;
    session_run(&session, "a4a5\nb4 b5\n  E4 - e5 \nf4-f5\nquit\n",
                ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup));
    assert_has(&session, "Red a4-a5.");
    assert_has(&session, "Red b4-b5.");
    assert_has(&session, "Red e4-e5.");
    assert_has(&session, "Red f4-f5.");
    session_clear(&session);
}

/* Fog hides the enemy's pieces: both signs go to squares that this side does not see. */
static void a_typed_sign_tells_nothing_about_squares_out_of_sight(void **state) {
    (void)state;
    static const char *const tries[] = {"b4xb7\n", "b4-b7\n", "b4xb6\n", "b4-b6\n"};
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    const char *variant =
        session_file(2, "dim.lua", "return { api = 1, extends = 'infiltrator', sight = 1 }\n");
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        struct session session;
        char input[64];
        snprintf(input, sizeof input, "%squit\n", tries[i]);
        session_run(&session, input,
                    ARGUMENTS("play", variant, "--blue", bot, "--setup", setup, "--seed", "1"));
        assert_has(&session, "2. red to move> ");
        assert_lacks(&session, "to move there type");
        assert_lacks(&session, "to attack it type");
        session_clear(&session);
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
    const char *setup = session_file(1, "red.txt", "22222X2333/3344445555/6666777889/BSMFBBBBB2\n");
    struct session session;
    session_open(&session, false,
                 ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup));
    session_expect(&session, "to move> ");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "%s\n", cases[i].line);
        session_send(&session, line);
        session_expect(&session, cases[i].answer);
        session_expect(&session, "to move> ");
    }
    assert_int_equal(session_finish(&session), 0);
    session_clear(&session);
}

static void the_screen_does_not_depend_on_hidden_ranks(void **state) {
    (void)state;
    static const char *const setups[2] = {
        "2222222333/3344445555/6666777889/MSXFBBBBBB",
        "2222222333/BBBBBB5XMF/9887776666/5S55444433", /* immobile pieces are permuted */
    };
    char *shown[2];
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    for (int i = 0; i < 2; i++) {
        const char *bot = scripted_bot(0, setups[i], "e7-e6 e6-e5 j7-j6 i7-i6 j6-j7 i6-i7 j7-j6");
        struct session session;
        session_run(
            &session,
            "a4-a5\nmoves\nf4-f5\nwhy b4xb7\nwhy f5-f7\nf5-f6\nf6-e6\ncaptured\ne6-e7\n"
            "moves e7\nboard\ne7@e8=spy\nb4-b5\nhelp\nresign\ny\n",
            ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup, "--seed", "1"));
        shown[i] = session.text;
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
    session_folder();
    struct session session;
    const char *file = session_file(1, "own.txt", "F........./BB......../22......../33S9M.....\n");
    char input[512];
    snprintf(input, sizeof input,
             "load %s\nswap a4 b4\nswap a1 e5\nmirror\nload /no/such\nnonsense\nok\nquit\n", file);
    session_run(&session, input, ARGUMENTS("play", "duel"));
    assert_has(&session, " 4 [ F]   . ");
    assert_has(&session, " 4   .  [ F]");
    assert_has(&session, "on e5, expected");
    assert_has(&session, "/no/such: no such file");
    assert_has(&session, "unknown command \"nonsense\"");
    assert_has(&session, "   .  [ F]   .  4"); /* mirrored */
    session_clear(&session);
}

static void games_that_end_in_one_second_keep_their_records(void **state) {
    (void)state;
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    const char *bot = scripted_bot(0, BLUE_SETUP, "e7-e6");
    char place[2][256];
    for (int i = 0; i < 2; i++) {
        struct session session;
        assert_int_equal(
            session_run(&session, "a4a5\nresign\ny\n",
                        ARGUMENTS("play", "infiltrator", "--blue", bot, "--setup", setup)),
            0);
        const char *at = strstr(session.text, "The record is in ");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "The record is in %255s", place[i]), 1);
        assert_int_equal(access(place[i], R_OK), 0);
        session_clear(&session);
    }
    assert_string_not_equal(place[0], place[1]);
}

static void bots_are_watched(void **state) {
    (void)state;
    session_folder();
    struct session session;
    int code = session_run(
        &session, "",
        ARGUMENTS("play", "barrage", "--red", "rookie", "--blue", "rookie", "--seed", "7"));
    assert_int_equal(code, 0);
    assert_has(&session, " attacks ");
    assert_has(&session, "Uncovered:");
    session_clear(&session);
}

static void what_breaks_a_bot_after_the_end_is_told_and_the_result_stands(void **state) {
    (void)state;
    session_folder();
    struct session session;
    assert_int_equal(session_run(&session, "",
                                 ARGUMENTS("play", "duel", "--red", "rookie", "--blue",
                                           "tests/data/late.lua", "--seed", "7")),
                     0);
    assert_has(&session, "Uncovered:");
    assert_has(&session, "tests/data/late.lua:9: in finish");
    session_clear(&session);
}

static void who_watches_is_told_what_can_be_typed(void **state) {
    (void)state;
    static const char *const wrong[] = {"foo",     "-3",      "0",
                                        "1000001", "3 moves", "99999999999999999"};
    static const char *const prompt = "quit> ";
    session_folder();
    struct session session;
    session_open(&session, true,
                 ARGUMENTS("play", "--plain", "barrage", "--red", "raider", "--blue", "rookie",
                           "--seed", "7"));
    session_expect(&session, prompt);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char line[64];
        size_t seen = session.seen;
        snprintf(line, sizeof line, "%s\n", wrong[i]);
        session_send(&session, line);
        session_expect(&session, "is none of these: Enter, a number from 1 to 1000000, end, quit.");
        session_expect(&session, prompt);
        assert_null(strstr(session.text + seen, "Red ")); /* nothing was played */
    }
    session_send(&session, "2\n");
    session_expect(&session, "Blue ");
    session_expect(&session, prompt);
    session_send(&session, "q\n");
    session_expect(&session, "The game is saved");
    assert_int_equal(session_finish(&session), 0);
    session_clear(&session);
}

static void a_lone_square_is_answered_with_what_a_move_looks_like(void **state) {
    (void)state;
    session_folder();
    struct session session;
    session_run(&session, "e4\nwhy e4 \nresign\ny\n",
                ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", "random"));
    assert_has(&session, "\"e4\" is one square. A move has two, from and to, such as a4-a5.");
    assert_lacks(&session, "ends early");
    session_clear(&session);
}

static void q_leaves_a_game_and_a_set_up(void **state) {
    (void)state;
    session_folder();
    struct session session;
    assert_int_equal(session_run(&session, "q\n", ARGUMENTS("play", "duel", "--blue", "rookie")),
                     0);
    assert_has(&session, "No game was played.");
    assert_lacks(&session, "The input has ended.");
    session_clear(&session);
    assert_int_equal(
        session_run(&session, "q\n",
                    ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", "random")),
        0);
    assert_has(&session, "The game is saved");
    assert_lacks(&session, "No game was played.");
    assert_lacks(&session, "The input has ended.");
    session_clear(&session);
}

static void wrong_use_is_refused(void **state) {
    (void)state;
    const char *there = session_file(2, "there.rec", "x");
    struct session session;
    assert_int_equal(session_run(&session, "", ARGUMENTS("play", "duel", "-o", there)), 2);
    assert_has(&session, "already exists");
    session_clear(&session);
    assert_int_equal(session_run(&session, "", ARGUMENTS("play", "duell")), 2);
    assert_has(&session, "did you mean \"duel\"");
    session_clear(&session);
    assert_int_equal(session_run(&session, "", ARGUMENTS("play", "duel", "--first", "green")), 2);
    session_clear(&session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_game_is_played_through_pipes),
        cmocka_unit_test(a_whole_game_is_played_at_a_terminal),
        cmocka_unit_test(the_opponent_is_chosen_by_its_level),
        cmocka_unit_test(a_bot_of_ones_own_takes_a_place_on_the_ladder),
        cmocka_unit_test(hot_seat_wipes_the_screen_before_the_keyboard_changes_hands),
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
