/* hash_seed.h - Lua states that all hash texts alike.
 *
 * Lua takes the seed of its hashes from addresses and the time. That shows in more than the order
 * of keys, which walk.h hides: when a table grows, and its whole numbers move into its array part,
 * hangs on collisions of texts; so does what `#t` gives for a list with holes, and how much memory
 * a state holds. Only one seed for all makes a script the same in each process. */
#ifndef ENSIGN_LUA_HASH_SEED_H
#define ENSIGN_LUA_HASH_SEED_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

/* The seed of states to come. Only tests set another, to see that nothing else hangs on it. */
extern uint32_t hash_seed;

/* lua_newstate() with that seed. */
lua_State *hash_seed_state(lua_Alloc allocate, void *context);

/* Does that work with the Lua library that this process runs with? Found out by trying, once in
 * each process; false also without memory for it. */
bool hash_seed_proved(void);

#endif
