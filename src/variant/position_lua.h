/* position_lua.h - the read-only position that a variant's calls receive, documented in
 * variants/REFERENCE.md, "The position".
 *
 * A Lua state has one userdata for all its calls. It shows the game that the current call is about,
 * and cannot be read between calls. */
#ifndef ENSIGN_VARIANT_POSITION_LUA_H
#define ENSIGN_VARIANT_POSITION_LUA_H

#include "core/play/calls.h"
#include "lua/logbook.h"

#include <lauxlib.h>

extern const luaL_Reg POSITION_METHODS[]; /* ends with a NULL name */

struct position_lua {
    const struct game *game; /* NULL between calls */
};

/* Creates the userdata and pushes it; Lua owns it. `pieces` is the absolute index of the variant's
 * `pieces` table. May raise. */
struct position_lua *position_lua_push(lua_State *lua, const struct rules *rules, int pieces);

/* For struct logbook: writes the board of a position. */
bool position_lua_show(void *context, lua_State *lua, int index, struct logbook *book);

/* Pushes a move as a table. May raise. */
void position_lua_push_play(lua_State *lua, const struct rules *rules, enum call call,
                            const struct play *play);

#endif
