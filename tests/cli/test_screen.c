/* test_screen.c - the grid, and dialogs over it. */
#include "cli/columns.h"
#include "cli/screen/dialog.h"
#include "screen_memory.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct screen screen;
static struct memory memory;

static const struct memory_step NOBODY[] = {{0}};

static void open(int rows, int columns, const struct memory_step *steps) {
    screen_memory_open(&screen, &memory, rows, columns, steps);
}

static int close(void **state) {
    (void)state;
    screen_close(&screen);
    return 0;
}

static const char *row_text(int row) {
    return screen_memory_part(&screen, row, 0, screen.columns);
}

static void a_text_is_cut_off_at_the_border_of_the_grid(void **state) {
    (void)state;
    open(2, 6, NOBODY);
    assert_int_equal(screen_put(&screen, 0, 3, STYLE_TITLE, "abcdef"), 6);
    screen_put(&screen, 0, -2, STYLE_PLAIN, "xyz");
    screen_put(&screen, 7, 0, STYLE_PLAIN, "nowhere");
    assert_string_equal(row_text(0), "z  abc");
    assert_string_equal(row_text(1), "      ");
    assert_int_equal(screen_cell(&screen, 0, 3)->style, STYLE_TITLE);
    assert_null(screen_cell(&screen, 2, 0));
}

static void wide_and_combining_characters_keep_the_columns(void **state) {
    (void)state;
    open(3, 8, NOBODY);
    assert_int_equal(screen_put(&screen, 0, 0, STYLE_PLAIN, "日本x"), 5);
    assert_int_equal(screen_cell(&screen, 0, 4)->glyph[0], L'x');
    assert_int_equal(screen_put(&screen, 1, 0, STYLE_PLAIN, "и\xcc\x86x"), 2);
    assert_string_equal(row_text(1), "и\xcc\x86x      ");
    screen_put_in(&screen, 2, 0, 4, STYLE_PLAIN, "日本x");
    assert_string_equal(row_text(2), "日…     ");
    assert_int_equal(columns_of("日本x", SIZE_MAX), 5);
}

static void what_is_no_character_is_shown_as_a_question_mark(void **state) {
    (void)state;
    open(2, 8, NOBODY);
    screen_put(&screen, 0, 0, STYLE_PLAIN,
               "a\x1b"
               "b\tc");
    assert_string_equal(row_text(0), "a?b?c   ");
    screen.ascii = true;
    screen_put(&screen, 1, 0, STYLE_PLAIN, "│ж┐…");
    assert_string_equal(row_text(1), "|?+.    ");
}

static void a_text_is_filled_up_or_cut_to_its_columns(void **state) {
    (void)state;
    open(2, 8, NOBODY);
    screen_put_in(&screen, 0, 1, 5, STYLE_CHOSEN, "abc");
    assert_int_equal(screen_cell(&screen, 0, 5)->style, STYLE_CHOSEN);
    assert_int_equal(screen_cell(&screen, 0, 6)->style, STYLE_PLAIN);
    screen_put_in(&screen, 1, 1, 5, STYLE_PLAIN, "abcdefg");
    assert_string_equal(row_text(1), " abcd…  ");
}

static void words_are_wrapped_and_lines_kept(void **state) {
    (void)state;
    open(4, 9, NOBODY);
    const char *text = "one two three\n\nabcdefghijk";
    assert_int_equal(screen_wrap(&screen, 0, 0, 8, 0, 0, STYLE_PLAIN, text), 5);
    assert_int_equal(screen_wrap(&screen, 0, 0, 8, 4, 0, STYLE_PLAIN, text), 5);
    assert_string_equal(row_text(0), "one two  ");
    assert_string_equal(row_text(1), "three    ");
    assert_string_equal(row_text(2), "         ");
    assert_string_equal(row_text(3), "abcdefgh ");
    screen_clear(&screen);
    screen_wrap(&screen, 0, 0, 8, 2, 3, STYLE_PLAIN, text);
    assert_string_equal(row_text(1), "ijk      ");
}

static void a_line_that_fills_its_width_is_not_broken(void **state) {
    (void)state;
    open(3, 9, NOBODY);
    assert_int_equal(screen_wrap(&screen, 0, 0, 7, 3, 0, STYLE_PLAIN, "one two\n\nthree"), 3);
    assert_string_equal(row_text(0), "one two  ");
    assert_string_equal(row_text(1), "         ");
    assert_string_equal(row_text(2), "three    ");
}

static void a_woken_screen_tells_so_once(void **state) {
    (void)state;
    open(2, 8, (const struct memory_step[]){{"never shown", NULL, NULL}, {0}});
    screen_wake(&screen);
    screen_wake(&screen);
    assert_int_equal(screen_wait(&screen, 0).type, SCREEN_WOKEN);
    assert_int_equal(screen_wait(&screen, 0).type, SCREEN_TIMEOUT);
}

static void a_closed_screen_stays_closed(void **state) {
    (void)state;
    open(2, 8, (const struct memory_step[]){{NULL, "a<Hangup>b", NULL}, {0}});
    assert_int_equal(screen_wait(&screen, -1).key, 'a');
    assert_int_equal(screen_wait(&screen, -1).type, SCREEN_CLOSED);
    assert_int_equal(screen_wait(&screen, -1).type, SCREEN_CLOSED);
}

static const struct dialog_item FRUIT[] = {
    {"apple", "red"}, {"banana", NULL}, {"blackberry", "small"}, {"cherry", NULL}};

static int choose(const struct memory_step *steps, int rows, int chosen) {
    open(rows, 40, steps);
    return dialog_choose(&screen, NULL, "Fruit", FRUIT, 4, chosen);
}

static void an_item_is_chosen_by_keys(void **state) {
    (void)state;
    const struct memory_step steps[] = {{"> apple", "<Down>", NULL},
                                        {"> banana", "<Down><End>", NULL},
                                        {"> cherry", "b", NULL},
                                        {"> banana", "b", NULL},
                                        {"> blackberry  small", "<Enter>", NULL},
                                        {0}};
    assert_int_equal(choose(steps, 12, 0), 2);
}

static void escape_chooses_nothing(void **state) {
    (void)state;
    assert_int_equal(choose((const struct memory_step[]){{"> banana", "<Esc>", NULL}, {0}}, 12, 1),
                     -1);
}

static void q_chooses_nothing_unless_an_item_begins_with_it(void **state) {
    (void)state;
    assert_int_equal(choose((const struct memory_step[]){{"> banana", "q", NULL}, {0}}, 12, 1), -1);
    assert_false(screen.closed);
    screen_close(&screen);
    static const struct dialog_item games[] = {{"duel", NULL}, {"quick", NULL}};
    open(12, 40,
         (const struct memory_step[]){
             {"> duel", "q", NULL}, {"> quick", "q", NULL}, {"> quick", "<Enter>", NULL}, {0}});
    assert_int_equal(dialog_choose(&screen, NULL, "Game", games, 2, 0), 1);
}

static void an_item_is_chosen_by_the_mouse(void **state) {
    (void)state;
    /* four items in the middle of twelve rows: the third on row 6 */
    assert_int_equal(choose((const struct memory_step[]){{"apple", "<@6,20>", NULL}, {0}}, 12, 0),
                     2);
}

static void a_list_that_does_not_fit_is_scrolled(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"> apple", "<End>", NULL}, {"> cherry", "<Enter>", NULL}, {0}};
    assert_int_equal(choose(steps, 4, 0), 3);
}

static void a_dialog_follows_the_size_of_the_screen(void **state) {
    (void)state;
    const struct memory_step steps[] = {
        {"> apple", "<=5,12><Down>", NULL}, {"> banana", "<=30,90><Enter>", NULL}, {0}};
    assert_int_equal(choose(steps, 12, 0), 1);
    assert_int_equal(screen.columns, 90);
}

static void a_line_is_typed_and_mended(void **state) {
    (void)state;
    char text[8] = "x";
    open(10, 40,
         (const struct memory_step[]){{"Name?", "<Back>abc<Back>defghijk<Enter>", NULL}, {0}});
    assert_true(dialog_type(&screen, NULL, "A title", "Name?", text, sizeof text));
    assert_string_equal(text, "abdefgh");
}

static void a_closed_screen_confirms_nothing(void **state) {
    (void)state;
    open(10, 40, NOBODY);
    assert_false(dialog_confirm(&screen, NULL, "Really?", "yes", "no"));
}

static void a_question_is_confirmed_only_by_its_yes(void **state) {
    (void)state;
    open(10, 40, (const struct memory_step[]){{"> no", "<Enter>", NULL}, {0}});
    assert_false(dialog_confirm(&screen, NULL, "Really?", "yes", "no"));
    screen_close(&screen);
    open(10, 40, (const struct memory_step[]){{"> no", "<Up><Enter>", NULL}, {0}});
    assert_true(dialog_confirm(&screen, NULL, "Really?", "yes", "no"));
}

static void look_for_a_cut(struct screen *shown) {
    const char *text = screen_memory_text(shown);
    if (strstr(text, "…")) fail_msg("cut at %d columns:\n%s", shown->columns, text);
}

static void a_long_question_is_whole_at_every_width(void **state) {
    (void)state;
    static const struct memory_step steps[] = {{"> no", "<Enter>", look_for_a_cut}, {0}};
    for (int columns = 12; columns < 60; columns++) {
        open(16, columns, steps);
        dialog_confirm(&screen, NULL, "The set-ups do not fit any more. Start a new game now?",
                       "yes", "no");
        screen_close(&screen);
    }
}

static void a_long_text_is_scrolled(void **state) {
    (void)state;
    open(6, 30,
         (const struct memory_step[]){{"first", "<PageDown>", NULL}, {"last", "<Esc>", NULL}, {0}});
    dialog_read(&screen, NULL, "Rules", "first\n2\n3\n4\n5\n6\n7\nlast");
    assert_null(strstr(screen_memory_text(&screen), "first"));
}

static void draw_board(void *context, struct screen *drawn) {
    (void)context;
    screen_fill(drawn, 0, 0, drawn->rows, drawn->columns, STYLE_PLAIN, L'#');
}

static void a_text_to_read_hides_what_would_be_seen_beside_it(void **state) {
    (void)state;
    const struct backdrop behind = {draw_board, NULL};
    static const int columns[] = {79, 80, 81, 104};
    const struct memory_step steps[] = {{"first", "<Esc>", NULL}, {0}};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        open(8, columns[i], steps);
        dialog_read(&screen, &behind, "Rules", "first\n2\n3\n4\n5\n6\n7\nlast");
        assert_null(strchr(screen_memory_text(&screen), '#'));
        screen_close(&screen);
    }
    open(8, 140, steps);
    dialog_read(&screen, &behind, "Rules", "first");
    assert_non_null(strchr(screen_memory_text(&screen), '#'));
}

int main(void) {
    setlocale(LC_CTYPE, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_text_is_cut_off_at_the_border_of_the_grid, close),
        cmocka_unit_test_teardown(wide_and_combining_characters_keep_the_columns, close),
        cmocka_unit_test_teardown(what_is_no_character_is_shown_as_a_question_mark, close),
        cmocka_unit_test_teardown(a_text_is_filled_up_or_cut_to_its_columns, close),
        cmocka_unit_test_teardown(words_are_wrapped_and_lines_kept, close),
        cmocka_unit_test_teardown(a_line_that_fills_its_width_is_not_broken, close),
        cmocka_unit_test_teardown(a_woken_screen_tells_so_once, close),
        cmocka_unit_test_teardown(a_closed_screen_stays_closed, close),
        cmocka_unit_test_teardown(an_item_is_chosen_by_keys, close),
        cmocka_unit_test_teardown(escape_chooses_nothing, close),
        cmocka_unit_test_teardown(q_chooses_nothing_unless_an_item_begins_with_it, close),
        cmocka_unit_test_teardown(an_item_is_chosen_by_the_mouse, close),
        cmocka_unit_test_teardown(a_list_that_does_not_fit_is_scrolled, close),
        cmocka_unit_test_teardown(a_dialog_follows_the_size_of_the_screen, close),
        cmocka_unit_test_teardown(a_line_is_typed_and_mended, close),
        cmocka_unit_test_teardown(a_closed_screen_confirms_nothing, close),
        cmocka_unit_test_teardown(a_question_is_confirmed_only_by_its_yes, close),
        cmocka_unit_test_teardown(a_long_question_is_whole_at_every_width, close),
        cmocka_unit_test_teardown(a_long_text_is_scrolled, close),
        cmocka_unit_test_teardown(a_text_to_read_hides_what_would_be_seen_beside_it, close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
