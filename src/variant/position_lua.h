/* position_lua.h - the position that a variant's calls are handed. Documented in
 * variants/README.md, "The position".
 *
 * One userdata serves a state for good; what it shows is a game of the host's, which scripts can
 * only read, and only while they are asked about it. */
#ifndef ENSIGN_VARIANT_POSITION_LUA_H
#define ENSIGN_VARIANT_POSITION_LUA_H

#include "core/play/calls.h"

#include <lauxlib.h>

extern const luaL_Reg POSITION_METHODS[]; /* ends with a NULL name */

struct position_lua {
    const struct game *game; /* NULL while nothing is asked */
};

/* Makes the userdata and pushes it; it is Lua's memory. `pieces` is the absolute index of the
 * variant's table of pieces. May raise. */
struct position_lua *position_lua_push(lua_State *lua, const struct rules *rules, int pieces);

/* Pushes a move as a table. May raise. */
void position_lua_push_play(lua_State *lua, const struct rules *rules, enum call call,
                            const struct play *play);

#endif
