/* hint.h - what was probably meant, for errors of the interpreter itself. */
#ifndef ENSIGN_LUA_HINT_H
#define ENSIGN_LUA_HINT_H

#include <lua.h>

enum { HINT_MAX = 160 };

/* While the error with this message is raised, in a message handler: writes what to add to it into
 * `out`; nothing for most. Allocates nothing in the state. */
void hint_for(lua_State *lua, const char *message, char out[HINT_MAX]);

#endif
