/* member.c - a metatable of the members' table, met only by names that are not in it. */
#include "member.h"

#include "base/words.h"
#include "sandbox.h"

#include <lauxlib.h>
#include <string.h>

enum { GUESS_COST = 2000 }; /* fuel */

void member_refuse(lua_State *lua, int members, const char *object, const char *name,
                   enum member_rule rule) {
    struct word_guess guess = word_guess_for(name);
    members = lua_absindex(lua, members);
    sandbox_push_text(lua, name);
    const bool known = lua_rawget(lua, members) != LUA_TNIL; /* a field that is not set */
    lua_pop(lua, 1);
    if (known) return;
    sandbox_charge(lua, GUESS_COST);
    for (lua_pushnil(lua); lua_next(lua, members); lua_pop(lua, 1))
        if (lua_type(lua, -2) == LUA_TSTRING) word_offer_any(&guess, lua_tostring(lua, -2));
    if (!guess.best[0]) {
        if (rule == MEMBER_NEEDED) luaL_error(lua, "%s has no \"%s\"", object, name);
        return;
    }
    const bool method = lua_getfield(lua, members, guess.best) == LUA_TFUNCTION;
    luaL_error(lua, "%s has no \"%s\", did you mean %s%s%s%s?", object, name, object,
               method ? ":" : ".", guess.best, method ? "()" : "");
}

/* __index of a table of members, which does not have the key. */
static int missing_member(lua_State *lua) {
    const char *object = lua_tostring(lua, lua_upvalueindex(1));
    const enum member_rule rule = (enum member_rule)lua_tointeger(lua, lua_upvalueindex(2));
    lua_settop(lua, 2);
    if (lua_type(lua, 2) == LUA_TSTRING)
        member_refuse(lua, lua_upvalueindex(3), object, lua_tostring(lua, 2), rule);
    else if (rule == MEMBER_NEEDED)
        luaL_error(lua, "%s is no list; it has no members by %s", object, luaL_typename(lua, 2));
    return 0;
}

/* Pushes a metatable for what has the members on top of the stack. */
static void push_guard(lua_State *lua, const char *object, enum member_rule rule) {
    lua_newtable(lua);
    sandbox_push_text(lua, object);
    lua_pushinteger(lua, rule);
    lua_pushvalue(lua, -4);
    lua_pushcclosure(lua, missing_member, 3);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, 0); /* hides it from scripts */
    lua_setfield(lua, -2, "__metatable");
}

void member_guard(lua_State *lua, const char *object, enum member_rule rule) {
    push_guard(lua, object, rule);
    lua_setmetatable(lua, -2);
}

void member_fields(lua_State *lua, const char *object, const char *const *names) {
    if (lua_rawgetp(lua, LUA_REGISTRYINDEX, names) == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_newtable(lua);
        for (const char *const *name = names; *name; name++) {
            lua_pushboolean(lua, 1);
            lua_setfield(lua, -2, *name);
        }
        push_guard(lua, object, MEMBER_MISSPELT);
        lua_remove(lua, -2);
        lua_pushvalue(lua, -1);
        lua_rawsetp(lua, LUA_REGISTRYINDEX, names);
    }
    lua_setmetatable(lua, -2);
}

void member_colon(lua_State *lua, const char *object, const char *method) {
    lua_Debug record;
    if (!method && lua_getstack(lua, 0, &record) && lua_getinfo(lua, "n", &record))
        method = record.name;
    if (method)
        luaL_error(lua, "%s.%s must be called with a colon: %s:%s()", object, method, object,
                   method);
    luaL_error(lua, "the methods of %s must be called with a colon, as %s:name()", object, object);
    __builtin_unreachable();
}
