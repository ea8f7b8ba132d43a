/* view_chase.c - view:chase and view:race: who reaches what first. */
#include "core/value/chase.h"

#include "view_arguments.h"
#include "view_methods.h"

enum { PLIES = 12 };
enum fuel {
    PREPARE_FUEL = 20, /* for each square of the board: where the two can go */
    PLY_FUEL = 12,     /* the same for each ply */
    RACE_FUEL = 300,   /* for the piece itself */
    RUNNER_FUEL = 60   /* for each piece of the other side */
};

/* A piece in sight. */
static int piece_on_board(lua_State *lua, struct view_lua *self, const char *method, int index) {
    const int number = view_piece(lua, self, method, index);
    if (self->view->piece[number].at == SQUARE_NONE)
        view_refuse(lua, method, index, "a piece on the board");
    return number;
}

static const kindset *all_may_be(struct view_lua *self, kindset may_be[2 * BOARD_SQUARES_MAX]) {
    for (int i = 0; i < self->view->count; i++) may_be[i] = knowledge_may_be(&self->knowledge, i);
    return may_be;
}

static int push_count(lua_State *lua, int count) {
    if (count == CHASE_NEVER)
        lua_pushnil(lua);
    else
        lua_pushinteger(lua, count);
    return 1;
}

/* Makes the move in argument 5, of one of the two. False if it ends on the other's square. */
static bool make_move(lua_State *lua, struct view_lua *self, struct pursuit *pursuit) {
    const struct move move = view_move(lua, self, "chase", 5);
    const bool by_hunter = self->view->piece[pursuit->hunter].side == self->view->side;
    square *at = by_hunter ? &pursuit->hunter_at : &pursuit->prey_at;
    if (move.from != *at) view_refuse(lua, "chase", 5, "a move of one of the two");
    *at = move.to;
    pursuit->hunter_moves = !by_hunter;
    return pursuit->hunter_at != pursuit->prey_at;
}

/* view:chase(hunter, prey [, plies [, move]]): the plies until the hunter attacks the prey, nil if
 * it escapes. */
static int method_chase(lua_State *lua) {
    struct view_lua *self = view_self(lua, "chase");
    const struct view *view = self->view;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    struct pursuit pursuit = {.view = view, .may_be = all_may_be(self, may_be)};
    lua_settop(lua, 5);
    pursuit.hunter = piece_on_board(lua, self, "chase", 2);
    pursuit.prey = piece_on_board(lua, self, "chase", 3);
    const struct view_piece *hunter = &view->piece[pursuit.hunter];
    const struct view_piece *prey = &view->piece[pursuit.prey];
    if (hunter->side == prey->side) view_refuse(lua, "chase", 3, "a piece of the other side");
    int is_integer = 1;
    const lua_Integer plies = lua_isnil(lua, 4) ? PLIES : lua_tointegerx(lua, 4, &is_integer);
    if (!is_integer || plies < 1 || plies > CHASE_PLIES_MAX)
        view_refuse(lua, "chase", 4, "a number of plies, 1-64");
    pursuit.hunter_at = hunter->at;
    pursuit.prey_at = prey->at;
    pursuit.hunter_moves = view->to_move == hunter->side;
    if (!lua_isnil(lua, 5) && !make_move(lua, self, &pursuit))
        return push_count(lua, hunter->side == view->side ? 0 : CHASE_NEVER);
    sandbox_charge(lua, (uint64_t)view->rules->board.squares *
                            (PREPARE_FUEL + PLY_FUEL * (uint64_t)plies));
    return push_count(lua, chase_plies(&pursuit, (int)plies));
}

/* view:race(piece, square): the moves of the piece, those of the first of the other side's that may
 * win or tie against it, and which that is. */
static int method_race(lua_State *lua) {
    struct view_lua *self = view_self(lua, "race");
    kindset may_be[2 * BOARD_SQUARES_MAX];
    const int number = piece_on_board(lua, self, "race", 2);
    const square to = view_square(lua, self, "race", 3);
    const enum side other = side_other((enum side)self->view->piece[number].side);
    uint64_t fuel = RACE_FUEL;
    for (int i = 0; i < self->view->count; i++)
        if (self->view->piece[i].side == other && self->view->piece[i].at != SQUARE_NONE)
            fuel += RUNNER_FUEL;
    sandbox_charge(lua, fuel);
    const struct race race = race_run(self->view, all_may_be(self, may_be), number, to);
    push_count(lua, race.own);
    push_count(lua, race.theirs);
    if (race.number == VIEW_EMPTY)
        lua_pushnil(lua);
    else
        lua_pushinteger(lua, race.number + 1);
    return 3;
}

const luaL_Reg VIEW_CHASE_METHODS[] = {
    {"chase", method_chase},
    {"race", method_race},
    {NULL, NULL},
};
