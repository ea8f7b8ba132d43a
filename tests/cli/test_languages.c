/* test_languages.c - every file of a language has every text, and the program
 * speaks it.
 *
 * The texts are read out of the sources: what stands in TEXT("…"), the
 * pattern of the functions of language.h, and t("…") of the server's page.
 * Added to them are the
 * sentences of the core, the words of the stock lesson, the titles of the stock variants, what the
 * stock bots say of themselves, the faults that players meet, and any other fault that some
 * language translates. A new text fails here until all files have it, and so does a text in a file
 * that the sources no longer have. */
#include "base/fault.h"
#include "bot/bot.h"
#include "cli/columns.h"
#include "console.h"
#include "core/play/legal.h"
#include "lua/language.h"
#include "variant/variant.h"

#include <ctype.h>
#include <dirent.h>
#include <lauxlib.h>
#include <limits.h>
#include <locale.h>
#include <lualib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#define FOLDER ENSIGN_ROOT "/scripts/languages"

enum { KEYS_MAX = 4096, FILES_MAX = 32, FILE_BYTES_MAX = 1 << 20, SCREEN_COLUMNS = 80 };

/* RULES 9; what is written there stays here as data. */
static const struct {
    const char *tag;
    const char *names[14];
} table[] = {
    {"en",
     {"Flag", "Bomb", "Spy", "Saboteur", "Spotter", "Scout", "Miner", "Sergeant", "Lieutenant",
      "Captain", "Major", "Colonel", "General", "Marshal"}},
    {"bg",
     {"Знаме", "Бомба", "Шпионин", "Саботьор", "Наблюдател", "Разузнавач", "Сапьор", "Сержант",
      "Лейтенант", "Капитан", "Майор", "Полковник", "Генерал", "Маршал"}},
    {"uk",
     {"Прапор", "Бомба", "Шпигун", "Диверсант", "Спостерігач", "Розвідник", "Мінер", "Сержант",
      "Лейтенант", "Капітан", "Майор", "Полковник", "Генерал", "Маршал"}},
    {"hr",
     {"Zastava", "Bomba", "Špijun", "Saboter", "Promatrač", "Izviđač", "Rudar", "Narednik",
      "Poručnik", "Kapetan", "Bojnik", "Pukovnik", "General", "Maršal"}},
    {"es",
     {"Bandera", "Bomba", "Espía", "Saboteador", "Sondeador", "Explorador", "Minador", "Sargento",
      "Teniente", "Capitán", "Comandante", "Coronel", "General", "Mariscal"}},
    {"ru",
     {"Знамя", "Мина", "Шпион", "Диверсант", "Наблюдатель", "Разведчик", "Сапёр", "Сержант",
      "Лейтенант", "Капитан", "Майор", "Полковник", "Генерал", "Фельдмаршал"}},
};
enum { LANGUAGES = sizeof table / sizeof table[0] };

static const char *const kinds[] = {"flag",  "bomb",    "spy",      "saboteur",   "spotter",
                                    "scout", "miner",   "sergeant", "lieutenant", "captain",
                                    "major", "colonel", "general",  "marshal"};

struct texts {
    size_t count;
    char *list[KEYS_MAX];
};

static struct texts keys;   /* texts that every language must have */
static struct texts faults; /* patterns of faults, which a language may have */
static struct texts shown;  /* texts that the page of the server may show */

/* Files whose faults players meet: every language has them. */
static const char *const met_in_play[] = {
    "/core/text/",     "/core/play/position.c", "/host/saved.c",  "/host/games.c",
    "/host/records.c", "/host/player.c",        "/host/stock.c",  "/host/starter.c",
    "/host/setups/",   "/host/match/store",     "/host/match/sp", "/base/files.c",
    "/base/draft.c",   "/base/words.c",         "/lua/folders.c", "/cli/"};

/* Files below those whose faults only authors of bots meet. */
static const char *const not_met[] = {"/cli/bench/"};

/* What the system says of files, in faults: strerror(). */
static const char *const said_by_system[] = {
    "No such file or directory", "Permission denied",     "Is a directory", "Not a directory",
    "No space left on device",   "Read-only file system", "File exists",    "Too many open files"};

static bool is_among(const struct texts *texts, const char *text) {
    for (size_t i = 0; i < texts->count; i++)
        if (!strcmp(texts->list[i], text)) return true;
    return false;
}

static void add(struct texts *texts, const char *text) {
    if (is_among(texts, text)) return;
    assert_true(texts->count < KEYS_MAX);
    texts->list[texts->count++] = strdup(text);
}

static void add_key(const char *text) {
    add(&keys, text);
}

static void add_shown(const char *text) {
    add_key(text);
    add(&shown, text);
}

/* Blanks out comments; literals stay. */
static void strip_comments(char *text) {
    bool quoted = false;
    for (char *at = text; *at; at++) {
        if (*at == '\\' && quoted) {
            at++;
        } else if (*at == '"' && (at == text || at[-1] != '\'')) {
            quoted = !quoted;
        } else if (!quoted && at[0] == '/' && at[1] == '*') {
            char *end = strstr(at, "*/");
            memset(at, ' ', (size_t)(end + 2 - at));
            at = end + 1;
        }
    }
}

/* The literal at `at`, with those that follow it, as the compiler joins them.
 * Returns its end. */
static const char *read_literal(const char *at, char *out, size_t size) {
    size_t used = 0;
    while (*at == '"') {
        for (at++; *at != '"'; at++) {
            if (*at == '\\') at++;
            assert_true(used + 1 < size);
            out[used++] = *at;
        }
        at++;
        const char *next = at + strspn(at, " \t\n\\");
        if (!strncmp(next, "PRI", 3)) { /* of <inttypes.h>: the end of a conversion */
            out[used++] = 'u';
            at = next += strcspn(next, " ,)\n");
            next += strspn(next, " \t\n");
        }
        if (*next == '"') at = next;
    }
    out[used] = 0;
    return at;
}

/* The first literal among the arguments of a call, whose '(' is at `at`, or all of them; none
 * inside other calls. */
static void read_call(const char *at, bool all, void (*take)(const char *text)) {
    char text[4096];
    int depth = 0;
    for (; *at; at++) {
        if (*at == '(') depth++;
        if (*at == ')' && --depth == 0) return;
        if (*at != '"') continue;
        at = read_literal(at, text, sizeof text) - 1;
        if (depth == 1) take(text);
        if (depth == 1 && !all) return;
    }
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, FILE_BYTES_MAX);
    if (!file || !text) fail_msg("%s cannot be read", path);
    size_t length = fread(text, 1, FILE_BYTES_MAX - 1, file);
    assert_true(length < FILE_BYTES_MAX - 1);
    fclose(file);
    return text;
}

/* The pattern of a format, as a fault derives it (fault.h). */
static void write_pattern(const char *format, char out[4096]) {
    int number = 0;
    if (!strcmp(format, "%s")) format = "";
    while (*format) {
        if (*format != '%' || format[1] == '%') {
            format += *format == '%';
            *out++ = *format++;
            continue;
        }
        format += 2 + strspn(format + 1, "-+ #0123456789.*hlLqjzt");
        out += sprintf(out, "{%d}", ++number);
    }
    *out = 0;
}

static void add_fault(const char *format) {
    char pattern[4096];
    write_pattern(format, pattern);
    add(&faults, pattern);
}

static void add_fault_as_key(const char *format) {
    char pattern[4096];
    write_pattern(format, pattern);
    add(&faults, pattern);
    if (strpbrk(pattern, "abcdefghijklmnopqrstuvwxyz")) add_key(pattern);
}

/* The page looks a message up as a whole, and those with arguments in vain. */
static void add_fault_as_shown(const char *format) {
    add_fault_as_key(format);
    if (!strchr(format, '%') && strpbrk(format, "abcdefghijklmnopqrstuvwxyz")) add_shown(format);
}

/* Of an error of usage; the command's name stands before it. */
static void add_misuse(const char *format) {
    if (strchr(format, ' ')) add_fault_as_key(format);
}

static void read_calls(char *text, const char *name, bool all, void (*take)(const char *text)) {
    for (char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        bool inside = at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (!inside) read_call(at + strlen(name) - 1, all, take);
    }
}

static bool is_met_in_play(const char *path) {
    path += strlen(ENSIGN_ROOT "/src"); /* a clone may be in a folder of one of these names */
    for (size_t i = 0; i < sizeof not_met / sizeof not_met[0]; i++)
        if (strstr(path, not_met[i])) return false;
    for (size_t i = 0; i < sizeof met_in_play / sizeof met_in_play[0]; i++)
        if (strstr(path, met_in_play[i])) return true;
    return false;
}

/* The texts of a command's table: all but the synopsis and single words, which are names. */
static void read_command(char *text) {
    char key[4096], *start = strstr(text, "const struct command command_");
    char *end = start ? strstr(start, "\n};") : NULL;
    for (char *at = start; at && at < end; at++) {
        if (!strncmp(at, ".synopsis", 9)) at = strchr(at, '}');
        if (*at != '"') continue;
        at = (char *)(uintptr_t)read_literal(at, key, sizeof key);
        if (strchr(key, ' ')) add_key(key);
    }
}

static void read_source(const char *path) {
    static const char *const calls[] = {"TEXT(", "language_text(", "language_write(",
                                        "language_print(", "language_line("};
    char *text = read_file(path);
    strip_comments(text);
    static const char *const blaming[] = {"fault_set(",   "fault_within(", "fault_add(",
                                          "parser_fail(", "grid_fail(",    "tag_fault("};
    read_command(text);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        read_calls(text, calls[i], false, add_key);
    read_calls(text, "cli_misuse(", true, add_misuse);
    for (size_t i = 0; i < sizeof blaming / sizeof blaming[0]; i++)
        read_calls(text, blaming[i], true,
                   !is_met_in_play(path)                         ? add_fault
                   : strstr(path + strlen(ENSIGN_ROOT), "/cli/") ? add_fault_as_key
                                                                 : add_fault_as_shown);
    free(text);
}

/* The texts of a module of the page: t("…"), but not in comments, which have lines of their own. */
static void read_page_source(const char *path) {
    char *text = read_file(path), key[4096];
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (!strncmp(line + strspn(line, " "), "//", 2)) continue;
        for (char *at = strstr(line, "t(\""); at; at = strstr(at + 1, "t(\"")) {
            if (at > line && (isalnum((unsigned char)at[-1]) || strchr("_.", at[-1]))) continue;
            read_literal(at + 2, key, sizeof key);
            (strstr(path, "/serve/page/") ? add_shown : add_key)(key);
        }
    }
    free(text);
}

static bool is_page_source(const char *path) {
    const char *dot = strrchr(path, '.');
    return (strstr(path, "/serve/page/") || strstr(path, "/cli/report/")) && !strcmp(dot, ".js");
}

/* The C files of a folder and of the folders in it, and the modules of the pages. */
static void read_sources(const char *folder) {
    char path[1024];
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        struct stat about;
        const char *dot = strrchr(entry->d_name, '.');
        snprintf(path, sizeof path, "%.700s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &about) != 0) continue;
        if (S_ISDIR(about.st_mode)) read_sources(path);
        if (dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h"))) read_source(path);
        if (dot && is_page_source(path)) read_page_source(path);
    }
    closedir(open);
}

static void read_variant(void *context, const char *name, const char *path) {
    struct fault fault;
    struct rules *rules = variant_load(context, name, &fault);
    if (!rules) fail_msg("%s: %s", path, fault.text);
    add_shown(rules->title);
    if (rules->edition[0]) add_key(rules->edition);
    for (int i = 0; i < rules->abilities; i++) add_shown(rules->ability[i].name);
    rules_free(rules);
}

/* What a stock bot says of itself. */
static void read_bot(void *context, const char *name, const char *path) {
    struct bot_card card;
    struct faults *wrong = faults_new();
    (void)name;
    if (!bot_examine(context, path, SANDBOX_DEFAULTS, &card, wrong))
        fail_msg("%s cannot play", path);
    add_shown(card.about);
    free(wrong);
}

/* The words of the stock lesson. */
static void read_stock_lesson(void) {
    static const char *const tags[] = {"[Step ", "[Text ", "[Task ", "[Done "};
    char *text = read_file(ENSIGN_ROOT "/scripts/lesson.txt"), words[4096];
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
            if (strncmp(line, tags[i], strlen(tags[i]))) continue;
            read_literal(line + strlen(tags[i]), words, sizeof words);
            add_key(words);
        }
    }
    free(text);
}

/* The idea of a set-up of the library: its comments, as one line. */
static void read_idea(void *context, const char *name, const char *path) {
    char idea[4096] = "", *text = read_file(path);
    (void)context, (void)name;
    for (char *line = strtok(text, "\n"); line && *line == '#'; line = strtok(NULL, "\n")) {
        if (*idea) strcat(idea, " ");
        strcat(idea, line + 1 + strspn(line + 1, " "));
    }
    add_key(idea);
    free(text);
}

static lua_State *open_file(const char *tag);
static bool for_each_file(bool (*visit)(const char *tag));

/* A fault translated by one language is translated by all. */
static bool add_faults_said(const char *tag) {
    lua_State *lua = open_file(tag);
    lua_getfield(lua, 1, "texts");
    for (lua_pushnil(lua); lua_next(lua, 2); lua_pop(lua, 1))
        if (is_among(&faults, lua_tostring(lua, -2))) add_key(lua_tostring(lua, -2));
    lua_close(lua);
    return false;
}

static int find_all_keys(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault;
    read_sources(ENSIGN_ROOT "/src");
    for (int i = 0; i < REASON_COUNT; i++) add_key(reason_name((enum reason)i));
    for (int i = RESULT_NONE + 1; i < RESULT_COUNT; i++) add_key(result_name((enum result)i));
    for (size_t i = 0; i < sizeof said_by_system / sizeof said_by_system[0]; i++)
        add_key(said_by_system[i]);
    for (int i = 0; i < VERDICT_COUNT; i++) add_shown(verdict_sentence((enum verdict)i));
    if (!folders_find(&folders, &fault)) return -1;
    folders_list(&folders, FOLDER_VARIANTS, read_variant, &folders);
    folders_list(&folders, FOLDER_BOTS, read_bot, &folders);
    for (int level = LEVEL_BEGINNER; level < LEVEL_COUNT; level++)
        add_key(bot_level_name((enum bot_level)level));
    read_stock_lesson();
    for_each_file(add_faults_said);
    folders_list(&folders, FOLDER_SETUPS, read_idea, NULL);
    return keys.count > 100 && faults.count > 100 ? 0 : -1;
}

static int forget_all_keys(void **state) {
    (void)state;
    while (keys.count) free(keys.list[--keys.count]);
    while (faults.count) free(faults.list[--faults.count]);
    while (shown.count) free(shown.list[--shown.count]);
    return 0;
}

/* Puts the texts of the files in `page` and `more` to the others; a text stands in one file. Those
 * of the page's are in `shown`, too. */
static const char join[] =
    "local tag, root = ...\n"
    "package.path = root .. '/scripts/?.lua'\n"
    "local found = require\n"
    "function require(name) return (found(name)) end -- one value, as in the sandbox\n"
    "local language = dofile(root .. '/scripts/languages/' .. tag .. '.lua')\n"
    "language.shown = {}\n"
    "for _, list in ipairs { language.page, language.more } do\n"
    "  for _, more in ipairs(list) do\n"
    "    for english, text in pairs(more) do\n"
    "      assert(not language.texts[english], 'twice: ' .. english)\n"
    "      language.texts[english] = text\n"
    "      language.shown[english] = list == language.page or nil\n"
    "    end\n"
    "  end\n"
    "end\n"
    "return language\n";

/* Runs the file and leaves its table at 1, with all texts in `texts`. */
static lua_State *open_file(const char *tag) {
    lua_State *lua = luaL_newstate();
    luaL_openlibs(lua);
    assert_int_equal(luaL_loadstring(lua, join), LUA_OK);
    sandbox_push_text(lua, tag);
    sandbox_push_text(lua, ENSIGN_ROOT);
    if (lua_pcall(lua, 2, 1, 0)) fail_msg("%s: %s", tag, lua_tostring(lua, -1));
    return lua;
}

/* Calls `visit` for the tag of every file; true if any call was. */
static bool for_each_file(bool (*visit)(const char *tag)) {
    DIR *open = opendir(FOLDER);
    bool any = false;
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        char tag[64];
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 4, ".lua") != 0) continue;
        snprintf(tag, sizeof tag, "%.*s", (int)length - 4, entry->d_name);
        any |= visit(tag);
    }
    closedir(open);
    return any;
}

static bool lacks_texts(const char *tag) {
    lua_State *lua = open_file(tag);
    bool any = false;
    lua_getfield(lua, 1, "texts");
    for (size_t i = 0; i < keys.count; i++) {
        if (lua_getfield(lua, 2, keys.list[i]) == LUA_TNIL) {
            print_error("scripts/languages/%s.lua lacks [\"%s\"]\n", tag, keys.list[i]);
            any = true;
        }
        lua_pop(lua, 1);
    }
    lua_close(lua);
    return any;
}

static void every_text_is_in_every_language(void **state) {
    (void)state;
    if (for_each_file(lacks_texts)) fail_msg("add these texts, translated");
}

/* Does the part that the page is sent have other texts than the page may show? */
static bool sends_other_texts(const char *tag) {
    lua_State *lua = open_file(tag);
    bool any = false;
    lua_getfield(lua, 1, "shown");
    for (size_t i = 0; i < shown.count; i++) {
        if (lua_getfield(lua, 2, shown.list[i]) == LUA_TNIL) {
            print_error("scripts/languages/%s/page.lua lacks [\"%s\"]\n", tag, shown.list[i]);
            any = true;
        }
        lua_pop(lua, 1);
    }
    for (lua_pushnil(lua); lua_next(lua, 2); lua_pop(lua, 1)) {
        const char *key = lua_tostring(lua, -2);
        if (is_among(&shown, key)) continue;
        print_error("scripts/languages/%s/page.lua: the page does not say [\"%s\"]\n", tag, key);
        any = true;
    }
    lua_close(lua);
    return any;
}

static void the_page_is_sent_what_it_may_show(void **state) {
    (void)state;
    if (for_each_file(sends_other_texts)) fail_msg("move these texts");
}

static bool has_a_long_row_of_keys(const char *tag) {
    lua_State *lua = open_file(tag);
    bool any = false;
    lua_getfield(lua, 1, "texts");
    for (lua_pushnil(lua); lua_next(lua, 2); lua_pop(lua, 1)) {
        const char *key = lua_tostring(lua, -2), *row = lua_tostring(lua, -1);
        if (!strstr(key, "?:help")) continue;
        bool fits = columns_of(row, SIZE_MAX) <= SCREEN_COLUMNS;
        fits &= columns_of(key, SIZE_MAX) <= SCREEN_COLUMNS;
        if (!fits) print_error("scripts/languages/%s.lua: too long: %s\n", tag, row);
        any |= !fits;
    }
    lua_close(lua);
    return any;
}

static void the_keys_fit_into_the_last_row_of_a_small_screen(void **state) {
    (void)state;
    assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
    assert_false(for_each_file(has_a_long_row_of_keys));
}

static bool has_stale_texts(const char *tag) {
    lua_State *lua = open_file(tag);
    bool any = false;
    lua_getfield(lua, 1, "texts");
    for (lua_pushnil(lua); lua_next(lua, 2); lua_pop(lua, 1)) {
        const char *key = lua_tostring(lua, -2);
        bool known = is_among(&keys, key);
        if (!known) print_error("scripts/languages/%s.lua: nobody says [\"%s\"]\n", tag, key);
        any |= !known;
    }
    lua_close(lua);
    return any;
}

static void no_language_has_a_text_that_nobody_says(void **state) {
    (void)state;
    if (for_each_file(has_stale_texts)) fail_msg("take these texts out");
}

static bool does_not_load(const char *tag) {
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    struct language *language = language_load(&folders, tag, &fault);
    if (!language) print_error("%s:%d: %s\n", fault.file, fault.line, fault.text);
    bool bad = !language || strcmp(language_tag(language), tag) != 0;
    language_free(language);
    return bad;
}

static void every_language_loads(void **state) {
    (void)state;
    assert_false(for_each_file(does_not_load));
}

static void pieces_are_called_as_in_the_printed_sheets(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    struct rules *rules[] = {variant_load(&folders, "infiltrator", &fault),
                             variant_load(&folders, "galaxy", &fault)};
    for (int l = 0; l < LANGUAGES; l++) {
        struct language *language = NULL;
        if (strcmp(table[l].tag, "en") != 0) {
            language = language_load(&folders, table[l].tag, &fault);
            if (!language) fail_msg("%s: %s", table[l].tag, fault.text);
        }
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            const struct rules *in = rules[!strcmp(kinds[k], "spotter")];
            kind_id kind = rules_kind(in, kinds[k], strlen(kinds[k]));
            assert_int_not_equal(kind, KIND_NONE);
            assert_string_equal(language_kind(language, in, kind), table[l].names[k]);
        }
        language_free(language);
    }
    rules_free(rules[0]);
    rules_free(rules[1]);
}

static void assert_sheet(const char *lc_all, const char *lang, const char *lang_option,
                         const char *word) {
    struct console console;
    setenv("LC_ALL", lc_all, 1);
    setenv("LANG", lang, 1);
    const char *arguments[] = {"show", "duel", lang_option ? "--lang" : NULL, lang_option, NULL};
    assert_int_equal(console_run(&console, "", arguments), 0);
    unsetenv("LC_ALL");
    unsetenv("LANG");
    if (!strstr(console.text, word)) fail_msg("no %s in %s", word, console.text);
    console_clear(&console);
}

static void the_option_or_else_the_locale_chooses_the_language(void **state) {
    (void)state;
    assert_sheet("", "uk_UA.UTF-8", NULL, "Розвідник");
    assert_sheet("hr_HR.utf8", "uk_UA.UTF-8", NULL, "Izviđač");
    assert_sheet("es", "", NULL, "Explorador");
    assert_sheet("C", "uk_UA.UTF-8", NULL, "Scout");
    assert_sheet("uk_UA.KOI8-U", "", NULL, "Scout");
    assert_sheet("xx_XX.UTF-8", "", NULL, "Scout");
    assert_sheet("uk_UA.UTF-8", "", "ru", "Разведчик");
    assert_sheet("uk_UA.UTF-8", "", "en", "Scout");
    assert_sheet("", "", "bg_BG.UTF-8", "Разузнавач");
}

static void what_can_be_found_is_listed_under_headings_of_the_language(void **state) {
    (void)state;
    struct console console;
    assert_int_equal(
        console_run(&console, "", (const char *const[]){"list", "setups", "--lang", "bg", NULL}),
        0);
    if (!strstr(console.text, "подредби")) fail_msg("%s", console.text);
    console_clear(&console);
}

static void a_language_that_does_not_exist_is_wrong_use(void **state) {
    (void)state;
    struct console console;
    const char *const arguments[] = {"show", "duel", "--lang", "bgg", NULL};
    assert_int_equal(console_run(&console, "", arguments), 2);
    assert_non_null(strstr(console.text, "no language \"bgg\", did you mean \"bg\"?"));
    console_clear(&console);
}

static void a_game_is_told_in_the_language_from_its_first_move_to_its_end(void **state) {
    (void)state;
    static const struct {
        const char *tag, *attack, *end;
    } told[] = {
        {"en", " attacks", "Plies: "},        {"bg", " напада", "Полуходове: "},
        {"uk", " нападає", "Напівходів: "},   {"hr", " napada", "Polupoteza: "},
        {"es", " ataca", "Medias jugadas: "}, {"ru", " атакует", "Полуходов: "},
    };
    console_folder(); /* where the records go */
    for (int i = 0; i < LANGUAGES; i++) {
        struct console console;
        const char *const arguments[] = {"play",   "duel",      "--red",  "rookie",
                                         "--blue", "rookie",    "--seed", "1",
                                         "--lang", told[i].tag, NULL};
        assert_int_equal(console_run(&console, "", arguments), 0);
        if (!strstr(console.text, told[i].attack) || !strstr(console.text, told[i].end))
            fail_msg("%s: %s", told[i].tag, console.text);
        if (strcmp(told[i].tag, "en")) assert_null(strstr(console.text, " attacks"));
        console_clear(&console);
    }
}

static void a_fault_is_said_in_the_language(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    char out[LANGUAGE_TEXT_MAX];
    assert_true(folders_find(&folders, &fault));
    struct language *es = language_load(&folders, "es", &fault);
    assert_non_null(es);
    fault_set(&fault, STATUS_SETUP, "%d pieces of kind %s (%c), expected %d", 7, "{3}", 'S', 1);
    fault_within(&fault, "never %s", "translated");
    fault_within(&fault, "ply %d", 12);
    fault_place(&fault, "a.rec", 3, 0);
    language_fault(es, &fault, out, sizeof out);
    assert_string_equal(out, "media jugada 12: never translated: {3} (S): hay 7, se esperan 1");
    language_fault_line(es, &fault, out, sizeof out);
    assert_string_equal(out,
                        "a.rec:3: media jugada 12: never translated: {3} (S): hay 7, se esperan 1");
    language_fault(NULL, &fault, out, sizeof out);
    assert_string_equal(out, fault.text);
    fault_set(&fault, STATUS_ILLEGAL_MOVE, "%s", verdict_sentence(ILLEGAL_GAME_OVER));
    language_fault(es, &fault, out, sizeof out);
    assert_string_equal(out, "la partida ha terminado");
    for (size_t size = 0; size <= sizeof out; size += size < 30 ? 1 : 500) { /* cut anywhere */
        memset(out, '#', sizeof out);
        size_t written = language_fault(es, &fault, out, size);
        assert_true(size ? written == strlen(out) && written < size : written == 0);
    }
    language_free(es);
}

static void what_is_refused_at_a_command_is_told_in_the_language(void **state) {
    (void)state;
    struct console console;
    const char *const typed[] = {"moves", "duel", "a2-", "--lang", "uk", NULL};
    assert_int_equal(console_run(&console, "", typed), 1);
    if (!strstr(console.text, "хід «a2-»: обривається, очікується поле, наприклад a4"))
        fail_msg("%s", console.text);
    console_clear(&console);
    const char *path = console_file(0, "bad.rec", "[Variant \"duel\"]\n[RedSetup \"FF\"]\n");
    const char *const replayed[] = {"replay", "--plain", path, "--lang", "ru", NULL};
    assert_int_equal(console_run(&console, "", replayed), 1);
    if (!strstr(console.text, "ожидается")) fail_msg("%s", console.text);
    console_clear(&console);
}

static void a_language_of_your_own_is_one_file(void **state) {
    (void)state;
    struct console console;
    const char *path = console_file(0, "de.lua",
                                    "return { api = 1, name = 'Deutsch',\n"
                                    "  kinds = { scout = 'Aufklärer' },\n"
                                    "  texts = { ['Red begins.'] = 'Rot beginnt.' } }\n");
    const char *const arguments[] = {"show", "duel", "--lang", path, NULL};
    assert_int_equal(console_run(&console, "", arguments), 0);
    assert_non_null(strstr(console.text, "Aufklärer  any number of squares"));
    assert_non_null(strstr(console.text, "Rot beginnt."));
    assert_non_null(strstr(console.text, "Endings"));
    console_clear(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_is_in_every_language),
        cmocka_unit_test(the_page_is_sent_what_it_may_show),
        cmocka_unit_test(the_keys_fit_into_the_last_row_of_a_small_screen),
        cmocka_unit_test(no_language_has_a_text_that_nobody_says),
        cmocka_unit_test(every_language_loads),
        cmocka_unit_test(pieces_are_called_as_in_the_printed_sheets),
        cmocka_unit_test(the_option_or_else_the_locale_chooses_the_language),
        cmocka_unit_test(what_can_be_found_is_listed_under_headings_of_the_language),
        cmocka_unit_test(a_language_that_does_not_exist_is_wrong_use),
        cmocka_unit_test(a_game_is_told_in_the_language_from_its_first_move_to_its_end),
        cmocka_unit_test(a_fault_is_said_in_the_language),
        cmocka_unit_test(what_is_refused_at_a_command_is_told_in_the_language),
        cmocka_unit_test(a_language_of_your_own_is_one_file),
    };
    return cmocka_run_group_tests(tests, find_all_keys, forget_all_keys);
}
