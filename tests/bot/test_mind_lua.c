/* What bots can do with a mind: beliefs, chances, looking ahead, and refused arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"

#include <stdio.h>
#include <string.h>

static struct bot_table *table;

static void open_position(void) {
    bot_table_place(table, "rFa1 rMe3 r3e4 r2a4 rBb1 bFj10 b9j9 bBj8 b4e5 bSa10 b2c10 red");
}

static int open_original(void **state) {
    (void)state;
    table = bot_table_open("original");
    open_position();
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
             "return { api = 1, move = function(view)\nlocal mind = view:mind()\n%s\n"
             "return view:moves()[1]\nend }\n",
             statements);
    if (!bot_table_runs(table, text, SANDBOX_DEFAULTS))
        fail_msg("%d: %s", table->fault.line, table->fault.text);
}

#define assert_error(expression, part) bot_table_expect_error(table, expression, part)

static void beliefs_are_those_of_what_is_left(void **state) {
    (void)state;
    assert_runs("local kinds = { 'flag', 'general', 'bomb', 'sergeant', 'spy', 'scout' }\n"
                "for _, at in ipairs { 'j10', 'j9', 'e5' } do\n"
                "  local sum = 0\n"
                "  for _, kind in ipairs(kinds) do\n"
                "    local chance = mind:belief(view:at(at), kind)\n"
                "    assert(chance > 0.16 and chance < 0.17)\n"
                "    sum = sum + chance\n"
                "  end\n"
                "  assert(sum > 0.999 and sum < 1.001)\n"
                "end\n"
                "assert(mind:belief(view:at('j10'), 'marshal') == 0)\n"
                "assert(mind:belief(view:at('e3'), 'mar' .. 'shal') == 1)\n"
                "assert(mind:belief(view:at('e3'), 'flag') == 0)");
}

static void habits_change_beliefs(void **state) {
    (void)state;
    assert_runs(
        "local start = {}\n"
        "for i = 1, 24 do start[i] = 256 end\n"
        "start[12] = 2560 -- the back row, the middle; j10 is at its edge\n"
        "start[10] = 2560\n"
        "local learned = { own = {}, enemy = {}, whole = {}, games = 7, mine = {},\n"
        "  habits = { flag = { start = start, moves = { 256 }, dared = { none = 256 } } } }\n"
        "local taught = view:mind(learned)\n"
        "local before, after = mind:belief(view:at('j10'), 'flag'),\n"
        "  taught:belief(view:at('j10'), 'flag')\n"
        "assert(after > 2 * before, after)\n"
        "assert(taught:belief(view:at('e5'), 'flag') < before)\n"
        "assert(taught:chance() == 0.5, taught:chance()) -- no weights");
}

static void chances_are_those_of_the_moves_in_their_order(void **state) {
    (void)state;
    assert_runs(
        "local chances, moves = mind:chances(), view:moves()\n"
        "assert(#chances == #moves)\n"
        "for i = 1, #moves do assert(chances[i] > 0 and chances[i] < 1) end\n"
        "local one = view:mind { own = {}, enemy = {}, whole = { one = 4096 }, habits = {} }\n"
        "assert(math.abs(one:chance() - (1 + 510 / (1 + math.exp(-1))) / 512) < 1e-4)\n"
        "local advance = { advance = 9000 }\n"
        "local forward = view:mind { own = { scout = advance }, enemy = {}, whole = {},\n"
        "  habits = {} }\n"
        "local best, highest\n"
        "for i, chance in ipairs(forward:chances()) do\n"
        "  if not highest or chance > highest then best, highest = moves[i], chance end\n"
        "end\n"
        "assert(view:text(best) == 'a4-a10' or view:text(best) == 'a4-a9' or\n"
        "  view:text(best) == 'a4xa10', view:text(best))");
}

/* Blue's major is three steps from a2, the only way to the flag. */
static void no_lead_hides_a_raid_on_the_flag(void **state) {
    (void)state;
    static const struct {
        const char *marshal, *open; /* where it stands; how likely it does not beat the major */
    } posts[] = {{"e8", "1"}, {"d2", "mind:belief(at, 'bomb')"}, {"e2", "1"}};
    for (size_t i = 0; i < sizeof posts / sizeof *posts; i++) {
        char place[128], lines[1024];
        snprintf(place, sizeof place, "rFa1 rBb1 rM%s b7a5 bFj10 bBj9 red", posts[i].marshal);
        snprintf(
            lines, sizeof lines,
            "local at = view:at('a5')\n"
            "local comes = mind:belief(at, 'major')\n"
            "assert(comes > 0.3)\n"
            "local stays = 1 - comes * 0.75 ^ 3 * %s\n"
            "for _, lead in ipairs { 1, 9 } do\n"
            "  local leads = view:mind { own = {}, enemy = {}, whole = { one = 4096 * lead, flag_peril = 4096 },\n"
            "    habits = {} }\n"
            "  local wanted = (1 + 510 * stays / (1 + math.exp(-lead))) / 512\n"
            "  assert(math.abs(leads:chance() - wanted) < 1e-3, leads:chance() .. wanted)\n"
            "end",
            posts[i].open);
        bot_table_place(table, place);
        assert_runs(lines);
    }
    open_position();
}

/* The miner on e4 stands before a piece that cannot be but a bomb. */
static void looking_ahead_adds_a_chance_for_each_army(void **state) {
    (void)state;
    assert_runs("local moves, sums = view:moves(), {}\n"
                "for i = 1, #moves do sums[i] = 100 end\n"
                "assert(mind:look(moves, sums, { depth = 1, armies = 5 }) == 5)\n"
                "for i = 1, #moves do assert(sums[i] >= 100 and sums[i] <= 105) end\n"
                "local few = { moves[1] }\n"
                "local added = {}\n"
                "assert(mind:look(few, added) == 12)\n"
                "assert(#added == 1 and added[1] > 0 and added[1] < 12)\n"
                "assert(mind:look({}, {}, { armies = 1 }) == 1)\n"
                "assert(mind:look(few, {}, { armies = 1000, fuel = 100000 }) < 1000)\n"
                "assert(mind:look(few, {}, { armies = 1000, fuel = 0 }) == 1)");
}

/* By hand: each of the three blue pieces is the 4, the marshal or the flag; only the marshal can
 * strike back. */
static void an_exchange_is_what_a_square_is_expected_to_bring(void **state) {
    (void)state;
    bot_table_place(table, "rFa1 r5e4 b4e5 bMe6 bFj10 red");
    assert_runs("local worth = require('toolkit.worth')(view)\n"
                "local four, five = worth.sergeant, worth.lieutenant\n"
                "local function near(a, b) assert(math.abs(a - b) < 0.01, a) end\n"
                "for _, move in ipairs(view:moves()) do\n"
                "  local text = view:text(move)\n"
                "  if text == 'e4xe5' then\n"
                "    near(mind:exchange(move), (four - five / 3 - five + 30) / 3)\n"
                "    near(mind:exchange(view:to(move)), mind:exchange(move))\n"
                "  elseif text == 'e4-d4' then\n"
                "    near(mind:exchange(move), 0)\n"
                "  end\n"
                "end\n"
                "near(mind:exchange('e4'), -five / 3)\n"
                "assert(mind:exchange('a1') == 0 and mind:exchange('h8') == 0)\n"
                "assert(mind:exchange('e6') == 0)");
    open_position();
}

static void minds_and_weights_do_not_meddle(void **state) {
    (void)state;
    assert_runs("local flag, moves = view:at('j10'), view:moves()\n"
                "view:weigh { [flag] = { flag = 1e9 } }\n"
                "mind:look({ moves[1] }, {}, { armies = 1 })\n"
                "view:weigh { [flag] = { flag = 1e9 } }\n"
                "for _ = 1, 30 do\n"
                "  assert(view:sample():kind_at('j10') == 'flag')\n"
                "end\n"
                "for i = 1, 20 do\n"
                "  mind = view:mind()\n"
                "  assert(mind:look({ moves[1] }, {}, { armies = 1 }) == 1)\n"
                "  mind = nil\n"
                "  for _ = 1, 2000 do local _ = { {} } end -- collects it\n"
                "end");
}

static void work_is_paid_for(void **state) {
    (void)state;
    assert_runs("local function cost(work)\n"
                "  local before = view:fuel()\n"
                "  work()\n"
                "  return before - view:fuel()\n"
                "end\n"
                "local moves = view:moves()\n"
                "assert(cost(function() return view:mind() end) >= 100000)\n"
                "assert(cost(function() return mind:chance() end) >= 800)\n"
                "assert(cost(function() return mind:chance() end) < 800) -- has read the view\n"
                "assert(cost(function() return mind:chances() end) >= 40 * #moves)\n"
                "assert(cost(function() return mind:exchange(moves[1]) end) >= 300)\n"
                "assert(cost(function() return mind:look(moves, {}, { armies = 1 }) end)\n"
                "  >= 300 + mind:ply_fuel() * #moves)\n"
                "assert(mind:ply_fuel() > 320 and mind:ply_fuel() <= 320 + 16 * 80)");
    static const char *const endless[] = {
        "while true do view:mind() end",
        "local mind = view:mind() while true do mind:chances() end",
        "local mind = view:mind() mind:look(view:moves(), {}, { armies = 100000, depth = 64 })",
        "local keep = {} while true do keep[#keep + 1] = view:mind() end"};
    for (int i = 0; i < 4; i++) {
        char text[512];
        struct sandbox_limits limits = SANDBOX_DEFAULTS;
        limits.fuel = i < 3 ? 3000000 : limits.fuel;
        snprintf(text, sizeof text, "return { api = 1, move = function(view) %s end }", endless[i]);
        assert_false(bot_table_runs(table, text, limits));
        assert_int_equal(table->fault.status, i < 3 ? STATUS_FUEL : STATUS_MEMORY);
    }
}

static void wrong_arguments_name_the_method(void **state) {
    (void)state;
    assert_error("view:mind(3)", "view:mind: argument 1 must be a table that was learned, not 3");
    assert_error("view.mind()", "view.mind must be called with a colon: view:mind()");
    assert_error("view:mind {}", "view:mind: what was learned: own must be a table, not nil");
    assert_error("view:mind().chances()", "mind.chances must be called with a colon");
    assert_error("view:mind().chances(view)", "mind.chances must be called with a colon");
    assert_error("view:mind():belief(0, 'flag')",
                 "mind:belief: argument 1 must be the number of a");
    assert_error("view:mind():belief(1, 'flagg')", "mind:belief: argument 2 must be");
    assert_error("view:mind():belief(1)", "mind:belief: argument 2 must be");
    assert_error("view:mind():beleif(1)", "beleif");
    assert_error("view:mind():exchange()", "mind:exchange: argument 1 must be a square 1-100");
    assert_error("view:mind():exchange(0)", "mind:exchange: argument 1 must be a square 1-100");
    assert_error("view:mind():exchange(129)",
                 "mind:exchange: argument 1 must be a move of view:moves(), not 129");
    assert_error("view:mind():exchange(view:moves()[1] & ~127 | view:square('j10') - 1)",
                 "mind:exchange: argument 1 must be a move of a piece of this side");
    assert_error("view:mind():exchange(1 << 40)",
                 "mind:exchange: argument 1 must be a move of view:moves()");
    assert_error("view:mind():exchange('e4-e5')", "mind:exchange: argument 1 must be a square");
    assert_error("view:mind():look(3, {})", "mind:look: argument 1 must be a list of moves, not 3");
    assert_error("view:mind():look({})", "mind:look: argument 2 must be a table for the sums");
    assert_error("view:mind():look({}, {}, 1)", "mind:look: argument 3 must be a table with depth");
    assert_error("view:mind():look({}, {}, { deep = 1 })", "unknown key 'deep'");
    assert_error("view:mind():look({}, {}, { depth = 65 })",
                 "mind:look: depth must be a whole number from 0 to 64");
    assert_error("view:mind():look({}, {}, { depth = 0/0 })", "depth must be a whole number");
    assert_error("view:mind():look({}, {}, { armies = '3' })", "armies must be a whole number");
    assert_error("view:mind():look({}, {}, { fuel = -1 })", "fuel must be a whole number from 0");
    assert_error("view:mind():look({ 'a4-a5' }, {})",
                 "mind:look: argument 1 must be a move of view:moves(), not 'a4-a5'");
    assert_error("view:mind():look({ view:moves()[1], 3.5 }, {})",
                 "mind:look: argument 1 must be a move of view:moves(), not 3.5");
    assert_error("view:mind():look({ view:moves()[1] - (255 << 22) }, {})",
                 "mind:look: argument 1 must be a move of view:moves()");
    assert_error("view:mind():look({ view:moves()[1] - (254 << 14) }, {})",
                 "mind:look: argument 1 must be a move of view:moves()");
    assert_error("(function() local long = {} for i = 1, 257 do long[i] = view:moves()[1] end "
                 "return view:mind():look(long, {}) end)()",
                 "mind:look: more than 256 moves");
}

static void a_damaged_table_is_refused_in_one_line(void **state) {
    (void)state;
    static const struct {
        const char *part, *said;
    } tables[] = {
        {"own = { marshall = {} }", "own: 'marshall' is not a kind of this variant"},
        {"own = { marshal = 3 }", "own: marshal must be a table, not number"},
        {"own = { marshal = { hiden = 3 } }", "own: unknown term 'hiden'"},
        {"own = { marshal = { hidden = 3.5 } }", "own: hidden must be a whole number"},
        {"own = { marshal = { hidden = 65537 } }",
         "own: hidden must be a whole number from -65536"},
        {"own = { marshal = { hidden = 0/0 } }", "own: hidden must be a whole number"},
        {"own = { marshal = { hidden = math.huge } }", "own: hidden must be a whole number"},
        {"own = { marshal = { hidden = '12' } }", "own: hidden must be a whole number"},
        {"own = { marshal = { 1, 2 } }", "own: a key is number, not a text"},
        {"own = { [view] = {} }", "key"},
        {"enemy = { flag = { hidden = 1 } }", "enemy: unknown term 'hidden'"},
        {"whole = 1", "whole must be a table, not number"},
        {"whole = { two = 1 }", "whole: unknown term 'two'"},
        {"habits = { flag = { started = {} } }", "habits: unknown sign 'started'"},
        {"habits = { flag = { start = 1 } }", "habits: start must be a table, not number"},
        {"habits = { flag = { start = { -1 } } }", "habits: start must be a whole number from 0"},
        {"habits = { flag = { start = { 65536 } } }",
         "habits: start must be a whole number from 0"},
        {"habits = { flag = { stood = { 1, 2, 3, 4, 5 } } }",
         "habits: stood has more than 4 numbers"},
        {"habits = { flag = { beside = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 } } }",
         "habits: beside has more than 12 numbers"},
        {"habits = { flag = { dared = { nobody = 1 } } }", "habits: 'nobody' is not a kind"},
        {"habits = { flag = { fled = { none = {} } } }", "habits: fled must be a whole number"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "(function() local t = { own = {}, enemy = {}, whole = {}, habits = {} } "
                 "for key, part in pairs { %s } do t[key] = part end return view:mind(t) end)()",
                 tables[i].part);
        assert_error(text, tables[i].said);
    }
}

/* Metatables are not asked, circles are not followed. */
static void a_hostile_table_comes_to_a_tidy_end(void **state) {
    (void)state;
    assert_runs(
        "local trap = setmetatable({}, { __index = function() error('asked') end,\n"
        "  __pairs = function() error('asked') end, __len = function() error('asked') end })\n"
        "local ok, why = pcall(view.mind, view, trap)\n"
        "assert(not ok and why:find('own must be a table', 1, true), why)\n"
        "local loop = { own = {}, enemy = {}, whole = {}, habits = {} }\n"
        "loop.own.marshal = loop.own\n"
        "ok, why = pcall(view.mind, view, loop)\n"
        "assert(not ok and why:find('unknown term', 1, true), why)\n"
        "local moves = setmetatable({}, { __len = function() return 1e9 end,\n"
        "  __index = function() error('asked') end })\n"
        "local sums = setmetatable({}, { __newindex = function() error('asked') end,\n"
        "  __index = function() error('asked') end })\n"
        "assert(mind:look(moves, sums, { armies = 1 }) == 1)\n"
        "assert(mind:look({ view:moves()[1] }, sums, { armies = 1 }) == 1)\n"
        "assert(rawget(sums, 1))\n"
        "sums = { 0/0 }\n"
        "mind:look({ view:moves()[1] }, sums, { armies = 1 })\n"
        "assert(sums[1] ~= sums[1])\n"
        "assert(getmetatable(mind) == false)");
    struct sandbox_limits limits = SANDBOX_DEFAULTS;
    limits.fuel = 2000000;
    assert_false(
        bot_table_runs(table,
                       "return { api = 1, move = function(view) local own = {} "
                       "for i = 1, 1e5 do own['k' .. i] = {} end "
                       "view:mind { own = own, enemy = {}, whole = {}, habits = {} } end }",
                       limits));
}

static void a_mind_outlives_its_turn_but_not_the_callbacks(void **state) {
    (void)state;
    static const char *const text =
        "local mind, before\n"
        "return { api = 1,\n"
        "  start = function(view) mind = view:mind() end,\n"
        "  observe = function(view, event) assert(mind:chance()) end,\n"
        "  move = function(view)\n"
        "    mind = mind or view:mind()\n"
        "    local chance = mind:chance()\n"
        "    assert(chance ~= before)\n"
        "    before = chance\n"
        "    assert(#mind:chances() == #view:moves())\n"
        "    assert(mind:look({ view:moves()[1] }, {}, { armies = 2 }) == 2)\n"
        "    return view:moves()[1]\n"
        "  end }\n";
    struct bot_answer answer;
    struct bot *bot = bot_table_bot(table, text, SANDBOX_DEFAULTS);
    assert_non_null(bot);
    table->bots[RED] = bot;
    for (int turn = 0; turn < 3; turn++) {
        if (!bot_table_ask(table, bot, &answer)) fail_msg("%s", table->fault.text);
        bot_table_play(table, turn == 0 ? "a4-a5" : turn == 1 ? "a5-a6" : "a6-a7");
        bot_table_play(table, turn == 1 ? "c9-c10" : "c10-c9");
    }
    table->bots[RED] = NULL;
    bot_free(bot);
}

/* Where sight is limited there are chances, but no looking ahead. */
static void in_fog_a_mind_does_not_look_ahead(void **state) {
    (void)state;
    struct bot_table *original = table;
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    table = bot_table_open("variants/examples/fog.lua");
    bot_table_deal(table, &random);
    assert_runs("local sums, chances = {}, mind:chances()\n"
                "assert(#chances == #view:moves())\n"
                "for i = 1, #chances do assert(chances[i] > 0 and chances[i] < 1) end\n"
                "assert(mind:look(view:moves(), sums) == 0 and #sums == 0)");
    bot_table_close(table);
    table = original;
}

/* Both flags stand still; red has a marshal, and believes itself ahead. */
static void a_lead_that_lies_idle_presses_on(void **state) {
    (void)state;
    struct bot_table *before = table;
    table = bot_table_open("original");
    bot_table_place(table, "rFa1 rMe3 rBb1 bFj10 b4c9 bBj8 red");
    assert_runs("assert(mind:chance() > 0.5 and mind:presses() == nil)");
    static const char *const round[] = {"e3-e4", "c9-c8", "e4-f4", "c8-d8",
                                        "f4-f3", "d8-d9", "f3-e3", "d9-c9"};
    for (int ply = 0; ply < 40; ply++) bot_table_play(table, round[ply % 8]);
    assert_runs("assert(view:quiet() == 40)\n"
                "local moves, presses, text = view:moves(), mind:presses(), {}\n"
                "assert(#presses == #moves)\n"
                "local fuel = view:fuel()\n"
                "mind:presses()\n"
                "assert(fuel - view:fuel() >= 100 + 2 * #moves)\n"
                "for i, move in ipairs(moves) do text[view:text(move)] = presses[i] end\n"
                "assert(text['e3-e4'] == true and text['e3-d3'] == false)\n"
                "assert(text['e3-f3'] == false and text['e3-e2'] == false)");
    bot_table_play(table, "e3-e4");
    assert_runs("assert(view:quiet() == 41 and mind:chance() <= 0.5 and mind:presses() == nil)");
    bot_table_close(table);
    table = before;
}

static void before_there_are_armies_a_mind_knows_nothing(void **state) {
    (void)state;
    static struct view nothing;
    struct setup setup;
    char name[BOT_SETUP_NAME_MAX];
    static const char *const text =
        "return { api = 1, setup = function(view) view:mind():chance() return view:random_setup() "
        "end, move = function(view) return view:moves()[1] end }\n";
    struct bot *bot = bot_table_bot(table, text, SANDBOX_DEFAULTS);
    assert_non_null(bot);
    nothing.rules = table->rules;
    assert_false(bot_setup(bot, &nothing, &setup, name, &table->fault));
    assert_non_null(strstr(table->fault.text, "mind:chance: there are no armies yet"));
    bot_free(bot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beliefs_are_those_of_what_is_left),
        cmocka_unit_test(habits_change_beliefs),
        cmocka_unit_test(chances_are_those_of_the_moves_in_their_order),
        cmocka_unit_test(no_lead_hides_a_raid_on_the_flag),
        cmocka_unit_test(looking_ahead_adds_a_chance_for_each_army),
        cmocka_unit_test(an_exchange_is_what_a_square_is_expected_to_bring),
        cmocka_unit_test(minds_and_weights_do_not_meddle),
        cmocka_unit_test(work_is_paid_for),
        cmocka_unit_test(wrong_arguments_name_the_method),
        cmocka_unit_test(a_damaged_table_is_refused_in_one_line),
        cmocka_unit_test(a_hostile_table_comes_to_a_tidy_end),
        cmocka_unit_test(a_mind_outlives_its_turn_but_not_the_callbacks),
        cmocka_unit_test(in_fog_a_mind_does_not_look_ahead),
        cmocka_unit_test(a_lead_that_lies_idle_presses_on),
        cmocka_unit_test(before_there_are_armies_a_mind_knows_nothing),
    };
    return cmocka_run_group_tests_name("bot/mind_lua", tests, open_original, close_table);
}
