/* sort.c - a bottom-up merge sort.
 *
 * The elements stay on Lua's stack while their indices are sorted, so the order function may change
 * the list. */
#include "sort.h"

#include "library.h"
#include "sandbox.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    ELEMENT_COST = 8, /* fuel for an element, */
    COMPARE_COST = 5, /* for a comparison of two, */
    CALL_COST = 25,   /* for entering an order function, */
    TEXT_BYTES = 64   /* and for so many bytes of a text, in each round, 1 */
};

/* Is element `a`, counted from 0, less than `b`? The first is on the stack at 3. */
static bool is_less(lua_State *lua, int a, int b) {
    if (lua_isnil(lua, 2)) return lua_compare(lua, a + 3, b + 3, LUA_OPLT);
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

int sort_list(lua_State *lua) {
    lua_Unsigned length = library_plain_length(lua, 1);
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
