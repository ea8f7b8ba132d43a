/* view_arguments.h - checks what scripts hand to the methods of a view.
 *
 * Each check takes the method's name (for another object's with the object: "game:play") and the
 * argument's index (2 is the first after the view) and raises "view:METHOD: argument N must be …,
 * not …" when the value does not fit. */
#ifndef ENSIGN_BOT_VIEW_ARGUMENTS_H
#define ENSIGN_BOT_VIEW_ARGUMENTS_H

#include "view_lua.h"

#include <lua.h>

/* The view a method was called on; while no callback runs it cannot be used. */
struct view_lua *view_self(lua_State *lua, const char *method);

/* A square 1 … n or its name, as the core's number. */
square view_square(lua_State *lua, struct view_lua *self, const char *method, int index);

/* A piece 1 … count, as the view's index. */
int view_piece(lua_State *lua, struct view_lua *self, const char *method, int index);

/* A kind's name. */
kind_id view_kind(lua_State *lua, struct view_lua *self, const char *method, int index);

/* "red" or "blue". */
enum side view_side(lua_State *lua, const char *method, int index);

/* A move as view:moves() lists them; not necessarily a legal one. */
struct move view_move(lua_State *lua, struct view_lua *self, const char *method, int index);

/* Raises the error that names what was expected. */
_Noreturn void view_refuse(lua_State *lua, const char *method, int index, const char *expected);

/* A move as one integer and back. */
lua_Integer move_pack(struct move move);
struct move move_unpack(lua_Integer packed);

#endif
