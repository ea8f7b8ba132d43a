/* metamethods.h - a Lua state to which __gc, __close and __mode mean nothing.
 *
 * Finalizers and closing functions run where no fuel is counted, and Lua 5.4.4 writes into freed
 * memory if an allocation fails while a weak table is cleared. Checking a metatable when it is set
 * does not help: the field may be written later. So Lua itself no longer knows these names. All
 * other metamethods work, and scripts may store values under any name. */
#ifndef ENSIGN_LUA_METAMETHODS_H
#define ENSIGN_LUA_METAMETHODS_H

#include <lua.h>
#include <stdbool.h>

/* To be called once for a new state, before a library is opened or a string of a script is made.
 * False if this Lua library is built differently and the names keep their meaning. Raises without
 * memory. C code cannot use the three metamethods in such a state either; luaL_Buffer, which needs
 * two of them, works. */
bool metamethods_mute(lua_State *lua);

/* Does this work with the Lua library that the process runs with? Tried once in each process; false
 * also without memory. */
bool metamethods_proved(void);

#endif
