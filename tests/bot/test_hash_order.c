/* Lua's hash seed normally differs in each state and process. Ours is fixed, and the order of keys
 * that depends on it must show nowhere: tried here with many seeds. */
#include "bot_table.h"
#include "lua/hash_seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STATES = 30, LG_BYTES = 1600 };

static struct bot_table *table;

static int open_table(void **state) {
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

/* Blocks of about the size of a state's, held so that the next state lies at another address. */
static void *held[STATES];
static uint32_t usual_seed;

static void hold(int i) {
    held[i] = malloc(LG_BYTES + 16 * (size_t)(i % 7));
}

/* The next state gets another hash seed. */
static void hash_otherwise(int i) {
    if (!i) usual_seed = hash_seed;
    hash_seed = usual_seed + (uint32_t)i;
}

static void let_go(void) {
    hash_seed = usual_seed;
    for (int i = 0; i < STATES; i++) {
        free(held[i]);
        held[i] = NULL;
    }
}

/* What the text returns, or its fault, and the fuel it took. The caller frees the state. */
static struct sandbox *try_text(const char *text, char *out, size_t size) {
    struct fault fault = {0};
    struct sandbox *sandbox =
        sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", SANDBOX_DEFAULTS, &fault);
    assert_non_null(sandbox);
    bool ran = sandbox_run_text(sandbox, "bots/test.lua", text, strlen(text), &fault);
    snprintf(out, size, "%s|%d|%s|%llu", ran ? lua_tostring(sandbox->lua, -1) : "failed",
             fault.line, fault.text, (unsigned long long)sandbox->fuel_left);
    return sandbox;
}

static void outcome(const char *text, char *out, size_t size) {
    sandbox_free(try_text(text, out, size));
}

/* Proof that the tests below can fail: Lua's own order does differ between the seeds. */
static void the_states_of_these_tests_do_hash_differently(void **state) {
    (void)state;
    static const char text[] =
        "local t = {} for i = 1, 26 do t[string.char(96 + i)] = i end return t";
    char first[64] = "";
    bool differs = false;
    for (int i = 0; i < STATES; i++) {
        struct fault fault = {0};
        char order[64] = "";
        hash_otherwise(i);
        struct sandbox *sandbox =
            sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", SANDBOX_DEFAULTS, &fault);
        assert_true(sandbox_run_text(sandbox, "bots/test.lua", text, sizeof text - 1, &fault));
        for (lua_pushnil(sandbox->lua); lua_next(sandbox->lua, -2); lua_pop(sandbox->lua, 1))
            strcat(order, lua_tostring(sandbox->lua, -2));
        if (i == 0) strcpy(first, order);
        differs |= strcmp(first, order) != 0;
        sandbox_free(sandbox);
    }
    let_go();
    assert_true(differs);
}

#define LETTERS "local t = {} for i = 1, 26 do t['key' .. string.char(96 + i)] = i end\n"

static void scripts_see_no_order_of_hashes(void **state) {
    (void)state;
    static const char *const texts[] = {
        LETTERS "return next(t)",
        LETTERS "local s = '' for k in pairs(t) do s = s .. k end return s",
        LETTERS "local s = '' for k in pairs(t) do t[k] = nil t[k .. 'x'] = 1 s = s .. k end\n"
                "for k in pairs(t) do s = s .. k end return s",
        "local t = { [{}] = 1, [print or next] = 2, a = 3, b = 4 } for k in pairs(t) do end",
        "local t = { [{}] = 1, [next] = 2, a = 3, b = 4 } return next(t)",
        "local t = { a = 1, b = 2, [next] = 3, c = 4 } return next(t, 'a')",
        "local t = { [math.maxinteger] = 'whole', [2.0 ^ 63] = 'float', [math.maxinteger - 1] = 1,\n"
        "  [-1.5] = 2, x = 3 }\n"
        "local s = '' for k, v in pairs(t) do s = s .. v .. ' ' end\n"
        "local k, v = next(t) while k do s = s .. v k, v = next(t, k) end return s",
        "aa, bb, cc, dd, ee, ff = select, select, select, select, select, select\n"
        "return select(2, pcall(select))",
        "for _, n in ipairs { 'q', 'w', 'e', 'r' } do string[n] = string.rep end\n"
        "return select(2, pcall(string.rep))",
        "for i = 1, 20 do string['f' .. i] = rawset end return select(2, pcall(rawset, 1))",
        LETTERS "local list = {} for k, v in pairs(t) do list[#list + 1] = { k = k, v = 1 } end\n"
                "table.sort(list, function(a, b) return a.v < b.v end)\n"
                "local s = '' for i = 1, #list do s = s .. list[i].k end return s",
        LETTERS "setmetatable(t, { __index = function(o, k) error('no ' .. k) end }) return t.none",
        LETTERS "return table.concat(t, ',', 1, 3)",
        LETTERS "return #t .. select('#', table.unpack(t)) .. tostring(t)",
        LETTERS "return t < t",
        LETTERS "return ('a b c'):gsub('%a', { a = t.keya, b = t })",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char first[1024], other[1024];
        for (int i = 0; i < STATES; i++) {
            hash_otherwise(i);
            outcome(texts[k], i ? other : first, sizeof first);
            if (i && strcmp(first, other) != 0)
                fail_msg("%s\nonce gives %s\nand once %s", texts[k], first, other);
        }
        let_go();
    }
}

/* Lua's own sort picks pivots by the clock for badly divided lists. */
static void elements_that_compare_as_equal_keep_their_order(void **state) {
    (void)state;
    char text[1024];
    for (int count = 1; count <= 10000; count = count * 3 + 1) {
        snprintf(text, sizeof text,
                 "local list = {}\n"
                 "for i = 1, %d do list[i] = { group = i * i %% 7, number = i } end\n"
                 "table.sort(list, function(a, b) return a.group < b.group end)\n"
                 "for i = 2, #list do local a, b = list[i - 1], list[i]\n"
                 "  assert(a.group < b.group or (a.group == b.group and a.number < b.number)) end\n"
                 "return #list",
                 count);
        char out[256], expected[32];
        outcome(text, out, sizeof out);
        snprintf(expected, sizeof expected, "%d|", count);
        if (strncmp(out, expected, strlen(expected)) != 0) fail_msg("%d: %s", count, out);
    }
}

static void a_list_is_sorted_as_ever(void **state) {
    (void)state;
    static const char text[] =
        "local words = { 'pear', 'fig', 'apple', 'Kiwi', 'fig' }\n"
        "table.sort(words)\n"
        "local numbers = { 3, 1.5, -2, 10, 3 }\n"
        "table.sort(numbers, function(a, b) return a > b end)\n"
        "assert(not pcall(table.sort, { 1, 'x' }))\n"
        "assert(not pcall(table.sort, { 1, 2 }, 5))\n"
        "local kept = { 2, 1 }\n"
        "assert(not pcall(table.sort, kept, function() error('no') end))\n"
        "local odd = { 1, 2, 3, 4, 5 }\n"
        "table.sort(odd, function() return true end)\n"
        "table.sort({})\n"
        "return table.concat(words, ' ') .. ' ' .. table.concat(numbers, ' ') .. ' ' .. #odd .. "
        "kept[1]";
    char out[256];
    outcome(text, out, sizeof out);
    static const char expected[] = "Kiwi apple fig fig pear 10 3 3 1.5 -2 52|";
    if (strncmp(out, expected, sizeof expected - 1) != 0) fail_msg("%s", out);
}

#define KINDS "(function() local t = {} for i = 1, 26 do t['kind' .. string.char(96 + i)] = 1 end\n"

static void a_bots_errors_name_the_first_wrong_key(void **state) {
    (void)state;
    static const struct {
        const char *expression, *says;
    } errors[] = {
        {"view:values({ worth = " KINDS "return t end)() })", "'kinda' is not a kind"},
        {"view:values({ worth = {}, at = " KINDS "return t end)() })", "a key is not a kind"},
        {"view:values(" KINDS "return t end)())", "unknown key 'kinda'"},
        {"view:weigh({ [view:enemies()[1]] = " KINDS "return t end)() })", "'kinda' is not a kind"},
        {"view:weigh({ [view:enemies()[1]] = { spy = -1, scout = -1, marshal = -1, bomb = -1, "
         "flag = -1, general = -1 } })",
         "bomb must not be negative"},
        {"view:weigh({ [view:enemies()[1]] = { spy = 'a', scout = {}, marshal = -1, bomb = 1/0, "
         "flag = -1, general = -1 } })",
         "bomb must be a number, not infinite"},
        {"view:values({ worth = { spy = 1e9, scout = {}, marshal = 'x', zebra = 2, bomb = -1e9, "
         "flag = 1e9, general = 0 } })",
         "worth: numbers go from -10000 to 10000"},
        {"view:values({ worth = { spy = 1e9, scout = {}, marshal = 'x', zebra = 2, "
         "flag = {}, general = {} } })",
         "flag must be a number, not table"},
        {"view:values({ worth = {}, at = { spy = 1, scout = 2, marshal = 3, bomb = {}, "
         "flag = 4, general = { 'x' } } })",
         "at.flag must be a list"},
        {"view:sample():evaluate({ spy = 'a', scout = {}, marshal = 'x', bomb = {} })",
         "bomb must be a number, not table"},
    };
    for (size_t k = 0; k < sizeof errors / sizeof errors[0]; k++) {
        char first[FAULT_TEXT_MAX] = "";
        for (int i = 0; i < STATES; i++) {
            hash_otherwise(i);
            const char *text = bot_table_error(table, errors[k].expression);
            if (i == 0) snprintf(first, sizeof first, "%s", text);
            if (!strstr(text, errors[k].says))
                fail_msg("%s\n  says: %s\n  not:  %s", errors[k].expression, text, errors[k].says);
            assert_string_equal(text, first);
        }
        let_go();
    }
}

static void an_error_that_is_caught_takes_the_same_fuel_in_every_order(void **state) {
    (void)state;
    static const char *const calls[] = {
        "view.weigh, view, { [view:enemies()[1]] = { spy = 1, scout = 1, marshal = 1, bomb = 1,\n"
        "  flag = 1, general = 1, zebra = 1 } }",
        "view.values, view, { worth = { spy = 1, scout = 1, marshal = 1, bomb = 1, flag = 1,\n"
        "  general = 1, zebra = 1 } }",
    };
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        char expression[512], first[FAULT_TEXT_MAX] = "";
        snprintf(expression, sizeof expression,
                 "(function() assert(not pcall(%s)) error('left ' .. view:fuel()) end)()",
                 calls[k]);
        for (int i = 0; i < STATES; i++) {
            hash_otherwise(i);
            const char *text = bot_table_error(table, expression);
            if (i == 0) snprintf(first, sizeof first, "%s", text);
            assert_non_null(strstr(text, "left "));
            assert_string_equal(text, first);
        }
        let_go();
    }
}

/* Removed texts leave slots in which whole numbers stay until two new texts collide. */
static void the_length_of_a_list_with_holes_is_the_same_in_every_state(void **state) {
    (void)state;
    static const char text[] = "local s = ''\n"
                               "for n = 1, 20 do\n"
                               "  local t = {}\n"
                               "  for i = 1, 32 do t[n .. 'old' .. i] = i end\n"
                               "  for i = 1, 32 do t[n .. 'old' .. i] = nil end\n"
                               "  for _, i in ipairs { 1, 2, 5, 6, 7, 8 } do t[i] = true end\n"
                               "  for i = 1, 8 do t[n .. 'new' .. i] = i s = s .. #t end\n"
                               "end\n"
                               "return s";
    char first[1024], other[1024];
    bool by_seed = false;
    for (int i = 0; i < STATES; i++) {
        hold(i);
        outcome(text, i ? other : first, sizeof first);
        if (i) assert_string_equal(first, other);
    }
    for (int i = 0; i < STATES; i++) {
        hash_otherwise(i);
        outcome(text, other, sizeof other);
        by_seed |= strcmp(first, other) != 0;
    }
    let_go();
    assert_true(by_seed);
}

/* The same with objects as keys, which lie elsewhere in each state, of the sizes of all sorts of
 * objects. Unlike texts they have no seed. */
static void objects_as_keys_show_nothing_of_where_they_lie(void **state) {
    (void)state;
    enum { ALIVE = 8 };
    static const char churn[] = "local sum = 0\n"
                                "for n = 1, 400 do\n"
                                "  local t, kept = {}, {}\n"
                                "  for i = 1, 20 + n % 90 do\n"
                                "    local key = make({}, i, n)\n"
                                "    t[key], kept[i] = true, key\n"
                                "    if i > 8 then t[kept[i - 8]] = nil end\n"
                                "    if i % 3 ~= 0 then t[i] = true end\n"
                                "  end\n"
                                "  sum = (sum * 31 + #t) % 1000000007\n"
                                "  for i = 1, #kept do t[kept[i]] = nil end\n"
                                "  for _ in pairs(t) do end\n"
                                "end\n"
                                "return sum";
    static const char *const makers[] = {
        "local function make(a) return a end\n",
        "local function make(a) return function() return a end end\n",
        "local function make(a, b, c) return function() return a, b, c end end\n",
        "local function make() return (('x'):gmatch('x')) end\n",
        "local function make(a) return (pairs(a)) end\n",
        "local function make(a, b) return b % 2 == 0 and a or function() return a, b end end\n",
    };
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
        char text[1024], first[1024], other[1024];
        struct sandbox *alive[ALIVE];
        snprintf(text, sizeof text, "%s%s", makers[k], churn);
        for (int i = 0; i < ALIVE; i++) {
            alive[i] = try_text(text, i ? other : first, sizeof first);
            if (i && strcmp(first, other) != 0)
                fail_msg("%s\nonce gives %s\nand once %s", text, first, other);
        }
        for (int i = 0; i < ALIVE; i++) sandbox_free(alive[i]);
    }
}

/* What Lua calls a light function is hashed by the place of the program or its library, which
 * differs in each process. */
static void functions_of_the_library_are_objects_of_the_state(void **state) {
    (void)state;
    static const char text[] =
        "local list = { require, (ipairs {}), (pairs {}), (('x'):gmatch('x')), (utf8.codes('x')),\n"
        "  (utf8.codes('x', true)) }\n"
        "local function add(t) for _, f in pairs(t) do\n"
        "  if type(f) == 'function' then list[#list + 1] = f end end end\n"
        "add { assert, error, getmetatable, ipairs, next, pairs, pcall, print, rawequal, rawget,\n"
        "  rawlen, rawset, select, setmetatable, tonumber, tostring, type }\n"
        "for _, t in ipairs { math, string, table, utf8 } do add(t) end\n"
        "return list";
    struct fault fault = {0};
    struct sandbox *sandbox =
        sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", SANDBOX_DEFAULTS, &fault);
    assert_non_null(sandbox);
    lua_State *lua = sandbox->lua;
    assert_true(sandbox_run_text(sandbox, "bots/test.lua", text, sizeof text - 1, &fault));
    assert_true(lua_rawlen(lua, -1) > 50);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        lua_rawgeti(lua, -1, i);
        if (!lua_getupvalue(lua, -1, 1)) fail_msg("function %d has no upvalue", (int)i);
        lua_pop(lua, 2);
    }
    sandbox_free(sandbox);
}

/* What a view gives lies in the part of the state where addresses are the same, however large it
 * is: the program's memory is elsewhere each time. */
static void what_a_view_gives_can_be_a_key(void **state) {
    (void)state;
    static const char digest[] =
        "(function() local sum, seed, key = 0, 12345, %s\n"
        "local function draw(n) seed = (seed * 1103515245 + 12345) %% 2147483648\n"
        "  return seed // 65536 %% n + 1 end\n"
        "for _ = 1, 200 do\n"
        "  local t = { [key] = 1 }\n"
        "  for step = 1, 30 do\n"
        "    t[draw(12)] = draw(3) > 1 and step or nil\n"
        "    t[draw(12) + .5] = draw(2) > 1 and step or nil\n"
        "    sum = (sum * 31 + #t) %% 1000003\n"
        "  end\n"
        "end\n"
        "error('sum ' .. sum) end)()";
    static const char *const objects[] = {"view", "view:mind()", "view:sample()",
                                          "view:values({ worth = { spy = 1, scout = 1 } })"};
    for (size_t k = 0; k < sizeof objects / sizeof *objects; k++) {
        char expression[1024], first[FAULT_TEXT_MAX] = "";
        snprintf(expression, sizeof expression, digest, objects[k]);
        for (int i = 0; i < STATES; i++) {
            held[i] = malloc((1 << 20) + (size_t)i * 4240);
            const char *text = bot_table_error(table, expression);
            assert_non_null(strstr(text, "sum "));
            if (i == 0) snprintf(first, sizeof first, "%s", text);
            assert_string_equal(text, first);
        }
        let_go();
    }
}

/* A text of more than 40 bytes is an object of its own each time, wherever its bytes lie. */
static void a_text_takes_the_same_memory_wherever_it_lies(void **state) {
    (void)state;
    enum { COPIES = 100 };
    struct fault fault = {0};
    struct sandbox *sandbox =
        sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", SANDBOX_DEFAULTS, &fault);
    assert_non_null(sandbox);
    char text[COPIES][64];
    size_t took[2];
    for (int apart = 0; apart < 2; apart++) {
        lua_gc(sandbox->lua, LUA_GCCOLLECT);
        lua_gc(sandbox->lua, LUA_GCSTOP);
        const size_t before = sandbox->memory_used;
        for (int i = 0; i < COPIES; i++) {
            memset(text[i], 'x', sizeof text[i]);
            text[i][60] = 0;
            sandbox_push_text(sandbox->lua, text[apart ? i : 0]);
            lua_pop(sandbox->lua, 1);
        }
        took[apart] = sandbox->memory_used - before;
    }
    assert_true(took[0] > COPIES * 60);
    assert_int_equal(took[0], took[1]);
    sandbox_free(sandbox);
}

/* All faults of a variant, one after another. */
static void examine(const char *text, char *out, size_t size) {
    struct faults *faults = faults_new();
    assert_non_null(faults);
    struct rules *rules = variant_examine_text(&table->folders, "variants/mine.lua", text,
                                               strlen(text), faults, NULL);
    size_t used = 0;
    out[0] = 0;
    for (size_t i = 0; i < faults->count && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%d:%d %s\n", faults->list[i].fault.line,
                                 faults->list[i].fault.column, faults->list[i].fault.text);
    if (used < size) snprintf(out + used, size - used, "%zu", faults->errors);
    rules_free(rules);
    free(faults);
}

#define MINE "local m = { api = 1, extends = 'original' }\n"
#define MANY "for i = 1, 26 do t[string.char(96 + i) .. 'key'] = i end\n"

static void the_faults_of_a_variant_are_the_same_in_every_process(void **state) {
    (void)state;
    static const char *const texts[] = {
        MINE "local t = m " MANY "return m",
        MINE "m.army = {} local t = m.army " MANY "return m",
        MINE "m.pieces = {} local t = m.pieces " MANY "return m",
        MINE "m.names = {} local t = m.names " MANY "return m",
        MINE "m.pieces = { scout = { abilities = {} } } local t = m.pieces.scout.abilities " MANY
             "for k in pairs(t) do t[k] = {} end return m",
        MINE "m[{}] = 1 m[next] = 2 m[1] = 3 return m",
        MINE "m.army = { [1] = 1, [2.5] = 1, [true] = 1, x = 1 } return m",
        "local a = require 'abilities' return { api = 1, extends = 'infiltrator',\n"
        "  pieces = { saboteur = { abilities = { x = { when = 'instead', aims = 'enemy',\n"
        "    targets = function(b, s, f) return {} end, resolve = function()\n"
        "    return { one = 1, two = 2, three = 3, four = 4, five = 5, six = 6 } end } } } } }",
        MINE "m.combat = function(a, d) local t = {} " MANY " return t end return m",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        static char first[32768], other[32768];
        for (int i = 0; i < STATES; i++) {
            hash_otherwise(i);
            examine(texts[k], i ? other : first, sizeof first);
            if (i && strcmp(first, other) != 0)
                fail_msg("%s\nonce gives %s\nand once %s", texts[k], first, other);
        }
        let_go();
    }
}

static void a_bots_file_with_wrong_keys_is_refused_the_same_way(void **state) {
    (void)state;
    static const char *const texts[] = {
        "local t = { api = 1, move = function() end } " MANY "return t",
        "return { api = 1, move = function() end, [1] = 2, [{}] = 3, [next] = 4, [true] = 5 }",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        char first[FAULT_TEXT_MAX] = "";
        for (int i = 0; i < STATES; i++) {
            hash_otherwise(i);
            assert_null(bot_table_bot(table, texts[k], SANDBOX_DEFAULTS));
            if (i == 0) snprintf(first, sizeof first, "%s", table->fault.text);
            assert_string_equal(table->fault.text, first);
        }
        let_go();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_states_of_these_tests_do_hash_differently),
        cmocka_unit_test(scripts_see_no_order_of_hashes),
        cmocka_unit_test(elements_that_compare_as_equal_keep_their_order),
        cmocka_unit_test(a_list_is_sorted_as_ever),
        cmocka_unit_test(a_bots_errors_name_the_first_wrong_key),
        cmocka_unit_test(an_error_that_is_caught_takes_the_same_fuel_in_every_order),
        cmocka_unit_test(the_length_of_a_list_with_holes_is_the_same_in_every_state),
        cmocka_unit_test(objects_as_keys_show_nothing_of_where_they_lie),
        cmocka_unit_test(functions_of_the_library_are_objects_of_the_state),
        cmocka_unit_test(what_a_view_gives_can_be_a_key),
        cmocka_unit_test(a_text_takes_the_same_memory_wherever_it_lies),
        cmocka_unit_test(the_faults_of_a_variant_are_the_same_in_every_process),
        cmocka_unit_test(a_bots_file_with_wrong_keys_is_refused_the_same_way),
    };
    return cmocka_run_group_tests(tests, open_table, close_table);
}
