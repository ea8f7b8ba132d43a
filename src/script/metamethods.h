/* metamethods.h - a Lua state to which __gc, __close and __mode mean nothing.
 *
 * Finalizers and closing functions run where no fuel is counted, and a weak table that is cleared
 * while an allocation fails makes Lua 5.4.4 write into freed memory. Looking into a metatable when
 * it is set does not help: the field may be written later. So these names are taken from Lua
 * itself; all other metamethods, and what scripts may store under any name, stay as they are. */
#ifndef ENSIGN_SCRIPT_METAMETHODS_H
#define ENSIGN_SCRIPT_METAMETHODS_H

#include <lua.h>
#include <stdbool.h>

/* To be called once for a new state, before a library is opened or a script string made; false if
 * this Lua library is built differently and the names still have their meaning. Raises without
 * memory. C code that wants one of the three metamethods in such a state will not have it, except
 * luaL_Buffer, which is provided for. */
bool metamethods_mute(lua_State *lua);

/* Does that hold with the Lua library that this process runs with? Found out by trying, once in
 * each process; false also without memory for it. */
bool metamethods_proved(void);

#endif
