/* view_text.c - tostring(view) and view:table(): all that a side knows, to be looked at.
 *
 * Both read the view alone. */
#include "view_text.h"

#include "core/text/diagram.h"
#include "core/text/notation.h"
#include "lua/logbook.h"
#include "view_arguments.h"
#include "view_methods.h"

#include <stdio.h>

static char *put_fallen(const struct view *view, char *end) {
    end += sprintf(end, "\nfallen:");
    const char *before = end;
    for (int side = RED; side <= BLUE; side++) {
        for (kind_id kind = 0; kind <= view->rules->kinds; kind++) { /* the first: unknown */
            int count =
                kind ? view->captured[side][kind] : view_fallen_unknown(view, (enum side)side);
            char letter = kind ? view->rules->kind[kind].letter : '?';
            if (!count) continue;
            end += sprintf(end, " %c%c", side == RED ? 'r' : 'b', letter);
            if (count > 1) end += sprintf(end, "x%d", count);
        }
    }
    return end > before ? end : end + sprintf(end, " none");
}

size_t view_text(const struct view *view, char *out) {
    const struct board *board = &view->rules->board;
    const squareset unseen = view->rules->sight ? board->land & ~view_sees(view) : 0;
    struct diagram diagram;
    diagram_clear(&diagram, board);
    for (squareset left = unseen; left;) diagram.at[squareset_pop(&left)][1] = '?';
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        char letter = piece->kind != KIND_NONE ? view->rules->kind[piece->kind].letter
                      : piece->moved           ? '!'
                                               : '?';
        if (piece->at != SQUARE_NONE)
            diagram_piece(&diagram, piece->at, (enum side)piece->side, letter);
    }
    const char *turn = view->result           ? "game over"
                       : view->to_move == RED ? "red to move"
                                              : "blue to move";
    char *end = out + sprintf(out, "%s's view after ply %u, %s\n", side_name((enum side)view->side),
                              (unsigned)view->plies, turn);
    end += diagram_write(&diagram, board, (enum side)view->side, end);
    return (size_t)(put_fallen(view, end) - out);
}

static int method_tostring(lua_State *lua) {
    struct view_lua *self = lua_touserdata(lua, lua_upvalueindex(1));
    char text[VIEW_TEXT_MAX];
    if (!self->view) {
        lua_pushliteral(lua, "view"); /* between the callbacks */
        return 1;
    }
    sandbox_charge(lua, 100 + 4 * (uint64_t)self->view->rules->board.squares);
    lua_pushlstring(lua, text, view_text(self->view, text));
    return 1;
}

static void set_text(lua_State *lua, const char *key, const char *value) {
    sandbox_push_text(lua, value);
    lua_setfield(lua, -2, key);
}

static void set_number(lua_State *lua, const char *key, lua_Integer value) {
    lua_pushinteger(lua, value);
    lua_setfield(lua, -2, key);
}

static void set_flag(lua_State *lua, const char *key, bool value) {
    lua_pushboolean(lua, value);
    lua_setfield(lua, -2, key);
}

/* Sets the list of possible kinds, and the one that is certain. */
static void set_kinds(lua_State *lua, struct view_lua *self, int piece) {
    const struct rules *rules = self->view->rules;
    kind_id known = self->view->piece[piece].kind;
    kindset set =
        known != KIND_NONE ? kindset_of(known) : knowledge_may_be(&self->knowledge, piece);
    if (set && !(set & (set - 1))) set_text(lua, "kind", rules->kind[__builtin_ctz(set)].name);
    lua_createtable(lua, __builtin_popcount(set), 0);
    for (int i = 1; set; set &= set - 1, i++) {
        sandbox_push_text(lua, rules->kind[__builtin_ctz(set)].name);
        lua_rawseti(lua, -2, i);
    }
    lua_setfield(lua, -2, "may_be");
}

static void push_piece(lua_State *lua, struct view_lua *self, int number) {
    const struct view *view = self->view;
    const struct view_piece *piece = &view->piece[number];
    char name[SQUARE_TEXT_MAX];
    lua_createtable(lua, 0, 8);
    set_text(lua, "side", side_name((enum side)piece->side));
    if (piece->at != SQUARE_NONE) {
        set_number(lua, "square", piece->at + 1);
        lua_pushlstring(lua, name, square_write(&view->rules->board, piece->at, name));
        lua_setfield(lua, -2, "name");
    }
    if (piece->start != SQUARE_NONE) set_number(lua, "start", piece->start + 1);
    set_flag(lua, "moved", piece->moved);
    set_flag(lua, "shown", piece->shown);
    set_kinds(lua, self, number);
}

static void set_captured(lua_State *lua, const struct view *view) {
    lua_createtable(lua, 0, 2);
    for (int side = RED; side <= BLUE; side++) {
        lua_newtable(lua);
        for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
            if (view->captured[side][kind])
                set_number(lua, view->rules->kind[kind].name, view->captured[side][kind]);
        lua_setfield(lua, -2, side_name((enum side)side));
    }
    lua_setfield(lua, -2, "captured");
    lua_createtable(lua, 0, 2);
    for (int side = RED; side <= BLUE; side++)
        set_number(lua, side_name((enum side)side), view_fallen(view, (enum side)side));
    lua_setfield(lua, -2, "fallen");
}

static void set_moves(lua_State *lua, const struct view_lua *self) {
    char text[MOVE_TEXT_MAX];
    lua_createtable(lua, (int)self->count, 0);
    for (size_t i = 0; i < self->count; i++) {
        move_text(self->view->rules, self->moves[i], view_enters_enemy(self->view, self->moves[i]),
                  text);
        sandbox_push_text(lua, text);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    lua_setfield(lua, -2, "moves");
}

static int method_table(lua_State *lua) {
    struct view_lua *self = view_self(lua, "table");
    const struct view *view = self->view;
    sandbox_charge(lua, 500 + 150 * (uint64_t)view->count + 30 * self->count);
    lua_createtable(lua, 0, 12);
    set_text(lua, "variant", view->rules->name);
    set_text(lua, "side", side_name((enum side)view->side));
    set_text(lua, "to_move", side_name((enum side)view->to_move));
    set_number(lua, "files", view->rules->board.files);
    set_number(lua, "ranks", view->rules->board.ranks);
    set_number(lua, "ply", view->plies);
    set_number(lua, "quiet", view->quiet);
    if (view->result) set_text(lua, "result", result_name((enum result)view->result));
    set_captured(lua, view);
    set_moves(lua, self);
    lua_createtable(lua, view->count, 0);
    for (int i = 0; i < view->count; i++) {
        push_piece(lua, self, i);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_setfield(lua, -2, "pieces");
    return 1;
}

/* view:log(…): as `print`. */
static int method_log(lua_State *lua) {
    struct view_lua *self = view_self(lua, "log");
    if (self->sandbox->watch.log) logbook_print(self->sandbox->watch.log, lua, 2);
    return 0;
}

const luaL_Reg VIEW_META_METHODS[] = {
    {"__tostring", method_tostring},
    {NULL, NULL},
};

const luaL_Reg VIEW_TEXT_METHODS[] = {
    {"log", method_log},
    {"table", method_table},
    {NULL, NULL},
};
