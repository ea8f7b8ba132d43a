/* library.h - the part of Lua's library that scripts get, with our replacements. */
#ifndef ENSIGN_LUA_LIBRARY_H
#define ENSIGN_LUA_LIBRARY_H

#include <lua.h>

/* Sets the globals of a new state to the allow-listed names; scripts can reach nothing else.
 * sandbox.c adds `require`. May raise. */
void library_open(lua_State *lua);

/* Pushes the result of a script's `tostring`: never an address. Calls `__tostring`, so it may run
 * Lua and raise. */
const char *library_tostring(lua_State *lua, int index);

/* Length of the list at `index`. Raises for a table with `__len`, which could claim any length. */
lua_Unsigned library_plain_length(lua_State *lua, int index);

#endif
