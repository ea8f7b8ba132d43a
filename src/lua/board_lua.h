/* board_lua.h - the `board` argument of a variant's functions. Documented in variants/REFERENCE.md,
 * "The board".
 *
 * Squares are whole numbers in Lua, a1 = 1, b1 = 2, …; scripts may also give a square's text
 * ("e7"). */
#ifndef ENSIGN_LUA_BOARD_LUA_H
#define ENSIGN_LUA_BOARD_LUA_H

#include "core/board/board.h"

#include <lauxlib.h>
#include <lua.h>

/* The methods; the list ends with a NULL name. */
extern const luaL_Reg BOARD_METHODS[];

/* Pushes a copy of `board` with its methods. */
void board_push(lua_State *lua, const struct board *board);

/* Reads the square at `index`; false if it is none of this board. Never raises. */
bool board_square_at(lua_State *lua, int index, const struct board *board, square *at);

/* The square or side in argument `index`. May raise. */
square board_check_square(lua_State *lua, int index, const struct board *board);
enum side board_check_side(lua_State *lua, int index);

/* Writes "e7" into `out`; returns it. */
const char *board_square_name(const struct board *board, square at, char out[4]);

#endif
