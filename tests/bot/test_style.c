/* toolkit.style: how often it draws which style of what was learned, and what a mind says of one
 * that is not drawn. */
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
    snprintf(code, sizeof code, "(function() local style = require('toolkit.style') %s end)()",
             body);
    if (!bot_table_holds(table, code)) fail_msg("not so: %s", body);
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

/* Each game again, however often it is asked. */
static void the_stock_bots_draw_one(void **state) {
    (void)state;
    assert_holds("local learned = require('learned')(view)\n"
                 "return learned.own and not learned.styles and view:mind(learned) ~= nil");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(styles_are_drawn_by_their_shares),
        cmocka_unit_test(an_army_that_stands_tells_the_style),
        cmocka_unit_test(what_has_no_styles_is_its_own_only_one),
        cmocka_unit_test(a_mind_is_of_one_style),
        cmocka_unit_test(the_stock_bots_draw_one),
    };
    return cmocka_run_group_tests_name("bot/style", tests, open_duel, close_table);
}
