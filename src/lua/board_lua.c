/* board_lua.c - the methods of `board`: pure geometry, so that the results of a variant's functions
 * can be tabulated once for every square. */
#include "board_lua.h"

#include "member.h"
#include "sandbox.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

static const char TYPE[] = "board";

const char *board_square_name(const struct board *board, square at, char out[4]) {
    square_write(board, at, out);
    return out;
}

bool board_square_at(lua_State *lua, int index, const struct board *board, square *at) {
    if (lua_type(lua, index) == LUA_TNUMBER) {
        int whole;
        lua_Integer number = lua_tointegerx(lua, index, &whole);
        if (!whole || number < 1 || number > board->squares) return false;
        *at = (square)(number - 1);
        return true;
    }
    if (lua_type(lua, index) != LUA_TSTRING) return false;
    const char *text = lua_tostring(lua, index);
    int rank = 0;
    if (text[0] < 'a' || text[0] > 'p' || text[1] < '1' || text[1] > '9') return false;
    for (const char *c = text + 1; *c; c++) {
        if (*c < '0' || *c > '9' || rank > BOARD_LINES_MAX) return false;
        rank = rank * 10 + (*c - '0');
    }
    *at = board_square(board, text[0] - 'a', rank - 1);
    return *at != SQUARE_NONE;
}

static const struct board *to_board(lua_State *lua) {
    const struct board *board = luaL_testudata(lua, 1, TYPE);
    if (!board) member_colon(lua, TYPE, NULL);
    return board;
}

square board_check_square(lua_State *lua, int index, const struct board *board) {
    square at = SQUARE_NONE;
    if (!board_square_at(lua, index, board, &at))
        luaL_argerror(lua, index, "expected a square of the board, such as 1 or \"a1\"");
    return at;
}

enum side board_check_side(lua_State *lua, int index) {
    static const char *const names[] = {"red", "blue", NULL};
    return luaL_checkoption(lua, index, NULL, names) == 0 ? RED : BLUE;
}

static int push_square(lua_State *lua, square at) {
    if (at == SQUARE_NONE)
        lua_pushnil(lua);
    else
        lua_pushinteger(lua, at + 1);
    return 1;
}

static int push_set(lua_State *lua, squareset set) {
    lua_createtable(lua, squareset_count(set), 0);
    for (int i = 1; set; i++) {
        lua_pushinteger(lua, squareset_pop(&set) + 1);
        lua_rawseti(lua, -2, i);
    }
    sandbox_charge(lua, 20);
    return 1;
}

/* board:square(file, rank) or board:square("e7"): the square, nil off the board. */
static int board_method_square(lua_State *lua) {
    const struct board *board = to_board(lua);
    square at = SQUARE_NONE;
    if (lua_type(lua, 2) == LUA_TSTRING && lua_isnoneornil(lua, 3)) {
        board_square_at(lua, 2, board, &at);
    } else {
        lua_Integer file = luaL_checkinteger(lua, 2), rank = luaL_checkinteger(lua, 3);
        if (file >= 1 && file <= board->files && rank >= 1 && rank <= board->ranks)
            at = board_square(board, (int)file - 1, (int)rank - 1);
    }
    return push_square(lua, at);
}

static int board_method_file(lua_State *lua) {
    const struct board *board = to_board(lua);
    lua_pushinteger(lua, board_file(board, board_check_square(lua, 2, board)) + 1);
    return 1;
}

static int board_method_rank(lua_State *lua) {
    const struct board *board = to_board(lua);
    lua_pushinteger(lua, board_rank(board, board_check_square(lua, 2, board)) + 1);
    return 1;
}

static int board_method_name(lua_State *lua) {
    const struct board *board = to_board(lua);
    char name[4];
    sandbox_push_text(lua, board_square_name(board, board_check_square(lua, 2, board), name));
    return 1;
}

static int board_method_is_lake(lua_State *lua) {
    const struct board *board = to_board(lua);
    lua_pushboolean(lua, squareset_has(board->lakes, board_check_square(lua, 2, board)));
    return 1;
}

/* board:is(name, square[, side]): is the square of that ground, and that side's? */
static int board_method_is(lua_State *lua) {
    const struct board *board = to_board(lua);
    const char *name = luaL_checkstring(lua, 2);
    const square at = board_check_square(lua, 3, board);
    const int number = board_ground(board, name);
    if (number == board->grounds) {
        struct word_guess guess = word_guess_for(name);
        char hint[WORD_HINT_MAX];
        for (int i = 0; i < board->grounds; i++) word_offer(&guess, board->ground[i].name);
        return luaL_error(lua, "board:is: the board has no ground \"%s\"%s", name,
                          guess.best[0] ? word_hint(&guess, hint) : "");
    }
    const struct ground *ground = &board->ground[number];
    const bool any = lua_isnoneornil(lua, 4);
    const squareset squares =
        any ? ground_squares(ground) : ground->squares[board_check_side(lua, 4)];
    lua_pushboolean(lua, squareset_has(squares, at));
    return 1;
}

static int board_method_in_zone(lua_State *lua) {
    const struct board *board = to_board(lua);
    enum side side = board_check_side(lua, 2);
    lua_pushboolean(lua, squareset_has(board->zone[side], board_check_square(lua, 3, board)));
    return 1;
}

static int board_method_back_rank(lua_State *lua) {
    const struct board *board = to_board(lua);
    int back = board_check_side(lua, 2) == RED ? 0 : board->ranks - 1;
    lua_pushboolean(lua, board_rank(board, board_check_square(lua, 3, board)) == back);
    return 1;
}

/* board:step(square, files, ranks): the square so many files to the right and ranks up. */
static int board_method_step(lua_State *lua) {
    const struct board *board = to_board(lua);
    square at = board_check_square(lua, 2, board);
    lua_Integer files = luaL_checkinteger(lua, 3), ranks = luaL_checkinteger(lua, 4);
    if (files < -BOARD_LINES_MAX || files > BOARD_LINES_MAX || ranks < -BOARD_LINES_MAX ||
        ranks > BOARD_LINES_MAX)
        return push_square(lua, SQUARE_NONE);
    return push_square(lua, board_square(board, board_file(board, at) + (int)files,
                                         board_rank(board, at) + (int)ranks));
}

static int board_method_squares(lua_State *lua) {
    return push_set(lua, to_board(lua)->land);
}

static int board_method_neighbours(lua_State *lua) {
    const struct board *board = to_board(lua);
    return push_set(lua, board->neighbours[board_check_square(lua, 2, board)]);
}

/* Raises, with the nearest of methods and fields. */
static void refuse_member(lua_State *lua, const char *key) {
    lua_newtable(lua);
    for (lua_pushnil(lua); lua_next(lua, lua_upvalueindex(1));) {
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
    lua_pushboolean(lua, 1);
    lua_setfield(lua, -2, "files");
    lua_pushboolean(lua, 1);
    lua_setfield(lua, -2, "ranks");
    member_refuse(lua, -1, TYPE, key, MEMBER_NEEDED);
}

static int board_index(lua_State *lua) {
    const struct board *board = to_board(lua);
    const char *key = luaL_checkstring(lua, 2);
    if (strcmp(key, "files") == 0) {
        lua_pushinteger(lua, board->files);
    } else if (strcmp(key, "ranks") == 0) {
        lua_pushinteger(lua, board->ranks);
    } else {
        lua_pushvalue(lua, 2);
        if (lua_rawget(lua, lua_upvalueindex(1)) == LUA_TNIL) refuse_member(lua, key);
    }
    return 1;
}

const luaL_Reg BOARD_METHODS[] = {{"square", board_method_square},
                                  {"file", board_method_file},
                                  {"rank", board_method_rank},
                                  {"name", board_method_name},
                                  {"is", board_method_is},
                                  {"is_lake", board_method_is_lake},
                                  {"in_zone", board_method_in_zone},
                                  {"back_rank", board_method_back_rank},
                                  {"step", board_method_step},
                                  {"squares", board_method_squares},
                                  {"neighbours", board_method_neighbours},
                                  {NULL, NULL}};

void board_push(lua_State *lua, const struct board *board) {
    struct board *copy = lua_newuserdatauv(lua, sizeof *copy, 0);
    *copy = *board;
    if (luaL_newmetatable(lua, TYPE)) {
        luaL_newlibtable(lua, BOARD_METHODS);
        lua_pushnil(lua); /* an upvalue makes them objects (sandbox_own_function()) */
        luaL_setfuncs(lua, BOARD_METHODS, 1);
        lua_pushcclosure(lua, board_index, 1);
        lua_setfield(lua, -2, "__index");
        lua_pushboolean(lua, 0);
        lua_setfield(lua, -2, "__metatable");
    }
    lua_setmetatable(lua, -2);
}
