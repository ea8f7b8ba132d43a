/* `ensign trace`: a bot asked again at one ply, told nothing but its side's view. */
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
    program_expect(PROGRAM("trace", record, "json:cat"), 2, "a bot in Lua is expected");
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
        cmocka_unit_test(what_goes_wrong_is_said),
        cmocka_unit_test(check_tells_where_the_fuel_of_a_variant_went),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
