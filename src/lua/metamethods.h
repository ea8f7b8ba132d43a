/* metamethods.h - a Lua state without __gc, __close and __mode.
 *
 * Finalizers and closing functions run where no fuel is counted, and Lua 5.4.4 writes into freed
 * memory if an allocation fails while a weak table is cleared. Checking a metatable when it is set
 * is not enough: the field may be written later. So Lua itself is made to ignore these names. All
 * other metamethods work, and scripts may store values under any name. */
#ifndef ENSIGN_LUA_METAMETHODS_H
#define ENSIGN_LUA_METAMETHODS_H

#include <lua.h>
#include <stdbool.h>

/* Call once for a new state, before any library is opened or script string made. False if this Lua
 * library is built differently and the names keep their meaning. Raises without memory. C code
 * cannot use the three metamethods in such a state either, except luaL_Buffer, which needs two. */
bool metamethods_mute(lua_State *lua);

/* Does this work with the Lua library of this process? Tried once in each process; false also
 * without memory. */
bool metamethods_proved(void);

#endif
