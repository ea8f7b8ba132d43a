/* Texts and back: squares, moves, set-ups and positions on boards of all sizes, and the faults of
 * malformed texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "custom.h"
#include "manners.h"
#include "support.h"

#include <string.h>

static struct table table;

static const uint8_t SMALL_ARMY[CUSTOM_KINDS + 1] = {0, 1, 0, 1, 0, 0, 0};

/* Calls `check` with rules for every size of board that can be played. */
static void for_each_board(void (*check)(const struct rules *rules)) {
    int boards = 0;
    for (int files = 1; files <= BOARD_LINES_MAX; files++) {
        for (int ranks = 2; ranks <= BOARD_LINES_MAX; ranks++) {
            int zone = ranks / 2;
            if (files * ranks > BOARD_SQUARES_MAX || files * zone < 2) continue;
            struct fault fault = {0};
            struct rules *rules = custom_rules(files, ranks, zone, 0, SMALL_ARMY, false, &fault);
            if (!rules) fail_msg("%d x %d: %s", files, ranks, fault.text);
            check(rules);
            rules_free(rules);
            boards++;
        }
    }
    assert_true(boards > 150);
}

static void check_squares(const struct rules *rules) {
    const struct board *board = &rules->board;
    for (square s = 0; s < board->squares; s++) {
        char text[SQUARE_TEXT_MAX], expected[SQUARE_TEXT_MAX] = {(char)('a' + s % board->files)};
        int rank = s / board->files + 1;
        size_t used = 1;
        if (rank >= 10) expected[used++] = '1';
        expected[used++] = (char)('0' + rank % 10);
        assert_int_equal(square_write(board, s, text), used);
        assert_string_equal(text, expected);
        square read = SQUARE_NONE;
        assert_int_equal(square_read(board, text, used, &read), used);
        assert_int_equal(read, s);
    }
}

static void squares_read_as_they_are_written_on_every_board(void **state) {
    (void)state;
    for_each_board(check_squares);
}

static void what_is_no_square_is_not_read_as_one(void **state) {
    (void)state;
    const struct board *board = &stock_rules("original")->board;
    static const char *const none[] = {"", "a", "4a", "A", "-4", "aa", "a-1"};
    square at;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(square_read(board, none[i], strlen(none[i]), &at), 0);
    static const char *const beyond[] = {"k1", "a11", "p16", "a0"};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
        at = 0;
        size_t used = square_read(board, beyond[i], strlen(beyond[i]), &at);
        if (used) assert_int_equal(at, SQUARE_NONE);
    }
    assert_int_equal(square_read(board, "a10", 2, &at), 2);
    assert_int_equal(at, 0);
}

static void check_layouts(const struct rules *rules) {
    struct random random = random_stream(rules->board.squares, STREAM_RED_SETUP, 1);
    struct setup red, blue, again;
    struct position position, read;
    struct fault fault = {0};
    char text[SETUP_TEXT_MAX], board[POSITION_TEXT_MAX];
    if (!setup_random(rules, RED, &random, &red, &fault)) fail_msg("%s", fault.text);
    if (!setup_random(rules, RED, &random, &blue, &fault)) fail_msg("%s", fault.text);
    size_t length = setup_write(rules, RED, &red, text);
    assert_int_equal(length, strlen(text));
    memset(&again, 0, sizeof again);
    if (!setup_read(rules, RED, text, length, &again, &fault)) fail_msg("%s: %s", text, fault.text);
    assert_memory_equal(&red, &again, rules->board.squares);
    position_from_setups(rules, &red, &blue, BLUE, &position);
    length = position_write(rules, &position, board);
    assert_int_equal(length, strlen(board));
    if (!position_read(rules, board, length, &read, &fault)) fail_msg("%s: %s", board, fault.text);
    assert_int_equal(read.to_move, BLUE);
    assert_memory_equal(position.at, read.at, rules->board.squares);
    assert_true(position_check(rules, &read, &fault));
}

static void setups_and_positions_read_as_they_are_written_on_every_board(void **state) {
    (void)state;
    for_each_board(check_layouts);
    for (int i = 0; i < STOCK_COUNT; i++) check_layouts(stock_rules(STOCK[i]));
}

static void every_legal_move_reads_as_it_is_written(void **state) {
    (void)state;
    static struct move moves[4096];
    static struct ply plies[150];
    struct game game;
    struct random random = random_stream(5, STREAM_PLAYOUT, 0);
    for (int i = 0; i < STOCK_COUNT * 12; i++) {
        const struct rules *rules = stock_rules(STOCK[i % STOCK_COUNT]);
        const struct manner *manner = manner_draw(&random);
        struct position position;
        assert_true(manner_position(manner, rules, &random, &position));
        game_start(&game, rules, &position, NULL, plies, 150);
        while (!game_over(&game)) {
            size_t count = game_moves(&game, moves, 4096);
            for (size_t m = 0; m < count; m++) {
                char text[MOVE_TEXT_MAX];
                struct move read;
                struct fault fault = {0};
                size_t length = move_write(&game, moves[m], text);
                assert_int_equal(length, strlen(text));
                if (move_read(&game, text, length, &read, &fault) != LEGAL)
                    fail_msg("%s: %s: %s", rules->name, text, fault.text);
                if (!move_equal(read, moves[m])) fail_msg("%s reads as another move", text);
            }
            game_play(&game, manner_choose(manner, &game, moves, count, &random), NULL);
        }
    }
}

static void assert_reads_as(const char *text, const char *written) {
    struct move move;
    char out[MOVE_TEXT_MAX];
    struct fault fault = {0};
    if (move_read(&table.game, text, strlen(text), &move, &fault) != LEGAL)
        fail_msg("%s: %s", text, fault.text);
    move_write(&table.game, move, out);
    assert_string_equal(out, written);
}

static void moves_are_written_as_documented(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMa4 bFj10 b9a5 red");
    assert_reads_as("a4xa5", "a4xa5");
    assert_reads_as("a4-a5", "a4xa5");
    assert_reads_as("a4xb4", "a4-b4");
    table_set(&table, "infiltrator", "rFa1 rXe7 bFj10 bBe9 b4j9 red");
    assert_reads_as("e7@e9=bomb", "e7@e9=bomb");
    assert_reads_as("e7@e9=B", "e7@e9=bomb");
    table_set(&table, "galaxy", "rFa1 rPe4 bFj8 bMe6 b4j7 red");
    assert_reads_as("e4-e5@e6=marshal", "e4-e5@e6=marshal");
}

static void a_typed_move_may_have_blanks_either_case_and_no_sign(void **state) {
    (void)state;
    static const char *const plain[] = {"a4-a5",   "a4a5",    "a4 a5",   "A4 A5",
                                        "a4 - a5", " a4xA5 ", "A4\tX a5"};
    static const char *const acting[] = {"e6-e7@e8=marshal", "e6e7@e8=M", "E6 E7 @ E8 = Marshal",
                                         "e6-e7@Spot:e8=m", "e6 - e7 @spot: e8 = m "};
    struct move_pattern pattern;
    struct fault fault = {0};
    const struct rules *rules = stock_rules("galaxy");
    const struct move step = {30, 40, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (move_parse(rules, plain[i], strlen(plain[i]), AS_TYPED, &pattern, &fault) != LEGAL)
            fail_msg("%s: %s", plain[i], fault.text);
        assert_true(move_fits(&pattern, step));
    }
    const struct move spotting = {54, 64, 74, 0, rules_kind(rules, "marshal", 7)};
    assert_string_equal(rules->ability[0].name, "spot");
    for (size_t i = 0; i < sizeof acting / sizeof *acting; i++) {
        if (move_parse(rules, acting[i], strlen(acting[i]), AS_TYPED, &pattern, &fault) != LEGAL)
            fail_msg("%s: %s", acting[i], fault.text);
        assert_true(move_fits(&pattern, spotting));
        assert_false(move_fits(&pattern, step));
    }
    assert_int_equal(move_parse(rules, "a4a5", 4, AS_WRITTEN, &pattern, &fault), ILLEGAL_TEXT);
    assert_int_equal(move_parse(rules, "a4 a", 4, AS_TYPED, &pattern, &fault), ILLEGAL_TEXT);
    assert_int_equal(move_parse(rules, "a4 k4", 5, AS_TYPED, &pattern, &fault), ILLEGAL_OFF_BOARD);
}

static void a_square_out_of_sight_is_written_as_dots(void **state) {
    (void)state;
    const struct rules *rules = stock_rules("galaxy");
    char text[MOVE_TEXT_MAX];
    struct move move = {SQUARE_NONE, 40, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    size_t length = move_text(rules, move, true, text);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, "…xa5");
    move = (struct move){40, SQUARE_NONE, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    move_text(rules, move, false, text);
    assert_string_equal(text, "a5-…");
    move = (struct move){40, 40, SQUARE_NONE, 0, rules_kind(rules, "marshal", 7)};
    move_text(rules, move, false, text);
    assert_string_equal(text, "a5@…=marshal");
}

static void a_text_that_is_no_move_gets_a_fault(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",         "a",       "a4",      "a4-",   "a4-a5x", "a4--a5",    "a4 a5",
        "a4-a5 ",   " a4-a5",  "a4-a5=",  "a4@",   "a4@a5=", "a4-a5@",    "@",
        "4a-5a",    "a4xxa5",  "a4-a5\n", "a4:a5", "\xff",   "a4-a5@a6=", "a4@=M",
        "a4@:a5=M", "a4=bomb", "-a5",     "a4-a55"};
    table_set(&table, "original", "rFa1 rMa4 bFj10 b9j9 red");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct move move;
        struct fault fault = {0};
        enum verdict verdict = move_read(&table.game, texts[i], strlen(texts[i]), &move, &fault);
        if (verdict != ILLEGAL_TEXT && verdict != ILLEGAL_OFF_BOARD && verdict != ILLEGAL_ABILITY)
            fail_msg("\"%s\" is judged %s", texts[i], verdict_name(verdict));
        assert_int_not_equal(fault.status, STATUS_OK);
        assert_true(strlen(fault.text) > 0);
    }
}

static void verdicts_have_their_statuses(void **state) {
    (void)state;
    struct move move;
    struct fault fault = {0};
    table_set(&table, "original", "rFa1 rMa4 bFj10 b9j9 red");
    assert_int_equal(move_read(&table.game, "a4?a5", 5, &move, &fault), ILLEGAL_TEXT);
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_int_equal(move_read(&table.game, "a4-k4", 5, &move, &fault), ILLEGAL_OFF_BOARD);
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_int_equal(move_read(&table.game, "a4-a6", 5, &move, &fault), ILLEGAL_MOVEMENT);
    assert_int_equal(fault.status, STATUS_ILLEGAL_MOVE);
    assert_int_equal(move_read(&table.game, "a4-a5", 5, &move, NULL), LEGAL);
}

static void assert_setup_fault(const char *text, int line, int column) {
    struct setup setup;
    struct fault fault = {0};
    if (setup_read(stock_rules("barrage"), RED, text, strlen(text), &setup, &fault))
        fail_msg("\"%s\" is read", text);
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_true(strlen(fault.text) > 0);
    assert_int_equal(fault.line, line);
    if (column) assert_int_equal(fault.column, column);
}

static void a_malformed_setup_is_placed_by_line_and_column(void **state) {
    (void)state;
    assert_setup_fault("..........\n....Q.....\n..........\n..........\n", 2, 5);
    assert_setup_fault("..........\n# a comment\n...........\n..........\n..........\n", 3, 11);
    assert_setup_fault("..........\n.........\n..........\n..........\n", 2, 0);
    assert_setup_fault("........../....r...../........../..........", 1, 16);
    assert_setup_fault("\xff\xfe", 1, 1);
}

static void a_setup_may_stand_on_lines_with_comments(void **state) {
    (void)state;
    const struct rules *rules = stock_rules("barrage");
    static const char lines[] = "# front rank first\n2.........  # a scout\n\n..m.......\n"
                                ".9.......2\nFB3S......";
    static const char line[] = "2........./..M......./.9.......2/FB3S......";
    struct setup a, b;
    struct fault fault = {0};
    char text[SETUP_TEXT_MAX];
    if (!setup_read(rules, RED, lines, sizeof lines - 1, &a, &fault)) fail_msg("%s", fault.text);
    if (!setup_read(rules, RED, line, sizeof line - 1, &b, &fault)) fail_msg("%s", fault.text);
    assert_memory_equal(&a, &b, rules->board.squares);
    setup_write(rules, RED, &a, text);
    assert_string_equal(text, line);
    assert_true(setup_check(rules, RED, &a, &fault));
    /* The front rank is red's fourth, and blue stands turned by half a board. */
    assert_int_equal(a.at[30], rules_kind(rules, "scout", 5));
    struct position position;
    position_from_setups(rules, &a, &b, RED, &position);
    assert_int_equal(cell_kind(position.at[0]), rules_kind(rules, "flag", 4));
    assert_int_equal(position.at[99], cell_of(BLUE, rules_kind(rules, "flag", 4)));
}

static void assert_position_fault(const char *text) {
    struct position position;
    struct fault fault = {0};
    if (position_read(stock_rules("quick"), text, strlen(text), &position, &fault))
        fail_msg("\"%s\" is read", text);
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_true(fault.line >= 1 && fault.column >= 1);
    assert_true(strlen(fault.text) > 0);
}

static void a_malformed_position_is_refused_with_its_place(void **state) {
    (void)state;
    assert_position_fault("");
    assert_position_fault("red");
    assert_position_fault("......../......../......../......../......../......../........ red");
    assert_position_fault(
        "......../......../......../......../......../......../......../........");
    assert_position_fault(
        "......../......../......../......../......../......../......../........ green");
    assert_position_fault(
        "......../......../......../......../......../......../......../.......r red");
    assert_position_fault(
        "......../......../......../......../......../......../......../.......rQ red");
    assert_position_fault(
        "......../......../......../......../......../......../......../......... red");
}

static void a_position_may_not_have_more_than_the_army_or_stand_in_lakes(void **state) {
    (void)state;
    const struct rules *rules = stock_rules("quick");
    struct position position;
    struct fault fault = {0};
    static const char two[] =
        "bF......./b9......./......../......../......../......../......../rFrMrM..... red";
    assert_true(position_read(rules, two, sizeof two - 1, &position, &fault));
    assert_false(position_check(rules, &position, &fault));
    assert_int_equal(fault.status, STATUS_SETUP);
    static const char lake[] =
        "bF......./b9......./......../..rM...../......../......../......../rF...... red";
    if (position_read(rules, lake, sizeof lake - 1, &position, &fault))
        assert_false(position_check(rules, &position, &fault));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_read_as_they_are_written_on_every_board),
        cmocka_unit_test(what_is_no_square_is_not_read_as_one),
        cmocka_unit_test(setups_and_positions_read_as_they_are_written_on_every_board),
        cmocka_unit_test(every_legal_move_reads_as_it_is_written),
        cmocka_unit_test(moves_are_written_as_documented),
        cmocka_unit_test(a_typed_move_may_have_blanks_either_case_and_no_sign),
        cmocka_unit_test(a_square_out_of_sight_is_written_as_dots),
        cmocka_unit_test(a_text_that_is_no_move_gets_a_fault),
        cmocka_unit_test(verdicts_have_their_statuses),
        cmocka_unit_test(a_malformed_setup_is_placed_by_line_and_column),
        cmocka_unit_test(a_setup_may_stand_on_lines_with_comments),
        cmocka_unit_test(a_malformed_position_is_refused_with_its_place),
        cmocka_unit_test(a_position_may_not_have_more_than_the_army_or_stand_in_lakes),
    };
    return cmocka_run_group_tests_name("core/notation", tests, NULL, stock_teardown);
}
