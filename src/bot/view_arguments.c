/* view_arguments.c - checks arguments, and packs moves into integers.
 *
 * A move is packed as from + 2^7 to + 2^14 target + 2^22 ability + 2^30 choice, in the core's
 * numbers, so that a move is the same integer all game. */
#include "view_arguments.h"

#include "lua/member.h"
#include "lua/walk.h"

#include <lauxlib.h>
#include <string.h>

/* A missing argument reads as nil: the checks extend the stack up to it before they push
 * `expected`.
 */
_Noreturn void view_refuse(lua_State *lua, const char *method, int index, const char *expected) {
    const char *was;
    if (lua_gettop(lua) < index) lua_settop(lua, index);
    if (lua_type(lua, index) == LUA_TNUMBER) {
        lua_pushvalue(lua, index);
        was = lua_tostring(lua, -1);
    } else if (lua_type(lua, index) == LUA_TSTRING) {
        was = lua_pushfstring(lua, "'%s'", lua_tostring(lua, index));
    } else {
        was = lua_typename(lua, lua_type(lua, index));
    }
    luaL_error(lua, "%s%s: argument %d must be %s, not %s",
               strchr(method, ':') ? "" : "view:", method, index - 1, expected, was);
    __builtin_unreachable();
}

struct view_lua *view_self(lua_State *lua, const char *method) {
    struct view_lua *self = lua_touserdata(lua, lua_upvalueindex(1));
    if (lua_touserdata(lua, 1) != self->handle) member_colon(lua, "view", method);
    if (!self->view)
        luaL_error(lua, "view:%s: the view can be used only during a callback", method);
    return self;
}

square view_square(lua_State *lua, struct view_lua *self, const char *method, int index) {
    const struct board *board = &self->view->rules->board;
    int is_integer;
    lua_Integer number = lua_tointegerx(lua, index, &is_integer);
    if (is_integer && lua_type(lua, index) == LUA_TNUMBER && number >= 1 &&
        number <= board->squares)
        return (square)(number - 1);
    if (lua_type(lua, index) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, index, &length);
        square at = SQUARE_NONE;
        if (length && square_read(board, text, length, &at) == length && at != SQUARE_NONE)
            return at;
    }
    char last[SQUARE_TEXT_MAX];
    lua_settop(lua, index);
    square_write(board, (square)(board->squares - 1), last);
    view_refuse(lua, method, index,
                lua_pushfstring(lua, "a square 1-%d or a1-%s", board->squares, last));
}

int view_piece(lua_State *lua, struct view_lua *self, const char *method, int index) {
    int is_integer;
    lua_Integer number = lua_tointegerx(lua, index, &is_integer);
    if (!is_integer || number < 1 || number > self->view->count) {
        lua_settop(lua, index);
        view_refuse(lua, method, index,
                    lua_pushfstring(lua, "the number of a piece, 1-%d, as view:at(square) gives it",
                                    self->view->count));
    }
    return (int)number - 1;
}

kind_id view_kind(lua_State *lua, struct view_lua *self, const char *method, int index) {
    if (lua_type(lua, index) == LUA_TSTRING) {
        const char *name = lua_tostring(lua, index);
        /* Lua keeps one copy of each short string, so the pointer decides nearly always. */
        for (kind_id known = 1; known <= self->view->rules->kinds; known++)
            if (self->names[known] == name) return known;
        kind_id kind = rules_kind_named(self->view->rules, name);
        if (kind != KIND_NONE) {
            if (lua_touserdata(lua, 1) != self->handle) return kind; /* a method of a mind */
            lua_getiuservalue(lua, 1, 1); /* keeps the string alive, and with it the pointer */
            lua_pushvalue(lua, index);
            lua_rawseti(lua, -2, kind);
            lua_pop(lua, 1);
            self->names[kind] = name;
            return kind;
        }
    }
    luaL_Buffer names;
    lua_settop(lua, index);
    luaL_buffinit(lua, &names);
    luaL_addstring(&names, "a kind (");
    for (kind_id kind = 1; kind <= self->view->rules->kinds; kind++) {
        if (kind > 1) luaL_addstring(&names, ", ");
        luaL_addstring(&names, self->view->rules->kind[kind].name);
    }
    luaL_addstring(&names, ")");
    luaL_pushresult(&names);
    view_refuse(lua, method, index, lua_tostring(lua, -1));
}

enum side view_side(lua_State *lua, const char *method, int index) {
    if (lua_type(lua, index) == LUA_TSTRING) {
        const char *name = lua_tostring(lua, index);
        if (strcmp(name, side_name(RED)) == 0) return RED;
        if (strcmp(name, side_name(BLUE)) == 0) return BLUE;
    }
    view_refuse(lua, method, index, "'red' or 'blue'");
}

int view_counter(lua_State *lua, const struct rules *rules, const char *method, int index) {
    bool text = lua_type(lua, index) == LUA_TSTRING;
    int counter = text ? rules_counter_named(rules, lua_tostring(lua, index)) : -1;
    if (counter < 0) view_refuse(lua, method, index, "a counter of the variant");
    return counter;
}

lua_Integer move_pack(struct move move) {
    return (lua_Integer)move.from | (lua_Integer)move.to << 7 | (lua_Integer)move.target << 14 |
           (lua_Integer)move.ability << 22 | (lua_Integer)move.choice << 30;
}

struct move move_unpack(lua_Integer packed) {
    return (struct move){.from = packed & 127,
                         .to = packed >> 7 & 127,
                         .target = (square)(packed >> 14 & 255),
                         .ability = (uint8_t)(packed >> 22 & 255),
                         .choice = packed >> 30 & 31};
}

struct move view_move(lua_State *lua, struct view_lua *self, const char *method, int index) {
    const struct rules *rules = self->view->rules;
    int is_integer;
    lua_Integer packed = lua_tointegerx(lua, index, &is_integer);
    if (is_integer && packed >= 0 && packed < (lua_Integer)1 << 35) {
        struct move move = move_unpack(packed);
        if (move.from < rules->board.squares && move.to < rules->board.squares &&
            (move.ability == ABILITY_NONE
                 ? move.target == SQUARE_NONE && move.choice == KIND_NONE
                 : move.ability < rules->abilities && move.target < rules->board.squares &&
                       move.choice <= rules->kinds))
            return move;
    }
    view_refuse(lua, method, index, "a move of view:moves()");
}

struct move view_move_in(lua_State *lua, struct view_lua *self, const char *method, int index,
                         lua_Integer place) {
    lua_rawgeti(lua, index, place);
    lua_insert(lua, index); /* the argument that an error is about */
    const struct move move = view_move(lua, self, method, index);
    lua_remove(lua, index);
    return move;
}

/* Is the word in a list such as "a, b and c"? */
static bool is_listed(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; length && *at;) {
        size_t here = strcspn(at, ", ");
        if (here == length && memcmp(at, word, length) == 0) return strcmp(word, "and") != 0;
        at += here + strspn(at + here, ", ");
    }
    return false;
}

void view_check_keys(lua_State *lua, const char *method, int index, const char *keys) {
    struct walk walk;
    walk_start(lua, &walk, index);
    while (walk_step(lua, &walk)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
        if (!is_listed(keys, key))
            luaL_error(lua, "%s: unknown key '%s'; there are %s", method, key, keys);
    }
}

lua_Integer view_whole_option(lua_State *lua, const char *method, int index, const char *key,
                              lua_Integer other, lua_Integer least, lua_Integer most) {
    sandbox_push_text(lua, key);
    if (lua_rawget(lua, index) != LUA_TNIL) {
        int is_integer;
        other = lua_tointegerx(lua, -1, &is_integer);
        if (!is_integer || lua_type(lua, -1) != LUA_TNUMBER || other < least || other > most)
            luaL_error(lua, "%s: %s must be a whole number from %I to %I", method, key, least,
                       most);
    }
    lua_pop(lua, 1);
    return other;
}
