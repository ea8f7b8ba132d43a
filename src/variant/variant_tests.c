/* variant_tests.c - collects the texts of a variant's tests. */
#include "variant_tests.h"

#include "core/board/board.h"
#include "lua/walk.h"
#include "variant_source.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[CLAIM_KEY_COUNT] = {
    "title", "position", "red",   "blue", "first",    "moves",  "move",   "illegal",
    "after", "falls",    "known", "seen", "counters", "result", "reason", "ending"};

const char *claim_key_name(enum claim_key key) {
    return NAMES[key];
}

void claim_path(const struct claim *claim, enum claim_key key, char *path, size_t room) {
    snprintf(path, room, "tests[%d].%s", claim->number, NAMES[key]);
}

/* Replaces the table on top of the stack with its text. */
static void push_squares(lua_State *lua) {
    int table = lua_gettop(lua);
    struct walk walk;
    lua_pushliteral(lua, "");
    walk_start(lua, &walk, table);
    while (walk_step(lua, &walk)) {
        if (walk.count > BOARD_SQUARES_MAX) continue; /* too long for a position anyway */
        lua_pushvalue(lua, -2); /* a copy: lua_tostring() would change a number key in place */
        lua_pushvalue(lua, -2);
        const char *piece = lua_isstring(lua, -1) ? lua_tostring(lua, -1) : "";
        lua_pushfstring(lua, "%s%s=%s ", lua_tostring(lua, table + 1), lua_tostring(lua, -2),
                        piece);
        lua_replace(lua, table + 1);
    }
    lua_replace(lua, table);
}

/* Replaces the table of counters on top of the stack with its text: "points.red=2 round=3 ". */
static void push_counters(lua_State *lua) {
    int table = lua_gettop(lua);
    struct walk walk;
    lua_newtable(lua);
    walk_start(lua, &walk, table);
    while (walk_step(lua, &walk)) {
        const char *name = lua_tostring(lua, -2);
        sandbox_push_text(lua, name);
        if (lua_type(lua, -2) == LUA_TNUMBER) {
            lua_pushvalue(lua, -2);
            lua_rawset(lua, table + 1);
            continue;
        }
        static const char *const sides[] = {"red", "blue"};
        for (int i = 0; lua_type(lua, -2) == LUA_TTABLE && i < 2; i++) {
            lua_pushfstring(lua, "%s.%s", name, sides[i]);
            sandbox_push_text(lua, sides[i]);
            if (lua_rawget(lua, -4) == LUA_TNIL)
                lua_pop(lua, 2);
            else
                lua_rawset(lua, table + 1);
        }
    }
    lua_settop(lua, table + 1);
    lua_replace(lua, table);
    push_squares(lua);
}

static void read_claim(struct variant_source *source, struct claim *claim) {
    lua_State *lua = source->lua;
    for (enum claim_key i = 0; i < CLAIM_KEY_COUNT; i++) {
        struct claim_text *text = &claim->key[i];
        char path[VARIANT_KEY_MAX];
        claim_path(claim, i, path, sizeof path);
        int type = variant_get(lua, source->table, path);
        text->squares = type == LUA_TTABLE;
        if (text->squares) (i == CLAIM_COUNTERS ? push_counters : push_squares)(lua);
        if (text->squares || type == LUA_TSTRING) {
            text->text = strdup(lua_tostring(lua, -1));
            if (!text->text) luaL_error(lua, "no memory for tests");
        }
        lua_pop(lua, 1);
    }
}

void variant_tests_read(struct variant_source *source, struct claims *claims) {
    const struct variant_file *file = &source->file[0];
    lua_State *lua = source->lua;
    snprintf(claims->file, sizeof claims->file, "%s", file->path);
    claims->text = malloc(file->length + 1);
    if (!claims->text) luaL_error(lua, "no memory for tests");
    memcpy(claims->text, file->text, file->length + 1);
    claims->length = file->length;
    if (variant_get(lua, source->table, "tests") == LUA_TTABLE) {
        int count = (int)lua_rawlen(lua, -1);
        claims->list = calloc((size_t)count, sizeof *claims->list);
        if (!claims->list && count) luaL_error(lua, "no memory for tests");
        claims->count = count;
        for (int i = 0; i < count; i++) {
            claims->list[i].number = i + 1;
            read_claim(source, &claims->list[i]);
        }
    }
    lua_pop(lua, 1);
}

struct source_place claims_place(const struct claims *claims, const struct claim *claim,
                                 enum claim_key key) {
    char path[VARIANT_KEY_MAX];
    claim_path(claim, key, path, sizeof path);
    return source_map_find(claims->text, claims->length, path);
}

void claims_clear(struct claims *claims) {
    for (int i = 0; i < claims->count; i++)
        for (int k = 0; k < CLAIM_KEY_COUNT; k++) free(claims->list[i].key[k].text);
    free(claims->list);
    free(claims->text);
    *claims = (struct claims){0};
}
