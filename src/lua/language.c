/* language.c - a file of scripts/languages/ as a table of texts.
 *
 * The file is run in a sandbox, its table checked and copied, and the Lua state closed. What
 * remains are two sorted lists of texts in one block of bytes. A translation must have exactly the
 * placeholders of its original, so that no information is lost. */
#include "language.h"

#include "base/lines.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "base/words.h"
#include "sandbox.h"
#include "source_map.h"
#include "walk.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MAX = 4096, BYTES_MAX = 1 << 20, PLACEHOLDERS = 9 };

/* Both point into `bytes`. */
struct language_entry {
    const char *key, *text;
};

struct entries {
    size_t count;
    struct language_entry list[ENTRIES_MAX];
};

struct language {
    char tag[NAME_TAG_MAX];
    char name[LANGUAGE_NAME_MAX];
    struct entries part[LANGUAGE_PARTS];
    size_t used;
    char bytes[BYTES_MAX];
};

static const char *entry_find(const struct entries *entries, const char *key) {
    size_t low = 0, high = entries->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(key, entries->list[middle].key);
        if (!order) return entries->list[middle].text;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *language_tag(const struct language *language) {
    return language ? language->tag : "en";
}

const char *language_name(const struct language *language) {
    return language ? language->name : "English";
}

const char *language_text(const struct language *language, const char *english) {
    const char *text = language ? entry_find(&language->part[LANGUAGE_TEXTS], english) : NULL;
    if (language && !text) text = entry_find(&language->part[LANGUAGE_PAGE], english);
    return text ? text : english;
}

const char *language_side(const struct language *language, enum side side) {
    return language_text(language, side == RED ? TEXT("Red") : TEXT("Blue"));
}

const char *language_kind(const struct language *language, const struct rules *rules,
                          kind_id kind) {
    if (kind == KIND_NONE) return language_text(language, TEXT("Piece"));
    const char *own = rules_called(rules, kind, language_tag(language));
    if (!own && language) own = entry_find(&language->part[LANGUAGE_KINDS], rules->kind[kind].name);
    if (!own) own = rules_called(rules, kind, "en");
    return own ? own : rules->kind[kind].name;
}

const char *language_counter(const struct language *language, const struct rules *rules,
                             int counter) {
    const char *own = rules_called(rules, called_counter(counter), language_tag(language));
    if (!own) own = rules_called(rules, called_counter(counter), "en");
    return own ? own : rules->counter[counter].name;
}

const char *language_title(const struct language *language, const struct rules *rules) {
    const char *own = rules_called(rules, KIND_NONE, language_tag(language));
    return own ? own : language_text(language, rules->title);
}

static const char *reason_text(enum reason reason) {
    switch (reason) {
    case REASON_FLAG:
        return TEXT("The flag is captured.");
    case REASON_IMMOBILE:
        return TEXT("The other side has no piece left that can move.");
    case REASON_BOTH_IMMOBILE:
        return TEXT("Neither side has a piece left that can move.");
    case REASON_NO_MINERS:
        return TEXT("No miners are left and both flags are walled in.");
    case REASON_NO_ATTACK_LIMIT:
        return TEXT("Too many moves without an attack.");
    case REASON_PLY_LIMIT:
        return TEXT("The game has reached its limit of moves.");
    case REASON_ABILITY:
        return TEXT("An ability decided the game.");
    case REASON_GOAL:
        return TEXT("A goal of the game was reached.");
    case REASON_REPETITION:
        return TEXT("The same position came up too often.");
    case REASON_VARIANT:
        return TEXT("A rule of the variant decided the game.");
    case REASON_AGREED:
        return TEXT("Both sides agreed.");
    case REASON_RESIGNED:
        return TEXT("The other side resigned.");
    case REASON_FORFEIT_ILLEGAL:
        return TEXT("The other side forfeits: its move was illegal.");
    case REASON_FORFEIT_FUEL:
        return TEXT("The other side forfeits: it thought for too long.");
    case REASON_FORFEIT_TIME:
        return TEXT("The other side forfeits: it ran out of time.");
    case REASON_FORFEIT_MEMORY:
        return TEXT("The other side forfeits: it ran out of memory.");
    case REASON_FORFEIT_ERROR:
        return TEXT("The other side forfeits: its script failed.");
    case REASON_FORFEIT_CRASH:
        return TEXT("The other side forfeits: its process died.");
    case REASON_UNFINISHED:
    case REASON_FAULT:
    case REASON_NONE:
    case REASON_COUNT:
        break;
    }
    return TEXT("The game was broken off.");
}

const char *language_reason(const struct language *language, enum reason reason) {
    return language_text(language, reason_name(reason));
}

static const char *result_text(enum result result) {
    switch (result) {
    case RESULT_RED:
        return TEXT("Red wins.");
    case RESULT_BLUE:
        return TEXT("Blue wins.");
    case RESULT_DRAW:
        return TEXT("A draw.");
    case RESULT_NONE:
    case RESULT_COUNT:
        break;
    }
    return TEXT("The game is unfinished.");
}

const char *language_ending(const struct language *language, const struct ending_words *words) {
    for (int i = 0; i < words->count; i++)
        if (!strcmp(words->tongue[i].tag, language_tag(language))) return words->tongue[i].text;
    return language_text(language, words->text);
}

void language_end(const struct language *language, enum result result, enum reason reason,
                  const struct ending_words *words, char *out, size_t size) {
    language_fill(out, size, "{1} {2}", language_text(language, result_text(result)),
                  words && words->text[0] ? language_ending(language, words)
                                          : language_text(language, reason_text(reason)));
}

/* The number of the placeholder at `text`, 0 if there is none. */
static int placeholder(const char *text) {
    return text[0] == '{' && text[1] >= '1' && text[1] <= '9' && text[2] == '}' ? text[1] - '0' : 0;
}

/* Appends as many whole characters as fit before the final 0. False if the text was cut. */
static bool text_append(char *out, size_t size, size_t *used, const char *text, size_t length) {
    bool fits = *used + length + 1 <= size;
    if (!fits) length = utf8_cut(text, size - *used - 1);
    memcpy(out + *used, text, length);
    *used += length;
    return fits;
}

size_t language_fill_list(char *out, size_t size, const struct language *language,
                          const char *const *texts) {
    const char *pattern = language_text(language, *texts++);
    size_t used = 0, count = 0;
    if (!size) return 0;
    while (texts[count]) count++;
    for (bool fits = true; fits && *pattern;) {
        size_t plain = 0;
        while (pattern[plain] && !placeholder(pattern + plain)) plain++;
        fits = text_append(out, size, &used, pattern, plain);
        pattern += plain;
        size_t number = (size_t)placeholder(pattern);
        if (!number) continue;
        if (fits && number <= count) {
            size_t before = used;
            fits = text_append(out, size, &used, texts[number - 1], strlen(texts[number - 1]));
            out[used] = 0;
            utf8_make_safe(out + before);
            used = before + strlen(out + before);
        }
        pattern += 3;
    }
    out[used] = 0;
    return used;
}

/* An argument of several words may be a text itself, such as the system's "Permission denied". */
static const char *argument_text(const struct language *language, const struct fault_part *part,
                                 int index) {
    const char *argument = part->argument[index];
    return strchr(argument, ' ') ? language_text(language, argument) : argument;
}

size_t language_fault(const struct language *language, const struct fault *fault, char *out,
                      size_t size) {
    size_t used = 0, from = 0;
    const char *text = fault->text;
    bool fits = size > 0;
    for (int i = 0; fits && i < fault->form.parts; i++) {
        struct fault_part part;
        fault_read_part(fault, i, &part);
        if (language_text(language, part.pattern) == part.pattern) continue;
        const char *texts[FAULT_PART_ARGUMENTS_MAX + 2] = {part.pattern};
        for (int k = 0; part.argument[k]; k++) texts[k + 1] = argument_text(language, &part, k);
        fits = text_append(out, size, &used, text + from, fault->form.part[i].start - from);
        from = fault->form.part[i].end;
        if (fits) used += language_fill_list(out + used, size - used, language, texts);
    }
    if (fits) text_append(out, size, &used, text + from, strlen(text) - from);
    if (size) out[used] = 0;
    return used;
}

size_t language_fault_line(const struct language *language, const struct fault *fault, char *out,
                           size_t size) {
    size_t used = fault_place_write(fault, out, size);
    return used < size ? used + language_fault(language, fault, out + used, size - used) : used;
}

void language_print_list(FILE *file, const struct language *language, const char *end,
                         const char *const *texts) {
    char out[4 * LANGUAGE_TEXT_MAX];
    language_fill_list(out, sizeof out, language, texts);
    fprintf(file, "%s%s", out, end);
}

const char *language_number(char out[24], unsigned long long number) {
    snprintf(out, 24, "%llu", number);
    return out;
}

struct language_loading {
    struct language *language;
    const char *path;
    const char *source; /* the file's text */
    size_t length;
    struct fault *fault;
    bool loaded;
};

/* The line where a text is written as a key, 1 if it cannot be found. */
static int line_of(const struct language_loading *loading, const char *key) {
    const char *found = strstr(loading->source, key);
    return found ? lines_number(loading->source, found) : 1;
}

static bool language_refuse(struct language_loading *loading, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool language_refuse(struct language_loading *loading, int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fault_setv(loading->fault, STATUS_TEXT, format, args);
    va_end(args);
    fault_place(loading->fault, loading->path, line, 0);
    return false;
}

/* The line of a key that is a name, such as "kinds.flag". */
static int key_line(const struct language_loading *loading, const char *key) {
    int line = source_map_find(loading->source, loading->length, key).line;
    return line ? line : 1;
}

/* The set of placeholders of a text: bit n for {n}. */
static unsigned placeholders(const char *text) {
    unsigned set = 0;
    for (; *text; text++) set |= 1u << placeholder(text);
    return set & ~1u;
}

static const char *text_keep(struct language *language, const char *text, size_t length) {
    char *kept = memcpy(language->bytes + language->used, text, length + 1);
    language->used += length + 1;
    return kept;
}

static bool check_placeholders(struct language_loading *loading, const char *key,
                               const char *text) {
    unsigned wanted = placeholders(key), found = placeholders(text);
    for (int i = 1; i <= PLACEHOLDERS; i++) {
        if (!((wanted ^ found) & (1u << i))) continue;
        return language_refuse(loading, line_of(loading, key),
                               wanted & (1u << i)
                                   ? "the translation of \"%.200s\" lacks {%d}: \"%.200s\""
                                   : "\"%.200s\" has no {%d}, but its translation has: \"%.200s\"",
                               key, i, text);
    }
    return true;
}

/* Bytes of an entry's text, with the final 0. */
static size_t text_max(enum language_part part) {
    return part == LANGUAGE_KINDS ? LANGUAGE_NAME_MAX : LANGUAGE_TEXT_MAX;
}

static bool has_room(const struct language *language, const struct entries *entries, size_t bytes) {
    return entries->count < ENTRIES_MAX && bytes <= sizeof language->bytes - language->used;
}

static void add_entry(struct language *language, struct entries *entries, const char *key,
                      size_t key_length, const char *text, size_t length) {
    struct language_entry *entry = &entries->list[entries->count++];
    entry->key = text_keep(language, key, key_length);
    entry->text = text_keep(language, text, length);
}

struct language *language_new(const char *tag, const char *name) {
    struct language *language = calloc(1, sizeof *language);
    if (!language) return NULL;
    size_t length = strlen(name);
    snprintf(language->tag, sizeof language->tag, "%s", tag);
    snprintf(language->name, sizeof language->name, "%s", name);
    if (length && length < sizeof language->name && utf8_is_safe(name, length)) return language;
    free(language);
    return NULL;
}

bool language_add(struct language *language, enum language_part part, const char *key,
                  const char *text) {
    struct entries *entries = &language->part[part];
    size_t key_length = strlen(key), length = strlen(text);
    if (!length || length >= text_max(part) || !utf8_is_safe(text, length) ||
        !has_room(language, entries, key_length + length + 2) ||
        placeholders(key) != placeholders(text))
        return false;
    add_entry(language, entries, key, key_length, text, length);
    return true;
}

size_t language_count(const struct language *language, enum language_part part) {
    return language->part[part].count;
}

void language_entry(const struct language *language, enum language_part part, size_t index,
                    const char **key, const char **text) {
    const struct language_entry *entry = &language->part[part].list[index];
    *key = entry->key;
    *text = entry->text;
}

/* Reads the table `what` on top of the stack and takes it off. */
static bool read_entries(lua_State *lua, struct language_loading *loading, const char *what,
                         enum language_part part) {
    struct language *language = loading->language;
    struct entries *entries = &language->part[part];
    size_t most = text_max(part);
    if (lua_type(lua, -1) != LUA_TTABLE) {
        return language_refuse(loading, key_line(loading, what),
                               "%s is %s, expected a table from English to this language", what,
                               lua_isnil(lua, -1) ? "missing" : luaL_typename(lua, -1));
    }
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) {
        if (lua_type(lua, -2) != LUA_TSTRING)
            return language_refuse(loading, key_line(loading, what), "%s has a key that is no text",
                                   what);
        size_t key_length, length = 0;
        const char *key = lua_tolstring(lua, -2, &key_length);
        const char *text =
            lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &length) : NULL;
        char reason[UTF8_REASON_MAX];
        const char *why = text ? utf8_reason(text, length, most - 1, reason) : NULL;
        if (!length || why) {
            return language_refuse(
                loading, line_of(loading, key),
                "%s: \"%.200s\": %s%sexpected a text of 1 to %zu bytes on one line", what, key,
                why ? why : "", why ? ", " : "", most - 1);
        }
        if (!has_room(language, entries, key_length + length + 2)) {
            return language_refuse(loading, key_line(loading, what),
                                   "more than %d texts or %d bytes", ENTRIES_MAX, BYTES_MAX);
        }
        if (!check_placeholders(loading, key, text)) return false;
        add_entry(language, entries, key, key_length, text, length);
    }
    lua_pop(lua, 1);
    return true;
}

/* Reads a list of tables of texts from files of their own, if there is one. */
static bool read_list(lua_State *lua, struct language_loading *loading, const char *what,
                      enum language_part part) {
    lua_getfield(lua, 1, what);
    if (lua_isnil(lua, -1)) return true;
    if (lua_type(lua, -1) != LUA_TTABLE)
        return language_refuse(loading, key_line(loading, what),
                               "%s is a %s, expected a list of tables of texts", what,
                               luaL_typename(lua, -1));
    lua_Integer count = (lua_Integer)lua_rawlen(lua, -1);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(lua, -1, i);
        if (!read_entries(lua, loading, what, part)) return false;
    }
    return true;
}

static bool language_check_keys(lua_State *lua, struct language_loading *loading) {
    static const char *const known[] = {"api", "name", "kinds", "texts", "page", "more"};
    enum { KNOWN = sizeof known / sizeof known[0] };
    struct walk walk;
    walk_start(lua, &walk, 1);
    while (walk_step(lua, &walk)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        struct word_guess guess = word_guess_for(key);
        bool found = false;
        for (int i = 0; i < KNOWN; i++) {
            found = found || !strcmp(key, known[i]);
            word_offer(&guess, known[i]);
        }
        if (found) continue;
        char hint[WORD_HINT_MAX];
        return language_refuse(
            loading, key_line(loading, key),
            "unknown key \"%.60s\"%s; a language has api, name, kinds, texts, page and "
            "more",
            key, word_hint(&guess, hint));
    }
    return true;
}

/* Reads the file's table at 1. */
static bool read_table(lua_State *lua, struct language_loading *loading) {
    struct language *language = loading->language;
    if (lua_type(lua, 1) != LUA_TTABLE)
        return language_refuse(loading, 1, "the file returns a %s, expected a table",
                               luaL_typename(lua, 1));
    if (!language_check_keys(lua, loading)) return false;
    lua_getfield(lua, 1, "api");
    if (!lua_isinteger(lua, -1) || lua_tointeger(lua, -1) != 1)
        return language_refuse(loading, key_line(loading, "api"),
                               "api is not 1, the form of this file");
    lua_getfield(lua, 1, "name");
    size_t length = 0;
    const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &length) : "";
    char reason[UTF8_REASON_MAX];
    if (utf8_reason(name, length, sizeof language->name - 1, reason))
        return language_refuse(loading, key_line(loading, "name"), "name: %s", reason);
    if (!length) {
        return language_refuse(
            loading, key_line(loading, "name"),
            "name: expected what the language calls itself, in at most %zu bytes",
            sizeof language->name - 1);
    }
    memcpy(language->name, name, length + 1);
    lua_getfield(lua, 1, "kinds");
    if (!read_entries(lua, loading, "kinds", LANGUAGE_KINDS)) return false;
    lua_getfield(lua, 1, "texts");
    return read_entries(lua, loading, "texts", LANGUAGE_TEXTS) &&
           read_list(lua, loading, "page", LANGUAGE_PAGE) &&
           read_list(lua, loading, "more", LANGUAGE_TEXTS);
}

static int read_protected(lua_State *lua) {
    struct language_loading *loading = lua_touserdata(lua, 2);
    lua_settop(lua, 1);
    loading->loaded = read_table(lua, loading);
    return 0;
}

static int entry_compare(const void *left, const void *right) {
    const struct language_entry *a = left, *b = right;
    return strcmp(a->key, b->key);
}

void language_seal(struct language *language) {
    for (int i = 0; i < LANGUAGE_PARTS; i++) {
        struct entries *entries = &language->part[i];
        qsort(entries->list, entries->count, sizeof entries->list[0], entry_compare);
    }
}

/* The whole file with a 0 behind it; NULL with a fault. The caller frees. */
static char *read_source(const struct reader *reader, const char *path, size_t *length,
                         struct fault *fault) {
    long size = reader->size(reader->context, path);
    char *text = size >= 0 && size <= READER_FILE_MAX ? malloc((size_t)size + 1) : NULL;
    long got = text ? reader->read(reader->context, path, text, (size_t)size) : -1;
    if (got < 0) {
        free(text);
        fault_set(fault, STATUS_TEXT, "cannot be read, or is larger than the 1 MiB it may have");
        fault_place(fault, path, 0, 0);
        return NULL;
    }
    text[got] = 0;
    *length = (size_t)got;
    return text;
}

void language_tag_of(const char *path, char tag[NAME_TAG_MAX]) {
    const char *start = path_file(path);
    snprintf(tag, NAME_TAG_MAX, "%.*s", (int)strcspn(start, "."), start);
}

static bool language_run(struct language_loading *loading, const struct folders *folders) {
    struct sandbox *sandbox =
        sandbox_new(folders->scripts, loading->path, SANDBOX_DEFAULTS, loading->fault);
    if (!sandbox) return false;
    sandbox->reader = folders_reader(folders);
    if (sandbox_run_text(sandbox, loading->path, loading->source, loading->length,
                         loading->fault)) {
        lua_pushcfunction(sandbox->lua, read_protected);
        lua_insert(sandbox->lua, -2);
        lua_pushlightuserdata(sandbox->lua, loading);
        if (!sandbox_call(sandbox, 2, 0, NULL, loading->fault)) loading->loaded = false;
    }
    sandbox_free(sandbox);
    return loading->loaded;
}

struct language *language_load(const struct folders *folders, const char *tag,
                               struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    if (!folders_resolve(folders, FOLDER_LANGUAGES, tag, path, fault)) return NULL;
    struct language_loading loading = {.path = path, .fault = fault};
    char *source = read_source(folders_reader(folders), path, &loading.length, fault);
    if (!source) return NULL;
    loading.source = source;
    struct language *language = loading.language = calloc(1, sizeof *language);
    if (!language) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a language");
    } else if (!language_run(&loading, folders)) {
        language_free(language);
        language = NULL;
    } else {
        language_tag_of(path, language->tag);
        language_seal(language);
    }
    free(source);
    return language;
}

void language_free(struct language *language) {
    free(language);
}
