/* view_lua.h - a `struct view` as a Lua bot sees it: one userdata with the methods in
 * bots/REFERENCE.md.
 *
 * A bot has the same userdata for the whole game; each callback shows the current view through it.
 * Squares, pieces and moves are integers, kinds and sides names, so that a turn builds few tables.
 */
#ifndef ENSIGN_BOT_VIEW_LUA_H
#define ENSIGN_BOT_VIEW_LUA_H

#include "core/play/legal.h"
#include "knowledge.h"
#include "lua/sandbox.h"

enum { HISTORY_MAX = 1 << 16 }; /* turns in the history; later ones are left out */

struct past_turn {
    struct move move;
    bool attack;
};

struct searcher; /* search_lua.h */
struct playouts; /* core/search/playout.h */
struct playout_result;

struct view_lua {
    struct sandbox *sandbox; /* for fuel and chance */
    const void *handle;      /* the userdata, which must not outlive this struct */
    const struct view *view; /* NULL between callbacks */
    uint64_t turn;           /* counts callbacks */
    const struct move *moves;
    size_t count;
    struct past_turn *history; /* by ply; owned */
    size_t history_count;
    const char *names[KINDS_MAX]; /* kinds as Lua's strings, to compare by pointer */
    struct {
        bool running;            /* the game has a clock */
        int64_t left, increment; /* of this side, in ms */
    } clock;
    struct knowledge knowledge;
    struct searcher *searcher;      /* Lua's memory; NULL before the first sample */
    bool samples;                   /* the sampler is ready for this turn */
    uint64_t paid;                  /* calls_paid() when it was last charged */
    const void *believed;           /* the mind by whose belief it draws; NULL: none */
    struct playouts *playouts;      /* owned; NULL before the first game:playouts */
    struct playout_result *results; /* of one game:playouts; the same */
};

/* Creates the userdata of a zeroed `self` and pushes it. May raise. */
void view_lua_push(struct view_lua *self, lua_State *lua, struct sandbox *sandbox);

/* Frees the history and the playouts. */
void view_lua_clear(struct view_lua *self);

/* Between these two calls scripts may read `view` and the legal `moves` (NULL if it is not the
 * side's turn). The view's rules must be the same in every call. */
void view_lua_enter(struct view_lua *self, const struct view *view, const struct move *moves,
                    size_t count);
void view_lua_leave(struct view_lua *self);

/* Adds an event of the last turn to the history. */
void view_lua_follow(struct view_lua *self, const struct view *view, const struct event *event);

/* Pushes an event as a table. May raise. */
void view_lua_push_event(struct view_lua *self, lua_State *lua, const struct event *event);

#endif
