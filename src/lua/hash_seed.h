/* hash_seed.h - Lua states with a fixed hash seed.
 *
 * Lua seeds its string hashes from addresses and the time. That affects more than the order of
 * keys, which walk.h hides: hash collisions decide when a table grows and moves integer keys to its
 * array part, and so the value of `#t` for a list with holes and the memory in use. Only a fixed
 * seed makes scripts deterministic. */
#ifndef ENSIGN_LUA_HASH_SEED_H
#define ENSIGN_LUA_HASH_SEED_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

/* The seed of new states. Only tests change it, to check that nothing else depends on it. */
extern uint32_t hash_seed;

/* lua_newstate() with that seed. */
lua_State *hash_seed_state(lua_Alloc allocate, void *context);

/* Does that work with the Lua library of this process? Tried once in each process; false also
 * without memory. */
bool hash_seed_proved(void);

#endif
