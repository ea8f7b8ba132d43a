/* variant_check.c - the schema of variants/README.md as one table, and the walk over it. */
#include "variant_check.h"

#include "core/rules.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

/* What a value may be; a set. */
enum value_type {
    NUMBER = 1,    /* a whole number from `low` to `high` */
    TEXT = 2,      /* at most `high` bytes; one of `words` if there are any */
    BOOLEAN = 4,   /* true or false */
    OFF = 8,       /* false */
    TABLE = 16,    /* a table with names as keys */
    NAMES = 32,    /* a list of texts */
    WORDS = 64,    /* a list of `words` */
    SQUARES = 128, /* a list of squares, as texts or numbers */
    FUNCTION = 256
};

struct field {
    const char *table; /* "" is the file; '*' is a name of the author's own */
    const char *key;   /* "*" where the names are the author's own */
    unsigned types;
    int low, high;
    const char *words; /* separated by blanks */
    const char *expected;
};

static const struct field FIELDS[] = {
    {"", "api", NUMBER, 1, 1, NULL, "1"},
    {"", "extends", TEXT, 0, FOLDER_PATH_MAX - 1, NULL, "the name of a variant"},
    {"", "title", TEXT, 1, TITLE_MAX - 1, NULL, "a text of 1 to 95 bytes"},
    {"", "edition", TEXT, 0, TITLE_MAX - 1, NULL, "a text of at most 95 bytes"},
    {"", "names", TABLE, 0, 0, NULL,
     "a table from languages to titles, such as { es = \"Duelo\" }"},
    {"names", "*", TEXT, 1, TITLE_MAX - 1, NULL, "a text of 1 to 95 bytes"},
    {"", "board", TABLE, 0, 0, NULL, "a table with files, ranks and lakes"},
    {"", "zone", TABLE, 0, 0, NULL, "a table with ranks and filled"},
    {"", "army", TABLE, 0, 0, NULL, "a table of how many of each piece"},
    {"", "pieces", TABLE, 0, 0, NULL, "a table of pieces by name"},
    {"", "combat", FUNCTION | OFF, 0, 0, NULL, "a function of attacker and defender, or false"},
    {"", "two_squares", NUMBER | OFF, 2, TWO_SQUARES_MAX, NULL,
     "a whole number from 2 to 16, or false"},
    {"", "chase", TEXT | OFF, 0, 32, "isf russian", "\"isf\", \"russian\" or false"},
    {"", "after_battle", TEXT, 0, 32, "reveal conceal", "\"reveal\" or \"conceal\""},
    {"", "first", TEXT, 0, 32, "red blue chosen", "\"red\", \"blue\" or \"chosen\""},
    {"", "limits", TABLE, 0, 0, NULL, "a table with no_attack and plies"},
    {"", "draw_without", NAMES | OFF, 0, 0, NULL, "a list of pieces, or false"},
    {"board", "files", NUMBER, 1, BOARD_LINES_MAX, NULL, "a whole number from 1 to 16"},
    {"board", "ranks", NUMBER, 2, BOARD_LINES_MAX, NULL, "a whole number from 2 to 16"},
    {"board", "lakes", SQUARES, 0, 0, NULL, "a list of squares such as \"c5\""},
    {"zone", "ranks", NUMBER, 1, BOARD_LINES_MAX / 2, NULL, "a whole number from 1 to 8"},
    {"zone", "filled", BOOLEAN, 0, 0, NULL, "true or false"},
    {"army", "*", NUMBER, 0, BOARD_SQUARES_MAX, NULL, "a whole number from 0 to 128"},
    {"limits", "no_attack", NUMBER | OFF, 1, 65535, NULL,
     "a whole number from 1 to 65535, or false"},
    {"limits", "plies", NUMBER | OFF, 1, 65535, NULL, "a whole number from 1 to 65535, or false"},
    {"pieces", "*", TABLE, 0, 0, NULL, "a table that describes the piece"},
    {"pieces.*", "letter", TEXT, 1, 1, NULL, "one letter A-Z or digit as text, such as \"M\""},
    {"pieces.*", "label", TEXT | NUMBER, 0, LABEL_MAX - 1, NULL,
     "a text of at most 7 bytes, such as \"10\""},
    {"pieces.*", "names", TABLE, 0, 0, NULL,
     "a table from languages to names, such as { es = \"Jinete\" }"},
    {"pieces.*.names", "*", TEXT, 1, 63, NULL, "a text of 1 to 63 bytes"},
    {"pieces.*", "rank", NUMBER, -1000, 1000, NULL, "a whole number from -1000 to 1000"},
    {"pieces.*", "flag", BOOLEAN, 0, 0, NULL, "true or false"},
    {"pieces.*", "moves", TEXT | TABLE | FUNCTION, 0, 32, "none step run",
     "\"none\", \"step\", \"run\", { reach = n, turns = true } or a function"},
    {"pieces.*", "beats", NAMES | TEXT | OFF, 0, 32, "all", "a list of pieces, \"all\" or false"},
    {"pieces.*", "loses_to", NAMES | TEXT | OFF, 0, 32, "all",
     "a list of pieces, \"all\" or false"},
    {"pieces.*", "repels", NAMES | TEXT | OFF, 0, 32, "all", "a list of pieces, \"all\" or false"},
    {"pieces.*", "abilities", TABLE | OFF, 0, 0, NULL, "a table of abilities by name"},
    {"pieces.*.moves", "reach", NUMBER, 1, 15, NULL, "a whole number from 1 to 15"},
    {"pieces.*.moves", "turns", BOOLEAN, 0, 0, NULL, "true or false"},
    {"pieces.*.abilities", "*", TABLE | OFF, 0, 0, NULL, "a table that describes the ability"},
    {"pieces.*.abilities.*", "asks", TEXT | OFF, 0, 32, "kind captured",
     "\"kind\", \"captured\" or false"},
    {"pieces.*.abilities.*", "when", TEXT | WORDS, 0, 32, "instead after_step after_attack",
     "\"instead\", \"after_step\", \"after_attack\" or a list of them"},
    {"pieces.*.abilities.*", "aims", TEXT | WORDS, 0, 32, "enemy own empty",
     "\"enemy\", \"own\", \"empty\" or a list of them"},
    {"pieces.*.abilities.*", "limit", NUMBER | OFF, 1, 255, NULL,
     "a whole number from 1 to 255, or false"},
    {"pieces.*.abilities.*", "attacks", BOOLEAN, 0, 0, NULL, "true or false"},
    {"pieces.*.abilities.*", "except", NAMES | OFF, 0, 0, NULL, "a list of pieces, or false"},
    {"pieces.*.abilities.*", "targets", FUNCTION, 0, 0, NULL,
     "a function of board, side and square"},
    {"pieces.*.abilities.*", "resolve", FUNCTION, 0, 0, NULL,
     "a function of actor, target and choice"},
};
enum { FIELD_COUNT = sizeof FIELDS / sizeof FIELDS[0] };

static bool among(const char *words, const char *text) {
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

/* Is every element of the list at the top of the stack a text (or a number, for squares)? */
static bool list_fits(lua_State *lua, const struct field *field) {
    lua_Unsigned length = lua_rawlen(lua, -1);
    lua_Unsigned keys = 0;
    lua_pushnil(lua);
    while (lua_next(lua, -2)) {
        int type = lua_type(lua, -1);
        bool fits = type == LUA_TSTRING || ((field->types & SQUARES) && type == LUA_TNUMBER);
        if (fits && (field->types & WORDS)) fits = among(field->words, lua_tostring(lua, -1));
        lua_pop(lua, 1);
        if (!fits || lua_type(lua, -1) != LUA_TNUMBER) {
            lua_pop(lua, 1);
            return false;
        }
        keys++;
    }
    return keys == length;
}

static bool value_fits(lua_State *lua, const struct field *field) {
    switch (lua_type(lua, -1)) {
    case LUA_TNUMBER: {
        int whole;
        lua_Integer number = lua_tointegerx(lua, -1, &whole);
        if (!(field->types & NUMBER) || !whole) return false;
        /* A text that may also be given as a number, such as label = 10. */
        if (field->types & TEXT) return number >= -999 && number <= 9999;
        return number >= field->low && number <= field->high;
    }
    case LUA_TSTRING: {
        size_t length;
        const char *text = lua_tolstring(lua, -1, &length);
        if (!(field->types & TEXT) || length < (size_t)field->low || length > (size_t)field->high ||
            strlen(text) != length)
            return false;
        return !field->words || among(field->words, text);
    }
    case LUA_TBOOLEAN:
        return (field->types & BOOLEAN) || ((field->types & OFF) && !lua_toboolean(lua, -1));
    case LUA_TTABLE:
        return (field->types & TABLE) ||
               ((field->types & (NAMES | WORDS | SQUARES)) && list_fits(lua, field));
    case LUA_TFUNCTION:
        return (field->types & FUNCTION) != 0;
    default:
        return false;
    }
}

/* Names that an author may give to pieces and abilities. */
static bool is_name(const char *text) {
    size_t length = strlen(text);
    if (length >= WORD_MAX || text[0] < 'a' || text[0] > 'z') return false;
    return strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static const struct field *find_field(const char *table, const char *key) {
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(FIELDS[i].table, table) == 0 &&
            (strcmp(FIELDS[i].key, key) == 0 || strcmp(FIELDS[i].key, "*") == 0))
            return &FIELDS[i];
    return NULL;
}

static bool has_fields(const char *table) {
    for (int i = 0; i < FIELD_COUNT; i++)
        if (strcmp(FIELDS[i].table, table) == 0) return true;
    return false;
}

static bool refuse_key(struct variant_source *source, const char *table, const char *path,
                       const char *key, const char *full) {
    struct word_guess guess = word_guess_for(key);
    char known[256] = "", hint[WORD_HINT_MAX];
    size_t used = 0;
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (strcmp(FIELDS[i].table, table) != 0) continue;
        word_offer(&guess, FIELDS[i].key);
        if (used < sizeof known)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     FIELDS[i].key);
    }
    word_hint(&guess, hint);
    const char *in = path[0] ? " in " : "";
    if (hint[0])
        return variant_refuse(source, full, "unknown key \"%.60s\"%s%s%s", key, in, path, hint);
    return variant_refuse(source, full, "unknown key \"%.60s\"%s%s, expected one of %s", key, in,
                          path, known);
}

/* Checks the value on top of the stack, and pops it. */
static bool check_value(struct variant_source *source, const struct field *field,
                        const char *full) {
    lua_State *lua = source->lua;
    bool fits = value_fits(lua, field);
    if (!fits) {
        char value[VALUE_TEXT_MAX], hint[WORD_HINT_MAX] = "";
        if (field->words && lua_type(lua, -1) == LUA_TSTRING) {
            struct word_guess guess = word_guess_for(lua_tostring(lua, -1));
            offer_words(&guess, field->words);
            word_hint(&guess, hint);
        }
        variant_refuse(source, full, "%s is %s, expected %s%s", full, variant_value(lua, -1, value),
                       field->expected, hint);
    }
    lua_pop(lua, 1);
    return fits;
}

/* Checks the table on top of the stack and all tables in it. `table` is its place in the schema,
 * `path` its key. */
static bool check_table(struct variant_source *source, const char *table, const char *path) {
    lua_State *lua = source->lua;
    int index = lua_gettop(lua);
    bool own_names = find_field(table, "*") != NULL;
    lua_pushnil(lua);
    while (lua_next(lua, index)) {
        char value[VALUE_TEXT_MAX], full[VARIANT_KEY_MAX], below[VARIANT_KEY_MAX];
        if (lua_type(lua, -2) != LUA_TSTRING)
            return variant_refuse(source, path, "%s has the key %s, expected names only",
                                  path[0] ? path : "the file", variant_value(lua, -2, value));
        const char *key = lua_tostring(lua, -2);
        snprintf(full, sizeof full, "%s%s%.40s", path, path[0] ? "." : "", key);
        snprintf(below, sizeof below, "%s%s%s", table, table[0] ? "." : "", own_names ? "*" : key);
        if (own_names && !is_name(key))
            return variant_refuse(source, path,
                                  "\"%.60s\" in %s, expected a name of at most 31 small letters, "
                                  "digits and '_'",
                                  key, path);
        const struct field *field = find_field(table, key);
        if (!field) return refuse_key(source, table, path, key, full);
        lua_pushvalue(lua, -1);
        if (!check_value(source, field, full)) return false;
        if (lua_type(lua, -1) == LUA_TTABLE && (field->types & TABLE) && has_fields(below) &&
            !check_table(source, below, full))
            return false;
        lua_pop(lua, 1);
    }
    return true;
}

bool variant_check(struct variant_source *source, int table) {
    static const char *const needed[] = {"api",        "board.files", "board.ranks",
                                         "zone.ranks", "army",        "pieces"};
    lua_State *lua = source->lua;
    lua_pushvalue(lua, table);
    if (!check_table(source, "", "")) return false;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (variant_get(lua, table, needed[i]) == LUA_TNIL)
            return variant_refuse(source, needed[i],
                                  "%s is missing; a variant has it or extends one that does",
                                  needed[i]);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return true;
}
