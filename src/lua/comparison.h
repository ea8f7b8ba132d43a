/* comparison.h - fuel for what `<` and its like do with two texts.
 *
 * Lua asks strcoll(), once for each stretch between zeros. The program has its own, which orders
 * texts by their bytes and charges COMPARISON_BYTES of them as an instruction. Where the Lua
 * library does not find it (libensign, in a program of others) comparing costs nothing, and the
 * clock ends what does little else. */
#ifndef ENSIGN_LUA_COMPARISON_H
#define ENSIGN_LUA_COMPARISON_H

#include <lua.h>
#include <stdint.h>

enum { COMPARISON_BYTES = 64 };

/* Charges instructions; may raise. NULL: nothing is charged. */
typedef void comparison_charge(lua_State *lua, uint64_t amount);

/* Whom comparisons of a thread are charged to. */
struct comparison_payer {
    lua_State *lua;
    comparison_charge *charge;
};

/* Sets this thread's payer and returns the one before. */
struct comparison_payer comparison_pays(struct comparison_payer payer);

#endif
