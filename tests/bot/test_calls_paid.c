/* A bot pays for the calls of the variant that are made for the games it imagines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"

#include "core/play/calls.h"

#include <stdio.h>
#include <string.h>

static struct bot_table *table;

/* The original game with these calls, given as the inside of a table. */
static void open_with(const char *calls) {
    char text[2048];
    int length =
        snprintf(text, sizeof text,
                 "return { api = 1, extends = 'original', title = 'Paid', calls = { %s } }", calls);
    table = bot_table_open("original");
    struct rules *rules = variant_load_text(&table->folders, "variants/paid.lua", text,
                                            (size_t)length, &table->fault);
    if (!rules) fail_msg("%s", table->fault.text);
    rules_free(table->rules);
    table->rules = rules;
    bot_table_place(table, "rFa1 rMe3 r3e4 r2a4 bFj10 b9j9 b4e5 bSa10 b2c10 red");
}

/* A call that runs `instructions` instructions, about. */
static void open_costly(const char *call, int instructions) {
    char text[256];
    snprintf(text, sizeof text, "%s = function() local x = 0 for i = 1, %d do x = i end%s end",
             call, instructions / 2, !strcmp(call, "legal") ? " return true" : "");
    open_with(text);
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

static bool runs(const char *statements, uint64_t fuel) {
    char text[2048];
    snprintf(text, sizeof text,
             "return { api = 1, move = function(view)\n%s\nreturn view:moves()[1]\nend }\n",
             statements);
    return bot_table_runs(table, text, (struct sandbox_limits){fuel, 64u << 20});
}

#define COST                                                                                       \
    "local function cost(f) local before = view:fuel() f() return before - view:fuel() end\n"

static void assert_costs(const char *work, long least, long most) {
    char text[1024];
    snprintf(text, sizeof text,
             COST "local g = view:sample()\nlocal mind = view:mind()\n"
                  "local c = cost(function() %s end)\n"
                  "if c < %ld or c > %ld then error('it cost ' .. c) end",
             work, least, most);
    if (!runs(text, 50000000)) fail_msg("%s: %s", work, table->fault.text);
}

static void instructions_of_calls_are_charged_as_counted(void **state) {
    (void)state;
    static const int costs[] = {400, 4000, 40000, 400000};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        open_costly("after_move", costs[i]);
        assert_costs("g:play(g:moves()[1])", costs[i] - 200, costs[i] + 800);
        bot_table_close(table);
    }
    open_costly("ending", 4000);
    assert_costs("g:play(g:moves()[1])", 3800, 4800);
}

static void every_way_to_imagine_games_is_charged(void **state) {
    (void)state;
    static const char *const work[] = {
        "g:play(g:moves()[1])",
        "g:score({g:moves()[1]}, {}, {marshal = 1}, 1)",
        "g:playout({plies = 1})",
        "g:playout({plies = 1, values = {marshal = 1}})",
        "g:playouts({count = 1, plies = 1})",
        "mind:look({view:moves()[1]}, {}, {depth = 0, armies = 1})",
    };
    open_costly("turn_start", 50000);
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) assert_costs(work[i], 49000, 300000);
    bot_table_close(table);
    open_costly("legal", 5000);
    assert_costs("g:moves()", 12 * 5000, 40 * 5500);
}

static void a_bot_that_runs_out_in_calls_is_stopped_for_fuel(void **state) {
    (void)state;
    static const char *const work[] = {
        "while true do pcall(g.play, g, g:moves()[1]) pcall(g.undo, g) end",
        "while true do pcall(g.moves, g) end",
        "while true do pcall(g.score, g, g:moves(), {}, {marshal = 1}, 8) end",
        "while true do pcall(g.playout, g) end",
        "while true do pcall(g.playouts, g, {count = 4000}) end",
        "while true do pcall(mind.look, mind, view:moves(), {}, {armies = 1000}) end",
    };
    open_costly("after_move", 900000);
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) {
        char text[512];
        snprintf(text, sizeof text, "local g = view:sample() local mind = view:mind()\n%s",
                 work[i]);
        assert_false(runs(text, 10000000));
        if (table->fault.status != STATUS_FUEL)
            fail_msg("%s: %d: %s", work[i], table->fault.status, table->fault.text);
        assert_false(calls_failed()); /* the true game goes on */
        assert_int_equal(calls_paid() > 0, true);
    }
}

static void calls_that_fail_are_charged_with_what_they_used(void **state) {
    (void)state;
    open_with("after_move = (function() local x = 0 for i = 1, 200000 do x = i end\n"
              "return function() for i = 1, 20000 do x = i end error 'no' end end)()");
    assert_costs("pcall(g.play, g, g:moves()[1])", 40000, 100000);
}

/* Each of the calls finds the large table as it was loaded, which takes time. */
static void calls_of_a_variant_that_holds_much_are_charged_with_restoring_it(void **state) {
    (void)state;
    open_with("after_move = (function() local t = {} for i = 1, 200000 do t[i] = i end\n"
              "return function() t[1] = (t[1] or 0) + 1 assert(t[1] == 2) end end)()");
    assert_costs("g:play(g:moves()[1])", 3000000 / 64, 6000000 / 64);
}

static void the_true_game_costs_its_players_nothing(void **state) {
    (void)state;
    open_costly("after_move", 900000);
    const uint64_t paid = calls_paid();
    bot_table_play(table, "a4-b4");
    assert_int_equal(calls_paid(), paid);
    assert_false(calls_failed());
}

static void a_look_that_costs_too_much_is_given_up(void **state) {
    (void)state;
    open_costly("after_move", 900000);
    if (!runs("local mind = view:mind()\nlocal sums = {}\n"
              "for i = 1, #view:moves() do sums[i] = 1 end\n"
              "local expected = mind:ply_fuel()\n"
              "assert(mind:look(view:moves(), sums, {armies = 1}) == 0)\n"
              "for i = 1, #sums do assert(sums[i] == 1) end\n"
              "assert(expected < 10000 and mind:ply_fuel() > 800000)",
              20000000))
        fail_msg("%s", table->fault.text);
}

static void a_variant_without_calls_costs_what_it_did(void **state) {
    (void)state;
    table = bot_table_open("original");
    bot_table_place(table, "rFa1 rMe3 r3e4 r2a4 bFj10 b9j9 b4e5 bSa10 b2c10 red");
    assert_costs("g:play(view:moves()[1])", 15, 100);
    assert_costs("g:playout({plies = 1})", 75, 120);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(instructions_of_calls_are_charged_as_counted, close_table),
        cmocka_unit_test_teardown(every_way_to_imagine_games_is_charged, close_table),
        cmocka_unit_test_teardown(a_bot_that_runs_out_in_calls_is_stopped_for_fuel, close_table),
        cmocka_unit_test_teardown(calls_that_fail_are_charged_with_what_they_used, close_table),
        cmocka_unit_test_teardown(calls_of_a_variant_that_holds_much_are_charged_with_restoring_it,
                                  close_table),
        cmocka_unit_test_teardown(the_true_game_costs_its_players_nothing, close_table),
        cmocka_unit_test_teardown(a_look_that_costs_too_much_is_given_up, close_table),
        cmocka_unit_test_teardown(a_variant_without_calls_costs_what_it_did, close_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
