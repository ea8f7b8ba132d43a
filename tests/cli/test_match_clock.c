/* A clock in matches: fuel for Lua bots, time for programs. */
#include "console.h"
#include "match_folder.h"
#include "program.h"

#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char folder[2][MATCH_FOLDER_MAX], script[64], program[64 + 16];

static int make_folders(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) match_folder_make(folder[i]);
    return 0;
}

static int remove_folders(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) match_folder_remove(folder[i]);
    if (script[0]) remove(script);
    script[0] = 0;
    return 0;
}

static void write_script(const char *ending, const char *text) {
    program_file(script, ending, text, strlen(text));
    snprintf(program, sizeof program, "json:python3 %s", script);
}

/* The text of the first record of the match in folder[0]; the caller frees. */
static char *first_record(void) {
    char path[MATCH_FOLDER_MAX + 16];
    snprintf(path, sizeof path, "%s/0001.rec", folder[0]);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    return program_text(file);
}

/* Plays two games of the script against rookie; in each it forfeits for `reason`, and the messages
 * hold `why`. */
static void assert_forfeits(const char *player, const char *clock, const char *reason,
                            const char *why) {
    struct program_run run = PROGRAM("match", player, "rookie", "-v", "duel", "-n", "2", "--seed",
                                     "3", "--clock", clock, "--json", "-o", folder[0]);
    json_t *document = json_loads(run.out, 0, NULL);
    if (!document) fail_msg("%s", run.err);
    json_t *forfeits =
        json_object_get(json_array_get(json_object_get(document, "players"), 0), "forfeits");
    if (json_integer_value(json_object_get(forfeits, reason)) != 2)
        fail_msg("%s%s", run.out, run.err);
    if (!strstr(run.err, why)) fail_msg("%s", run.err);
    assert_int_equal(run.exit_code, 1);
    json_decref(document);
    program_clear(&run);
}

static void the_same_games_are_played_for_any_jobs_and_after_an_interruption(void **state) {
    (void)state;
    static const char clock[] = "0.002";
    static const char *const ways[][3] = {{"-j", "1", NULL}, {"-j", "3", NULL}, {"--trust", NULL}};
    /* So little that hunter must lose by it. */
    struct program_run whole = PROGRAM("match", "hunter", "raider", "-v", "duel", "-n", "40",
                                       "--seed", "3", "--json", "--clock", clock, "-o", folder[0]);
    json_t *document = json_loads(whole.out, 0, NULL);
    if (!document) fail_msg("%s", whole.err);
    json_t *forfeits =
        json_object_get(json_array_get(json_object_get(document, "players"), 0), "forfeits");
    assert_true(json_integer_value(json_object_get(forfeits, "forfeit-time")) > 0);
    json_decref(document);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct program_run run =
            PROGRAM("match", "hunter", "raider", "-v", "duel", "-n", "40", "--seed", "3", "--json",
                    "--clock", clock, ways[i][0], ways[i][1]);
        assert_string_equal(run.out, whole.out);
        program_clear(&run);
    }
    const char *const begin[] = {"match", "hunter", "raider",  "-v",       "duel",
                                 "-n",    "40",     "--seed",  "3",        "--clock",
                                 clock,   "-o",     folder[1], "--events", NULL};
    struct program_run cut = program_signal(begin, 10, SIGKILL);
    assert_int_equal(cut.exit_code, 128 + SIGKILL);
    program_clear(&cut);
    struct program_run again = PROGRAM("match", "--resume", "-o", folder[1], "--json");
    assert_string_equal(again.out, whole.out);
    match_folder_assert_same(folder[0], folder[1]);
    program_clear(&again);
    program_clear(&whole);
}

static void a_bot_that_thinks_too_much_in_all_forfeits_and_the_record_says_so(void **state) {
    (void)state;
    /* A million instructions a move: less than a call may take. */
    write_script(".lua", "return { api = 1, move = function(view)\n"
                         "  if view:ply() >= 1000000 then return end\n"
                         "  for _ = 1, 1000000 do end\n"
                         "  return view:moves()[1]\n"
                         "end }\n");
    assert_forfeits(script, "0.055", "forfeit-time",
                    "no time left on the clock of red, which began with 0.055 seconds (ply 11)");
    char *record = first_record();
    assert_non_null(strstr(record, "[Clock \"0.055\"]\n"));
    assert_non_null(strstr(record, "[Reason \"forfeit-time\"]\n"));
    assert_non_null(strstr(record, "[Forfeit \"no time left on the clock of red"));
    assert_non_null(strstr(record, " 5. "));
    assert_null(strstr(record, " 6. "));
    free(record);
    char path[MATCH_FOLDER_MAX + 16];
    snprintf(path, sizeof path, "%s/0001.rec", folder[0]);
    program_expect(PROGRAM("replay", "--verify", path), 0, "");
}

static void an_endless_loop_costs_no_more_than_the_clock(void **state) {
    (void)state;
    write_script(".lua", "return { api = 1, move = function() while true do end end }\n");
    assert_forfeits(script, "0.01+5", "forfeit-time", "(ply 1)");
    match_folder_remove(folder[0]);
    match_folder_make(folder[0]);
    /* With more time than a call may take. */
    assert_forfeits(script, "60", "forfeit-fuel", "out of fuel: more than 50000000 instructions");
}

/* In each instruction a million steps of Lua's own, which no hook sees. */
static void comparing_long_texts_is_paid_with_fuel(void **state) {
    (void)state;
    write_script(".lua", "local zeros = ('\\0'):rep((1 << 20) - 8)\n"
                         "local one, other = zeros .. 'a', zeros .. 'b'\n"
                         "return { api = 1, move = function()\n"
                         "  while one < other do end\n"
                         "end }\n");
    assert_forfeits(script, "60", "forfeit-fuel", "out of fuel: more than 50000000 instructions");
}

static void what_a_bot_thinks_while_it_observes_counts_too(void **state) {
    (void)state;
    write_script(".lua", "local bot = { api = 1 }\n"
                         "function bot.observe() for _ = 1, 2000000 do end end\n"
                         "function bot.move(view) return view:moves()[1] end\n"
                         "return bot\n");
    assert_forfeits(script, "0.1", "forfeit-time", "no time left on the clock of red");
}

static void a_bot_knows_what_is_left_on_its_clock(void **state) {
    (void)state;
    static const char text[] = "local bot, before, finished = { api = 1 }\n"
                               "function bot.start(view)\n"
                               "  local left, more = view:clock()\n"
                               "  assert(left == 0.2 and more == 0.025)\n"
                               "end\n"
                               "function bot.move(view)\n"
                               "  local left, more = view:clock()\n"
                               "  assert(more == 0.025 and view:fuel() <= left * 100e6)\n"
                               "  assert(view:fuel() > left * 100e6 - 100100)\n"
                               "  if before then\n"
                               "    local used = before + more - left\n"
                               "    assert(used > 0.0389 and used < 0.0411, used)\n"
                               "  elseif view:ply() < 2 then\n"
                               "    assert(left == 0.2)\n"
                               "  end\n"
                               "  before = left\n"
                               "  for _ = 1, 4000000 do end\n"
                               "  local moves = view:moves()\n"
                               "  return moves[1 + #moves // 2]\n"
                               "end\n"
                               "return bot\n";
    write_script(".lua", text);
    /* 0.2, 0.185 … 0.05, 0.035: the twelfth move cannot be paid for. */
    assert_forfeits(script, "0.2+0.025", "forfeit-time", "(ply 23)");
    static const char none[] = "return { api = 1, move = function(view)\n"
                               "  assert(view:clock() == nil and view:fuel() > 49e6)\n"
                               "  return view:moves()[1]\n"
                               "end }\n";
    remove(script);
    write_script(".lua", none);
    program_expect(PROGRAM("match", script, "rookie", "-v", "duel", "-n", "2", "--seed", "3"), 0,
                   "");
}

static void a_bot_that_looks_ahead_shares_its_clock_out_among_its_moves(void **state) {
    (void)state;
    /* Without a clock it would look for 40 million instructions; all else takes less than half a
     * million. */
    static const char text[] =
        "local bot = require 'toolkit.admiral' { fuel = 40000000 }\n"
        "local move, turns, looked = bot.move, 0, 0\n"
        "function bot.move(view)\n"
        "  local left, more = view:clock()\n"
        "  local before = view:fuel()\n"
        "  local chosen = move(view)\n"
        "  local used, share = before - view:fuel(), 100e6 * (left / 40 + more)\n"
        "  assert(used < share + 500000, used)\n"
        "  turns = turns + 1\n"
        "  if used > share / 2 then looked = looked + 1 end\n"
        "  return chosen\n"
        "end\n"
        "function bot.finish(view) assert(3 * looked >= turns, looked) end\n"
        "return bot\n";
    write_script(".lua", text);
    program_expect(PROGRAM("match", script, "seer", "-v", "duel", "-n", "4", "--seed", "3",
                           "--clock", "0.5+0.01"),
                   0, "");
}

static void a_program_is_told_the_clocks_and_loses_by_its_own(void **state) {
    (void)state;
    static const char text[] =
        "import json, sys\n"
        "def say(o):\n"
        "    print(json.dumps(o), flush=True)\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'game':\n"
        "        assert m['clock'] == {'red': 2000, 'blue': 2000}, m['clock']\n"
        "        me = m['side']\n"
        "        other = 'blue' if me == 'red' else 'red'\n"
        "    elif m['type'] == 'setup':\n"
        "        say({'type': 'setup', 'setup': None})\n"
        "    elif m['type'] == 'move':\n"
        "        assert 0 < m['clock'][me] <= 2000 and m['clock'][other] == 2000, m['clock']\n"
        "        if m['ply'] < 4:\n"
        "            say({'type': 'move', 'move': m['moves'][0]})\n";
    write_script(".py", text);
    assert_forfeits(program, "2", "forfeit-time", "no time left on the clock of red");
    char *record = first_record();
    assert_non_null(strstr(record, "\n1. "));
    free(record);
}

static void a_clock_that_cannot_be_read_is_refused(void **state) {
    (void)state;
    program_expect(PROGRAM("match", "rookie", "rookie", "--clock", "5:00"), 2,
                   "--clock: \"5:00\" is no clock; expected SECONDS or SECONDS+INCREMENT, as in "
                   "60+0.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            the_same_games_are_played_for_any_jobs_and_after_an_interruption, make_folders,
            remove_folders),
        cmocka_unit_test_setup_teardown(
            a_bot_that_thinks_too_much_in_all_forfeits_and_the_record_says_so, make_folders,
            remove_folders),
        cmocka_unit_test_setup_teardown(an_endless_loop_costs_no_more_than_the_clock, make_folders,
                                        remove_folders),
        cmocka_unit_test_setup_teardown(comparing_long_texts_is_paid_with_fuel, make_folders,
                                        remove_folders),
        cmocka_unit_test_setup_teardown(what_a_bot_thinks_while_it_observes_counts_too,
                                        make_folders, remove_folders),
        cmocka_unit_test_setup_teardown(a_bot_knows_what_is_left_on_its_clock, make_folders,
                                        remove_folders),
        cmocka_unit_test_setup_teardown(a_bot_that_looks_ahead_shares_its_clock_out_among_its_moves,
                                        make_folders, remove_folders),
        cmocka_unit_test_setup_teardown(a_program_is_told_the_clocks_and_loses_by_its_own,
                                        make_folders, remove_folders),
        cmocka_unit_test(a_clock_that_cannot_be_read_is_refused),
    };
    return cmocka_run_group_tests_name("match/clock", tests, NULL, NULL);
}
