/* variant_source.c - reads a chain of files and merges their tables.
 *
 * A table that only one file has is not copied. So kinds that share a table in Lua still share it
 * after the merge, and with it their movement or the limit of their ability. The registry keeps a
 * list of the original tables, to find the file that an entry comes from. */
#include "variant_source.h"

#include "base/paths.h"
#include "lua/source_map.h"
#include "variant_format.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NESTING_MAX = 12, MERGE_COST = 10 /* fuel to merge an entry */ };

static const char RAW; /* registry key of the list of the files' tables */

const char *variant_value(lua_State *lua, int index, char out[VALUE_TEXT_MAX]) {
    switch (lua_type(lua, index)) {
    case LUA_TSTRING: {
        const char *text = lua_tostring(lua, index);
        snprintf(out, VALUE_TEXT_MAX, strlen(text) > 40 ? "\"%.40s…\"" : "\"%s\"", text);
        break;
    }
    case LUA_TNUMBER:
        if (lua_isinteger(lua, index))
            snprintf(out, VALUE_TEXT_MAX, "%lld", (long long)lua_tointeger(lua, index));
        else
            snprintf(out, VALUE_TEXT_MAX, "%.14g", lua_tonumber(lua, index));
        break;
    case LUA_TBOOLEAN:
        snprintf(out, VALUE_TEXT_MAX, "%s", lua_toboolean(lua, index) ? "true" : "false");
        break;
    case LUA_TNIL:
        snprintf(out, VALUE_TEXT_MAX, "nil");
        break;
    default:
        snprintf(out, VALUE_TEXT_MAX, "a %s", luaL_typename(lua, index));
    }
    return out;
}

int variant_get(lua_State *lua, int table, const char *key) {
    lua_pushvalue(lua, table);
    while (*key) {
        size_t part = strcspn(key, ".[");
        if (lua_type(lua, -1) != LUA_TTABLE) {
            lua_pop(lua, 1);
            lua_pushnil(lua);
            break;
        }
        if (*key == '[') {
            char *end;
            lua_pushinteger(lua, strtol(key + 1, &end, 10));
            part = (size_t)(end - key) + (*end == ']');
        } else {
            lua_pushlstring(lua, key, part);
        }
        lua_rawget(lua, -2);
        lua_remove(lua, -2);
        key += part + (key[part] == '.');
    }
    return lua_type(lua, -1);
}

static void place_in(const struct variant_source *source, int index, const char *key,
                     struct fault *fault) {
    const struct variant_file *file = &source->file[index];
    struct source_place place = source_map_find(file->text, file->length, key);
    fault_place(fault, file->path, place.line ? place.line : 1, place.column);
}

/* Not inherited: these keys describe the extended file or game, and this one differs from it. */
static const char *const OWN[] = {"api", "title", "edition", "names", "tests"};
enum { OWN_COUNT = sizeof OWN / sizeof OWN[0] };

static bool is_own(const char *key) {
    size_t part = strcspn(key, ".[");
    for (int i = 0; i < OWN_COUNT; i++)
        if (strlen(OWN[i]) == part && strncmp(OWN[i], key, part) == 0) return true;
    return false;
}

int variant_origin(struct variant_source *source, const char *key) {
    lua_State *lua = source->lua;
    if (is_own(key)) return 0;
    char part[VARIANT_KEY_MAX];
    snprintf(part, sizeof part, "%s", key);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &RAW);
    int found = 0;
    while (part[0]) {
        bool any = false;
        for (int i = 0; i < source->count && !any; i++) {
            lua_rawgeti(lua, -1, i + 1);
            any = variant_get(lua, lua_gettop(lua), part) != LUA_TNIL;
            lua_pop(lua, 2);
            if (any) found = i;
        }
        size_t end = strlen(part);
        while (end > 0 && part[end] != '.' && part[end] != '[') end--;
        if (any || end == 0) break;
        part[end] = 0;
    }
    lua_pop(lua, 1);
    return found;
}

void variant_place(struct variant_source *source, const char *key, struct fault *fault) {
    place_in(source, variant_origin(source, key), key, fault);
}

/* Adds a fault about `key` whether or not it follows from another. */
static void add_fault(struct variant_source *source, const char *key, const struct fault *fault) {
    struct remark *remark = faults_add(source->faults, fault);
    const struct variant_field *field = variant_field_of(key);
    snprintf(remark->key, sizeof remark->key, "%s", key);
    remark_explain(remark, variant_page(key));
    if (field) variant_field_expected(field, remark->expected);
    if (!source->table) return;
    int type = variant_get(source->lua, source->table, key);
    if (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN)
        variant_value(source->lua, -1, remark->value);
    lua_pop(source->lua, 1);
}

bool variant_refuse_fault(struct variant_source *source, const char *key,
                          const struct fault *fault) {
    if (source->stopped) return false;
    if (faults_full(source->faults)) {
        faults_miss(source->faults);
        return false;
    }
    if (faults_about(source->faults, key)) return false;
    struct fault placed = *fault;
    if (!placed.file[0]) variant_place(source, key, &placed);
    add_fault(source, key, &placed);
    return false;
}

bool variant_refuse(struct variant_source *source, const char *key, const char *format, ...) {
    struct fault fault = {0};
    va_list args;
    va_start(args, format);
    fault_setv(&fault, STATUS_RULES, format, args);
    va_end(args);
    return variant_refuse_fault(source, key, &fault);
}

/* Refuses the `extends` of the last file. */
__attribute__((format(printf, 3, 4))) static bool refuse_extends(struct variant_source *source,
                                                                 enum status status,
                                                                 const char *format, ...) {
    struct fault fault = {0};
    va_list args;
    va_start(args, format);
    fault_setv(&fault, status, format, args);
    va_end(args);
    place_in(source, source->count - 1, "extends", &fault);
    add_fault(source, "extends", &fault);
    return false;
}

bool variant_file_read(struct variant_file *file, const struct reader *reader,
                       struct fault *fault) {
    long size = reader->size(reader->context, file->path), got = -1;
    if (size > READER_FILE_MAX) {
        fault_set(fault, STATUS_TEXT, "is larger than the 1 MiB that a script may have");
    } else {
        file->text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (file->text) got = reader->read(reader->context, file->path, file->text, (size_t)size);
        if (got < 0) fault_set(fault, STATUS_NOT_FOUND, "cannot be read");
    }
    if (got < 0) {
        fault_place(fault, file->path, 0, 0);
        return false;
    }
    file->length = (size_t)got;
    file->text[got] = 0;
    return true;
}

/* Finds the file that the last file extends as `name`: a name is looked up beside that file, then
 * on the search path; a path is relative to that file. */
static bool find_base(struct variant_source *source, const char *name, char *path) {
    const char *own = source->sandbox->own;
    bool is_path = path_is_meant(name, ".lua");
    char beside[2 * FOLDER_PATH_MAX];
    struct fault ignored = {0};
    while (strncmp(name, "./", 2) == 0) name += 2; /* one path for a file: see check_cycle() */
    if (is_path)
        snprintf(beside, sizeof beside, "%s%s%s", name[0] == '/' ? "" : own,
                 name[0] == '/' ? "" : "/", name);
    else
        snprintf(beside, sizeof beside, "%s/%s.lua", own, name);
    if (folders_resolve(source->folders, FOLDER_VARIANTS, beside, path, &ignored)) return true;
    struct fault fault = {0};
    if (!is_path && folders_resolve(source->folders, FOLDER_VARIANTS, name, path, &fault))
        return true;
    return refuse_extends(source, STATUS_NOT_FOUND, "extends: %s",
                          is_path ? ignored.text : fault.text);
}

/* Refuses a file that is already in the chain. A circle through different paths to one file
 * ends at CHAIN_MAX. */
static bool check_cycle(struct variant_source *source, const char *path) {
    bool again = false;
    for (int i = 0; i < source->count && !again; i++)
        again = strcmp(source->file[i].path, path) == 0;
    if (!again) return true;
    char chain[480];
    size_t used = 0;
    for (int i = 0; i < source->count && used < sizeof chain; i++)
        used += (size_t)snprintf(chain + used, sizeof chain - used, "%s -> ", source->file[i].path);
    return refuse_extends(source, STATUS_RULES, "extends goes in a circle: %s%s", chain, path);
}

/* Runs a file and adds its table to the list at index `list`. */
static bool run_file(struct variant_source *source, int index, int list) {
    lua_State *lua = source->lua;
    const struct variant_file *file = &source->file[index];
    struct fault fault = {0};
    if (!sandbox_run_text(source->sandbox, file->path, file->text, file->length, &fault)) {
        add_fault(source, "", &fault);
        return false;
    }
    if (lua_type(lua, -1) != LUA_TTABLE) {
        char value[VALUE_TEXT_MAX];
        fault_set(&fault, STATUS_RULES, "the file returns %s, expected a table",
                  variant_value(lua, -1, value));
        place_in(source, index, "", &fault);
        add_fault(source, "", &fault);
        return false;
    }
    lua_rawseti(lua, list, index + 1);
    return true;
}

/* Finds the file that the last one extends; an empty path if it extends none. */
static bool next_base(struct variant_source *source, int list, char *path) {
    lua_State *lua = source->lua;
    char value[VALUE_TEXT_MAX];
    path[0] = 0;
    lua_rawgeti(lua, list, source->count);
    int type = variant_get(lua, lua_gettop(lua), "extends");
    if (type == LUA_TNIL) {
        lua_pop(lua, 2);
        return true;
    }
    if (type != LUA_TSTRING)
        return refuse_extends(source, STATUS_RULES, "extends is %s, expected the name of a variant",
                              variant_value(lua, -1, value));
    if (!find_base(source, lua_tostring(lua, -1), path)) return false;
    lua_pop(lua, 2);
    if (!check_cycle(source, path)) return false;
    if (source->count == CHAIN_MAX)
        return refuse_extends(source, STATUS_RULES, "extends: a chain of more than %d files",
                              CHAIN_MAX);
    return true;
}

/* Does the table at `index` have a string key? */
static bool has_names(lua_State *lua, int index) {
    lua_pushnil(lua);
    while (lua_next(lua, index)) {
        lua_pop(lua, 1);
        sandbox_charge(lua, 1);
        if (lua_type(lua, -1) == LUA_TSTRING) {
            lua_pop(lua, 1);
            return true;
        }
    }
    return false;
}

/* Merges the table on top into the one below and replaces both with the result. Tables with names
 * merge; lists and all other values are replaced. */
static void merge(lua_State *lua, int depth) {
    int over = lua_gettop(lua), base = over - 1;
    luaL_checkstack(lua, 8, "merging");
    if (depth > NESTING_MAX) luaL_error(lua, "tables are nested more than %d deep", NESTING_MAX);
    lua_newtable(lua);
    lua_pushnil(lua);
    while (lua_next(lua, base)) {
        sandbox_charge(lua, MERGE_COST);
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, over + 1);
    }
    lua_pushnil(lua);
    while (lua_next(lua, over)) {
        sandbox_charge(lua, MERGE_COST);
        lua_pushvalue(lua, -2);
        lua_rawget(lua, base); /* key, new value, old value */
        bool both = lua_type(lua, -1) == LUA_TTABLE && lua_type(lua, -2) == LUA_TTABLE &&
                    lua_rawlen(lua, -2) == 0 && has_names(lua, lua_gettop(lua));
        lua_insert(lua, -2); /* key, old, new */
        if (both)
            merge(lua, depth + 1);
        else
            lua_remove(lua, -2);
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, over + 1);
    }
    lua_replace(lua, base);
    lua_settop(lua, base);
}

/* Runs the first file and all that it extends; adds their tables to the list at index `list`. */
static bool run_chain(struct variant_source *source, int list) {
    for (;;) {
        char path[FOLDER_PATH_MAX];
        if (!run_file(source, source->count - 1, list) || !next_base(source, list, path))
            return false;
        if (!path[0]) return true;
        struct variant_file *file = &source->file[source->count];
        snprintf(file->path, sizeof file->path, "%s", path);
        struct fault fault = {0};
        if (!variant_file_read(file, folders_reader(source->folders), &fault)) {
            add_fault(source, "extends", &fault);
            return false;
        }
        source->count++;
    }
}

/* Replaces the list with its tables' merge. */
static void merge_list(struct variant_source *source, int list) {
    lua_State *lua = source->lua;
    lua_rawgeti(lua, list, source->count);
    for (int i = source->count - 1; i >= 1; i--) {
        lua_rawgeti(lua, list, i);
        merge(lua, 0);
    }
    for (int i = 0; i < OWN_COUNT; i++) {
        lua_rawgeti(lua, list, 1);
        variant_get(lua, lua_gettop(lua), OWN[i]);
        lua_setfield(lua, -3, OWN[i]);
        lua_pop(lua, 1);
    }
    lua_replace(lua, list);
    source->table = list;
}

bool variant_source_merge(struct variant_source *source) {
    lua_State *lua = source->lua;
    lua_newtable(lua);
    int list = lua_gettop(lua);
    lua_pushvalue(lua, list);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &RAW);
    if (!run_chain(source, list)) return false;
    merge_list(source, list);
    return true;
}

bool variant_source_merge_again(struct variant_source *source) {
    lua_newtable(source->lua);
    int list = lua_gettop(source->lua);
    for (int i = 0; i < source->count; i++)
        if (!run_file(source, i, list)) return false;
    merge_list(source, list);
    return true;
}

void variant_source_clear(struct variant_source *source) {
    for (int i = 0; i < CHAIN_MAX; i++) free(source->file[i].text);
}
