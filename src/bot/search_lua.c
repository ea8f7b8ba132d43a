/* search_lua.c - view:weigh and view:values, and the sampler behind view:sample.
 *
 * The sampler is prepared once a turn, by the first view:sample or by view:weigh; then each sample
 * costs one draw. */
#include "search_lua.h"

#include "base/paths.h"
#include "core/play/calls.h"
#include "core/value/belief_search.h"
#include "lua/member.h"
#include "lua/walk.h"
#include "view_arguments.h"
#include "view_methods.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ENTRY_COST = 10,       /* fuel for an entry of a table by kind */
    SEARCHER_FUEL = 15000, /* to set up struct searcher, once a game */
    PLAYOUTS_FUEL = 200000 /* fuel to set up playouts in lanes and crowds, once a game */
};

static const char SEARCHER, VALUES; /* keys of the registry */

#define VALUES_EXPECTED "a result of view:values or a table of worth by kind"

void search_lua_settle(lua_State *lua, const char *method) {
    struct view_lua *self = lua_touserdata(lua, lua_upvalueindex(1));
    struct fault fault;
    const uint64_t paid = calls_paid() - self->paid;
    bool failed = calls_take(&fault);
    self->paid += paid;
    if (paid) sandbox_charged(lua, paid);
    if (!failed) return;
    if (fault.status != STATUS_SCRIPT && fault.status != STATUS_RULES &&
        fault.status != STATUS_FUEL)
        sandbox_stop(lua, fault.status);
    luaL_error(lua, "%s: a call of the variant failed: %s:%d: %s", method, path_file(fault.file),
               fault.line, fault.text);
}

void search_lua_add_metatable(lua_State *lua, const char *name, const void *key) {
    lua_newtable(lua);
    lua_insert(lua, -2);
    lua_setfield(lua, -2, "__index");
    sandbox_push_text(lua, name);
    lua_setfield(lua, -2, "__name");
    lua_pushboolean(lua, 0); /* hides the metatable from scripts */
    lua_setfield(lua, -2, "__metatable");
    lua_rawsetp(lua, LUA_REGISTRYINDEX, key);
}

void search_lua_push_metatable(lua_State *lua, struct view_lua *self, const char *name,
                               const void *key, const luaL_Reg *methods) {
    if (lua_rawgetp(lua, LUA_REGISTRYINDEX, key) != LUA_TNIL) return;
    lua_pop(lua, 1);
    lua_newtable(lua);
    search_lua_add_metatable(lua, name, key);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, key);
    lua_getfield(lua, -1, "__index");
    lua_pushlightuserdata(lua, self);
    lua_pushvalue(lua, -3);
    luaL_setfuncs(lua, methods, 2);
    member_guard(lua, name, MEMBER_NEEDED);
    lua_pop(lua, 1);
}

static struct searcher *searcher_of(lua_State *lua, struct view_lua *self) {
    if (self->searcher) return self->searcher;
    struct searcher *searcher;
    size_t room = lookahead_room(self->view->rules);
    sandbox_charge(lua, SEARCHER_FUEL);
    size_t lists = sizeof *searcher + room * sizeof *searcher->moves;
    size_t size = lists + self->view->rules->moves_max * sizeof *searcher->prospects;
    searcher = lua_newuserdatauv(lua, size, 0);
    memset(&searcher->lookahead, 0, sizeof searcher->lookahead);
    searcher->prospects = (struct prospect *)((char *)searcher + lists);
    searcher->room = room;
    searcher->far = lookahead_far(self->view->rules);
    searcher->sampler.deal.table = searcher->table;
    searcher->sampler.deal.room = DEAL_ROOM;
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &SEARCHER);
    lua_newtable(lua); /* no methods */
    search_lua_add_metatable(lua, "values", &VALUES);
    self->searcher = searcher;
    return searcher;
}

bool search_lua_plays_together(lua_State *lua, struct view_lua *self) {
    if (!self->playouts) {
        sandbox_charge(lua, PLAYOUTS_FUEL);
        free(self->results);
        self->results = malloc(GAME_PLAYOUTS_MAX * sizeof *self->results);
        self->playouts = self->results ? playouts_new(self->view->rules, GAME_PLAYOUT_MAX) : NULL;
        if (!self->playouts) luaL_error(lua, "game:playouts: out of memory");
    }
    return !playouts_why_listed(self->playouts);
}

/* Squares that must be empty since a legal move crosses them, seen or not: those between its ends,
 * or for a move that may turn all those it may cross. */
static squareset clear_squares(const struct view_lua *self) {
    const struct board *board = &self->view->rules->board;
    squareset clear = 0;
    for (size_t i = 0; self->view->rules->sight && i < self->count; i++) {
        struct move move = self->moves[i];
        int files[2] = {board_file(board, move.from), board_file(board, move.to)};
        int ranks[2] = {board_rank(board, move.from), board_rank(board, move.to)};
        int left = files[0] > files[1], low = ranks[0] > ranks[1]; /* index of that end */
        for (int file = files[left]; file <= files[1 - left]; file++) {
            for (int rank = ranks[low]; rank <= ranks[1 - low]; rank++) {
                square at = board_square(board, file, rank);
                if (at != move.from && at != move.to) clear |= squareset_of(at);
            }
        }
    }
    return clear;
}

/* Starts the sampler for this turn, with even weights. */
static struct searcher *even_weights(lua_State *lua, struct view_lua *self, const char *method) {
    struct searcher *searcher = searcher_of(lua, self);
    kindset may_be[2 * BOARD_SQUARES_MAX];
    if (self->view->count == 0) luaL_error(lua, "%s: there are no armies yet", method);
    if (self->view->result) luaL_error(lua, "%s: the game is over", method);
    for (int i = 0; i < self->view->count; i++) may_be[i] = knowledge_may_be(&self->knowledge, i);
    self->samples = false;
    self->believed = NULL;
    sampler_start(&searcher->sampler, self->view, may_be, clear_squares(self));
    sandbox_charge(lua, 500);
    return searcher;
}

static void prepare_deal(lua_State *lua, struct view_lua *self, const char *method,
                         const char *impossible) {
    struct deal *deal = &self->searcher->sampler.deal;
    enum deal_method how = deal_prepare(deal);
    sandbox_charge(lua, deal_work(deal) / 2 + (how == DEAL_CHAIN ? 20000 : 0));
    if (how == DEAL_NONE) luaL_error(lua, "%s: %s", method, impossible);
    self->samples = true;
}

/* A table of numbers by kind, and their range. */
struct numbers {
    const char *method, *where; /* for messages */
    double least, most;
};

/* Reads the entry whose key and value are on top of the stack. If it is wrong it raises, or without
 * `raise` returns KIND_NONE. */
static kind_id read_entry(lua_State *lua, const struct view_lua *self,
                          const struct numbers *numbers, bool raise, double *number) {
    const struct rules *rules = self->view->rules;
    const char *method = numbers->method, *where = numbers->where;
    bool text = lua_type(lua, -2) == LUA_TSTRING;
    size_t length = 0;
    const char *name = text ? lua_tolstring(lua, -2, &length) : luaL_typename(lua, -2);
    kind_id kind = text ? rules_kind_named(rules, name) : KIND_NONE;
    if (kind == KIND_NONE || strlen(name) != length) {
        if (raise)
            luaL_error(lua, "%s: %s: '%s' is not a kind of this variant", method, where, name);
        return KIND_NONE;
    }
    *number = lua_tonumber(lua, -1);
    if (lua_type(lua, -1) != LUA_TNUMBER || !isfinite(*number)) {
        if (raise) {
            luaL_error(lua, "%s: %s: %s must be a number, not %s", method, where,
                       rules->kind[kind].name,
                       lua_type(lua, -1) == LUA_TNUMBER ? "infinite" : luaL_typename(lua, -1));
        }
        return KIND_NONE;
    }
    if (*number >= numbers->least && *number <= numbers->most) return kind;
    if (raise && numbers->least == 0) {
        luaL_error(lua, "%s: %s: %s must not be negative", method, where, rules->kind[kind].name);
    } else if (raise) {
        luaL_error(lua, "%s: %s: numbers go from %d to %d", method, where, (int)numbers->least,
                   (int)numbers->most);
    }
    return KIND_NONE;
}

/* Raises for the first wrong entry of the table on top of the stack, in the order of `pairs`.
 *
 * Tables are first read in Lua's own order, which is faster; it varies, so faults are reported from
 * here. All entries are charged before, because a script that catches the error can read its fuel.
 */
static void refuse_numbers(lua_State *lua, const struct view_lua *self,
                           const struct numbers *numbers) {
    struct walk walk;
    double number;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) read_entry(lua, self, numbers, true, &number);
}

/* Multiplies the weights of a hidden piece by the numbers in the table on top of the stack. */
static void read_weights(lua_State *lua, const struct view_lua *self, int number, double *weight) {
    char where[32];
    lua_Number given;
    bool right = true;
    snprintf(where, sizeof where, "weights[%d]", number + 1);
    const struct numbers numbers = {"view:weigh", where, 0, HUGE_VAL};
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) {
        sandbox_charge(lua, ENTRY_COST);
        kind_id kind = read_entry(lua, self, &numbers, false, &given);
        right = right && kind != KIND_NONE;
        if (right) weight[kind] *= given;
    }
    if (!right) refuse_numbers(lua, self, &numbers);
}

/* view:weigh([weights]): draws this turn's samples by these weights. */
static int method_weigh(lua_State *lua) {
    struct view_lua *self = view_self(lua, "weigh");
    if (!lua_isnoneornil(lua, 2) && !lua_istable(lua, 2))
        view_refuse(lua, "weigh", 2, "a table of weights by piece and kind");
    struct searcher *searcher = even_weights(lua, self, "view:weigh");
    struct deal *deal = &searcher->sampler.deal;
    for (int i = 0; lua_istable(lua, 2) && i < deal->pieces; i++) {
        int number = searcher->sampler.piece[i];
        lua_rawgeti(lua, 2, number + 1);
        if (lua_istable(lua, -1)) {
            read_weights(lua, self, number, deal->weight[i]);
        } else if (!lua_isnil(lua, -1)) {
            return luaL_error(lua, "view:weigh: weights[%d] must be a table, not %s", number + 1,
                              luaL_typename(lua, -1));
        }
        lua_pop(lua, 1);
    }
    prepare_deal(lua, self, "view:weigh", "no army has a weight above 0");
    sandbox_push_text(lua, deal->method == DEAL_EXACT ? "exact" : "chain");
    return 1;
}

bool search_lua_prepare_samples(lua_State *lua, struct view_lua *self) {
    searcher_of(lua, self);
    if (!self->samples) {
        even_weights(lua, self, "view:sample");
        prepare_deal(lua, self, "view:sample", "no army fits what is known");
    }
    return self->searcher->sampler.deal.method == DEAL_CHAIN;
}

void search_lua_believe(lua_State *lua, struct view_lua *self, const struct mind *mind) {
    struct searcher *searcher = even_weights(lua, self, "mind:look");
    belief_search_weigh(mind, &searcher->sampler);
    prepare_deal(lua, self, "mind:look", "no army fits what is known");
}

static int32_t value_of(double number) {
    return (int32_t)floor(number * VALUE_UNIT + 0.5);
}

static int32_t check_value(lua_State *lua, const char *where, double number, int32_t most) {
    if (!(number * VALUE_UNIT >= -most && number * VALUE_UNIT <= most)) {
        luaL_error(lua, "view:values: %s: numbers go from -%d to %d", where, most / VALUE_UNIT,
                   most / VALUE_UNIT);
    }
    return value_of(number);
}

/* Adds the worth by kind in the table on top of the stack to every square of one side. */
static void read_worth(lua_State *lua, struct view_lua *self, const char *method, const char *where,
                       enum side side, struct values *values) {
    const struct numbers numbers = {method, where, -VALUE_MAX / VALUE_UNIT, VALUE_MAX / VALUE_UNIT};
    int32_t sign = side == self->view->side ? 1 : -1;
    bool right = true;
    double number;
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) {
        sandbox_charge(lua, ENTRY_COST);
        kind_id kind = read_entry(lua, self, &numbers, false, &number);
        right = right && kind != KIND_NONE;
        if (!right) continue;
        int32_t value = sign * value_of(number);
        for (int at = 0; at < BOARD_SQUARES_MAX; at++) values->at[cell_of(side, kind)][at] += value;
    }
    if (!right) refuse_numbers(lua, self, &numbers);
    sandbox_charge(lua, 200);
}

/* The same for worth by square: a table from kind to a list. */
static void read_squares(lua_State *lua, struct view_lua *self, const char *where, enum side side,
                         struct values *values) {
    const struct rules *rules = self->view->rules;
    int32_t sign = side == self->view->side ? 1 : -1;
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) {
        size_t length = 0;
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tolstring(lua, -2, &length) : "";
        kind_id kind = strlen(name) == length ? rules_kind_named(rules, name) : KIND_NONE;
        if (kind == KIND_NONE) luaL_error(lua, "view:values: %s: a key is not a kind", where);
        if (!lua_istable(lua, -1)) {
            luaL_error(lua, "view:values: %s.%s must be a list with a number for each square",
                       where, rules->kind[kind].name);
        }
        sandbox_charge(lua, rules->board.squares * 3u);
        for (square at = 0; at < rules->board.squares; at++) {
            if (lua_rawgeti(lua, -1, at + 1) == LUA_TNUMBER) {
                int32_t value = check_value(lua, where, lua_tonumber(lua, -1), VALUE_MAX);
                values->at[cell_of(side, kind)][at] += sign * value;
            } else if (!lua_isnil(lua, -1)) {
                luaL_error(lua, "view:values: %s.%s[%d] must be a number, not %s", where,
                           rules->kind[kind].name, at + 1, luaL_typename(lua, -1));
            }
            lua_pop(lua, 1);
        }
    }
}

/* Pushes a table of the description; false if it is missing. */
static bool push_part(lua_State *lua, const char *key) {
    sandbox_push_text(lua, key);
    if (lua_rawget(lua, 2) == LUA_TNIL) {
        lua_pop(lua, 1);
        return false;
    }
    if (!lua_istable(lua, -1))
        luaL_error(lua, "view:values: %s must be a table, not %s", key, luaL_typename(lua, -1));
    return true;
}

static void read_values(lua_State *lua, struct view_lua *self, struct values *values) {
    enum side own = (enum side)self->view->side, other = side_other(own);
    memset(values, 0, sizeof *values);
    values->win = 1000 * VALUE_UNIT;
    view_check_keys(lua, "view:values", 2, "worth, their_worth, at, their_at and win");
    if (!push_part(lua, "worth")) luaL_error(lua, "view:values: worth is missing");
    read_worth(lua, self, "view:values", "worth", own, values);
    if (push_part(lua, "their_worth"))
        read_worth(lua, self, "view:values", "their_worth", other, values);
    else
        read_worth(lua, self, "view:values", "worth", other, values);
    if (push_part(lua, "at")) read_squares(lua, self, "at", own, values);
    if (push_part(lua, "their_at")) read_squares(lua, self, "their_at", other, values);
    lua_pushliteral(lua, "win");
    if (lua_rawget(lua, 2) == LUA_TNUMBER)
        values->win = check_value(lua, "win", lua_tonumber(lua, -1), VALUE_WIN_MAX);
    else if (!lua_isnil(lua, -1))
        luaL_error(lua, "view:values: win must be a number, not %s", luaL_typename(lua, -1));
}

static struct values *to_values(lua_State *lua, int index) {
    struct values *values = lua_touserdata(lua, index);
    if (!values || !lua_getmetatable(lua, index)) return NULL;
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &VALUES);
    bool same = lua_rawequal(lua, -1, -2);
    lua_pop(lua, 2);
    return same ? values : NULL;
}

/* view:values(description[, into]) */
static int method_values(lua_State *lua) {
    struct view_lua *self = view_self(lua, "values");
    struct values *values;
    lua_settop(lua, 3);
    if (!lua_istable(lua, 2)) view_refuse(lua, "values", 2, "a table with worth, at, win …");
    searcher_of(lua, self);
    if (lua_isnil(lua, 3)) {
        values = lua_newuserdatauv(lua, sizeof *values, 0);
        memset(values, 0, sizeof *values);
        lua_rawgetp(lua, LUA_REGISTRYINDEX, &VALUES);
        lua_setmetatable(lua, -2);
        lua_replace(lua, 3);
    } else {
        values = to_values(lua, 3);
        if (!values) view_refuse(lua, "values", 3, "a result of view:values");
    }
    read_values(lua, self, values);
    lua_settop(lua, 3);
    return 1;
}

const struct values *search_lua_values(lua_State *lua, struct view_lua *self, const char *method,
                                       int index) {
    struct values *values = to_values(lua, index);
    if (values) return values;
    if (!lua_istable(lua, index)) view_refuse(lua, method, index, VALUES_EXPECTED);
    values = &self->searcher->plain;
    memset(values, 0, sizeof *values);
    values->win = 1000 * VALUE_UNIT;
    lua_pushvalue(lua, index);
    read_worth(lua, self, method, "worth", RED, values);
    read_worth(lua, self, method, "worth", BLUE, values);
    lua_pop(lua, 1);
    return values;
}

const struct values *search_lua_values_option(lua_State *lua, struct view_lua *self,
                                              const char *method, int index) {
    lua_pushliteral(lua, "values");
    if (lua_rawget(lua, index) == LUA_TNIL) return NULL;
    if (!lua_istable(lua, -1) && !to_values(lua, lua_gettop(lua)))
        luaL_error(lua, "%s: values must be " VALUES_EXPECTED ", not %s", method,
                   luaL_typename(lua, -1));
    return search_lua_values(lua, self, method, lua_gettop(lua));
}

const luaL_Reg VIEW_SEARCH_METHODS[] = {
    {"values", method_values},
    {"weigh", method_weigh},
    {NULL, NULL},
};
