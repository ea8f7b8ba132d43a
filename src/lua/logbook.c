/* logbook.c - values as text, written without the help of Lua.
 *
 * lua_tolstring() would make strings in the state and __tostring would run the script, so values
 * are formatted here. Tables are walked to a small depth and breadth, so a line costs little
 * however large the table is. */
#include "logbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

enum {
    DEPTH_MAX = 4,
    ENTRIES_MAX = 128,
    KEY_MAX = 40 /* bytes of a text that Lua holds once: pushing it again takes no memory */
};

void logbook_clear(struct logbook *book) {
    book->length = 0;
    book->text[0] = 0;
    book->cut = false;
}

static void book_put(struct logbook *book, const char *text, size_t length) {
    if (book->cut) return;
    if (length > LOGBOOK_MAX - book->length) {
        static const char words[] = "\n(cut: more than %d bytes)\n";
        book->cut = true;
        bool begun = book->length && book->text[book->length - 1] != '\n';
        book->length += (size_t)snprintf(book->text + book->length, LOGBOOK_ROOM - book->length,
                                         begun ? words : words + 1, LOGBOOK_MAX);
        return;
    }
    memcpy(book->text + book->length, text, length);
    book->length += length;
    book->text[book->length] = 0;
}

void logbook_add(struct logbook *book, const char *text, size_t length) {
    for (size_t at = 0; at < length && !book->cut;) {
        size_t safe = utf8_safe_length(text + at, length - at), all = utf8_length(text + at);
        const char *put = safe ? text + at : text[at] == '\n' ? "\n" : text[at] == '\t' ? " " : "?";
        book_put(book, put, safe ? safe : 1);
        at += safe ? safe : all ? all : 1;
    }
}

static void add_text(struct logbook *book, const char *text) {
    logbook_add(book, text, strlen(text));
}

static void add_number(struct logbook *book, lua_State *lua, int index) {
    char text[64];
    if (lua_isinteger(lua, index)) {
        snprintf(text, sizeof text, LUA_INTEGER_FMT, lua_tointeger(lua, index));
    } else {
        snprintf(text, sizeof text, "%.14g", lua_tonumber(lua, index));
        if (text[strspn(text, "-0123456789")] == 0) strcat(text, ".0");
    }
    add_text(book, text);
}

static void add_value(struct logbook *book, lua_State *lua, int index, int depth);

/* A key of a table that is no place in its list; the string lives as long as the table. */
struct entry_key {
    const char *text; /* NULL: a number */
    size_t length;
    bool whole;
    lua_Integer integer;
    lua_Number number;
};

/* Numbers first, each sort in ascending order. */
static int key_compare(const void *left, const void *right) {
    const struct entry_key *a = left, *b = right;
    if (!a->text != !b->text) return a->text ? 1 : -1;
    if (!a->text) return (a->number > b->number) - (a->number < b->number);
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* Reads the keys of the table that are texts or numbers outside 1 … `listed`. `*more`: there are
 * others. */
static int read_keys(lua_State *lua, int table, lua_Integer listed,
                     struct entry_key keys[ENTRIES_MAX], bool *more) {
    int count = 0, seen = 0;
    for (lua_pushnil(lua); lua_next(lua, table);) {
        lua_pop(lua, 1);
        if (++seen > 2 * ENTRIES_MAX || count == ENTRIES_MAX) {
            *more = true;
            lua_pop(lua, 1);
            break;
        }
        struct entry_key *key = &keys[count];
        int type = lua_type(lua, -1);
        *key = (struct entry_key){.text = NULL};
        if (type == LUA_TSTRING) {
            key->text = lua_tolstring(lua, -1, &key->length);
        } else if (type == LUA_TNUMBER) {
            key->whole = lua_isinteger(lua, -1);
            key->integer = key->whole ? lua_tointeger(lua, -1) : 0;
            key->number = lua_tonumber(lua, -1);
            if (key->whole && key->integer >= 1 && key->integer <= listed) continue;
        }
        if ((type != LUA_TSTRING && type != LUA_TNUMBER) || key->length > KEY_MAX)
            *more = true;
        else
            count++;
    }
    qsort(keys, (size_t)count, sizeof *keys, key_compare);
    return count;
}

static bool is_word(const struct entry_key *key) {
    for (size_t i = 0; i < key->length; i++) {
        char c = key->text[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (!i || c < '0' || c > '9')) return false;
    }
    return key->length;
}

/* Adds "name = " or "[key] = " and the value, which `key` leads to. */
static void add_entry(struct logbook *book, lua_State *lua, int table, const struct entry_key *key,
                      int depth) {
    bool word = key->text && is_word(key);
    if (key->text)
        lua_pushlstring(lua, key->text, key->length);
    else if (key->whole)
        lua_pushinteger(lua, key->integer);
    else
        lua_pushnumber(lua, key->number);
    if (!word) add_text(book, "[");
    if (word)
        logbook_add(book, key->text, key->length);
    else
        add_value(book, lua, -1, depth);
    add_text(book, word ? " = " : "] = ");
    lua_rawget(lua, table);
    add_value(book, lua, -1, depth);
    lua_pop(lua, 1);
}

static void add_table(struct logbook *book, lua_State *lua, int table, int depth) {
    struct entry_key keys[ENTRIES_MAX];
    lua_Integer length = (lua_Integer)lua_rawlen(lua, table), listed = 0;
    bool more = length > ENTRIES_MAX;
    const char *between = "";
    if (depth >= DEPTH_MAX) {
        add_text(book, "{…}");
        return;
    }
    add_text(book, "{");
    for (; listed < length && listed < ENTRIES_MAX && !book->cut; listed++) {
        add_text(book, between);
        lua_rawgeti(lua, table, listed + 1);
        add_value(book, lua, -1, depth + 1);
        lua_pop(lua, 1);
        between = ", ";
    }
    int count = book->cut ? 0 : read_keys(lua, table, length, keys, &more);
    for (int i = 0; i < count && !book->cut; i++) {
        add_text(book, between);
        add_entry(book, lua, table, &keys[i], depth + 1);
        between = ", ";
    }
    add_text(book, !more ? "}" : between[0] ? ", …}" : "…}");
}

/* Adds an object of the host, which may have many lines: it begins with a line of its own. */
static bool show_object(struct logbook *book, lua_State *lua, int index) {
    const size_t before = book->length;
    if (!book->show) return false;
    const bool blank = before && book->text[before - 1] == ' ' && !book->cut;
    if (blank) book->text[--book->length] = 0;
    if (before && book->text[before - 1] != '\n') add_text(book, "\n");
    if (book->show(book->context, lua, index, book)) return true;
    if (book->cut) return false;
    book->text[book->length = before] = 0;
    if (blank) book->text[before - 1] = ' ';
    return false;
}

/* Adds a value; texts inside tables, at depths above 0, are quoted. */
static void add_value(struct logbook *book, lua_State *lua, int index, int depth) {
    size_t length;
    index = lua_absindex(lua, index);
    switch (lua_type(lua, index)) {
    case LUA_TSTRING: {
        const char *text = lua_tolstring(lua, index, &length);
        if (depth) add_text(book, "\"");
        logbook_add(book, text, length);
        if (depth) add_text(book, "\"");
        break;
    }
    case LUA_TNUMBER:
        add_number(book, lua, index);
        break;
    case LUA_TBOOLEAN:
        add_text(book, lua_toboolean(lua, index) ? "true" : "false");
        break;
    case LUA_TTABLE:
        add_table(book, lua, index, depth);
        break;
    case LUA_TUSERDATA:
        if (show_object(book, lua, index)) break;
        /* fall through */
    default:
        add_text(book, lua_typename(lua, lua_type(lua, index)));
    }
}

void logbook_print(struct logbook *book, lua_State *lua, int first) {
    int last = lua_gettop(lua);
    if (book->closed) return;
    for (int i = first; i <= last && !book->cut; i++) {
        if (i > first) add_text(book, " ");
        add_value(book, lua, i, 0);
    }
    if (book->cut) return;
    add_text(book, "\n");
}

/* Cuts a text into lines and keeps to the bytes of a game. */

void log_tell(struct log *log, uint32_t ply, const char *callback, const char *text,
              size_t length) {
    char line[LOGBOOK_ROOM];
    for (size_t at = 0; at < length && log->used <= LOG_GAME_MAX;) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end ? (size_t)(end - text) - at : length - at;
        size_t kept = size < sizeof line ? size : sizeof line - 1;
        memcpy(line, text + at, kept);
        line[kept] = 0;
        utf8_make_safe(line);
        at += size + 1;
        log->used += size + 1;
        if (log->used > LOG_GAME_MAX)
            snprintf(line, sizeof line, "(cut: more than %d bytes in this game)", LOG_GAME_MAX);
        log->sink->take(log->sink->context, &(const struct log_line){ply, callback, line});
    }
}
