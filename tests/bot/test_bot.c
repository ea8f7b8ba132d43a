/* The form of a bot's file, its calls, and the kinds of its failures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bot_table *table;

static int open_table(void **state) {
    (void)state;
    table = bot_table_open("original");
    bot_table_place(table, "rFa1 rMe3 r3e4 bFj10 b9j9 bBj8 b4e5 red");
    return 0;
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

static struct bot *load(const char *text) {
    return bot_table_bot(table, text, SANDBOX_DEFAULTS);
}

static struct bot *load_good(const char *text) {
    struct bot *bot = load(text);
    if (!bot) fail_msg("%s", table->fault.text);
    return bot;
}

static void assert_contains(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("'%s' does not hold '%s'", text, part);
}

/* Loading this text fails with a fault that names the file and holds `part`. */
static void assert_refused(const char *text, const char *part) {
    struct bot *bot = load(text);
    assert_null(bot);
    assert_int_equal(table->fault.status, STATUS_SCRIPT);
    assert_contains(table->fault.text, part);
    assert_contains(table->fault.file, "probe.lua");
}

/* Asking this bot for a move fails with that status and a text that holds `part`. */
static void assert_fails(const char *text, struct sandbox_limits limits, enum status status,
                         const char *part) {
    struct bot *bot = bot_table_bot(table, text, limits);
    if (!bot) fail_msg("%s", table->fault.text);
    struct bot_answer answer;
    assert_false(bot_table_ask(table, bot, &answer));
    assert_string_equal(status_name(table->fault.status), status_name(status));
    assert_contains(table->fault.text, part);
    assert_contains(table->fault.file, "probe.lua");
    bot_free(bot);
}

static void an_unknown_key_is_refused_with_the_nearest_known_one(void **state) {
    (void)state;
    assert_refused("return { api = 1, mvoe = function() end }", "unknown key 'mvoe'");
    assert_contains(table->fault.text, "did you mean");
    assert_contains(table->fault.text, "move");
}

static void the_first_of_several_unknown_keys_is_named(void **state) {
    (void)state;
    assert_refused("return { api = 1, zebra = 1, apple = 2, mango = 3 }", "unknown key 'apple'");
}

static void a_bot_without_move_is_refused(void **state) {
    (void)state;
    assert_refused("return { api = 1 }", "move is missing");
}

static void a_bot_without_api_or_of_another_one_is_refused(void **state) {
    (void)state;
    assert_refused("return { move = function() end }", "api is missing");
    assert_refused("return { api = 2, move = function() end }", "api is 2, expected 1");
}

static void a_callback_that_is_no_function_is_refused(void **state) {
    (void)state;
    assert_refused("return { api = 1, move = 5 }", "move is a number, expected a function");
}

static void a_level_is_one_of_the_words(void **state) {
    (void)state;
    assert_refused("return { api = 1, level = 'hrad', move = function() end }",
                   "level is \"hrad\", did you mean \"hard\"?; expected \"beginner\", \"easy\", "
                   "\"medium\", \"hard\", \"expert\", \"master\" or \"grandmaster\"");
    assert_refused("return { api = 1, level = 3, move = function() end }",
                   "level is 3; expected \"beginner\", ");
    assert_refused("return { api = 1, about = {}, move = function() end }",
                   "about is a table, expected a text");
    assert_refused("return { api = 1, about = 'a\\nb', move = function() end }",
                   "about: control character U+000A (byte 0x0a) at byte 2");
}

static void a_file_that_returns_no_table_is_refused(void **state) {
    (void)state;
    assert_refused("return 5", "must return a table");
}

static void a_mistake_in_the_file_is_placed_at_its_line(void **state) {
    (void)state;
    assert_null(load("local bot = {}\n\nbot.x = = 1\nreturn bot\n"));
    assert_int_equal(table->fault.line, 3);
}

static void the_title_is_the_files_or_its_name(void **state) {
    (void)state;
    struct bot *bot = load_good("return { api = 1, title = 'My Bot', move = function() end }");
    assert_string_equal(bot_title(bot), "My Bot");
    assert_string_equal(bot_name(bot), "probe");
    bot_free(bot);
    bot = load_good("return { api = 1, move = function() end }");
    assert_string_equal(bot_title(bot), "probe");
    bot_free(bot);
}

static void an_error_in_a_callback_tells_file_line_and_callback(void **state) {
    (void)state;
    assert_fails("return { api = 1,\nmove = function(view)\n  local x = nil\n  return x.y\nend }",
                 SANDBOX_DEFAULTS, STATUS_SCRIPT, "in move: ");
    assert_int_equal(table->fault.line, 4);
}

static void endless_work_ends_with_the_fuel(void **state) {
    (void)state;
    assert_fails("return { api = 1, move = function() while true do end end }",
                 (struct sandbox_limits){100000, 1 << 20}, STATUS_FUEL, "in move: ");
}

static void work_done_by_the_view_costs_fuel_too(void **state) {
    (void)state;
    assert_fails("return { api = 1, move = function(view)\n"
                 "  for i = 1, 1000 do view:random_setup() end\n"
                 "end }",
                 (struct sandbox_limits){100000, 1 << 20}, STATUS_FUEL, "in move: ");
}

static void hoarding_memory_ends_at_the_cap(void **state) {
    (void)state;
    assert_fails("return { api = 1, move = function()\n"
                 "  local hoard = {}\n"
                 "  for i = 1, 1e9 do hoard[i] = { i } end\n"
                 "end }",
                 (struct sandbox_limits){50000000, 1 << 20}, STATUS_MEMORY, "in move: ");
}

static void an_integer_that_is_no_offered_move_is_illegal(void **state) {
    (void)state;
    assert_fails("return { api = 1, move = function() return 123 end }", SANDBOX_DEFAULTS,
                 STATUS_ILLEGAL_MOVE, "returned 123");
    assert_fails("return { api = 1, move = function(view) return view:moves()[1] + (1 << 40) end }",
                 SANDBOX_DEFAULTS, STATUS_ILLEGAL_MOVE, "which is not one of the");
}

static void an_answer_that_is_neither_move_nor_text_is_an_error(void **state) {
    (void)state;
    assert_fails("return { api = 1, move = function() end }", SANDBOX_DEFAULTS, STATUS_SCRIPT,
                 "returned nil, expected a move or its text");
    assert_fails("return { api = 1, move = function() return 1.5 end }", SANDBOX_DEFAULTS,
                 STATUS_SCRIPT, "returned number");
}

static void a_text_too_long_for_a_move_is_illegal(void **state) {
    (void)state;
    assert_fails("return { api = 1, move = function() return ('a'):rep(1000) end }",
                 SANDBOX_DEFAULTS, STATUS_ILLEGAL_MOVE, "1000 bytes");
}

static void a_move_may_be_answered_as_text(void **state) {
    (void)state;
    struct bot *bot = load_good("return { api = 1, move = function() return 'e4xe5' end }");
    struct bot_answer answer;
    assert_true(bot_table_ask(table, bot, &answer));
    assert_true(answer.is_text);
    assert_string_equal(answer.text, "e4xe5");
    bot_free(bot);
}

static void every_offered_move_comes_back_as_it_was_given(void **state) {
    (void)state;
    struct bot *bot = load_good("local n = 0\n"
                                "return { api = 1, move = function(view)\n"
                                "  n = n + 1\n"
                                "  return view:moves()[n]\n"
                                "end }");
    for (size_t i = 0; i < table->count; i++) {
        struct bot_answer answer;
        assert_true(bot_table_ask(table, bot, &answer));
        assert_true(answer.chosen == i);
    }
    bot_free(bot);
}

static void a_bot_without_setup_gets_a_legal_random_one(void **state) {
    (void)state;
    struct bot *bot = load_good("return { api = 1, move = function() end }");
    struct setup first, second;
    char name[BOT_SETUP_NAME_MAX];
    assert_true(bot_setup(bot, &table->view[RED], &first, name, &table->fault));
    assert_true(bot_setup(bot, &table->view[RED], &second, name, &table->fault));
    assert_true(setup_check(table->rules, RED, &first, &table->fault));
    assert_memory_not_equal(&first, &second, sizeof first);
    bot_free(bot);
}

static void a_setup_is_read_from_the_returned_text(void **state) {
    (void)state;
    struct bot *bot = load_good("return { api = 1, move = function() end, setup = function()\n"
                                "  return '23456789MS\\n# front\\n2345678222\\n"
                                "2233334455/BBBBBBF672'\n"
                                "end }");
    struct setup setup;
    char name[BOT_SETUP_NAME_MAX];
    if (!bot_setup(bot, &table->view[RED], &setup, name, &table->fault))
        fail_msg("%s", table->fault.text);
    assert_int_equal(setup.at[30], rules_kind(table->rules, "scout", 5));
    assert_int_equal(setup.at[6], rules_kind(table->rules, "flag", 4));
    bot_free(bot);
}

static void a_setup_that_is_no_text_names_the_callback(void **state) {
    (void)state;
    struct bot *bot =
        load_good("return { api = 1, move = function() end, setup = function() return 5 end }");
    struct setup setup;
    char name[BOT_SETUP_NAME_MAX];
    assert_false(bot_setup(bot, &table->view[RED], &setup, name, &table->fault));
    assert_int_equal(table->fault.status, STATUS_SCRIPT);
    assert_contains(table->fault.text, "in setup: returned number");
    bot_free(bot);
}

static void a_malformed_setup_is_placed_in_its_own_text(void **state) {
    (void)state;
    struct bot *bot = load_good("return { api = 1, move = function() end, setup = function()\n"
                                "  return '23456789MS\\n23456?8222'\n"
                                "end }");
    struct setup setup;
    char name[BOT_SETUP_NAME_MAX];
    table->fault = (struct fault){0};
    assert_false(bot_setup(bot, &table->view[RED], &setup, name, &table->fault));
    assert_contains(table->fault.text, "in setup: line 2, column 6 of the set-up: ");
    assert_contains(table->fault.file, "probe.lua");
    assert_int_equal(table->fault.line, 1); /* where the function begins */
    bot_free(bot);
}

/* A bot that records its events and returns them as its next answer. */
static const char *const LISTENER =
    "local heard = {}\n"
    "local function note(...) heard[#heard + 1] = table.concat({ ... }, ' ') end\n"
    "return { api = 1,\n"
    "  start = function(view) note('start', view:side()) end,\n"
    "  observe = function(view, e)\n"
    "    note(e.type, e.side or e.result, e.from and view:name(e.from) or '-',\n"
    "      e.to and view:name(e.to) or '-', e.kind or '-', e.other or '-', e.outcome or '-')\n"
    "    assert(not (e.ability or e.kinds or e.turns or e.reason))\n" /* may be asked of any */
    "  end,\n"
    "  finish = function(view, result, reason) note('finish', result, reason) end,\n"
    "  move = function() local all = table.concat(heard, '|') heard = {} return all end }\n";

static void assert_heard(struct bot *bot, const char *expected) {
    struct bot_answer answer;
    if (!bot_table_ask(table, bot, &answer)) fail_msg("%s", table->fault.text);
    assert_string_equal(answer.text, expected);
}

static void observe_hears_the_events_of_both_sides(void **state) {
    (void)state;
    struct bot *bot = load_good(LISTENER);
    assert_true(bot_start(bot, &table->view[BLUE], &table->fault));
    assert_heard(bot, "start blue");
    table->bots[BLUE] = bot;
    bot_table_play(table, "e3-f3");
    assert_heard(bot, "move red e3 f3 - - -");
    bot_table_play(table, "e5xe4");
    assert_heard(bot, "battle blue e5 e4 sergeant miner attacker|reveal blue e4 - sergeant - -");
    table->bots[BLUE] = NULL;
    bot_free(bot);
}

static void finish_hears_the_result_and_the_reason(void **state) {
    (void)state;
    bot_table_place(table, "rFa1 rMj9 bFj10 b9a2 red");
    struct bot *bot = load_good(LISTENER);
    bot_table_play(table, "j9xj10");
    assert_true(bot_finish(bot, &table->view[RED], &table->fault));
    assert_heard(bot, "finish red flag");
    bot_free(bot);
}

static void chance_comes_from_the_given_stream_alone(void **state) {
    (void)state;
    const char *text = "return { api = 1, move = function(view)\n"
                       "  return view:random(1000) .. ' ' .. view:random() .. ' ' ..\n"
                       "    math.random(1000)\n"
                       "end }";
    struct bot *one = load_good(text), *same = load_good(text);
    struct bot_answer a, b;
    for (int i = 0; i < 20; i++) {
        assert_true(bot_table_ask(table, one, &a));
        assert_true(bot_table_ask(table, same, &b));
        assert_string_equal(a.text, b.text);
    }
    assert_true(bot_table_ask(table, one, &b));
    assert_string_not_equal(a.text, b.text);
    bot_free(one);
    bot_free(same);
}

int main(void) {
#define ON_THE_TABLE(test) cmocka_unit_test_setup_teardown(test, open_table, close_table)
    const struct CMUnitTest tests[] = {
        ON_THE_TABLE(an_unknown_key_is_refused_with_the_nearest_known_one),
        ON_THE_TABLE(the_first_of_several_unknown_keys_is_named),
        ON_THE_TABLE(a_bot_without_move_is_refused),
        ON_THE_TABLE(a_bot_without_api_or_of_another_one_is_refused),
        ON_THE_TABLE(a_callback_that_is_no_function_is_refused),
        ON_THE_TABLE(a_file_that_returns_no_table_is_refused),
        ON_THE_TABLE(a_mistake_in_the_file_is_placed_at_its_line),
        ON_THE_TABLE(a_level_is_one_of_the_words),
        ON_THE_TABLE(the_title_is_the_files_or_its_name),
        ON_THE_TABLE(an_error_in_a_callback_tells_file_line_and_callback),
        ON_THE_TABLE(endless_work_ends_with_the_fuel),
        ON_THE_TABLE(work_done_by_the_view_costs_fuel_too),
        ON_THE_TABLE(hoarding_memory_ends_at_the_cap),
        ON_THE_TABLE(an_integer_that_is_no_offered_move_is_illegal),
        ON_THE_TABLE(an_answer_that_is_neither_move_nor_text_is_an_error),
        ON_THE_TABLE(a_text_too_long_for_a_move_is_illegal),
        ON_THE_TABLE(a_move_may_be_answered_as_text),
        ON_THE_TABLE(every_offered_move_comes_back_as_it_was_given),
        ON_THE_TABLE(a_bot_without_setup_gets_a_legal_random_one),
        ON_THE_TABLE(a_setup_is_read_from_the_returned_text),
        ON_THE_TABLE(a_setup_that_is_no_text_names_the_callback),
        ON_THE_TABLE(a_malformed_setup_is_placed_in_its_own_text),
        ON_THE_TABLE(observe_hears_the_events_of_both_sides),
        ON_THE_TABLE(finish_hears_the_result_and_the_reason),
        ON_THE_TABLE(chance_comes_from_the_given_stream_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
