/* view_pieces.c - the methods of a view that read the pieces and what is known about them. */
#include "view_arguments.h"
#include "view_methods.h"

static int push_at(lua_State *lua, square at) {
    if (at == SQUARE_NONE)
        lua_pushnil(lua);
    else
        lua_pushinteger(lua, at + 1);
    return 1;
}

static int push_pieces(lua_State *lua, struct view_lua *self, enum side side) {
    const struct view *view = self->view;
    int length = 0;
    lua_createtable(lua, view->rules->start[side].size, 0);
    for (int i = 0; i < view->count; i++) {
        if (view->piece[i].side != side || view->piece[i].at == SQUARE_NONE) continue;
        lua_pushinteger(lua, i + 1);
        lua_rawseti(lua, -2, ++length);
    }
    sandbox_charge(lua, (size_t)view->count);
    return 1;
}

static int method_at(lua_State *lua) {
    struct view_lua *self = view_self(lua, "at");
    unsigned number = self->view->number[view_square(lua, self, "at", 2)];
    if (number >= (unsigned)self->view->count)
        lua_pushnil(lua);
    else
        lua_pushinteger(lua, number + 1);
    return 1;
}

static int method_mine(lua_State *lua) {
    struct view_lua *self = view_self(lua, "mine");
    return push_pieces(lua, self, (enum side)self->view->side);
}

static int method_enemies(lua_State *lua) {
    struct view_lua *self = view_self(lua, "enemies");
    return push_pieces(lua, self, side_other((enum side)self->view->side));
}

static int method_owner(lua_State *lua) {
    struct view_lua *self = view_self(lua, "owner");
    int piece = view_piece(lua, self, "owner", 2);
    sandbox_push_text(lua, side_name((enum side)self->view->piece[piece].side));
    return 1;
}

static int method_is_mine(lua_State *lua) {
    struct view_lua *self = view_self(lua, "is_mine");
    int piece = view_piece(lua, self, "is_mine", 2);
    lua_pushboolean(lua, self->view->piece[piece].side == self->view->side);
    return 1;
}

static int method_where(lua_State *lua) {
    struct view_lua *self = view_self(lua, "where");
    return push_at(lua, self->view->piece[view_piece(lua, self, "where", 2)].at);
}

static int method_start_of(lua_State *lua) {
    struct view_lua *self = view_self(lua, "start_of");
    return push_at(lua, self->view->piece[view_piece(lua, self, "start_of", 2)].start);
}

static int method_kind(lua_State *lua) {
    struct view_lua *self = view_self(lua, "kind");
    int piece = view_piece(lua, self, "kind", 2);
    kind_id kind = self->view->piece[piece].kind;
    if (kind == KIND_NONE) {
        kindset set = knowledge_may_be(&self->knowledge, piece);
        if (set && !(set & (set - 1))) kind = (kind_id)__builtin_ctz(set);
    }
    if (kind == KIND_NONE)
        lua_pushnil(lua);
    else
        sandbox_push_text(lua, self->view->rules->kind[kind].name);
    return 1;
}

static int method_may_be(lua_State *lua) {
    struct view_lua *self = view_self(lua, "may_be");
    kindset set = knowledge_may_be(&self->knowledge, view_piece(lua, self, "may_be", 2));
    lua_createtable(lua, __builtin_popcount(set), 0);
    for (int i = 1; set; set &= set - 1, i++) {
        sandbox_push_text(lua, self->view->rules->kind[__builtin_ctz(set)].name);
        lua_rawseti(lua, -2, i);
    }
    return 1;
}

static int method_can_be(lua_State *lua) {
    struct view_lua *self = view_self(lua, "can_be");
    kindset set = knowledge_may_be(&self->knowledge, view_piece(lua, self, "can_be", 2));
    lua_pushboolean(lua, (set & kindset_of(view_kind(lua, self, "can_be", 3))) != 0);
    return 1;
}

static int method_sees(lua_State *lua) {
    struct view_lua *self = view_self(lua, "sees");
    square at = view_square(lua, self, "sees", 2);
    if (self->view->rules->sight) sandbox_charge(lua, (size_t)self->view->count);
    lua_pushboolean(lua, squareset_has(view_sees(self->view), at));
    return 1;
}

static int method_moved(lua_State *lua) {
    struct view_lua *self = view_self(lua, "moved");
    lua_pushboolean(lua, self->view->piece[view_piece(lua, self, "moved", 2)].moved);
    return 1;
}

static int method_shown(lua_State *lua) {
    struct view_lua *self = view_self(lua, "shown");
    lua_pushboolean(lua, self->view->piece[view_piece(lua, self, "shown", 2)].shown);
    return 1;
}

static int method_captured(lua_State *lua) {
    struct view_lua *self = view_self(lua, "captured");
    enum side side = view_side(lua, "captured", 2);
    if (lua_isnoneornil(lua, 3)) {
        sandbox_charge(lua, (uint64_t)self->view->count);
        lua_pushinteger(lua, view_fallen(self->view, side));
        return 1;
    }
    lua_pushinteger(lua, self->view->captured[side][view_kind(lua, self, "captured", 3)]);
    return 1;
}

/* view:counter(name, [side]) */
static int method_counter(lua_State *lua) {
    struct view_lua *self = view_self(lua, "counter");
    int counter = view_counter(lua, self->view->rules, "counter", 2);
    bool each = self->view->rules->counter[counter].each;
    enum side side = each ? view_side(lua, "counter", 3) : RED;
    lua_pushinteger(lua, counters_get(&self->view->counters, self->view->rules, side, counter));
    return 1;
}

static int method_left(lua_State *lua) {
    struct view_lua *self = view_self(lua, "left");
    enum side side = view_side(lua, "left", 2);
    kind_id kind = view_kind(lua, self, "left", 3);
    lua_pushinteger(lua, self->view->start[side][kind] - self->view->captured[side][kind]);
    return 1;
}

static int method_chance(lua_State *lua) {
    struct view_lua *self = view_self(lua, "chance");
    int piece = view_piece(lua, self, "chance", 2);
    kind_id kind = view_kind(lua, self, "chance", 3);
    double chance[KINDS_MAX];
    knowledge_chances(&self->knowledge, piece, chance);
    sandbox_charge(lua, 20);
    lua_pushnumber(lua, chance[kind]);
    return 1;
}

/* The probabilities of one side's kind in an attack; the argument is a piece or a kind. */
static void check_contestant(lua_State *lua, struct view_lua *self, int index,
                             double chance[KINDS_MAX]) {
    if (lua_type(lua, index) == LUA_TSTRING) {
        for (int kind = 0; kind < KINDS_MAX; kind++) chance[kind] = 0;
        chance[view_kind(lua, self, "odds", index)] = 1;
    } else {
        knowledge_chances(&self->knowledge, view_piece(lua, self, "odds", index), chance);
    }
}

/* The piece at an argument, if it stands on the board; NULL also for a kind. */
static const struct view_piece *contestant_there(lua_State *lua, struct view_lua *self, int index) {
    if (lua_type(lua, index) == LUA_TSTRING) return NULL;
    const struct view_piece *piece = &self->view->piece[view_piece(lua, self, "odds", index)];
    return piece->at == SQUARE_NONE ? NULL : piece;
}

static int method_odds(lua_State *lua) {
    struct view_lua *self = view_self(lua, "odds");
    const struct rules *rules = self->view->rules;
    double attacker[KINDS_MAX], defender[KINDS_MAX], odds[3] = {0, 0, 0}, sum = 0;
    check_contestant(lua, self, 2, attacker);
    check_contestant(lua, self, 3, defender);
    const struct view_piece *from = contestant_there(lua, self, 2);
    const struct view_piece *to = contestant_there(lua, self, 3);
    for (kind_id a = 1; a <= rules->kinds; a++) {
        if (attacker[a] <= 0 || rules->kind[a].movement == MOVEMENT_NONE) continue;
        sum += attacker[a];
        for (kind_id d = 1; d <= rules->kinds; d++) {
            if (defender[d] <= 0) continue;
            double chance = attacker[a] * defender[d];
            enum outcome outcome =
                from && to ? rules_outcome_on(rules, (enum side)from->side, from->at, to->at, a, d)
                           : rules_outcome(rules, a, d);
            if (outcome == CANNOT_ATTACK) outcome = DEFENDER_WINS;
            for (int i = 0; i < 3; i++)
                if (outcome == ASK_THE_VARIANT) odds[i] += chance / 3;
            if (outcome != ASK_THE_VARIANT) odds[outcome] += chance;
        }
    }
    sandbox_charge(lua, 50);
    if (sum <= 0) sum = 1; /* it cannot attack: three zeros */
    lua_pushnumber(lua, odds[ATTACKER_WINS] / sum);
    lua_pushnumber(lua, odds[BOTH_FALL] / sum);
    lua_pushnumber(lua, odds[DEFENDER_WINS] / sum);
    return 3;
}

const luaL_Reg VIEW_PIECE_METHODS[] = {
    {"at", method_at},
    {"can_be", method_can_be},
    {"captured", method_captured},
    {"chance", method_chance},
    {"counter", method_counter},
    {"enemies", method_enemies},
    {"is_mine", method_is_mine},
    {"kind", method_kind},
    {"left", method_left},
    {"may_be", method_may_be},
    {"mine", method_mine},
    {"moved", method_moved},
    {"odds", method_odds},
    {"owner", method_owner},
    {"sees", method_sees},
    {"shown", method_shown},
    {"start_of", method_start_of},
    {"where", method_where},
    {NULL, NULL},
};
