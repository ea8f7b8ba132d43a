/* variant.c - from a name to rules: find the file, run it and its bases, check, compile.
 *
 * All of it runs in one protected call, so that an error inside Lua, such as running out of memory,
 * becomes a fault, and one portion of fuel covers the whole load. `struct variant_loading` owns
 * everything that needs freeing. */
#include "variant.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "base/words.h"
#include "core/rules/rules.h"
#include "lua/sandbox.h"
#include "lua/walk.h"
#include "position_lua.h"
#include "variant/variant_format.h"
#include "variant/variant_source.h"
#include "variant_calls.h"
#include "variant_compile.h"

/* Checks a variant's keys and the type and range of each value against the rows of
 * variant_format.c; whether the values fit together is checked where they are compiled. Keys are
 * visited in sorted order, so that faults always come in the same order. Invalid entries are
 * removed: the compiler then finds values of the right type or none, and can look for further
 * faults. */
enum {
    LISTS = VALUE_NAMES | VALUE_WORDS | VALUE_SQUARES | VALUE_NUMBERS | VALUE_PAIRS | VALUE_UNION |
            VALUE_ENTRIES,
    LIST_MAX = 1000,  /* entries of any list */
    ENTRY_COST = 200, /* fuel to look up an entry in the format */
    GUESS_COST = 5000 /* fuel to suggest a known key for an unknown one */
};

/* Is `text` one of the blank-separated `words`? */
static bool has_word(const char *words, const char *text) {
    size_t length = strlen(text);
    for (const char *word = words; word; word = strchr(word, ' ')) {
        word += *word == ' ';
        if (strncmp(word, text, length) == 0 && (word[length] == ' ' || !word[length]))
            return length > 0;
    }
    return false;
}

static void offer_words(struct word_guess *guess, const char *words) {
    char list[96];
    snprintf(list, sizeof list, "%s", words);
    for (char *rest, *word = strtok_r(list, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        word_offer(guess, word);
}

/* What is wrong with the bytes of a text (utf8.h); NULL: nothing. Texts are shown on one line; only
 * those of `tests` may have several. Short ones are words, of which the expected are named instead
 * of a length. */
static const char *text_reason(const struct variant_field *field, const char *text, size_t length,
                               char out[UTF8_REASON_MAX]) {
    enum { SENTENCE = 32 };
    const size_t most = field->high < SENTENCE ? SIZE_MAX : (size_t)field->high;
    const bool lines = !strncmp(field->table, "tests", 5);
    for (size_t at = 0; lines && length <= most && at < length; at++) {
        const size_t line = lines_length(text + at, length - at);
        if (utf8_reason(text + at, line, most, out)) return out;
        at += line;
    }
    return lines && length <= most ? NULL : utf8_reason(text, length, most, out);
}

static bool value_fits(lua_State *lua, const struct variant_field *field) {
    switch (lua_type(lua, -1)) {
    case LUA_TNUMBER: {
        int whole;
        lua_Integer number = lua_tointegerx(lua, -1, &whole);
        if (!(field->types & VALUE_NUMBER) || !whole) return false;
        /* a text that may be written as a number, such as label = 10 */
        if (field->types & VALUE_TEXT) return number >= -999 && number <= 9999;
        return number >= field->low && number <= field->high;
    }
    case LUA_TSTRING: {
        size_t length;
        char reason[UTF8_REASON_MAX];
        const char *text = lua_tolstring(lua, -1, &length);
        if (!(field->types & VALUE_TEXT) || length < (size_t)field->low ||
            length > (size_t)field->high || text_reason(field, text, length, reason))
            return false;
        return !field->words || has_word(field->words, text);
    }
    case LUA_TBOOLEAN:
        return (field->types & VALUE_BOOLEAN) ||
               ((field->types & VALUE_OFF) && !lua_toboolean(lua, -1));
    case LUA_TTABLE:
        return (field->types & (VALUE_TABLE | LISTS)) != 0;
    case LUA_TFUNCTION:
        return (field->types & VALUE_FUNCTION) != 0;
    default:
        return false;
    }
}

/* Is it a valid name of a piece or ability? "none" is the word for no piece where pieces are keys
 * of a table, "red" and "blue" are those for a side's part. */
static bool is_name(const char *text) {
    size_t length = strlen(text);
    if (has_word("none red blue", text)) return false;
    if (length >= WORD_MAX || text[0] < 'a' || text[0] > 'z') return false;
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static bool has_fields(const char *table) {
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++)
        if (strcmp(field->table, table) == 0) return true;
    return false;
}

/* A table during the walk: its place in the format, and its own key. */
struct spot {
    char table[VARIANT_KEY_MAX], path[VARIANT_KEY_MAX];
};

static void refuse_key(struct variant_source *source, const struct spot *spot, const char *key,
                       const char *full) {
    if (faults_full(source->faults)) {
        faults_miss(source->faults);
        return;
    }
    sandbox_charge(source->lua, GUESS_COST);
    struct word_guess guess = word_guess_for(key);
    char known[256] = "", hint[WORD_HINT_MAX];
    size_t used = 0;
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++) {
        if (strcmp(field->table, spot->table) != 0) continue;
        word_offer(&guess, field->key);
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     field->key);
    }
    const char *in = spot->path[0] ? " in " : "";
    size_t before = source->faults->count;
    if (!word_hint(&guess, hint)[0]) {
        variant_refuse(source, full, "unknown key \"%.60s\"%s%s, expected one of %s", key, in,
                       spot->path, known);
        return;
    }
    variant_refuse(source, full, "unknown key \"%.60s\"%s%s%s", key, in, spot->path, hint);
    if (source->faults->count == before) return;
    struct remark *remark = &source->faults->list[before];
    snprintf(remark->meant, sizeof remark->meant, "%.180s%s%s", spot->path,
             spot->path[0] ? "." : "", guess.best);
}

/* Refuses the value on top of the stack. */
static bool refuse_value(struct variant_source *source, const char *words, const char *expected,
                         const char *full) {
    lua_State *lua = source->lua;
    char value[VALUE_TEXT_MAX], hint[WORD_HINT_MAX] = "";
    if (words && lua_type(lua, -1) == LUA_TSTRING) {
        struct word_guess guess = word_guess_for(lua_tostring(lua, -1));
        offer_words(&guess, words);
        word_hint(&guess, hint);
    }
    return variant_refuse(source, full, "%s is %s, expected %s%s", full,
                          variant_value(lua, -1, value), expected, hint);
}

static bool check_table(struct variant_source *source, const struct spot *spot);

/* Checks the element on top of the stack. */
static bool check_element(struct variant_source *source, const struct variant_field *field,
                          const struct spot *spot) {
    lua_State *lua = source->lua;
    char expected[FAULT_EXPECTED_MAX];
    int type = lua_type(lua, -1);
    bool text = type == LUA_TSTRING;
    if (field->types & VALUE_ENTRIES) {
        if (type == LUA_TTABLE) return check_table(source, spot), true;
        return refuse_value(source, NULL, "a table", spot->path);
    }
    if ((field->types & VALUE_SQUARES) && (text || type == LUA_TNUMBER)) return true;
    if ((field->types & VALUE_UNION) && type != LUA_TBOOLEAN && value_fits(lua, field)) {
        struct spot below = *spot;
        if (type == LUA_TTABLE) {
            below.table[strlen(below.table) - strlen(".*")] = 0; /* keys of the row's own table */
            check_table(source, &below);
        }
        return true;
    }
    if ((field->types & VALUE_PAIRS) && text) return true;
    if ((field->types & VALUE_NUMBERS) && lua_isinteger(lua, -1) &&
        lua_tointeger(lua, -1) >= field->low && lua_tointeger(lua, -1) <= field->high)
        return true;
    if ((field->types & VALUE_NAMES) && text) return true;
    if ((field->types & VALUE_WORDS) && text && has_word(field->words, lua_tostring(lua, -1)))
        return true;
    variant_field_expected(field, expected);
    return refuse_value(source, field->words, expected, spot->path);
}

/* Checks the list on top of the stack, which is at `list`. False if it must be removed. */
static bool check_list(struct variant_source *source, const struct variant_field *field,
                       const struct spot *list) {
    lua_State *lua = source->lua;
    lua_Integer length = (lua_Integer)lua_rawlen(lua, -1), keys = 0;
    bool fits = true;
    lua_pushnil(lua);
    while (lua_next(lua, -2)) {
        sandbox_charge(lua, 1);
        keys += lua_isinteger(lua, -2);
        fits = fits && lua_isinteger(lua, -2);
        lua_pop(lua, 1);
    }
    if (!fits || keys != length) {
        char expected[FAULT_EXPECTED_MAX];
        return variant_refuse(source, list->path, "%s is a table with names or gaps, expected %s",
                              list->path, variant_field_expected(field, expected));
    }
    if (length > LIST_MAX)
        return variant_refuse(source, list->path, "%s has %d entries, expected at most %d",
                              list->path, (int)length, LIST_MAX);
    for (lua_Integer i = 1; i <= length; i++) {
        struct spot spot;
        sandbox_charge(lua, ENTRY_COST);
        snprintf(spot.table, sizeof spot.table, "%.200s.*", list->table);
        snprintf(spot.path, sizeof spot.path, "%.200s[%d]", list->path, (int)i);
        lua_rawgeti(lua, -1, i);
        fits &= check_element(source, field, &spot);
        lua_pop(lua, 1);
    }
    return fits;
}

/* Has the table on top of the stack a name as a key? */
static bool has_names(lua_State *lua) {
    bool found = false;
    for (lua_pushnil(lua); !found && lua_next(lua, -2);) {
        found = lua_type(lua, -2) == LUA_TSTRING;
        lua_pop(lua, found ? 2 : 1);
    }
    return found;
}

/* Checks the entry whose key and value are on top of the stack. False if it must be removed. */
static bool check_entry(struct variant_source *source, const struct spot *spot) {
    lua_State *lua = source->lua;
    struct spot below;
    char value[VALUE_TEXT_MAX];
    const char *path = spot->path;
    if (lua_type(lua, -2) != LUA_TSTRING) {
        variant_value(lua, -2, value);
        snprintf(below.path, sizeof below.path, "%.200s[%.20s]", path, value);
        return variant_refuse(source, below.path, "%s has the key %s, expected names only",
                              path[0] ? path : "the file", value);
    }
    size_t key_length;
    char unsafe[UTF8_REASON_MAX];
    const char *key = lua_tolstring(lua, -2, &key_length);
    const struct variant_field *field = variant_field_find(spot->table, key);
    bool own_name = field && strcmp(field->key, "*") == 0;
    snprintf(below.path, sizeof below.path, "%.200s%s%.40s", path, path[0] ? "." : "", key);
    snprintf(below.table, sizeof below.table, "%.200s%s%.40s", spot->table,
             spot->table[0] ? "." : "", own_name ? "*" : key);
    if (utf8_reason(key, key_length, SIZE_MAX, unsafe))
        return variant_refuse(source, below.path, "%s has a key that is no name: %s",
                              path[0] ? path : "the file", unsafe);
    if (own_name && !is_name(key))
        return variant_refuse(source, below.path,
                              "\"%.60s\" in %s, expected a name of at most 31 small letters, "
                              "digits and '_', and not \"none\", \"red\" or \"blue\"",
                              key, path);
    if (!field) {
        refuse_key(source, spot, key, below.path);
        return false;
    }
    if (!value_fits(lua, field)) {
        char expected[FAULT_EXPECTED_MAX], reason[UTF8_REASON_MAX];
        size_t length;
        const bool text = (field->types & VALUE_TEXT) && lua_type(lua, -1) == LUA_TSTRING;
        const char *bytes = text ? lua_tolstring(lua, -1, &length) : NULL;
        if (text && text_reason(field, bytes, length, reason))
            return variant_refuse(source, below.path, "%s: %s", below.path, reason);
        variant_field_expected(field, expected);
        return refuse_value(source, field->words, expected, below.path);
    }
    if (lua_type(lua, -1) != LUA_TTABLE) return true;
    const bool named = (field->types & VALUE_TABLE) && (lua_rawlen(lua, -1) == 0 || has_names(lua));
    if ((field->types & LISTS) && !named) return check_list(source, field, &below);
    if (has_fields(below.table)) check_table(source, &below);
    return true;
}

/* Checks the table on top of the stack and every table in it. */
static bool check_table(struct variant_source *source, const struct spot *spot) {
    lua_State *lua = source->lua;
    int table = lua_gettop(lua);
    size_t before = source->faults->errors;
    struct walk walk;
    walk_start(lua, &walk, table);
    while (walk_step(lua, &walk)) {
        sandbox_charge(lua, ENTRY_COST);
        if (check_entry(source, spot)) continue;
        lua_settop(lua, walk.keys + 1);
        lua_pushnil(lua);
        lua_rawset(lua, table);
    }
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++) {
        char key[VARIANT_KEY_MAX];
        if (!(field->types & VALUE_NEEDED) || !strchr(spot->table, '*') ||
            strcmp(field->table, spot->table) != 0)
            continue;
        sandbox_push_text(lua, field->key);
        snprintf(key, sizeof key, "%.200s.%s", spot->path, field->key);
        if (lua_rawget(lua, table) == LUA_TNIL) variant_refuse(source, key, "%s is missing", key);
        lua_pop(lua, 1);
    }
    return source->faults->errors == before;
}

/* Checks the merged table at the absolute index `table`, and refuses and removes invalid entries.
 * False if there were any. */
static bool variant_check(struct variant_source *source, int table) {
    static const struct spot whole = {"", ""};
    lua_State *lua = source->lua;
    size_t before = source->faults->errors;
    lua_pushvalue(lua, table);
    check_table(source, &whole);
    lua_pop(lua, 1);
    const bool alone = !faults_about(source->faults, "extends"); /* else it may be inherited */
    for (const struct variant_field *field = VARIANT_FIELDS; field->table && alone; field++) {
        char key[VARIANT_KEY_MAX];
        if (!(field->types & VALUE_NEEDED) || strchr(field->table, '*')) continue;
        snprintf(key, sizeof key, "%s%s%s", field->table, field->table[0] ? "." : "", field->key);
        if (variant_get(lua, table, key) == LUA_TNIL)
            variant_refuse(source, key,
                           !strcmp(key, "api")
                               ? "%s is missing; expected api = 1"
                               : "%s is missing; add it, or extend a variant that has it",
                           key);
        lua_pop(lua, 1);
    }
    return source->faults->errors == before;
}

enum { STACK_SLOTS = 200 }; /* more than the loader ever uses at once */

struct variant_loading {
    struct variant_source source;
    struct file_cache keeper; /* the files that scripts require */
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
        file_cache_open(&loading->keeper, folders_reader(folders));
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
    if (!ran || !loading->loaded) {
        rules_free(rules);
        rules = NULL;
    } else if (rules->calls) {
        variant_calls_adopt(rules, source, &loading->keeper);
    }
    faults_sort(faults, path);
    sandbox_free(source->sandbox);
    file_cache_clear(&loading->keeper);
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
