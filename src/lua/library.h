/* library.h - the part of Lua's library that scripts get, and what is ours in it. */
#ifndef ENSIGN_LUA_LIBRARY_H
#define ENSIGN_LUA_LIBRARY_H

#include <lua.h>

/* Makes the allow-listed names the globals of a new state; nothing else can be reached from a
 * script. `require` is added by sandbox.c. May raise. */
void library_open(lua_State *lua);

/* Pushes what `tostring` of a script gives: never an address. Calls `__tostring`, so it may raise
 * and run Lua. */
const char *library_tostring(lua_State *lua, int index);

/* Length of the list at `index`. The list functions take plain tables: raises for one with `__len`,
 * which could promise any number of elements. */
lua_Unsigned library_plain_length(lua_State *lua, int index);

#endif
