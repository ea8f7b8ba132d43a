/* metamethods.c - disables three metamethods in the Lua library.
 *
 * When a state is made Lua interns the name of each metamethod and keeps the pointer; a metamethod
 * is found by that pointer, never by its text. Here the text of three of these strings is changed
 * in place, right after lua_newstate(). A script that writes "__mode" then gets a new string with
 * another address, which the collector does not look for. Nothing has to be checked when a field
 * of a metatable is set, so classes are filled in any order and method calls cost what they did.
 *
 * This writes to memory that the API declares const. C allows it, since the block is our
 * allocator's; Lua's manual does not. The risks and safeguards:
 *
 * - Strings are looked up by bucket, length and bytes; the bucket comes from the low bits of the
 *   hash stored at creation. The new text is chosen so that its own hash gives another bucket, so
 *   no later string of that text is ever this one. The string table has its least size here, and
 *   strings in different buckets stay apart when it grows.
 * - Lua remembers strings that C code has pushed, by the address of the C text, and compares with
 *   strcmp(). The new text is no UTF-8 and begins with no letter: our code pushes nothing like it.
 * - luaL_Buffer keeps what does not fit into it in a box that relies on __gc and __close. Its
 *   metatable is made when first needed and found by its name afterwards; it is made here, while
 *   the names still are Lua's own, and so keeps working.
 * - Another Lua library may differ in all this. metamethods_proved() tries it out; if it fails,
 *   sandbox_new() refuses. */
#include "metamethods.h"

#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"__gc", "__close", "__mode"};
enum { NAME_COUNT = sizeof NAMES / sizeof NAMES[0], LONGEST = 8, BOX_BYTES = 1 << 16 };

/* Makes the metatable of boxes, with a buffer that outgrows the stack. */
static void make_boxes(lua_State *lua) {
    luaL_Buffer buffer;
    luaL_buffinitsize(lua, &buffer, BOX_BYTES);
    luaL_pushresultsize(&buffer, 0);
    lua_pop(lua, 1);
}

/* Changes the text of the interned string `name`. */
static bool name_mute(lua_State *lua, const char *name) {
    size_t length = strlen(name);
    char text[LONGEST];
    memcpy(text, name, length);
    lua_pushlstring(lua, name, length);
    const char *interned = lua_tostring(lua, -1);
    char *bytes = (char *)(uintptr_t)interned;
    bool apart = false;
    for (int first = 0xff; first >= 0x80 && !apart; first--) {
        text[0] = bytes[0] = (char)first;
        lua_pushlstring(lua, text, length);
        apart = lua_tostring(lua, -1) != interned;
        lua_pop(lua, 1);
    }
    lua_pushlstring(lua, name, length);
    apart = apart && lua_tostring(lua, -1) != interned;
    lua_pop(lua, 2);
    return apart;
}

bool metamethods_mute(lua_State *lua) {
    bool muted = true;
    make_boxes(lua);
    for (int i = 0; i < NAME_COUNT; i++) muted &= name_mute(lua, NAMES[i]);
    return muted;
}

/* The proof counts memory and calls of the metamethods; there must be none. */
struct metamethod_trial {
    size_t used;
    int calls;
};

static void *trial_allocate(void *context, void *block, size_t old_size, size_t new_size) {
    struct metamethod_trial *trial = context;
    if (!block) old_size = 0;
    if (new_size == 0) {
        free(block);
        trial->used -= old_size;
        return NULL;
    }
    void *fresh = realloc(block, new_size);
    if (fresh) trial->used += new_size - old_size;
    return fresh;
}

static int count_call(lua_State *lua) {
    struct metamethod_trial *trial = lua_touserdata(lua, lua_upvalueindex(1));
    trial->calls++;
    return 0;
}

/* Fails while it fills a buffer that lies in a box. */
static int fail_in_box(lua_State *lua) {
    luaL_Buffer buffer;
    luaL_buffinitsize(lua, &buffer, BOX_BYTES);
    return luaL_error(lua, "in the middle");
}

/* Fields are set before and after setmetatable(); a weak table would lose its entries. */
static const char TRIAL[] =
    "local function fill(m) m.__gc, m.__close, m.__mode = count, count, 'kv' return m end\n"
    "local m, late = {}, nil\n"
    "local early = setmetatable({}, fill({}))\n"
    "late = setmetatable({}, m)\n"
    "fill(m)\n"
    "early[1], early[{}], late[1], late[{}] = {}, 1, {}, 1\n"
    "setmetatable({}, fill({}))\n"
    "collectgarbage()\n"
    "for _, t in ipairs({ early, late }) do\n"
    "  local entries = 0\n"
    "  for _ in pairs(t) do entries = entries + 1 end\n"
    "  assert(entries == 2)\n"
    "end\n"
    "assert(not pcall(function() local x <close> = early end))\n"
    "assert(not pcall(fail_in_box))\n"
    "collectgarbage()\n";

static int try_out(lua_State *lua) {
    struct metamethod_trial *trial = lua_touserdata(lua, 1);
    if (!metamethods_mute(lua)) return luaL_error(lua, "the names are still Lua's own");
    luaL_requiref(lua, LUA_GNAME, luaopen_base, 1);
    lua_pushlightuserdata(lua, trial);
    lua_pushcclosure(lua, count_call, 1);
    lua_setglobal(lua, "count");
    lua_pushcfunction(lua, fail_in_box);
    lua_setglobal(lua, "fail_in_box");
    if (luaL_loadstring(lua, TRIAL) != LUA_OK) return lua_error(lua);
    size_t before = trial->used;
    lua_call(lua, 0, 0);
    if (trial->used > before + BOX_BYTES / 2) return luaL_error(lua, "a box was not freed");
    return 0;
}

static bool proved;

static void metamethods_prove(void) {
    struct metamethod_trial trial = {0};
    lua_State *lua = lua_newstate(trial_allocate, &trial);
    if (!lua) return;
    lua_pushcfunction(lua, try_out);
    lua_pushlightuserdata(lua, &trial);
    bool held = lua_pcall(lua, 1, 0, 0) == LUA_OK;
    lua_close(lua);
    proved = held && trial.calls == 0 && trial.used == 0;
}

bool metamethods_proved(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, metamethods_prove);
    return proved;
}
