/* variant_moves.c - compiles words, tables and functions to tries of squares
 * (core/rules/movement.h). A function is called once for each side and square. */
#include "variant_moves.h"

#include "lua/board_lua.h"

#include <stdio.h>
#include <string.h>

enum { PATHS_PER_SQUARE = 255 };

/* The ways that one function returned; Lua owns the memory. */
struct ways {
    struct path *list;
    size_t count, capacity;
};

/* Reads the square on top of the stack and appends it to `path`. */
static bool add_square(const struct variant_build *build, const char *key, struct path *path) {
    const struct board *board = &build->rules->board;
    char value[VALUE_TEXT_MAX], from[4];
    square at;
    if (path->length == PATH_MAX_SQUARES)
        return variant_refuse_result(build, key, "%s returned a way of more than %d squares", key,
                                     PATH_MAX_SQUARES);
    if (!board_square_at(build->lua, -1, board, &at) || squareset_has(board->lakes, at))
        return variant_refuse_result(
            build, key,
            "%s(board, \"%s\", %s) returned %s in a way, expected a square of the board "
            "that is not a lake",
            key, side_name(path->side), board_square_name(board, path->from, from),
            variant_value(build->lua, -1, value));
    path->squares[path->length++] = at;
    return true;
}

/* Reads the way on top of the stack: a list of squares, or one square for a leap. */
static bool add_way(const struct variant_build *build, const char *key, enum side side, square from,
                    struct ways *ways) {
    lua_State *lua = build->lua;
    if (ways->count == ways->capacity)
        return variant_refuse_result(build, key, "%s returned more than %d ways from a square", key,
                                     PATHS_PER_SQUARE);
    struct path *path = &ways->list[ways->count++];
    *path = (struct path){.side = side, .from = from};
    if (lua_type(lua, -1) != LUA_TTABLE) return add_square(build, key, path);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        lua_rawgeti(lua, -1, i);
        if (!add_square(build, key, path)) return false;
        lua_pop(lua, 1);
    }
    if (path->length == 0) ways->count--; /* an empty way goes nowhere */
    return true;
}

static bool ask_square(const struct variant_build *build, const char *key, enum side side,
                       square from, struct ways *ways) {
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX], name[4];
    if (!variant_call_at(build, key, side, from)) return false;
    if (lua_type(lua, -1) != LUA_TTABLE)
        return variant_refuse_result(
            build, key, "%s(board, \"%s\", %s) returned %s, expected a list of ways", key,
            side_name(side), board_square_name(&build->rules->board, from, name),
            variant_value(lua, -1, value));
    ways->capacity = ways->count + PATHS_PER_SQUARE;
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        lua_rawgeti(lua, -1, i);
        if (!add_way(build, key, side, from, ways)) return false;
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return true;
}

static bool build_function(const struct variant_build *build, const char *key,
                           struct movement *movement, struct fault *fault) {
    const struct board *board = &build->rules->board;
    size_t most = (size_t)2 * board->squares * PATHS_PER_SQUARE;
    struct ways ways = {.list = lua_newuserdatauv(build->lua, most * sizeof *ways.list, 0)};
    for (int side = RED; side <= BLUE; side++)
        for (square from = 0; from < board->squares; from++)
            if (squareset_has(board->land, from) &&
                !ask_square(build, key, (enum side)side, from, &ways))
                return false;
    bool built = movement_build(movement, board, ways.list, ways.count, fault);
    lua_pop(build->lua, 1);
    return built;
}

/* Builds the movement of the `moves` at `key`, whose type is `type`. */
static bool build_movement(struct variant_build *build, const char *key, int type,
                           struct movement *movement) {
    const struct board *board = &build->rules->board;
    struct fault fault = {0};
    char below[VARIANT_KEY_MAX + 8];
    bool built;
    if (type == LUA_TFUNCTION) {
        built = build_function(build, key, movement, &fault);
        if (!built && fault.status == STATUS_OK) return false; /* already refused */
    } else if (type == LUA_TTABLE) {
        snprintf(below, sizeof below, "%s.reach", key);
        int reach = variant_number(build, below, 1);
        snprintf(below, sizeof below, "%s.turns", key);
        built = movement_build_walk(movement, board, reach, variant_boolean(build, below, false),
                                    &fault);
    } else {
        bool run = strcmp(variant_text(build, key, "step"), "run") == 0;
        built = movement_build_walk(movement, board, run ? PATH_MAX_SQUARES : 1, false, &fault);
    }
    if (built) return true;
    return variant_refuse(build->source, key, "%s: %s", key, fault.text);
}

/* Gives one kind its movement. The table at index `shared` maps `moves` to the movement's number.
 */
static bool build_kind(struct variant_build *build, kind_id id, int shared) {
    struct rules *rules = build->rules;
    lua_State *lua = build->lua;
    char key[VARIANT_KEY_MAX];
    if (rules->kind[id].movement == MOVEMENT_NONE) return true;
    variant_key(key, "pieces.%s.moves", rules->kind[id].name);
    int type = variant_get(lua, build->table, key);
    if (type == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_pushliteral(lua, "step");
    }
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, shared) == LUA_TNUMBER) {
        rules->kind[id].movement = (uint8_t)lua_tointeger(lua, -1);
        lua_pop(lua, 2);
        return true;
    }
    lua_pop(lua, 1);
    if (rules->movements == MOVEMENTS_MAX)
        return variant_refuse(build->source, key, "%s: more than %d ways to move", key,
                              MOVEMENTS_MAX);
    if (!build_movement(build, key, type, &rules->movement[rules->movements])) return false;
    rules->kind[id].movement = rules->movements++;
    lua_pushinteger(lua, rules->kind[id].movement);
    lua_rawset(lua, shared);
    return true;
}

bool variant_moves_build(struct variant_build *build) {
    lua_newtable(build->lua);
    int shared = lua_gettop(build->lua);
    bool good = true;
    for (kind_id id = 1; id <= build->rules->kinds; id++) {
        good &= build_kind(build, id, shared);
        lua_settop(build->lua, shared);
    }
    lua_pop(build->lua, 1);
    return good;
}
