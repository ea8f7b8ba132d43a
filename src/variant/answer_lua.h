/* answer_lua.h - what a variant's calls return, as answers for the core. */
#ifndef ENSIGN_VARIANT_ANSWER_LUA_H
#define ENSIGN_VARIANT_ANSWER_LUA_H

#include "core/play/calls.h"

#include <lua.h>

/* Reads what the function returned (two values, on top of the stack) into the part of `answer` that
 * belongs to the call. False with a fault (STATUS_RULES) that says what was expected. In a
 * protected call. */
bool answer_lua_read(lua_State *lua, const struct rules *rules, enum call call,
                     struct call_answer *answer, struct fault *fault);

/* The words for effects, "remove" first; NULL beyond the last. */
const char *answer_effect(int index);

#endif
