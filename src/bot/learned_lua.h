/* learned_lua.h - reads the table of what was learned, as `ensign learn --table` writes it and
 * bots/LEARNING.md ("What was learned") describes it. */
#ifndef ENSIGN_BOT_LEARNED_LUA_H
#define ENSIGN_BOT_LEARNED_LUA_H

#include "core/play/position.h"
#include "core/value/value.h"
#include "lua/folders.h"

#include <lua.h>

enum { LEARNED_STYLES_MAX = 16, LEARNED_SETUPS_MAX = 64, LEARNED_SHARE_MAX = 1000000 };

/* A way to play. */
struct style {
    uint32_t share; /* 1 to LEARNED_SHARE_MAX: how often it is played, next to the others */
    struct value value;
    uint32_t setups; /* how many; 0: none were learned */
    struct setup setup[LEARNED_SETUPS_MAX];
};

/* One of the styles is drawn for each game, so that the enemy cannot know it beforehand. Bytes that
 * the table does not fill are 0. */
struct learned {
    uint32_t styles; /* how many, at least 1 */
    struct style style[LEARNED_STYLES_MAX];
};

/* Reads the weights and habits of one style, the table at `index`; other keys are the script's own.
 * Raises an error that begins with `who`. */
void learned_lua_value(lua_State *lua, int index, const char *who, const struct rules *rules,
                       struct value *value);

/* Reads the table that the file at `path` returns, with all styles and their set-ups, which are
 * checked. False with a fault of that file. */
bool learned_lua_load(const struct folders *folders, const char *path, const struct rules *rules,
                      struct learned *learned, struct fault *fault);

#endif
