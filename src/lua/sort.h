/* sort.h - `table.sort`, the same on every run.
 *
 * Lua's own takes its pivots by the clock when a long list divides badly, so that elements which
 * compare as equal come out in one order or another. This one keeps them in the order they had. */
#ifndef ENSIGN_LUA_SORT_H
#define ENSIGN_LUA_SORT_H

#include <lua.h>

enum { SORT_MAX = 10000 }; /* elements of a list that can be sorted */

/* table.sort(list[, less]): a list without __len. Nothing of the list is changed before all is in
 * order; an order function that contradicts itself gives some order, and no error. */
int sort_list(lua_State *lua);

#endif
