/* walk.h - `pairs` and `next` in a fixed order: numbers ascending, texts by bytes, false, true. A
 * key of any other type is an error. */
#ifndef ENSIGN_LUA_WALK_H
#define ENSIGN_LUA_WALK_H

#include <lua.h>
#include <stdbool.h>

/* As Lua's functions of those names; `pairs` honours `__pairs`. */
int walk_next(lua_State *lua);
int walk_pairs(lua_State *lua);

/* The same walk for C code: `while (walk_step(lua, &walk))`. Keys are collected, sorted and charged
 * for once, so fields may be changed, cleared and added on the way; added ones are not visited.
 * Raises as walk_next() does. */
struct walk {
    int table, keys; /* absolute indices */
    lua_Integer count, at;
};

/* Pushes one value for the walk; `table` is an absolute index. */
void walk_start(lua_State *lua, struct walk *walk, int table);

/* Pops everything above that value, then pushes the next key and its value. At the end pops that
 * value too and returns false; a caller that stops earlier must pop it. */
bool walk_step(lua_State *lua, struct walk *walk);

#endif
