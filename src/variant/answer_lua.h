/* answer_lua.h - converts the results of a variant's calls to answers for the core. */
#ifndef ENSIGN_VARIANT_ANSWER_LUA_H
#define ENSIGN_VARIANT_ANSWER_LUA_H

#include "core/play/calls.h"

#include <lua.h>

/* Converts the function's two results, on top of the stack, to the fields of `answer` that `call`
 * uses. False with a fault (STATUS_RULES) that names the expected value. Runs in a protected call.
 */
bool answer_lua_read(lua_State *lua, const struct rules *rules, enum call call,
                     struct call_answer *answer, struct fault *fault);

/* The effects' names, "remove" first; NULL past the end. */
const char *answer_effect(int index);

#endif
