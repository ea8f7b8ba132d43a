/* position_lua.c - the methods of `position`, and a move as a table. None of them writes.
 *
 * Squares are integers, as in `board`; kinds and sides are names. */
#include "position_lua.h"

#include "core/text/diagram.h"
#include "lua/board_lua.h"
#include "lua/member.h"
#include "lua/sandbox.h"

#include <stdio.h>
#include <string.h>

static const char TYPE[] = "position";

static const struct game *self(lua_State *lua) {
    const struct position_lua *position = luaL_testudata(lua, 1, TYPE);
    if (!position) member_colon(lua, TYPE, NULL);
    if (!position->game)
        luaL_error(lua, "a position can be read only during the call that received it");
    return position->game;
}

static cell cell_at(lua_State *lua, const struct game *game, int index) {
    return game->at[board_check_square(lua, index, &game->rules->board)];
}

/* A kind's name. If it is not `needed` and left out, KIND_NONE, which means all kinds. */
static kind_id check_kind(lua_State *lua, const struct game *game, int index, bool needed) {
    if (!needed && lua_isnoneornil(lua, index)) return KIND_NONE;
    const char *name = luaL_checkstring(lua, index);
    kind_id kind = rules_kind_named(game->rules, name);
    if (kind != KIND_NONE) return kind;
    lua_getiuservalue(lua, 1, 2);
    lua_pushvalue(lua, index);
    bool known = lua_gettable(lua, -2) != LUA_TNIL;
    lua_pop(lua, 2);
    if (needed || !known)
        luaL_argerror(lua, index, lua_pushfstring(lua, "'%s' is not a piece of the variant", name));
    return KINDS_MAX; /* not in the army: it matches no piece */
}

/* position:kind_at(square): kind and side of the piece there, nil if the square is empty. */
static int method_kind_at(lua_State *lua) {
    const struct game *game = self(lua);
    cell piece = cell_at(lua, game, 2);
    if (!piece) {
        lua_pushnil(lua);
        return 1;
    }
    sandbox_push_text(lua, game->rules->kind[cell_kind(piece)].name);
    sandbox_push_text(lua, side_name(cell_side(piece)));
    return 2;
}

static int method_has_moved(lua_State *lua) {
    const struct game *game = self(lua);
    lua_pushboolean(lua, (cell_at(lua, game, 2) & CELL_WALKED) != 0);
    return 1;
}

/* position:squares(side, [kind]): the squares of those pieces, in ascending order. */
static int method_squares(lua_State *lua) {
    const struct game *game = self(lua);
    squareset left = game->pieces[board_check_side(lua, 2)];
    kind_id kind = check_kind(lua, game, 3, false);
    lua_createtable(lua, squareset_count(left), 0);
    for (lua_Integer i = 1; left;) {
        square at = squareset_pop(&left);
        if (kind != KIND_NONE && cell_kind(game->at[at]) != kind) continue;
        lua_pushinteger(lua, at + 1);
        lua_rawseti(lua, -2, i++);
    }
    sandbox_charge(lua, 20 + 2 * (uint64_t)lua_rawlen(lua, -1));
    return 1;
}

static uint8_t on_board(const struct game *game, enum side side, kind_id kind) {
    return game->count[side][kind];
}

/* Pushes the count for one kind, or the sum over all kinds. */
static int push_count(lua_State *lua,
                      uint8_t (*count)(const struct game *game, enum side side, kind_id kind)) {
    const struct game *game = self(lua);
    enum side side = board_check_side(lua, 2);
    kind_id kind = check_kind(lua, game, 3, false);
    int sum = 0;
    for (kind_id k = 1; k <= game->rules->kinds; k++)
        if (kind == KIND_NONE || kind == k) sum += count(game, side, k);
    lua_pushinteger(lua, sum);
    return 1;
}

static int method_count(lua_State *lua) {
    return push_count(lua, on_board);
}

static int method_captured(lua_State *lua) {
    return push_count(lua, game_captured);
}

static int method_returnable(lua_State *lua) {
    return push_count(lua, game_returnable);
}

/* position:counter(name, [side]): its value; the side only if each has its own. */
static int method_counter(lua_State *lua) {
    const struct game *game = self(lua);
    const char *name = luaL_checkstring(lua, 2);
    int counter = rules_counter_named(game->rules, name);
    if (counter < 0)
        luaL_argerror(lua, 2, lua_pushfstring(lua, "'%s' is not a counter of the variant", name));
    enum side side = RED;
    if (game->rules->counter[counter].each) side = board_check_side(lua, 3);
    lua_pushinteger(lua, counters_get(&game->counters, game->rules, side, counter));
    return 1;
}

static int method_rank(lua_State *lua) {
    const struct game *game = self(lua);
    lua_pushinteger(lua, game->rules->kind[check_kind(lua, game, 2, true)].rank);
    return 1;
}

static int method_to_move(lua_State *lua) {
    sandbox_push_text(lua, side_name((enum side)self(lua)->to_move));
    return 1;
}

static int method_plies(lua_State *lua) {
    const struct game *game = self(lua);
    lua_pushinteger(lua, (lua_Integer)game->earlier + game->ply_count);
    return 1;
}

static int method_board(lua_State *lua) {
    self(lua);
    lua_getiuservalue(lua, 1, 1);
    return 1;
}

/* The board with all pieces, red at the bottom, and whose turn it is. */
static size_t position_text(const struct game *game, char *out) {
    const struct rules *rules = game->rules;
    struct diagram diagram;
    diagram_clear(&diagram, &rules->board);
    for (square at = 0; at < rules->board.squares; at++)
        if (game->at[at])
            diagram_piece(&diagram, at, cell_side(game->at[at]),
                          rules->kind[cell_kind(game->at[at])].letter);
    int title =
        sprintf(out, "after ply %u, %s to move\n", (unsigned)(game->earlier + game->ply_count),
                side_name((enum side)game->to_move));
    return (size_t)title + diagram_write(&diagram, &rules->board, RED, out + title);
}

enum { POSITION_TITLE_MAX = 64 };

static int position_tostring(lua_State *lua) {
    const struct position_lua *position = luaL_checkudata(lua, 1, TYPE);
    char text[DIAGRAM_MAX + POSITION_TITLE_MAX];
    if (!position->game) {
        lua_pushliteral(lua, "position"); /* between the calls */
        return 1;
    }
    sandbox_charge(lua, 100 + 4 * (uint64_t)position->game->rules->board.squares);
    lua_pushlstring(lua, text, position_text(position->game, text));
    return 1;
}

bool position_lua_show(void *context, lua_State *lua, int index, struct logbook *book) {
    const struct position_lua *position = luaL_testudata(lua, index, TYPE);
    char text[DIAGRAM_MAX + POSITION_TITLE_MAX];
    (void)context;
    if (!position || !position->game) return false;
    logbook_add(book, text, position_text(position->game, text));
    return true;
}

const luaL_Reg POSITION_METHODS[] = {
    {"board", method_board},     {"captured", method_captured},   {"count", method_count},
    {"counter", method_counter}, {"has_moved", method_has_moved}, {"kind_at", method_kind_at},
    {"plies", method_plies},     {"rank", method_rank},           {"returnable", method_returnable},
    {"squares", method_squares}, {"to_move", method_to_move},     {NULL, NULL},
};

static const char *const PLAY_FIELDS[] = {"side",    "kind",    "from",   "to",     "attacks",
                                          "outcome", "ability", "target", "choice", NULL};

struct position_lua *position_lua_push(lua_State *lua, const struct rules *rules, int pieces) {
    lua_newtable(lua); /* the metatable of moves, before the first of them */
    member_fields(lua, "move", PLAY_FIELDS);
    lua_pop(lua, 1);
    struct position_lua *position = lua_newuserdatauv(lua, sizeof *position, 2);
    position->game = NULL;
    lua_pushvalue(lua, pieces);
    lua_setiuservalue(lua, -2, 2);
    board_push(lua, &rules->board);
    lua_setiuservalue(lua, -2, 1);
    luaL_newmetatable(lua, TYPE);
    lua_newtable(lua);
    lua_pushnil(lua); /* an upvalue makes them objects (sandbox_own_function()) */
    luaL_setfuncs(lua, POSITION_METHODS, 1);
    member_guard(lua, TYPE, MEMBER_NEEDED);
    lua_setfield(lua, -2, "__index");
    lua_pushcfunction(lua, position_tostring);
    lua_setfield(lua, -2, "__tostring");
    lua_pushboolean(lua, 0); /* hides the metatable from scripts */
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    return position;
}

static void set_square(lua_State *lua, const char *key, square at) {
    lua_pushinteger(lua, at + 1);
    lua_setfield(lua, -2, key);
}

static void set_text(lua_State *lua, const char *key, const char *text) {
    sandbox_push_text(lua, text);
    lua_setfield(lua, -2, key);
}

void position_lua_push_play(lua_State *lua, const struct rules *rules, enum call call,
                            const struct play *play) {
    const struct move *move = &play->move;
    lua_createtable(lua, 0, 8);
    member_fields(lua, "move", PLAY_FIELDS);
    set_text(lua, "side", side_name(play->side));
    set_text(lua, "kind", rules->kind[play->kind].name);
    set_square(lua, "from", move->from);
    set_square(lua, "to", move->to);
    if (play->other != KIND_NONE) {
        set_text(lua, "attacks", rules->kind[play->other].name);
        if (call != CALL_LEGAL && call != CALL_BATTLE)
            set_text(lua, "outcome", outcome_name(play->outcome));
    }
    if (move->ability == ABILITY_NONE) return;
    set_text(lua, "ability", rules->ability[move->ability].name);
    set_square(lua, "target", move->target);
    if (move->choice != KIND_NONE) set_text(lua, "choice", rules->kind[move->choice].name);
}
