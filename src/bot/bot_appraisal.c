/* bot_appraisal.c - reads the chances that bot.appraise returns. */
#include "bot_appraisal.h"

#include <lauxlib.h>
#include <math.h>

/* The number on top of the stack as a chance; -1 if it is none. */
static long to_chance(lua_State *lua) {
    double number = lua_type(lua, -1) == LUA_TNUMBER ? lua_tonumber(lua, -1) : NAN;
    return number >= 0 && number <= 1 ? lround(number * APPRAISAL_CERTAIN) : -1;
}

static void read_one(lua_State *lua, uint16_t *chance) {
    long read = to_chance(lua);
    if (read < 0)
        luaL_error(lua, "returned %s, expected a number from 0 to 1, as the other side is to move",
                   luaL_typename(lua, -1));
    *chance = (uint16_t)read;
}

void bot_appraisal_read(lua_State *lua, const struct view_lua *view, uint16_t *chances) {
    if (lua_type(lua, -1) == LUA_TNIL)
        luaL_error(lua, "returned nil: it has no opinion on this variant");
    if (!view->count) {
        read_one(lua, chances);
        return;
    }
    if (lua_type(lua, -1) != LUA_TTABLE)
        luaL_error(lua, "returned %s, expected a list of chances, one for each of view:moves()",
                   luaL_typename(lua, -1));
    if (lua_rawlen(lua, -1) != view->count)
        luaL_error(lua, "returned %d chances, expected %d, one for each of view:moves()",
                   (int)lua_rawlen(lua, -1), (int)view->count);
    for (size_t i = 0; i < view->count; i++) {
        lua_rawgeti(lua, -1, (lua_Integer)i + 1);
        long read = to_chance(lua);
        if (read < 0)
            luaL_error(lua, "returned a list whose entry %d is no number from 0 to 1", (int)i + 1);
        chances[i] = (uint16_t)read;
        lua_pop(lua, 1);
    }
}
