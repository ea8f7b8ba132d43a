/* toolkit.mixed and toolkit.style: how often they draw what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"

#include <stdio.h>
#include <string.h>

static struct bot_table *table;

static int open_duel(void **state) {
    (void)state;
    table = bot_table_open("duel");
    bot_table_place(table, "rFa1 rMe3 bFf8 b9b7 red");
    return 0;
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

static void assert_holds(const char *body) {
    char code[2048];
    snprintf(code, sizeof code,
             "(function() local mixed, style = require('toolkit.mixed'), require('toolkit.style') "
             "%s end)()",
             body);
    if (!bot_table_holds(table, code)) fail_msg("not so: %s", body);
}

static void assert_error(const char *arguments, const char *expected) {
    char code[512];
    snprintf(code, sizeof code, "require('toolkit.mixed')(%s)", arguments);
    const char *text = bot_table_error(table, code);
    if (!strstr(text, expected)) fail_msg("%s\n  says: %s\n  not:  %s", code, text, expected);
}

/* Of 8000 draws within five standard deviations. */
static void entries_are_drawn_as_often_as_they_should_be(void **state) {
    (void)state;
    assert_holds("local list, scores = { 'a', 'b', 'c', 'd' }, { 0.50, 0.60, 0.58, 0.40 }\n"
                 "local count, told, sum = { a = 0, b = 0, c = 0, d = 0 }, {}, 0\n"
                 "for i = 1, 8000 do\n"
                 "  local entry, chance = mixed(view, list, scores, 0.05)\n"
                 "  count[entry], told[entry] = count[entry] + 1, chance\n"
                 "end\n"
                 "for i = 1, 4 do sum = sum + math.exp(scores[i] / 0.05) end\n"
                 "for i = 1, 4 do\n"
                 "  local chance = math.exp(scores[i] / 0.05) / sum\n"
                 "  local wide = 5 * math.sqrt(8000 * chance * (1 - chance))\n"
                 "  if math.abs(count[list[i]] - 8000 * chance) > wide then return false end\n"
                 "  if math.abs(told[list[i]] - chance) > 1e-9 then return false end\n"
                 "end\n"
                 "return true");
}

static void what_is_far_below_the_best_is_never_drawn(void **state) {
    (void)state;
    assert_holds("for i = 1, 8000 do\n"
                 "  local entry = mixed(view, { 1, 2, 3 }, { 0.2, 0.5, 0.24 }, 0.052)\n"
                 "  if entry == 1 then return false end\n"
                 "end\n"
                 "return true");
    assert_holds(
        "for i = 1, 300 do\n"
        "  if mixed(view, { 1, 2, 3 }, { 0.2, 0.5, 0.4999 }, 0) ~= 2 then return false end\n"
        "end\n"
        "return true");
}

static void equal_and_infinite_scores_have_a_meaning(void **state) {
    (void)state;
    assert_holds("local seen = {}\n"
                 "for i = 1, 300 do seen[mixed(view, { 1, 2 }, { 3, 3 }, 0)] = true end\n"
                 "return seen[1] and seen[2]");
    assert_holds("local entry, chance = mixed(view, { 1, 2 }, { 3, math.huge }, 1e9)\n"
                 "return entry == 2 and chance == 1");
    assert_holds("local entry, chance = mixed(view, { 1, 2 }, { -math.huge, -math.huge }, 1)\n"
                 "return entry and chance == 0.5");
    assert_holds("local entry, chance = mixed(view, {}, {}, 1)\n"
                 "return entry == nil and chance == nil");
}

static void wrong_arguments_are_named(void **state) {
    (void)state;
    assert_error("view, { 1, 2 }, { 1 }, 1", "mixed: score 2 must be a number, not nil");
    assert_error("view, { 1 }, { 0/0 }, 1", "mixed: score 1 must be a number, not ");
    assert_error("view, { 1 }, { 1 }", "mixed: the temperature must be a number from 0, not nil");
    assert_error("view, { 1 }, { 1 }, -1",
                 "mixed: the temperature must be a number from 0, not -1");
    assert_error("view, { 1 }, { 1 }, math.huge", "mixed: the temperature must be a number from 0");
    assert_error("view, { 1 }, { 1 }, 0/0", "mixed: the temperature must be a number from 0");
}

/* Of 8000 draws within five standard deviations. */
static void styles_are_drawn_by_their_shares(void **state) {
    (void)state;
    assert_holds("local shares, styles, count = { 1, 700, 0, 299 }, {}, {}\n"
                 "for i, share in ipairs(shares) do styles[i] = { share = share } end\n"
                 "for i = 1, 8000 do\n"
                 "  local drawn = style(view, { styles = styles })\n"
                 "  count[drawn] = (count[drawn] or 0) + 1\n"
                 "end\n"
                 "for i, share in ipairs(shares) do\n"
                 "  local wide = 5 * math.sqrt(8 * share * (1 - share / 1000))\n"
                 "  if math.abs((count[styles[i]] or 0) - 8 * share) > wide then return false end\n"
                 "end\n"
                 "return true");
}

/* Also mirrored, and turned round for blue. */
static void an_army_that_stands_tells_the_style(void **state) {
    (void)state;
    static const char code[] =
        "local setups = { '........../....M...../........../F.........',\n"
        "                 '........../.....M..../........../.........F',\n"
        "                 '....M...../........../........../F.........' }\n"
        "local styles = {}\n"
        "for i, setup in ipairs(setups) do styles[i] = { share = i, setups = { setup } } end\n"
        "local drawn = { 0, 0, 0 }\n"
        "for _ = 1, 3000 do\n"
        "  local one = style(view, { styles = styles })\n"
        "  drawn[one.share] = drawn[one.share] + 1\n"
        "end\n"
        "return math.abs(drawn[1] - 1000) < 150 and drawn[3] == 0\n";
    assert_holds(code);
    bot_table_place(table, "rFa1 rMe3 bFj10 bMf8 blue");
    assert_holds(code);
    bot_table_place(table, "rFa1 rMe3 bFf8 b9b7 red");
}

static void what_has_no_styles_is_its_own_only_one(void **state) {
    (void)state;
    assert_holds("local flat = { own = {} }\n"
                 "return style(view, flat) == flat and style(view, nil) == nil");
}

static void a_mind_is_of_one_style(void **state) {
    (void)state;
    const char *text = bot_table_error(table, "view:mind({ styles = { {} } })");
    if (!strstr(text, "view:mind: what was learned: has several styles; draw one with "
                      "toolkit.style"))
        fail_msg("%s", text);
}

static void the_stock_bots_draw_one(void **state) {
    (void)state;
    assert_holds("local learned = require('learned')(view)\n"
                 "return learned.own and not learned.styles and view:mind(learned) ~= nil");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_drawn_as_often_as_they_should_be),
        cmocka_unit_test(what_is_far_below_the_best_is_never_drawn),
        cmocka_unit_test(equal_and_infinite_scores_have_a_meaning),
        cmocka_unit_test(wrong_arguments_are_named),
        cmocka_unit_test(styles_are_drawn_by_their_shares),
        cmocka_unit_test(an_army_that_stands_tells_the_style),
        cmocka_unit_test(what_has_no_styles_is_its_own_only_one),
        cmocka_unit_test(a_mind_is_of_one_style),
        cmocka_unit_test(the_stock_bots_draw_one),
    };
    return cmocka_run_group_tests_name("bot/draws", tests, open_duel, close_table);
}
