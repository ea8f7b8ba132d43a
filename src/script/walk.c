/* walk.c - sorted keys in place of the hash order, which differs in each process.
 *
 * `pairs` takes and sorts all keys once; a list, the usual case, needs no keys. */
#include "walk.h"

#include "sandbox.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MAX = 1 << 20 }; /* of a table that is walked */

/* Keys in the order in which tables are walked: numbers ascending, texts by bytes, false, true. */
struct key {
    enum { KEY_NUMBER, KEY_TEXT, KEY_BOOLEAN } sort;
    bool integer;
    lua_Integer whole;
    lua_Number number;
    const char *text;
    size_t length;
};

static int key_compare(const void *left, const void *right) {
    const struct key *a = left, *b = right;
    if (a->sort != b->sort) return a->sort < b->sort ? -1 : 1;
    if (a->sort == KEY_TEXT) {
        int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
        return order ? order : (a->length > b->length) - (a->length < b->length);
    }
    if (a->integer && b->integer) return (a->whole > b->whole) - (a->whole < b->whole);
    return (a->number > b->number) - (a->number < b->number);
}

static struct key key_at(lua_State *lua, int index) {
    struct key key = {.sort = KEY_NUMBER};
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
        key.integer = lua_isinteger(lua, index);
        key.whole = key.integer ? lua_tointeger(lua, index) : 0;
        key.number = lua_tonumber(lua, index);
        break;
    case LUA_TSTRING:
        key.sort = KEY_TEXT;
        key.text = lua_tolstring(lua, index, &key.length);
        break;
    case LUA_TBOOLEAN:
        key.sort = KEY_BOOLEAN;
        key.integer = true;
        key.whole = lua_toboolean(lua, index);
        break;
    default:
        luaL_error(lua, "a table with a %s as key has no order to be walked in",
                   luaL_typename(lua, index));
    }
    return key;
}

static void key_push(lua_State *lua, const struct key *key) {
    if (key->sort == KEY_TEXT)
        lua_pushlstring(lua, key->text, key->length);
    else if (key->sort == KEY_BOOLEAN)
        lua_pushboolean(lua, (int)key->whole);
    else if (key->integer)
        lua_pushinteger(lua, key->whole);
    else
        lua_pushnumber(lua, key->number);
}

/* next(t, k): the least key beyond k. Looks at the whole table each time; `pairs` does not. */
int walk_next(lua_State *lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 2);
    bool any = lua_isnil(lua, 2), found = false;
    struct key after = {.sort = KEY_NUMBER}, best = after;
    uint64_t seen = 0;
    if (!any) after = key_at(lua, 2);
    lua_pushnil(lua);
    while (lua_next(lua, 1)) {
        lua_pop(lua, 1);
        struct key key = key_at(lua, 3);
        seen++;
        if (!any && key_compare(&key, &after) <= 0) continue;
        if (!found || key_compare(&key, &best) < 0) best = key;
        found = true;
    }
    sandbox_charge(lua, seen / 8 + 1);
    if (!found) {
        lua_pushnil(lua);
        return 1;
    }
    key_push(lua, &best);
    lua_pushvalue(lua, -1);
    lua_rawget(lua, 1);
    return 2;
}

/* Upvalues: keys in order, how many, the last one given. A key whose value has become nil since is
 * passed over. */
static int walk_keys(lua_State *lua) {
    lua_Integer count = lua_tointeger(lua, lua_upvalueindex(2));
    lua_Integer at = lua_tointeger(lua, lua_upvalueindex(3));
    while (at < count) {
        at++;
        if (lua_isnil(lua, lua_upvalueindex(1)))
            lua_pushinteger(lua, at);
        else
            lua_rawgeti(lua, lua_upvalueindex(1), at);
        lua_pushvalue(lua, -1);
        if (lua_rawget(lua, 1) != LUA_TNIL) {
            lua_pushinteger(lua, at);
            lua_replace(lua, lua_upvalueindex(3));
            return 2;
        }
        lua_pop(lua, 2);
    }
    lua_pushinteger(lua, at);
    lua_replace(lua, lua_upvalueindex(3));
    lua_pushnil(lua);
    return 1;
}

/* pairs(t): takes all keys at once, so that the loop may also clear and add fields. */
int walk_pairs(lua_State *lua) {
    luaL_checkany(lua, 1);
    if (luaL_getmetafield(lua, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(lua, 1);
        lua_call(lua, 1, 3);
        return 3;
    }
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    lua_Integer count = 0, listed = 0, length = (lua_Integer)lua_rawlen(lua, 1);
    lua_pushnil(lua);
    while (lua_next(lua, 1)) {
        lua_pop(lua, 1);
        lua_Integer key = lua_isinteger(lua, 2) ? lua_tointeger(lua, 2) : 0;
        if (key >= 1 && key <= length) listed++;
        count++;
    }
    sandbox_charge(lua, (uint64_t)count / 2 + 1);
    if (listed == count) {
        lua_pushnil(lua); /* a list needs no keys */
        count = length;
    } else {
        if (count > KEYS_MAX) return luaL_error(lua, "pairs: more than %d keys", KEYS_MAX);
        struct key *keys = lua_newuserdatauv(lua, (size_t)count * sizeof *keys, 0);
        lua_Integer taken = 0;
        lua_pushnil(lua);
        while (lua_next(lua, 1)) {
            lua_pop(lua, 1);
            keys[taken++] = key_at(lua, 3);
        }
        sandbox_charge(lua, (uint64_t)count * 4);
        qsort(keys, (size_t)count, sizeof *keys, key_compare);
        lua_createtable(lua, (int)count, 0);
        for (lua_Integer i = 0; i < count; i++) {
            key_push(lua, &keys[i]);
            lua_rawseti(lua, -2, i + 1);
        }
    }
    lua_pushinteger(lua, count);
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, walk_keys, 3);
    lua_pushvalue(lua, 1);
    return 2;
}

bool walk_entry(lua_State *lua, int table) {
    lua_pushcfunction(lua, walk_next);
    lua_pushvalue(lua, table);
    lua_rotate(lua, -3, -1); /* the key is the last argument */
    lua_call(lua, 2, 2);
    if (!lua_isnil(lua, -2)) return true;
    lua_pop(lua, 2);
    return false;
}
