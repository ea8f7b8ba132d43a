/* view_board.c - the methods of a view that read the board and the rules, which never change. */
#include "view_arguments.h"
#include "view_methods.h"

static int push_square(lua_State *lua, square at) {
    lua_pushinteger(lua, at + 1);
    return 1;
}

static int push_kind(lua_State *lua, struct view_lua *self, kind_id kind) {
    sandbox_push_text(lua, self->view->rules->kind[kind].name);
    return 1;
}

static int push_distance(lua_State *lua, uint8_t steps) {
    if (steps == STEPS_NONE)
        lua_pushnil(lua);
    else
        lua_pushinteger(lua, steps);
    return 1;
}

static int method_files(lua_State *lua) {
    struct view_lua *self = view_self(lua, "files");
    lua_pushinteger(lua, self->view->rules->board.files);
    return 1;
}

static int method_ranks(lua_State *lua) {
    struct view_lua *self = view_self(lua, "ranks");
    lua_pushinteger(lua, self->view->rules->board.ranks);
    return 1;
}

static int method_zone_ranks(lua_State *lua) {
    struct view_lua *self = view_self(lua, "zone_ranks");
    lua_pushinteger(lua, self->view->rules->board.zone_ranks[self->view->side]);
    return 1;
}

static int method_zone_filled(lua_State *lua) {
    struct view_lua *self = view_self(lua, "zone_filled");
    lua_pushboolean(lua, self->view->rules->zone_filled);
    return 1;
}

static int method_in_zone(lua_State *lua) {
    struct view_lua *self = view_self(lua, "in_zone");
    square at = view_square(lua, self, "in_zone", 2);
    lua_pushboolean(lua, squareset_has(self->view->rules->board.zone[self->view->side], at));
    return 1;
}

static int method_may_start(lua_State *lua) {
    struct view_lua *self = view_self(lua, "may_start");
    kind_id kind = view_kind(lua, self, "may_start", 2);
    square at = view_square(lua, self, "may_start", 3);
    const enum side side = (enum side)self->view->side;
    lua_pushboolean(lua, setup_kinds(self->view->rules, side, at) >> kind & 1);
    return 1;
}

static int method_square(lua_State *lua) {
    struct view_lua *self = view_self(lua, "square");
    if (!lua_isnoneornil(lua, 3)) {
        int is_file, is_rank;
        lua_Integer file = lua_tointegerx(lua, 2, &is_file);
        lua_Integer rank = lua_tointegerx(lua, 3, &is_rank);
        if (!is_file) view_refuse(lua, "square", 2, "a file, counted from 1");
        if (!is_rank) view_refuse(lua, "square", 3, "a rank, counted from 1");
        const struct board *board = &self->view->rules->board;
        if (file < 1 || file > board->files || rank < 1 || rank > board->ranks) {
            lua_pushnil(lua);
            return 1;
        }
        return push_square(lua, board_square(board, (int)file - 1, (int)rank - 1));
    }
    return push_square(lua, view_square(lua, self, "square", 2));
}

static int method_name(lua_State *lua) {
    struct view_lua *self = view_self(lua, "name");
    char text[SQUARE_TEXT_MAX];
    square_write(&self->view->rules->board, view_square(lua, self, "name", 2), text);
    sandbox_push_text(lua, text);
    return 1;
}

static int method_file(lua_State *lua) {
    struct view_lua *self = view_self(lua, "file");
    square at = view_square(lua, self, "file", 2);
    lua_pushinteger(lua, board_file(&self->view->rules->board, at) + 1);
    return 1;
}

static int method_rank(lua_State *lua) {
    struct view_lua *self = view_self(lua, "rank");
    square at = view_square(lua, self, "rank", 2);
    lua_pushinteger(lua, board_rank(&self->view->rules->board, at) + 1);
    return 1;
}

/* The rank counted from the side's back rank, which is 1. */
static int method_depth(lua_State *lua) {
    struct view_lua *self = view_self(lua, "depth");
    const struct board *board = &self->view->rules->board;
    int rank = board_rank(board, view_square(lua, self, "depth", 2));
    lua_pushinteger(lua, self->view->side == RED ? rank + 1 : board->ranks - rank);
    return 1;
}

static int method_is_lake(lua_State *lua) {
    struct view_lua *self = view_self(lua, "is_lake");
    square at = view_square(lua, self, "is_lake", 2);
    lua_pushboolean(lua, squareset_has(self->view->rules->board.lakes, at));
    return 1;
}

static int method_neighbours(lua_State *lua) {
    struct view_lua *self = view_self(lua, "neighbours");
    square at = view_square(lua, self, "neighbours", 2);
    squareset rest = self->view->rules->board.neighbours[at];
    sandbox_charge(lua, 10);
    lua_createtable(lua, 4, 0);
    for (int i = 1; rest; i++) {
        lua_pushinteger(lua, squareset_pop(&rest) + 1);
        lua_rawseti(lua, -2, i);
    }
    return 1;
}

static int method_distance(lua_State *lua) {
    struct view_lua *self = view_self(lua, "distance");
    square from = view_square(lua, self, "distance", 2);
    square to = view_square(lua, self, "distance", 3);
    return push_distance(lua, knowledge_distance(&self->knowledge, from, to));
}

/* The distances of all squares from one square, or from the nearest of a list, in one list. */
static int method_distances(lua_State *lua) {
    struct view_lua *self = view_self(lua, "distances");
    int squares = self->view->rules->board.squares;
    squareset from = 0;
    if (lua_istable(lua, 2)) {
        lua_Integer length = (lua_Integer)lua_rawlen(lua, 2);
        if (length > squares) view_refuse(lua, "distances", 2, "a list of squares, each once");
        for (lua_Integer i = 1; i <= length; i++) {
            lua_rawgeti(lua, 2, i);
            lua_insert(lua, 2); /* the argument that an error is about */
            from |= squareset_of(view_square(lua, self, "distances", 2));
            lua_remove(lua, 2);
        }
    } else {
        from = squareset_of(view_square(lua, self, "distances", 2));
    }
    uint8_t steps[BOARD_SQUARES_MAX];
    sandbox_charge(lua, (uint64_t)squares);
    knowledge_distances(&self->knowledge, from, steps);
    lua_createtable(lua, squares, 0);
    for (int to = 0; to < squares; to++) {
        lua_pushinteger(lua, steps[to]);
        lua_rawseti(lua, -2, to + 1);
    }
    return 1;
}

static int method_way(lua_State *lua) {
    struct view_lua *self = view_self(lua, "way");
    square from = view_square(lua, self, "way", 2);
    square to = view_square(lua, self, "way", 3);
    sandbox_charge(lua, 50);
    return push_distance(lua, knowledge_way(&self->knowledge, from, to));
}

static int method_forward(lua_State *lua) {
    struct view_lua *self = view_self(lua, "forward");
    lua_pushinteger(lua, self->view->side == RED ? 1 : -1);
    return 1;
}

static int method_variant(lua_State *lua) {
    struct view_lua *self = view_self(lua, "variant");
    sandbox_push_text(lua, self->view->rules->name);
    return 1;
}

static int method_kinds(lua_State *lua) {
    struct view_lua *self = view_self(lua, "kinds");
    int count = self->view->rules->kinds;
    sandbox_charge(lua, 10 + 2 * (uint64_t)count);
    lua_createtable(lua, count, 0);
    for (int kind = 1; kind <= count; kind++) {
        push_kind(lua, self, (kind_id)kind);
        lua_rawseti(lua, -2, kind);
    }
    return 1;
}

static int method_strength(lua_State *lua) {
    struct view_lua *self = view_self(lua, "strength");
    lua_pushinteger(lua, self->view->rules->kind[view_kind(lua, self, "strength", 2)].rank);
    return 1;
}

static int method_label(lua_State *lua) {
    struct view_lua *self = view_self(lua, "label");
    sandbox_push_text(lua, self->view->rules->kind[view_kind(lua, self, "label", 2)].label);
    return 1;
}

static int method_letter(lua_State *lua) {
    struct view_lua *self = view_self(lua, "letter");
    lua_pushlstring(lua, &self->view->rules->kind[view_kind(lua, self, "letter", 2)].letter, 1);
    return 1;
}

static int method_army(lua_State *lua) {
    struct view_lua *self = view_self(lua, "army");
    const kind_id kind = view_kind(lua, self, "army", 2);
    enum side side = (enum side)self->view->side;
    if (!lua_isnoneornil(lua, 3)) side = view_side(lua, "army", 3);
    lua_pushinteger(lua, self->view->rules->start[side].count[kind]);
    return 1;
}

static int method_mobile(lua_State *lua) {
    struct view_lua *self = view_self(lua, "mobile");
    kind_id kind = view_kind(lua, self, "mobile", 2);
    lua_pushboolean(lua, self->view->rules->kind[kind].movement != MOVEMENT_NONE);
    return 1;
}

static int method_is_flag(lua_State *lua) {
    struct view_lua *self = view_self(lua, "is_flag");
    lua_pushboolean(lua, self->view->rules->kind[view_kind(lua, self, "is_flag", 2)].flag);
    return 1;
}

static int method_outcome(lua_State *lua) {
    struct view_lua *self = view_self(lua, "outcome");
    const struct rules *rules = self->view->rules;
    kind_id attacker = view_kind(lua, self, "outcome", 2);
    kind_id defender = view_kind(lua, self, "outcome", 3);
    enum outcome outcome = rules_outcome_bare(rules, attacker, defender);
    if (!lua_isnoneornil(lua, 4)) {
        const square from = view_square(lua, self, "outcome", 4);
        const square to = view_square(lua, self, "outcome", 5);
        outcome =
            rules_outcome_on(rules, (enum side)self->view->side, from, to, attacker, defender);
    }
    if (rules->kind[attacker].movement == MOVEMENT_NONE)
        lua_pushnil(lua);
    else
        sandbox_push_text(lua, outcome_name(outcome));
    return 1;
}

static int method_abilities(lua_State *lua) {
    struct view_lua *self = view_self(lua, "abilities");
    const struct rules *rules = self->view->rules;
    unsigned set = rules->kind[view_kind(lua, self, "abilities", 2)].abilities;
    lua_newtable(lua);
    for (int i = 1; set; set &= set - 1, i++) {
        sandbox_push_text(lua, rules->ability[__builtin_ctz(set)].name);
        lua_rawseti(lua, -2, i);
    }
    return 1;
}

const luaL_Reg VIEW_BOARD_METHODS[] = {
    {"depth", method_depth},
    {"distance", method_distance},
    {"distances", method_distances},
    {"file", method_file},
    {"files", method_files},
    {"forward", method_forward},
    {"in_zone", method_in_zone},
    {"is_lake", method_is_lake},
    {"name", method_name},
    {"neighbours", method_neighbours},
    {"rank", method_rank},
    {"ranks", method_ranks},
    {"square", method_square},
    {"way", method_way},
    {"zone_filled", method_zone_filled},
    {"zone_ranks", method_zone_ranks},
    {NULL, NULL},
};

const luaL_Reg VIEW_RULES_METHODS[] = {
    {"abilities", method_abilities}, {"army", method_army},       {"is_flag", method_is_flag},
    {"kinds", method_kinds},         {"label", method_label},     {"letter", method_letter},
    {"may_start", method_may_start}, {"mobile", method_mobile},   {"outcome", method_outcome},
    {"strength", method_strength},   {"variant", method_variant}, {NULL, NULL},
};
