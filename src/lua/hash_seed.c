/* hash_seed.c - sets the hash seed of a Lua state during its creation.
 *
 * lua_newstate() allocates twice before it makes its first string: the block of the state, and,
 * after writing the seed into that block, the stack. The seed is replaced at the second request;
 * later would be too late, since strings keep their hash.
 *
 * The seed's offset is private to Lua; 5.4.4 is assumed. The block is searched for our allocator
 * and its context, which begin the part that `struct beginning` mirrors. hash_seed_proved() checks
 * that states of one seed order their keys alike; otherwise sandbox_new() refuses. */
#include "hash_seed.h"

#include <lauxlib.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 26, TRIALS = 4 };

uint32_t hash_seed = 0x9e3779b9;

/* The first fields of Lua's `global_State`. */
struct beginning {
    lua_Alloc allocate;
    void *context;
    ptrdiff_t bytes, debt;
    size_t estimate, atomic;
    struct {
        void *buckets;
        int used, size;
    } texts;
    struct {
        void *value;
        unsigned char tag;
    } registry, nothing;
    unsigned seed;
};

struct planting {
    lua_Alloc allocate;
    void *context;
    char *block; /* the state's block until the seed is set, else NULL */
    size_t size;
};

static void *seed_plant(void *context, void *block, size_t old_size, size_t new_size);

static void set_seed(const struct planting *planting) {
    for (size_t at = 0; at + sizeof(struct beginning) <= planting->size; at += sizeof(void *)) {
        struct beginning *found = (struct beginning *)(void *)(planting->block + at);
        if (found->allocate != seed_plant || found->context != planting) continue;
        found->seed = hash_seed;
        return;
    }
}

static void *seed_plant(void *context, void *block, size_t old_size, size_t new_size) {
    struct planting *planting = context;
    bool first = !planting->size;
    if (planting->block) set_seed(planting);
    planting->block = NULL;
    void *given = planting->allocate(planting->context, block, old_size, new_size);
    if (first && given) {
        memset(given, 0, new_size); /* the search reads what Lua may not have written */
        planting->block = given;
        planting->size = new_size;
    }
    return given;
}

lua_State *hash_seed_state(lua_Alloc allocate, void *context) {
    struct planting planting = {allocate, context, NULL, 0};
    lua_State *lua = lua_newstate(seed_plant, &planting);
    if (lua) lua_setallocf(lua, allocate, context);
    return lua;
}

static void *trial_allocate(void *context, void *block, size_t old_size, size_t new_size) {
    (void)context, (void)old_size;
    if (new_size) return realloc(block, new_size);
    free(block);
    return NULL;
}

/* Writes the keys of a table in Lua's order into argument 1, which holds KEYS bytes. */
static int list_keys(lua_State *lua) {
    char *out = lua_touserdata(lua, 1);
    lua_newtable(lua);
    for (int i = 0; i < KEYS; i++) {
        lua_pushfstring(lua, "key %c", 'a' + i);
        lua_pushboolean(lua, 1);
        lua_rawset(lua, -3);
    }
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) *out++ = lua_tostring(lua, -2)[4];
    return 0;
}

static bool proved;

static void hash_seed_prove(void) {
    lua_State *lua[TRIALS] = {NULL};
    char keys[TRIALS][KEYS] = {{0}};
    proved = true;
    /* All alive at once, so that each has another address. */
    for (int i = 0; i < TRIALS; i++) {
        lua[i] = hash_seed_state(trial_allocate, NULL);
        if (lua[i]) lua_pushcfunction(lua[i], list_keys);
        if (lua[i]) lua_pushlightuserdata(lua[i], keys[i]);
        proved = proved && lua[i] && lua_pcall(lua[i], 1, 0, 0) == LUA_OK &&
                 !memcmp(keys[0], keys[i], KEYS);
    }
    for (int i = 0; i < TRIALS; i++)
        if (lua[i]) lua_close(lua[i]);
}

bool hash_seed_proved(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, hash_seed_prove);
    return proved;
}
