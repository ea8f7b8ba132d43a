/* The folder that a script lies in makes no difference: neither its errors nor its memory tell it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match_folder.h"
#include "program.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Plays by all texts of errors that it can get hold of. */
static const char BOT[] =
    "local function digest(s) local h = 5381\n"
    "  for i = 1, #s do h = (h * 33 ~ s:byte(i)) & 0xffffffff end return h end\n"
    "local _, loading = pcall(error, 'loading', 1)\n"
    "local helper = require 'helper'\n"
    "return { api = 1, move = function(view)\n"
    "  local texts = { loading, helper.failed }\n"
    "  local function try(f, ...) local _, e = pcall(f, ...) texts[#texts + 1] = tostring(e) end\n"
    "  try(function() return ({}).x.y end)\n"
    "  try(require, 'nosuch') try(require, 'wrong') try(require, 'nothing') try(require, 'itself')\n"
    "  try(helper.fail) try(error, 'here', 1) try(error, 'here', 2) try(assert, false)\n"
    "  try(function() error(setmetatable({}, { __tostring = function() return 'x' end })) end)\n"
    "  try(view.values, view, { worth = { dragon = 1 } }) try(view.mind, view, { own = 5 })\n"
    "  try(string.rep, 'x', -1, 5, 5, {}) try(string.format, '%d', 'x') try(view.kind, view, {})\n"
    "  try(view.random, view, 0) try(function() view:nosuch() end) try(tostring) try(next, {}, 1)\n"
    "  texts[#texts + 1] = tostring(print):gsub('%d', '') .. tostring({}):gsub('%d', '')\n"
    "  local game = view:sample()\n"
    "  try(function() for i = 1, 9 do game:play(game:moves()[1]) end end)\n"
    "  if load then try(function() return select(2, load('x = = 1', '=n')) end) end\n"
    "  local moves = view:moves()\n"
    "  return moves[digest(table.concat(texts, '\\n')) % #moves + 1] end }\n";
static const char HELPER[] =
    "local m = { fail = function() local t return t.x end }\n"
    "m.failed = select(2, pcall(function() error 'in the helper' end))\nreturn m\n";
static const char VARIANT[] =
    "local _, why = pcall(function() error 'of the variant' end)\n"
    "return { api = 1, extends = 'duel', title = 'Path', calls = {\n"
    "  legal = function(position, move)\n"
    "    local _, e = pcall(require, 'nosuch')\n"
    "    local _, f = pcall(function() return position.x.y end)\n"
    "    return (#why + 3 * #e + 5 * #f + move.from + position:plies()) % 7 > 0, 'no' end } }\n";

static const struct {
    const char *name, *text;
} FILES[] = {{"seeker.lua", BOT},
             {"helper.lua", HELPER},
             {"wrong.lua", "return = 5\n"},
             {"nothing.lua", "return nil\n"},
             {"itself.lua", "return require 'itself'\n"},
             {"failing.lua", VARIANT}};

static char folder[MATCH_FOLDER_MAX];

static const char *const PLACES[] = {
    "a", "a-folder-whose-name-is-much-longer-than-all-that-a-message-of-Lua-would-ever-show-of-it"};

static void place(char path[512], const char *before, int number, const char *name) {
    snprintf(path, 512, "%s%s/%s/%s", before, folder, PLACES[number], name);
}

static int make_files(void **state) {
    (void)state;
    match_folder_make(folder);
    for (int i = 0; i < 2; i++) {
        char path[512];
        place(path, "", i, "");
        assert_int_equal(mkdir(path, 0700), 0);
        for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
            place(path, "", i, FILES[f].name);
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            fputs(FILES[f].text, file);
            assert_int_equal(fclose(file), 0);
        }
    }
    return 0;
}

static int remove_files(void **state) {
    (void)state;
    char path[512];
    for (int i = 0; i < 2; i++) {
        for (size_t f = 0; f < sizeof FILES / sizeof *FILES; f++) {
            place(path, "", i, FILES[f].name);
            unlink(path);
        }
        place(path, "", i, "");
        rmdir(path);
    }
    match_folder_remove(folder);
    return 0;
}

static void find_hash(const char *bot, const char *variant, const char *trust, char hash[24]) {
    struct program_run run =
        PROGRAM("match", bot, "hunter", "-v", variant, "-n", "4", "--seed", "7", "--jobs=1", trust);
    const char *found = strstr(run.out, "hash: ");
    if (!found) fail_msg("%s%s", run.out, run.err);
    snprintf(hash, 24, "%.22s", found);
    program_clear(&run);
}

/* In either folder, named by two paths, trusted or not. */
static void expect_same(bool with_variant) {
    char first[24] = "";
    for (int i = 0; i < 8; i++) {
        const char *before = i & 2 ? "../../../../../../../../../../../.." : "";
        char bot[512], variant[512] = "duel", hash[24];
        place(bot, before, i & 1, "seeker.lua");
        if (with_variant) place(variant, before, i & 1, "failing.lua");
        find_hash(bot, variant, i & 4 ? "--trust" : NULL, hash);
        if (i == 0) memcpy(first, hash, sizeof first);
        if (strcmp(hash, first) != 0) fail_msg("%s instead of %s: %s", hash, first, bot);
    }
}

static void a_bot_plays_the_same_from_any_folder(void **state) {
    (void)state;
    expect_same(false);
}

static void so_does_one_that_reads_the_errors_of_a_variant(void **state) {
    (void)state;
    expect_same(true);
}

/* In folders with a long path, and with one that no terminal may see. */
static void errors_keep_their_file_and_line_in_any_folder(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *said;
    } cases[] = {
        {"b.lua", "return {\n  api = 1, move = function()\n    error 'x' end }\n", ":3: "},
        {"b.lua", "return {\n  api = = 1 }\n", ":2:"},
        {"v.lua", "return {\n  api = 1, extends = 'duel', bad = 1 }\n", ":2:"},
        {"v.lua",
         "return {\n  api = 1, extends = 'duel',\n  calls = { legal = function()\n"
         "    error 'x' end } }\n",
         ":4: "},
        {"r.rec",
         "[Variant \"duel\"]\n[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
         "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\nnonsense\n",
         ":4:"},
    };
    char names[2][520] = {"", "/\377\033[31m\nforged/"};
    for (int i = 0; i < 4; i++) memset(strcat(names[0], "/") + 121 * i + 1, 'd', 120);
    for (int n = 0; n < 2; n++) {
        char path[1024];
        snprintf(path, sizeof path, "%s%s/", folder, names[n]);
        for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash + 1, '/'));) {
            *slash = 0;
            mkdir(path, 0700);
            *slash = '/';
        }
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            char said[64];
            snprintf(path, sizeof path, "%s%s/%s", folder, names[n], cases[i].name);
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            fputs(cases[i].text, file);
            assert_int_equal(fclose(file), 0);
            snprintf(said, sizeof said, "/%s%s", cases[i].name, cases[i].said);
            program_expect(PROGRAM("check", path), 1, said);
            assert_int_equal(unlink(path), 0);
        }
        for (char *slash; (slash = strrchr(path, '/')) > path + strlen(folder);) {
            *slash = 0;
            rmdir(path);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bot_plays_the_same_from_any_folder),
        cmocka_unit_test(errors_keep_their_file_and_line_in_any_folder),
        cmocka_unit_test(so_does_one_that_reads_the_errors_of_a_variant),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
