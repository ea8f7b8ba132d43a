/* bot_file.c - reads the table that a bot's file returns.
 *
 * Every key is known, so that a misspelt one is found. */
#include "bot_file.h"

#include "base/fault.h"
#include "base/utf8.h"
#include "base/words.h"
#include "lua/sandbox.h"
#include "lua/walk.h"

#include <lauxlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const BOT_CALLBACK_NAMES[BOT_CALLBACKS] = {"setup",    "start",   "move",  "explain",
                                                       "appraise", "observe", "finish"};
static const char *const KEYS[] = {"api",  "title",   "about",    "level",   "setup", "start",
                                   "move", "explain", "appraise", "observe", "finish"};
const char *const BOT_LEVELS[LEVEL_COUNT] = {"beginner", "easy",   "medium",      "hard",
                                             "expert",   "master", "grandmaster", NULL};
enum { KEY_COUNT = sizeof KEYS / sizeof *KEYS, BOT_API = 1, KEY_COST = 20 };

const char *bot_level_name(enum bot_level level) {
    return level == LEVEL_NONE ? "" : BOT_LEVELS[level - LEVEL_BEGINNER];
}

/* The file being read. */
struct reading {
    lua_State *lua;
    struct bot_file *file;
    struct faults *faults; /* NULL: the first fault is raised */
};

static bool is_key(const char *name) {
    for (int i = 0; i < KEY_COUNT; i++)
        if (strcmp(name, KEYS[i]) == 0) return true;
    return false;
}

/* Adds a fault of the table to the list, or raises it if there is no list. */
__attribute__((format(printf, 3, 4))) static void refuse_file(const struct reading *reading,
                                                              const char *key, const char *format,
                                                              ...) {
    struct fault fault = {0};
    va_list args;
    va_start(args, format);
    fault_setv(&fault, STATUS_SCRIPT, format, args);
    va_end(args);
    if (!reading->faults) luaL_error(reading->lua, "%s", fault.text);
    if (key[0] && faults_about(reading->faults, key)) return;
    struct remark *remark = faults_add(reading->faults, &fault);
    remark_explain(remark, "bots/REFERENCE.md#keys");
    snprintf(remark->key, sizeof remark->key, "%s", key);
}

static void refuse_key(const struct reading *reading, const char *name) {
    struct faults *faults = reading->faults;
    if (faults && faults_full(faults)) {
        faults_miss(faults);
        return;
    }
    struct word_guess guess = word_guess_for(name);
    char hint[WORD_HINT_MAX];
    for (int i = 0; i < KEY_COUNT; i++) word_offer(&guess, KEYS[i]);
    refuse_file(reading, name,
                "unknown key '%s'%s; a bot has api, title, about, level, setup, start, move, "
                "explain, appraise, observe and finish",
                name, word_hint(&guess, hint));
    if (!faults || !guess.best[0]) return;
    struct remark *remark = &faults->list[faults->count - 1];
    snprintf(remark->meant, sizeof remark->meant, "%s", guess.best);
}

/* Checks the keys of the table in sorted order, so that faults always come in the same order. */
static void check_bot_keys(const struct reading *reading) {
    lua_State *lua = reading->lua;
    int odd = LUA_TNONE; /* the lowest type of keys that are not strings */
    struct walk walk;
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        int type = lua_type(lua, -2);
        sandbox_charge(lua, 1);
        if (type != LUA_TSTRING && (odd == LUA_TNONE || type < odd)) odd = type;
    }
    if (odd != LUA_TNONE) {
        refuse_file(reading, "", "a key of the bot's table is a %s, expected a name",
                    lua_typename(lua, odd));
        return;
    }
    walk_start(lua, &walk, 1);
    while (walk_step(lua, &walk)) {
        const char *name = lua_tostring(lua, -2);
        sandbox_charge(lua, KEY_COST);
        if (!is_key(name)) refuse_key(reading, name);
    }
}

static int push_field(const struct reading *reading, const char *key) {
    sandbox_push_text(reading->lua, key);
    return lua_rawget(reading->lua, 1);
}

static void read_api(const struct reading *reading) {
    lua_State *lua = reading->lua;
    if (push_field(reading, "api") == LUA_TNIL)
        refuse_file(reading, "api", "api is missing; expected api = %d", BOT_API);
    else if (lua_type(lua, -1) != LUA_TNUMBER || lua_tonumber(lua, -1) != BOT_API)
        refuse_file(reading, "api", "api is %s, expected %d", sandbox_tostring(lua, -1), BOT_API);
}

/* A line of text; left empty if the file gives none. */
static void read_line(const struct reading *reading, const char *key, char *out, size_t size) {
    lua_State *lua = reading->lua;
    int type = push_field(reading, key);
    char reason[UTF8_REASON_MAX];
    if (type == LUA_TNIL) return;
    if (type != LUA_TSTRING)
        refuse_file(reading, key, "%s is a %s, expected a text", key, luaL_typename(lua, -1));
    else if (utf8_reason(lua_tostring(lua, -1), lua_rawlen(lua, -1), size - 1, reason))
        refuse_file(reading, key, "%s: %s", key, reason);
    else
        snprintf(out, size, "%s", lua_tostring(lua, -1));
}

static void read_level(const struct reading *reading) {
    lua_State *lua = reading->lua;
    if (push_field(reading, "level") == LUA_TNIL) return;
    const char *word = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    struct word_guess guess = word_guess_for(word ? word : "");
    char hint[WORD_HINT_MAX];
    for (int level = LEVEL_BEGINNER; word && level < LEVEL_COUNT; level++) {
        if (!strcmp(word, bot_level_name((enum bot_level)level))) {
            reading->file->card.level = (enum bot_level)level;
            return;
        }
        word_offer(&guess, bot_level_name((enum bot_level)level));
    }
    refuse_file(reading, "level",
                "level is %s%s%s%s; expected \"beginner\", \"easy\", \"medium\", "
                "\"hard\", \"expert\", \"master\" or \"grandmaster\"",
                word ? "\"" : "", sandbox_tostring(lua, -1), word ? "\"" : "",
                word ? word_hint(&guess, hint) : "");
}

/* Notes where the function on top of the stack begins; one of the library has no place. */
static void note_place(lua_State *lua, struct bot_place *place) {
    lua_Debug record;
    lua_pushvalue(lua, -1);
    lua_getinfo(lua, ">S", &record);
    if (record.source[0] != '@' || record.linedefined <= 0) return;
    snprintf(place->file, sizeof place->file, "%s", sandbox_path(sandbox_of(lua), record.source));
    place->line = record.linedefined;
}

static void read_callbacks(const struct reading *reading) {
    lua_State *lua = reading->lua;
    for (int i = 0; i < BOT_CALLBACKS; i++) {
        const char *name = BOT_CALLBACK_NAMES[i];
        int type = push_field(reading, name);
        if (type == LUA_TFUNCTION) {
            note_place(lua, &reading->file->place[i]);
            reading->file->ref[i] = luaL_ref(lua, LUA_REGISTRYINDEX);
        } else if (type != LUA_TNIL)
            refuse_file(reading, name, "%s is a %s, expected a function", name,
                        luaL_typename(lua, -1));
        else if (i == BOT_MOVE)
            refuse_file(reading, name, "move is missing; expected function bot.move(view)");
    }
    reading->file->card.appraises = reading->file->ref[BOT_APPRAISE] != LUA_NOREF;
}

void bot_file_read(lua_State *lua, struct bot_file *file, struct faults *faults) {
    const struct reading reading = {lua, file, faults};
    if (lua_type(lua, 1) != LUA_TTABLE) {
        refuse_file(&reading, "",
                    "a bot's file must return a table, not %s; end it with \"return bot\"",
                    luaL_typename(lua, 1));
        return;
    }
    check_bot_keys(&reading);
    read_api(&reading);
    read_line(&reading, "title", file->card.title, sizeof file->card.title);
    read_line(&reading, "about", file->card.about, sizeof file->card.about);
    read_level(&reading);
    read_callbacks(&reading);
}
