/* view_methods.h - the methods of a view, by the file that has them. */
#ifndef ENSIGN_BOT_VIEW_METHODS_H
#define ENSIGN_BOT_VIEW_METHODS_H

#include <lauxlib.h>

/* Each ends with a NULL name. The methods' first upvalue is their `struct view_lua`. */
extern const luaL_Reg VIEW_BOARD_METHODS[];
extern const luaL_Reg VIEW_RULES_METHODS[];
extern const luaL_Reg VIEW_PIECE_METHODS[];
extern const luaL_Reg VIEW_MOVE_METHODS[];
extern const luaL_Reg VIEW_SEARCH_METHODS[];
extern const luaL_Reg VIEW_SAMPLE_METHODS[];
extern const luaL_Reg VIEW_MIND_METHODS[];
extern const luaL_Reg VIEW_CHASE_METHODS[];
extern const luaL_Reg VIEW_TEXT_METHODS[];
extern const luaL_Reg VIEW_META_METHODS[]; /* of the metatable itself */

extern const luaL_Reg GAME_METHODS[]; /* of samples */
extern const luaL_Reg MIND_METHODS[]; /* of minds */

#endif
