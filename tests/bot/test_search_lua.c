/* What bots can do with samples of the game: drawing, playing, searching, and refused arguments. */
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
    bot_table_place(table, "rFa1 rMe3 r3e4 r2a4 rBb1 bFj10 b9j9 bBj8 b4e5 bSa10 b2c10 red");
    return 0;
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

/* Runs statements; they fail by raising an error. */
static void assert_runs(const char *statements) {
    char text[4096];
    snprintf(text, sizeof text,
             "return { api = 1, move = function(view)\n%s\nreturn view:moves()[1]\nend }\n",
             statements);
    if (!bot_table_runs(table, text, SANDBOX_DEFAULTS))
        fail_msg("%d: %s", table->fault.line, table->fault.text);
}

#define assert_error(expression, part) bot_table_expect_error(table, expression, part)

static void a_sample_is_the_position_with_an_army_for_the_enemy(void **state) {
    (void)state;
    assert_runs(
        "local game, drawn = nil, {}\n"
        "for _ = 1, 300 do\n"
        "  game = view:sample(game)\n"
        "  local kind, side = game:kind_at('e3')\n"
        "  assert(kind == 'marshal' and side == 'red')\n"
        "  assert(game:kind_at('e9') == nil and game:kind_at('c5') == nil)\n"
        "  kind, side = game:kind_at(view:square('j9'))\n"
        "  assert(side == 'blue')\n"
        "  drawn[kind] = true\n"
        "end\n"
        "for _, kind in ipairs { 'flag', 'general', 'bomb', 'sergeant', 'spy', 'scout' } do\n"
        "  assert(drawn[kind], kind)\n"
        "end");
}

static void a_sample_that_is_handed_over_is_filled_again(void **state) {
    (void)state;
    assert_runs("local game = view:sample()\n"
                "game:play(view:moves()[1])\n"
                "assert(rawequal(view:sample(game), game))\n"
                "assert(game:depth() == 0 and game:to_move() == 'red')");
}

static void a_sample_lists_the_moves_of_the_view(void **state) {
    (void)state;
    assert_runs("local game = view:sample()\n"
                "local mine, theirs = view:moves(), game:moves()\n"
                "assert(#mine == #theirs)\n"
                "for i = 1, #mine do assert(mine[i] == theirs[i]) end");
}

static void moves_are_played_and_taken_back(void **state) {
    (void)state;
    assert_runs("local game = view:sample()\n"
                "local before = game:kind_at('a5')\n"
                "for _, move in ipairs(view:moves()) do\n"
                "  game:play(move)\n"
                "  assert(game:depth() == 1)\n"
                "  if not game:over() then\n"
                "    assert(game:to_move() == 'blue')\n"
                "    game:play(game:moves()[1])\n"
                "    game:undo(2)\n"
                "  else\n"
                "    game:undo()\n"
                "  end\n"
                "end\n"
                "assert(game:depth() == 0 and game:kind_at('a5') == before)\n"
                "assert(game:kind_at('e4') == 'miner' and game:to_move() == 'red')");
    assert_int_equal(table->game.ply_count, 0); /* the host's game has seen none of it */
}

static void a_sample_knows_when_it_is_over(void **state) {
    (void)state;
    bot_table_place(table, "rFa1 rMe3 bFe4 b9j9 red");
    assert_runs("view:weigh { [view:at('e4')] = { general = 0 } }\n"
                "local game = view:sample()\n"
                "assert(game:over() == nil)\n"
                "for _, move in ipairs(view:attacks()) do game:play(move) end\n"
                "local result, reason = game:over()\n"
                "assert(result == 'red' and reason == 'flag')\n"
                "assert(#game:moves() == 0)");
}

static void copies_are_independent(void **state) {
    (void)state;
    assert_runs("local one, other = view:sample(), view:sample()\n"
                "other:play(view:moves()[1])\n"
                "one:copy(other)\n"
                "assert(one:depth() == 1)\n"
                "one:play(one:moves()[1])\n"
                "assert(one:depth() == 2 and other:depth() == 1)\n"
                "one:undo(2)\n"
                "for at = 1, 100 do if other:depth() == 1 then other:undo() end\n"
                "  assert(one:kind_at(at) == other:kind_at(at)) end");
}

static void weights_steer_the_samples(void **state) {
    (void)state;
    assert_runs("local flag, seen = view:at('j10'), 0\n"
                "assert(view:weigh { [flag] = { flag = 8, bomb = 0 } } == 'exact')\n"
                "local game\n"
                "for _ = 1, 2000 do\n"
                "  game = view:sample(game)\n"
                "  local kind = game:kind_at('j10')\n"
                "  assert(kind ~= 'bomb')\n"
                "  if kind == 'flag' then seen = seen + 1 end\n"
                "end\n"
                /* 8 of 12: five other kinds of one each, less the bomb, against a flag of 8 */
                "assert(seen > 1230 and seen < 1440, seen)\n"
                "view:weigh()\n"
                "seen = 0\n"
                "for _ = 1, 2000 do\n"
                "  game = view:sample(game)\n"
                "  if game:kind_at('j10') == 'flag' then seen = seen + 1 end\n"
                "end\n"
                "assert(seen > 270 and seen < 400, seen)");
}

static void weights_that_leave_no_army_are_refused(void **state) {
    (void)state;
    assert_error("view:weigh { [view:at('j10')] = { flag = 0, bomb = 0, spy = 0, scout = 0, "
                 "general = 0, sergeant = 0 } }",
                 "view:weigh: no army has a weight above 0");
    assert_error("view:weigh(3)", "view:weigh: argument 1 must be a table of weights by piece");
    assert_error("view:weigh { [view:at('j10')] = 2 }", "must be a table, not number");
    assert_error("view:weigh { [view:at('j10')] = { marshall = 2 } }",
                 "'marshall' is not a kind of this variant");
    assert_error("view:weigh { [view:at('j10')] = { flag = -1 } }", "flag must not be negative");
    assert_error("view:weigh { [view:at('j10')] = { flag = 0/0 } }", "flag must be a number");
    assert_error("view:weigh { [view:at('j10')] = { flag = '1' } }", "flag must be a number");
}

static void evaluation_counts_the_pieces_of_both_sides(void **state) {
    (void)state;
    assert_runs("local game = view:sample()\n"
                "assert(game:evaluate { marshal = 10, scout = 1, general = 7.5 } == 3.5 - 1 + 0)\n"
                "local values = view:values {\n"
                "  worth = { marshal = 10, miner = 2 }, their_worth = { general = 4 },\n"
                "  at = { marshal = {} }, win = 99,\n"
                "}\n"
                "assert(game:evaluate(values) == 8)\n"
                "local at = {}\n"
                "at[view:square('e3')] = 0.5\n"
                "values = view:values({ worth = {}, at = { marshal = at } }, values)\n"
                "assert(game:evaluate(values) == 0.5)");
    /* The view's bot is red: 10 + 1 - 7.5 - 1, where both have a scout. */
}

/* The miner on e4 stands before a piece on e5 that may be anything: with weights it is known. */
static void a_search_finds_what_pays(void **state) {
    (void)state;
    assert_runs(
        "view:weigh { [view:at('e5')] = { bomb = 1e9 } }\n"
        "local game, moves, sums = nil, view:moves(), {}\n"
        "local values = view:values { worth = { bomb = 5, miner = 3, marshal = 9 }, win = 1 }\n"
        "for i = 1, #moves do sums[i] = 0 end\n"
        "for _ = 1, 10 do\n"
        "  game = view:sample(game)\n"
        "  game:score(moves, sums, values, 2)\n"
        "end\n"
        "local best = 1\n"
        "for i = 2, #moves do if sums[i] > sums[best] then best = i end end\n"
        "assert(view:text(moves[best]) == 'e4xe5', view:text(moves[best]))\n"
        "assert(game:depth() == 0)");
}

/* Deeper search sees the reply: without the miner the general takes the captain. */
static void a_search_sees_the_answer(void **state) {
    (void)state;
    bot_table_place(table, "rFa1 rMd4 r6e3 r2a4 bFj10 b9e4 red");
    assert_runs("view:weigh { [view:at('e4')] = { flag = 0 } }\n"
                "local game, moves = view:sample(), view:moves()\n"
                "local values = view:values { worth = { marshal = 9, general = 8, captain = 4 } }\n"
                "local one, two = {}, {}\n"
                "game:score(moves, one, values, 1)\n"
                "game:score(moves, two, values, 2)\n"
                "for i = 1, #moves do\n"
                "  local text = view:text(moves[i])\n"
                "  if text == 'd4xe4' then assert(two[i] > 12) end\n"
                "  if text == 'a4-a5' then assert(two[i] <= one[i]) end\n"
                "end");
}

/* One budget for all moves: what it leaves undone counts for none of them. */
static void a_search_values_all_moves_to_the_depth_that_it_returns(void **state) {
    (void)state;
    assert_runs("local game, moves = view:sample(), view:moves()\n"
                "local values = view:values { worth = { marshal = 9, general = 8, scout = 1 } }\n"
                "local reached = {}\n"
                "for _, nodes in ipairs { 1, 100, 300, 1000, 100000 } do\n"
                "  local cut, whole, fuel = {}, {}, view:fuel()\n"
                "  local depth = game:score(moves, cut, values, 5, nodes)\n"
                "  assert(fuel - view:fuel() < 15 * (math.max(nodes, #moves) + 4 * #moves) + 500)\n"
                "  reached[depth] = true\n"
                "  if depth > 0 then game:score(moves, whole, values, depth) end\n"
                "  for i = 1, #moves do assert(depth == 0 or cut[i] == whole[i]) end\n"
                "end\n"
                "assert(reached[0] and reached[5] and (reached[1] or reached[3]))");
}

static void a_playout_leaves_the_sample_as_it_was(void **state) {
    (void)state;
    assert_runs("local game = view:sample()\n"
                "local total, before = 0, {}\n"
                "for at = 1, 100 do before[at] = game:kind_at(at) end\n"
                "for _ = 1, 50 do\n"
                "  local value, plies = game:playout { guided = 0.5 }\n"
                "  assert(value == 1 or value == 0 or value == -1)\n"
                "  assert(plies > 0 and plies <= 1000)\n"
                "  total = total + math.abs(value)\n"
                "end\n"
                "assert(total > 0)\n"
                "for at = 1, 100 do assert(game:kind_at(at) == before[at]) end\n"
                "assert(game:depth() == 0)\n"
                "local value, plies = game:playout { plies = 7, values = { marshal = 2 } }\n"
                "assert(plies <= 7 and type(value) == 'number')");
}

static void wrong_arguments_name_the_function(void **state) {
    (void)state;
    assert_error("view:sample(3)", "view:sample: argument 1 must be a sample of this game, not 3");
    assert_error("view:sample(view)", "view:sample: argument 1 must be a sample of this game");
    assert_error("view:sample(view:values { worth = {} })", "view:sample: argument 1 must be a");
    assert_error("view.sample(view:sample())",
                 "view.sample must be called with a colon: view:sample()");
    assert_error("view:sample().moves(view)",
                 "game.moves must be called with a colon: game:moves()");
    assert_error("view:sample().moves()", "game.moves must be called with a colon: game:moves()");
    assert_error("view:sample().evaluate(view:values { worth = {} })",
                 "game.evaluate must be called with a colon: game:evaluate()");
    assert_error("view:sample():copy(view)", "game:copy: argument 1 must be a sample");
    assert_error("view:sample():play('a4-a5')", "game:play: argument 1 must be a move");
    assert_error("view:sample():play(-1)", "game:play: argument 1 must be a move");
    assert_error("view:sample():play(view:moves()[1] + 1)", "game:play: this move is not legal");
    assert_error("view:sample():undo()", "game:undo: 1 moves to take back, but only 0");
    assert_error("view:sample():undo(-1)", "game:undo: argument 1 must be a whole number from 0");
    assert_error("view:sample():kind_at(101)", "game:kind_at: argument 1 must be a square");
    assert_error("view:sample():evaluate(view)",
                 "game:evaluate: argument 1 must be a result of view:values");
    assert_error("view:sample():evaluate { mashal = 3 }", "'mashal' is not a kind");
    assert_error("view:sample():evaluate { marshal = 1e9 }", "numbers go from -10000 to 10000");
    assert_error("view:sample():score(1)", "game:score: argument 1 must be a list of moves");
    assert_error("view:sample():score({}, {}, {}, 9)",
                 "game:score: argument 4 must be a whole number from 1 to 8, not 9");
    assert_error("view:sample():score({}, {}, {}, 1, 0)", "argument 5 must be a whole number");
    assert_error("view:sample():score(table.pack(('x'):rep(5000):byte(1, -1)), {}, {}, 1)",
                 "game:score: a list of 5000 moves, but no position has more than ");
    assert_error("view:sample():score({ 5 }, {}, {}, 1)",
                 "game:score: argument 1 must be a move of view:moves(), not 5");
    assert_error("view:sample():score({}, {}, { marshl = 1 }, 1)",
                 "game:score: worth: 'marshl' is not a kind");
    assert_error("view:sample():playout { plies = 1e9 }", "plies must be a number from 0 to 1000");
    assert_error("view:sample():playout { guided = -1 }", "guided must be a number from 0 to 1");
    assert_error("view:sample():playout(4)", "game:playout: argument 1 must be a table");
    assert_error("view:sample():playout { plise = 3 }",
                 "game:playout: unknown key 'plise'; there are plies, guided and values");
    assert_error(
        "view:sample():playout { values = 3 }",
        "game:playout: values must be a result of view:values or a table of worth by kind, "
        "not number");
    assert_error("view:values {}", "view:values: worth is missing");
    assert_error("view:values { worth = {}, wun = 3 }", "unknown key 'wun'");
    assert_error("view:values { worth = {}, at = { scout = 3 } }", "at.scout must be a list");
    assert_error("view:values({ worth = {} }, view)",
                 "view:values: argument 2 must be a result of view:values");
    assert_error("setmetatable(view:sample(), {})", "table expected");
    assert_error("getmetatable(view:sample()).__index.play()", "attempt to index a boolean");
}

static void samples_of_an_earlier_turn_are_refused_until_they_are_drawn_anew(void **state) {
    (void)state;
    struct bot *bot = bot_table_bot(table,
                                    "local game\n"
                                    "return { api = 1, move = function(view)\n"
                                    "  if game then\n"
                                    "    local ok, why = pcall(game.moves, game)\n"
                                    "    assert(not ok and why:find('earlier turn', 1, true))\n"
                                    "    local fresh = view:sample()\n"
                                    "    assert(not pcall(fresh.copy, fresh, game))\n"
                                    "    game:copy(fresh)\n"
                                    "    game:play(game:moves()[1])\n"
                                    "  end\n"
                                    "  game = view:sample(game)\n"
                                    "  return game:moves()[1]\n"
                                    "end }",
                                    SANDBOX_DEFAULTS);
    struct bot_answer answer;
    for (int turns = 0; turns < 3; turns++) {
        if (!bot_table_ask(table, bot, &answer)) fail_msg("%s", table->fault.text);
        bot_table_play(table, "e3-d3");
        bot_table_play(table, "j9-i9");
        bot_table_play(table, "d3-e3");
        bot_table_play(table, "i9-j9");
        bot_table_play(table, "a4-b4"); /* avoids the two-squares rule */
        bot_table_play(table, "a10-b10");
        bot_table_play(table, "b4-a4");
        bot_table_play(table, "b10-a10");
    }
    bot_free(bot);
}

static void before_the_armies_stand_there_is_nothing_to_sample(void **state) {
    (void)state;
    struct bot *bot = bot_table_bot(table,
                                    "return { api = 1, move = function() end,\n"
                                    "  setup = function(view) view:sample() end }",
                                    SANDBOX_DEFAULTS);
    struct view empty = {.rules = table->rules};
    struct setup setup;
    char name[BOT_SETUP_NAME_MAX];
    assert_false(bot_setup(bot, &empty, &setup, name, &table->fault));
    assert_non_null(strstr(table->fault.text, "view:sample: there are no armies yet"));
    bot_free(bot);
}

static void assert_stopped(const char *statements, enum status expected) {
    char text[1024];
    snprintf(text, sizeof text, "return { api = 1, move = function(view)\n%s\nend }\n", statements);
    struct sandbox_limits limits = {2000000, 4u << 20}; /* little, so that it ends soon */
    struct bot *bot = bot_table_bot(table, text, limits);
    struct bot_answer answer;
    assert_non_null(bot);
    assert_false(bot_table_ask(table, bot, &answer));
    if (table->fault.status != expected) fail_msg("%s: %s", statements, table->fault.text);
    bot_free(bot);
}

static void work_in_c_costs_fuel(void **state) {
    (void)state;
    bot_table_deal(table, &(struct random){{1, 2, 3, 4}});
    assert_stopped("local game = view:sample() while true do game:playout() end", STATUS_FUEL);
    assert_stopped("local game = view:sample() while true do view:sample(game) end", STATUS_FUEL);
    assert_stopped("local game, moves = view:sample(), view:moves()\n"
                   "while true do game:score(moves, {}, { marshal = 1 }, 4) end",
                   STATUS_FUEL);
    assert_stopped("while true do view:weigh {} end", STATUS_FUEL);
    assert_stopped("local game = view:sample() while true do pcall(game.playout, game) end",
                   STATUS_FUEL);
}

static void samples_count_as_memory(void **state) {
    (void)state;
    assert_stopped("local all = {} while true do all[#all + 1] = view:sample() end", STATUS_MEMORY);
}

static void a_sample_has_an_end_to_its_depth(void **state) {
    (void)state;
    assert_error("(function() local game = view:sample()\n"
                 "while true do game:play(game:moves()[1]) end end)()",
                 "game:play: ");
}

/* Each stock variant, abilities too: playing at random on samples, and searching them. */
static void every_stock_variant_can_be_searched(void **state) {
    (void)state;
    static const char *const variants[] = {"infiltrator", "galaxy", "russian", "lightning",
                                           "quick"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct bot_table *first = table;
        table = bot_table_open(variants[i]);
        bot_table_deal(table, &(struct random){{i + 1, 2, 3, 4}});
        assert_runs("local game, worth = nil, {}\n"
                    "for i, kind in ipairs(view:kinds()) do worth[kind] = i end\n"
                    "local values = view:values { worth = worth, win = 100 }\n"
                    "for _ = 1, 20 do\n"
                    "  game = view:sample(game)\n"
                    "  for _ = 1, 100 do\n"
                    "    if game:over() then break end\n"
                    "    local moves = game:moves()\n"
                    "    game:play(moves[view:random(#moves)])\n"
                    "  end\n"
                    "  if not game:over() then game:score(game:moves(), {}, values, 2) end\n"
                    "  game:undo(game:depth())\n"
                    "  game:playout { guided = 1 }\n"
                    "end");
        bot_table_close(table);
        table = first;
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_original, close_table)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_sample_is_the_position_with_an_army_for_the_enemy),
        TEST(a_sample_that_is_handed_over_is_filled_again),
        TEST(a_sample_lists_the_moves_of_the_view),
        TEST(moves_are_played_and_taken_back),
        TEST(a_sample_knows_when_it_is_over),
        TEST(copies_are_independent),
        TEST(weights_steer_the_samples),
        TEST(weights_that_leave_no_army_are_refused),
        TEST(evaluation_counts_the_pieces_of_both_sides),
        TEST(a_search_finds_what_pays),
        TEST(a_search_sees_the_answer),
        TEST(a_search_values_all_moves_to_the_depth_that_it_returns),
        TEST(a_playout_leaves_the_sample_as_it_was),
        TEST(wrong_arguments_name_the_function),
        TEST(samples_of_an_earlier_turn_are_refused_until_they_are_drawn_anew),
        TEST(before_the_armies_stand_there_is_nothing_to_sample),
        TEST(work_in_c_costs_fuel),
        TEST(samples_count_as_memory),
        TEST(a_sample_has_an_end_to_its_depth),
        TEST(every_stock_variant_can_be_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
