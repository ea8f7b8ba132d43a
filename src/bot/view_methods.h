/* view_methods.h - the methods of a view that read the board, the rules and the pieces, search, and
 * judge moves. */
#ifndef ENSIGN_BOT_VIEW_METHODS_H
#define ENSIGN_BOT_VIEW_METHODS_H

#include <lauxlib.h>

/* Ends with a NULL name. Each is a C closure whose first upvalue is its `struct view_lua`. */
extern const luaL_Reg VIEW_BOARD_METHODS[];
extern const luaL_Reg VIEW_RULES_METHODS[];
extern const luaL_Reg VIEW_PIECE_METHODS[];
extern const luaL_Reg VIEW_MOVE_METHODS[];
extern const luaL_Reg VIEW_SEARCH_METHODS[];
extern const luaL_Reg VIEW_WHY_METHODS[];

#endif
