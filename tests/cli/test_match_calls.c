/* Matches of variants whose calls cost much: the same games in this process, in locked ones, with
 * several threads and in every build. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match_folder.h"
#include "program.h"

#include <stdio.h>
#include <string.h>

/* Each call stays far below its million instructions; a bot that imagines moves makes thousands. */
static const char SLOW[] =
    "return { api = 1, extends = 'quick', title = 'Slow', limits = { plies = 12 },\n"
    "  calls = { after_move = function() local x = 0 for i = 1, 60000 do x = x + i end end,\n"
    "    legal = function(p, m) local x = 0 for i = 1, 900 do x = x + i end\n"
    "      return (m.from * 7 + m.to * 3 + p:plies()) % 23 ~= 0, 'no' end } }\n";

/* Counts its questions, in each thread others, and would end games and refuse moves by that. */
static const char COUNTING[] =
    "local n = 0\n"
    "return { api = 1, extends = 'quick', title = 'Counting', calls = {\n"
    "  ending = function() n = n + 1 return n % 97 == 0 and 'draw' or nil end,\n"
    "  legal = function() n = n + 1 return n % 5 ~= 0 end } }\n";

/* Remembers nothing, but where its keys lie depends on what lay there before. */
static const char KEYS[] =
    "return { api = 1, extends = 'quick', title = 'Keys', calls = {\n"
    "  after_move = function(position)\n"
    "    local junk = {} for i = 1, position:plies() % 40 do junk[i] = {} end end,\n"
    "  ending = function(position)\n"
    "    local sum = position:plies()\n"
    "    for n = 1, 100 do\n"
    "      local t, kept = {}, {}\n"
    "      for i = 1, 20 + n * 4 % 90 do\n"
    "        local key = {}\n"
    "        t[key], kept[i] = true, key\n"
    "        if i > 8 then t[kept[i - 8]] = nil end\n"
    "        if i % 3 ~= 0 then t[i] = true end\n"
    "      end\n"
    "      sum = (sum * 31 + #t) % 1000000007\n"
    "      for i = 1, #kept do t[kept[i]] = nil end\n"
    "    end\n"
    "    return sum % 97 == 0 and 'draw' or nil\n"
    "  end } }\n";

/* Imagines until its fuel is gone, and tries to survive that. */
static const char GREEDY[] =
    "return { api = 1, move = function(view)\n"
    "  local g = view:sample()\n"
    "  while true do pcall(function() g:playouts { count = 50 } end) end end }\n";

static char folder[MATCH_FOLDER_MAX];

static int make_files(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
    } files[] = {
        {"slow.lua", SLOW}, {"counting.lua", COUNTING}, {"keys.lua", KEYS}, {"greedy.lua", GREEDY}};
    match_folder_make(folder);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(files[i].text, file);
        assert_int_equal(fclose(file), 0);
    }
    return 0;
}

static int remove_files(void **state) {
    (void)state;
    match_folder_remove(folder);
    return 0;
}

static void assert_hash(const char *bot, int exit_code, const char *said, const char *expected) {
    static const char *const options[] = {"--jobs=1", "--jobs=2", "--trust"};
    char variant[128];
    snprintf(variant, sizeof variant, "%s/slow.lua", folder);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct program_run run =
            PROGRAM("match", bot, "hunter", "-v", variant, "-n", "2", "--seed", "7", options[i]);
        assert_int_equal(run.exit_code, exit_code);
        if (!strstr(run.out, said) || !strstr(run.out, expected))
            fail_msg("%s: %s%s", options[i], run.out, run.err);
        program_clear(&run);
    }
}

static void bots_that_search_play_the_same_games_everywhere(void **state) {
    (void)state;
    assert_hash("seer", 0, "ends: ply-limit 2", "hash: c5b16db193b4e719");
}

static void a_bot_that_runs_out_in_calls_forfeits_everywhere(void **state) {
    (void)state;
    char bot[128];
    snprintf(bot, sizeof bot, "%s/greedy.lua", folder);
    assert_hash(bot, 1, "ends: forfeit-fuel 2", "hash: f98d526770a35df0");
}

/* The line of a match that begins with "hash:"; the first 64 bytes of it. */
static void match_hash(const char *variant, const char *jobs, char hash[64]) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, variant);
    struct program_run run =
        PROGRAM("match", "rookie", "rookie", "-v", path, "-n", "20", "--seed", "3", jobs);
    const char *line = strstr(run.out, "hash:");
    if (run.exit_code != 0 || !line) fail_msg("%s %s: %s%s", variant, jobs, run.out, run.err);
    snprintf(hash, 64, "%.*s", (int)strcspn(line, "\n"), line);
    program_clear(&run);
}

static void calls_with_a_past_play_the_same_games_in_any_number_of_threads(void **state) {
    (void)state;
    static const char *const variants[] = {"counting.lua", "keys.lua"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        char one[64], two[64], again[64];
        match_hash(variants[i], "--jobs=1", one);
        match_hash(variants[i], "--jobs=2", two);
        match_hash(variants[i], "--jobs=2", again);
        assert_string_equal(one, two);
        assert_string_equal(two, again);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_that_search_play_the_same_games_everywhere),
        cmocka_unit_test(a_bot_that_runs_out_in_calls_forfeits_everywhere),
        cmocka_unit_test(calls_with_a_past_play_the_same_games_in_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
