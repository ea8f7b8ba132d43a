/* learned_lua.h - reads the table of what was learned, as `ensign learn --table` writes it and
 * bots/README.md ("Minds") describes it. */
#ifndef ENSIGN_BOT_LEARNED_LUA_H
#define ENSIGN_BOT_LEARNED_LUA_H

#include "core/play/position.h"
#include "core/value/value.h"
#include "lua/folders.h"

#include <lua.h>

enum { LEARNED_SETUPS_MAX = 64 };

/* Bytes that the table does not fill are 0. */
struct learned {
    struct value value;
    uint32_t setups; /* how many; 0: none were learned */
    struct setup setup[LEARNED_SETUPS_MAX];
};

/* Reads the weights and habits of the table at `index`; other keys are the script's own. Raises an
 * error that begins with `who`. */
void learned_lua_value(lua_State *lua, int index, const char *who, const struct rules *rules,
                       struct value *value);

/* Reads the table that the file at `path` returns, with its set-ups, which are checked. False with
 * a fault of that file. */
bool learned_lua_load(const struct folders *folders, const char *path, const struct rules *rules,
                      struct learned *learned, struct fault *fault);

#endif
