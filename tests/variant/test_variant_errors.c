/* Every mistake in a variant gets one line with the file, the line, the key, the value and the
 * expected value. */
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct folders folders;

static int find_folders(void **state) {
    (void)state;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    return folders_find(&folders, &fault) ? 0 : -1;
}

/* Loads `text` as variants/mine.lua, which must be refused with all of the given pieces of text in
 * "file:line:column: message". A NULL ends them. */
static void expect_fault(enum status status, const char *text, ...) {
    struct fault fault = {0};
    struct rules *rules =
        variant_load_text(&folders, "variants/mine.lua", text, strlen(text), &fault);
    if (rules) {
        rules_free(rules);
        fail_msg("accepted: %s", text);
    }
    char line[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    fault_format(&fault, line, sizeof line);
    if (getenv("ENSIGN_SHOW")) fprintf(stderr, "%s\n", line);
    if (fault.status != status)
        fail_msg("%s: status %s, expected %s", line, status_name(fault.status),
                 status_name(status));
    assert_null(strchr(line, '\n'));
    va_list parts;
    va_start(parts, text);
    for (const char *part; (part = va_arg(parts, const char *)) != NULL;)
        if (!strstr(line, part)) fail_msg("%s: expected it to say \"%s\"", line, part);
    va_end(parts);
}

#define MINE "return { api = 1, extends = \"original\",\n"

static void an_unknown_piece_in_the_army_is_named_with_the_nearest_known(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "  army = { scot = 8, scout = 0 } }",
                 "variants/mine.lua:2:12: ", "army.scot", "\"scot\"", "did you mean \"scout\"?",
                 NULL);
}

static void an_unknown_piece_in_beats_is_named_with_the_nearest_known(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "  pieces = { spy = { beats = { \"marshall\" } } } }",
                 "variants/mine.lua:2:32: ", "pieces.spy.beats[1]", "\"marshall\"",
                 "did you mean \"marshal\"?", NULL);
}

static void an_army_too_large_for_its_zone_is_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "army = { scout = 9 } }", "variants/mine.lua:2:1: ", "army",
                 "41 pieces", "does not fit", "40 squares", NULL);
}

static void an_army_that_leaves_squares_of_a_filled_zone_is_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "army = { scout = 7 } }",
                 "variants/mine.lua:2:1: ", "39 pieces", "does not fill", "40 squares", NULL);
}

static void an_army_without_flag_is_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "army = { flag = 0, scout = 9 } }",
                 "variants/mine.lua:2:1: ", "no flag", NULL);
}

static void an_army_of_which_nothing_moves_is_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES,
                 "return { api = 1, board = { files = 4, ranks = 4 }, zone = { ranks = 1 },\n"
                 "army = { flag = 1 }, pieces = { flag = { letter = \"F\", flag = true,\n"
                 "moves = \"none\" } } }",
                 "variants/mine.lua:2:1: ", "no piece that can move", NULL);
}

static void a_value_of_the_wrong_type_is_shown_with_what_was_expected(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "pieces = {\n  spy = { rank = \"one\" } } }",
                 "variants/mine.lua:3:11: ", "pieces.spy.rank is \"one\"",
                 "expected a whole number", NULL);
    expect_fault(STATUS_RULES, MINE "army = 40 }", "army is 40", "expected a table", NULL);
    expect_fault(STATUS_RULES, MINE "board = { lakes = \"c5\" } }", "board.lakes is \"c5\"",
                 "expected a list of squares", NULL);
    expect_fault(STATUS_RULES, MINE "army = { scout = 7.5 } }", "army.scout is 7.5",
                 "expected a whole number", NULL);
    expect_fault(STATUS_RULES, MINE "combat = \"strong\" }", "combat is \"strong\"",
                 "expected a function", NULL);
}

static void what_is_shown_must_be_words_and_squares(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "after_battle = function() return 'quiet' end }",
                 "variants/mine.lua:2: ", "after_battle returned \"quiet\"", "\"silent\"", NULL);
    expect_fault(STATUS_RULES, MINE "sight = -1 }", "sight is -1", "from 0 to 30", NULL);
    expect_fault(STATUS_RULES, MINE "sight = function() return { 'c5' } end }",
                 "variants/mine.lua:2: ", "sight(board, \"red\", a1) returned \"c5\"",
                 "other than lakes", NULL);
    expect_fault(STATUS_RULES, MINE "pieces = { scout = { sight = 3 } } }",
                 "pieces.scout.sight has no effect", "`sight`", NULL);
}

static void a_word_that_is_not_known_is_shown_with_those_that_are(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "first = \"read\" }", "first is \"read\"",
                 "\"red\", \"blue\" or \"chosen\"", "did you mean \"red\"?", NULL);
    expect_fault(STATUS_RULES, MINE "pieces = { scout = { moves = \"runs\" } } }",
                 "pieces.scout.moves is \"runs\"", "did you mean \"run\"?", NULL);
    expect_fault(STATUS_RULES,
                 MINE
                 "pieces = { scout = { abilities = { hide = { when = { \"own\", \"instade\" },\n"
                 "targets = select, resolve = select } } } } }",
                 "2:54: pieces.scout.abilities.hide.when[1]", "after_step", NULL);
}

static void a_number_out_of_range_is_shown_with_the_range(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "two_squares = 17 }", "two_squares is 17", "from 2 to 16",
                 NULL);
    expect_fault(STATUS_RULES, MINE "army = { scout = -1 } }", "army.scout is -1", "from 0 to 128",
                 NULL);
    expect_fault(STATUS_RULES, MINE "limits = { plies = 65536 } }", "limits.plies is 65536",
                 "65535", NULL);
    expect_fault(STATUS_RULES, MINE "zone = { ranks = 6 } }", "zone.ranks: ", "6 ranks",
                 "half of the board's 10", NULL);
    expect_fault(STATUS_RULES, MINE "api = 2 }", "api is 2, expected 1", NULL);
}

static void boards_of_impossible_sizes_are_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "board = { files = 0, ranks = 0 } }",
                 "variants/mine.lua:2:", "is 0, expected a whole number from", NULL);
    expect_fault(STATUS_RULES, MINE "board = { files = 17, ranks = 8 } }",
                 "variants/mine.lua:2:11: ", "board.files is 17", "from 1 to 16", NULL);
    expect_fault(STATUS_RULES, MINE "board = { files = 16, ranks = 9 } }", "144 squares",
                 "at most 128", NULL);
    expect_fault(STATUS_RULES, MINE "board = { lakes = { \"c5\", \"k5\" } } }", "board.lakes",
                 "\"k5\"", "10 x 10", NULL);
}

static void unknown_keys_are_named_with_the_nearest_known(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "\n  lables = {} }",
                 "variants/mine.lua:3:3: ", "unknown key \"lables\"", NULL);
    expect_fault(STATUS_RULES, MINE "two_square = 3 }", "unknown key \"two_square\"",
                 "did you mean \"two_squares\"?", NULL);
    expect_fault(STATUS_RULES, MINE "pieces = { spy = { rnak = 1 } } }",
                 "unknown key \"rnak\" in pieces.spy", "did you mean \"rank\"?", NULL);
    expect_fault(
        STATUS_RULES,
        MINE
        "pieces = { spy = { abilities = { look = { target = select, resolve = select } } } } }",
        "unknown key \"target\"", "did you mean \"targets\"?", NULL);
}

static void a_missing_key_is_named(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, "return {}", "variants/mine.lua:1:1: ", "api is missing", NULL);
    expect_fault(STATUS_RULES, MINE "pieces = { guard = { rank = 3 } }, army = { guard = 1 } }",
                 "pieces.guard.letter is missing", NULL);
}

static void two_pieces_of_one_letter_are_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES,
                 MINE
                 "army = { scout = 7, spider = 1 },\npieces = { spider = { letter = \"S\" } } }",
                 "variants/mine.lua:3:23: ", "\"S\"", "spy", "spider", NULL);
    expect_fault(STATUS_RULES, MINE "pieces = { spy = { letter = \"s\" } } }",
                 "pieces.spy.letter: spy has the letter \"s\"", "A-Z or 0-9", NULL);
}

static void contradicting_exceptions_are_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "pieces = { bomb = { repels = { \"miner\" } } } }",
                 "pieces.bomb.repels", "miner", NULL);
}

static void an_error_in_combat_names_file_line_and_callback(void **state) {
    (void)state;
    expect_fault(STATUS_SCRIPT, MINE "combat = function(a, b)\n  return a.rank > b.rnak\nend }",
                 "variants/mine.lua:3: ", "in combat: ",
                 "piece has no \"rnak\", did you mean piece.rank?", NULL);
}

static void an_error_in_an_ability_names_file_line_and_callback(void **state) {
    (void)state;
    const char *text =
        MINE "army = { scout = 7, spotter = 1 }, pieces = { spotter = { letter = \"P\",\n"
             "abilities = { spot = { asks = \"kind\",\n"
             "  targets = function(board, side, from) return board:neighbours(from) end,\n"
             "  resolve = function(actor, target, guess)\n"
             "    return { remove = target.name.x }\n"
             "  end } } } } }";
    expect_fault(STATUS_SCRIPT, text,
                 "variants/mine.lua:6: ", "in pieces.spotter.abilities.spot.resolve: ", "index",
                 NULL);
}

static void what_a_function_returns_wrongly_is_shown_at_the_function(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "\ncombat = function() return \"me\" end }",
                 "variants/mine.lua:3: ", "combat returned \"me\"", "\"attacker\"", NULL);
    expect_fault(STATUS_RULES,
                 MINE "pieces = { spy = { moves = function() return { { 0 } } end } } }",
                 "pieces.spy.moves(board, \"red\", a1) returned 0", NULL);
    expect_fault(STATUS_RULES,
                 MINE "pieces = { spy = { moves = function() return { { \"c5\" } } end } } }",
                 "returned \"c5\"", "not a lake", NULL);
    expect_fault(STATUS_RULES,
                 MINE "pieces = { spy = { abilities = { look = {\n"
                      "targets = function() return 7 end,\nresolve = function() end } } } } }",
                 "variants/mine.lua:3: ", "look.targets(board, \"red\", a1) returned 7", NULL);
    expect_fault(STATUS_RULES,
                 MINE "pieces = { spy = { abilities = { look = {\n"
                      "targets = function() return {} end,\n"
                      "resolve = function() return { reveals = \"target\" } end } } } } }",
                 "variants/mine.lua:4: ", "\"reveals\"", "did you mean \"reveal\"?", NULL);
    expect_fault(STATUS_RULES,
                 MINE "pieces = { spy = { abilities = { look = {\n"
                      "targets = function() return {} end,\n"
                      "resolve = function() return { remove = \"me\" } end } } } } }",
                 "resolve(\"spy\", ", "remove = \"me\"", "\"target\", \"actor\", \"both\"", NULL);
    static const char *const learned[] = {"\"rank\"", "{ at_least = \"serjeant\" }",
                                          "{ one_of = { \"bomb\", 7 } }",
                                          "{ one_of = { \"bomb\" }, at_least = \"spy\" }"};
    for (int i = 0; i < 4; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "return { api = 1, extends = 'original', pieces = { spy = { abilities = { look = {"
            "\ntargets = function() return {} end,\nresolve = function() return { learn = %s } "
            "end } } } } }",
            learned[i]);
        expect_fault(STATUS_RULES, text,
                     "variants/mine.lua:3: ", "returned learn = ", "{ at_least = PIECE }", NULL);
    }
}

static void contradicting_effects_are_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES,
                 MINE "pieces = { spy = { abilities = { look = {\n"
                      "targets = function() return {} end,\n"
                      "resolve = function() return { win = true, lose = true } end } } } } }",
                 "variants/mine.lua:2:34: ", "spy.look", "two ways", NULL);
}

static void an_ability_without_a_function_that_it_needs_is_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES,
                 MINE "pieces = { spy = { abilities = { look = {\n"
                      "targets = function() return {} end } } } } }",
                 "variants/mine.lua:2:34: ", "pieces.spy.abilities.look.resolve is missing", NULL);
}

static void a_file_that_returns_no_table_is_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, "return 42", "variants/mine.lua:1:", "returns 42",
                 "expected a table", NULL);
    expect_fault(STATUS_RULES, "local x = 1", "variants/mine.lua:1", "returns nil", NULL);
    expect_fault(STATUS_RULES, "", "variants/mine.lua:1", "returns nil", NULL);
}

static void a_syntax_error_names_its_line(void **state) {
    (void)state;
    expect_fault(STATUS_SCRIPT, "return {\n  api = 1\n  extends = 'original' }",
                 "variants/mine.lua:3: ", "'}' expected", NULL);
}

static void binary_junk_is_refused(void **state) {
    (void)state;
    expect_fault(STATUS_SCRIPT, "\x1bLua\x54\x01\x19\x93", "variants/mine.lua:1: ", "binary", NULL);
    expect_fault(STATUS_SCRIPT, "\x01\x02\xff\xfe", "variants/mine.lua:1: ", NULL);
}

static void a_file_that_never_ends_runs_out_of_fuel(void **state) {
    (void)state;
    expect_fault(STATUS_FUEL, "local n = 0\nwhile true do n = n + 1 end",
                 "variants/mine.lua:2: ", "out of fuel", NULL);
}

static void a_callback_that_never_ends_is_named_when_the_fuel_is_out(void **state) {
    (void)state;
    expect_fault(STATUS_FUEL, MINE "combat = function() while true do end end }",
                 "variants/mine.lua:2: ", "in combat: ", "out of fuel", NULL);
}

static void a_file_that_takes_all_memory_is_stopped(void **state) {
    (void)state;
    expect_fault(STATUS_MEMORY, "local t = {} for i = 1, 1e9 do t[i] = { i } end",
                 "variants/mine.lua", "out of memory", NULL);
}

static void a_module_that_is_not_there_is_named_with_the_line(void **state) {
    (void)state;
    expect_fault(STATUS_SCRIPT, "local x = 1\nlocal y = require 'no.such'",
                 "variants/mine.lua:2: ", "no module 'no.such'", "no/such.lua", NULL);
    expect_fault(STATUS_SCRIPT, "return require '../secret'",
                 "variants/mine.lua:1: ", "module names", NULL);
}

static void a_base_that_is_not_there_is_named_with_the_nearest_known(void **state) {
    (void)state;
    expect_fault(STATUS_NOT_FOUND, "return { api = 1,\n extends = \"orginal\" }",
                 "variants/mine.lua:2:2: ", "no variant \"orginal\"", "did you mean \"original\"?",
                 NULL);
    expect_fault(STATUS_RULES, "return { api = 1,\n extends = 3 }",
                 "variants/mine.lua:2:2: ", "extends is 3", NULL);
}

static void odd_keys_and_tables_within_themselves_are_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES, MINE "[1] = 2 }", "the key 1", NULL);
    expect_fault(STATUS_RULES, MINE "pieces = { [\"Ä.b\"] = {} } }", "expected a name", NULL);
    expect_fault(STATUS_RULES, MINE "pieces = { none = {} } }", "and not \"none\"", NULL);
    expect_fault(STATUS_RULES,
                 "local t = { api = 1, extends = \"original\" }\nt.pieces = t\nreturn t",
                 "variants/mine.lua:2:", "pieces.", NULL);
}

/* Loads `text`, which must be refused with exactly these lines: "line:column: what begins so". */
static void expect_faults(const char *text, ...) {
    struct faults *faults = faults_new();
    assert_non_null(faults);
    assert_null(
        variant_examine_text(&folders, "variants/mine.lua", text, strlen(text), faults, NULL));
    va_list lines;
    va_start(lines, text);
    size_t count = 0;
    for (const char *expected; (expected = va_arg(lines, const char *)) != NULL; count++) {
        char line[FAULT_TEXT_MAX + 64] = "nothing";
        const struct fault *fault = &faults->list[count].fault;
        if (count < faults->count)
            snprintf(line, sizeof line, "%d:%d: %s", fault->line, fault->column, fault->text);
        if (strncmp(line, expected, strlen(expected)) != 0)
            fail_msg("%s\nexpected %s", line, expected);
    }
    va_end(lines);
    if (faults->count > count) fail_msg("one more: %s", faults->list[count].fault.text);
    free(faults);
}

static void all_faults_of_a_file_are_named_in_one_run_by_place(void **state) {
    (void)state;
    expect_faults(
        MINE "army = { scot = 8, scout = -1 },\n"
             "first = \"read\", two_squares = 1,\n"
             "board = { lakes = { \"c5\", \"z9\", 400 } },\n"
             "pieces = {\n"
             "  spy = { rnk = 1, beats = { \"marshall\", \"general\", \"scot\" } },\n"
             "  bomb = { repels = { \"miner\" } },\n"
             "  miner = { moves = function() return 7 end },\n"
             "  major = { letter = \"S\", abilities = { look = {} } },\n"
             "},\n"
             "combat = function(a, d) return a.rank > d.rank end }",
        "2:10: army.scot names \"scot\"", "2:20: army.scout is -1", "3:1: first is \"read\"",
        "3:17: two_squares is 1", "4:27: board.lakes has \"z9\"", "4:33: board.lakes has 400",
        "6:11: unknown key \"rnk\"", "6:30: pieces.spy.beats[1] names \"marshall\"",
        "6:53: pieces.spy.beats[3] names \"scot\"", "7:12: pieces.bomb.repels says",
        "8:0: pieces.miner.moves(board, \"red\", a1) returned 7",
        "9:13: pieces.major.letter: spy and major have the same letter \"S\"",
        "9:41: pieces.major.abilities.look.targets is missing",
        "9:41: pieces.major.abilities.look.resolve is missing", "11:0: combat returned ", NULL);
}

static void all_that_the_core_refuses_is_named_in_one_run(void **state) {
    (void)state;
    expect_faults(MINE "zone = { ranks = 7 },\n"
                       "pieces = { spy = { letter = \"s\" }, miner = { letter = \"é\" },\n"
                       "  scout = { letter = \"M\" } } }",
                  "2:10: zone.ranks: set-up zone of 7 ranks, expected 1 to half of the board's 10",
                  "3:20: pieces.spy.letter: spy has the letter \"s\", expected A-Z or 0-9",
                  "3:46: pieces.miner.letter is \"é\"",
                  "4:13: pieces.scout.letter: scout and marshal have the same letter \"M\"", NULL);
    expect_faults(
        MINE "first = \"read\",\n"
             "pieces = { spy = { abilities = {\n"
             "  look = { when = {}, targets = function() return {} end,\n"
             "    resolve = function() return {} end },\n"
             "  show = { targets = function() return {} end,\n"
             "    resolve = function() return { swap = true, remove = \"actor\" } end } } } } }",
        "2:1: first is \"read\"", "4:12: spy.look can never be used: \"when\" is empty",
        "6:3: spy.show swaps pieces that it removes or places", NULL);
}

static void what_follows_from_a_fault_gets_no_line_of_its_own(void **state) {
    (void)state;
    /* The army neither fills the zone nor has a flag, but its numbers are what is wrong. */
    expect_faults(MINE "army = { flag = \"one\", scout = 70 } }", "2:10: army.flag is \"one\"",
                  NULL);
    expect_faults(MINE "pieces = { scout = { leter = \"2\", letter = false } } }",
                  "2:22: unknown key \"leter\"", NULL);
    expect_faults("return { api = 1, board = { filles = 4, ranks = 4 }, zone = { ranks = 1 },\n"
                  "army = { king = 1 }, pieces = { king = { letter = \"K\", flag = true } } }",
                  "1:29: unknown key \"filles\" in board, did you mean \"files\"?", NULL);
}

static void one_fault_of_a_shared_ability_is_named_once(void **state) {
    (void)state;
    expect_faults("local look = { targets = function() return 1 end,\n"
                  "resolve = function() return {} end }\n" MINE
                  "pieces = { spy = { abilities = { look = look } },\n"
                  "  miner = { abilities = { look = look } } } }",
                  "1:0: pieces.", NULL);
}

static void the_fuel_of_one_load_ends_the_search_for_faults(void **state) {
    (void)state;
    expect_faults(MINE "first = \"read\",\n"
                       "combat = function() while true do end end }",
                  "2:1: first is \"read\"", "3:0: in combat: out of fuel", NULL);
}

/* Without a clock: what a table of so many keys costs is fuel, and it grows with the keys alone. */
static void complaints_are_capped_and_the_rest_is_counted(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t least, most; /* errors */
    } files[] = {
        {"local t = { api = 1, extends = \"original\" }\n"
         "for i = 1, 50000 do t[\"zzz\" .. i] = 1 end return t",
         50000, 50010},
        {"local t = { api = 1, extends = \"original\", army = {} }\n"
         "for i = 1, 50000 do t.army[\"zzz\" .. i] = \"x\" end return t",
         50000, 50010},
        {"local t = { api = 1, extends = \"original\", army = {} }\n"
         "for i = 1, 300000 do t.army[\"zzz\" .. i] = 0 / 0 end return t", /* fuel ends it */
         10000, 290000},
        {"local t = { api = 1, extends = \"original\", board = { lakes = {} } }\n"
         "for i = 1, 1000 do t.board.lakes[i] = {} end return t",
         1000, 1010},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct faults *faults = faults_new();
        assert_non_null(faults);
        assert_null(variant_examine_text(&folders, "variants/mine.lua", files[i].text,
                                         strlen(files[i].text), faults, NULL));
        assert_int_equal(faults->count, FAULTS_MAX);
        if (faults->errors < files[i].least || faults->errors > files[i].most)
            fail_msg("%s\n%zu errors", files[i].text, faults->errors);
        free(faults);
    }
}

static void a_list_of_more_than_a_thousand_entries_is_refused(void **state) {
    (void)state;
    expect_fault(STATUS_RULES,
                 "local t = { api = 1, extends = \"original\", tests = {} }\n"
                 "for i = 1, 20000 do t.tests[i] = { title = \"t\" } end return t",
                 "variants/mine.lua:1:", "tests has 20000 entries, expected at most 1000", NULL);
}

static void a_remark_has_key_value_expectation_and_page(void **state) {
    (void)state;
    const char *text = MINE "pieces = { spy = { rank = \"one\" } } }";
    struct faults *faults = faults_new();
    assert_null(
        variant_examine_text(&folders, "variants/mine.lua", text, strlen(text), faults, NULL));
    assert_int_equal(faults->errors, 1);
    assert_string_equal(faults->list[0].key, "pieces.spy.rank");
    assert_string_equal(faults->list[0].value, "\"one\"");
    assert_string_equal(faults->list[0].expected, "a whole number from -1000 to 1000");
    assert_string_equal(faults->list[0].page, "variants/REFERENCE.md#pieces");
    free(faults);
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void a_circle_of_extends_names_the_chain(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-circle-XXXXXX", a[64], b[64];
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof a, "%s/a.lua", folder);
    snprintf(b, sizeof b, "%s/b.lua", folder);
    write_file(a, "return { api = 1, extends = 'b' }");
    write_file(b, "return { api = 1,\n extends = './a.lua' }");
    struct fault fault = {0};
    struct rules *rules = variant_load(&folders, a, &fault);
    unlink(a);
    unlink(b);
    rmdir(folder);
    assert_null(rules);
    assert_int_equal(fault.status, STATUS_RULES);
    assert_non_null(strstr(fault.text, "circle"));
    assert_non_null(strstr(fault.text, "a.lua -> "));
    assert_non_null(strstr(fault.text, "b.lua -> "));
    assert_string_equal(fault.file, b);
    assert_int_equal(fault.line, 2);
}

static void an_error_in_an_inherited_key_names_the_file_that_has_it(void **state) {
    (void)state;
    char folder[] = "/tmp/ensign-base-XXXXXX", base[64], mine[64];
    assert_non_null(mkdtemp(folder));
    snprintf(base, sizeof base, "%s/base.lua", folder);
    snprintf(mine, sizeof mine, "%s/mine.lua", folder);
    write_file(base, "return { api = 1, extends = 'original',\n  two_squares = 99 }");
    write_file(mine, "return { api = 1, extends = 'base' }");
    struct fault fault = {0};
    struct rules *rules = variant_load(&folders, mine, &fault);
    unlink(base);
    unlink(mine);
    rmdir(folder);
    assert_null(rules);
    assert_string_equal(fault.file, base);
    assert_int_equal(fault.line, 2);
    assert_int_equal(fault.column, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_piece_in_the_army_is_named_with_the_nearest_known),
        cmocka_unit_test(an_unknown_piece_in_beats_is_named_with_the_nearest_known),
        cmocka_unit_test(an_army_too_large_for_its_zone_is_refused),
        cmocka_unit_test(an_army_that_leaves_squares_of_a_filled_zone_is_refused),
        cmocka_unit_test(an_army_without_flag_is_refused),
        cmocka_unit_test(an_army_of_which_nothing_moves_is_refused),
        cmocka_unit_test(a_value_of_the_wrong_type_is_shown_with_what_was_expected),
        cmocka_unit_test(what_is_shown_must_be_words_and_squares),
        cmocka_unit_test(a_word_that_is_not_known_is_shown_with_those_that_are),
        cmocka_unit_test(a_number_out_of_range_is_shown_with_the_range),
        cmocka_unit_test(boards_of_impossible_sizes_are_refused),
        cmocka_unit_test(unknown_keys_are_named_with_the_nearest_known),
        cmocka_unit_test(a_missing_key_is_named),
        cmocka_unit_test(two_pieces_of_one_letter_are_refused),
        cmocka_unit_test(contradicting_exceptions_are_refused),
        cmocka_unit_test(an_error_in_combat_names_file_line_and_callback),
        cmocka_unit_test(an_error_in_an_ability_names_file_line_and_callback),
        cmocka_unit_test(what_a_function_returns_wrongly_is_shown_at_the_function),
        cmocka_unit_test(contradicting_effects_are_refused),
        cmocka_unit_test(an_ability_without_a_function_that_it_needs_is_refused),
        cmocka_unit_test(a_file_that_returns_no_table_is_refused),
        cmocka_unit_test(a_syntax_error_names_its_line),
        cmocka_unit_test(binary_junk_is_refused),
        cmocka_unit_test(a_file_that_never_ends_runs_out_of_fuel),
        cmocka_unit_test(a_callback_that_never_ends_is_named_when_the_fuel_is_out),
        cmocka_unit_test(a_file_that_takes_all_memory_is_stopped),
        cmocka_unit_test(a_module_that_is_not_there_is_named_with_the_line),
        cmocka_unit_test(a_base_that_is_not_there_is_named_with_the_nearest_known),
        cmocka_unit_test(odd_keys_and_tables_within_themselves_are_refused),
        cmocka_unit_test(all_faults_of_a_file_are_named_in_one_run_by_place),
        cmocka_unit_test(all_that_the_core_refuses_is_named_in_one_run),
        cmocka_unit_test(what_follows_from_a_fault_gets_no_line_of_its_own),
        cmocka_unit_test(one_fault_of_a_shared_ability_is_named_once),
        cmocka_unit_test(the_fuel_of_one_load_ends_the_search_for_faults),
        cmocka_unit_test(complaints_are_capped_and_the_rest_is_counted),
        cmocka_unit_test(a_list_of_more_than_a_thousand_entries_is_refused),
        cmocka_unit_test(a_remark_has_key_value_expectation_and_page),
        cmocka_unit_test(a_circle_of_extends_names_the_chain),
        cmocka_unit_test(an_error_in_an_inherited_key_names_the_file_that_has_it),
    };
    return cmocka_run_group_tests(tests, find_folders, NULL);
}
