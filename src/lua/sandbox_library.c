/* sandbox_library.c - the allow list: every name a script can reach is one line of ALLOWED below.
 *
 * A line names a function of Lua's own library, perhaps with a check that runs before it, or our
 * replacement. There are two reasons. Functions written in C do not tick the fuel hook, so those
 * whose work grows with their arguments are charged by size first. And some results would differ
 * from run to run or reveal addresses: here `pairs` and `next` walk in a fixed order, `table.sort`
 * is deterministic, `tostring` and `%s` show only the type.
 *
 * Absent on purpose: coroutine, debug, io, os, package; load, loadfile, dofile, collectgarbage,
 * xpcall, string.dump, string.pack and the like; sin and the like, whose last digit differs
 * between machines. */

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "logbook.h"
#include "sandbox.h"
#include "walk.h"

/* A deterministic `table.sort`: Lua's own picks pivots by the clock when a long list divides badly,
 * so equal elements come out in varying order. This one is a stable bottom-up merge sort. The
 * elements stay on Lua's stack while their indices are sorted, so the order function may change the
 * list. */
enum { SORT_MAX = 10000 }; /* longest list that can be sorted */

enum {
    ELEMENT_COST = 8, /* fuel for an element, */
    COMPARE_COST = 5, /* for a comparison of two, */
    CALL_COST = 25,   /* for entering an order function, */
    TEXT_BYTES = 64   /* and for so many bytes of a text, in each round, 1 */
};

/* Is the text at `left` less than that at `right`, byte by byte? So says Lua's `<`, too, in the one
 * locale that it is asked in, but it begins anew at every zero of a text. */
static bool text_is_less(lua_State *lua, int left, int right) {
    size_t lengths[2];
    const char *a = lua_tolstring(lua, left, &lengths[0]);
    const char *b = lua_tolstring(lua, right, &lengths[1]);
    const int order = memcmp(a, b, lengths[0] < lengths[1] ? lengths[0] : lengths[1]);
    return order ? order < 0 : lengths[0] < lengths[1];
}

/* Is element `a`, counted from 0, less than `b`? The first is on the stack at 3. */
static bool is_less(lua_State *lua, int a, int b) {
    if (lua_isnil(lua, 2)) {
        const bool texts =
            lua_type(lua, a + 3) == LUA_TSTRING && lua_type(lua, b + 3) == LUA_TSTRING;
        return texts ? text_is_less(lua, a + 3, b + 3) : lua_compare(lua, a + 3, b + 3, LUA_OPLT);
    }
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, a + 3);
    lua_pushvalue(lua, b + 3);
    lua_call(lua, 2, 1);
    bool less = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return less;
}

/* Merges from[low..middle) and from[middle..high), both in order, into the same places of `to`. */
static void merge_runs(lua_State *lua, const uint16_t *from, uint16_t *to, int low, int middle,
                       int high) {
    int left = low, right = middle;
    for (int i = low; i < high; i++) {
        bool take_right = left == middle || (right < high && is_less(lua, from[right], from[left]));
        to[i] = from[take_right ? right++ : left++];
    }
}

/* table.sort(list[, less]) for a list without __len. The list is unchanged until the sort is
 * complete; an inconsistent order function gives some order, not an error. */
static int sort_list(lua_State *lua) {
    lua_Unsigned length = sandbox_plain_length(lua, 1);
    if (length > SORT_MAX)
        return luaL_error(lua, "table.sort: %d elements, at most %d can be sorted", (int)length,
                          SORT_MAX);
    if (!lua_isnoneornil(lua, 2)) luaL_checktype(lua, 2, LUA_TFUNCTION);
    lua_settop(lua, 2);
    int count = (int)length;
    uint64_t rounds = 1, bytes = 0;
    for (int run = 1; run < count; run *= 2) rounds++;
    sandbox_charge(lua, length * ELEMENT_COST +
                            length * rounds * (lua_isnil(lua, 2) ? COMPARE_COST : CALL_COST));
    luaL_checkstack(lua, count + 8, "sorting");
    for (int i = 0; i < count; i++) {
        lua_geti(lua, 1, i + 1);
        if (lua_type(lua, -1) == LUA_TSTRING) bytes += lua_rawlen(lua, -1) / TEXT_BYTES;
    }
    sandbox_charge(lua, bytes * rounds);
    uint16_t *from = lua_newuserdatauv(lua, 2 * sizeof *from * (size_t)(count + 1), 0);
    uint16_t *to = from + count;
    for (int i = 0; i < count; i++) from[i] = (uint16_t)i;
    for (int run = 1; run < count; run *= 2) {
        for (int low = 0; low < count; low += 2 * run) {
            int middle = low + run < count ? low + run : count;
            int high = middle + run < count ? middle + run : count;
            merge_runs(lua, from, to, low, middle, high);
        }
        uint16_t *sorted = to;
        to = from;
        from = sorted;
    }
    for (int i = 0; i < count; i++) {
        lua_pushvalue(lua, from[i] + 3);
        lua_seti(lua, 1, i + 1);
    }
    return 0;
}

enum {
    SUBJECT_MAX = 64 << 10,      /* bytes of a text to be matched */
    PATTERN_MAX = 512,           /* bytes of a pattern */
    PATTERN_WORK = 20 * 1000000, /* worst-case steps of one pattern call */
    UNPACK_MAX = 8000,           /* values of one table.unpack */
    MOVE_MAX = 1 << 20,          /* elements of one table.move or table.concat */
    CAUGHT_COST = 100,           /* fuel for an error that is caught, */
    CONVERSION_COST = 10,        /* for a value that becomes a text, */
    FLOAT_COST = 30              /* and for one with a fraction. tests/bench/README.md */
};

/* Fuel for writing the number at `index` as a text. */
static uint64_t number_cost(lua_State *lua, int index) {
    return lua_isinteger(lua, index) ? CONVERSION_COST : CONVERSION_COST + FLOAT_COST;
}

/* Checks: each gets the arguments of the function it precedes. */

/* Charges for every text among the arguments. */
static void by_length(lua_State *lua) {
    size_t total = 0;
    for (int i = 1; i <= lua_gettop(lua); i++)
        if (lua_type(lua, i) == LUA_TSTRING) total += lua_rawlen(lua, i);
    sandbox_charge(lua, total / 32);
}

/* Reading characters of several bytes takes longer. */
static void by_characters(lua_State *lua) {
    if (lua_type(lua, 1) == LUA_TSTRING) sandbox_charge(lua, lua_rawlen(lua, 1) / 8);
}

/* string.char and utf8.char. */
static void check_char(lua_State *lua) {
    sandbox_charge(lua, 3 * (uint64_t)lua_gettop(lua));
}

static void check_byte(lua_State *lua) {
    lua_Integer length = (lua_Integer)(lua_type(lua, 1) == LUA_TSTRING ? lua_rawlen(lua, 1) : 0);
    lua_Integer from = luaL_optinteger(lua, 2, 1), to = luaL_optinteger(lua, 3, from);
    if (from < 0) from = from < -length ? 1 : length + from + 1;
    if (to < 0) to += length + 1;
    if (to > length) to = length;
    if (from < to) sandbox_charge(lua, (uint64_t)(to - from) / 3);
}

static void check_fmod(lua_State *lua) {
    sandbox_charge(lua, 10);
}

static void check_tonumber(lua_State *lua) {
    if (lua_type(lua, 1) == LUA_TSTRING) sandbox_charge(lua, lua_rawlen(lua, 1) / 8 + 2);
}

static void check_rep(lua_State *lua) {
    size_t length, between;
    luaL_checklstring(lua, 1, &length);
    lua_Integer times = luaL_checkinteger(lua, 2);
    luaL_optlstring(lua, 3, "", &between);
    if (times <= 0) return;
    if (times > SANDBOX_STRING_MAX || (length + between) * (size_t)times > SANDBOX_STRING_MAX)
        luaL_error(lua, "string.rep: the result would be longer than 1 MiB");
    sandbox_charge(lua, (uint64_t)times / 8);
}

/* A pattern with q repeated parts tries at most about length^q ways from each start. Charges for
 * this worst case and refuses it if too long. */
static void charge_pattern(lua_State *lua, bool anchors) {
    size_t length, size;
    luaL_checklstring(lua, 1, &length);
    const char *pattern = luaL_checklstring(lua, 2, &size);
    if (length > SUBJECT_MAX)
        luaL_error(lua, "patterns are tried on texts of at most 64 KiB, this one has %d bytes",
                   (int)length);
    if (size > SUBJECT_MAX) luaL_error(lua, "a pattern has at most 64 KiB");
    double work = (double)(length + 1) * (1 + (double)size / 16);
    bool plain = strpbrk(pattern, "^$*+?.([%-") == NULL && strlen(pattern) == size;
    if (!plain && size > PATTERN_MAX && !lua_toboolean(lua, 4))
        luaL_error(lua, "a pattern has at most %d bytes", PATTERN_MAX);
    if (anchors && pattern[0] == '^') work /= (double)(length + 1);
    for (size_t i = 0; !plain && i < size; i++) {
        char c = pattern[i];
        if (c == '*' || c == '+' || c == '-') work *= (double)(length + 1);
        if (c == '?') work *= 2;
        if (c == '%' && i + 1 < size &&
            (pattern[i + 1] == 'b' || strchr("123456789", pattern[i + 1])))
            work *= (double)(length + 1);
        if (c == '%') i++;
    }
    if (work > PATTERN_WORK)
        luaL_error(lua, "the pattern '%s' could take too long on a text of %d bytes",
                   size > 60 ? "…" : pattern, (int)length);
    sandbox_charge(lua, (uint64_t)work / 8 + 1);
}

static void check_pattern(lua_State *lua) {
    charge_pattern(lua, true);
}

/* Charges for a match, with its replacement, at every position. */
static void check_gsub(lua_State *lua) {
    charge_pattern(lua, true);
    uint64_t matches = lua_rawlen(lua, 1) + 1, each = 2;
    lua_Integer most = luaL_optinteger(lua, 4, (lua_Integer)matches);
    if (most >= 0 && (uint64_t)most < matches) matches = (uint64_t)most;
    if (lua_type(lua, 3) == LUA_TSTRING) each += lua_rawlen(lua, 3) / 2;
    sandbox_charge(lua, matches * each);
}

/* gmatch has no anchor: it tries every start. */
static void check_gmatch(lua_State *lua) {
    charge_pattern(lua, false);
}

/* Fuel for a conversion: digits of very large and small numbers take long, and so do the control
 * characters that %q writes as numbers. */
static uint64_t conversion_cost(lua_State *lua, char conversion, int argument) {
    uint64_t cost = CONVERSION_COST;
    if (lua_type(lua, argument) == LUA_TNUMBER && !lua_isinteger(lua, argument)) {
        int exponent = 0;
        if (isfinite(lua_tonumber(lua, argument))) frexp(lua_tonumber(lua, argument), &exponent);
        cost += FLOAT_COST + (uint64_t)abs(exponent) / 4;
    } else if (conversion == 'q' && lua_type(lua, argument) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, argument, &length);
        for (size_t i = 0; i < length; i++) cost += (unsigned char)text[i] < ' ' ? 4 : 0;
        cost += length / 8;
    } else if (strchr("aAeEfgG", conversion)) {
        cost += FLOAT_COST;
    }
    return cost;
}

/* No addresses: %p is refused, and %s uses our tostring. */
static void check_format(lua_State *lua) {
    size_t size;
    const char *format = luaL_checklstring(lua, 1, &size);
    int argument = 1;
    for (size_t i = 0; i < size; i++) {
        if (format[i] != '%') continue;
        if (format[++i] == '%') continue;
        while (i < size && strchr("-+ #0123456789.", format[i]) && format[i]) i++;
        argument++;
        if (format[i] == 'p') luaL_error(lua, "string.format: %%p is not available");
        if (argument > lua_gettop(lua)) continue;
        if (format[i] == 's') {
            sandbox_tostring(lua, argument);
            lua_replace(lua, argument);
        }
        sandbox_charge(lua, conversion_cost(lua, format[i], argument));
    }
    by_length(lua);
}

lua_Unsigned sandbox_plain_length(lua_State *lua, int index) {
    luaL_checktype(lua, index, LUA_TTABLE);
    if (luaL_getmetafield(lua, index, "__len") != LUA_TNIL)
        luaL_error(lua, "list functions do not take a table with __len");
    return lua_rawlen(lua, index);
}

static void check_insert(lua_State *lua) {
    lua_Unsigned length = sandbox_plain_length(lua, 1);
    if (lua_gettop(lua) > 2) sandbox_charge(lua, length / 4);
}

static void check_remove(lua_State *lua) {
    lua_Unsigned length = sandbox_plain_length(lua, 1);
    if (lua_gettop(lua) > 1) sandbox_charge(lua, length / 4);
}

/* Charges for the elements from argument `first` to argument `first + 1`, at most `most`. */
static void check_range(lua_State *lua, int first, lua_Integer most) {
    lua_Integer length = (lua_Integer)sandbox_plain_length(lua, 1);
    lua_Integer from = luaL_optinteger(lua, first, 1), to = luaL_optinteger(lua, first + 1, length);
    if (from > to) return;
    if ((lua_Unsigned)to - (lua_Unsigned)from >= (lua_Unsigned)most)
        luaL_error(lua, "more than %d elements", (int)most);
    sandbox_charge(lua, (uint64_t)(to - from) / 4);
}

static void check_concat(lua_State *lua) {
    check_range(lua, 3, MOVE_MAX);
    lua_Integer from = luaL_optinteger(lua, 3, 1);
    lua_Integer to = luaL_optinteger(lua, 4, (lua_Integer)lua_rawlen(lua, 1));
    for (lua_Integer i = from; i <= to && i >= from; i++) {
        uint64_t cost = 2;
        if (lua_rawgeti(lua, 1, i) == LUA_TNUMBER) cost += number_cost(lua, -1);
        lua_pop(lua, 1);
        sandbox_charge(lua, cost);
        if (i == to) break; /* it may be the greatest integer */
    }
}

static void check_unpack(lua_State *lua) {
    check_range(lua, 2, UNPACK_MAX);
}

static void check_move(lua_State *lua) {
    if (lua_type(lua, 5) == LUA_TTABLE) sandbox_plain_length(lua, 5);
    check_range(lua, 2, MOVE_MAX); /* read, */
    check_range(lua, 2, MOVE_MAX); /* and written */
}

/* Finalizers and closing functions run where no fuel is counted; weak tables differ from run to
 * run. */
static void check_setmetatable(lua_State *lua) {
    static const char *const refused[] = {"__gc", "__close", "__mode"};
    if (lua_type(lua, 2) != LUA_TTABLE) return;
    for (int i = 0; i < 3; i++) {
        sandbox_push_text(lua, refused[i]);
        if (lua_rawget(lua, 2) != LUA_TNIL)
            luaL_error(lua, "setmetatable: %s is not available to scripts", refused[i]);
        lua_pop(lua, 1);
    }
}

/* Ours. */

const char *sandbox_tostring(lua_State *lua, int index) {
    index = lua_absindex(lua, index);
    if (luaL_callmeta(lua, index, "__tostring")) {
        if (!lua_isstring(lua, -1)) luaL_error(lua, "'__tostring' must return a string");
    } else if (lua_type(lua, index) == LUA_TTABLE || lua_type(lua, index) > LUA_TTABLE ||
               lua_type(lua, index) == LUA_TLIGHTUSERDATA) {
        sandbox_push_text(lua, luaL_typename(lua, index));
    } else {
        return luaL_tolstring(lua, index, NULL);
    }
    return lua_tostring(lua, -1);
}

static int script_tostring(lua_State *lua) {
    luaL_checkany(lua, 1);
    if (lua_type(lua, 1) == LUA_TNUMBER) sandbox_charge(lua, number_cost(lua, 1));
    sandbox_tostring(lua, 1);
    return 1;
}

static int step_list(lua_State *lua) {
    lua_Integer at = luaL_checkinteger(lua, 2);
    at = (lua_Integer)((lua_Unsigned)at + 1);
    lua_pushinteger(lua, at);
    return lua_geti(lua, 1, at) == LUA_TNIL ? 1 : 2;
}

/* As Lua's. Upvalue: the iterator. */
static int script_ipairs(lua_State *lua) {
    luaL_checkany(lua, 1);
    lua_settop(lua, 1);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_pushinteger(lua, 0);
    return 3;
}

/* To the log (logbook.h), if there is one. */
static int script_print(lua_State *lua) {
    struct logbook *log = sandbox_of(lua)->watch.log;
    if (log) logbook_print(log, lua, 1);
    return 0;
}

/* As Lua's, but errors that end the script pass through, and a caught error costs fuel, since
 * raising it takes no Lua instructions. */
static int script_pcall(lua_State *lua) {
    luaL_checkany(lua, 1);
    int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
    sandbox_caught(lua, status);
    if (status != LUA_OK) {
        sandbox_charge(lua, CAUGHT_COST);
        lua_settop(lua, 1);
    }
    lua_pushboolean(lua, status == LUA_OK);
    lua_insert(lua, 1);
    return lua_gettop(lua);
}

static lua_Unsigned random_up_to(struct random *random, lua_Unsigned most) {
    if (most < UINT32_MAX) return random_below(random, (uint32_t)most + 1);
    lua_Unsigned mask = most, drawn;
    for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    do drawn = random_next(random) & mask;
    while (drawn > most);
    return drawn;
}

/* math.random(), (m), (m, n) as Lua's; (0) gives 64 random bits. */
static int script_random(lua_State *lua) {
    struct random *random = sandbox_random(sandbox_of(lua));
    lua_Integer low = 1, high;
    switch (lua_gettop(lua)) {
    case 0:
        lua_pushnumber(lua, random_part(random));
        return 1;
    case 1:
        high = luaL_checkinteger(lua, 1);
        if (high == 0) {
            lua_pushinteger(lua, (lua_Integer)random_next(random));
            return 1;
        }
        break;
    case 2:
        low = luaL_checkinteger(lua, 1);
        high = luaL_checkinteger(lua, 2);
        break;
    default:
        return luaL_error(lua, "math.random takes at most two numbers");
    }
    luaL_argcheck(lua, low <= high, lua_gettop(lua), "interval is empty");
    lua_Unsigned drawn = random_up_to(random, (lua_Unsigned)high - (lua_Unsigned)low);
    lua_pushinteger(lua, (lua_Integer)(drawn + (lua_Unsigned)low));
    return 1;
}

/* The numbers that follow depend only on the argument. */
static int script_randomseed(lua_State *lua) {
    lua_Number seed = luaL_checknumber(lua, 1);
    uint64_t bits = 0;
    memcpy(&bits, &seed, sizeof seed < sizeof bits ? sizeof seed : sizeof bits);
    struct chance key = {{0}};
    for (int i = 0; i < 8; i++) key.bytes[i] = (uint8_t)(bits >> 8 * i);
    key = chance_derive(&key, CHANCE_SCRIPT, 0);
    sandbox_chance(sandbox_of(lua), &key, 0);
    return 0;
}

struct allowed {
    const char *table; /* NULL: a global */
    const char *name;
    void (*check)(lua_State *lua); /* runs before Lua's own */
    lua_CFunction ours;            /* replaces Lua's own */
};

static const struct allowed ALLOWED[] = {
    {NULL, "assert", NULL, NULL},
    {NULL, "error", NULL, NULL},
    {NULL, "getmetatable", NULL, NULL},
    {NULL, "ipairs", NULL, script_ipairs},
    {NULL, "next", NULL, walk_next},
    {NULL, "pairs", NULL, walk_pairs},
    {NULL, "pcall", NULL, script_pcall},
    {NULL, "print", NULL, script_print},
    {NULL, "rawequal", NULL, NULL},
    {NULL, "rawget", NULL, NULL},
    {NULL, "rawlen", NULL, NULL},
    {NULL, "rawset", NULL, NULL},
    {NULL, "select", NULL, NULL},
    {NULL, "setmetatable", check_setmetatable, NULL},
    {NULL, "tonumber", check_tonumber, NULL},
    {NULL, "tostring", NULL, script_tostring},
    {NULL, "type", NULL, NULL},
    {"math", "abs", NULL, NULL},
    {"math", "ceil", NULL, NULL},
    {"math", "exp", NULL, NULL},
    {"math", "floor", NULL, NULL},
    {"math", "fmod", check_fmod, NULL},
    {"math", "log", NULL, NULL},
    {"math", "max", NULL, NULL},
    {"math", "min", NULL, NULL},
    {"math", "modf", NULL, NULL},
    {"math", "random", NULL, script_random},
    {"math", "randomseed", NULL, script_randomseed},
    {"math", "sqrt", NULL, NULL},
    {"math", "tointeger", NULL, NULL},
    {"math", "type", NULL, NULL},
    {"math", "ult", NULL, NULL},
    {"math", "huge", NULL, NULL},
    {"math", "maxinteger", NULL, NULL},
    {"math", "mininteger", NULL, NULL},
    {"math", "pi", NULL, NULL},
    {"string", "byte", check_byte, NULL},
    {"string", "char", check_char, NULL},
    {"string", "find", check_pattern, NULL},
    {"string", "format", check_format, NULL},
    {"string", "gmatch", check_gmatch, NULL},
    {"string", "gsub", check_gsub, NULL},
    {"string", "len", NULL, NULL},
    {"string", "lower", by_length, NULL},
    {"string", "match", check_pattern, NULL},
    {"string", "rep", check_rep, NULL},
    {"string", "reverse", by_length, NULL},
    {"string", "sub", NULL, NULL},
    {"string", "upper", by_length, NULL},
    {"table", "concat", check_concat, NULL},
    {"table", "insert", check_insert, NULL},
    {"table", "move", check_move, NULL},
    {"table", "pack", NULL, NULL},
    {"table", "remove", check_remove, NULL},
    {"table", "sort", NULL, sort_list},
    {"table", "unpack", check_unpack, NULL},
    {"utf8", "char", check_char, NULL},
    {"utf8", "charpattern", NULL, NULL},
    {"utf8", "codepoint", by_characters, NULL},
    {"utf8", "codes", by_characters, NULL},
    {"utf8", "len", by_characters, NULL},
    {"utf8", "offset", by_characters, NULL},
};
enum { ALLOWED_COUNT = sizeof ALLOWED / sizeof ALLOWED[0] };

void sandbox_own_function(lua_State *lua) {
    lua_CFunction function = lua_tocfunction(lua, -1);
    const char *upvalue = function ? lua_getupvalue(lua, -1, 1) : NULL;
    if (upvalue) lua_pop(lua, 1);
    if (upvalue || !function) return;
    lua_pop(lua, 1);
    lua_pushnil(lua);
    lua_pushcclosure(lua, function, 1);
}

/* Calls Lua's function directly from C, so that its errors name the script's line. The iterator of
 * utf8.codes becomes an object, as all functions that scripts get. */
static int checked_call(lua_State *lua) {
    const struct allowed *entry = lua_touserdata(lua, lua_upvalueindex(1));
    int top = lua_gettop(lua);
    entry->check(lua);
    lua_settop(lua, top);
    int results = lua_tocfunction(lua, lua_upvalueindex(2))(lua);
    if (results && lua_iscfunction(lua, -results)) {
        luaL_checkstack(lua, 2, "a function");
        lua_pushvalue(lua, -results);
        sandbox_own_function(lua);
        lua_replace(lua, -results - 1);
    }
    return results;
}

void sandbox_open_library(lua_State *lua) {
    static const luaL_Reg stock[] = {{LUA_GNAME, luaopen_base},
                                     {"math", luaopen_math},
                                     {"string", luaopen_string},
                                     {"table", luaopen_table},
                                     {"utf8", luaopen_utf8}};
    lua_newtable(lua); /* the scripts' globals */
    int globals = lua_gettop(lua);
    for (size_t i = 0; i < sizeof stock / sizeof stock[0]; i++) {
        luaL_requiref(lua, stock[i].name, stock[i].func, 0);
        bool global = strcmp(stock[i].name, LUA_GNAME) == 0;
        if (global) {
            lua_pushvalue(lua, globals);
        } else {
            lua_newtable(lua);
            lua_pushvalue(lua, -1);
            lua_setfield(lua, globals, stock[i].name);
        }
        for (int k = 0; k < ALLOWED_COUNT; k++) {
            const struct allowed *entry = &ALLOWED[k];
            if (global ? entry->table != NULL
                       : !entry->table || strcmp(entry->table, stock[i].name) != 0)
                continue;
            if (entry->ours == script_ipairs) {
                lua_pushcfunction(lua, step_list);
                sandbox_own_function(lua);
                lua_pushcclosure(lua, script_ipairs, 1);
            } else if (entry->ours) {
                lua_pushcfunction(lua, entry->ours);
            } else if (entry->check) {
                lua_pushlightuserdata(lua, (void *)(uintptr_t)entry);
                lua_getfield(lua, -3, entry->name);
                lua_pushcclosure(lua, checked_call, 2);
            } else {
                lua_getfield(lua, -2, entry->name);
            }
            sandbox_own_function(lua);
            lua_setfield(lua, -2, entry->name);
        }
        lua_pop(lua, 2);
    }
    lua_pushvalue(lua, globals);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    /* ("text"):upper() reaches only the allowed functions, and scripts cannot change that. */
    lua_pushliteral(lua, "");
    lua_getmetatable(lua, -1);
    lua_getfield(lua, globals, "string");
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    /* For messages Lua looks up function names among the loaded modules and takes the first match,
     * so a script must not be able to give a function a second name. */
    lua_newtable(lua);
    lua_newtable(lua);
    lua_pushnil(lua);
    while (lua_next(lua, globals)) {
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
    lua_setfield(lua, -2, LUA_GNAME);
    lua_setfield(lua, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_settop(lua, globals - 1);
}
