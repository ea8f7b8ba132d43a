/* view_why.c - view:why: is a move legal, and if not, which rule does it break?
 *
 * A move is legal if it is in view:moves(). Others are judged in a sketch of the game. If the
 * sketch allows one of those, the rule depends on hidden ranks or on moves before the view's
 * history, and is unknown. */
#include "core/know/sketch.h"
#include "core/play/repetition.h"
#include "core/text/notation.h"
#include "view_arguments.h"
#include "view_methods.h"

#include <string.h>

static bool is_offered(const struct view_lua *self, struct move move) {
    for (size_t i = 0; i < self->count; i++)
        if (move_equal(self->moves[i], move)) return true;
    return false;
}

static void push_earlier(lua_State *lua, const struct sketch *sketch, struct move move) {
    struct evidence evidence;
    repetition_explain(&sketch->game, move, &evidence);
    lua_createtable(lua, evidence.count, 0);
    for (int i = 0; i < evidence.count; i++) {
        lua_pushinteger(lua, (lua_Integer)evidence.ply[i] + sketch->before);
        lua_rawseti(lua, -2, i + 1);
    }
}

static int method_why(lua_State *lua) {
    struct view_lua *self = view_self(lua, "why");
    struct sketch sketch;
    struct move move;
    struct fault fault = {0};
    enum verdict verdict;
    if (!self->moves) return luaL_error(lua, "view:why: it is not this side's turn to move");
    sandbox_charge(lua, 500 + self->count);
    sketch_make(&sketch, self->view);
    if (lua_type(lua, 2) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, 2, &length);
        verdict = move_read(&sketch.game, text, length, &move, &fault);
    } else {
        move = view_move(lua, self, "why", 2);
        verdict = game_judge(&sketch.game, move);
    }
    bool understood = fault.status != STATUS_TEXT;
    bool legal = understood && is_offered(self, move);
    lua_pushboolean(lua, legal);
    if (legal) {
        lua_pushstring(lua, verdict_name(LEGAL));
        lua_pushstring(lua, verdict_sentence(LEGAL));
    } else if (verdict == LEGAL) {
        lua_pushliteral(lua, "unknown");
        lua_pushliteral(lua, "the move is not in view:moves()");
    } else {
        lua_pushstring(lua, verdict_name(verdict));
        lua_pushstring(lua, understood ? verdict_sentence(verdict) : fault.text);
    }
    if (legal || verdict == ILLEGAL_TWO_SQUARES || verdict == ILLEGAL_CHASE)
        push_earlier(lua, &sketch, move);
    else
        lua_newtable(lua);
    return 4;
}

const luaL_Reg VIEW_WHY_METHODS[] = {
    {"why", method_why},
    {NULL, NULL},
};
