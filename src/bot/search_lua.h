/* search_lua.h - the sampler and the values behind the searches of Lua bots; game_lua.c has the
 * samples themselves.
 *
 * Lua owns the memory, which counts against the bot's cap; work is charged as fuel. Samples are
 * drawn from the view: nothing here sees the true game. */
#ifndef ENSIGN_BOT_SEARCH_LUA_H
#define ENSIGN_BOT_SEARCH_LUA_H

#include "core/know/sample.h"
#include "core/search/lookahead.h"
#include "core/search/playout.h"
#include "view_lua.h"

#include <lauxlib.h>

enum {
    GAME_DEPTH_MAX = 128,    /* moves that scripts can play on a sample */
    GAME_PLAYOUT_MAX = 1000, /* moves of a playout */
    GAME_PLIES = SAMPLE_TAIL + GAME_DEPTH_MAX + GAME_PLAYOUT_MAX + 1,
    GAME_PLAYOUTS = 100, /* playouts of game:playouts by default */
    GAME_PLAYOUTS_MAX = 4000,
    GAME_NODES = 100000, /* moves that game:score plays at most, by default */
    GAME_NODES_MAX = 10000000,
    NODE_FUEL = 15,       /* for a move in a search or a playout, besides the variant's calls */
    TOGETHER_FUEL = 60,   /* for a playout in lanes or crowds */
    TOGETHER_PLY_FUEL = 2 /* for a move in it */
};

/* One bot's memory for sampling and searching, kept from its first use to the end of the game. */
struct searcher {
    struct sampler sampler;
    double table[DEAL_ROOM];
    struct values plain; /* made from a plain table of worth by kind */
    kindset far;         /* lookahead_far() */
    struct lookahead lookahead;
    struct prospect *prospects; /* rules.moves_max of them, behind the moves */
    size_t room;
    struct move moves[]; /* `room` of them */
};

/* After work that may have made calls of the variant, which have been paid for with the bot's fuel
 * (bot.c): raises if one has failed, or the fuel is out. */
void search_lua_settle(lua_State *lua, const char *method);

/* Prepares the sampler for this turn, unless it is ready. Returns whether it draws by a chain,
 * which costs more. */
bool search_lua_prepare_samples(lua_State *lua, struct view_lua *self);

struct mind; /* core/value/mind.h */

/* Prepares the sampler for this turn with the weights of a mind's belief. */
void search_lua_believe(lua_State *lua, struct view_lua *self, const struct mind *mind);

/* Makes the table of methods on top of the stack, which it pops, into a metatable with that name,
 * stored in the registry at `key`. */
void search_lua_add_metatable(lua_State *lua, const char *name, const void *key);

/* Pushes the metatable of objects with that name; `key` is its place in the registry. Upvalues of
 * its methods are the `struct view_lua` and the metatable itself. */
void search_lua_push_metatable(lua_State *lua, struct view_lua *self, const char *name,
                               const void *key, const luaL_Reg *methods);

/* Can this variant's playouts be played in lanes? The first call creates self->playouts. */
bool search_lua_plays_together(lua_State *lua, struct view_lua *self);

/* The values in argument `index`: a result of view:values, or a table of worth by kind. */
const struct values *search_lua_values(lua_State *lua, struct view_lua *self, const char *method,
                                       int index);

/* The same at key `values` of the options in argument `index`; NULL if it is missing. Leaves it on
 * the stack. */
const struct values *search_lua_values_option(lua_State *lua, struct view_lua *self,
                                              const char *method, int index);

#endif
