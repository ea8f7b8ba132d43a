/* view_arguments.h - checks the arguments of the methods of views and samples.
 *
 * Each check takes the method's name (of a sample's method "game:play") and the argument's index (2
 * is the first after the view), and raises "view:METHOD: argument N must be …, not …" for a wrong
 * value. */
#ifndef ENSIGN_BOT_VIEW_ARGUMENTS_H
#define ENSIGN_BOT_VIEW_ARGUMENTS_H

#include "view_lua.h"

#include <lua.h>

/* The view that a method was called on. Raises if no callback is running. */
struct view_lua *view_self(lua_State *lua, const char *method);

/* A square, 1 … n or its name, as the core numbers it. */
square view_square(lua_State *lua, struct view_lua *self, const char *method, int index);

/* A piece, 1 … count, as the view's index. */
int view_piece(lua_State *lua, struct view_lua *self, const char *method, int index);

/* A kind's name. */
kind_id view_kind(lua_State *lua, struct view_lua *self, const char *method, int index);

/* "red" or "blue". */
enum side view_side(lua_State *lua, const char *method, int index);

/* The number of a counter of the variant. */
int view_counter(lua_State *lua, const struct rules *rules, const char *method, int index);

/* A move as view:moves() lists them; it may be illegal. */
struct move view_move(lua_State *lua, struct view_lua *self, const char *method, int index);

/* The move at a place of the list in argument `index`. */
struct move view_move_in(lua_State *lua, struct view_lua *self, const char *method, int index,
                         lua_Integer place);

/* Raises if the table in argument `index` has a key that is not in `keys`, a list such as
 * "a, b and c". */
void view_check_keys(lua_State *lua, const char *method, int index, const char *keys);

/* The whole number at `key` of the options in argument `index`, from `least` to `most`; `other` if
 * it is missing. Raises for another one. */
lua_Integer view_whole_option(lua_State *lua, const char *method, int index, const char *key,
                              lua_Integer other, lua_Integer least, lua_Integer most);

/* Raises the error about a wrong value; `expected` is "a square …". */
_Noreturn void view_refuse(lua_State *lua, const char *method, int index, const char *expected);

/* A move as one integer and back. */
lua_Integer move_pack(struct move move);
struct move move_unpack(lua_Integer packed);

#endif
