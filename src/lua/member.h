/* member.h - errors for members that an object lacks, and for methods called without a colon. */
#ifndef ENSIGN_LUA_MEMBER_H
#define ENSIGN_LUA_MEMBER_H

#include <lua.h>

enum member_rule {
    MEMBER_NEEDED,  /* a name that is not there is an error */
    MEMBER_MISSPELT /* only if a known one is near; else it reads as nil */
};

/* From now on a name that the table on top of the stack lacks is an error: `view has no "movse",
 * did you mean view:moves()?`. `object` is what the message calls it; a literal. */
void member_guard(lua_State *lua, const char *object, enum member_rule rule);

/* Raises that error for `name`, a key that the table at `members` lacks; returns if the rule allows
 * it. */
void member_refuse(lua_State *lua, int members, const char *object, const char *name,
                   enum member_rule rule);

/* Gives the table on top of the stack, which has some of the `names` (up to a NULL) as fields, a
 * metatable that finds misspelt ones. It is made once for each `object`, under the key `names`. */
void member_fields(lua_State *lua, const char *object, const char *const *names);

/* Raises: a method was called without its object. `method` NULL: as the call names it. */
_Noreturn void member_colon(lua_State *lua, const char *object, const char *method);

#endif
