/* bot_advice.c - reads what bot.explain and bot.appraise return. */
#include "bot_advice.h"

#include "view_arguments.h"

#include <lauxlib.h>
#include <math.h>

bool candidate_is_sound(const struct candidate *candidate, size_t moves) {
    return candidate->chosen < moves && isfinite(candidate->score) &&
           fabs(candidate->score) <= ADVICE_VALUE_MAX && isfinite(candidate->chance) &&
           candidate->chance <= 1 && isfinite(candidate->stake) &&
           candidate->stake <= ADVICE_VALUE_MAX;
}

/* A number of the entry on top of the stack; -1 if it is absent. */
static double read_number(lua_State *lua, int entry, const char *key, double least, double most,
                          bool needed) {
    sandbox_push_text(lua, key);
    int type = lua_rawget(lua, -2);
    double number = type == LUA_TNUMBER ? lua_tonumber(lua, -1) : NAN;
    if (type == LUA_TNIL && !needed)
        number = -1;
    else if (!(number >= least && number <= most))
        luaL_error(lua,
                   "returned a list whose entry %d has no sound %s; expected a number from %f "
                   "to %f",
                   entry, key, least, most);
    lua_pop(lua, 1);
    return number;
}

static uint32_t read_move(lua_State *lua, const struct view_lua *view, int entry) {
    int is_integer = 0;
    lua_pushliteral(lua, "move");
    lua_rawget(lua, -2);
    lua_Integer packed =
        lua_type(lua, -1) == LUA_TNUMBER ? lua_tointegerx(lua, -1, &is_integer) : 0;
    const struct move move = move_unpack(packed);
    lua_pop(lua, 1);
    for (size_t i = 0; is_integer && move_pack(move) == packed && i < view->count; i++)
        if (move_equal(view->moves[i], move)) return (uint32_t)i;
    return (uint32_t)luaL_error(lua, "returned a list whose entry %d has no legal move", entry);
}

void bot_advice_read(lua_State *lua, const struct view_lua *view, struct advice *advice) {
    advice->count = 0;
    if (lua_type(lua, -1) != LUA_TTABLE)
        luaL_error(lua, "returned %s, expected a list of moves with their scores",
                   luaL_typename(lua, -1));
    for (int i = 1; i <= ADVICE_MAX; i++) {
        int type = lua_rawgeti(lua, -1, i);
        if (type == LUA_TNIL) {
            lua_pop(lua, 1);
            return;
        }
        if (type != LUA_TTABLE)
            luaL_error(lua, "returned a list whose entry %d is a %s, expected a table", i,
                       luaL_typename(lua, -1));
        struct candidate *candidate = &advice->list[advice->count];
        candidate->chosen = read_move(lua, view, i);
        candidate->score = read_number(lua, i, "score", -ADVICE_VALUE_MAX, ADVICE_VALUE_MAX, true);
        candidate->chance = read_number(lua, i, "chance", 0, 1, false);
        candidate->stake = read_number(lua, i, "stake", 0, ADVICE_VALUE_MAX, false);
        advice->count++;
        lua_pop(lua, 1);
    }
}

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
