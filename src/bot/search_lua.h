/* search_lua.h - samples of the game as Lua bots search on them: what view:sample, view:weigh and
 * view:values make, and what they share.
 *
 * A sample is a userdata of its own (game_lua.c has its methods); values are another. Memory is
 * Lua's and counts against the bot's cap, work is charged as fuel. Nothing here has ever seen the
 * true game: samples are drawn from the view. */
#ifndef ENSIGN_BOT_SEARCH_LUA_H
#define ENSIGN_BOT_SEARCH_LUA_H

#include "core/know/sample.h"
#include "core/search/playout.h"
#include "core/search/search.h"
#include "view_lua.h"

#include <lauxlib.h>

enum {
    GAME_DEPTH_MAX = 128,    /* moves that scripts can play on a sample */
    GAME_PLAYOUT_MAX = 1000, /* moves of a playout */
    GAME_PLIES = SAMPLE_TAIL + GAME_DEPTH_MAX + GAME_PLAYOUT_MAX + 1,
    GAME_PLAYOUTS = 100, /* playouts of game:playouts, unless told otherwise */
    GAME_PLAYOUTS_MAX = 4000,
    GAME_NODES = 5000, /* moves that a search plays for one move, unless told otherwise */
    GAME_NODES_MAX = 1000000,
    NODE_FUEL = 15,         /* of a move that is played in a search or a playout */
    ASKING_NODE_FUEL = 500, /* of one in a game of a variant that is asked during play */
    TOGETHER_FUEL = 60,     /* of a playout in lanes or crowds */
    TOGETHER_PLY_FUEL = 2   /* and of a move in it */
};

/* What one bot needs for drawing and searching; made when it first asks, then kept. */
struct searcher {
    struct sampler sampler;
    double table[DEAL_ROOM];
    struct values plain; /* from a table of worths that was handed over as such */
    kindset far;         /* search_far() */
    size_t room;
    struct move moves[]; /* `room` of them */
};

/* Lua aligns its memory to eight bytes; game_lua_at() finds the place inside. */
struct game_lua {
    uint32_t turn;  /* the view's plies when it was drawn: it serves this turn only */
    uint32_t floor; /* plies that belong to its history */
    struct game game;
    struct ply plies[GAME_PLIES];
};

enum { GAME_LUA_SIZE = sizeof(struct game_lua) + _Alignof(struct game_lua) - 1 };

static inline struct game_lua *game_lua_at(void *memory) {
    uintptr_t mask = _Alignof(struct game_lua) - 1;
    return (struct game_lua *)(((uintptr_t)memory + mask) & ~mask);
}

/* What a move in a search or a playout costs. */
uint64_t search_lua_node_fuel(const struct view_lua *self);

/* Raises if a call of the variant has failed in what was just done on a sample. */
void search_lua_settle(lua_State *lua, const char *method);

/* The searcher of the view's bot, which has drawn something before. */
struct searcher *search_lua_own(struct view_lua *self);

/* Can this variant's playouts be played in lanes? Makes self->playouts the first time. */
bool search_lua_plays_together(lua_State *lua, struct view_lua *self);

/* Raises if the table in argument `index` has a key that is not in `keys`, a list as people write
 * it: "a, b and c". */
void search_lua_check_keys(lua_State *lua, const char *method, int index, const char *keys);

/* The values in argument `index`: a handle of view:values, or a table from kind to worth. */
const struct values *search_lua_values(lua_State *lua, struct view_lua *self, const char *method,
                                       int index);

/* The sample in argument `index`; `metatable` is where that of all samples is found. One that was
 * drawn in an earlier turn is refused unless it `may_be_old`. */
struct game_lua *game_lua_check(lua_State *lua, struct view_lua *self, const char *method,
                                int index, int metatable, bool may_be_old);

/* The methods of samples; the upvalues of each are its `struct view_lua` and their metatable. */
extern const luaL_Reg GAME_METHODS[];

#endif
