/* game:playouts: its figures against fully walked trees, its cost, and refused arguments.
 * core/test_crowd.c checks that crowds and lanes play the same games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Few pieces of known kinds that stand close together: a flag can fall at the first ply, and at the
 * second. */
static const char CLOSE[] = "rFa1 rMe3 r3e4 r2b1 bFe5 bMa3 b2f6 red";

/* expect(view, game, plies, count): the mean value, wins and losses of playouts against those of
 * all lines of play, each weighed by its chance. Chance exceeds 5 standard errors about once
 * in a million runs. */
static const char EXPECT[] =
    "local worth = {}\n"
    "local function walk(view, game, plies, chance, sums)\n"
    "  local result = game:over()\n"
    "  if plies > 0 and not result then\n"
    "    local moves = game:moves()\n"
    "    for _, move in ipairs(moves) do\n"
    "      game:play(move)\n"
    "      walk(view, game, plies - 1, chance / #moves, sums)\n"
    "      game:undo()\n"
    "    end\n"
    "    return\n"
    "  end\n"
    "  local value = game:evaluate(worth)\n"
    "  sums.value, sums.square = sums.value + chance * value, sums.square + chance * value ^ 2\n"
    "  if result == view:side() then sums.wins = sums.wins + chance end\n"
    "  if result == view:other_side() then sums.losses = sums.losses + chance end\n"
    "end\n"
    "local function near(got, mean, square, count, what)\n"
    "  local bound = 5 * math.sqrt(math.max(square - mean ^ 2, 0) / count) + 1e-9\n"
    "  assert(math.abs(got - mean) <= bound, what .. ' ' .. got .. ' for ' .. mean)\n"
    "end\n"
    "local function expect(view, game, plies, count)\n"
    "  for i, kind in ipairs(view:kinds()) do worth[kind] = i % 7 + 0.5 end\n"
    "  local sums = { value = 0, square = 0, wins = 0, losses = 0 }\n"
    "  walk(view, game, plies, 1, sums)\n"
    "  local value, wins, draws, losses, played =\n"
    "    game:playouts { count = count, plies = plies, values = worth }\n"
    "  assert(wins + draws + losses == count)\n"
    "  assert(played <= count * plies and played >= count)\n"
    "  near(value, sums.value, sums.square, count, 'value')\n"
    "  near(wins / count, sums.wins, sums.wins, count, 'wins')\n"
    "  near(losses / count, sums.losses, sums.losses, count, 'losses')\n"
    "  return sums\n"
    "end\n";

static struct bot_table *table;

static int open_original(void **state) {
    (void)state;
    table = bot_table_open("original");
    bot_table_place(table, CLOSE);
    return 0;
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

static bool runs(const char *statements, struct sandbox_limits limits) {
    char text[8192];
    snprintf(text, sizeof text,
             "%sreturn { api = 1, move = function(view)\n%s\nreturn view:moves()[1]\nend }\n",
             EXPECT, statements);
    return bot_table_runs(table, text, limits);
}

static void assert_runs(const char *statements) {
    if (!runs(statements, SANDBOX_DEFAULTS))
        fail_msg("%d: %s", table->fault.line, table->fault.text);
}

static void its_figures_are_those_of_the_whole_tree(void **state) {
    (void)state;
    /* 50 are played in lanes, 4000 in a crowd where the machine has one. */
    assert_runs("view:weigh { [view:at('e5')] = { marshal = 0, scout = 0 } }\n"
                "local game = view:sample()\n"
                "local one = expect(view, game, 1, 4000)\n"
                "assert(one.wins > 0)\n"
                "expect(view, game, 1, 50)\n"
                "local two = expect(view, game, 2, 4000)\n"
                "assert(two.wins >= one.wins)\n"
                "game:play(view:moves()[1])\n" /* then it is the other side's turn */
                "expect(view, game, 1, 4000)\n"
                "expect(view, game, 2, 50)");
}

static void expect_whole_tree(const char *variant) {
    struct bot_table *first = table;
    table = bot_table_open(variant);
    bot_table_deal(table, &(struct random){{1, 2, 3, 4}});
    assert_runs("expect(view, view:sample(), 2, 1000)");
    bot_table_close(table);
    table = first;
}

static void every_variants_figures_are_those_of_the_whole_tree(void **state) {
    (void)state;
    expect_whole_tree("galaxy-duel");
    expect_whole_tree("lightning");
    expect_whole_tree("variants/examples/fog.lua");
    expect_whole_tree("variants/examples/airborne.lua");
    expect_whole_tree("variants/examples/phalanx.lua"); /* has calls */
    /* Sixteen files of eight squares do not fit the words of lanes. */
    char path[] = "/tmp/ensign-long-XXXXXX.lua";
    int file = mkstemps(path, 4);
    dprintf(file, "return { api = 1, extends = 'duel', title = 'Long',\n"
                  "  board = { files = 16, ranks = 8, lakes = {} }, zone = { ranks = 3 } }\n");
    close(file);
    expect_whole_tree(path);
    unlink(path);
}

/* Whole games: unguided games played singly have the same shares of results. */
static void whole_games_end_as_those_that_are_played_one_by_one(void **state) {
    (void)state;
    assert_runs(
        "local game, wins, losses = view:sample(), 0, 0\n"
        "for _ = 1, 1000 do\n"
        "  local value = game:playout()\n"
        "  if value == 1 then wins = wins + 1 elseif value == -1 then losses = losses + 1 end\n"
        "end\n"
        "local value, won, drawn, lost = game:playouts { count = 4000 }\n"
        "assert(value == (won - lost) / 4000)\n"
        /* two samples: the difference's variance is p (1 - p) (1/1000 + 1/4000) */
        "local function same(p, q)\n"
        "  assert(math.abs(p - q) < 5 * math.sqrt(p * (1 - p) / 800) + 0.01, p .. ' ' .. q)\n"
        "end\n"
        "same(wins / 1000, won / 4000)\n"
        "same(losses / 1000, lost / 4000)");
}

static void a_sample_stays_as_it_was(void **state) {
    (void)state;
    assert_runs("local game, before = view:sample(), {}\n"
                "game:play(view:moves()[1])\n"
                "for at = 1, 100 do before[at] = game:kind_at(at) end\n"
                "game:playouts()\n"
                "for at = 1, 100 do assert(game:kind_at(at) == before[at]) end\n"
                "assert(game:depth() == 1 and not game:over())\n"
                "game:undo()");
}

static void a_game_that_is_over_is_counted_without_a_move(void **state) {
    (void)state;
    bot_table_place(table, "rFa1 rMe3 bFe4 b9j9 red");
    assert_runs("view:weigh { [view:at('e4')] = { scout = 0 } }\n"
                "local game = view:sample()\n"
                "game:play(view:attacks()[1])\n"
                "local value, wins, draws, losses, plies = game:playouts { count = 7 }\n"
                "assert(value == 1 and wins == 7 and draws == 0 and losses == 0 and plies == 0)");
}

/* Playouts draw from the bot's own stream. */
static void the_same_chance_gives_the_same_figures(void **state) {
    (void)state;
    assert_runs("local game = view:sample()\n"
                "local function figures(seed)\n"
                "  math.randomseed(seed)\n"
                "  local a = table.concat({ game:playouts { count = 300 } }, ' ')\n"
                "  return a, table.concat({ game:playouts { count = 300 } }, ' ')\n"
                "end\n"
                "local a, b = figures(1)\n"
                "local c, d = figures(1)\n"
                "assert(a == c and b == d and a ~= b and figures(2) ~= a)");
}

static void a_ply_costs_a_seventh_of_one_of_a_playout(void **state) {
    (void)state;
    assert_runs("local game = view:sample()\n"
                "game:playouts { count = 1 }\n"
                "local before = view:fuel()\n"
                "local _, _, _, _, plies = game:playouts { count = 1000 }\n"
                "local spent = before - view:fuel()\n"
                "assert(spent >= 60 * 1000 + 2 * plies, spent)\n"
                "assert(spent < 60 * 1000 + 2 * plies + 5000, spent)");
}

static void what_is_too_much_costs_the_game(void **state) {
    (void)state;
    const struct sandbox_limits little = {2000000, 4u << 20};
    static const char *const greedy[] = {
        "local game = view:sample() while true do game:playouts { count = 4000 } end",
        "local game = view:sample() while true do game:playouts { count = 1, plies = 1 } end",
        "local game = view:sample() while true do pcall(game.playouts, game) end",
    };
    for (size_t i = 0; i < sizeof greedy / sizeof *greedy; i++) {
        assert_false(runs(greedy[i], little));
        if (table->fault.status != STATUS_FUEL) fail_msg("%s: %s", greedy[i], table->fault.text);
    }
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *options, *message;
    } wrong[] = {
        {"{ count = 0 }", "game:playouts: count must be a whole number from 1 to 4000"},
        {"{ count = 4001 }", "count must be a whole number from 1 to 4000"},
        {"{ count = 1e300 }", "count must be a whole number from 1 to 4000"},
        {"{ count = -1 << 63 }", "count must be a whole number from 1 to 4000"},
        {"{ count = 1.5 }", "count must be a whole number"},
        {"{ count = '5' }", "count must be a whole number"},
        {"{ plies = 0 }", "plies must be a whole number from 1 to 1000"},
        {"{ plies = 1001 }", "plies must be a whole number from 1 to 1000"},
        {"{ guided = 0.5 }", "unknown key 'guided'; there are count, plies and values"},
        {"{ ['and'] = 1 }", "unknown key 'and'"},
        {"{ [','] = 1 }", "unknown key ','"},
        {"{ 100 }", "unknown key"},
        {"{ values = 3 }", "game:playouts: values must be a result of view:values"},
        {"100", "game:playouts: argument 1 must be a table with count, plies and values"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char call[128];
        snprintf(call, sizeof call, "view:sample():playouts(%s)", wrong[i].options);
        const char *text = bot_table_error(table, call);
        if (!strstr(text, wrong[i].message)) fail_msg("%s says: %s", call, text);
    }
    assert_non_null(strstr(bot_table_error(table, "view:sample().playouts(view)"),
                           "game.playouts must be called with a colon: game:playouts()"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_original, close_table)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(its_figures_are_those_of_the_whole_tree),
        TEST(every_variants_figures_are_those_of_the_whole_tree),
        TEST(whole_games_end_as_those_that_are_played_one_by_one),
        TEST(a_sample_stays_as_it_was),
        TEST(a_game_that_is_over_is_counted_without_a_move),
        TEST(the_same_chance_gives_the_same_figures),
        TEST(a_ply_costs_a_seventh_of_one_of_a_playout),
        TEST(what_is_too_much_costs_the_game),
        TEST(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
