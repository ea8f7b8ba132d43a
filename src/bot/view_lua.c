/* view_lua.c - the view's userdata, the history, and the methods about moves.
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
#include "view_arguments.h"
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
    add_methods(lua, self, VIEW_WHY_METHODS);
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
    lua_pushstring(lua, value);
    lua_setfield(lua, -2, key);
}

static void set_square(lua_State *lua, const char *key, square at) {
    if (at == SQUARE_NONE) return;
    lua_pushinteger(lua, at + 1);
    lua_setfield(lua, -2, key);
}

static const char *const EVENT_FIELDS[] = {"type",  "side",    "from",    "to",     "kind",
                                           "other", "outcome", "ability", "result", "reason",
                                           "kinds", "turns",   NULL};

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
    set_text(lua, "side", side_name((enum side)event->side));
    set_square(lua, "from", event->from);
    set_square(lua, "to", event->to);
    if (event->kind != KIND_NONE) set_text(lua, "kind", rules->kind[event->kind].name);
    if (event->type == EVENT_BATTLE) {
        if (event->other != KIND_NONE) set_text(lua, "other", rules->kind[event->other].name);
        set_text(lua, "outcome", outcome_name((enum outcome)event->outcome));
    }
    if (event->turns) {
        lua_pushinteger(lua, event->turns);
        lua_setfield(lua, -2, "turns");
    }
    if (event->kinds) {
        lua_newtable(lua);
        for (kindset left = event->kinds; left; left &= left - 1) {
            lua_pushstring(lua, rules->kind[__builtin_ctz(left)].name);
            lua_rawseti(lua, -2, (lua_Integer)lua_rawlen(lua, -2) + 1);
        }
        lua_setfield(lua, -2, "kinds");
    }
    if (event->type == EVENT_ABILITY)
        set_text(lua, "ability", rules->ability[rules_first_sharing(rules, event->tally)].name);
}

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
    lua_pushstring(lua, self->view->rules->kind[choice].name);
    return 1;
}

static int method_ability(lua_State *lua) {
    struct view_lua *self = view_self(lua, "ability");
    struct move move = view_move(lua, self, "ability", 2);
    if (move.ability == ABILITY_NONE) return 0;
    lua_pushstring(lua, self->view->rules->ability[move.ability].name);
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
    lua_pushstring(lua, text);
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
        lua_pushstring(lua, text);
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
    if (!setup_random(self->view->rules, sandbox_random(self->sandbox), &setup, &fault))
        return luaL_error(lua, "view:random_setup: %s", fault.text);
    setup_write(self->view->rules, &setup, text);
    lua_pushstring(lua, text);
    return 1;
}

static int method_side(lua_State *lua) {
    struct view_lua *self = view_self(lua, "side");
    lua_pushstring(lua, side_name((enum side)self->view->side));
    return 1;
}

static int method_other_side(lua_State *lua) {
    struct view_lua *self = view_self(lua, "other_side");
    lua_pushstring(lua, side_name(side_other((enum side)self->view->side)));
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
    {NULL, NULL},
};
