/* walk.c - sorted keys in place of the hash order, which differs in each process.
 *
 * `pairs` and walks of C code collect and sort all keys once; a list, the usual case, needs no
 * keys. Errors and costs must not depend on the hash order or on how Lua stores the table: so all
 * keys are checked before an error is raised, and only a table with exactly the keys 1 to n is a
 * list. */
#include "walk.h"

#include "sandbox.h"
#include "table_slots.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEYS_MAX = 1 << 20, /* of a table that is walked */
    /* Fuel, measured: tests/bench/README.md. */
    NEXT_COST = 10,    /* of `next` */
    NEXT_KEY_COST = 4, /* and of each key that it looks at */
    WALK_COST = 10,    /* of a walk */
    WALK_KEY_COST = 8, /* and of each key */
    SORT_KEY_COST = 3, /* of each key that is sorted, in each round */
    KEY_BYTES = 16,    /* of a long key, to be compared for one */
    SPARSE_SLOTS = 4,  /* to each key, which cost nothing */
    SLOT_SHARE = 8     /* slots beyond those, to be passed for one */
};

/* A key in walking order: numbers ascending, texts by bytes, false, true. */
struct key {
    enum { KEY_NUMBER, KEY_TEXT, KEY_BOOLEAN } sort;
    bool integer;
    lua_Integer whole;
    lua_Number number;
    const char *text;
    size_t length;
};

/* An integer key never equals a float key, but near 2^63 they may compare equal as floats: the
 * integer comes first then. */
static int number_compare(const struct key *a, const struct key *b) {
    if (a->integer && b->integer) return (a->whole > b->whole) - (a->whole < b->whole);
    if (a->number != b->number) return a->number < b->number ? -1 : 1;
    return b->integer - a->integer;
}

static int key_compare(const void *left, const void *right) {
    const struct key *a = left, *b = right;
    if (a->sort != b->sort) return a->sort < b->sort ? -1 : 1;
    if (a->sort == KEY_NUMBER) return number_compare(a, b);
    if (a->sort == KEY_BOOLEAN) return (a->whole > b->whole) - (a->whole < b->whole);
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Reads the key at `index`; false if it has no order. */
static bool key_read(lua_State *lua, int index, struct key *key) {
    *key = (struct key){.sort = KEY_NUMBER};
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
        key->integer = lua_isinteger(lua, index);
        key->whole = key->integer ? lua_tointeger(lua, index) : 0;
        key->number = lua_tonumber(lua, index);
        return true;
    case LUA_TSTRING:
        key->sort = KEY_TEXT;
        key->text = lua_tolstring(lua, index, &key->length);
        return true;
    case LUA_TBOOLEAN:
        key->sort = KEY_BOOLEAN;
        key->whole = lua_toboolean(lua, index);
        return true;
    default:
        return false;
    }
}

/* Fuel for the free slots that a walk over so many keys passes. A table that was not emptied has at
 * most four slots to a key. */
static uint64_t slots_cost(lua_State *lua, int table, uint64_t keys) {
    uint64_t slots = table_slots(lua, table), usual = keys * SPARSE_SLOTS;
    return slots > usual ? (slots - usual) / SLOT_SHARE : 0;
}

static void refuse_type(lua_State *lua, int type) {
    luaL_error(lua, "a table with a %s as key has no order to be walked in",
               lua_typename(lua, type));
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

/* next(t, k): the least key above k. Scans the whole table each time, unlike `pairs`. */
int walk_next(lua_State *lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 2);
    bool any = lua_isnil(lua, 2), found = false;
    int odd = LUA_TNIL; /* type of a key without order: the least type if there are several */
    struct key after = {.sort = KEY_NUMBER}, best = after, key;
    uint64_t work = NEXT_COST, keys = 0;
    if (!any && !key_read(lua, 2, &after)) refuse_type(lua, lua_type(lua, 2));
    lua_pushnil(lua);
    while (lua_next(lua, 1)) {
        lua_pop(lua, 1);
        keys++;
        if (!key_read(lua, 3, &key)) {
            int type = lua_type(lua, 3);
            if (odd == LUA_TNIL || type < odd) odd = type;
            continue;
        }
        work += key.length / KEY_BYTES;
        if (!any && key_compare(&key, &after) <= 0) continue;
        if (!found || key_compare(&key, &best) < 0) best = key;
        found = true;
    }
    sandbox_charge(lua, work + keys * NEXT_KEY_COST + slots_cost(lua, 1, keys));
    if (odd != LUA_TNIL) refuse_type(lua, odd);
    if (!found) {
        lua_pushnil(lua);
        return 1;
    }
    key_push(lua, &best);
    lua_pushvalue(lua, -1);
    lua_rawget(lua, 1);
    return 2;
}

/* Pushes a sorted list of the keys of the table at the absolute index `table`, or nil if they are 1
 * to n; returns their number. Charges fuel. */
static lua_Integer push_keys(lua_State *lua, int table) {
    lua_Integer count = 0, listed = 0, length = (lua_Integer)lua_rawlen(lua, table), taken = 0;
    int odd = LUA_TNIL;
    uint64_t bytes = 0, rounds = 1;
    lua_pushnil(lua);
    while (lua_next(lua, table)) {
        lua_pop(lua, 1);
        lua_Integer number = lua_isinteger(lua, -1) ? lua_tointeger(lua, -1) : 0;
        int type = lua_type(lua, -1);
        count++;
        listed += number >= 1 && number <= length;
        if (type == LUA_TSTRING) bytes += lua_rawlen(lua, -1) / KEY_BYTES;
        if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN &&
            (odd == LUA_TNIL || type < odd))
            odd = type;
    }
    sandbox_charge(lua, WALK_COST + (uint64_t)count * WALK_KEY_COST +
                            slots_cost(lua, table, (uint64_t)count));
    if (odd != LUA_TNIL) refuse_type(lua, odd);
    if (listed == count && length == count) {
        lua_pushnil(lua);
        return count;
    }
    if (count > KEYS_MAX) return luaL_error(lua, "pairs: more than %d keys", KEYS_MAX);
    for (lua_Integer left = count; left > 1; left /= 2) rounds++;
    sandbox_charge(lua, ((uint64_t)count * SORT_KEY_COST + bytes) * rounds);
    struct key *keys = lua_newuserdatauv(lua, (size_t)count * sizeof *keys, 0);
    lua_pushnil(lua);
    while (lua_next(lua, table)) {
        lua_pop(lua, 1);
        key_read(lua, -1, &keys[taken++]);
    }
    qsort(keys, (size_t)count, sizeof *keys, key_compare);
    lua_createtable(lua, (int)count, 0);
    for (lua_Integer i = 0; i < count; i++) {
        key_push(lua, &keys[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_remove(lua, -2);
    return count;
}

/* Upvalues: sorted keys, their number, index of the last one returned. Keys whose value has become
 * nil are skipped. */
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

/* pairs(t): collects all keys at once, so the loop may clear and add fields. */
int walk_pairs(lua_State *lua) {
    luaL_checkany(lua, 1);
    if (luaL_getmetafield(lua, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(lua, 1);
        lua_call(lua, 1, 3);
        return 3;
    }
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    lua_pushinteger(lua, push_keys(lua, 1));
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, walk_keys, 3);
    lua_pushvalue(lua, 1);
    return 2;
}

void walk_start(lua_State *lua, struct walk *walk, int table) {
    luaL_checkstack(lua, 4, "walking a table");
    walk->table = table;
    walk->at = 0;
    walk->count = push_keys(lua, table);
    walk->keys = lua_gettop(lua);
}

bool walk_step(lua_State *lua, struct walk *walk) {
    lua_settop(lua, walk->keys);
    while (walk->at < walk->count) {
        walk->at++;
        if (lua_isnil(lua, walk->keys))
            lua_pushinteger(lua, walk->at);
        else
            lua_rawgeti(lua, walk->keys, walk->at);
        lua_pushvalue(lua, -1);
        if (lua_rawget(lua, walk->table) != LUA_TNIL) return true;
        lua_pop(lua, 2);
    }
    lua_pop(lua, 1);
    return false;
}
