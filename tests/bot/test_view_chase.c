/* view:chase and view:race: what they give in positions that can be counted by hand, their price,
 * and refused arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"

#include <stdio.h>
#include <string.h>

static struct bot_table *table;

static int open_original(void **state) {
    (void)state;
    table = bot_table_open("original");
    return 0;
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

static void assert_holds(const char *expression) {
    if (!bot_table_holds(table, expression)) fail_msg("not so: %s", expression);
}

#define assert_error(expression, part) bot_table_expect_error(table, expression, part)

/* A move by its text, as an expression. */
static const char *move(const char *text) {
    static char code[256];
    snprintf(code, sizeof code,
             "(function() for _, move in ipairs(view:moves()) do if view:text(move) == '%s' then "
             "return move end end end)()",
             text);
    return code;
}

static void assert_after(const char *text, const char *hunter, const char *prey,
                         const char *expected) {
    char code[512];
    snprintf(code, sizeof code, "view:chase(view:at('%s'), view:at('%s'), nil, %s) == %s", hunter,
             prey, move(text), expected);
    assert_holds(code);
}

/* The 9 sits at the closed end of a lane one square wide. */
static void a_piece_in_a_dead_end_is_caught(void **state) {
    (void)state;
    bot_table_place(table, "rFj1 rMa3 rBb1 rBb2 b9a1 bFj10 red");
    assert_holds("view:chase(view:at('a3'), view:at('a1')) == 3");
    assert_holds("view:chase(view:at('a3'), view:at('a1'), 3) == 3");
    assert_holds("view:chase(view:at('a3'), view:at('a1'), 2) == nil");
    assert_after("a3-a2", "a3", "a1", "2");
    assert_after("a3-a4", "a3", "a1", "6");
    bot_table_place(table, "rFj1 rMa5 rBb1 rBb2 b9a1 bFj10 red");
    assert_holds("view:chase(view:at('a5'), view:at('a1')) == 7");
    assert_after("a5-a6", "a5", "a1", "nil"); /* lets it out */
    bot_table_place(table, "rFj1 rMa2 rBb1 rBb2 b9a1 bFj10 red");
    assert_after("a2xa1", "a2", "a1", "0");
    assert_holds("view:chase(view:at('a1'), view:at('a2')) == nil"); /* it cannot win */
}

/* Red's 5 stands in the lane, blue to be feared: after each of its moves. */
static void a_move_flees_or_does_not(void **state) {
    (void)state;
    bot_table_place(table, "rFj1 r5a2 rBb1 rBb2 b9b3 bFj10 red");
    assert_holds("view:chase(view:at('b3'), view:at('a2')) == 6");
    assert_after("a2-a1", "b3", "a2", "5"); /* a3, stays, a2, stays, caught */
    assert_after("a2-a3", "b3", "a2", "1");
    bot_table_place(table, "rFj1 r5e4 b9e6 bFj10 red");
    assert_after("e4-e3", "e6", "e4", "nil");
    assert_after("e4-e5", "e6", "e4", "1");
}

static void who_is_first_at_a_square(void **state) {
    (void)state;
    bot_table_place(table, "rFj1 r5a2 r2d1 rBb1 rBb2 b9b3 bFj10 red");
    assert_holds("(function() local own, theirs, who = view:race(view:at('a2'), 'a4')\n"
                 "return own == 2 and theirs == 2 and who == view:at('b3') end)()");
    assert_holds("(function() local own, theirs, who = view:race(view:at('d1'), 'd4')\n"
                 "return own == 1 and theirs == 3 and who == view:at('b3') end)()");
    assert_holds("(function() local own, theirs, who = view:race(view:at('b1'), 'd4')\n"
                 "return own == nil and theirs == nil and who == nil end)()");
    assert_holds("(function() local own, theirs, who = view:race(view:at('b3'), 'a2')\n"
                 "return own == 2 and theirs == 0 and who == view:at('a2') end)()");
}

static void work_is_paid_for(void **state) {
    (void)state;
    bot_table_place(table, "rFj1 rMa3 rBb1 rBb2 b9a1 bFj10 red");
    assert_holds("(function() local before = view:fuel() view:chase(view:at('a3'), view:at('a1'))\n"
                 "return before - view:fuel() >= 100 * (20 + 12 * 12) end)()");
    assert_holds("(function() local before = view:fuel() view:race(view:at('a3'), 'a1')\n"
                 "return before - view:fuel() >= 300 + 60 * 2 end)()");
}

static void wrong_arguments_name_the_method(void **state) {
    (void)state;
    bot_table_place(table, "rFj1 rMa3 r5e4 b9a1 b4e5 bFj10 red");
    bot_table_play(table, "e4xe5");
    bot_table_play(table, "a1-a2");
    assert_error("view.chase(1, 2)", "view.chase must be called with a colon: view:chase()");
    assert_error("view:chase()", "view:chase: argument 1 must be the number of a piece, 1-6");
    assert_error("view:chase(1, 7)", "view:chase: argument 2 must be the number of a piece, 1-6");
    assert_error("view:chase(view:at('a3'), view:at('e5'))",
                 "view:chase: argument 2 must be a piece of the other side");
    assert_error("(function() for piece = 1, 6 do if not view:where(piece) then "
                 "return view:chase(view:at('a3'), piece) end end end)()",
                 "view:chase: argument 2 must be a piece on the board");
    static const char *const plies[] = {"0", "65", "1.5", "'many'", "{}", "0/0"};
    for (size_t i = 0; i < sizeof plies / sizeof *plies; i++) {
        char code[128];
        snprintf(code, sizeof code, "view:chase(view:at('a3'), view:at('a2'), %s)", plies[i]);
        assert_error(code, "view:chase: argument 3 must be a number of plies, 1-64");
    }
    assert_error("view:chase(view:at('a3'), view:at('a2'), 12, 'a3-a4')",
                 "view:chase: argument 4 must be a move of view:moves()");
    char code[512];
    snprintf(code, sizeof code, "view:chase(view:at('a3'), view:at('a2'), 12, %s)", move("e5-e6"));
    assert_error(code, "view:chase: argument 4 must be a move of one of the two");
    assert_error("view:race(1)", "view:race: argument 2 must be a square 1-100 or a1-j10");
    assert_error("view:race(1, 'k1')", "view:race: argument 2 must be a square 1-100 or a1-j10");
    assert_error("view:race(0, 'a1')", "view:race: argument 1 must be the number of a piece");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piece_in_a_dead_end_is_caught),
        cmocka_unit_test(a_move_flees_or_does_not),
        cmocka_unit_test(who_is_first_at_a_square),
        cmocka_unit_test(work_is_paid_for),
        cmocka_unit_test(wrong_arguments_name_the_method),
    };
    return cmocka_run_group_tests_name("bot/view_chase", tests, open_original, close_table);
}
