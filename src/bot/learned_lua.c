#include "learned_lua.h"

#include "core/text/layout.h"
#include "lua/sandbox.h"
#include "lua/walk.h"

#include <lauxlib.h>
#include <limits.h>
#include <string.h>

/* What errors need to know. */
struct reading {
    lua_State *lua;
    const struct rules *rules;
    const char *who; /* errors begin with it */
};

/* An integer within limits, on top of the stack. */
static int32_t check_entry(const struct reading *reading, const char *part, const char *key,
                           int32_t least, int32_t most) {
    lua_State *lua = reading->lua;
    int is_integer;
    lua_Integer number = lua_tointegerx(lua, -1, &is_integer);
    if (!is_integer || lua_type(lua, -1) != LUA_TNUMBER || number < least || number > most)
        luaL_error(lua, "%s%s: %s must be a whole number from %d to %d", reading->who, part, key,
                   least, most);
    return (int32_t)number;
}

static const char *key_text(const struct reading *reading, const char *part) {
    lua_State *lua = reading->lua;
    if (lua_type(lua, -2) != LUA_TSTRING)
        luaL_error(lua, "%s%s: a key is %s, not a text", reading->who, part,
                   luaL_typename(lua, -2));
    return lua_tostring(lua, -2);
}

static kind_id key_kind(const struct reading *reading, const char *part) {
    const char *name = key_text(reading, part);
    kind_id kind = rules_kind_named(reading->rules, name);
    if (kind == KIND_NONE)
        luaL_error(reading->lua, "%s%s: '%s' is not a kind of this variant", reading->who, part,
                   name);
    return kind;
}

static void check_table(const struct reading *reading, const char *part, const char *key) {
    lua_State *lua = reading->lua;
    if (!lua_istable(lua, -1))
        luaL_error(lua, "%s%s: %s must be a table, not %s", reading->who, part, key,
                   luaL_typename(lua, -1));
}

/* The terms in the table on top of the stack. */
static void read_terms(const struct reading *reading, const char *part, const char *const *names,
                       int count, int32_t *weights) {
    lua_State *lua = reading->lua;
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) {
        const char *key = key_text(reading, part);
        int term = 0;
        while (term < count && strcmp(names[term], key) != 0) term++;
        if (term == count) luaL_error(lua, "%s%s: unknown term '%s'", reading->who, part, key);
        weights[term] = check_entry(reading, part, key, -WEIGHT_MAX, WEIGHT_MAX);
    }
}

/* The terms of each kind. */
static void read_kinds(const struct reading *reading, const char *part, const char *const *names,
                       int count, int32_t *weights) {
    lua_State *lua = reading->lua;
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) {
        kind_id kind = key_kind(reading, part);
        check_table(reading, part, reading->rules->kind[kind].name);
        read_terms(reading, part, names, count, weights + kind * count);
    }
}

/* A list of ratios for the signs from `from` on. */
static void read_ratios(const struct reading *reading, const char *key, kind_id kind, int from,
                        int count, struct habits *habits) {
    lua_State *lua = reading->lua;
    check_table(reading, "habits", key);
    if ((int)lua_rawlen(lua, -1) > count)
        luaL_error(lua, "%shabits: %s has more than %d numbers", reading->who, key, count);
    for (int i = 0; i < count; i++) {
        if (lua_rawgeti(lua, -1, i + 1) != LUA_TNIL)
            habits->ratio[from + i][kind] =
                (uint16_t)check_entry(reading, "habits", key, 0, UINT16_MAX);
        lua_pop(lua, 1);
    }
}

/* A table of ratios by the kind that was dared or fled. */
static void read_by_kind(const struct reading *reading, const char *key, kind_id kind, int from,
                         struct habits *habits) {
    lua_State *lua = reading->lua;
    struct walk walk;
    check_table(reading, "habits", key);
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) {
        bool none = !strcmp(key_text(reading, "habits"), "none");
        kind_id other = none ? KIND_NONE : key_kind(reading, "habits");
        habits->ratio[from + other][kind] =
            (uint16_t)check_entry(reading, "habits", key, 0, UINT16_MAX);
    }
}

static void read_habits(const struct reading *reading, struct habits *habits) {
    lua_State *lua = reading->lua;
    struct walk kinds;
    walk_start(lua, &kinds, lua_gettop(lua));
    while (walk_step(lua, &kinds)) {
        kind_id kind = key_kind(reading, "habits");
        check_table(reading, "habits", reading->rules->kind[kind].name);
        struct walk walk;
        walk_start(lua, &walk, lua_gettop(lua));
        while (walk_step(lua, &walk)) {
            const char *key = key_text(reading, "habits");
            if (!strcmp(key, "start"))
                read_ratios(reading, key, kind, SIGN_START, SIGN_START_COUNT, habits);
            else if (!strcmp(key, "moves"))
                read_ratios(reading, key, kind, SIGN_MOVES, SIGN_MOVES_COUNT, habits);
            else if (!strcmp(key, "stood"))
                read_ratios(reading, key, kind, SIGN_STOOD, SIGN_STOOD_COUNT, habits);
            else if (!strcmp(key, "beside"))
                read_ratios(reading, key, kind, SIGN_BESIDE, SIGN_BESIDE_COUNT, habits);
            else if (!strcmp(key, "dared"))
                read_by_kind(reading, key, kind, SIGN_DARED, habits);
            else if (!strcmp(key, "fled"))
                read_by_kind(reading, key, kind, SIGN_FLED, habits);
            else
                luaL_error(lua, "%shabits: unknown sign '%s'", reading->who, key);
        }
    }
}

void learned_lua_value(lua_State *lua, int index, const char *who, const struct rules *rules,
                       struct value *value) {
    static const char *const parts[] = {"own", "enemy", "whole", "habits"};
    const struct reading reading = {lua, rules, who};
    habits_even(&value->habits);
    memset(&value->weights, 0, sizeof value->weights);
    sandbox_push_text(lua, "styles");
    if (lua_rawget(lua, index) != LUA_TNIL)
        luaL_error(lua, "%swhat was learned: has several styles; draw one with toolkit.style", who);
    lua_pop(lua, 1);
    for (int i = 0; i < 4; i++) {
        sandbox_push_text(lua, parts[i]);
        lua_rawget(lua, index);
        check_table(&reading, "what was learned", parts[i]);
        if (i == 0)
            read_kinds(&reading, parts[i], OWN_TERM_NAMES, OWN_TERMS, value->weights.own[0]);
        else if (i == 1)
            read_kinds(&reading, parts[i], ENEMY_TERM_NAMES, ENEMY_TERMS, value->weights.enemy[0]);
        else if (i == 2)
            read_terms(&reading, parts[i], WHOLE_TERM_NAMES, WHOLE_TERMS, value->weights.whole);
        else
            read_habits(&reading, &value->habits);
        lua_pop(lua, 1);
    }
}

/* The list of set-ups on top of the stack. */
static void read_setups(lua_State *lua, const struct rules *rules, struct style *style) {
    if (!lua_istable(lua, -1))
        luaL_error(lua, "setups must be a list of set-ups, not %s", luaL_typename(lua, -1));
    const lua_Unsigned count = lua_rawlen(lua, -1);
    if (count > LEARNED_SETUPS_MAX)
        luaL_error(lua, "setups has more than %d set-ups", (int)LEARNED_SETUPS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        struct fault fault = {0};
        struct setup *setup = &style->setup[i];
        size_t length;
        if (lua_rawgeti(lua, -1, i + 1) != LUA_TSTRING)
            luaL_error(lua, "setups: number %d is a %s, not a text", (int)i + 1,
                       luaL_typename(lua, -1));
        const char *text = lua_tolstring(lua, -1, &length);
        if (!setup_read(rules, RED, text, length, setup, &fault) ||
            !setup_check(rules, RED, setup, &fault))
            luaL_error(lua, "setups: number %d: %s", (int)i + 1, fault.text);
        lua_pop(lua, 1);
    }
    style->setups = (uint32_t)count;
}

/* The table at `index`. */
static void read_style(lua_State *lua, int index, const struct rules *rules, struct style *style) {
    style->share = 1;
    learned_lua_value(lua, index, "", rules, &style->value);
    sandbox_push_text(lua, "setups");
    if (lua_rawget(lua, index) != LUA_TNIL) read_setups(lua, rules, style);
    lua_pop(lua, 1);
}

/* The list of styles on top of the stack. */
static void read_styles(lua_State *lua, const struct rules *rules, struct learned *learned) {
    const struct reading reading = {lua, rules, ""};
    const int list = lua_gettop(lua);
    if (!lua_istable(lua, list))
        luaL_error(lua, "styles must be a list of styles, not %s", luaL_typename(lua, list));
    const lua_Unsigned count = lua_rawlen(lua, list);
    if (count < 1 || count > LEARNED_STYLES_MAX)
        luaL_error(lua, "styles must be 1 to %d, not %d", (int)LEARNED_STYLES_MAX,
                   count > INT_MAX ? INT_MAX : (int)count);
    for (; learned->styles < count; learned->styles++) {
        struct style *style = &learned->style[learned->styles];
        char number[24];
        snprintf(number, sizeof number, "number %u", (unsigned)learned->styles + 1);
        lua_rawgeti(lua, list, (lua_Integer)learned->styles + 1);
        check_table(&reading, "styles", number);
        read_style(lua, list + 1, rules, style);
        sandbox_push_text(lua, "share");
        lua_rawget(lua, list + 1);
        style->share = (uint32_t)check_entry(&reading, "styles", "share", 1, LEARNED_SHARE_MAX);
        lua_pop(lua, 2);
    }
}

struct learned_loading {
    const struct rules *rules;
    struct learned *learned;
};

/* Reads what the file returned, argument 1. */
static int read_file_table(lua_State *lua) {
    const struct learned_loading *loading = lua_touserdata(lua, 2);
    lua_settop(lua, 1);
    if (!lua_istable(lua, 1))
        luaL_error(lua, "returns a %s, expected a table as \"ensign learn --table\" writes it",
                   luaL_typename(lua, 1));
    sandbox_push_text(lua, "move");
    if (lua_rawget(lua, 1) == LUA_TFUNCTION)
        luaL_error(lua, "is a bot, expected a table as \"ensign learn --table\" writes it");
    sandbox_push_text(lua, "styles");
    if (lua_rawget(lua, 1) != LUA_TNIL) {
        read_styles(lua, loading->rules, loading->learned);
    } else {
        read_style(lua, 1, loading->rules, &loading->learned->style[0]);
        loading->learned->styles = 1;
    }
    return 0;
}

bool learned_lua_load(const struct folders *folders, const char *path, const struct rules *rules,
                      struct learned *learned, struct fault *fault) {
    struct learned_loading loading = {rules, learned};
    struct sandbox *sandbox = sandbox_new(folders->scripts, path, SANDBOX_DEFAULTS, fault);
    if (!sandbox) return false;
    sandbox->reader = folders_reader(folders);
    memset(learned, 0, sizeof *learned);
    bool read = sandbox_run_file(sandbox, path, fault);
    if (read) {
        lua_pushcfunction(sandbox->lua, read_file_table);
        lua_insert(sandbox->lua, -2);
        lua_pushlightuserdata(sandbox->lua, &loading);
        read = sandbox_call(sandbox, 2, 0, NULL, fault);
    }
    sandbox_free(sandbox);
    if (!read && !fault->file[0]) fault_place(fault, path, 0, 0);
    return read;
}
