/* test_chart.c - boards drawn on the screen, cell by cell. */
#include "cli/screen/chart.h"
#include "core/play/position.h"
#include "screen_memory.h"
#include "variant/variant.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct rules *rules;
static struct screen screen;
static struct memory memory;
static struct chart chart;
static struct picture picture;
static struct chart_marks marks;

static const struct memory_step NOBODY[] = {{0}};

enum { A1 = 0, B1 = 1, A2 = 10, J10 = 99, C5 = 42, E5 = 44 };

static int load(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    setlocale(LC_CTYPE, "C.UTF-8");
    assert_true(folders_find(&folders, &fault));
    rules = variant_load(&folders, "original", &fault);
    return rules ? 0 : -1;
}

static int unload(void **state) {
    (void)state;
    rules_free(rules);
    return 0;
}

static kind_id kind(const char *name) {
    return rules_kind(rules, name, strlen(name));
}

/* A red marshal on a1 and flag on b1, a blue scout on j10 and spy on a2, fitted into that size. */
static int open(int rows, int columns) {
    cell cells[BOARD_SQUARES_MAX] = {0};
    cells[A1] = cell_of(RED, kind("marshal"));
    cells[B1] = cell_of(RED, kind("flag"));
    cells[A2] = cell_of(BLUE, kind("spy"));
    cells[J10] = cell_of(BLUE, kind("scout"));
    picture_cells(&picture, rules, cells);
    marks = CHART_NO_MARKS;
    screen_memory_open(&screen, &memory, rows, columns, NOBODY);
    return chart_fit(&chart, &rules->board, RED, 0, 0, rows, columns, NULL, NULL);
}

static int close(void **state) {
    (void)state;
    screen_close(&screen);
    return 0;
}

/* The characters of one row of a square's cells. */
static const char *face(square at, int row) {
    static char text[64];
    int top, left;
    chart_place(&chart, at, &top, &left);
    snprintf(text, sizeof text, "%s",
             screen_memory_part(&screen, top + row, left, chart.square_columns));
    return text;
}

static enum screen_style style(square at, int row, int column) {
    int top, left;
    chart_place(&chart, at, &top, &left);
    return screen_cell(&screen, top + row, left + column)->style;
}

static void squares_are_as_large_as_fit(void **state) {
    (void)state;
    static const struct {
        int rows, columns, square_rows, square_columns;
    } cases[] = {{21, 55, 2, 5}, {11, 52, 1, 5}, {11, 42, 1, 4},
                 {33, 72, 3, 7}, {41, 92, 4, 9}, {60, 200, 5, 11}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(chart_fit(&chart, &rules->board, RED, 0, 0, cases[i].rows, cases[i].columns,
                              NULL, NULL));
        assert_int_equal(chart.square_rows, cases[i].square_rows);
        assert_int_equal(chart.square_columns, cases[i].square_columns);
        assert_true(chart_rows(&chart) <= cases[i].rows);
        assert_true(chart_columns(&chart) <= cases[i].columns);
    }
}

static void a_board_that_fits_nowhere_says_what_it_needs(void **state) {
    (void)state;
    int rows, columns;
    assert_false(chart_fit(&chart, &rules->board, RED, 0, 0, 10, 41, &rows, &columns));
    assert_int_equal(rows, 11);
    assert_int_equal(columns, 42);
}

static void sides_differ_in_shape_and_in_style(void **state) {
    (void)state;
    assert_true(open(21, 55));
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(A1, 0), " [10]");
    assert_string_equal(face(A1, 1), " └──┘");
    assert_string_equal(face(J10, 0), " ( 2)");
    assert_string_equal(face(J10, 1), " ╰──╯");
    assert_int_equal(style(A1, 0, 2), STYLE_RED_PIECE);
    assert_int_equal(style(J10, 0, 2), STYLE_BLUE_PIECE);
    assert_string_equal(face(C5, 0), "~~~~~");
    assert_int_equal(style(C5, 0, 2), STYLE_LAKE);
    assert_string_equal(face(E5, 0), "  ·  ");
}

static void a_large_card_names_its_piece(void **state) {
    (void)state;
    assert_true(open(41, 92));
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(A1, 0), " ┌──────┐");
    assert_string_equal(face(A1, 1), " │  10  │");
    assert_string_equal(face(A1, 2), " │Marsh…│");
    assert_string_equal(face(J10, 2), " │Scout │");
    assert_string_equal(face(J10, 3), " ╰──────╯");
}

static void the_smallest_cards_still_tell_sides_apart(void **state) {
    (void)state;
    assert_true(open(11, 42));
    marks.targets = squareset_of(A2);
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(A1, 0), "[10]");
    assert_string_equal(face(J10, 0), "( 2)");
    assert_string_equal(face(A2, 0), "+ S)");
}

static void the_last_move_leaves_the_smallest_cards_whole(void **state) {
    (void)state;
    assert_true(open(11, 42));
    marks.from = J10 - 1;
    marks.to = J10;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(J10 - 1, 0), "  → ");
    assert_string_equal(face(J10, 0), "( 2)");
    assert_int_equal(style(J10, 0, 0), STYLE_LAST);
    assert_int_equal(style(J10, 0, 1), STYLE_BLUE_PIECE);
    assert_int_equal(style(J10, 0, 3), STYLE_LAST);
    marks.battle = true;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(J10, 0), "( 2)");
    assert_int_equal(style(J10, 0, 0), STYLE_BATTLE);
    marks.cursor = J10;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(J10, 0), "( 2)");
    assert_int_equal(style(J10, 0, 0), STYLE_CURSOR);
}

static void backs_tell_what_may_be_told(void **state) {
    (void)state;
    assert_true(open(21, 55));
    picture.at[J10].type = PICTURE_BACK;
    picture.at[A2].type = PICTURE_MOVED;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(J10, 0), " (##)");
    assert_string_equal(face(A2, 0), " (?"
                                     "?)");
    assert_int_equal(style(A2, 0, 2), STYLE_BLUE_BACK);
    picture.at[A2].deduced = true;
    picture.at[A1].betrayed = true;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(A2, 0), " ( S)");
    assert_string_equal(face(A2, 1), " ╰?─╯");
    assert_int_equal(style(A2, 0, 2), STYLE_BLUE_BACK);
    assert_string_equal(face(A1, 1), " └!─┘");
}

static void targets_and_the_last_move_are_marked(void **state) {
    (void)state;
    assert_true(open(21, 55));
    marks.targets = squareset_of(A2) | squareset_of(E5);
    marks.from = J10 - 1;
    marks.to = J10;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(A2, 0), "+( S)");
    assert_string_equal(face(E5, 0), "  +  ");
    assert_string_equal(face(J10, 0), ">( 2)");
    assert_string_equal(face(J10 - 1, 0), "  →  ");
    marks.aims = squareset_of(A2);
    marks.targets = 0;
    marks.battle = true;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_string_equal(face(A2, 0), "@( S)");
    assert_string_equal(face(J10, 0), "x( 2)");
}

static void the_cursor_leaves_a_pieces_colour_to_be_seen(void **state) {
    (void)state;
    assert_true(open(21, 55));
    marks.cursor = A1;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_int_equal(style(A1, 0, 1), STYLE_CURSOR);
    assert_int_equal(style(A1, 0, 2), STYLE_RED_PIECE);
    marks.cursor = E5;
    chart_draw(&screen, NULL, &chart, &picture, &marks);
    assert_int_equal(style(E5, 0, 0), STYLE_CURSOR);
    assert_int_equal(style(E5, 1, 4), STYLE_CURSOR);
}

static void blue_sees_the_board_from_its_own_side(void **state) {
    (void)state;
    assert_true(open(21, 55));
    assert_true(chart_fit(&chart, &rules->board, BLUE, 0, 0, 21, 55, NULL, NULL));
    int row, column;
    chart_place(&chart, J10, &row, &column);
    assert_int_equal(row, 18);
    assert_int_equal(column, 2);
    assert_int_equal(chart_step(&chart, J10, 1, 1), 88);
    assert_int_equal(chart_step(&chart, J10, -1, 0), J10);
}

static void every_cell_of_a_square_belongs_to_it(void **state) {
    (void)state;
    assert_true(open(21, 55));
    for (int below = RED; below <= BLUE; below++) {
        chart_fit(&chart, &rules->board, (enum side)below, 3, 4, 21, 55, NULL, NULL);
        for (square at = 0; at < rules->board.squares; at++) {
            int row, column;
            chart_place(&chart, at, &row, &column);
            assert_int_equal(chart_square(&chart, row, column), at);
            assert_int_equal(chart_square(&chart, row + 1, column + 4), at);
        }
        assert_int_equal(chart_square(&chart, 2, 10), SQUARE_NONE);
        assert_int_equal(chart_square(&chart, 3 + 20, 10), SQUARE_NONE);
        assert_int_equal(chart_square(&chart, 10, 5), SQUARE_NONE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_as_large_as_fit),
        cmocka_unit_test(a_board_that_fits_nowhere_says_what_it_needs),
        cmocka_unit_test_teardown(sides_differ_in_shape_and_in_style, close),
        cmocka_unit_test_teardown(a_large_card_names_its_piece, close),
        cmocka_unit_test_teardown(the_smallest_cards_still_tell_sides_apart, close),
        cmocka_unit_test_teardown(the_last_move_leaves_the_smallest_cards_whole, close),
        cmocka_unit_test_teardown(backs_tell_what_may_be_told, close),
        cmocka_unit_test_teardown(targets_and_the_last_move_are_marked, close),
        cmocka_unit_test_teardown(the_cursor_leaves_a_pieces_colour_to_be_seen, close),
        cmocka_unit_test_teardown(blue_sees_the_board_from_its_own_side, close),
        cmocka_unit_test_teardown(every_cell_of_a_square_belongs_to_it, close),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
