/* hint.c - reads messages of the interpreter, and the variables that the failing function can see.
 *
 * The walk of globals has no order, so the nearest word is chosen regardless of it. */
#include "hint.h"

#include "base/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What Lua has elsewhere and scripts look for. */
static const char *const ABSENT[] = {
    "io",      "os",        "debug",      "load", "loadfile",       "loadstring",
    "dofile",  "coroutine", "package",    "warn", "collectgarbage", "unpack",
    "setfenv", "getfenv",   "table_getn", "bit",  "bit32",          "jit",
    "ffi"};

static bool is_absent(const char *name) {
    for (size_t i = 0; i < sizeof ABSENT / sizeof *ABSENT; i++)
        if (!strcmp(name, ABSENT[i])) return true;
    return false;
}

/* Offers local variables, upvalues and globals of the innermost Lua function. */
static void offer_variables(lua_State *lua, struct word_guess *guess) {
    lua_Debug record;
    const char *name;
    int level = 0;
    for (; lua_getstack(lua, level, &record); level++)
        if (lua_getinfo(lua, "l", &record) && record.currentline > 0) break;
    if (!lua_getstack(lua, level, &record) || !lua_checkstack(lua, 4)) return;
    for (int i = 1; (name = lua_getlocal(lua, &record, i)); i++, lua_pop(lua, 1))
        if (name[0] != '(') word_offer_any(guess, name);
    lua_getinfo(lua, "f", &record);
    for (int i = 1; (name = lua_getupvalue(lua, -1, i)); i++, lua_pop(lua, 1))
        word_offer_any(guess, name);
    lua_pop(lua, 1);
    lua_pushglobaltable(lua);
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1))
        if (lua_type(lua, -2) == LUA_TSTRING) word_offer_any(guess, lua_tostring(lua, -2));
    lua_pop(lua, 1);
}

static void hint_at_global(lua_State *lua, const char *name, char out[HINT_MAX]) {
    struct word_guess guess = word_guess_for(name);
    char hint[WORD_HINT_MAX];
    if (is_absent(name)) {
        snprintf(
            out, HINT_MAX,
            "; scripts have no %s (variants/REFERENCE.md#the-lua-library lists what they have)",
            name);
        return;
    }
    offer_variables(lua, &guess);
    snprintf(out, HINT_MAX, "%s",
             guess.best[0] ? word_hint(&guess, hint) : "; no variable of this name is set here");
}

void hint_for(lua_State *lua, const char *message, char out[HINT_MAX]) {
    static const char opening[] = "a nil value (global '";
    const char *at = strstr(message, opening), *end = at ? strstr(at, "')") : NULL;
    char name[WORD_GUESS_MAX];
    out[0] = 0;
    if (!strstr(message, "attempt to ")) return;
    if (end) {
        snprintf(name, sizeof name, "%.*s", (int)(end - at - (long)strlen(opening)),
                 at + strlen(opening));
        hint_at_global(lua, name, out);
    } else if (strstr(message, "a function value") || strstr(message, "with function") ||
               strstr(message, "function with") || strstr(message, "two function values")) {
        snprintf(out, HINT_MAX, "; a method is called with a colon and parentheses: view:fuel()");
    }
}
