/* `ensign trace`: a bot asked again at one ply, told nothing but its side's view. */
#include "match_folder.h"
#include "program.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/ensign-test-XXXXXX", record[64], talker[64];

/* A game of two stock bots as `play` writes it, and a bot that prints all it can know. */
static int make_files(void **state) {
    (void)state;
    static const char talks[] = "local bot = { api = 1 }\n"
                                "print('read')\n"
                                "function bot.start(view) view:log('start', view) end\n"
                                "function bot.observe(view, event) view:log(event) end\n"
                                "function bot.move(view)\n"
                                "  print(view, view:table(), view:history(), view:fuel())\n"
                                "  local game = view:sample()\n"
                                "  for _, enemy in ipairs(view:enemies()) do\n"
                                "    print(enemy, view:may_be(enemy), view:start_of(enemy))\n"
                                "  end\n"
                                "  local sum = 0\n"
                                "  for i = 1, 50000 do sum = sum + i end\n"
                                "  return view:moves()[1]\n"
                                "end\n"
                                "return bot\n";
    if (!mkdtemp(folder)) return 1;
    snprintf(record, sizeof record, "%s/game.rec", folder);
    program_file(talker, ".lua", talks, strlen(talks));
    struct program_run run = PROGRAM("play", "duel", "--red", "raider", "--blue", "hunter",
                                     "--plain", "--seed", "6", "-o", record);
    bool played = !run.exit_code;
    program_clear(&run);
    return !played;
}

static int remove_files(void **state) {
    (void)state;
    unlink(record);
    unlink(talker);
    return rmdir(folder);
}

static void a_bot_that_played_the_game_makes_the_same_moves_again(void **state) {
    (void)state;
    static const char *const plies[] = {"1", "2", "5", "6", "9", "10"};
    for (int i = 0; i < 6; i++) {
        struct program_run run =
            PROGRAM("trace", record, i % 2 ? "hunter" : "raider", "--ply", plies[i]);
        assert_int_equal(run.exit_code, 0);
        assert_non_null(strstr(run.out, i % 2 ? "blue's view after" : "red's view after"));
        assert_non_null(strstr(run.out, ", as in the record\nfuel: "));
        program_clear(&run);
    }
}

static json_t *traced(const char *bot, const char *ply, const char *option) {
    struct program_run run = PROGRAM("trace", record, bot, "--ply", ply, "--json", option);
    json_t *document = json_loads(run.out, 0, NULL);
    assert_non_null(document);
    program_clear(&run);
    return document;
}

static json_int_t fuel_of(const json_t *document) {
    return json_integer_value(json_object_get(document, "fuel"));
}

static void json_and_a_profile_tell_the_same_fuel(void **state) {
    (void)state;
    const char *move, *played, *side;
    int same, ply;
    json_t *plain = traced("hunter", "6", NULL), *with = traced("hunter", "6", "--profile");
    json_t *trusted = traced("hunter", "6", "--trust");
    assert_int_equal(json_unpack(plain, "{s:s, s:s, s:s, s:b, s:i}", "move", &move, "record",
                                 &played, "side", &side, "same", &same, "ply", &ply),
                     0);
    assert_string_equal(move, played);
    assert_string_equal(side, "blue");
    assert_true(same && ply == 6 && fuel_of(plain) > 0);
    assert_int_equal(fuel_of(plain), fuel_of(with));
    assert_int_equal(fuel_of(plain), fuel_of(trusted));
    const json_t *profile = json_object_get(with, "profile"), *line;
    const json_t *lines = json_object_get(profile, "lines");
    json_int_t all = fuel_of(profile), sum = 0;
    size_t index;
    json_array_foreach(lines, index, line) sum += fuel_of(line);
    assert_true(json_array_size(lines) > 5 && sum <= all);
    assert_in_range(all, fuel_of(with), fuel_of(with) + 1000); /* fuel is taken by thousands */
    json_decref(plain);
    json_decref(with);
    json_decref(trusted);
}

static void a_profile_names_the_line_and_shows_it(void **state) {
    (void)state;
    struct program_run run = PROGRAM("trace", record, talker, "--ply", "3", "--profile");
    const char *table = strstr(run.out, "fuel by line, ");
    assert_non_null(table);
    const char *line = strstr(table, ".lua:12  for i = 1, 50000 do sum = sum + i end\n");
    assert_non_null(line);
    assert_true(line < strchr(strchr(table, '\n') + 1, '\n')); /* it is the greatest */
    assert_non_null(
        strstr(line, "\n(the table counts each instruction, fuel only whole thousands"));
    program_clear(&run);
}

static void a_log_is_shown_for_the_move_and_on_request_from_the_start(void **state) {
    (void)state;
    struct program_run run = PROGRAM("trace", record, talker, "--ply", "3"),
                       more = PROGRAM("trace", record, talker, "--ply", "3", "--verbose");
    assert_non_null(strstr(run.out, "\n| red's view after ply 2, red to move\n"));
    assert_null(strstr(run.out, "| read"));
    assert_non_null(strstr(more.out, "0 load | read\n"));
    assert_non_null(strstr(more.out, "\n1 observe | {from = "));
    program_clear(&run);
    program_clear(&more);
}

/* What the talker tells at ply 3 of this game, `move` being red's at ply 1. */
static char *told(const char *red, const char *blue, const char *option) {
    char text[512], path[64];
    snprintf(text, sizeof text,
             "[Variant \"duel\"]\n[Red \"a\"]\n[Blue \"b\"]\n[Seed \"7\"]\n[RedSetup \"%s\"]\n"
             "[BlueSetup \"%s\"]\n[Result \"*\"]\n\n1. a4-a5 a7-a6\n",
             red, blue);
    program_file(path, ".rec", text, strlen(text));
    struct program_run run =
        PROGRAM("trace", path, talker, "--ply", "3", "--verbose", "--json", option);
    assert_int_equal(run.exit_code, 0);
    unlink(path);
    json_t *document = json_loads(run.out, 0, NULL);
    json_object_del(document, "ms"); /* the clock's */
    char *dumped = json_dumps(document, 0);
    json_decref(document);
    program_clear(&run);
    assert_non_null(dumped);
    return dumped;
}

static void no_byte_depends_on_hidden_ranks(void **state) {
    (void)state;
    static const char red[] = "M..2....../...9..2.../3.S......3/....BFB...";
    static const char *const options[] = {NULL, "--trust", "--profile"};
    for (int i = 0; i < 3; i++) {
        char *first = told(red, "3..2.....M/...9..2.../3.S......./....BFB...", options[i]);
        char *second = told(red, "2..9.....3/...2..M.../B.3......./....SFB...", options[i]);
        char *other = told("M..2....../...S..2.../3.9......3/....BFB...",
                           "2..9.....3/...2..M.../B.3......./....SFB...", options[i]);
        assert_string_equal(first, second);
        assert_string_not_equal(first, other);
        free(first);
        free(second);
        free(other);
    }
}

/* The argument of a match's games. */
static const char *game_of(const char *match, int number) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%04d.rec", match, number);
    return path;
}

static void expect_trace(const char *path, const char *bot, int ply, const char *seed,
                         const char *said) {
    char number[16];
    snprintf(number, sizeof number, "%d", ply);
    struct program_run run =
        PROGRAM("trace", path, bot, "--ply", number, seed ? "--seed" : NULL, seed);
    if (!strstr(run.out, said)) fail_msg("%s, ply %d: %s%s", path, ply, run.out, run.err);
    program_clear(&run);
}

/* Draws each move, by numbers that its set-up draws from too. */
static const char DRAWS[] =
    "return { api = 1,\n"
    "  setup = function(view) math.random() return view:random_setup() end,\n"
    "  move = function(view)\n"
    "    local moves, used = view:moves(), 0\n"
    "    while view:fuel() > 100000 do used = used + view:random(3) end\n"
    "    return moves[(math.random(#moves) + used) % #moves + 1]\n"
    "  end }\n";

static void expect_as_played(const char *option, const char *value) {
    char match[MATCH_FOLDER_MAX], bot[64];
    match_folder_make(match);
    program_file(bot, ".lua", DRAWS, strlen(DRAWS));
    program_expect(PROGRAM("match", bot, "rookie", "-v", "duel", "-n", "4", "--fuel", "200000",
                           "--seed", "3", "-o", match, option, value),
                   0, "");
    for (int number = 1; number <= 4; number++) {
        size_t length;
        char *text = match_folder_file(match, game_of(match, number) + strlen(match) + 1, &length);
        const bool is_red = strstr(text, "[Red \"rookie") == NULL;
        for (int ply = 1; ply <= 8; ply++) {
            struct program_run run = PROGRAM("trace", game_of(match, number), bot, "--ply",
                                             (char[]){(char)('0' + ply), 0});
            bool red = strstr(run.out, "red's view") != NULL;
            if (red == is_red && !strstr(run.out, ", as in the record\n"))
                fail_msg("game %d, ply %d: %s%s", number, ply, run.out, run.err);
            assert_non_null(strstr(run.out, "random numbers: as in game "));
            program_clear(&run);
        }
        free(text);
    }
    match_folder_remove(match);
    unlink(bot);
}

static void a_bot_of_a_match_decides_as_it_did(void **state) {
    (void)state;
    expect_as_played(NULL, NULL);
    expect_as_played("--setups", "random");
}

static void what_is_missing_of_a_match_is_said(void **state) {
    (void)state;
    char match[MATCH_FOLDER_MAX], alone[128], store[128];
    match_folder_make(match);
    program_expect(PROGRAM("match", "raider", "hunter", "-v", "duel", "-n", "2", "--seed", "3",
                           "--clock", "60+1", "-o", match),
                   0, "");
    const char *path = game_of(match, 2);
    expect_trace(path, "hunter", 3, NULL, "as in game 2 of the match\nthe match had a clock; ");
    expect_trace(path, "hunter", 3, "3", "as in game 2 of the match\n");
    expect_trace(path, "hunter", 3, "4", "random numbers: others than in the match: its seed is");
    snprintf(alone, sizeof alone, "%s/match.sqlite", match);
    snprintf(store, sizeof store, "%s/gone", match);
    assert_int_equal(rename(alone, store), 0);
    expect_trace(path, "hunter", 3, NULL, "random numbers: of the record's seed, as in a game of");
    expect_trace(record, "hunter", 2, NULL, "random numbers: of the record's seed, as in a game");
    match_folder_remove(match);
}

/* A stranger may have written it. */
static void limits_that_no_match_can_have_are_told_and_not_believed(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"memory", "1"},   {"memory", "1048575"}, {"memory", "68719476737"},
        {"fuel", "999"},   {"fuel", "0"},         {"fuel", "18446744073709551615"},
        {"memory", "NaN"}, {"fuel", "0x1000"},    {"fuel", "-5000"},
    };
    char match[MATCH_FOLDER_MAX];
    match_folder_make(match);
    program_expect(
        PROGRAM("match", "raider", "hunter", "-v", "duel", "-n", "2", "--seed", "3", "-o", match),
        0, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sql[256], said[128];
        snprintf(sql, sizeof sql,
                 "UPDATE meta SET value = '200000000' WHERE key IN ('memory', 'fuel');"
                 "UPDATE meta SET value = '%s' WHERE key = '%s'",
                 cases[i][1], cases[i][0]);
        free(match_folder_query(match, sql));
        snprintf(said, sizeof said, "match.sqlite: \"%s\" is ", cases[i][0]);
        program_expect(PROGRAM("trace", game_of(match, 1), "raider", "--ply", "1"), 1, said);
    }
    match_folder_remove(match);
}

static void what_goes_wrong_is_said(void **state) {
    (void)state;
    static const char fails[] = "return { api = 1, move = function() return x.y end }\n";
    static const char wrong[] = "return { api = 1, move = function() return 'a1-a9' end }\n";
    char path[64];
    program_file(path, ".lua", fails, strlen(fails));
    program_expect(PROGRAM("trace", record, path, "--ply", "2"), 1, "in move: attempt to index");
    unlink(path);
    program_file(path, ".lua", wrong, strlen(wrong));
    program_expect(PROGRAM("trace", record, path, "--ply", "2"), 1, "a1-a9: ");
    unlink(path);
    program_expect(PROGRAM("trace", record, "hunter", "--ply", "9999"), 2, "ply 9999: the record");
    program_expect(PROGRAM("trace", record, "json:cat", "--deadline", "300"), 1,
                   "no set-up within");
    program_expect(PROGRAM("trace", "/tmp/none.rec", "hunter"), 2, "/tmp/none.rec");
    program_expect(PROGRAM("trace", record), 2, "a bot");
}

static void check_tells_where_the_fuel_of_a_variant_went(void **state) {
    (void)state;
    static const char text[] = "return { api = 1, extends = 'duel', title = 'T',\n"
                               "  calls = { ending = function (p)\n"
                               "    local n = 0\n"
                               "    for i = 1, 100 do n = n + i end\n"
                               "  end } }\n";
    char path[64];
    program_file(path, ".lua", text, strlen(text));
    struct program_run run = PROGRAM("check", path, "-n", "5", "--balance", "0", "--profile");
    assert_int_equal(run.exit_code, 0);
    const char *table = strstr(run.out, "fuel by line, ");
    assert_non_null(table);
    const char *line = strstr(table, ".lua:4  for i = 1, 100 do n = n + i end\n");
    assert_non_null(line);
    assert_true(line < strchr(strchr(table, '\n') + 1, '\n'));
    program_clear(&run);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bot_that_played_the_game_makes_the_same_moves_again),
        cmocka_unit_test(json_and_a_profile_tell_the_same_fuel),
        cmocka_unit_test(a_profile_names_the_line_and_shows_it),
        cmocka_unit_test(a_log_is_shown_for_the_move_and_on_request_from_the_start),
        cmocka_unit_test(no_byte_depends_on_hidden_ranks),
        cmocka_unit_test(a_bot_of_a_match_decides_as_it_did),
        cmocka_unit_test(what_is_missing_of_a_match_is_said),
        cmocka_unit_test(limits_that_no_match_can_have_are_told_and_not_believed),
        cmocka_unit_test(what_goes_wrong_is_said),
        cmocka_unit_test(check_tells_where_the_fuel_of_a_variant_went),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
