/* variables.c - walks a function's variables, the tables in them, and the functions that it calls.
 *
 * A value is a type and some bits, its own or its address: nothing lies elsewhere while it is in a
 * variable. The order is that of the walk, which is the same as long as nothing has changed. */
#include "variables.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES_MAX = 4096, ROOTS_MAX = 1024, VISITED_MAX = 512, WALK_DEPTH = 8 };

struct variables {
    size_t count, visits;
    uint16_t roots;
    char root[ROOTS_MAX][WORD_MAX]; /* names of variables; the first is "" */
    struct {
        uint16_t root;
        uint8_t type;
        uint64_t bits;
    } list[VARIABLES_MAX];
    const void *visited[VISITED_MAX];
};

static uint64_t bits_of(lua_State *lua, int index) {
    uint64_t bits = 0;
    if (lua_isinteger(lua, index)) return (uint64_t)lua_tointeger(lua, index);
    if (lua_type(lua, index) == LUA_TNUMBER) {
        const lua_Number number = lua_tonumber(lua, index);
        memcpy(&bits, &number, sizeof bits);
        return bits;
    }
    if (lua_isboolean(lua, index)) return (uint64_t)lua_toboolean(lua, index);
    return (uint64_t)(uintptr_t)lua_topointer(lua, index);
}

static uint16_t add_root(struct variables *all, const char *name) {
    if (all->roots + 1 >= ROOTS_MAX) return 0;
    snprintf(all->root[++all->roots], WORD_MAX, "%s", name);
    return all->roots;
}

static void add_variable(lua_State *lua, struct variables *all, uint16_t root) {
    if (all->count == VARIABLES_MAX) return;
    all->list[all->count].root = root;
    all->list[all->count].type = (uint8_t)lua_type(lua, -1);
    all->list[all->count++].bits = bits_of(lua, -1);
}

static bool is_new(lua_State *lua, struct variables *all) {
    const void *at = lua_topointer(lua, -1);
    for (size_t i = 0; i < all->visits; i++)
        if (all->visited[i] == at) return false;
    if (all->visits == VISITED_MAX) return false;
    all->visited[all->visits++] = at;
    return true;
}

/* Notes the value on top of the stack, and what is in it. Runs no script and allocates nothing in
 * Lua. `global`: it is the table of global variables, each of which is a root. */
static void walk_variables(lua_State *lua, struct variables *all, uint16_t root, bool global,
                           int depth) {
    add_variable(lua, all, root);
    const bool script = lua_isfunction(lua, -1) && !lua_iscfunction(lua, -1);
    if ((!lua_istable(lua, -1) && !script) || depth == WALK_DEPTH || !lua_checkstack(lua, 8) ||
        !is_new(lua, all))
        return;
    const char *name;
    for (int i = 1; script && (name = lua_getupvalue(lua, -1, i)); i++) {
        const bool globals = !strcmp(name, "_ENV");
        walk_variables(lua, all, globals ? root : add_root(all, name), globals, depth + 1);
        lua_pop(lua, 1);
    }
    if (script) return;
    if (lua_getmetatable(lua, -1)) {
        walk_variables(lua, all, root, false, depth + 1);
        lua_pop(lua, 1);
    }
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) {
        const bool named = global && lua_type(lua, -2) == LUA_TSTRING;
        const uint16_t inside = named ? add_root(all, lua_tostring(lua, -2)) : root;
        lua_pushvalue(lua, -2);
        add_variable(lua, all, inside);
        lua_pop(lua, 1);
        walk_variables(lua, all, inside, false, depth + 1);
    }
}

struct variables *variables_of(lua_State *lua) {
    struct variables *all = calloc(1, sizeof *all);
    if (all) walk_variables(lua, all, 0, false, 0);
    return all;
}

/* The first root that is new; NULL: there is none. */
static const char *new_root(const struct variables *before, const struct variables *now) {
    for (int i = 1; i <= now->roots; i++) {
        int k = 1;
        while (k <= before->roots && strcmp(before->root[k], now->root[i]) != 0) k++;
        if (k > before->roots) return now->root[i];
    }
    return NULL;
}

/* A new global one may change the order of all. */
void variables_compare(const struct variables *before, const struct variables *now,
                       char changed[WORD_MAX]) {
    size_t i = 0;
    while (i < before->count && i < now->count && before->list[i].type == now->list[i].type &&
           before->list[i].bits == now->list[i].bits)
        i++;
    if (i == before->count && i == now->count) return;
    /* What was added or removed is in the longer list. */
    const struct variables *has = now->count > before->count ? now : before;
    const char *name = new_root(before, now);
    if (!name) name = has->root[has->list[i].root];
    snprintf(changed, WORD_MAX, "%s", *name ? name : "?");
}
