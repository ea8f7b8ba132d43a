/* view_moves.c - the methods of a view about moves, the turn and its chance. core/know/why.h
 * decides view:why. */
#include "core/know/why.h"
#include "core/search/playout.h"
#include "core/text/layout.h"
#include "core/text/notation.h"
#include "view_arguments.h"
#include "view_methods.h"

#include <lauxlib.h>

enum filter { ALL_MOVES, ATTACKS, ABILITY_MOVES, MOVES_OF };

/* Pushes a list of the legal moves that pass the filter. */
static int push_moves(lua_State *lua, struct view_lua *self, enum filter filter, square from) {
    int length = 0;
    sandbox_charge(lua, self->count);
    lua_createtable(lua, filter == ALL_MOVES ? (int)self->count : 4, 0);
    for (size_t i = 0; i < self->count; i++) {
        struct move move = self->moves[i];
        if (filter == ATTACKS && !view_enters_enemy(self->view, move)) continue;
        if (filter == ABILITY_MOVES && move.ability == ABILITY_NONE) continue;
        if (filter == MOVES_OF && move.from != from) continue;
        lua_pushinteger(lua, move_pack(move));
        lua_rawseti(lua, -2, ++length);
    }
    return 1;
}

static int method_moves(lua_State *lua) {
    return push_moves(lua, view_self(lua, "moves"), ALL_MOVES, 0);
}

static int method_attacks(lua_State *lua) {
    return push_moves(lua, view_self(lua, "attacks"), ATTACKS, 0);
}

static int method_ability_moves(lua_State *lua) {
    return push_moves(lua, view_self(lua, "ability_moves"), ABILITY_MOVES, 0);
}

static int method_moves_of(lua_State *lua) {
    struct view_lua *self = view_self(lua, "moves_of");
    int piece = view_piece(lua, self, "moves_of", 2);
    return push_moves(lua, self, MOVES_OF, self->view->piece[piece].at);
}

static int method_from(lua_State *lua) {
    struct view_lua *self = view_self(lua, "from");
    lua_pushinteger(lua, view_move(lua, self, "from", 2).from + 1);
    return 1;
}

static int method_to(lua_State *lua) {
    struct view_lua *self = view_self(lua, "to");
    lua_pushinteger(lua, view_move(lua, self, "to", 2).to + 1);
    return 1;
}

static int method_target(lua_State *lua) {
    struct view_lua *self = view_self(lua, "target");
    square target = view_move(lua, self, "target", 2).target;
    if (target == SQUARE_NONE) return 0;
    lua_pushinteger(lua, target + 1);
    return 1;
}

static int method_choice(lua_State *lua) {
    struct view_lua *self = view_self(lua, "choice");
    kind_id choice = (kind_id)view_move(lua, self, "choice", 2).choice;
    if (choice == KIND_NONE) return 0;
    sandbox_push_text(lua, self->view->rules->kind[choice].name);
    return 1;
}

static int method_ability(lua_State *lua) {
    struct view_lua *self = view_self(lua, "ability");
    struct move move = view_move(lua, self, "ability", 2);
    if (move.ability == ABILITY_NONE) return 0;
    sandbox_push_text(lua, self->view->rules->ability[move.ability].name);
    return 1;
}

static int method_is_attack(lua_State *lua) {
    struct view_lua *self = view_self(lua, "is_attack");
    lua_pushboolean(lua, view_enters_enemy(self->view, view_move(lua, self, "is_attack", 2)));
    return 1;
}

/* The probability that a move's ability has the effect, over the possible kinds of its target. */
static int push_effect_chance(lua_State *lua, struct view_lua *self, const char *method,
                              enum effect effect) {
    struct move move = view_move(lua, self, method, 2);
    double sum = 0, chance[KINDS_MAX];
    if (move.ability != ABILITY_NONE && move.target != SQUARE_NONE) {
        const struct ability *ability = &self->view->rules->ability[move.ability];
        unsigned number = self->view->number[move.target];
        if (number >= (unsigned)self->view->count) {
            sum = ability->effects[KIND_NONE][move.choice] & effect ? 1 : 0;
        } else {
            sandbox_charge(lua, 20);
            knowledge_chances(&self->knowledge, (int)number, chance);
            for (kind_id kind = 1; kind <= self->view->rules->kinds; kind++)
                if (ability->effects[kind][move.choice] & effect) sum += chance[kind];
        }
    }
    lua_pushnumber(lua, sum);
    return 1;
}

static int method_removes(lua_State *lua) {
    struct view_lua *self = view_self(lua, "removes");
    return push_effect_chance(lua, self, "removes", EFFECT_REMOVE_TARGET);
}

static int method_places(lua_State *lua) {
    struct view_lua *self = view_self(lua, "places");
    return push_effect_chance(lua, self, "places", EFFECT_PLACE);
}

static int method_text(lua_State *lua) {
    struct view_lua *self = view_self(lua, "text");
    struct move move = view_move(lua, self, "text", 2);
    char text[MOVE_TEXT_MAX];
    sandbox_charge(lua, 20);
    move_text(self->view->rules, move, view_enters_enemy(self->view, move), text);
    sandbox_push_text(lua, text);
    return 1;
}

static int method_history(lua_State *lua) {
    struct view_lua *self = view_self(lua, "history");
    size_t last = self->history_count;
    if (!lua_isnoneornil(lua, 2)) {
        int is_integer;
        lua_Integer wanted = lua_tointegerx(lua, 2, &is_integer);
        if (!is_integer || wanted < 0)
            view_refuse(lua, "history", 2, "how many of the latest moves, 0 or more");
        if ((size_t)wanted < last) last = (size_t)wanted;
    }
    sandbox_charge(lua, 20 * last);
    lua_createtable(lua, (int)last, 0);
    for (size_t i = 0; i < last; i++) {
        const struct past_turn *turn = &self->history[self->history_count - last + i];
        char text[MOVE_TEXT_MAX] = "";
        if (turn->move.from != SQUARE_NONE)
            move_text(self->view->rules, turn->move, turn->attack, text);
        sandbox_push_text(lua, text);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int method_random(lua_State *lua) {
    struct view_lua *self = view_self(lua, "random");
    if (lua_isnoneornil(lua, 2)) {
        lua_pushnumber(lua, random_part(sandbox_random(self->sandbox)));
        return 1;
    }
    int is_integer;
    lua_Integer bound = lua_tointegerx(lua, 2, &is_integer);
    if (!is_integer || bound < 1 || bound > UINT32_MAX)
        view_refuse(lua, "random", 2, "a whole number from 1 to 4294967295");
    lua_pushinteger(lua,
                    (lua_Integer)random_below(sandbox_random(self->sandbox), (uint32_t)bound) + 1);
    return 1;
}

static int method_random_setup(lua_State *lua) {
    struct view_lua *self = view_self(lua, "random_setup");
    struct setup setup;
    struct fault fault;
    char text[SETUP_TEXT_MAX];
    sandbox_charge(lua, 1000);
    if (!setup_random(self->view->rules, (enum side)self->view->side, sandbox_random(self->sandbox),
                      &setup, &fault))
        return luaL_error(lua, "view:random_setup: %s", fault.text);
    setup_write(self->view->rules, (enum side)self->view->side, &setup, text);
    sandbox_push_text(lua, text);
    return 1;
}

static int method_side(lua_State *lua) {
    struct view_lua *self = view_self(lua, "side");
    sandbox_push_text(lua, side_name((enum side)self->view->side));
    return 1;
}

static int method_other_side(lua_State *lua) {
    struct view_lua *self = view_self(lua, "other_side");
    sandbox_push_text(lua, side_name(side_other((enum side)self->view->side)));
    return 1;
}

static int method_ply(lua_State *lua) {
    struct view_lua *self = view_self(lua, "ply");
    lua_pushinteger(lua, self->view->plies);
    return 1;
}

static int method_quiet(lua_State *lua) {
    struct view_lua *self = view_self(lua, "quiet");
    lua_pushinteger(lua, self->view->quiet);
    return 1;
}

static int method_limits(lua_State *lua) {
    struct view_lua *self = view_self(lua, "limits");
    lua_pushinteger(lua, self->view->limits.no_attack);
    lua_pushinteger(lua, self->view->limits.plies);
    return 2;
}

static int method_fuel(lua_State *lua) {
    struct view_lua *self = view_self(lua, "fuel");
    lua_pushinteger(lua, (lua_Integer)self->sandbox->fuel_left);
    return 1;
}

static int method_clock(lua_State *lua) {
    const struct view_lua *self = view_self(lua, "clock");
    if (!self->clock.running) return 0;
    lua_pushnumber(lua, (lua_Number)self->clock.left / 1000);
    lua_pushnumber(lua, (lua_Number)self->clock.increment / 1000);
    return 2;
}

static int method_why(lua_State *lua) {
    struct view_lua *self = view_self(lua, "why");
    struct why why;
    if (!self->moves) return luaL_error(lua, "view:why: it is not this side's turn to move");
    sandbox_charge(lua, 500 + self->count);
    if (lua_type(lua, 2) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, 2, &length);
        why_text(self->view, self->moves, self->count, text, length, &why);
    } else {
        why_move(self->view, self->moves, self->count, view_move(lua, self, "why", 2), &why);
    }
    lua_pushboolean(lua, why.legal);
    sandbox_push_text(lua, why.rule);
    sandbox_push_text(lua, why.text);
    lua_createtable(lua, why.evidence.count, 0);
    for (int i = 0; i < why.evidence.count; i++) {
        lua_pushinteger(lua, why.evidence.ply[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    return 4;
}

const luaL_Reg VIEW_MOVE_METHODS[] = {
    {"ability", method_ability},
    {"ability_moves", method_ability_moves},
    {"attacks", method_attacks},
    {"choice", method_choice},
    {"clock", method_clock},
    {"from", method_from},
    {"fuel", method_fuel},
    {"history", method_history},
    {"is_attack", method_is_attack},
    {"limits", method_limits},
    {"moves", method_moves},
    {"moves_of", method_moves_of},
    {"other_side", method_other_side},
    {"places", method_places},
    {"ply", method_ply},
    {"quiet", method_quiet},
    {"random", method_random},
    {"random_setup", method_random_setup},
    {"removes", method_removes},
    {"side", method_side},
    {"target", method_target},
    {"text", method_text},
    {"to", method_to},
    {"why", method_why},
    {NULL, NULL},
};
