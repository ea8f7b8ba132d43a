/* walk.h - `pairs` and `next` in a fixed order: numbers ascending, texts by bytes, false, true. A
 * key of another type has no order and is refused. */
#ifndef ENSIGN_SCRIPT_WALK_H
#define ENSIGN_SCRIPT_WALK_H

#include <lua.h>
#include <stdbool.h>

/* As Lua's functions of those names; `pairs` honours `__pairs`. */
int walk_next(lua_State *lua);
int walk_pairs(lua_State *lua);

/* lua_next() in that order, for C; `table` is an absolute index. Raises as walk_next() does. */
bool walk_entry(lua_State *lua, int table);

#endif
