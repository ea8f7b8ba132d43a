/* mind_lua.c - view:mind and the methods of a mind: beliefs, the chances of moves, exchanges,
 * looking ahead.
 *
 * A mind reads the view once a turn, at its first use in it. */
#include "core/play/calls.h"
#include "core/value/belief_search.h"
#include "core/value/exchange.h"
#include "core/value/initiative.h"
#include "learned_lua.h"
#include "lua/member.h"
#include "search_lua.h"
#include "view_arguments.h"
#include "view_methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIND_FUEL = 100000,  /* to make a mind */
    READ_FUEL = 800,     /* to read a view */
    QUIET_FUEL = 40,     /* to value a move to an empty square */
    OPEN_FUEL = 900,     /* the same of a battle or an ability */
    EXCHANGE_FUEL = 300, /* to value an exchange */
    PRESS_FUEL = 100,    /* to find the ways of those that press on, and … */
    PRESSES_FUEL = 2,    /* … for each move */
    ARMY_FUEL = 300,     /* to draw an army */
    LOOK_FUEL = 320,     /* a ply of looking ahead, … */
    PIECE_FUEL = 16,     /* … and for each piece of the game, … */
    CALLS_FUEL = 500,    /* … and what calls are taken to use before any were made; … */
    LOOK_SHARE = 2,      /* … an army for which they use half of the fuel left is given up */
    LOOK_DEPTH = 3,
    LOOK_ARMIES = 12,
    LOOK_ARMIES_MAX = 100000
};

struct mind_lua {
    struct measure measure;
    struct value value;
    struct mind mind; /* of this turn's view */
    struct belief_search look;
    uint64_t turn;       /* of that view; 0: none yet */
    uint64_t looked;     /* turn in which the tree was begun */
    uint64_t plies;      /* played in looks of this game, … */
    uint64_t calls_fuel; /* … and what the variant's calls used in them */
    struct move moves[]; /* room for look.moves, then for look.chances */
};

static const char MINDS; /* registry key of the metatable */

static struct mind_lua *mind_at(void *memory) {
    uintptr_t mask = _Alignof(struct mind_lua) - 1;
    return (struct mind_lua *)(((uintptr_t)memory + mask) & ~mask);
}

static struct mind_lua *mind_self(lua_State *lua, const char *method) {
    struct view_lua *self = lua_touserdata(lua, lua_upvalueindex(1));
    struct mind_lua **handle = lua_touserdata(lua, 1);
    bool is_mind = handle && lua_getmetatable(lua, 1);
    if (is_mind) {
        is_mind = lua_rawequal(lua, -1, lua_upvalueindex(2));
        lua_pop(lua, 1);
    }
    if (!is_mind) member_colon(lua, "mind", strchr(method, ':') + 1);
    if (!self->view) luaL_error(lua, "%s: a mind can be used only during a callback", method);
    if (!self->view->count) luaL_error(lua, "%s: there are no armies yet", method);
    struct mind_lua *mind = *handle;
    if (mind->turn != self->turn) {
        sandbox_charge(lua, READ_FUEL);
        mind_read(&mind->mind, self->view);
        mind->turn = self->turn;
    }
    return mind;
}

static struct view_lua *owner(lua_State *lua) {
    return lua_touserdata(lua, lua_upvalueindex(1));
}

/* mind:belief(piece, kind): how likely an enemy is of this kind. */
static int mind_belief(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct mind_lua *mind = mind_self(lua, "mind:belief");
    int number = view_piece(lua, self, "mind:belief", 2);
    kind_id kind = view_kind(lua, self, "mind:belief", 3);
    const struct view_piece *piece = &self->view->piece[number];
    if (piece->side == self->view->side || view_piece_counted(piece)) {
        lua_pushnumber(lua, piece->kind == kind);
        return 1;
    }
    const struct belief *belief = &mind->mind.belief;
    lua_pushnumber(lua, (double)belief->chance[belief->group_of[number]][kind] / CHANCE_ONE);
    return 1;
}

static uint64_t move_fuel(const struct view *view, struct move move) {
    bool quiet = move.ability == ABILITY_NONE && !view_enters_enemy(view, move);
    return quiet ? QUIET_FUEL : OPEN_FUEL;
}

/* mind:chances(): the chance to win after each of the legal moves, in their order. */
static int mind_chances(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct mind_lua *mind = mind_self(lua, "mind:chances");
    struct evaluation *evaluation = &mind->mind.evaluation;
    lua_createtable(lua, (int)self->count, 0);
    for (size_t i = 0; i < self->count; i++) {
        sandbox_charge(lua, move_fuel(self->view, self->moves[i]));
        lua_pushnumber(lua, (double)evaluation_move(evaluation, self->moves[i]) / CHANCE_CERTAIN);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* mind:chance(): the chance to win as things stand, if the side had just moved. */
static int mind_chance(lua_State *lua) {
    struct mind_lua *mind = mind_self(lua, "mind:chance");
    lua_pushnumber(lua, (double)evaluation_chance(&mind->mind.evaluation) / CHANCE_CERTAIN);
    return 1;
}

/* mind:presses(): for each of the legal moves whether it presses on; nil if the side need not. */
static int mind_presses(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct mind_lua *mind = mind_self(lua, "mind:presses");
    if (!initiative_is_due(&mind->mind, self->view)) return 0;
    struct initiative press;
    sandbox_charge(lua, PRESS_FUEL + PRESSES_FUEL * (uint64_t)self->count);
    initiative_read(&press, self->view);
    lua_createtable(lua, (int)self->count, 0);
    for (size_t i = 0; i < self->count; i++) {
        lua_pushboolean(lua, initiative_has(&press, self->moves[i]));
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static uint64_t ply_fuel(const struct view_lua *self) {
    return LOOK_FUEL + PIECE_FUEL * (uint64_t)self->view->count;
}

/* mind:ply_fuel(): what a ply of looking ahead costs, with the variant's calls as they were so far.
 */
static int mind_ply_fuel(lua_State *lua) {
    const struct mind_lua *mind = mind_self(lua, "mind:ply_fuel");
    const struct view_lua *self = owner(lua);
    uint64_t fuel = ply_fuel(self);
    if (mind->plies)
        fuel += mind->calls_fuel / mind->plies;
    else if (self->view->rules->calls)
        fuel += CALLS_FUEL;
    lua_pushinteger(lua, (lua_Integer)fuel);
    return 1;
}

/* The moves of the list in argument 2. */
static size_t read_moves(lua_State *lua, struct view_lua *self, struct move moves[LOOK_MOVES_MAX]) {
    size_t count = lua_rawlen(lua, 2);
    if (count > LOOK_MOVES_MAX)
        luaL_error(lua, "mind:look: more than %d moves", (int)LOOK_MOVES_MAX);
    for (size_t i = 0; i < count; i++)
        moves[i] = view_move_in(lua, self, "mind:look", 2, (lua_Integer)i + 1);
    return count;
}

/* An option of mind:look. */
static lua_Integer option(lua_State *lua, const char *key, lua_Integer other, lua_Integer least,
                          lua_Integer most) {
    return view_whole_option(lua, "mind:look", 4, key, other, least, most);
}

/* mind:look(moves, sums [, options]): looks ahead of each of the moves and adds the chances to win
 * to the sums, once for each army that it draws. Returns the number of armies: 0 where the variant
 * limits sight, or its calls use too much. */
static int mind_look(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct mind_lua *mind = mind_self(lua, "mind:look");
    struct move moves[LOOK_MOVES_MAX];
    int64_t sums[LOOK_MOVES_MAX] = {0};
    lua_settop(lua, 4);
    if (!lua_istable(lua, 2)) view_refuse(lua, "mind:look", 2, "a list of moves");
    if (!lua_istable(lua, 3)) view_refuse(lua, "mind:look", 3, "a table for the sums");
    if (lua_isnil(lua, 4)) lua_newtable(lua), lua_replace(lua, 4);
    if (!lua_istable(lua, 4))
        view_refuse(lua, "mind:look", 4, "a table with depth, armies and fuel");
    view_check_keys(lua, "mind:look", 4, "depth, armies and fuel");
    int depth = (int)option(lua, "depth", LOOK_DEPTH, 0, LOOK_DEPTH_MAX);
    lua_Integer armies = option(lua, "armies", LOOK_ARMIES, 1, LOOK_ARMIES_MAX), drawn = 0;
    uint64_t fuel = (uint64_t)option(lua, "fuel", INT64_MAX, 0, INT64_MAX), spent = 0;
    size_t count = read_moves(lua, self, moves);
    if (self->view->rules->sight) { /* an enemy's view cannot be imagined */
        lua_pushinteger(lua, 0);
        return 1;
    }
    if (self->believed != mind) {
        search_lua_believe(lua, self, &mind->mind);
        self->believed = mind;
    }
    if (mind->looked != mind->turn) tree_clear(&mind->look.tree);
    mind->looked = mind->turn;
    for (size_t i = 0; i < count; i++) sandbox_charge(lua, move_fuel(self->view, moves[i]));
    belief_search_ask(&mind->look, &mind->mind, moves, count);
    const uint64_t ply = ply_fuel(self);
    while (drawn < armies && (!drawn || spent < fuel)) {
        const uint64_t played = mind->look.plies_played, paid = calls_paid();
        mind->look.calls_max = self->sandbox->fuel_left / LOOK_SHARE;
        const bool whole = belief_search_once(&mind->look, &self->searcher->sampler,
                                              sandbox_random(self->sandbox), depth, sums);
        const uint64_t plies = mind->look.plies_played - played, calls = calls_paid() - paid;
        mind->plies += plies;
        mind->calls_fuel += calls;
        search_lua_settle(lua, "mind:look");
        const uint64_t cost = ARMY_FUEL + ply * plies;
        spent += cost + calls;
        sandbox_charge(lua, cost);
        if (!whole) break;
        drawn++;
    }
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(lua, 3, (lua_Integer)i + 1);
        double sum = lua_tonumber(lua, -1);
        lua_pop(lua, 1);
        lua_pushnumber(lua, sum + (double)sums[i] / CHANCE_CERTAIN);
        lua_rawseti(lua, 3, (lua_Integer)i + 1);
    }
    lua_pushinteger(lua, drawn);
    return 1;
}

/* mind:exchange(move or square): the worth that we expect to win if both sides go on attacking on
 * that square as long as it pays. */
static int mind_exchange(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct mind_lua *mind = mind_self(lua, "mind:exchange");
    const struct view *view = self->view;
    int is_integer;
    const lua_Integer number = lua_tointegerx(lua, 2, &is_integer);
    int32_t value;
    sandbox_charge(lua, EXCHANGE_FUEL);
    if (is_integer && number > BOARD_SQUARES_MAX) {
        const struct move move = view_move(lua, self, "mind:exchange", 2);
        const uint16_t mover = view->number[move.from];
        if (mover == VIEW_EMPTY || view->piece[mover].side != view->side)
            view_refuse(lua, "mind:exchange", 2, "a move of a piece of this side");
        value = exchange_move(&mind->mind, move);
    } else {
        value = exchange_on(&mind->mind, view_square(lua, self, "mind:exchange", 2));
    }
    lua_pushnumber(lua, (double)value / EXCHANGE_UNIT);
    return 1;
}

const luaL_Reg MIND_METHODS[] = {
    {"belief", mind_belief},   {"chance", mind_chance},
    {"chances", mind_chances}, {"exchange", mind_exchange},
    {"look", mind_look},       {"ply_fuel", mind_ply_fuel},
    {"presses", mind_presses}, {NULL, NULL},
};

/* view:mind([learned]): a mind that values as was learned, or by the rules alone. */
static int method_mind(lua_State *lua) {
    struct view_lua *self = view_self(lua, "mind");
    const struct rules *rules = self->view->rules;
    lua_settop(lua, 2);
    if (!lua_isnil(lua, 2) && !lua_istable(lua, 2))
        view_refuse(lua, "mind", 2, "a table that was learned");
    search_lua_push_metatable(lua, self, "mind", &MINDS, MIND_METHODS);
    size_t room = rules->moves_max;
    size_t moves_size = room * (sizeof(struct move) + sizeof(int32_t));
    sandbox_charge(lua, MIND_FUEL);
    /* A script may use the mind as a key, so what it gets is small (SANDBOX_OBJECT_MAX). */
    struct mind_lua *mind, **handle = lua_newuserdatauv(lua, sizeof *handle, 1);
    mind = *handle = mind_at(
        lua_newuserdatauv(lua, sizeof *mind + _Alignof(struct mind_lua) - 1 + moves_size, 0));
    lua_setiuservalue(lua, -2, 1);
    memset(mind, 0, sizeof *mind);
    self->believed = NULL; /* it may have been a mind that was here before */
    measure_make(&mind->measure, rules);
    if (lua_isnil(lua, 2))
        value_begin(&mind->value, &mind->measure);
    else
        learned_lua_value(lua, 2, "view:mind: ", rules, &mind->value);
    mind->mind.measure = mind->look.mind[RED].measure = mind->look.mind[BLUE].measure =
        &mind->measure;
    mind->mind.value = mind->look.mind[RED].value = mind->look.mind[BLUE].value = &mind->value;
    mind->look.moves = mind->moves;
    mind->look.chances = (int32_t *)(void *)(mind->moves + room);
    mind->look.room = room;
    lua_pushvalue(lua, 3);
    lua_setmetatable(lua, -2);
    return 1;
}

const luaL_Reg VIEW_MIND_METHODS[] = {
    {"mind", method_mind},
    {NULL, NULL},
};
