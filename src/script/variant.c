/* variant.c - the way from a name to rules: find the file, run it and its bases, check, compile.
 *
 * All of it happens in one protected call, so that even an error of Lua itself (its memory, say)
 * comes back as a fault, and one portion of fuel covers the whole load. What needs freeing belongs
 * to `struct loading` and is freed here in every case. */
#include "variant.h"

#include "sandbox.h"
#include "variant_check.h"
#include "variant_compile.h"
#include "variant_source.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_SLOTS = 200 }; /* more than all parts of the loader hold at once */

struct loading {
    struct variant_source source;
    struct rules *rules;
    bool loaded;
};

static int load(lua_State *lua) {
    struct loading *loading = lua_touserdata(lua, 1);
    struct variant_source *source = &loading->source;
    luaL_checkstack(lua, STACK_SLOTS, "loading a variant");
    if (!variant_source_merge(source)) return 0;
    int table = lua_gettop(lua);
    loading->loaded =
        variant_check(source, table) && variant_compile(source, table, loading->rules);
    return 0;
}

/* NAME of NAME.lua or NAME/init.lua. */
static void name_from_path(const char *path, char name[WORD_MAX]) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *end;
    if (strcmp(start, "init.lua") == 0 && slash) {
        end = slash;
        for (start = end; start > path && start[-1] != '/'; start--) {}
    } else {
        end = strrchr(start, '.');
        if (!end || strcmp(end, ".lua") != 0) end = start + strlen(start);
    }
    snprintf(name, WORD_MAX, "%.*s", (int)(end - start), start);
}

static struct rules *run(struct loading *loading, const struct folders *folders,
                         struct fault *fault) {
    struct variant_source *source = &loading->source;
    struct fault ignored;
    if (!fault) fault = &ignored;
    memset(fault, 0, sizeof *fault);
    source->folders = folders;
    source->fault = fault;
    source->count = 1;
    source->sandbox = sandbox_new(folders->scripts, source->file[0].path, SANDBOX_DEFAULTS, fault);
    loading->rules = rules_new();
    if (source->sandbox && loading->rules) {
        lua_State *lua = source->lua = source->sandbox->lua;
        name_from_path(source->file[0].path, loading->rules->name);
        lua_pushcfunction(lua, load);
        lua_pushlightuserdata(lua, loading);
        if (!sandbox_call(source->sandbox, 1, 0, NULL, fault)) loading->loaded = false;
        if (!loading->loaded && !fault->file[0]) fault_place(fault, source->file[0].path, 0, 0);
    } else if (source->sandbox) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for rules");
    }
    struct rules *rules = loading->rules;
    if (!loading->loaded) {
        rules_free(rules);
        rules = NULL;
    }
    sandbox_free(source->sandbox);
    variant_source_clear(source);
    free(loading);
    return rules;
}

struct rules *variant_load(const struct folders *folders, const char *name, struct fault *fault) {
    struct loading *loading = calloc(1, sizeof *loading);
    if (!loading) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory to load a variant");
        return NULL;
    }
    struct variant_file *file = &loading->source.file[0];
    if (!folders_resolve(folders, FOLDER_VARIANTS, name, file->path, fault) ||
        !variant_file_read(file, fault)) {
        free(file->text);
        free(loading);
        return NULL;
    }
    return run(loading, folders, fault);
}

struct rules *variant_load_text(const struct folders *folders, const char *path, const char *text,
                                size_t length, struct fault *fault) {
    struct loading *loading = calloc(1, sizeof *loading);
    struct variant_file *file = loading ? &loading->source.file[0] : NULL;
    if (file) file->text = malloc(length + 1);
    if (!file || !file->text) {
        free(loading);
        fault_set(fault, STATUS_NO_MEMORY, "no memory to load a variant");
        return NULL;
    }
    memcpy(file->text, text, length);
    file->text[length] = 0;
    file->length = length;
    snprintf(file->path, sizeof file->path, "%s", path);
    return run(loading, folders, fault);
}
