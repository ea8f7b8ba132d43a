/* variant_build.c - small readers over the checked table. */
#include "variant_build.h"

#include "base/words.h"
#include "lua/board_lua.h"
#include "lua/sandbox.h"
#include "lua/walk.h"

#include <stdio.h>
#include <string.h>

enum { GUESS_COST = 50 }; /* fuel for comparing two words */

const char *variant_text(const struct variant_build *build, const char *key, const char *fallback) {
    const char *text = fallback;
    if (variant_get(build->lua, build->table, key) == LUA_TSTRING)
        text = lua_tostring(build->lua, -1);
    lua_pop(build->lua, 1);
    return text;
}

int variant_number(const struct variant_build *build, const char *key, int fallback) {
    int number = fallback, type = variant_get(build->lua, build->table, key);
    if (type == LUA_TNUMBER) number = (int)lua_tonumber(build->lua, -1);
    if (type == LUA_TBOOLEAN) number = 0;
    lua_pop(build->lua, 1);
    return number;
}

bool variant_boolean(const struct variant_build *build, const char *key, bool fallback) {
    bool value = fallback;
    if (variant_get(build->lua, build->table, key) == LUA_TBOOLEAN)
        value = lua_toboolean(build->lua, -1);
    lua_pop(build->lua, 1);
    return value;
}

const char *variant_key(char out[VARIANT_KEY_MAX], const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(out, VARIANT_KEY_MAX, format, args);
    va_end(args);
    return out;
}

bool variant_piece_known(const struct variant_build *build, const char *key, const char *name) {
    lua_State *lua = build->lua;
    if (variant_get(lua, build->table, "pieces") != LUA_TTABLE) {
        lua_pop(lua, 1); /* already refused */
        return false;
    }
    sandbox_push_text(lua, name);
    bool known = lua_rawget(lua, -2) != LUA_TNIL;
    lua_pop(lua, 1);
    if (!known) {
        struct word_guess guess = word_guess_for(name);
        char hint[WORD_HINT_MAX];
        struct walk walk;
        int pieces = lua_gettop(lua);
        walk_start(lua, &walk, pieces);
        while (!faults_full(build->source->faults) && walk_step(lua, &walk)) {
            sandbox_charge(lua, GUESS_COST);
            word_offer(&guess, lua_tostring(lua, -2));
        }
        struct faults *faults = build->source->faults;
        size_t before = faults->count;
        variant_refuse(build->source, key, "%s names \"%.60s\", expected a piece of the variant%s",
                       key, name, guess.best[0] ? word_hint(&guess, hint) : "; add it to pieces");
        if (faults->count > before) {
            struct remark *remark = &faults->list[before];
            snprintf(remark->value, sizeof remark->value, "\"%.40s\"", name);
            snprintf(remark->expected, sizeof remark->expected, "a piece of the variant");
        }
        lua_settop(lua, pieces);
    }
    lua_pop(lua, 1);
    return known;
}

bool variant_kinds(const struct variant_build *build, const char *key, kindset *set, bool *all) {
    lua_State *lua = build->lua;
    int type = variant_get(lua, build->table, key);
    bool good = true;
    *set = 0;
    *all = type == LUA_TSTRING;
    for (lua_Integer i = 1; type == LUA_TTABLE && i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        char element[VARIANT_KEY_MAX];
        variant_key(element, "%.200s[%d]", key, (int)i);
        lua_rawgeti(lua, -1, i);
        good &= variant_piece_known(build, element, lua_tostring(lua, -1));
        kind_id kind = rules_kind_named(build->rules, lua_tostring(lua, -1));
        if (kind != KIND_NONE) *set |= kindset_of(kind);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return good;
}

static unsigned word_bit(const char *const *words, const char *word) {
    for (unsigned i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0) return 1u << i;
    return 0;
}

unsigned variant_words(const struct variant_build *build, const char *key, const char *const *words,
                       unsigned fallback) {
    lua_State *lua = build->lua;
    int type = variant_get(lua, build->table, key);
    unsigned set = type == LUA_TNIL ? fallback : 0;
    if (type == LUA_TSTRING) set = word_bit(words, lua_tostring(lua, -1));
    for (lua_Integer i = 1; type == LUA_TTABLE && i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        lua_rawgeti(lua, -1, i);
        set |= word_bit(words, lua_tostring(lua, -1));
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return set;
}

bool variant_call(const struct variant_build *build, const char *key, int arguments) {
    struct variant_source *source = build->source;
    struct fault fault = {0};
    if (source->stopped) {
        lua_pop(build->lua, arguments + 1);
        return false;
    }
    if (sandbox_call(source->sandbox, arguments, 1, key, &fault)) return true;
    variant_refuse_fault(source, key, &fault);
    source->stopped = source->sandbox->stopped != STATUS_OK;
    return false;
}

bool variant_refuse_result(const struct variant_build *build, const char *key, const char *format,
                           ...) {
    struct fault fault = {0};
    va_list args;
    va_start(args, format);
    fault_setv(&fault, STATUS_RULES, format, args);
    va_end(args);
    lua_State *lua = build->lua;
    lua_Debug record;
    if (variant_get(lua, build->table, key) == LUA_TFUNCTION) {
        lua_getinfo(lua, ">S", &record);
        if (record.source[0] == '@' && record.linedefined > 0)
            fault_place(&fault, sandbox_path(sandbox_of(lua), record.source), record.linedefined,
                        0);
    } else {
        lua_pop(lua, 1);
    }
    return variant_refuse_fault(build->source, key, &fault);
}

bool variant_call_at(const struct variant_build *build, const char *key, enum side side,
                     square from) {
    variant_get(build->lua, build->table, key);
    lua_pushvalue(build->lua, build->board);
    sandbox_push_text(build->lua, side_name(side));
    lua_pushinteger(build->lua, from + 1);
    return variant_call(build, key, 3);
}

bool variant_squares(const struct variant_build *build, const char *key, enum side side,
                     square from, squareset *set) {
    const struct board *board = &build->rules->board;
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX], name[4];
    if (!variant_call_at(build, key, side, from)) return false;
    bool is_list = lua_type(lua, -1) == LUA_TTABLE;
    for (lua_Integer i = 1; is_list && i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        square at;
        lua_rawgeti(lua, -1, i);
        bool on_board = board_square_at(lua, -1, board, &at);
        if (!on_board || squareset_has(board->lakes, at)) {
            variant_value(lua, -1, value);
            if (on_board) { /* a lake; scripts give numbers, messages show names */
                char lake[4];
                snprintf(value, sizeof value, "\"%s\"", board_square_name(board, at, lake));
            }
            return variant_refuse_result(
                build, key,
                "%s(board, \"%s\", %s) returned %s in its list, expected squares other than lakes",
                key, side_name(side), board_square_name(board, from, name), value);
        }
        *set |= squareset_of(at);
        lua_pop(lua, 1);
    }
    if (!is_list)
        return variant_refuse_result(
            build, key, "%s(board, \"%s\", %s) returned %s, expected a list of squares", key,
            side_name(side), board_square_name(board, from, name), variant_value(lua, -1, value));
    lua_pop(lua, 1);
    return true;
}
