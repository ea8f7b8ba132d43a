/* What a script may do, and its limits. Each script of ../shared/attacks, where present, is
 * survived. */
#include "base/clock.h"
#include "lua/sandbox.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <ctype.h>
#include <dirent.h>
#include <locale.h>
#include <unistd.h>

static struct sandbox_limits limits = {5u * 1000 * 1000, 16u << 20};

/* Runs a text that must return a text; returns that in memory that lasts until the next call. */
static const char *run(const char *text) {
    static char result[256];
    struct fault fault = {0};
    struct sandbox *sandbox = sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", limits, &fault);
    assert_non_null(sandbox);
    if (!sandbox_run_text(sandbox, "bots/test.lua", text, strlen(text), &fault))
        fail_msg("%s: %s:%d: %s", text, fault.file, fault.line, fault.text);
    if (lua_type(sandbox->lua, -1) == LUA_TBOOLEAN)
        snprintf(result, sizeof result, "%s", lua_toboolean(sandbox->lua, -1) ? "true" : "false");
    else
        snprintf(result, sizeof result, "%s", lua_tostring(sandbox->lua, -1));
    sandbox_free(sandbox);
    return result;
}

/* Runs a text that must fail. */
static struct fault refused(const char *text) {
    struct fault fault = {0};
    struct sandbox *sandbox = sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", limits, &fault);
    assert_non_null(sandbox);
    if (sandbox_run_text(sandbox, "bots/test.lua", text, strlen(text), &fault))
        fail_msg("ran: %s", text);
    sandbox_free(sandbox);
    assert_string_equal(fault.file, "bots/test.lua");
    return fault;
}

static void the_state_has_nothing_that_reaches_outside(void **state) {
    (void)state;
    static const char *const absent[] = {
        "io",   "os",          "debug",       "package",  "coroutine",
        "load", "loadfile",    "dofile",      "xpcall",   "collectgarbage",
        "_G",   "string.dump", "string.pack", "math.sin", "string.unpack"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        char text[64];
        snprintf(text, sizeof text, "return %s == nil", absent[i]);
        assert_string_equal(run(text), "true");
    }
}

static void the_methods_of_texts_are_the_allowed_functions_only(void **state) {
    (void)state;
    assert_string_equal(run("return (''):upper() == '' and (''):rep(3) == ''"), "true");
    assert_string_equal(run("return ('x').dump == nil and getmetatable('') == false"), "true");
}

static void pairs_walks_numbers_then_texts_then_booleans(void **state) {
    (void)state;
    const char *text =
        "local t = { zebra = 1, [true] = 2, [2.5] = 3, apple = 4, [-1] = 5, [10] = 6,\n"
        "  [false] = 7, ['10'] = 8, 9, 10 }\n"
        "local out = {}\n"
        "for k, v in pairs(t) do out[#out + 1] = tostring(k) .. ':' .. v end\n"
        "return table.concat(out, ' ')";
    assert_string_equal(run(text), "-1:5 1:9 2:10 2.5:3 10:6 10:8 apple:4 zebra:1 false:7 true:2");
}

static void next_walks_in_the_same_order_as_pairs(void **state) {
    (void)state;
    const char *text = "local t, out = { b = 1, a = 2, [3] = 3, 4 }, {}\n"
                       "local k, v = next(t)\n"
                       "while k do out[#out + 1] = k .. '=' .. v; k, v = next(t, k) end\n"
                       "return table.concat(out, ' ') .. tostring(next({}))";
    assert_string_equal(run(text), "1=4 3=3 a=2 b=1nil");
}

static void fields_may_be_cleared_while_pairs_walks(void **state) {
    (void)state;
    const char *text = "local t, n = { a = 1, b = 2, c = 3 }, 0\n"
                       "for k in pairs(t) do t[k] = nil; t.b = nil; n = n + 1 end\n"
                       "return n";
    assert_string_equal(run(text), "2");
}

static void a_table_with_tables_as_keys_cannot_be_walked(void **state) {
    (void)state;
    struct fault fault = refused("for k in pairs({ [{}] = 1, x = 2 }) do end");
    assert_int_equal(fault.status, STATUS_SCRIPT);
    assert_non_null(strstr(fault.text, "a table with a table as key"));
}

static void no_address_can_be_read(void **state) {
    (void)state;
    assert_string_equal(run("return tostring({}) .. tostring(run) .. tostring(pairs)"),
                        "tablenilfunction");
    assert_string_equal(run("return string.format('%s %s', {}, pairs)"), "table function");
    assert_non_null(strstr(refused("return ('%5p'):format({})").text, "%p"));
}

static void format_works_as_usual(void **state) {
    (void)state;
    assert_string_equal(run("return ('%5.1f|%-4d|%s|%q|%%|%x'):format(3.14159, 7, true, 'a', 255)"),
                        "  3.1|7   |true|\"a\"|%|ff");
}

/* In Turkish the capital of "i" is no ASCII letter, and so "i" has none there. */
static void letters_are_the_same_in_every_locale(void **state) {
    (void)state;
    static const char text[] = "return ('a title'):upper() .. ('TITLE'):lower()";
    char folder[] = "/tmp/ensign-locale-XXXXXX", command[256];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "localedef -i tr_TR -f UTF-8 %s/tr_TR.UTF-8 >/dev/null 2>&1",
             folder);
    int made = system(command);
    setenv("LOCPATH", folder, 1);
    bool turkish = made != -1 && setlocale(LC_CTYPE, "tr_TR.UTF-8") && toupper('i') == 'i';
    const char *result = run(text);
    bool left_alone = !turkish || toupper('i') == 'i';
    setlocale(LC_CTYPE, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (!turkish) skip();
    assert_string_equal(result, "A TITLEtitle");
    assert_true(left_alone);
}

static void chance_depends_on_the_seed_alone(void **state) {
    (void)state;
    char first[256];
    const char *text = "local t = {} for i = 1, 8 do t[i] = math.random(100) end\n"
                       "return table.concat(t, ' ')";
    snprintf(first, sizeof first, "%s", run(text));
    assert_string_equal(run(text), first);
    assert_string_equal(run("for i = 1, 1000 do local r = math.random(3, 5)\n"
                            "  assert(r >= 3 and r <= 5 and math.type(r) == 'integer')\n"
                            "  local f = math.random() assert(f >= 0 and f < 1) end\n"
                            "return math.type(math.random(math.mininteger, math.maxinteger))"),
                        "integer");
    assert_string_equal(run("math.randomseed(7) local a = math.random(1000000)\n"
                            "math.randomseed(7) return a == math.random(1000000)"),
                        "true");
}

static void an_endless_loop_runs_out_of_fuel(void **state) {
    (void)state;
    struct fault fault = refused("local x = 0\nwhile true do\nx = x + 1 end");
    assert_int_equal(fault.status, STATUS_FUEL);
    assert_true(fault.line == 2 || fault.line == 3);
    assert_non_null(strstr(fault.text, "5000000 instructions"));
}

static void pcall_cannot_catch_the_end_of_the_fuel(void **state) {
    (void)state;
    assert_int_equal(refused("while true do pcall(function() while true do end end) end").status,
                     STATUS_FUEL);
}

/* A round is some eight instructions; there are five million. */
static void errors_that_are_caught_cost_fuel(void **state) {
    (void)state;
    assert_int_equal(refused("for _ = 1, 100000 do pcall(error, 'x') end return 1").status,
                     STATUS_FUEL);
}

/* The host looks for each; five million instructions are some 800 names. */
static void looking_for_modules_costs_fuel(void **state) {
    (void)state;
    assert_int_equal(
        refused("for i = 1, 2000 do pcall(require, 'none.m' .. i) end return 1").status,
        STATUS_FUEL);
    assert_string_equal(run("for _ = 1, 9000 do require 'toolkit.best' end return 'cheap'"),
                        "cheap");
}

static void pcall_cannot_catch_the_end_of_the_memory(void **state) {
    (void)state;
    assert_int_equal(
        refused("pcall(function() local t = {} for i = 1, 1e9 do t[i] = { i } end end)\n"
                "return 'survived'")
            .status,
        STATUS_MEMORY);
}

static void pcall_catches_ordinary_errors(void **state) {
    (void)state;
    assert_string_equal(run("local ok, e = pcall(error, 'no', 0) return tostring(ok) .. e"),
                        "falseno");
    assert_string_equal(run("return select('#', pcall(function() return 1, 2, 3 end))"), "4");
}

static void fuel_is_given_afresh_for_each_call(void **state) {
    (void)state;
    struct fault fault = {0};
    struct sandbox *sandbox = sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", limits, &fault);
    const char *text = "return function(n) for i = 1, n do end return n end";
    assert_true(sandbox_run_text(sandbox, "bots/test.lua", text, strlen(text), &fault));
    for (int i = 0; i < 5; i++) {
        lua_pushvalue(sandbox->lua, -1);
        lua_pushinteger(sandbox->lua, i % 2 ? 100000000 : 1000000);
        assert_int_equal(sandbox_call(sandbox, 1, 0, "move", &fault), i % 2 == 0);
        assert_int_equal(sandbox->stopped, i % 2 ? STATUS_FUEL : STATUS_OK);
    }
    assert_int_equal(lua_gettop(sandbox->lua), 1);
    sandbox_free(sandbox);
}

static void an_error_names_file_line_and_callback(void **state) {
    (void)state;
    struct fault fault = {0};
    struct sandbox *sandbox = sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", limits, &fault);
    const char *text = "return function()\n  local t\n  return t.x\nend";
    assert_true(sandbox_run_text(sandbox, "bots/test.lua", text, strlen(text), &fault));
    assert_false(sandbox_call(sandbox, 0, 1, "move", &fault));
    assert_int_equal(fault.status, STATUS_SCRIPT);
    assert_string_equal(fault.file, "bots/test.lua");
    assert_int_equal(fault.line, 3);
    assert_string_equal(fault.text, "in move: attempt to index a nil value (local 't')");
    sandbox_free(sandbox);
}

static void a_path_too_long_for_lua_to_show_is_still_named_whole(void **state) {
    (void)state;
    const char *path = "/a/rather/long/folder/that/holds/another/long/folder/with/a/bot/in/it.lua";
    struct fault fault = {0};
    struct sandbox *sandbox = sandbox_new(ENSIGN_ROOT "/scripts", path, limits, &fault);
    const char *text = "\nerror('here')";
    assert_false(sandbox_run_text(sandbox, path, text, strlen(text), &fault));
    assert_string_equal(fault.file, path);
    assert_int_equal(fault.line, 2);
    assert_string_equal(fault.text, "here");
    sandbox_free(sandbox);
}

static void an_error_object_is_not_asked_to_print_itself(void **state) {
    (void)state;
    struct fault fault =
        refused("error(setmetatable({}, { __tostring = function() while true do end end }))");
    assert_int_equal(fault.status, STATUS_SCRIPT);
    assert_non_null(strstr(fault.text, "is a table"));
}

static void finalizers_and_weak_tables_are_refused(void **state) {
    (void)state;
    static const char *const fields[] = {"__gc", "__close", "__mode"};
    for (int i = 0; i < 3; i++) {
        char text[80];
        snprintf(text, sizeof text, "setmetatable({}, { %s = 'k' })", fields[i]);
        assert_non_null(strstr(refused(text).text, fields[i]));
    }
    assert_string_equal(run("return setmetatable({}, { __index = { x = 1 } }).x"), "1");
}

static void work_that_fuel_does_not_see_is_bounded(void **state) {
    (void)state;
    static const char *const texts[] = {
        "return ('x'):rep(2 ^ 21)",
        "return (''):rep(1 << 62)",
        "return ('a'):rep(5000):find(('a*'):rep(4) .. 'b')",
        "for _ in ('^'):rep(4000):gmatch('^.*x') do end",
        "return table.concat({}, 'x', 1, 1 << 40)",
        "return table.unpack({}, 1, 1 << 20)",
        "return table.move({}, 1, 1 << 40, 2)",
        "local t = {} for i = 1, 10001 do t[i] = i end table.sort(t)",
        "return table.remove(setmetatable({}, { __len = function() return 1 << 40 end }))"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_int_equal(refused(texts[i]).status, STATUS_SCRIPT);
}

static void patterns_of_usual_size_work(void **state) {
    (void)state;
    assert_string_equal(run("local a, x, b = ('e6xe7'):match('^(%a%d+)([-x])(%a%d+)$')\n"
                            "return a .. x .. b"),
                        "e6xe7");
    assert_string_equal(run("return (('a b c '):rep(500):gsub('%s+', '')):len()"), "1500");
}

static void texts_are_sorted_as_they_are_compared(void **state) {
    (void)state;
    assert_string_equal(run("local list = {}\n"
                            "for i = 1, 300 do\n"
                            "  local bytes = {}\n"
                            "  for k = 1, i % 7 do bytes[k] = math.random(0, 3) * 85 end\n"
                            "  list[i] = string.char(table.unpack(bytes))\n"
                            "end\n"
                            "table.sort(list)\n"
                            "for i = 2, #list do assert(list[i - 1] <= list[i]) end\n"
                            "return list[#list]:byte()"),
                        "255");
}

static void library_work_is_charged(void **state) {
    (void)state;
    assert_int_equal(refused("local s = ('x'):rep(1 << 19) while true do s = s:lower() end").status,
                     STATUS_FUEL);
}

/* Each comparison of the last takes many milliseconds. */
static void comparing_texts_is_charged(void **state) {
    (void)state;
    static const char *const bytes[] = {"x", "\\0"};
    for (int i = 0; i < 2; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "local s = ('%s'):rep((1 << 20) - 8) local a, b = s .. 'a', s .. 'b'\n"
                 "local n = 0 while a < b do n = n + 1 end",
                 bytes[i]);
        const struct fault fault = refused(text);
        if (fault.status != STATUS_FUEL) fail_msg("%s: %s", bytes[i], fault.text);
    }
    assert_int_equal(
        refused("local s = ('\\0'):rep((1 << 20) - 8) local a, b = s .. 'a', s .. 'b'\n"
                "while true do pcall(function() return a <= b end) end")
            .status,
        STATUS_FUEL);
}

/* Also by whole stretches of a byte that would come first in another order. */
static void texts_are_ordered_by_their_bytes(void **state) {
    (void)state;
    assert_string_equal(run("local list = {}\n"
                            "for i = 1, 60 do\n"
                            "  local bytes = {}\n"
                            "  for k = 1, 60 + i % 9 do bytes[k] = math.random(0, 9) == 0 and\n"
                            "    math.random(0, 255) or i % 3 * 127 end\n"
                            "  list[i] = bytes\n"
                            "end\n"
                            "local function before(a, b)\n"
                            "  for k = 1, #a do\n"
                            "    if not b[k] or a[k] > b[k] then return false end\n"
                            "    if a[k] < b[k] then return true end\n"
                            "  end\n"
                            "  return #a < #b\n"
                            "end\n"
                            "for _, a in ipairs(list) do\n"
                            "  local s = string.char(table.unpack(a))\n"
                            "  for _, b in ipairs(list) do\n"
                            "    local t = string.char(table.unpack(b))\n"
                            "    assert((s < t) == before(a, b) and (s <= t) == not before(b, a))\n"
                            "  end\n"
                            "end\n"
                            "return 1"),
                        "1");
}

/* Work in C is charged as fuel; under 1,000 instructions that is all the fuel taken. The numbers
 * follow from the time of the work; see tests/bench/README.md. */
static void every_function_is_charged_by_its_work(void **state) {
    (void)state;
    static const struct {
        const char *before, *statement;
        uint64_t least;
    } works[] = {
        {"for i = 1, 1000 do t[i] = i end", "next(t)", 4000},
        {"for i = 1, 1000 do t['k' .. i] = i end", "next(t, 'k5')", 4000},
        {"for i = 1, 8192 do t[i] = i end for i = 1, 8192 do t[i] = nil end", "next(t)", 1000},
        {"for i = 1, 8192 do t[i] = i end for i = 1, 8192 do t[i] = nil end", "pairs(t)", 1000},
        {"for i = 1, 8192 do t[-i] = i end for i = 1, 8192 do t[-i] = nil end", "next(t)", 1000},
        {"for i = 1, 1000 do t[i] = i end", "pairs(t)", 8000},
        {"for i = 1, 1000 do t['k' .. i] = i end", "pairs(t)", 38000},
        {"for i = 1, 10 do t[('k'):rep(100000) .. i] = i end", "pairs(t)", 200000},
        {"for i = 1, 1000 do t[i] = i end", "table.concat(t)", 12000},
        {"for i = 1, 1000 do t[i] = i / 7 end", "table.concat(t)", 40000},
        {"for i = 1, 1000 do t[i] = 'x' end", "table.concat(t)", 2000},
        {"for i = 1, 1000 do t[i] = i end", "table.move(t, 1, 1000, 2)", 400},
        {"for i = 1, 1000 do t[i] = i end", "table.insert(t, 1, 0)", 200},
        {"for i = 1, 1000 do t[i] = i end", "table.remove(t, 1)", 200},
        {"for i = 1, 1000 do t[i] = i end", "table.unpack(t)", 200},
        {"for i = 1, 1000 do t[i] = -i end", "table.sort(t)", 50000},
        {"for i = 1, 10 do t[i] = ('x'):rep(100000) .. i end", "table.sort(t)", 50000},
        {"s = ('x'):rep(10000)", "string.byte(s, 1, 3000)", 900},
        {"s = ('x'):rep(10000)", "string.byte(s, -3000, -1)", 900},
        {"s = ('x'):rep(10000)", "s:upper()", 300},
        {"s = ('x'):rep(10000)", "s:gsub('x', 'y')", 20000},
        {"s = ('x'):rep(10000)", "s:gsub('x', ('y'):rep(100), 100)", 5000},
        {"s = ('x'):rep(10000)", "s:find('y')", 1200},
        {"s = ('x'):rep(10000)", "utf8.len(s)", 1200},
        {"s = ('\\0'):rep(10000)", "string.format('%q', s)", 40000},
        {"for i = 1, 200 do t[i] = 65 end", "string.char(table.unpack(t))", 600},
        {"for i = 1, 200 do t[i] = 0x1F600 end", "utf8.char(table.unpack(t))", 600},
        {"s, t = ('x'):rep(100000), ('x'):rep(100000) .. 'y'", "s < t", 1563},
        {"s, t = ('x'):rep(100000), ('x'):rep(100000) .. 'y'", "s <= t", 1563},
        {"s, t = ('x'):rep(100000), ('x'):rep(100000) .. 'y'", "s > t", 1563},
        {"s, t = ('\\0'):rep(100000), ('\\0'):rep(100000) .. 'y'", "s < t", 100000},
        {"s, t = ('x'):rep(100000), 'y' .. ('x'):rep(100000)", "s < t", 1},
        {"", "string.format('%99.99f', 1e300)", 280},
        {"", "string.format('%d %d', 1, 2)", 20},
        {"", "tostring(0.1)", 40},
        {"", "tostring(1)", 10},
        {"", "tonumber(('1'):rep(180))", 20},
        {"", "pcall(error)", 100},
        {"", "require 'boards'", 3200},
        {"", "math.fmod(1e308, 3)", 10},
    };
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        char text[400];
        struct fault fault = {0};
        struct sandbox *sandbox =
            sandbox_new(ENSIGN_ROOT "/scripts", "bots/test.lua", SANDBOX_DEFAULTS, &fault);
        snprintf(text, sizeof text, "local t, s = {} %s return function() local _ = %s end",
                 works[i].before, works[i].statement);
        assert_true(sandbox_run_text(sandbox, "bots/test.lua", text, strlen(text), &fault));
        if (!sandbox_call(sandbox, 0, 0, NULL, &fault))
            fail_msg("%s: %s", works[i].statement, fault.text);
        uint64_t spent = SANDBOX_DEFAULTS.fuel - sandbox->fuel_left;
        if (spent < works[i].least || spent > 3 * works[i].least + 100)
            fail_msg("%s; %s takes %d, expected %d or a little more", works[i].before,
                     works[i].statement, (int)spent, (int)works[i].least);
        sandbox_free(sandbox);
    }
}

/* Each script is left in another place: with blocks of all sizes, in an error, without fuel, at the
 * limit of its memory. */
static void a_state_that_is_restored_is_the_one_that_was_saved(void **state) {
    (void)state;
    static const char text[] =
        "local held, n = { ('x'):rep(100000) }, 0\n"
        "for i = 1, 70000 do held[i + 1] = i end\n"
        "return function(work)\n"
        "  n = n + 1\n"
        "  if work == 1 then for i = #held, 1, -1 do held[i] = nil end end\n"
        "  if work == 2 then for i = 1, 30 do held[i] = ('y'):rep(i << 14) end end\n"
        "  if work == 3 then error({}) end\n"
        "  if work == 4 then while true do end end\n"
        "  if work == 5 then local s = {} while true do s = { s, s, s, s } end end\n"
        "  if work == 6 then return 1 + held[1](2) end\n"
        "  return n + #held\n"
        "end";
    struct fault fault = {0};
    const struct sandbox_limits little = {20000000, 16u << 20};
    struct sandbox *sandbox =
        sandbox_new_saved(ENSIGN_ROOT "/scripts", "bots/test.lua", little, &fault);
    assert_non_null(sandbox);
    assert_true(sandbox_run_text(sandbox, "bots/test.lua", text, strlen(text), &fault));
    assert_true(sandbox_save(sandbox));
    const size_t memory = sandbox->memory_used;
    const void *next = NULL;
    uint64_t fuel = 0;
    for (int work = 0; work < 8; work++) {
        sandbox_restore(sandbox);
        assert_int_equal(sandbox->memory_used, memory);
        assert_int_equal(lua_gettop(sandbox->lua), 1);
        lua_pushvalue(sandbox->lua, -1);
        lua_pushinteger(sandbox->lua, work % 7);
        const bool ran = sandbox_call(sandbox, 1, 1, NULL, &fault);
        assert_int_equal(ran, work < 3 || work == 7);
        if (work % 7) continue;
        assert_int_equal(lua_tointeger(sandbox->lua, -1), 70002);
        lua_newtable(sandbox->lua);
        if (!work) next = lua_topointer(sandbox->lua, -1), fuel = sandbox_fuel_used(sandbox);
        assert_ptr_equal(lua_topointer(sandbox->lua, -1), next);
        assert_int_equal(sandbox_fuel_used(sandbox), fuel);
    }
    sandbox_free(sandbox);
}

static void require_reads_the_shared_scripts_and_remembers(void **state) {
    (void)state;
    assert_string_equal(run("return require('boards').standard.files"), "10");
    assert_string_equal(run("return require 'pieces.saboteur' == require 'pieces.saboteur'"),
                        "true");
    assert_non_null(strstr(refused("require '/etc/passwd'").text, "module names"));
    assert_non_null(strstr(refused("require '..boards'").text, "module names"));
}

static void write_text(const char *folder, const char *name, const char *text) {
    char path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Runs the file and leaves what it returns. */
static void run_in(struct sandbox *sandbox, const char *folder, const char *name) {
    char path[96];
    struct fault fault = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!sandbox_run_file(sandbox, path, &fault)) fail_msg("%s", fault.text);
}

/* Calls the function at the top of the stack; what it returns, as text, until the next call. */
static const char *call_top(struct sandbox *sandbox) {
    static char text[FAULT_TEXT_MAX];
    struct fault fault = {0};
    bool ran = sandbox_call(sandbox, 0, 1, NULL, &fault);
    snprintf(text, sizeof text, "%s", ran ? lua_tostring(sandbox->lua, -1) : fault.text);
    if (ran) lua_pop(sandbox->lua, 1);
    return text;
}

static void modules_are_looked_for_beside_the_file_that_asks(void **state) {
    (void)state;
    static const char *const names[] = {
        "a/main.lua", "a/word.lua", "a/parts/x.lua", "a/parts/y.lua", "a/parts/z.lua",
        "b/main.lua", "b/word.lua", "s/shared.lua",  "a/parts",       "a",
        "b",          "s"};
    char folder[] = "/tmp/ensign-beside-XXXXXX", path[96], scripts[64];
    struct fault fault = {0};
    assert_non_null(mkdtemp(folder));
    for (int i = 11; i >= 8; i--) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    write_text(folder, "a/word.lua", "return 'a'");
    write_text(folder, "b/word.lua", "return 'b'");
    write_text(folder, "a/main.lua", "return function() return require 'word' end");
    write_text(folder, "b/main.lua",
               "return function() return select(2, pcall(require, 'word')) end");
    /* A module's names are those of the file that required it. */
    write_text(folder, "a/parts/x.lua", "return { y = require 'parts.y' }");
    write_text(folder, "a/parts/y.lua", "return function() return require 'parts.z' end");
    write_text(folder, "a/parts/z.lua", "return 'z'");
    /* A shared script's requires do not depend on the requiring file. */
    write_text(folder, "s/shared.lua", "return function() return require 'word' end");
    snprintf(scripts, sizeof scripts, "%s/s", folder);
    struct sandbox *sandbox = sandbox_new(scripts, "x.lua", limits, &fault);
    run_in(sandbox, folder, "a/main.lua");
    write_text(folder, "a/main.lua", "return require('parts.x').y");
    run_in(sandbox, folder, "a/main.lua");
    write_text(folder, "a/main.lua", "return require 'shared'");
    run_in(sandbox, folder, "a/main.lua");
    run_in(sandbox, folder, "b/main.lua");
    assert_string_equal(call_top(sandbox), "b");
    assert_non_null(strstr(call_top(sandbox), "no module 'word'"));
    assert_string_equal(call_top(sandbox), "z");
    assert_string_equal(call_top(sandbox), "a");
    sandbox_free(sandbox);
    for (int i = 0; i < 12; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

static void modules_that_require_one_another_are_refused(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-cycle-XXXXXX", a[64], b[64];
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof a, "%s/one.lua", folder);
    snprintf(b, sizeof b, "%s/two.lua", folder);
    FILE *file = fopen(a, "wb");
    fputs("return require 'two'", file);
    fclose(file);
    file = fopen(b, "wb");
    fputs("\nreturn require 'one'", file);
    fclose(file);
    struct fault fault = {0};
    struct sandbox *sandbox = sandbox_new(ENSIGN_ROOT "/scripts", a, limits, &fault);
    lua_getglobal(sandbox->lua, "require");
    lua_pushliteral(sandbox->lua, "one");
    bool ran = sandbox_call(sandbox, 1, 0, NULL, &fault);
    sandbox_free(sandbox);
    unlink(a);
    unlink(b);
    rmdir(folder);
    assert_false(ran);
    assert_non_null(strstr(fault.text, "requires itself"));
    assert_string_equal(fault.file, b);
    assert_int_equal(fault.line, 2);
}

static void compiled_lua_is_refused(void **state) {
    (void)state;
    assert_non_null(strstr(refused("\x1bLua").text, "binary"));
}

static void a_file_that_is_not_there_is_not_found(void **state) {
    (void)state;
    struct fault fault = {0};
    struct sandbox *sandbox = sandbox_new(ENSIGN_ROOT "/scripts", "no/such.lua", limits, &fault);
    assert_false(sandbox_run_file(sandbox, "no/such.lua", &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    assert_string_equal(fault.file, "no/such.lua");
    sandbox_free(sandbox);
}

/* Attacks that may take up to the backstop, and no longer. */
static void every_attack_is_survived(void **state) {
    (void)state;
    const char *shared = getenv("ENSIGN_SHARED");
    char folder[512], path[1024];
    snprintf(folder, sizeof folder, "%s/attacks", shared ? shared : ENSIGN_ROOT "/../shared");
    DIR *attacks = opendir(folder);
    if (!attacks) skip();
    for (struct dirent *entry; (entry = readdir(attacks)) != NULL;) {
        if (!strstr(entry->d_name, ".lua")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct fault fault = {0};
        int64_t from = clock_thread_ns();
        struct sandbox *sandbox = sandbox_new(ENSIGN_ROOT "/scripts", path, limits, &fault);
        bool ran = sandbox_run_file(sandbox, path, &fault);
        sandbox_free(sandbox);
        assert_true(clock_thread_ns() - from <= 2 * SANDBOX_SECONDS * INT64_C(1000000000));
        if (!ran && fault.status != STATUS_SCRIPT && fault.status != STATUS_FUEL &&
            fault.status != STATUS_MEMORY && fault.status != STATUS_TIME)
            fail_msg("%s: status %s", path, status_name(fault.status));
    }
    closedir(attacks);
}

static void a_first_line_for_the_shell_and_a_mark_of_byte_order_are_skipped(void **state) {
    (void)state;
    assert_string_equal(run("#!/usr/bin/env -S ensign check\nreturn 'x'"), "x");
    assert_string_equal(run("# a comment\rreturn 'x'"), "x");
    assert_string_equal(run("\xEF\xBB\xBF#!ensign\r\nreturn 'x'"), "x");
    assert_string_equal(run("\xEF\xBB\xBFreturn 'x'"), "x");
    assert_int_equal(refused("#!ensign\n\nerror('x')").line, 3);
    assert_int_equal(refused("#!ensign\n\nlocal = 1").line, 3);
    assert_int_equal(refused("return 1\n#!ensign").line, 2);
}

/* Each ends in a call that another way of calling made; the line of one of them is named. */
static void endless_recursion_is_a_stack_overflow_at_its_line(void **state) {
    (void)state;
    static const char *const cases[] = {
        "\nlocal function f() return 1 + f() end f()",
        "local a, b\nfunction a() return 1 + b() end function b() return 1 + a() end a()",
        "local function f(t)\nreturn #t + f({ t, {}, 'x' .. #t }) end f({})",
        "local function f(s)\nreturn f(s .. 'x') .. 'y' end f('')",
        "local function f(...)\nreturn 1 + f(1, ...) end f()",
        "local m = {}\nm.__index = function(t, k) return t[k] end local x = setmetatable({}, m).x",
        "local m = {}\nm.__add = function(a, b) return 1 + (a + b) end local x = setmetatable({}, m) + 1",
        "local m = {}\nm.__call = function(t) return 1 + t() end setmetatable({}, m)()",
        ("local m = {}\nm.__eq = function(a, b) return not (a == b) end\n"
         "local x = setmetatable({}, m) == setmetatable({}, m)"),
        "local function f(s)\nreturn (s:gsub('.', f)) .. 'x' end f('abc')",
        "local function f()\ntable.sort({ 2, 1 }, function() return f() end) end f()",
        "local function f()\nlocal ok, why = pcall(f) error(why, 0) end f()",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int small = 0; small < 2; small++) {
            struct sandbox_limits before = limits;
            if (small) limits.memory = 1 << 20;
            struct fault fault = refused(cases[i]);
            limits = before;
            if (fault.line != 2 || !strstr(fault.text, "stack overflow"))
                fail_msg("%s\nline %d: %s", cases[i], fault.line, fault.text);
        }
    }
}

static void memory_that_runs_out_is_told_with_its_line(void **state) {
    (void)state;
    static const char *const cases[] = {
        "local t = {}\nfor i = 1, 1e9 do t[i] = { i } end",
        "local s = 'x'\nwhile true do s = s .. s end",
        "local t = {}\nwhile pcall(function() for i = 1, 1e9 do t[#t + 1] = { i } end end) do end",
        "local t = {}\nfor i = 1, 2000 do t[i] = ('x'):rep(1000) end local s = table.concat(t)",
        ("local t, s = {}, ('x'):rep(60000)\n"
         "for i = 1, 99 do s:gsub('x', function() t[#t + 1] = {} end) end"),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fault fault = refused(cases[i]);
        if (fault.line != 2 || fault.status != STATUS_MEMORY ||
            !strstr(fault.text, "out of memory"))
            fail_msg("%s\nline %d: %s", cases[i], fault.line, fault.text);
    }
}

static void brackets_inside_each_other_without_end_have_a_line(void **state) {
    (void)state;
    char text[1024] = "return\n1 + ";
    memset(text + strlen(text), '(', 900);
    struct fault fault = refused(text);
    assert_int_equal(fault.line, 2);
    assert_non_null(strstr(fault.text, "too many brackets or blocks inside each other"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_line_for_the_shell_and_a_mark_of_byte_order_are_skipped),
        cmocka_unit_test(endless_recursion_is_a_stack_overflow_at_its_line),
        cmocka_unit_test(memory_that_runs_out_is_told_with_its_line),
        cmocka_unit_test(brackets_inside_each_other_without_end_have_a_line),
        cmocka_unit_test(the_state_has_nothing_that_reaches_outside),
        cmocka_unit_test(the_methods_of_texts_are_the_allowed_functions_only),
        cmocka_unit_test(pairs_walks_numbers_then_texts_then_booleans),
        cmocka_unit_test(next_walks_in_the_same_order_as_pairs),
        cmocka_unit_test(fields_may_be_cleared_while_pairs_walks),
        cmocka_unit_test(a_table_with_tables_as_keys_cannot_be_walked),
        cmocka_unit_test(no_address_can_be_read),
        cmocka_unit_test(format_works_as_usual),
        cmocka_unit_test(letters_are_the_same_in_every_locale),
        cmocka_unit_test(chance_depends_on_the_seed_alone),
        cmocka_unit_test(an_endless_loop_runs_out_of_fuel),
        cmocka_unit_test(pcall_cannot_catch_the_end_of_the_fuel),
        cmocka_unit_test(errors_that_are_caught_cost_fuel),
        cmocka_unit_test(looking_for_modules_costs_fuel),
        cmocka_unit_test(pcall_cannot_catch_the_end_of_the_memory),
        cmocka_unit_test(pcall_catches_ordinary_errors),
        cmocka_unit_test(fuel_is_given_afresh_for_each_call),
        cmocka_unit_test(an_error_names_file_line_and_callback),
        cmocka_unit_test(a_path_too_long_for_lua_to_show_is_still_named_whole),
        cmocka_unit_test(an_error_object_is_not_asked_to_print_itself),
        cmocka_unit_test(finalizers_and_weak_tables_are_refused),
        cmocka_unit_test(work_that_fuel_does_not_see_is_bounded),
        cmocka_unit_test(comparing_texts_is_charged),
        cmocka_unit_test(texts_are_ordered_by_their_bytes),
        cmocka_unit_test(patterns_of_usual_size_work),
        cmocka_unit_test(texts_are_sorted_as_they_are_compared),
        cmocka_unit_test(library_work_is_charged),
        cmocka_unit_test(every_function_is_charged_by_its_work),
        cmocka_unit_test(a_state_that_is_restored_is_the_one_that_was_saved),
        cmocka_unit_test(require_reads_the_shared_scripts_and_remembers),
        cmocka_unit_test(modules_are_looked_for_beside_the_file_that_asks),
        cmocka_unit_test(modules_that_require_one_another_are_refused),
        cmocka_unit_test(compiled_lua_is_refused),
        cmocka_unit_test(a_file_that_is_not_there_is_not_found),
        cmocka_unit_test(every_attack_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
