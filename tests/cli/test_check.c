/* `ensign check`: files that pass, and one line for each error. */
#include "console.h"
#include "program.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Writes the file, checks it with -v duel, expects this. */
static void check(const char *ending, const char *text, int exit_code, const char *message) {
    char path[64];
    program_file(path, ending, text, strlen(text));
    struct program_run run = PROGRAM("check", "--balance", "0", path, "-v", "duel");
    assert_int_equal(!*run.out, exit_code != 0);
    program_expect(run, exit_code, message);
    unlink(path);
}

/* Fails unless the run ended with this code and its output contains this. Clears the run. */
static void expect_among(struct program_run run, int exit_code, const char *message) {
    if (run.exit_code != exit_code || !strstr(run.err, message))
        fail_msg("exit code %d, expected %d and \"%s\":\n%s", run.exit_code, exit_code, message,
                 run.err);
    program_clear(&run);
}

/* Checks a file with several errors. */
static void check_among(const char *ending, const char *text, const char *message) {
    char path[64];
    program_file(path, ending, text, strlen(text));
    expect_among(PROGRAM("check", "--balance", "0", path, "-v", "duel"), 1, message);
    unlink(path);
}

/* The same for a variant that extends `duel`; warnings let it pass. */
static void check_variant(const char *keys, int exit_code, const char *message) {
    char text[1024], path[64];
    snprintf(text, sizeof text, "return { api = 1, extends = 'duel', %s }", keys);
    program_file(path, ".lua", text, strlen(text));
    expect_among(PROGRAM("check", "--balance", "0", path, "-n", "5"), exit_code, message);
    unlink(path);
}

static void stock_variants_pass_and_tell_of_their_trial_games(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("check", "--strict", "-n", "60", "--balance", "2000", "variants/duel.lua",
                "variants/infiltrator.lua", "variants/lightning.lua");
    assert_non_null(strstr(run.out, "variant \"Duel\", 10 pieces a side on 10 x 10"));
    assert_non_null(strstr(run.out, "1 of its 1 tests hold"));
    assert_non_null(strstr(run.out, "Battles: + the attacker wins"));
    assert_non_null(strstr(run.out, "60 random games: "));
    assert_non_null(strstr(run.out, "2000 more, unchecked: half of them last "));
    assert_non_null(strstr(run.out, "\n    attacks: spy "));
    assert_non_null(strstr(run.out, "\n    falls: flag "));
    assert_non_null(strstr(run.out, "sabotage of saboteur: used "));
    assert_non_null(strstr(run.out, "rescue of several pieces: used "));
    program_expect(run, 0, "");
}

static void balance_games_are_as_many_as_are_asked_for(void **state) {
    (void)state;
    struct program_run run = PROGRAM("check", "-n", "5", "--balance", "300", "variants/duel.lua");
    assert_non_null(strstr(run.out, " 300 more, unchecked: "));
    program_expect(run, 0, "");
    run = PROGRAM("check", "-n", "5", "variants/duel.lua");
    assert_non_null(strstr(run.out, " 20000 more, unchecked: "));
    program_expect(run, 0, "");
    run = PROGRAM("check", "-n", "5", "--balance", "0", "variants/duel.lua");
    assert_null(strstr(run.out, "unchecked"));
    program_expect(run, 0, "");
    run = PROGRAM("check", "-n", "5", "variants/examples/phalanx.lua"); /* has calls */
    assert_null(strstr(run.out, "unchecked"));
    program_expect(run, 0, "");
    program_expect(PROGRAM("check", "--balance", "1000001", "variants/duel.lua"), 2, "--balance");
}

static void bots_are_told_from_variants_and_play_themselves(void **state) {
    (void)state;
    struct program_run run = PROGRAM("check", "bots/rookie.lua", "-v", "duel");
    assert_non_null(strstr(run.out, "bot, two games of duel"));
    program_expect(run, 0, "");
    program_expect(PROGRAM("check", "tests/data/mistaken.lua", "-v", "duel"), 1,
                   "tests/data/mistaken.lua:5: in move");
}

static void a_bot_or_set_ups_are_checked_with_a_variant_that_they_fit(void **state) {
    (void)state;
    static const char army[] = "......M.../..9......./.2...S..2./3...3..BFB";
    char bot[64], setups[64], wrong[64], text[256], fits[128];
    snprintf(text, sizeof text,
             "return { api = 1, setup = function() return '%s' end,\n"
             "  move = function(view) return view:moves()[1] end }\n",
             army);
    program_file(bot, ".lua", text, strlen(text));
    program_file(setups, ".txt", army, strlen(army));
    program_file(wrong, ".txt", "22....M...", 10);
    struct program_run run = PROGRAM("check", bot, setups, "bots/rookie.lua");
    snprintf(fits, sizeof fits, "%s: bot, two games of duel against itself", bot);
    assert_non_null(strstr(run.out, fits));
    snprintf(fits, sizeof fits, "%s: 1 set-up of duel\n", setups);
    assert_non_null(strstr(run.out, fits));
    assert_non_null(strstr(run.out, "rookie.lua: bot, two games of original"));
    program_expect(run, 0, "");
    run = PROGRAM("setups", setups);
    snprintf(fits, sizeof fits, "%s: set-ups of duel: 1", setups);
    assert_non_null(strstr(run.out, fits));
    program_expect(run, 0, "");
    program_expect(PROGRAM("check", bot, "-v", "original"), 1,
                   "2 pieces of kind bomb (B), expected 6 (ply 0)");
    expect_among(PROGRAM("check", wrong), 1,
                 "it fits no variant; it was checked with barrage, the closest (-v takes another)");
    unlink(bot);
    unlink(setups);
    unlink(wrong);
}

static void all_that_is_wrong_with_a_variant_is_told_in_one_run(void **state) {
    (void)state;
    const char *text = "return { api = 1, extends = 'duel',\n  first = 'read',\n"
                       "  army = { scot = 3 },\n  pieces = { spy = { rnk = 1 } },\n}\n";
    check_among(".lua", text, ":2:3: first is \"read\"");
    check_among(".lua", text, ":3:12: army.scot names \"scot\"");
    check_among(".lua", text, ":4:22: unknown key \"rnk\" in pieces.spy, did you mean \"rank\"?");
    check_among(".lua", text, "(see variants/REFERENCE.md#pieces)");
}

static void all_that_is_wrong_with_a_bot_is_told_in_one_run(void **state) {
    (void)state;
    const char *text =
        "local bot = { api = 2, titel = 'x' }\nbot.setup = 5\n"
        "function bot.mov(view) return 1 end\nfunction bot.start() end\nreturn bot\n";
    check_among(".lua", text, ":1:15: api is 2, expected 1");
    check_among(".lua", text, ":1:24: unknown key 'titel', did you mean \"title\"?");
    check_among(".lua", text, ":2:5: setup is a number, expected a function");
    check_among(".lua", text, ":3:14: unknown key 'mov', did you mean \"move\"?");
    check(".lua", "return { api = 1, start = function() end }", 1, ":1:1: move is missing");
}

/* Checks the file NAME in the folder `folder`. */
static void check_in(const char *folder, const char *name, const char *text, const char *message) {
    char place[64] = "/tmp/ensign-test-XXXXXX", below[128], path[192];
    assert_non_null(mkdtemp(place));
    snprintf(below, sizeof below, "%s/%s", place, folder);
    snprintf(path, sizeof path, "%s/%s", below, name);
    assert_int_equal(mkdir(below, 0777), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    program_expect(PROGRAM("check", path, "-v", "duel"), 1, message);
    unlink(path);
    rmdir(below);
    rmdir(place);
}

static void a_bot_whose_move_is_misspelt_is_judged_as_a_bot(void **state) {
    (void)state;
    const char *text = "local bot = { api = 1, move = function() end }\n"
                       "function bot.mvoe(view) return 1 end\nreturn bot\n";
    check_in("bots", "typo.lua", text, ":2:14: unknown key 'mvoe', did you mean \"move\"?");
    text = "local bot = { api = 1 }\nfunction bot.mvoe(view) return 1 end\nreturn bot\n";
    check_among(".lua", text, ":2:14: unknown key 'mvoe', did you mean \"move\"?");
}

static void a_folder_says_what_a_file_without_a_table_was_meant_to_be(void **state) {
    (void)state;
    check_in("bots", "empty.lua", "", "a bot's file must return a table, not nil");
    check_in("bots", "seven.lua", "return 7\n", "a bot's file must return a table, not number");
    check_in("variants", "empty.lua", "", "(see variants/REFERENCE.md");
}

static void a_bot_that_breaks_after_the_end_is_mistaken_too(void **state) {
    (void)state;
    program_expect(PROGRAM("check", "tests/data/late.lua", "-v", "duel"), 1,
                   "tests/data/late.lua:9: in finish");
}

static void a_test_that_does_not_hold_fails_the_variant(void **state) {
    (void)state;
    check_variant("tests = { { title = 'no', position = { a4 = 'rM', f1 = 'rF', f10 = 'bF',\n"
                  "  j10 = 'b2' }, move = 'a4-a6' } }",
                  1, ":2:17: test \"no\": expected a legal move, but ");
}

static void games_for_the_balance_that_errors_leave_out_are_told(void **state) {
    (void)state;
    const char *text = "return { api = 1, extends = 'duel', tests = { { title = 'no',\n"
                       "  position = { a4 = 'rM', f1 = 'rF', f10 = 'bF', j10 = 'b2' },\n"
                       "  move = 'a4-a6' } } }";
    struct program_run run =
        PROGRAM("check", "--balance", "200", "-n", "2", console_file(0, "balance.lua", text));
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.err, "test \"no\""));
    if (!strstr(run.err, "the 200 games for the balance are left out until the errors are mended"))
        fail_msg("%s", run.err);
    program_clear(&run);
}

static void what_is_probably_not_meant_is_a_warning(void **state) {
    (void)state;
    check_variant("pieces = { flag = { loses_to = false, repels = 'all' } }", 0, "warning: ");
    check_variant("pieces = { flag = { loses_to = false, repels = 'all' } }", 0,
                  "nothing can take flag");
    check_variant("pieces = { bomb = { loses_to = false } }", 0, "nothing removes bomb");
    check_variant(
        "pieces = { spy = { beats = false, rank = -1 }, flag = { rank = 9, loses_to = false } }, combat =\n"
        "function(a, d) return a.rank > d.rank and 'attacker' or 'defender' end",
        0, "spy loses every battle that it begins");
    check_variant("pieces = { spy = { label = '10' } }", 0, "the same label \"10\"");
    check_variant("board = { walls = { 'a5-b5', 'a5-a6', 'a5-a4' } }", 0,
                  "no piece can enter or leave a5");
    check_variant("board = { ground = { camp = { 'c9', 'd2' } }, shelter = 'camp' }", 0,
                  "flag is safe on c9");
    check_variant("limits = { plies = false, no_attack = false }, two_squares = 3", 0,
                  "goes on for ever");
    check_variant("pieces = { spy = { abilities = { look = { targets = function() return {} end,\n"
                  "  resolve = function() return {} end } } } }",
                  0, "has no target from any square");
    check_variant("pieces = { spy = { abilities = { look = {\n"
                  "  targets = function(b, s, from) return b:neighbours(from) end,\n"
                  "  resolve = function() return {} end } } } }",
                  0, "never does anything");
    check_variant(
        "board = { lakes = { 'a5', 'b5', 'c5', 'd5', 'e5', 'f5', 'g5', 'h5', 'i5', 'j5',\n"
        "} }",
        0, "no piece that can take flag gets from its zone to the enemy's");
}

static void a_call_that_counts_in_a_variable_is_a_warning(void **state) {
    (void)state;
    check_variant("calls = { after_move = function(position)\n"
                  "  moves = (moves or 0) + 1\n"
                  "  if moves == 40 then return { draw = true } end end }",
                  0,
                  ":1: after_move changes the variable \"moves\", but a call remembers nothing: it "
                  "is as before at the next one (\"counters\" are the numbers that a game keeps)");
}

static void strict_fails_for_a_warning(void **state) {
    (void)state;
    const char *text = "return { api = 1, extends = 'duel', pieces = { spy = { label = '10' } } }";
    char path[64];
    program_file(path, ".lua", text, strlen(text));
    program_expect(PROGRAM("check", "--balance", "0", "-n", "0", path), 0, "warning: ");
    program_expect(PROGRAM("check", "--balance", "0", "-n", "0", "--strict", path), 1, "warning: ");
    unlink(path);
}

static json_t *check_json(const char *ending, const char *text, int exit_code) {
    char path[64];
    program_file(path, ending, text, strlen(text));
    struct program_run run = PROGRAM("check", path, "--json", "-v", "duel", "-n", "60");
    unlink(path);
    json_t *document = json_loads(run.out, 0, NULL);
    program_expect(run, exit_code, "");
    json_t *file = json_array_get(json_object_get(document, "files"), 0);
    assert_string_equal(json_string_value(json_object_get(file, "file")), path);
    assert_int_equal(json_is_true(json_object_get(file, "ok")), exit_code == 0);
    json_incref(file);
    json_decref(document);
    return file;
}

static const char *text_at(json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void json_has_every_fault_with_its_parts(void **state) {
    (void)state;
    json_t *file = check_json(".lua",
                              "return { api = 1, extends = 'duel',\n  first = 'read',\n"
                              "  army = { scot = 3 } }",
                              1);
    assert_string_equal(text_at(file, "kind"), "variant");
    json_t *faults = json_object_get(file, "faults"), *first = json_array_get(faults, 0);
    assert_int_equal(json_array_size(faults), 2);
    assert_int_equal(json_integer_value(json_object_get(first, "line")), 2);
    assert_int_equal(json_integer_value(json_object_get(first, "column")), 3);
    assert_string_equal(text_at(first, "severity"), "error");
    assert_string_equal(text_at(first, "key"), "first");
    assert_string_equal(text_at(first, "value"), "\"read\"");
    assert_string_equal(text_at(first, "expected"), "\"red\", \"blue\" or \"chosen\"");
    assert_string_equal(text_at(first, "page"), "variants/REFERENCE.md#keys");
    assert_non_null(strstr(text_at(first, "message"), "did you mean \"red\"?"));
    json_decref(file);
}

static void json_has_the_figures_of_what_passes(void **state) {
    (void)state;
    json_t *file = check_json(".lua", "return { api = 1, extends = 'duel' }", 0);
    json_t *trial = json_object_get(file, "trial"), *combat = json_object_get(file, "combat");
    assert_int_equal(json_integer_value(json_object_get(trial, "games")), 60);
    assert_true(json_real_value(json_object_get(trial, "average")) > 10);
    assert_int_equal(json_array_size(json_object_get(trial, "pieces")), 7);
    json_t *balance = json_object_get(file, "balance");
    assert_int_equal(json_integer_value(json_object_get(balance, "games")), 20000);
    assert_int_equal(json_array_size(json_object_get(balance, "quartiles")), 3);
    assert_int_equal(json_array_size(json_object_get(balance, "pieces")), 7);
    json_t *score = json_object_get(json_object_get(balance, "first"), "score");
    assert_true(json_real_value(score) > 0.48 && json_real_value(score) < 0.52);
    assert_string_equal(text_at(json_object_get(combat, "spy"), "marshal"), "attacker");
    json_decref(file);
    file = check_json(".txt", "M..2....../...9..2.../3.S......3/....BFB...\n", 0);
    assert_string_equal(text_at(file, "kind"), "setups");
    assert_int_equal(json_integer_value(json_object_get(file, "setups")), 1);
    json_decref(file);
    file = check_json(".rec", "1. a4-a5 ]\n2. }\n", 1);
    assert_string_equal(text_at(file, "kind"), "record");
    assert_int_equal(json_array_size(json_object_get(file, "faults")), 4); /* and no set-ups */
    json_decref(file);
}

static void the_same_seed_gives_the_same_figures(void **state) {
    (void)state;
    char first[1 << 14];
    struct program_run run =
        PROGRAM("check", "--balance", "300", "-n", "20", "--seed", "7", "variants/galaxy-duel.lua");
    snprintf(first, sizeof first, "%s", run.out);
    program_expect(run, 0, "");
    run =
        PROGRAM("check", "--balance", "300", "-n", "20", "--seed", "7", "variants/galaxy-duel.lua");
    assert_string_equal(first, run.out);
    program_expect(run, 0, "");
    run =
        PROGRAM("check", "--balance", "300", "-n", "20", "--seed", "8", "variants/galaxy-duel.lua");
    assert_string_not_equal(first, run.out);
    program_expect(run, 0, "");
}

static void set_ups_are_counted_or_the_wrong_ones_named(void **state) {
    (void)state;
    check(".txt", "M..2....../...9..2.../3.S......3/....BFB...\n", 0, "");
    check(".txt", "M..2......\n...9..2...\n3.S......3\n....BFB...\n", 0, "");
    check(".txt", "M..2....../...9..2.../3.S......3/....BFB...\n7 M...", 1, ":2:");
    const char *two = "M..2....../...9..2.../3.S......3/....BXB...\nM/../././.\n";
    check_among(".txt", two, ":1:");
    check_among(".txt", two, ":2:");
    check(".txt", "M..2....../...9..2.../3.S......3/....BF....\n", 1, "bomb");
    check(".txt", "M..2....../...9..2.../3.S......3/....B.B...\n", 1, "flag");
    check(".txt", "M..2....../...9..2.../3.S......3/....BFB7..\n", 1, "\"7\"");
    check(".txt", "", 1, "holds no set-up");
    check(".txt", "\x01\x02\x03\xff", 1, ":1:1");
}

static void records_are_judged(void **state) {
    (void)state;
    check(".rec",
          "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
          "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n1. a4-a5",
          0, "");
    check_among(".rec", "1. a4-a5 ]", ":1:10: found \"]\"");
    const char *two = "[RedSetup \"MMM\"]\n[BlueSetup \"9\"]\n[Limits \"some\"]\n1. a4-a5\n";
    check_among(".rec", two, ":1:");
    check_among(".rec", two, ":2:");
    check_among(".rec", two, ":3:");
    check_among(".rec", "1. a4-a5 ]\n2. a5-a6 }", ":2:10: found \"}\"");
}

static void of_a_record_nothing_is_told_that_was_found_of_the_one_before_it(void **state) {
    (void)state;
    static const char good[] = "[Variant \"duel\"]\n"
                               "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
                               "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
                               "1. a4-a5\n";
    /* By duel's rules its set-up would be wrong too. */
    static const char *const wrong[] = {"[Variant \"duel\"]\n",
                                        "[Variant \"x/y\"]\n[RedSetup \"FFF\"]\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char first[64], second[64];
        program_file(first, ".rec", good, sizeof good - 1);
        program_file(second, ".rec", wrong[i], strlen(wrong[i]));
        struct program_run alone = PROGRAM("check", "--balance", "300", "--json", second);
        struct program_run both = PROGRAM("check", "--balance", "300", "--json", first, second);
        unlink(first);
        unlink(second);
        json_t *one = json_loads(alone.out, 0, NULL), *two = json_loads(both.out, 0, NULL);
        program_expect(alone, 1, "");
        program_expect(both, 1, "");
        json_t *expected = json_array_get(json_object_get(one, "files"), 0);
        json_t *told = json_array_get(json_object_get(two, "files"), 1);
        assert_non_null(expected);
        assert_null(json_object_get(expected, "plies"));
        if (!json_equal(told, expected)) fail_msg("%s", json_dumps(told, 0));
        json_decref(one);
        json_decref(two);
    }
}

static void broken_lua_is_named_with_its_line(void **state) {
    (void)state;
    check(".lua", "return {\n  api = 1,,\n}\n", 1, ":2: ");
    check(".lua", "\n\nerror 'no'\n", 1, ":3: ");
    check(".lua", "return 7\n", 1, "7");
    check(".lua", "", 1, "table");
    check(".lua", "\x1bLua\x01", 1, "binary");
    check(".lua", "while true do end", 1, "fuel");
    check(".lua", "return { api = 1, extends = 'duel', titel = 'x' }", 1, "did you mean \"title\"");
    check(".lua", "return { api = 1, extends = 'duel', army = { marshal = 60 } }", 1,
          "army of 69 pieces");
}

static void who_plays_a_wrong_variant_is_told_the_first_fault_and_where_the_others_are(
    void **state) {
    (void)state;
    const char *text = "return { api = 1, extends = 'duel', first = 'x', chase = 'y' }";
    char path[64];
    program_file(path, ".lua", text, strlen(text));
    struct program_run run = PROGRAM("show", path);
    assert_non_null(strstr(run.err, "first is \"x\""));
    assert_null(strstr(run.err, "chase is"));
    expect_among(run, 1, "and 1 more; \"" ENSIGN_PROGRAM " check ");
    unlink(path);
}

static void a_base_that_is_not_there_is_a_fault_of_the_file(void **state) {
    (void)state;
    check(".lua", "return { api = 1, extends = 'duell' }", 1, "did you mean \"duel\"?");
}

static void wrong_use_is_exit_code_2(void **state) {
    (void)state;
    program_expect(PROGRAM("check"), 2, "a file is expected");
    program_expect(PROGRAM("check", "nothing.lua"), 2, "nothing.lua: no such file");
    program_expect(PROGRAM("check", "LICENSE"), 2, "LICENSE: a name that ends in");
    program_expect(PROGRAM("check", "-x"), 2, "unknown option \"-x\"");
}

static void the_worst_of_several_files_decides_the_exit_code(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("check", "tests/data/mistaken.lua", "bots/rookie.lua", "-v", "duel");
    assert_non_null(strstr(run.out, "rookie.lua: bot"));
    program_expect(run, 1, "mistaken.lua");
}

static void a_registered_program_is_checked_by_its_name(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-check-XXXXXX", path[128];
    assert_non_null(mkdtemp(folder));
    setenv("XDG_DATA_HOME", folder, 1);
    snprintf(path, sizeof path, "mkdir -p %s/ensign/programs", folder);
    assert_int_equal(system(path), 0);
    snprintf(path, sizeof path, "%s/ensign/programs/liar.toml", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "command = \"%s -\"\noptions = \"ok ok '{'\"\n", ENSIGN_ACTOR);
    fclose(file);
    struct program_run run =
        PROGRAM("check", "liar", "-v", "duel", "--positions", "20", "--deadline", "200", "--json");
    json_t *document = json_loads(run.out, 0, NULL);
    const json_t *checked = json_array_get(json_object_get(document, "files"), 0);
    assert_string_equal(json_string_value(json_object_get(checked, "kind")), "program");
    assert_true(json_is_false(json_object_get(checked, "ok")));
    const json_t *found = json_array_get(json_object_get(checked, "found"), 0);
    assert_string_equal(json_string_value(json_object_get(found, "variant")), "duel");
    assert_non_null(json_string_value(json_object_get(found, "position")));
    json_decref(document);
    program_expect(run, 1, "");
    unsetenv("XDG_DATA_HOME");
    snprintf(path, sizeof path, "rm -rf %s", folder);
    assert_int_equal(system(path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stock_variants_pass_and_tell_of_their_trial_games),
        cmocka_unit_test(balance_games_are_as_many_as_are_asked_for),
        cmocka_unit_test(bots_are_told_from_variants_and_play_themselves),
        cmocka_unit_test(a_bot_or_set_ups_are_checked_with_a_variant_that_they_fit),
        cmocka_unit_test(all_that_is_wrong_with_a_variant_is_told_in_one_run),
        cmocka_unit_test(all_that_is_wrong_with_a_bot_is_told_in_one_run),
        cmocka_unit_test(a_bot_whose_move_is_misspelt_is_judged_as_a_bot),
        cmocka_unit_test(a_folder_says_what_a_file_without_a_table_was_meant_to_be),
        cmocka_unit_test(a_bot_that_breaks_after_the_end_is_mistaken_too),
        cmocka_unit_test(a_test_that_does_not_hold_fails_the_variant),
        cmocka_unit_test(games_for_the_balance_that_errors_leave_out_are_told),
        cmocka_unit_test(what_is_probably_not_meant_is_a_warning),
        cmocka_unit_test(a_call_that_counts_in_a_variable_is_a_warning),
        cmocka_unit_test(strict_fails_for_a_warning),
        cmocka_unit_test(json_has_every_fault_with_its_parts),
        cmocka_unit_test(json_has_the_figures_of_what_passes),
        cmocka_unit_test(the_same_seed_gives_the_same_figures),
        cmocka_unit_test(set_ups_are_counted_or_the_wrong_ones_named),
        cmocka_unit_test(records_are_judged),
        cmocka_unit_test(of_a_record_nothing_is_told_that_was_found_of_the_one_before_it),
        cmocka_unit_test(broken_lua_is_named_with_its_line),
        cmocka_unit_test(
            who_plays_a_wrong_variant_is_told_the_first_fault_and_where_the_others_are),
        cmocka_unit_test(a_base_that_is_not_there_is_a_fault_of_the_file),
        cmocka_unit_test(wrong_use_is_exit_code_2),
        cmocka_unit_test(a_registered_program_is_checked_by_its_name),
        cmocka_unit_test(the_worst_of_several_files_decides_the_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
