/* A variant's calls: their arguments, their answers, their failures, and the same answers from
 * every Lua state. */
#include "core/play/calls.h"
#include "core/search/playout.h"
#include "core/text/notation.h"
#include "variant/variant.h"
#include "variant/variant_calls.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PLIES = 300, THREADS = 4, GAMES = 12 };

static struct folders folders;
static struct game game;
static struct ply plies[PLIES];

static int find_folders(void **state) {
    struct fault fault = {0};
    (void)state;
    return folders_find(&folders, &fault) ? 0 : -1;
}

/* A duel with these calls, given as the inside of a table. */
static struct rules *duel_with(const char *calls) {
    char text[4096];
    struct fault fault = {0};
    int length =
        snprintf(text, sizeof text,
                 "return { api = 1, extends = 'duel', title = 'Called', calls = {\n%s\n} }", calls);
    struct rules *rules =
        variant_load_text(&folders, "variants/called.lua", text, (size_t)length, &fault);
    if (!rules) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    return rules;
}

static void assert_refused(const char *text, int line, const char *expected) {
    struct fault fault = {0};
    assert_null(variant_load_text(&folders, "variants/called.lua", text, strlen(text), &fault));
    if (!strstr(fault.text, expected)) fail_msg("\"%s\" instead of \"%s\"", fault.text, expected);
    assert_int_equal(fault.line, line);
}

static square at(const char *name) {
    const struct rules *rules = game.rules;
    square found = SQUARE_NONE;
    assert_true(square_read(&rules->board, name, strlen(name), &found) > 0);
    return found;
}

/* Red: flag a1, marshal a4, scouts c4 and d4. Blue: flag j10, miners a5 and b7, marshal j9. */
static void start(const struct rules *rules) {
    static const char *const pieces[] = {"ra1flag", "ra4marshal", "rc4scout", "rd4scout",
                                         "bjXflag", "ba5miner",   "bb7miner", "bj9marshal"};
    struct position position = {.to_move = RED};
    game.rules = rules;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        const char *piece = pieces[i];
        char name[4] = {piece[1], piece[2], 0, 0};
        if (piece[2] == 'X') strcpy(name + 1, "10");
        enum side side = piece[0] == 'r' ? RED : BLUE;
        kind_id kind = rules_kind(rules, piece + 3, strlen(piece + 3));
        assert_int_not_equal(kind, KIND_NONE);
        position.at[at(name)] = cell_of(side, kind);
    }
    game_start(&game, rules, &position, NULL, plies, PLIES);
}

static void play(const char *text) {
    struct move move;
    struct fault fault = {0};
    if (move_read(&game, text, strlen(text), &move, &fault) != LEGAL)
        fail_msg("%s: %s", text, fault.text);
    game_play(&game, move, NULL);
}

/* The calls check their own claims with assert(). */
static void assert_content(const char *calls, const char *moves) {
    struct rules *rules = duel_with(calls);
    struct fault fault = {0};
    char list[128], *rest, *word;
    start(rules);
    snprintf(list, sizeof list, "%s", moves);
    for (word = strtok_r(list, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) play(word);
    if (calls_take(&fault)) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    rules_free(rules);
}

/* The call ends the game at a4-b4, or a4xa5, with this fault. */
static void assert_fails(const char *calls, const char *move, enum status status, int line,
                         const char *expected) {
    struct rules *rules = duel_with(calls);
    struct fault fault = {0};
    start(rules);
    play(move);
    assert_int_equal(game.reason, REASON_FAULT);
    assert_true(calls_take(&fault));
    if (!strstr(fault.text, expected)) fail_msg("\"%s\" instead of \"%s\"", fault.text, expected);
    assert_int_equal(fault.status, status);
    assert_int_equal(fault.line, line);
    assert_string_equal(fault.file, "variants/called.lua");
    rules_free(rules);
}

static void the_position_says_what_stands_where(void **state) {
    (void)state;
    assert_content(
        "after_move = function(position, move)\n"
        "  if position:plies() > 1 then return end\n"
        "  local kind, side = position:kind_at('a5')\n"
        "  assert(kind == 'miner' and side == 'blue')\n"
        "  assert(position:kind_at('a4') == nil and position:kind_at(32) == 'marshal')\n"
        "  assert(position:has_moved('b4') and not position:has_moved('a5'))\n"
        "  assert(#position:squares('red') == 4 and position:squares('red')[1] == 1)\n"
        "  assert(#position:squares('red', 'scout') == 2 and #position:squares('red', 'bomb') == 0)\n"
        "  assert(position:count('blue') == 4 and position:count('blue', 'miner') == 2)\n"
        "  assert(position:captured('red', 'scout') == 0 and position:returnable('red') == 0)\n"
        "  assert(position:rank('marshal') == 10)\n"
        "  assert(position:to_move() == 'red' and position:plies() == 1)\n"
        "  assert(position:board():name(position:board():step('a1', 1, 1)) == 'b2')\n"
        "  assert(position:board():is_lake('c5'))\n"
        "end",
        "a4-b4");
}

static void a_move_is_told_with_what_it_meets(void **state) {
    (void)state;
    assert_content("legal = function(position, move)\n"
                   "  if move.from == 31 and move.to == 41 then\n"
                   "    assert(move.side == 'red' and move.kind == 'marshal')\n"
                   "    assert(move.attacks == 'miner' and move.outcome == nil)\n"
                   "    assert(not move.ability and not move.target and not move.choice)\n"
                   "  end\n"
                   "  return true\n"
                   "end,\n"
                   "after_battle = function(position, move)\n"
                   "  assert(move.outcome == 'attacker' and move.attacks == 'miner')\n"
                   "  assert(position:kind_at(move.to) == 'marshal')\n"
                   "  assert(position:captured('blue', 'miner') == 1)\n"
                   "  assert(position:returnable('blue', 'miner') == 1)\n"
                   "end,\n"
                   "turn_start = function(position, nothing)\n"
                   "  assert(position:to_move() == 'blue' and nothing == nil)\n"
                   "end",
                   "a4xa5");
}

static void effects_are_one_or_a_list(void **state) {
    (void)state;
    struct rules *rules =
        duel_with("after_battle = function(_, move) return { remove = move.to } end,\n"
                  "turn_start = function() return {\n"
                  "  { place = 'miner', at = 'e10', side = 'blue' },\n"
                  "  { swap = 'c4', with = 'd7' }, { reveal = 'e10' }, { conceal = 'd7' } } end");
    start(rules);
    play("a4xa5");
    assert_false(calls_failed());
    assert_int_equal(game.at[at("a5")], CELL_EMPTY);
    assert_int_equal(cell_kind(game.at[at("e10")]), rules_kind(rules, "miner", 5));
    assert_int_equal(cell_kind(game.at[at("d7")]), rules_kind(rules, "scout", 5));
    rules_free(rules);
    rules = duel_with("after_move = function(_, move) return { lose = move.side } end");
    start(rules);
    play("a4-b4");
    assert_int_equal(game.result, RESULT_BLUE);
    assert_int_equal(game.reason, REASON_VARIANT);
    rules_free(rules);
}

static void a_refusal_has_the_variants_own_words(void **state) {
    (void)state;
    struct rules *rules = duel_with("legal = function(_, move)\n"
                                    "  return move.kind ~= 'marshal', 'too\\1 noble \\xff' end");
    struct fault fault = {0};
    struct move move;
    start(rules);
    assert_int_equal(move_read(&game, "a4-b4", 5, &move, &fault), ILLEGAL_VARIANT);
    assert_non_null(strstr(fault.text, "(variant): "));
    assert_non_null(strstr(fault.text, ": too? noble ?"));
    rules_free(rules);
}

static void an_error_in_a_call_names_it_and_its_line(void **state) {
    (void)state;
    assert_fails("after_move = function()\n  error('the sky falls')\nend", "a4-b4", STATUS_SCRIPT,
                 3, "in after_move: the sky falls");
    assert_fails("turn_start = function(position)\n  return position:kind_at('z9')\nend", "a4-b4",
                 STATUS_SCRIPT, 3, "in turn_start: bad argument");
    assert_fails("after_move = function(position)\n  return position:count('red', 'scuot')\nend",
                 "a4-b4", STATUS_SCRIPT, 3, "'scuot' is not a piece of the variant");
    assert_fails("after_battle = function()\n  while true do end\nend", "a4xa5", STATUS_FUEL, 3,
                 "in after_battle: out of fuel");
}

static void an_answer_of_another_form_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *calls, *expected;
    } wrong[] = {
        {"after_move = function() return 7 end", "after_move returned 7, expected an effect"},
        {"after_move = function() return { 'a1' } end", "a list with \"a1\", expected an effect"},
        {"after_move = function() return { remvoe = 'a1' } end", "did you mean \"remove\"?"},
        {"after_move = function() return { remove = 'z9' } end",
         "an effect with remove = \"z9\", expected a square of the board"},
        {"after_move = function() return { remove = 'a1', at = 'a2' } end",
         "an effect with the key \"at\" beside remove, expected nothing else and one of remove, reveal, "
         "conceal, place, swap, add, set, win, lose or draw in each effect"},
        {"after_move = function() return { explode = 'a1' } end",
         "expected remove, reveal, conceal, place, swap, win, lose or draw"},
        {"after_move = function() return { place = 'scout', at = 'a2', on = 'a1' } end",
         "beside place, expected at, side and one of remove"},
        {"after_move = function() return { place = 'dog', at = 'a2', side = 'red' } end",
         "an effect with place = \"dog\", expected a piece of the army"},
        {"after_move = function() return { place = 'scout', at = 'a2' } end",
         "an effect with side = nil, expected \"red\" or \"blue\""},
        {"after_move = function() return { swap = 'a1' } end",
         "an effect with with = nil, expected a square"},
        {"after_move = function() return { win = true } end",
         "an effect with win = true, expected \"red\" or \"blue\""},
        {"after_move = function() return { draw = 'yes' } end",
         "an effect with draw = \"yes\", expected true"},
        {"after_move = function() local t = {} for i = 1, 20 do t[i] = { reveal = 'a1' } end "
         "return t end",
         "after_move returned 20 effects, expected at most 16"},
        {"ending = function(position) return position:plies() > 0 and 'white' or nil end",
         "ending returned \"white\", expected \"red\", \"blue\", \"draw\" or nil"},
        {"ending = function(position) if position:plies() > 0 then return 'red', true end end",
         "ending returned a result and true, expected its words as a text, or texts by language"},
        {"ending = function(position) if position:plies() > 0 then return 'red', { es = 'Ya.' } "
         "end end",
         "ending returned words by language without \"en\""},
        {"ending = function(position) if position:plies() > 0 then return 'red', { 'Done.' } "
         "end end",
         "expected texts with the tags of at most 8 languages"},
        {"after_move = function() return { remove = 'e5' } end", "nothing stands on e5 (ply 1)"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(wrong[i].calls, "a4-b4", STATUS_RULES, 2, wrong[i].expected);
}

static void a_failing_judge_is_found_when_moves_are_listed(void **state) {
    (void)state;
    struct rules *rules = duel_with("legal = function(_, move)\n"
                                    "  if move.kind == 'scout' then return 'perhaps' end\n"
                                    "  return true\n"
                                    "end");
    struct fault fault = {0};
    struct move moves[128];
    start(rules);
    calls_take(NULL);
    game_moves(&game, moves, 128);
    assert_true(calls_take(&fault));
    assert_string_equal(
        fault.text, "legal returned \"perhaps\", expected true, or false and the reason as text "
                    "(ply 0)");
    assert_int_equal(fault.line, 2);
    rules_free(rules);
}

static void a_position_cannot_be_changed(void **state) {
    (void)state;
    assert_fails("after_move = function(position)\n  position.kind_at = print\nend", "a4-b4",
                 STATUS_SCRIPT, 3, "in after_move: attempt to index a position value");
    assert_fails("after_move = function(position)\n  getmetatable(position).x = 1\nend", "a4-b4",
                 STATUS_SCRIPT, 3, "in after_move: attempt to index a boolean value");
}

static void battles_and_their_judge_belong_together(void **state) {
    (void)state;
    assert_refused("return { api = 1, extends = 'duel',\n"
                   "  combat = function() return 'ask' end }",
                   2, "there is no calls.battle to be asked");
    assert_refused("return { api = 1, extends = 'duel',\n"
                   "  calls = {\n"
                   "    battle = function() return 'both' end } }",
                   3, "calls.battle is never asked");
    assert_refused("return { api = 1, extends = 'duel',\n"
                   "  calls = { leagl = function() return true end } }",
                   2, "did you mean \"legal\"?");
    assert_refused("return { api = 1, extends = 'duel', calls = { legal = 'always' } }", 1,
                   "calls.legal is \"always\", expected a function of position and move or false");
}

static void calls_are_inherited_and_switched_off(void **state) {
    (void)state;
    struct fault fault = {0};
    static const char text[] =
        "return { api = 1, extends = 'variants/examples/breakthrough.lua', title = 'Off',\n"
        "  calls = { ending = false } }";
    struct rules *rules =
        variant_load_text(&folders, ENSIGN_ROOT "/off.lua", text, strlen(text), &fault);
    if (!rules) fail_msg("%s", fault.text);
    assert_null(rules->calls);
    rules_free(rules);
}

/* Asks `ending`, whose words say what the call has found. */
static void ask_ending(struct rules *rules, struct call_answer *answer) {
    struct fault fault = {0};
    *answer = (struct call_answer){.fuel_max = UINT64_MAX};
    if (!rules->calls->ask(rules->calls, CALL_ENDING, &game, NULL, answer, &fault))
        fail_msg("%d: %s", fault.line, fault.text);
}

/* A variant whose `ending` says `found`, then does `leave`; `before` runs when it is loaded. */
static struct rules *rules_that_keep(const char *before, const char *found, const char *leave) {
    char text[4096];
    struct fault fault = {0};
    int length = snprintf(text, sizeof text,
                          "%s\n"
                          "return { api = 1, extends = 'duel', title = 'Called', calls = {\n"
                          "after_move = function(position, move) %s end,\n"
                          "ending = function(position) local found = %s %s\n"
                          "  return 'draw', tostring(found) end } }",
                          before, leave, found, leave);
    struct rules *rules =
        variant_load_text(&folders, "variants/called.lua", text, (size_t)length, &fault);
    if (!rules) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    start(rules);
    return rules;
}

static void chance_begins_afresh_with_each_call(void **state) {
    (void)state;
    struct rules *rules =
        rules_that_keep("", "math.random(1000000)", "math.randomseed(position:plies() + 5)");
    struct call_answer first, later;
    ask_ending(rules, &first);
    ask_ending(rules, &later);
    assert_string_equal(first.words.text, later.words.text);
    rules_free(rules);
}

/* Where a call may leave something, and the variable that it is seen in; NULL: it is not seen. */
static const struct {
    const char *before, *found, *leave, *seen;
} places[] = {
    {"", "mark", "mark = (mark or 0) + 1", "mark"},
    {"local mark = 0", "mark", "mark = mark + 1", "mark"},
    {"local list = {}", "#list", "list[#list + 1] = position:plies()", "list"},
    {"local list = { 1, 2, 3 }", "#list", "table.remove(list)", "list"},
    {"local t = setmetatable({}, {})", "getmetatable(t).mark", "getmetatable(t).mark = 'a1'", "t"},
    {"local t = {}", "getmetatable(t)", "setmetatable(t, {})", "t"},
    {"local read = function() end", "read()", "read = function() return 'a1' end", "read"},
    {"", "math.mark", "math.mark = 'a1'", "math"},
    {"", "tostring(0)", "tostring = function() return 'a1' end", "tostring"},
    {"", "require('pieces.standard').mark", "require('pieces.standard').mark = 'a1'", NULL},
    {"local word = ('a b c d'):gmatch('%a')", "word()", "", NULL},
    {"local text = ''", "#text", "text = text .. ('x'):rep(10000)", "text"},
    {"local t = { {} } t[t[1]] = true", "t[t[1]]", "t[t[1]] = nil", "t"},
    {"local t = {}", "#t", "for i = 1, 40000 do t[i] = i end", "t"},
    {"local t = {} for i = 1, 40000 do t[i] = i end", "#t",
     "for i = #t, #t - 9999, -1 do t[i] = nil end", NULL},
    {"local n = 0 local function add() n = n + 1 end", "n", "add()", "n"},
    {"local t = { deep = { n = 0 } }", "t.deep.n", "t.deep.n = t.deep.n + 0.5", "t"},
};

static void a_call_remembers_nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct rules *rules = rules_that_keep(places[i].before, places[i].found, places[i].leave);
        struct call_answer first, later;
        ask_ending(rules, &first);
        for (int more = 0; more < 4; more++) {
            ask_ending(rules, &later);
            if (strcmp(first.words.text, later.words.text) != 0)
                fail_msg("%s %s: %s, then %s", places[i].before, places[i].found, first.words.text,
                         later.words.text);
            assert_int_equal(first.fuel, later.fuel);
        }
        rules_free(rules);
    }
}

/* Each leaves its mark before it fails. */
static void a_variable_that_a_call_changes_is_named(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct rules *rules = rules_that_keep(places[i].before, places[i].found, places[i].leave);
        struct call_answer answer;
        char changed[CALL_COUNT][WORD_MAX] = {""};
        rules->calls->look(rules->calls, changed);
        ask_ending(rules, &answer);
        assert_string_equal(changed[CALL_ENDING], places[i].seen ? places[i].seen : "");
        rules->calls->look(rules->calls, NULL);
        rules_free(rules);
    }
}

/* A memory for the call itself, for example. */
static void one_that_is_as_before_after_a_call_is_not(void **state) {
    (void)state;
    static const char *const leave[] = {"", "local n = 0 n = n + 1", "t[1] = 5 t[1] = 1",
                                        "s = s .. 'b' s = s:sub(1, 1)", "g = 5 g = nil"};
    for (size_t i = 0; i < sizeof leave / sizeof *leave; i++) {
        struct rules *rules = rules_that_keep("local t, s = { 1 }, 'a'", "t[1]", leave[i]);
        struct call_answer answer;
        char changed[CALL_COUNT][WORD_MAX] = {""};
        rules->calls->look(rules->calls, changed);
        for (int times = 0; times < 3; times++) ask_ending(rules, &answer);
        assert_string_equal(changed[CALL_ENDING], "");
        rules->calls->look(rules->calls, NULL);
        rules_free(rules);
    }
}

static void a_call_that_fails_leaves_nothing_behind(void **state) {
    (void)state;
    static const char fill[] =
        "local t = {} for i = 1, 200 do t[i] = i end\n"
        "(function(...) kept = {} for i = 1, 90000 do kept[i] = { ... } end end)(table.unpack(t))";
    static const struct {
        const char *harm;
        enum status status;
    } ways[] = {
        {"error('no')", STATUS_SCRIPT},
        {"error({})", STATUS_SCRIPT},
        {"while true do end", STATUS_FUEL},
        {"local function f() return 1 + f() end f()", STATUS_FUEL},
        {"('x'):rep(1 << 21)", STATUS_SCRIPT},
        {fill, STATUS_MEMORY},
        {"require 'no.such_module'", STATUS_SCRIPT},
        {"return { remove = 'z9' }", STATUS_RULES},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char leave[512];
        snprintf(leave, sizeof leave, "mark = (mark or 0) + 1 if move then %s end", ways[i].harm);
        struct rules *rules = rules_that_keep("", "mark", leave);
        struct call_answer first, later, answer = {.fuel_max = UINT64_MAX};
        struct fault fault = {0};
        const struct move move = {.from = at("a4"), .to = at("b4"), .ability = ABILITY_NONE};
        const struct play play = calls_play(&game, move);
        ask_ending(rules, &first);
        for (int again = 0; again < 2; again++) {
            assert_false(
                rules->calls->ask(rules->calls, CALL_AFTER_MOVE, &game, &play, &answer, &fault));
            if (fault.status != ways[i].status) fail_msg("%s: %s", ways[i].harm, fault.text);
            ask_ending(rules, &later);
            assert_string_equal(later.words.text, first.words.text);
            assert_int_equal(later.fuel, first.fuel);
        }
        rules_free(rules);
    }
}

/* Where the keys lie decides what `#` says, and where they lie, what was there before them. */
static void objects_as_keys_lie_in_each_call_where_they_lay_in_the_first(void **state) {
    (void)state;
    static const char before[] = "local function shape()\n"
                                 "  local sum = 0\n"
                                 "  for n = 1, 100 do\n"
                                 "    local t, kept = {}, {}\n"
                                 "    for i = 1, 20 + n * 4 % 90 do\n"
                                 "      local key = {}\n"
                                 "      t[key], kept[i] = true, key\n"
                                 "      if i > 8 then t[kept[i - 8]] = nil end\n"
                                 "      if i % 3 ~= 0 then t[i] = true end\n"
                                 "    end\n"
                                 "    sum = (sum * 31 + #t) % 1000000007\n"
                                 "    for i = 1, #kept do t[kept[i]] = nil end\n"
                                 "  end\n"
                                 "  return sum\n"
                                 "end\n";
    struct rules *rules =
        rules_that_keep(before, "shape()", "local junk = {} for i = 1, 33 do junk[i] = {} end");
    struct call_answer first, later;
    ask_ending(rules, &first);
    for (int more = 0; more < 8; more++) {
        ask_ending(rules, &later);
        assert_string_equal(first.words.text, later.words.text);
        assert_int_equal(first.fuel, later.fuel);
    }
    rules_free(rules);
}

static void further_states_are_made_from_the_texts_that_were_loaded(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-calls-XXXXXX", path[64], module[64];
    struct fault fault = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/own.lua", folder);
    snprintf(module, sizeof module, "%s/words.lua", folder);
    FILE *file = fopen(module, "w");
    fputs("return { kind = 'marshal' }", file);
    fclose(file);
    file = fopen(path, "w");
    fputs("local words = require 'words'\n"
          "return { api = 1, extends = 'duel', calls = { legal = function(_, move)\n"
          "  return move.kind ~= words.kind end } }",
          file);
    fclose(file);
    struct rules *rules = variant_load(&folders, path, &fault);
    if (!rules) fail_msg("%s", fault.text);
    remove(path);
    remove(module);
    rmdir(folder);
    start(rules);
    if (calls_take(&fault)) fail_msg("%s", fault.text);
    struct move move;
    assert_int_equal(move_read(&game, "a4-b4", 5, &move, &fault), ILLEGAL_VARIANT);
    assert_int_equal(move_read(&game, "c4-b4", 5, &move, &fault), LEGAL);
    assert_false(calls_failed());
    rules_free(rules);
}

struct crowd {
    const struct rules *rules;
    struct playout_result results[GAMES];
    bool failed;
};

static void *play_games(void *argument) {
    struct crowd *crowd = argument;
    struct playouts *playouts = playouts_new(crowd->rules, 200);
    struct ply *own = calloc(PLIES, sizeof *own);
    struct fault fault;
    for (int i = 0; i < GAMES; i++) {
        struct random chance = random_stream(5, STREAM_PLAYOUT, (uint64_t)i);
        struct setup red, blue;
        struct position position;
        struct game one;
        setup_random(crowd->rules, RED, &chance, &red, &fault);
        setup_random(crowd->rules, RED, &chance, &blue, &fault);
        position_from_setups(crowd->rules, &red, &blue, RED, &position);
        game_start(&one, crowd->rules, &position, NULL, own, PLIES);
        playout_run(playouts, &one, chance, &crowd->results[i]);
    }
    crowd->failed = calls_take(&fault);
    playouts_free(playouts);
    free(own);
    return NULL;
}

static void threads_ask_at_once_and_get_the_same_answers(void **state) {
    (void)state;
    static struct crowd crowds[THREADS];
    pthread_t threads[THREADS];
    struct fault fault = {0};
    struct rules *rules =
        variant_load(&folders, ENSIGN_ROOT "/variants/examples/cordon.lua", &fault);
    if (!rules) fail_msg("%s", fault.text);
    for (int i = 0; i < THREADS; i++) {
        memset(&crowds[i], 0, sizeof crowds[i]);
        crowds[i].rules = rules;
        assert_int_equal(pthread_create(&threads[i], NULL, play_games, &crowds[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        assert_false(crowds[i].failed);
        assert_memory_equal(crowds[i].results, crowds[0].results, sizeof crowds[0].results);
    }
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_position_says_what_stands_where),
        cmocka_unit_test(a_move_is_told_with_what_it_meets),
        cmocka_unit_test(effects_are_one_or_a_list),
        cmocka_unit_test(a_refusal_has_the_variants_own_words),
        cmocka_unit_test(an_error_in_a_call_names_it_and_its_line),
        cmocka_unit_test(an_answer_of_another_form_is_refused),
        cmocka_unit_test(a_failing_judge_is_found_when_moves_are_listed),
        cmocka_unit_test(a_position_cannot_be_changed),
        cmocka_unit_test(battles_and_their_judge_belong_together),
        cmocka_unit_test(calls_are_inherited_and_switched_off),
        cmocka_unit_test(chance_begins_afresh_with_each_call),
        cmocka_unit_test(a_call_remembers_nothing),
        cmocka_unit_test(a_variable_that_a_call_changes_is_named),
        cmocka_unit_test(one_that_is_as_before_after_a_call_is_not),
        cmocka_unit_test(a_call_that_fails_leaves_nothing_behind),
        cmocka_unit_test(objects_as_keys_lie_in_each_call_where_they_lay_in_the_first),
        cmocka_unit_test(further_states_are_made_from_the_texts_that_were_loaded),
        cmocka_unit_test(threads_ask_at_once_and_get_the_same_answers),
    };
    return cmocka_run_group_tests_name("script/variant_calls", tests, find_folders, NULL);
}
