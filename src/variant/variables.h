/* variables.h - which variables a function has changed. */
#ifndef ENSIGN_VARIANT_VARIABLES_H
#define ENSIGN_VARIANT_VARIABLES_H

#include "base/words.h"

#include <lua.h>

/* Their values, up to some thousands. */
struct variables;

/* What the function on top of the stack can reach by variables and tables. Runs no script, and
 * allocates nothing in Lua. NULL without memory; the caller frees. */
struct variables *variables_of(lua_State *lua);

/* Names the first variable that has another value now, or another in its tables; else leaves
 * `changed` as it is. */
void variables_compare(const struct variables *before, const struct variables *now,
                       char changed[WORD_MAX]);

#endif
