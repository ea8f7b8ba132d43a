/* test_editor.c - a set-up being edited: the army is always complete, steps can be undone.
 */
#include "cli/screen/editor.h"

#include "core/text/layout.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct folders folders;
static struct rules *rules;
static struct editor editor;

static void open(const char *variant) {
    rules = variant_load(&folders, variant, NULL);
    assert_non_null(rules);
    editor_start(&editor, rules, RED, NULL);
}

static int close(void **state) {
    (void)state;
    rules_free(rules);
    return 0;
}

static kind_id kind(char letter) {
    return rules_kind(rules, &letter, 1);
}

static square at(const char *name) {
    return board_square(&rules->board, name[0] - 'a', name[1] - '1');
}

static void assert_shows(const char *expected) {
    char text[SETUP_TEXT_MAX];
    setup_write(rules, RED, &editor.setup, text);
    assert_string_equal(text, expected);
}

/* Zone and rest together are the army. */
static void assert_whole(void) {
    uint8_t count[KINDS_MAX] = {0};
    for (square s = 0; s < rules->board.squares; s++) {
        if (!editor.setup.at[s]) continue;
        assert_true(squareset_has(rules->board.zone[RED], s));
        count[editor.setup.at[s]]++;
    }
    for (kind_id k = 1; k <= rules->kinds; k++)
        assert_int_equal(count[k] + editor.left[k], rules->start[RED].count[k]);
}

static void an_empty_zone_leaves_the_whole_army(void **state) {
    (void)state;
    open("duel");
    assert_int_equal(editor_left(&editor), 10);
    assert_int_equal(editor.left[kind('B')], 2);
    assert_int_equal(editor_free(&editor, SQUARE_NONE), at("a4"));
}

static void a_piece_is_placed_as_long_as_one_is_left(void **state) {
    (void)state;
    open("duel");
    assert_true(editor_place(&editor, at("a1"), kind('F')));
    assert_false(editor_place(&editor, at("b1"), kind('F')));
    assert_false(editor_place(&editor, at("a5"), kind('B')));
    assert_false(editor_place(&editor, at("a1"), KIND_NONE));
    assert_shows("........../........../........../F.........");
    assert_true(editor_place(&editor, at("a1"), kind('M'))); /* the flag is left again */
    assert_int_equal(editor.left[kind('F')], 1);
    assert_whole();
}

static void pieces_are_moved_exchanged_and_taken_off(void **state) {
    (void)state;
    open("duel");
    editor_place(&editor, at("a1"), kind('F'));
    editor_place(&editor, at("b1"), kind('B'));
    assert_true(editor_swap(&editor, at("a1"), at("b1")));
    assert_true(editor_swap(&editor, at("a1"), at("c4")));
    assert_false(editor_swap(&editor, at("a1"), at("a2")));
    assert_false(editor_swap(&editor, at("b1"), at("b5")));
    assert_shows("..B......./........../........../.F........");
    assert_true(editor_lift(&editor, at("b1")));
    assert_false(editor_lift(&editor, at("b1")));
    assert_int_equal(editor.left[kind('F')], 1);
    assert_whole();
}

static void left_and_right_are_exchanged(void **state) {
    (void)state;
    open("quick");
    editor_place(&editor, at("a1"), kind('F'));
    editor_place(&editor, at("c3"), kind('B'));
    editor_mirror(&editor);
    assert_shows(".....B../......../.......F");
    assert_whole();
}

static void what_is_left_is_placed_at_random_around_what_stands(void **state) {
    (void)state;
    struct random random = random_stream(1, STREAM_RED_SETUP, 0);
    open("original");
    editor_place(&editor, at("a1"), kind('F'));
    editor_place(&editor, at("a2"), kind('B'));
    for (int i = 0; i < 20; i++) {
        assert_true(editor_shuffle(&editor, &random, NULL));
        assert_true(setup_check(rules, RED, &editor.setup, NULL));
        assert_int_equal(editor.setup.at[at("a1")], kind('F'));
        assert_int_equal(editor.setup.at[at("a2")], kind('B'));
        assert_whole();
        assert_true(editor_undo(&editor));
    }
    struct setup before;
    assert_true(editor_shuffle(&editor, &random, NULL));
    before = editor.setup;
    assert_true(editor_shuffle(&editor, &random, NULL)); /* nothing remains: all of it */
    assert_memory_not_equal(&before, &editor.setup, sizeof before);
    assert_whole();
}

static void clearing_leaves_the_whole_army(void **state) {
    (void)state;
    struct random random = random_stream(1, STREAM_RED_SETUP, 0);
    open("original");
    assert_true(editor_shuffle(&editor, &random, NULL));
    assert_int_equal(editor_left(&editor), 0);
    assert_int_equal(editor_free(&editor, SQUARE_NONE), SQUARE_NONE);
    editor_clear(&editor);
    assert_int_equal(editor_left(&editor), 40);
    assert_whole();
}

static void steps_are_undone_and_done_again(void **state) {
    (void)state;
    open("duel");
    assert_false(editor_undo(&editor));
    editor_place(&editor, at("a1"), kind('F'));
    editor_place(&editor, at("b1"), kind('B'));
    editor_clear(&editor);
    assert_true(editor_undo(&editor));
    assert_shows("........../........../........../FB........");
    assert_true(editor_undo(&editor));
    assert_true(editor_undo(&editor));
    assert_false(editor_undo(&editor));
    assert_int_equal(editor_left(&editor), 10);
    assert_true(editor_redo(&editor));
    assert_true(editor_redo(&editor));
    assert_shows("........../........../........../FB........");
    editor_lift(&editor, at("a1"));
    assert_false(editor_redo(&editor)); /* something else has been done */
    assert_whole();
}

static void only_the_latest_steps_are_remembered(void **state) {
    (void)state;
    open("duel");
    editor_place(&editor, at("a1"), kind('F'));
    for (int i = 0; i < 3 * EDITOR_STEPS_MAX; i++)
        editor_swap(&editor, at(i % 2 ? "b1" : "a1"), at(i % 2 ? "a1" : "b1"));
    int undone = 0;
    while (editor_undo(&editor)) undone++;
    assert_int_equal(undone, EDITOR_STEPS_MAX - 1);
    while (editor_redo(&editor)) undone--;
    assert_int_equal(undone, 0);
    assert_whole();
}

static void a_set_up_of_another_army_is_taken_as_far_as_it_fits(void **state) {
    (void)state;
    struct setup setup = {{0}};
    open("duel");
    setup.at[at("a1")] = kind('F');
    setup.at[at("b1")] = kind('F');
    setup.at[at("c9")] = kind('B');
    editor_start(&editor, rules, RED, &setup);
    assert_shows("........../........../........../F.........");
    assert_whole();
}

static void the_next_free_square_goes_from_the_front_to_the_back_and_around(void **state) {
    (void)state;
    open("quick");
    editor_place(&editor, at("h3"), kind('F'));
    assert_int_equal(editor_free(&editor, at("g3")), at("g3"));
    assert_int_equal(editor_free(&editor, at("h3")), at("a2"));
    editor_place(&editor, at("h1"), kind('M'));
    assert_int_equal(editor_free(&editor, at("h1")), at("a3"));
}

int main(void) {
    if (!folders_find(&folders, NULL)) return 1;
#define OPENED(test) cmocka_unit_test_teardown(test, close)
    const struct CMUnitTest tests[] = {
        OPENED(an_empty_zone_leaves_the_whole_army),
        OPENED(a_piece_is_placed_as_long_as_one_is_left),
        OPENED(pieces_are_moved_exchanged_and_taken_off),
        OPENED(left_and_right_are_exchanged),
        OPENED(what_is_left_is_placed_at_random_around_what_stands),
        OPENED(clearing_leaves_the_whole_army),
        OPENED(steps_are_undone_and_done_again),
        OPENED(only_the_latest_steps_are_remembered),
        OPENED(a_set_up_of_another_army_is_taken_as_far_as_it_fits),
        OPENED(the_next_free_square_goes_from_the_front_to_the_back_and_around),
    };
    return cmocka_run_group_tests_name("cli/editor", tests, NULL, NULL);
}
