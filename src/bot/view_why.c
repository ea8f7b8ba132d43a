/* view_why.c - view:why: is a move legal, and if not, which rule does it break? core/know/why.h
 * decides. */
#include "core/know/why.h"

#include "view_arguments.h"
#include "view_methods.h"

static int method_why(lua_State *lua) {
    struct view_lua *self = view_self(lua, "why");
    struct why why;
    if (!self->moves) return luaL_error(lua, "view:why: it is not this side's turn to move");
    sandbox_charge(lua, 500 + self->count);
    if (lua_type(lua, 2) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, 2, &length);
        why_text(self->view, self->moves, self->count, text, length, &why);
    } else {
        why_move(self->view, self->moves, self->count, view_move(lua, self, "why", 2), &why);
    }
    lua_pushboolean(lua, why.legal);
    lua_pushstring(lua, why.rule);
    lua_pushstring(lua, why.text);
    lua_createtable(lua, why.evidence.count, 0);
    for (int i = 0; i < why.evidence.count; i++) {
        lua_pushinteger(lua, why.evidence.ply[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    return 4;
}

const luaL_Reg VIEW_WHY_METHODS[] = {
    {"why", method_why},
    {NULL, NULL},
};
