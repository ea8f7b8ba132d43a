/* sort.h - a deterministic `table.sort`.
 *
 * Lua's own picks pivots by the clock when a long list divides badly, so equal elements come out in
 * varying order. This one is stable. */
#ifndef ENSIGN_LUA_SORT_H
#define ENSIGN_LUA_SORT_H

#include <lua.h>

enum { SORT_MAX = 10000 }; /* longest list that can be sorted */

/* table.sort(list[, less]) for a list without __len. The list is unchanged until the sort is
 * complete; an inconsistent order function gives some order, not an error. */
int sort_list(lua_State *lua);

#endif
