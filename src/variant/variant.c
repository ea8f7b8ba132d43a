/* variant.c - from a name to rules: find the file, run it and its bases, check, compile.
 *
 * All of it runs in one protected call, so that an error inside Lua, such as running out of memory,
 * becomes a fault, and one portion of fuel covers the whole load. `struct variant_loading` owns
 * everything that needs freeing. */
#include "variant.h"

#include "base/paths.h"
#include "lua/sandbox.h"
#include "position_lua.h"
#include "variant_calls.h"
#include "variant_check.h"
#include "variant_compile.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_SLOTS = 200 }; /* more than the loader ever uses at once */

struct variant_loading {
    struct variant_source source;
    struct keeper keeper; /* the files that scripts require */
    struct rules *rules;
    struct claims *claims; /* may be NULL */
    bool loaded;
};

static int load_in_lua(lua_State *lua) {
    struct variant_loading *loading = lua_touserdata(lua, 1);
    struct variant_source *source = &loading->source;
    luaL_checkstack(lua, STACK_SLOTS, "loading a variant");
    if (!variant_source_merge(source)) return 0;
    bool fits = variant_check(source, source->table);
    if (faults_about(source->faults, "extends")) return 0; /* the rest may be inherited */
    loading->loaded = variant_compile(source, source->table, loading->rules) && fits;
    if (loading->loaded && loading->claims) variant_tests_read(source, loading->claims);
    return 0;
}

/* Loads the file whose path and text are in `loading`; frees `loading`. */
static struct rules *load_variant_file(struct variant_loading *loading,
                                       const struct folders *folders, struct faults *faults,
                                       struct claims *claims) {
    struct variant_source *source = &loading->source;
    const char *path = source->file[0].path;
    struct fault fault = {0};
    source->folders = folders;
    source->faults = faults;
    source->count = 1;
    loading->claims = claims;
    source->sandbox = sandbox_new(folders->scripts, path, SANDBOX_DEFAULTS, &fault);
    loading->rules = rules_new();
    bool ran = false;
    if (source->sandbox && loading->rules) {
        lua_State *lua = source->lua = source->sandbox->lua;
        keeper_open(&loading->keeper, folders_reader(folders));
        source->sandbox->reader = &loading->keeper.reader;
        if (folders->watch) source->sandbox->watch = *folders->watch;
        if (folders->watch && folders->watch->log) folders->watch->log->show = position_lua_show;
        path_script_name(path, loading->rules->name, WORD_MAX);
        lua_pushcfunction(lua, load_in_lua);
        lua_pushlightuserdata(lua, loading);
        ran = sandbox_call(source->sandbox, 1, 0, NULL, &fault);
    } else if (source->sandbox) {
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for rules");
    }
    if (!ran) {
        if (!fault.file[0]) fault_place(&fault, path, 0, 0);
        faults_add(faults, &fault);
    }
    struct rules *rules = loading->rules;
    if (ran && loading->loaded && rules->calls &&
        !variant_calls_adopt(rules, source, &loading->keeper)) {
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for a Lua state");
        faults_add(faults, &fault);
        ran = false;
    }
    if (!ran || !loading->loaded) {
        rules_free(rules);
        rules = NULL;
    }
    faults_sort(faults, path);
    sandbox_free(source->sandbox);
    keeper_clear(&loading->keeper);
    variant_source_clear(source);
    free(loading);
    return rules;
}

static struct variant_loading *loading_new(struct fault *fault) {
    struct variant_loading *loading = calloc(1, sizeof *loading);
    if (!loading) fault_set(fault, STATUS_NO_MEMORY, "no memory to load a variant");
    return loading;
}

struct rules *variant_examine(const struct folders *folders, const char *name,
                              struct faults *faults, struct claims *claims) {
    if (claims) *claims = (struct claims){0};
    struct fault fault = {0};
    struct variant_loading *loading = loading_new(&fault);
    if (loading &&
        folders_resolve(folders, FOLDER_VARIANTS, name, loading->source.file[0].path, &fault) &&
        variant_file_read(&loading->source.file[0], folders_reader(folders), &fault))
        return load_variant_file(loading, folders, faults, claims);
    if (loading) free(loading->source.file[0].text);
    free(loading);
    faults_add(faults, &fault);
    return NULL;
}

struct rules *variant_examine_text(const struct folders *folders, const char *path,
                                   const char *text, size_t length, struct faults *faults,
                                   struct claims *claims) {
    if (claims) *claims = (struct claims){0};
    struct fault fault = {0};
    struct variant_loading *loading = loading_new(&fault);
    struct variant_file *file = loading ? &loading->source.file[0] : NULL;
    if (file) file->text = malloc(length + 1);
    if (!file || !file->text) {
        free(loading);
        fault_set(&fault, STATUS_NO_MEMORY, "no memory to load a variant");
        faults_add(faults, &fault);
        return NULL;
    }
    memcpy(file->text, text, length);
    file->text[length] = 0;
    file->length = length;
    snprintf(file->path, sizeof file->path, "%s", path);
    return load_variant_file(loading, folders, faults, claims);
}

/* The list for a caller that wants only the first fault. */
static struct faults *new_faults(struct fault *fault) {
    struct faults *faults = faults_new();
    if (!faults) fault_set(fault, STATUS_NO_MEMORY, "no memory to load a variant");
    return faults;
}

static struct rules *take_first_fault(struct rules *rules, struct faults *faults,
                                      struct fault *fault) {
    const struct fault *first = faults_first(faults);
    if (fault && first) *fault = *first;
    free(faults);
    return rules;
}

struct rules *variant_load(const struct folders *folders, const char *name, struct fault *fault) {
    struct faults *faults = new_faults(fault);
    if (!faults) return NULL;
    return take_first_fault(variant_examine(folders, name, faults, NULL), faults, fault);
}

struct rules *variant_load_text(const struct folders *folders, const char *path, const char *text,
                                size_t length, struct fault *fault) {
    struct faults *faults = new_faults(fault);
    if (!faults) return NULL;
    return take_first_fault(variant_examine_text(folders, path, text, length, faults, NULL), faults,
                            fault);
}
