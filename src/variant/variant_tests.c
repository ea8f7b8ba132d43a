/* variant_tests.c - collects the texts of a variant's tests. */
#include "variant_tests.h"

#include "core/board/board.h"
#include "lua/sandbox.h"
#include "lua/source_map.h"
#include "lua/walk.h"
#include "variant_source.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[CLAIM_KEY_COUNT] = {
    "title", "position", "red",   "blue", "first",  "moves",  "move",  "illegal",
    "after", "falls",    "known", "seen", "result", "reason", "ending"};

enum { PLACE_COST = 100 }; /* fuel to find a key, beside one for each byte of the file */

const char *claim_key_name(enum claim_key key) {
    return NAMES[key];
}

/* Charges for the whole file, since the search starts at its beginning. */
static void find_place(lua_State *lua, const struct variant_file *file, const char *key, int *line,
                       int *column) {
    sandbox_charge(lua, file->length + PLACE_COST);
    struct source_place place = source_map_find(file->text, file->length, key);
    *line = place.line ? place.line : 1;
    *column = place.column;
}

/* Replaces the table on top of the stack with its text. */
static void push_squares(lua_State *lua) {
    int table = lua_gettop(lua);
    struct walk walk;
    lua_pushliteral(lua, "");
    walk_start(lua, &walk, table);
    while (walk_step(lua, &walk)) {
        if (walk.count > BOARD_SQUARES_MAX) continue; /* too long for a position anyway */
        const char *piece = lua_isstring(lua, -1) ? lua_tostring(lua, -1) : "";
        lua_pushvalue(lua, -2); /* a copy: lua_tostring() would change a number key in place */
        lua_pushfstring(lua, "%s%s=%s ", lua_tostring(lua, table + 1), lua_tostring(lua, -1),
                        piece);
        lua_replace(lua, table + 1);
    }
    lua_replace(lua, table);
}

static void read_claim(struct variant_source *source, int index, struct claim *claim) {
    const struct variant_file *file = &source->file[0];
    lua_State *lua = source->lua;
    char key[VARIANT_KEY_MAX];
    claim->number = index;
    snprintf(key, sizeof key, "tests[%d]", index);
    find_place(lua, file, key, &claim->line, &claim->column);
    for (int i = 0; i < CLAIM_KEY_COUNT; i++) {
        struct claim_text *text = &claim->key[i];
        snprintf(key, sizeof key, "tests[%d].%s", index, NAMES[i]);
        int type = variant_get(lua, source->table, key);
        text->squares = type == LUA_TTABLE;
        if (text->squares) push_squares(lua);
        if (text->squares || type == LUA_TSTRING) {
            text->text = strdup(lua_tostring(lua, -1));
            if (!text->text) luaL_error(lua, "no memory for tests");
            find_place(lua, file, key, &text->line, &text->column);
        }
        lua_pop(lua, 1);
    }
}

void variant_tests_read(struct variant_source *source, struct claims *claims) {
    lua_State *lua = source->lua;
    snprintf(claims->file, sizeof claims->file, "%s", source->file[0].path);
    if (variant_get(lua, source->table, "tests") == LUA_TTABLE) {
        int count = (int)lua_rawlen(lua, -1);
        claims->list = calloc((size_t)count, sizeof *claims->list);
        if (!claims->list && count) luaL_error(lua, "no memory for tests");
        claims->count = count;
        for (int i = 0; i < count; i++) read_claim(source, i + 1, &claims->list[i]);
    }
    lua_pop(lua, 1);
}

void claims_clear(struct claims *claims) {
    for (int i = 0; i < claims->count; i++)
        for (int k = 0; k < CLAIM_KEY_COUNT; k++) free(claims->list[i].key[k].text);
    free(claims->list);
    *claims = (struct claims){0};
}
