/* script_kind.c - tells bots from variants by the keys of the table that a file returns. */
#include "script_kind.h"

#include "lua/sandbox.h"
#include "variant_format.h"

#include <string.h>

static bool has_key(lua_State *lua, const char *key, int *type) {
    sandbox_push_text(lua, key);
    *type = lua_rawget(lua, -2);
    lua_pop(lua, 1);
    return *type != LUA_TNIL;
}

/* The kind of the file that returned the value on top of the stack. */
static enum script_kind kind_of_value(lua_State *lua) {
    static const char *const callbacks[] = {"move", "setup", "start", "observe", "finish"};
    int type;
    if (!lua_istable(lua, -1)) return SCRIPT_VARIANT;
    for (size_t i = 0; i < sizeof callbacks / sizeof callbacks[0]; i++)
        if (has_key(lua, callbacks[i], &type) && type == LUA_TFUNCTION) return SCRIPT_BOT;
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++) {
        bool shared = !strcmp(field->key, "api") || !strcmp(field->key, "title");
        if (!field->table[0] && !shared && has_key(lua, field->key, &type)) return SCRIPT_VARIANT;
    }
    return SCRIPT_BOT;
}

enum script_kind script_kind(const struct folders *folders, const char *path, struct fault *fault) {
    struct sandbox *sandbox = sandbox_new(folders->scripts, path, SANDBOX_DEFAULTS, fault);
    if (!sandbox) return SCRIPT_BROKEN;
    sandbox->reader = folders_reader(folders);
    enum script_kind kind = SCRIPT_BROKEN;
    if (sandbox_run_file(sandbox, path, fault)) kind = kind_of_value(sandbox->lua);
    sandbox_free(sandbox);
    return kind;
}
