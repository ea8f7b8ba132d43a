/* view_lua.h - a `struct view` as Lua bots see it: one userdata with methods.
 *
 * The same userdata serves a bot for the whole game and is brought up to date in place before each
 * callback. Squares, pieces and moves are integers, kinds and sides are names, so that a turn
 * builds few tables. All methods are described in bots/README.md. */
#ifndef ENSIGN_BOT_VIEW_LUA_H
#define ENSIGN_BOT_VIEW_LUA_H

#include "core/play/legal.h"
#include "knowledge.h"
#include "lua/sandbox.h"

enum { HISTORY_MAX = 1 << 16 }; /* turns that are remembered; later ones are left out */

struct past_turn {
    struct move move;
    bool attack;
};

struct searcher; /* search_lua.h */
struct playouts; /* core/search/playout.h */
struct playout_result;

struct view_lua {
    struct sandbox *sandbox; /* for fuel and chance */
    const void *handle;      /* the userdata, which this must outlive */
    const struct view *view; /* NULL while no callback runs */
    const struct move *moves;
    size_t count;
    struct past_turn *history; /* by ply; owned */
    size_t history_count;
    const char *names[KINDS_MAX]; /* kinds as Lua's own strings, which equal names share */
    struct knowledge knowledge;
    struct searcher *searcher;      /* Lua's memory; NULL until the bot first asks for a sample */
    bool samples;                   /* it is prepared for this turn */
    struct playouts *playouts;      /* owned; NULL until the bot first asks for many */
    struct playout_result *results; /* of one such call; likewise */
};

/* Makes the userdata of an empty `self` and pushes it. Raises Lua errors. */
void view_lua_push(struct view_lua *self, lua_State *lua, struct sandbox *sandbox);

/* Frees the history and the playouts. */
void view_lua_clear(struct view_lua *self);

/* Between these two calls scripts may read `view` and the legal `moves` (NULL where it is not the
 * side's turn to answer). The first must be called with the rules of the game every time. */
void view_lua_enter(struct view_lua *self, const struct view *view, const struct move *moves,
                    size_t count);
void view_lua_leave(struct view_lua *self);

/* Adds an event of the latest turn to the history. */
void view_lua_follow(struct view_lua *self, const struct view *view, const struct event *event);

/* Pushes an event as a table. Raises Lua errors. */
void view_lua_push_event(struct view_lua *self, lua_State *lua, const struct event *event);

#endif
