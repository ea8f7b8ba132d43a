/* variant_goals.c - counters and goals, from a checked table into the rules. The core judges
 * whether they make sense (core/rules/refusal.c). */
#include "variant_goals.h"

#include "base/words.h"
#include "lua/board_lua.h"
#include "lua/walk.h"

#include <stdio.h>
#include <string.h>

/* Reads the counter whose table is on top of the stack. */
static bool add_counter(const struct variant_build *build, const char *name) {
    struct rules *rules = build->rules;
    char key[VARIANT_KEY_MAX];
    variant_key(key, "counters.%s", name);
    if (rules->counters == COUNTERS_MAX)
        return variant_refuse(build->source, key, "%s: more than %d counters", key, COUNTERS_MAX);
    struct counter *counter = &rules->counter[rules->counters++];
    snprintf(counter->name, sizeof counter->name, "%s", name);
    counter->each = variant_boolean(build, variant_key(key, "counters.%s.each", name), false);
    counter->from = (int16_t)variant_number(build, variant_key(key, "counters.%s.from", name), 0);
    counter->to = (int16_t)variant_number(build, variant_key(key, "counters.%s.to", name), 0);
    counter->start =
        (int16_t)variant_number(build, variant_key(key, "counters.%s.start", name), counter->from);
    return true;
}

bool variant_counters_build(const struct variant_build *build) {
    lua_State *lua = build->lua;
    bool good = true;
    if (variant_get(lua, build->table, "counters") == LUA_TTABLE) {
        struct walk walk;
        walk_start(lua, &walk, lua_gettop(lua));
        while (walk_step(lua, &walk))
            if (lua_type(lua, -1) == LUA_TTABLE) good &= add_counter(build, lua_tostring(lua, -2));
    }
    lua_pop(lua, 1);
    build->rules->repetition = (uint8_t)variant_number(build, "repetition", 0);
    return good;
}

int variant_counter(const struct variant_build *build, const char *key, const char *name) {
    const struct rules *rules = build->rules;
    int number = rules_counter_named(rules, name);
    if (number >= 0) return number;
    struct word_guess guess = word_guess_for(name);
    char hint[WORD_HINT_MAX];
    for (int i = 0; i < rules->counters; i++) word_offer(&guess, rules->counter[i].name);
    variant_refuse(build->source, key, "%s names \"%.60s\", expected a counter of the variant%s",
                   key, name, guess.best[0] ? word_hint(&guess, hint) : "; add it to counters");
    return -1;
}

/* Adds the squares of the list at `key`, turned round for blue if `turned`. */
static bool read_squares(const struct variant_build *build, const char *key, bool turned,
                         squareset *set) {
    const struct board *board = &build->rules->board;
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX], element[VARIANT_KEY_MAX];
    bool good = true, any = variant_get(lua, build->table, key) == LUA_TTABLE;
    for (lua_Integer i = 1; any && i <= (lua_Integer)lua_rawlen(lua, -1); i++) {
        square at;
        lua_rawgeti(lua, -1, i);
        if (board_square_at(lua, -1, board, &at) && squareset_has(board->land, at))
            *set |= squareset_of(turned ? board_turn(board, at) : at);
        else
            good = variant_refuse(build->source, variant_key(element, "%.200s[%d]", key, (int)i),
                                  "%s has %s, expected a square of the %d x %d board, and no lake",
                                  key, variant_value(lua, -1, value), board->files, board->ranks);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return good;
}

/* "far_rank", a list of red's squares, or one for each side. */
static bool read_place(const struct variant_build *build, const char *key, struct goal *goal) {
    const struct board *board = &build->rules->board;
    lua_State *lua = build->lua;
    char below[VARIANT_KEY_MAX];
    int type = variant_get(lua, build->table, key);
    bool list = type == LUA_TTABLE && lua_rawlen(lua, -1) > 0;
    lua_pop(lua, 1);
    for (int side = RED; side <= BLUE; side++) {
        squareset *at = &goal->at[side];
        bool good = true;
        if (type == LUA_TSTRING)
            for (int file = 0; file < board->files; file++)
                *at |= board->land &
                       squareset_of(board_square(board, file, side == RED ? board->ranks - 1 : 0));
        else if (list)
            good = read_squares(build, key, side == BLUE, at);
        else
            good = read_squares(
                build, variant_key(below, "%.200s.%s", key, side_name((enum side)side)), false, at);
        if (!good) return false;
    }
    return true;
}

/* The pieces of a goal: those named, or all that can move. */
static bool read_pieces(const struct variant_build *build, const char *key, kindset *kinds) {
    const struct rules *rules = build->rules;
    lua_State *lua = build->lua;
    int type = variant_get(lua, build->table, key);
    const char *name = type == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    bool all, good = true;
    if (type == LUA_TNIL) {
        for (kind_id id = 1; id <= rules->kinds; id++)
            if (rules->kind[id].movement != MOVEMENT_NONE) *kinds |= kindset_of(id);
    } else if (name) {
        kind_id kind = rules_kind_named(rules, name);
        good = variant_piece_known(build, key, name);
        if (kind != KIND_NONE) *kinds = kindset_of(kind);
    } else {
        good = variant_kinds(build, key, kinds, &all);
    }
    lua_pop(lua, 1);
    if (good && !*kinds)
        return variant_refuse(build->source, key, "%s names no piece of the army", key);
    return good;
}

static int word_index(const char *const *words, const char *word) {
    int i = 0;
    while (words[i] && strcmp(words[i], word) != 0) i++;
    return i;
}

static bool has_key(const struct variant_build *build, const char *key) {
    bool has = variant_get(build->lua, build->table, key) != LUA_TNIL;
    lua_pop(build->lua, 1);
    return has;
}

static bool add_goal(const struct variant_build *build, int number) {
    struct rules *rules = build->rules;
    char key[VARIANT_KEY_MAX], about[VARIANT_KEY_MAX];
    static const char *const of_places[] = {"piece", "at", "after"};
    variant_key(key, "goal[%d]", number);
    if (rules->goals == GOALS_MAX)
        return variant_refuse(build->source, key, "more than %d goals", GOALS_MAX);
    struct goal *goal = &rules->goal[rules->goals++];
    const char *counter = variant_text(build, variant_key(key, "goal[%d].counter", number), "");
    const char *result = variant_text(build, variant_key(about, "goal[%d].result", number), "win");
    goal->result = (uint8_t)word_index(GOAL_RESULT_WORDS, result);
    if (!counter[0]) {
        variant_key(key, "goal[%d].at", number);
        if (!has_key(build, key))
            return variant_refuse(build->source, key,
                                  "%s is missing; a goal has `at` (and `piece`), or `counter` and "
                                  "`reaches`",
                                  key);
        if (has_key(build, variant_key(about, "goal[%d].reaches", number)))
            return variant_refuse(build->source, about, "%s belongs to a `counter`", about);
        goal->after =
            (uint8_t)variant_number(build, variant_key(about, "goal[%d].after", number), 0);
        bool good = read_place(build, key, goal);
        return read_pieces(build, variant_key(key, "goal[%d].piece", number), &goal->kinds) && good;
    }
    int index = variant_counter(build, key, counter);
    if (index < 0) return false;
    goal->counter = (uint8_t)index;
    for (int i = 0; i < 3; i++)
        if (has_key(build, variant_key(about, "goal[%d].%s", number, of_places[i])))
            return variant_refuse(build->source, about,
                                  "%s has no effect beside `counter`; make it a goal of its own",
                                  about);
    variant_key(about, "goal[%d].reaches", number);
    if (!has_key(build, about))
        return variant_refuse(build->source, about, "%s is missing, expected the value of %s",
                              about, counter);
    goal->reaches = (int16_t)variant_number(build, about, 0);
    return true;
}

bool variant_goals_build(const struct variant_build *build) {
    lua_State *lua = build->lua;
    bool good = true;
    int count = variant_get(lua, build->table, "goal") == LUA_TTABLE ? (int)lua_rawlen(lua, -1) : 0;
    lua_pop(lua, 1);
    for (int i = 1; good && i <= count; i++) good = add_goal(build, i);
    return good;
}
