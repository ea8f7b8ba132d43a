/* variant_compile.c - compiles the board, the army and the plain settings; movements, outcomes,
 * abilities and sight have their own files.
 *
 * The core checks whether the rules make a game, each part as soon as it is built, so that one run
 * finds all faults. This file maps the core's refusals to keys of the variant. */
#include "variant_compile.h"

#include <ctype.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rules/refusal.h"
#include "core/text/layout.h"
#include "lua/board_lua.h"
#include "lua/sandbox.h"
#include "lua/walk.h"
#include "variant_abilities.h"
#include "variant_build.h"
#include "variant_calls.h"
#include "variant_combat.h"
#include "variant_goals.h"

/* Tabulates `sight`: the squares that each kind sees from each square. A number means all squares
 * within that many steps along ranks and files, across lakes and pieces; a function lists squares.
 * A piece without `sight` uses the variant's. */
static squareset within(const struct board *board, square from, int steps) {
    squareset set = 0;
    for (square at = 0; at < board->squares; at++) {
        int across = abs(board_file(board, at) - board_file(board, from));
        int along = abs(board_rank(board, at) - board_rank(board, from));
        if (across + along <= steps) set |= squareset_of(at);
    }
    return set & board->land;
}

static bool read_sight(const struct variant_build *build, const char *key, int type, enum side side,
                       square from, squareset *seen) {
    if (type == LUA_TFUNCTION) return variant_squares(build, key, side, from, seen);
    *seen = within(&build->rules->board, from, variant_number(build, key, 0));
    return true;
}

/* Fills rules.sight if the variant limits sight. False after a refusal. */
static bool variant_sight_build(struct variant_build *build) {
    struct rules *rules = build->rules;
    const struct board *board = &rules->board;
    int common = variant_get(build->lua, build->table, "sight");
    bool limited = common == LUA_TNUMBER || common == LUA_TFUNCTION;
    lua_pop(build->lua, 1);
    if (limited && !(rules->sight = calloc(1, sizeof *rules->sight)))
        luaL_error(build->lua, "no memory for sight");
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        char own[VARIANT_KEY_MAX];
        variant_key(own, "pieces.%s.sight", rules->kind[kind].name);
        int type = variant_get(build->lua, build->table, own);
        lua_pop(build->lua, 1);
        bool has_own = type != LUA_TNIL;
        if (has_own && !limited && faults_about(build->source->faults, "sight")) return false;
        if (has_own && !limited)
            return variant_refuse(build->source, own,
                                  "%s has no effect unless the variant sets `sight` too", own);
        for (int side = RED; limited && side <= BLUE; side++)
            for (square from = 0; from < board->squares; from++)
                if (squareset_has(board->land, from) &&
                    !read_sight(build, has_own ? own : "sight", has_own ? type : common,
                                (enum side)side, from, &rules->sight->from[side][kind][from]))
                    return false;
    }
    return true;
}

static const struct ground *find_ground(const struct variant_build *build, const char *key,
                                        const char *name);

/* Compiles the `moves` of pieces, words, tables and functions, to tries of squares
 * (core/rules/movement.h). A function is called once for each side and square. */
enum { PATHS_PER_SQUARE = 255 };

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

/* What is barred where only `word`, "attack" or "move", is allowed; 0 for NULL. */
static uint8_t bars_but(const char *word) {
    return !word ? 0 : strcmp(word, "attack") == 0 ? BAR_MOVE : BAR_ATTACK;
}

/* Reads the field `name` of the way on top of the stack, which bars something or is nil. */
static bool read_only(const struct variant_build *build, const char *key, const char *name,
                      uint8_t *bars) {
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX];
    sandbox_push_text(lua, name);
    lua_rawget(lua, -2);
    const char *word = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    if (!lua_isnil(lua, -1) && (!word || (strcmp(word, "attack") && strcmp(word, "move"))))
        return variant_refuse_result(build, key,
                                     "%s returned a way with %s = %s, expected \"attack\" or "
                                     "\"move\"",
                                     key, name, variant_value(lua, -1, value));
    if (word) *bars = bars_but(word);
    lua_pop(lua, 1);
    return true;
}

/* Reads what may be done on the squares of the way on top of the stack. */
static bool read_bars(const struct variant_build *build, const char *key, struct path *path) {
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX];
    if (!read_only(build, key, "only", &path->bars)) return false;
    path->last_bars = path->bars;
    if (!read_only(build, key, "last", &path->last_bars)) return false;
    lua_pushliteral(lua, "stops");
    lua_rawget(lua, -2);
    if (!lua_isnil(lua, -1) && !lua_isboolean(lua, -1))
        return variant_refuse_result(build, key,
                                     "%s returned a way with stops = %s, expected true or false",
                                     key, variant_value(lua, -1, value));
    if (lua_isboolean(lua, -1) && !lua_toboolean(lua, -1)) path->bars = BAR_STOP;
    lua_pop(lua, 1);
    return true;
}

/* Reads the way on top of the stack: a list of squares, or one square for a leap. */
static bool read_way(const struct variant_build *build, const char *key, struct path *path) {
    lua_State *lua = build->lua;
    if (lua_type(lua, -1) != LUA_TTABLE) return add_square(build, key, path);
    if (!read_bars(build, key, path)) return false;
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        lua_rawgeti(lua, -1, i);
        if (!add_square(build, key, path)) return false;
        lua_pop(lua, 1);
    }
    return true;
}

static bool ask_square(const struct variant_build *build, const char *key, enum side side,
                       square from, struct ways *ways, struct fault *fault) {
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX], name[4];
    if (!variant_call_at(build, key, side, from)) return false;
    if (lua_type(lua, -1) != LUA_TTABLE)
        return variant_refuse_result(
            build, key, "%s(board, \"%s\", %s) returned %s, expected a list of ways", key,
            side_name(side), board_square_name(&build->rules->board, from, name),
            variant_value(lua, -1, value));
    if (lua_rawlen(lua, -1) > PATHS_PER_SQUARE)
        return variant_refuse_result(build, key, "%s returned more than %d ways from a square", key,
                                     PATHS_PER_SQUARE);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        struct path path = {.side = side, .from = from};
        lua_rawgeti(lua, -1, i);
        if (!read_way(build, key, &path)) return false;
        lua_pop(lua, 1);
        /* An empty way goes nowhere. */
        if (path.length && !ways_add(ways, &path, fault)) return false;
    }
    lua_pop(lua, 1);
    return true;
}

/* Adds the ways of the function at `key`. */
static bool add_function(const struct variant_build *build, const char *key, struct ways *ways,
                         struct fault *fault) {
    for (int side = RED; side <= BLUE; side++)
        for (squareset left = build->rules->board.land; left;)
            if (!ask_square(build, key, (enum side)side, squareset_pop(&left), ways, fault))
                return false;
    return true;
}

/* Reads reach, turns, only, last and stops of the table at `key`, one of `moves`. Along a ground
 * there is no reach unless it is given, and some of them are refused. */
static bool read_walk(const struct variant_build *build, const char *key, bool slides, bool floods,
                      struct walk_of *walk) {
    char below[VARIANT_KEY_MAX + 8];
    snprintf(below, sizeof below, "%s.reach", key);
    walk->reach = variant_number(build, below, slides || floods ? 0 : 1);
    snprintf(below, sizeof below, "%s.turns", key);
    walk->turns = variant_boolean(build, below, false);
    snprintf(below, sizeof below, "%s.only", key);
    const char *only = variant_text(build, below, NULL);
    if (only && floods)
        return variant_refuse(build->source, below, "%s does not go with a flood", below);
    snprintf(below, sizeof below, "%s.last", key);
    const char *last = variant_text(build, below, NULL);
    if (last && (slides || floods))
        return variant_refuse(build->source, below,
                              "%s goes with a reach alone, not with a slide or flood", below);
    snprintf(below, sizeof below, "%s.stops", key);
    const bool stops = variant_boolean(build, below, true);
    if (!stops && (slides || floods))
        return variant_refuse(build->source, below,
                              "%s goes with a reach alone, not with a slide or flood", below);
    walk->bars = stops ? bars_but(only) : BAR_STOP;
    walk->last_bars = bars_but(last ? last : only);
    return true;
}

/* Adds the ways of one table of `moves`, but for a flood, whose squares it sets. */
static bool add_table(const struct variant_build *build, const char *key, struct ways *ways,
                      squareset *flood, struct fault *fault) {
    const struct board *board = &build->rules->board;
    const char *along[2];
    char below[VARIANT_KEY_MAX + 8];
    bool good = true;
    struct walk_of walk;
    for (int floods = 0; floods < 2; floods++) {
        snprintf(below, sizeof below, "%s.%s", key, floods ? "flood" : "slide");
        along[floods] = variant_text(build, below, NULL);
    }
    if (!read_walk(build, key, along[0], along[1], &walk)) return false;
    for (int floods = 0; floods < 2; floods++) {
        snprintf(below, sizeof below, "%s.%s", key, floods ? "flood" : "slide");
        if (!along[floods]) continue;
        const struct ground *ground = find_ground(build, below, along[floods]);
        if (!ground)
            good = false;
        else if (floods && *flood)
            good = variant_refuse(build->source, below,
                                  "%s is the second flood of a piece; name a ground that has the "
                                  "squares of both",
                                  below);
        else if (floods)
            *flood = ground_squares(ground);
        else
            good &= ways_add_slide(ways, board, ground_squares(ground), walk.bars, fault);
    }
    return good && (!walk.reach || ways_add_walk(ways, board, walk, fault));
}

/* Adds the ways of the value on top of the stack, which is at `key`, and pops it. False with a
 * fault or after a refusal. */
static bool add_ways(const struct variant_build *build, const char *key, struct ways *ways,
                     squareset *flood, struct fault *fault) {
    lua_State *lua = build->lua;
    const int type = lua_type(lua, -1);
    const bool run = type == LUA_TSTRING && strcmp(lua_tostring(lua, -1), "run") == 0;
    const bool none = type == LUA_TSTRING && strcmp(lua_tostring(lua, -1), "none") == 0;
    const lua_Integer length = type == LUA_TTABLE ? (lua_Integer)lua_rawlen(lua, -1) : 0;
    bool good = true;
    for (lua_Integer i = 1; good && i <= length; i++) {
        char element[VARIANT_KEY_MAX];
        lua_rawgeti(lua, -1, i);
        good = add_ways(build, variant_key(element, "%.200s[%d]", key, (int)i), ways, flood, fault);
    }
    lua_pop(lua, 1);
    if (length || none) return good;
    if (type == LUA_TFUNCTION) return add_function(build, key, ways, fault);
    if (type == LUA_TTABLE) return add_table(build, key, ways, flood, fault);
    const struct walk_of walk = {.reach = run ? PATH_MAX_SQUARES : 1};
    return ways_add_walk(ways, &build->rules->board, walk, fault);
}

/* Builds the movement of the `moves` on top of the stack, which are at `key`. */
static bool build_movement(struct variant_build *build, const char *key,
                           struct movement *movement) {
    const struct board *board = &build->rules->board;
    struct fault fault = {0};
    struct ways ways = {0};
    squareset flood = 0;
    const size_t before = build->source->faults->errors;
    lua_pushvalue(build->lua, -1);
    const bool built = add_ways(build, key, &ways, &flood, &fault) &&
                       movement_build(movement, board, ways.list, ways.count, &fault) &&
                       (!flood || movement_add_flood(movement, board, flood, &fault));
    free(ways.list);
    if (built) return true;
    if (fault.status == STATUS_OK || build->source->faults->errors > before) return false;
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
    if (!build_movement(build, key, &rules->movement[rules->movements])) return false;
    rules->kind[id].movement = rules->movements++;
    lua_pushinteger(lua, rules->kind[id].movement);
    lua_rawset(lua, shared);
    return true;
}

/* Gives each kind its movement. Kinds with the same word, table or function as `moves` share one.
 * False after a refusal. */
static bool variant_moves_build(struct variant_build *build) {
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

enum { KIND_COST = 200 }; /* fuel for an entry of the army */

/* The key for each refusal. The first * is the kind's name, the second the ability's, # that of a
 * counter, and % the place of a goal. */
static const char *const REFUSED_KEYS[] = {
    [REFUSED_BOARD] = "board",
    [REFUSED_ZONE] = "zone.ranks",
    [REFUSED_ZONES_MEET] = "zone",
    [REFUSED_LAKE] = "board.lakes",
    [REFUSED_ZONES] = "board.lakes",
    [REFUSED_KINDS] = "army",
    [REFUSED_LETTER] = "pieces.*.letter",
    [REFUSED_LETTER_TWICE] = "pieces.*.letter",
    [REFUSED_NAME_TWICE] = "pieces.*",
    [REFUSED_PIECES] = "army.*",
    [REFUSED_MOVEMENT] = "pieces.*.moves",
    [REFUSED_NO_FLAG] = "army",
    [REFUSED_IMMOBILE] = "army",
    [REFUSED_ARMY_LARGE] = "army",
    [REFUSED_ARMY_SMALL] = "army",
    [REFUSED_START] = "pieces.*.start",
    [REFUSED_TWO_SQUARES] = "two_squares",
    [REFUSED_NO_ATTACK] = "limits.no_attack",
    [REFUSED_PLIES] = "limits.plies",
    [REFUSED_DRAW_WITHOUT] = "draw_without",
    [REFUSED_ABILITIES] = "pieces",
    [REFUSED_NO_TIME] = "pieces.*.abilities.*.when",
    [REFUSED_NO_AIM] = "pieces.*.abilities.*.aims",
    [REFUSED_NO_CHOICE] = "pieces.*.abilities.*.except",
    [REFUSED_CAPTURED] = "pieces.*.abilities.*.asks",
    [REFUSED_TALLY] = "pieces.*.abilities.*",
    [REFUSED_SHARED_LIMIT] = "pieces.*.abilities.*.limit",
    [REFUSED_SHARED_ATTACKS] = "pieces.*.abilities.*.attacks",
    [REFUSED_EMPTY_TARGET] = "pieces.*.abilities.*",
    [REFUSED_PLACE] = "pieces.*.abilities.*",
    [REFUSED_CONTRADICTION] = "pieces.*.abilities.*",
    [REFUSED_MARKS] = "pieces.*.abilities.*.each",
    [REFUSED_SHARED_MARKS] = "pieces.*.abilities.*.each",
    [REFUSED_COUNTING] = "pieces.*.abilities.*.resolve",
    [REFUSED_STAYS] = "pieces.*.abilities.*.when",
    [REFUSED_FALL_OF] = "fall_of",
    [REFUSED_GIVEN] = "setup",
    [REFUSED_BARRED] = "combat",
    [REFUSED_OPEN] = "open",
    [REFUSED_REPETITION] = "repetition",
    [REFUSED_COUNTER] = "counters.#",
    [REFUSED_COUNTER_IDLE] = "counters.#",
    [REFUSED_GOAL] = "goal[%]",
    [REFUSED_GOAL_PLACE] = "goal[%].at",
    [REFUSED_GOAL_ZONE] = "goal[%].at",
    [REFUSED_GOAL_COUNT] = "goal[%].reaches",
    [REFUSED_GOAL_RESULT] = "goal[%].result",
    [REFUSED_MOVES] = "",
};

static void refused_key(const struct variant_build *build, const struct refusal *refusal,
                        kind_id kind, char key[VARIANT_KEY_MAX]) {
    const char *pattern = REFUSED_KEYS[refusal->code], *ability = "";
    if (strstr(pattern, "abilities")) {
        kind = build->rules->ability[refusal->ability].actor;
        ability = build->rules->ability[refusal->ability].name;
    }
    const char *name = build->rules->kind[kind].name;
    size_t used = 0;
    for (; *pattern; pattern++) {
        if (*pattern == '#' || *pattern == '%') {
            used += (size_t)(*pattern == '#' ? snprintf(key + used, VARIANT_KEY_MAX - used, "%s",
                                                        build->rules->counter[refusal->value].name)
                                             : snprintf(key + used, VARIANT_KEY_MAX - used, "%d",
                                                        refusal->value + 1));
            continue;
        }
        if (*pattern != '*') {
            key[used++] = *pattern;
            continue;
        }
        used += (size_t)snprintf(key + used, VARIANT_KEY_MAX - used, "%s", name);
        name = ability;
    }
    key[used] = 0;
}

/* Reports a refusal of the core at its key. The text names the key unless its value is a table. */
static bool report_refusal(const struct variant_build *build, const struct refusal *refusal) {
    char key[VARIANT_KEY_MAX], other[VARIANT_KEY_MAX];
    struct fault fault = {0};
    refused_key(build, refusal, refusal->kind, key);
    if (refusal->code == REFUSED_LETTER_TWICE) {
        /* blame the letter in the derived file, not the one in its base */
        refused_key(build, refusal, refusal->other, other);
        if (variant_origin(build->source, other) < variant_origin(build->source, key))
            memcpy(key, other, sizeof key);
    }
    if ((refusal->code == REFUSED_ARMY_LARGE || refusal->code == REFUSED_ARMY_SMALL) &&
        variant_origin(build->source, "zone") < variant_origin(build->source, key))
        strcpy(key, "zone"); /* the army may be inherited */
    refusal_fault(refusal, build->rules, &fault);
    if (variant_get(build->lua, build->table, key) != LUA_TTABLE) fault_within(&fault, "%s", key);
    lua_pop(build->lua, 1);
    return variant_refuse_fault(build->source, key, &fault);
}

/* Always false. */
static bool report_refusals(const struct variant_build *build, const struct refusals *refusals) {
    for (int i = 0; i < refusals->count; i++) report_refusal(build, &refusals->list[i]);
    return false;
}

/* Adds the squares of the list at `key` to `set`; false after a refusal. `listed` (may be NULL): is
 * there a list? */
static bool read_squares(const struct variant_build *build, const char *key, squareset *set,
                         bool *listed) {
    const struct board *board = &build->rules->board;
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX];
    bool good = true, any = variant_get(lua, build->table, key) == LUA_TTABLE;
    for (lua_Integer i = 1; any && i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        square at;
        lua_rawgeti(lua, -1, i);
        if (board_square_at(lua, -1, board, &at)) {
            *set |= squareset_of(at);
        } else {
            char element[VARIANT_KEY_MAX];
            good = variant_refuse(build->source, variant_key(element, "%.200s[%d]", key, (int)i),
                                  "%s has %s, expected a square of the %d x %d board", key,
                                  variant_value(lua, -1, value), board->files, board->ranks);
        }
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    if (listed) *listed = any;
    return good;
}

/* Sets a side's zone to the squares of a list, as many of its back ranks as they need. */
static bool zone_of_squares(const struct variant_build *build, const char *key, enum side side,
                            squareset squares) {
    struct board *board = &build->rules->board;
    if (!squares) return variant_refuse(build->source, key, "%s is empty, expected squares", key);
    int ranks = 1;
    while (squares & ~board_back(board, side, ranks)) ranks++;
    board->zone_ranks[side] = (uint8_t)ranks;
    board->zone_only[side] = squares;
    return true;
}

/* Reads a side's zone: of its own table, else of the common one. */
static bool read_zone(const struct variant_build *build, enum side side) {
    struct board *board = &build->rules->board;
    char key[VARIANT_KEY_MAX];
    squareset squares = 0;
    bool listed;
    variant_key(key, "zone.%s.squares", side_name(side));
    if (!read_squares(build, key, &squares, &listed)) return false;
    if (listed) return zone_of_squares(build, key, side, squares);
    variant_key(key, "zone.%s.ranks", side_name(side));
    board->zone_ranks[side] = (uint8_t)variant_number(build, key, 0);
    if (board->zone_ranks[side]) return true;
    if (!read_squares(build, "zone.squares", &squares, &listed)) return false;
    if (listed)
        return zone_of_squares(build, "zone.squares", side, board_own_set(board, side, squares));
    board->zone_ranks[side] = (uint8_t)variant_number(build, "zone.ranks", 0);
    return board->zone_ranks[side] ||
           variant_refuse(build->source, "zone.ranks",
                          "zone.ranks is missing; add it, or extend a variant that has it");
}

/* Reads one ground; refuses lakes. */
static bool read_ground(const struct variant_build *build, const char *name) {
    struct board *board = &build->rules->board;
    char key[VARIANT_KEY_MAX], where[SQUARE_TEXT_MAX];
    bool common;
    struct ground ground = {.sided = false};
    if (board->grounds == GROUNDS_MAX)
        return variant_refuse(build->source, "board.ground", "more than %d grounds", GROUNDS_MAX);
    snprintf(ground.name, sizeof ground.name, "%s", name);
    variant_key(key, "board.ground.%s", name);
    squareset squares = 0;
    if (!read_squares(build, key, &squares, &common)) return false;
    ground.squares[RED] = ground.squares[BLUE] = squares;
    for (int side = RED; side <= BLUE; side++) {
        bool own;
        squares = 0;
        variant_key(key, "board.ground.%s.%s", name, side_name((enum side)side));
        if (!read_squares(build, key, &squares, &own)) return false;
        if (own) ground.sided = true;
        if (own) ground.squares[side] = squares;
    }
    variant_key(key, "board.ground.%s", name);
    squareset wet = ground_squares(&ground) & board->lakes;
    if (wet) {
        square_write(board, squareset_pop(&wet), where);
        return variant_refuse(build->source, key, "%s has %s, which is a lake", key, where);
    }
    board->ground[board->grounds++] = ground;
    return true;
}

static bool read_grounds(const struct variant_build *build) {
    lua_State *lua = build->lua;
    bool good = true;
    if (variant_get(lua, build->table, "board.ground") != LUA_TTABLE) {
        lua_pop(lua, 1);
        return true;
    }
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) {
        char name[WORD_MAX];
        if (lua_type(lua, -1) != LUA_TTABLE) continue;
        snprintf(name, sizeof name, "%s", lua_tostring(lua, -2));
        good &= read_ground(build, name);
    }
    lua_pop(lua, 1);
    return good;
}

/* Reads "b3-a2". */
static bool read_pair(const struct board *board, const char *text, square pair[2]) {
    for (int i = 0; i < 2; i++) {
        const size_t used = square_read(board, text, strlen(text), &pair[i]);
        if (!used || pair[i] == SQUARE_NONE || text[used] != (i ? 0 : '-')) return false;
        text += used + 1;
    }
    return pair[0] != pair[1];
}

/* Reads the links or walls of the board. */
static bool read_pairs(const struct variant_build *build, const char *key, bool links) {
    struct board *board = &build->rules->board;
    lua_State *lua = build->lua;
    bool good = true, any = variant_get(lua, build->table, key) == LUA_TTABLE;
    for (lua_Integer i = 1; any && i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        char element[VARIANT_KEY_MAX];
        square pair[2];
        lua_rawgeti(lua, -1, i);
        const char *text = lua_tostring(lua, -1);
        variant_key(element, "%.200s[%d]", key, (int)i);
        if (!read_pair(board, text, pair)) {
            good =
                variant_refuse(build->source, element,
                               "%s has \"%.20s\", expected two squares of the %d x %d board such "
                               "as \"b3-a2\"",
                               key, text, board->files, board->ranks);
        } else if (squareset_has(board->lakes, pair[0]) || squareset_has(board->lakes, pair[1])) {
            good = variant_refuse(build->source, element, "%s has \"%.20s\", which names a lake",
                                  key, text);
        } else {
            const int across = board_file(board, pair[0]) - board_file(board, pair[1]);
            const int along = board_rank(board, pair[0]) - board_rank(board, pair[1]);
            const bool beside = across * across + along * along == 1;
            squareset *lines = links ? board->linked : board->walled;
            if (beside == links)
                good = variant_refuse(build->source, element,
                                      links ? "%s has \"%.20s\", which are neighbours and joined"
                                            : "%s has \"%.20s\", which are no neighbours",
                                      key, text);
            else {
                lines[pair[0]] |= squareset_of(pair[1]);
                lines[pair[1]] |= squareset_of(pair[0]);
            }
        }
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return good;
}

/* The ground of that name; NULL after a refusal. `key` is the place of the name. */
static const struct ground *find_ground(const struct variant_build *build, const char *key,
                                        const char *name) {
    const struct board *board = &build->rules->board;
    const int number = board_ground(board, name);
    if (number < board->grounds) return &board->ground[number];
    struct word_guess guess = word_guess_for(name);
    char hint[WORD_HINT_MAX];
    for (int i = 0; i < board->grounds; i++) word_offer(&guess, board->ground[i].name);
    variant_refuse(build->source, key, "%s names \"%.40s\", expected a ground of the board%s", key,
                   name,
                   guess.best[0]     ? word_hint(&guess, hint)
                   : !board->grounds ? "; board.ground has none"
                                     : "");
    return NULL;
}

/* Adds the squares of the ground, or list of grounds, that `key` names. */
static bool named_grounds(const struct variant_build *build, const char *key, squareset *set) {
    lua_State *lua = build->lua;
    const int type = variant_get(lua, build->table, key);
    const struct ground *ground = NULL;
    bool good = true;
    if (type == LUA_TSTRING) {
        ground = find_ground(build, key, lua_tostring(lua, -1));
        good = ground != NULL;
        if (good) *set |= ground_squares(ground);
    }
    for (lua_Integer i = 1; type == LUA_TTABLE && i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        char element[VARIANT_KEY_MAX];
        lua_rawgeti(lua, -1, i);
        ground = find_ground(build, variant_key(element, "%.200s[%d]", key, (int)i),
                             lua_tostring(lua, -1));
        good &= ground != NULL;
        if (ground) *set |= ground_squares(ground);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return good;
}

/* False if there is no board to pass to functions. */
static bool build_board(struct variant_build *build) {
    struct board *board = &build->rules->board;
    struct refusals refusals = {.count = 0};
    int files = variant_number(build, "board.files", 0);
    int ranks = variant_number(build, "board.ranks", 0);
    if (!files || !ranks) return false; /* already refused */
    board->files = (uint8_t)files;
    board->ranks = (uint8_t)ranks;
    if (files * ranks > BOARD_SQUARES_MAX) {
        refusals_check_board(build->rules, &refusals);
        return report_refusals(build, &refusals);
    }
    board->squares = (uint8_t)(files * ranks);
    build->rules->zone_filled = variant_boolean(build, "zone.filled", false);
    const bool red = read_zone(build, RED), blue = read_zone(build, BLUE);
    if (!red || !blue || !refusals_check_board(build->rules, &refusals)) {
        board->squares = 0; /* no board for the army to fit */
        return report_refusals(build, &refusals);
    }
    read_squares(build, "board.lakes", &board->lakes, NULL);
    board_derive(board); /* again, now with lakes */
    read_grounds(build);
    read_pairs(build, "board.links", true);
    read_pairs(build, "board.walls", false);
    named_grounds(build, "board.shelter", &board->shelter);
    named_grounds(build, "board.leaves", &board->stays);
    board_derive(board); /* and with its lines */
    board_push(build->lua, board);
    build->board = lua_gettop(build->lua);
    return true;
}

/* The list of ranks at `key` as squares of the owner; all if there is none. */
static squareset read_ranks(const struct variant_build *build, const char *key) {
    const struct board *board = &build->rules->board;
    lua_State *lua = build->lua;
    squareset set = 0;
    bool any = variant_get(lua, build->table, key) == LUA_TTABLE;
    for (lua_Integer i = 1; any && i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        lua_rawgeti(lua, -1, i);
        const int rank = (int)lua_tointeger(lua, -1);
        if (rank <= board->ranks)
            set |= board_back(board, RED, rank) & ~board_back(board, RED, rank - 1);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return any ? set : board_back(board, RED, board->ranks);
}

/* Fills start[].only of a kind from the piece's `start`. */
static bool read_start(const struct variant_build *build, kind_id id) {
    struct rules *rules = build->rules;
    const struct board *board = &rules->board;
    const char *name = rules->kind[id].name;
    char key[VARIANT_KEY_MAX];
    squareset common = 0;
    bool listed;
    bool any = variant_get(build->lua, build->table, variant_key(key, "pieces.%s.start", name)) ==
               LUA_TTABLE;
    lua_pop(build->lua, 1);
    if (!any) return true;
    variant_key(key, "pieces.%s.start.not_ranks", name);
    squareset ranks = board_back(board, RED, board->ranks), not_ranks = read_ranks(build, key);
    if (not_ranks != ranks) ranks &= ~not_ranks;
    ranks &= read_ranks(build, variant_key(key, "pieces.%s.start.ranks", name));
    variant_key(key, "pieces.%s.start.squares", name);
    if (!read_squares(build, key, &common, &listed)) return false;
    if (listed) ranks &= common;
    for (int side = RED; side <= BLUE; side++) {
        squareset own = 0;
        variant_key(key, "pieces.%s.start.%s", name, side_name((enum side)side));
        if (!read_squares(build, key, &own, &listed)) return false;
        squareset only = listed ? ranks & board_own_set(board, (enum side)side, own) : ranks;
        if (!only)
            return variant_refuse(build->source, variant_key(key, "pieces.%s.start", name),
                                  "%s leaves no square to %s", key, name);
        if (only != board_back(board, RED, board->ranks)) rules->start[side].only[id] = only;
    }
    return true;
}

static bool read_kind(const struct variant_build *build, const char *name, struct kind *kind) {
    char key[VARIANT_KEY_MAX];
    memset(kind, 0, sizeof *kind);
    snprintf(kind->name, sizeof kind->name, "%s", name);
    bool good = true;
    const char *letter = variant_text(build, variant_key(key, "pieces.%s.letter", name), "");
    kind->letter = letter[0];
    if (!letter[0])
        good = variant_refuse(build->source, key, "%s is missing, expected one of A-Z or 0-9", key);
    variant_key(key, "pieces.%s.label", name);
    if (variant_get(build->lua, build->table, key) == LUA_TNUMBER)
        snprintf(kind->label, sizeof kind->label, "%d", (int)lua_tointeger(build->lua, -1));
    else
        snprintf(kind->label, sizeof kind->label, "%.7s", variant_text(build, key, letter));
    lua_pop(build->lua, 1);
    kind->rank = (int16_t)variant_number(build, variant_key(key, "pieces.%s.rank", name), 0);
    kind->flag = variant_boolean(build, variant_key(key, "pieces.%s.flag", name), false);
    const char *moves = variant_text(build, variant_key(key, "pieces.%s.moves", name), "");
    kind->movement = strcmp(moves, "none") == 0 ? MOVEMENT_NONE : 0;
    return good;
}

/* Flags, then immobile kinds, then the others, each group by rank and name: the order of all lists
 * that are shown. */
static int kind_compare(const void *left, const void *right) {
    const struct kind *a = left, *b = right;
    bool a_moves = a->movement != MOVEMENT_NONE, b_moves = b->movement != MOVEMENT_NONE;
    if (a->flag != b->flag) return a->flag ? -1 : 1;
    if (a_moves != b_moves) return a_moves ? 1 : -1;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* The number of a piece in a side's army: of the side's own table, else of the common one. */
static int army_count(const struct variant_build *build, const char *name, enum side side) {
    char key[VARIANT_KEY_MAX];
    int common = variant_number(build, variant_key(key, "army.%s", name), 0);
    return variant_number(build, variant_key(key, "army.%s.%s", side_name(side), name), common);
}

/* Reads the pieces that the table at `key` counts, and the rules do not have yet. */
static bool read_army(struct variant_build *build, const char *table) {
    struct rules *rules = build->rules;
    lua_State *lua = build->lua;
    if (variant_get(lua, build->table, table) != LUA_TTABLE) {
        lua_pop(lua, 1);
        return true;
    }
    bool good = true;
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) {
        char name[WORD_MAX], key[VARIANT_KEY_MAX];
        if (lua_type(lua, -1) != LUA_TNUMBER) continue; /* a side's table */
        sandbox_charge(lua, KIND_COST);
        snprintf(name, sizeof name, "%s", lua_tostring(lua, -2));
        bool known = variant_piece_known(build, variant_key(key, "%s.%s", table, name), name);
        good &= known;
        if (!known || rules_kind_named(rules, name) != KIND_NONE) continue;
        if (!army_count(build, name, RED) && !army_count(build, name, BLUE)) continue;
        if (rules->kinds == KINDS_MAX - 1) {
            lua_settop(lua, walk.table - 1);
            return report_refusal(build,
                                  &(struct refusal){.code = REFUSED_KINDS, .value = KINDS_MAX});
        }
        good &= read_kind(build, name, &rules->kind[++rules->kinds]);
    }
    lua_pop(lua, 1);
    return good;
}

/* Reads the pieces in the armies; the rules leave out the others of `pieces`. */
static bool build_kinds(struct variant_build *build, bool board) {
    struct rules *rules = build->rules;
    bool good = variant_get(build->lua, build->table, "army") == LUA_TTABLE;
    lua_pop(build->lua, 1);
    if (!good) return false; /* already refused */
    good = read_army(build, "army");
    good &= read_army(build, "army.red");
    good &= read_army(build, "army.blue");
    qsort(rules->kind + 1, rules->kinds, sizeof rules->kind[0], kind_compare);
    for (kind_id id = 1; id <= rules->kinds; id++) {
        for (int side = RED; side <= BLUE; side++)
            rules->start[side].count[id] =
                (uint8_t)army_count(build, rules->kind[id].name, (enum side)side);
        if (board) good &= read_start(build, id);
    }
    struct refusals refusals = {.count = 0};
    return refusals_check_army(rules, &refusals) ? good : report_refusals(build, &refusals);
}

static bool add_called(const struct variant_build *build, const char *key, uint8_t kind,
                       const char *tag, const char *text) {
    struct rules *rules = build->rules;
    if (rules->called_count == CALLED_MAX)
        return variant_refuse(build->source, key, "more than %d names in other languages",
                              CALLED_MAX);
    struct called *called = &rules->called[rules->called_count++];
    called->kind = kind;
    snprintf(called->tag, sizeof called->tag, "%s", tag);
    snprintf(called->text, sizeof called->text, "%s", text);
    return true;
}

/* Reads the names by language in the table at `key`. */
static bool read_called(const struct variant_build *build, const char *key, uint8_t kind) {
    lua_State *lua = build->lua;
    int top = lua_gettop(lua);
    bool good = true;
    if (variant_get(lua, build->table, key) == LUA_TTABLE) {
        struct walk walk;
        walk_start(lua, &walk, lua_gettop(lua));
        while (good && walk_step(lua, &walk))
            good = add_called(build, key, kind, lua_tostring(lua, -2), lua_tostring(lua, -1));
    }
    lua_settop(lua, top);
    return good;
}

/* An English name from a key: "Night scout" for night_scout. */
static void english_from(const char *name, char out[WORD_MAX]) {
    snprintf(out, WORD_MAX, "%s", name);
    for (char *at = out; *at; at++)
        if (*at == '_') *at = ' ';
    if (*out >= 'a' && *out <= 'z') *out = (char)(*out - 'a' + 'A');
}

static bool build_counter_names(const struct variant_build *build) {
    const struct rules *rules = build->rules;
    for (int i = 0; i < rules->counters; i++) {
        char key[VARIANT_KEY_MAX], english[WORD_MAX];
        const char *name = rules->counter[i].name;
        uint8_t id = called_counter(i);
        variant_key(key, "counters.%s.names", name);
        if (!read_called(build, key, id)) return false;
        if (rules_called(rules, id, "en")) continue;
        english_from(name, english);
        variant_key(key, "counters.%s.title", name);
        if (!add_called(build, key, id, "en", variant_text(build, key, english))) return false;
    }
    return true;
}

/* Reads all names. A kind without an English name gets one from its key. */
static bool build_called(const struct variant_build *build) {
    struct rules *rules = build->rules;
    rules->called = calloc(CALLED_MAX, sizeof *rules->called);
    if (!rules->called) luaL_error(build->lua, "no memory for names");
    if (!read_called(build, "names", KIND_NONE)) return false;
    for (kind_id id = 1; id <= rules->kinds; id++) {
        char key[VARIANT_KEY_MAX], english[WORD_MAX];
        variant_key(key, "pieces.%s.names", rules->kind[id].name);
        if (!read_called(build, key, id)) return false;
        if (rules_called(rules, id, "en")) continue;
        english_from(rules->kind[id].name, english);
        if (!add_called(build, key, id, "en", english)) return false;
    }
    if (!build_counter_names(build)) return false;
    if (!rules->called_count) return true;
    void *fitting = realloc(rules->called, (size_t)rules->called_count * sizeof *rules->called);
    if (fitting) rules->called = fitting;
    return true;
}

static uint8_t choose(const struct variant_build *build, const char *key, const char *zero,
                      const char *one, const char *two) {
    const char *text = variant_text(build, key, zero);
    if (strcmp(text, one) == 0) return 1;
    return strcmp(text, two) == 0 ? 2 : 0;
}

static bool build_settings(struct variant_build *build) {
    struct rules *rules = build->rules;
    bool all;
    snprintf(rules->title, sizeof rules->title, "%s", variant_text(build, "title", rules->name));
    snprintf(rules->edition, sizeof rules->edition, "%s", variant_text(build, "edition", ""));
    snprintf(rules->note, sizeof rules->note, "%s", variant_text(build, "note", ""));
    rules->open = variant_boolean(build, "open", false);
    rules->two_squares = (uint8_t)variant_number(build, "two_squares", 0);
    rules->chase = choose(build, "chase", "", "isf", "russian");
    rules->first = choose(build, "first", "red", "blue", "chosen");
    rules->limits.no_attack = (uint32_t)variant_number(build, "limits.no_attack", 200);
    rules->limits.plies = (uint32_t)variant_number(build, "limits.plies", 4000);
    return variant_kinds(build, "draw_without", &rules->draw_without, &all);
}

/* Confines the army of a side to the squares of the set-up at `key`, the only one that it has. */
static bool lay_side(const struct variant_build *build, const char *key, const char *text,
                     enum side side, squareset only[KINDS_MAX]) {
    const struct rules *rules = build->rules;
    struct setup setup;
    struct fault fault = {0};
    if (!setup_read(rules, side, text, strlen(text), &setup, &fault) ||
        !setup_check(rules, side, &setup, &fault)) {
        struct fault placed = {0}; /* at the key, not at a line of the set-up */
        fault_set(&placed, STATUS_RULES, "%s: %s", key, fault.text);
        return variant_refuse_fault(build->source, key, &placed);
    }
    for (square at = 0; at < rules->board.squares; at++)
        if (setup.at[at]) only[setup.at[at]] |= squareset_of(at);
    return true;
}

/* Reads `setup`, when the rules are finished otherwise, and finishes them again. */
static bool build_armies(const struct variant_build *build, struct refusals *refusals) {
    struct rules *rules = build->rules;
    squareset only[2][KINDS_MAX] = {{0}};
    const char *common = variant_text(build, "setup", NULL);
    const bool each = variant_get(build->lua, build->table, "setup") == LUA_TTABLE;
    lua_pop(build->lua, 1);
    if (common && islower((unsigned char)common[0]) && strcmp(common, "chance") != 0)
        return variant_refuse(build->source, "setup",
                              "setup is \"%s\", expected a set-up, \"chance\", or a table with red "
                              "and blue",
                              common);
    if (common && !strcmp(common, "chance")) rules->armies = ARMIES_BY_CHANCE;
    if ((!common && !each) || rules->armies == ARMIES_BY_CHANCE) return true;
    for (int side = RED; side <= BLUE; side++) {
        char key[VARIANT_KEY_MAX] = "setup";
        if (each) variant_key(key, "setup.%s", side_name((enum side)side));
        const char *text = each ? variant_text(build, key, NULL) : common;
        if (!text) return variant_refuse(build->source, key, "%s is missing", key);
        if (!lay_side(build, key, text, (enum side)side, only[side])) return false;
    }
    rules->armies = ARMIES_GIVEN;
    for (int side = RED; side <= BLUE; side++)
        memcpy(rules->start[side].only, only[side], sizeof only[side]);
    return rules_finish(rules, refusals) || report_refusals(build, refusals);
}

bool variant_compile(struct variant_source *source, int table, struct rules *rules) {
    struct variant_build build = {
        .source = source, .lua = source->lua, .table = table, .rules = rules};
    struct refusals refusals = {.count = 0};
    bool board = build_board(&build);
    build_kinds(&build, board);
    variant_counters_build(&build);
    build_called(&build);
    build_settings(&build);
    if (board) variant_moves_build(&build);
    variant_combat_build(&build);
    if (board) variant_abilities_build(&build);
    if (!refusals_check_abilities(rules, &refusals)) report_refusals(&build, &refusals);
    if (board) variant_sight_build(&build);
    if (board) variant_goals_build(&build);
    if (source->faults->errors) return false;
    if (!variant_calls_build(&build)) return false;
    if (!rules_finish(rules, &refusals)) return report_refusals(&build, &refusals);
    return build_armies(&build, &refusals);
}
