/* table_slots.c - reads the size of a table from its header.
 *
 * The header is private to Lua; 5.4.4 is assumed. `#t` keeps its last answer in the field of the
 * array's size; a flag says so, and the size is then the next power of two. table_slots_proved()
 * checks tables of known sizes; otherwise sandbox_new() refuses. */
#include "table_slots.h"

#include <lauxlib.h>
#include <pthread.h>
#include <stdint.h>

/* The first fields of Lua's `Table`. */
struct header {
    void *next;
    uint8_t type, marked;
    uint8_t flags;
    uint8_t hash_size; /* the power of two */
    unsigned array_size;
};

enum { NO_SIZE = 1 << 7 }; /* in `flags`: array_size is an answer of `#t` */

size_t table_slots(lua_State *lua, int index) {
    const struct header *header = lua_topointer(lua, index);
    size_t array = header->array_size;
    if (header->flags & NO_SIZE) {
        size_t power = 1;
        while (power < array) power *= 2;
        array = power;
    }
    return array + ((size_t)1 << header->hash_size);
}

static int expect_slots(lua_State *lua) {
    enum { ARRAY = 1000, HASH = 300, LIST = 1024, HASH_POWER = 512 };
    lua_createtable(lua, ARRAY, 0);
    bool right = table_slots(lua, -1) == ARRAY + 1;
    lua_createtable(lua, 0, HASH);
    right = right && table_slots(lua, -1) == HASH_POWER;
    lua_createtable(lua, ARRAY, HASH);
    right = right && table_slots(lua, -1) == ARRAY + HASH_POWER;
    lua_newtable(lua);
    right = right && table_slots(lua, -1) <= 1;
    for (int i = 1; i <= LIST; i++) {
        lua_pushboolean(lua, 1);
        lua_rawseti(lua, -2, i);
    }
    for (int left = LIST; left > 0; left--) {
        right = right && lua_rawlen(lua, -1) == (size_t)left && table_slots(lua, -1) == LIST + 1;
        lua_pushnil(lua);
        lua_rawseti(lua, -2, left);
    }
    lua_pushboolean(lua, right);
    return 1;
}

static bool proved;

static void table_slots_prove(void) {
    lua_State *lua = luaL_newstate();
    if (lua) lua_pushcfunction(lua, expect_slots);
    proved = lua && lua_pcall(lua, 0, 1, 0) == LUA_OK && lua_toboolean(lua, -1);
    if (lua) lua_close(lua);
}

bool table_slots_proved(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, table_slots_prove);
    return proved;
}
