/* walk.h - `pairs` and `next` in a fixed order: numbers ascending, texts by bytes, false, true. A
 * key of another type has no order and is refused. */
#ifndef ENSIGN_LUA_WALK_H
#define ENSIGN_LUA_WALK_H

#include <lua.h>
#include <stdbool.h>

/* As Lua's functions of those names; `pairs` honours `__pairs`. */
int walk_next(lua_State *lua);
int walk_pairs(lua_State *lua);

/* A walk of C code in that order, by `while (walk_step(lua, &walk))`. The keys are taken and
 * sorted, and fuel is charged, once: fields may be changed, cleared and added on the way, and what
 * is added is not visited. Raises as walk_next() does. */
struct walk {
    int table, keys; /* absolute indices */
    lua_Integer count, at;
};

/* Pushes one value, which the walk needs; `table` is an absolute index. */
void walk_start(lua_State *lua, struct walk *walk, int table);

/* Drops what lies above that value and pushes the next key and its value; at the end drops that
 * value too and returns false. Whoever leaves the walk sooner drops it. */
bool walk_step(lua_State *lua, struct walk *walk);

#endif
