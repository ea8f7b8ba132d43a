/* view_lua.c - the view's userdata, its history and its events.
 *
 * The userdata is empty; the methods have a pointer to their bot's `struct view_lua` as an upvalue,
 * so that checking `self` costs one comparison. The history is built from the events that the side
 * receives. */
#include "view_lua.h"

#include "base/buffer.h"
#include "core/search/playout.h"
#include "core/text/layout.h"
#include "core/text/notation.h"
#include "lua/member.h"
#include "view_methods.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_methods(lua_State *lua, struct view_lua *self, const luaL_Reg *methods) {
    lua_pushlightuserdata(lua, self);
    luaL_setfuncs(lua, methods, 1);
}

void view_lua_push(struct view_lua *self, lua_State *lua, struct sandbox *sandbox) {
    self->sandbox = sandbox;
    self->handle = lua_newuserdatauv(lua, 1, 1);
    lua_newtable(lua); /* keeps the strings of view_kind() alive */
    lua_setiuservalue(lua, -2, 1);
    lua_newtable(lua); /* metatable */
    lua_newtable(lua);
    add_methods(lua, self, VIEW_BOARD_METHODS);
    add_methods(lua, self, VIEW_RULES_METHODS);
    add_methods(lua, self, VIEW_PIECE_METHODS);
    add_methods(lua, self, VIEW_MOVE_METHODS);
    add_methods(lua, self, VIEW_SEARCH_METHODS);
    add_methods(lua, self, VIEW_SAMPLE_METHODS);
    add_methods(lua, self, VIEW_MIND_METHODS);
    add_methods(lua, self, VIEW_CHASE_METHODS);
    add_methods(lua, self, VIEW_TEXT_METHODS);
    member_guard(lua, "view", MEMBER_NEEDED);
    lua_setfield(lua, -2, "__index");
    add_methods(lua, self, VIEW_META_METHODS);
    lua_pushliteral(lua, "view");
    lua_setfield(lua, -2, "__name");
    lua_pushboolean(lua, 0); /* hides the metatable from scripts */
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
}

void view_lua_clear(struct view_lua *self) {
    free(self->history);
    playouts_free(self->playouts);
    free(self->results);
    self->history = NULL;
    self->playouts = NULL;
    self->results = NULL;
    self->history_count = 0;
}

void view_lua_enter(struct view_lua *self, const struct view *view, const struct move *moves,
                    size_t count) {
    self->view = view;
    self->moves = moves;
    self->count = count;
    self->samples = false;
    self->believed = NULL;
    self->turn++;
    knowledge_turn(&self->knowledge, view);
}

void view_lua_leave(struct view_lua *self) {
    self->view = NULL;
    self->moves = NULL;
    self->count = 0;
}

/* The history's entry for a ply, counted from 0; NULL past HISTORY_MAX or without memory. */
static struct past_turn *turn_at(struct view_lua *self, size_t ply) {
    if (ply >= HISTORY_MAX) return NULL;
    while (self->history_count <= ply) {
        struct past_turn *grown =
            array_grown(self->history, self->history_count, sizeof *grown, HISTORY_MAX);
        if (!grown) return NULL;
        self->history = grown;
        self->history[self->history_count++] = (struct past_turn){
            .move = {SQUARE_NONE, SQUARE_NONE, SQUARE_NONE, ABILITY_NONE, KIND_NONE}};
    }
    return &self->history[ply];
}

void view_lua_follow(struct view_lua *self, const struct view *view, const struct event *event) {
    if (view->plies == 0 ||
        (event->type != EVENT_MOVE && event->type != EVENT_BATTLE && event->type != EVENT_ABILITY))
        return;
    struct past_turn *turn = turn_at(self, view->plies - 1);
    if (!turn) return;
    struct move *move = &turn->move;
    if (event->type == EVENT_ABILITY) {
        if (move->from == SQUARE_NONE) move->from = move->to = event->from;
        move->target = event->to;
        move->ability = rules_first_sharing(view->rules, event->tally);
        move->choice = event->kind;
    } else if (event->from != SQUARE_NONE && event->to != SQUARE_NONE) {
        move->from = event->from;
        move->to = event->to;
        turn->attack = event->type == EVENT_BATTLE;
    }
}

static void set_text(lua_State *lua, const char *key, const char *value) {
    sandbox_push_text(lua, value);
    lua_setfield(lua, -2, key);
}

static void set_square(lua_State *lua, const char *key, square at) {
    if (at == SQUARE_NONE) return;
    lua_pushinteger(lua, at + 1);
    lua_setfield(lua, -2, key);
}

static const char *const EVENT_FIELDS[] = {
    "type",   "side",  "from",  "to",      "kind", "other", "outcome", "ability", "result",
    "reason", "kinds", "turns", "counter", "now",  "by",    "stays",   NULL};

/* The side where each has its own counter; what was added, unless it was set. */
static void push_count(lua_State *lua, const struct rules *rules, const struct event *event) {
    const struct counter *counter = &rules->counter[event->counter];
    set_text(lua, "counter", counter->name);
    if (counter->each) set_text(lua, "side", side_name((enum side)event->side));
    lua_pushinteger(lua, event->now);
    lua_setfield(lua, -2, "now");
    if (event->sets) return;
    lua_pushinteger(lua, event->by);
    lua_setfield(lua, -2, "by");
}

void view_lua_push_event(struct view_lua *self, lua_State *lua, const struct event *event) {
    const struct rules *rules = self->view->rules;
    lua_createtable(lua, 0, 8);
    member_fields(lua, "event", EVENT_FIELDS);
    set_text(lua, "type", event_name((enum event_type)event->type));
    if (event->type == EVENT_END) {
        set_text(lua, "result", result_name((enum result)event->result));
        set_text(lua, "reason", reason_name((enum reason)event->reason));
        return;
    }
    if (event->type == EVENT_COUNT) {
        push_count(lua, rules, event);
        return;
    }
    set_text(lua, "side", side_name((enum side)event->side));
    set_square(lua, "from", event->from);
    set_square(lua, "to", event->to);
    if (event->kind != KIND_NONE) set_text(lua, "kind", rules->kind[event->kind].name);
    if (event->type == EVENT_BATTLE) {
        if (event->other != KIND_NONE) set_text(lua, "other", rules->kind[event->other].name);
        set_text(lua, "outcome", outcome_name((enum outcome)event->outcome));
        if (event->stays) {
            lua_pushboolean(lua, true);
            lua_setfield(lua, -2, "stays");
        }
    }
    if (event->turns) {
        lua_pushinteger(lua, event->turns);
        lua_setfield(lua, -2, "turns");
    }
    if (event->kinds) {
        lua_newtable(lua);
        for (kindset left = event->kinds; left; left &= left - 1) {
            sandbox_push_text(lua, rules->kind[__builtin_ctz(left)].name);
            lua_rawseti(lua, -2, (lua_Integer)lua_rawlen(lua, -2) + 1);
        }
        lua_setfield(lua, -2, "kinds");
    }
    if (event->type == EVENT_ABILITY)
        set_text(lua, "ability", rules->ability[rules_first_sharing(rules, event->tally)].name);
}
