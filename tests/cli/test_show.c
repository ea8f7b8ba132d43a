/* test_show.c - "ensign show": every variant has a rule sheet, in words and in JSON. */
#include "console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "lib/ensign.h"

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct {
    const char *name;
    int army, files, ranks, two_squares;
    const char *chase, *first;
} variants[] = {
    {"original", 40, 10, 10, 3, "isf", "red"},
    {"duel", 10, 10, 10, 3, "isf", "red"},
    {"infiltrator", 40, 10, 10, 3, "isf", "red"},
    {"classic", 40, 10, 10, 5, "none", "red"},
    {"milton-bradley", 40, 10, 10, 0, "none", "chosen"},
    {"galaxy", 30, 10, 8, 3, "none", "red"},
    {"galaxy-duel", 10, 10, 8, 3, "none", "red"},
    {"russian", 40, 10, 10, 3, "russian", "red"},
    {"barrage", 8, 10, 10, 3, "isf", "red"},
    {"quick", 10, 8, 8, 3, "isf", "red"},
    {"lightning", 20, 10, 10, 3, "isf", "red"},
    {"lattaque", 36, 9, 10, 0, "none", "chosen"},
    {"luzhanqi", 25, 5, 12, 0, "none", "red"},
    {"salpakan", 21, 9, 8, 0, "none", "chosen"},
    {"jungle", 9, 7, 9, 0, "none", "red"},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void show(struct console *console, const char *name) {
    if (console_run(console, "", ARGUMENTS("show", name))) fail_msg("%s", console->text);
}

static void assert_shows(const char *name, const char *words) {
    struct console console;
    show(&console, name);
    /* line ends are where the words happened to be broken */
    char flat[16384] = "";
    size_t length = 0;
    for (const char *c = console.text; *c && length + 1 < sizeof flat; c++) {
        bool blank = *c == ' ' || *c == '\n';
        if (blank && length && flat[length - 1] == ' ') continue;
        flat[length++] = blank ? ' ' : *c;
    }
    if (!strstr(flat, words)) fail_msg("no \"%s\" in:\n%s", words, console.text);
    console_clear(&console);
}

static void every_sheet_fits_a_hundred_columns_in_every_language(void **state) {
    (void)state;
    static const char *const tags[] = {"en", "bg", "uk", "hr", "es", "ru"};
    for (int i = 0; i < VARIANTS * 6; i++) {
        struct console console;
        const char *name = variants[i / 6].name, *tag = tags[i % 6];
        assert_int_equal(console_run(&console, "", ARGUMENTS("show", name, "--lang", tag)), 0);
        for (char *line = strtok(console.text, "\n"); line; line = strtok(NULL, "\n")) {
            int columns = 0;
            for (const char *c = line; *c; c++) columns += (*c & 0xC0) != 0x80;
            if (columns > 100) fail_msg("%s in %s: %s", name, tag, line);
        }
        console_clear(&console);
    }
}

static void every_sheet_as_json_gives_the_rules(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        struct console console;
        assert_int_equal(console_run(&console, "", ARGUMENTS("show", variants[i].name, "--json")),
                         0);
        json_t *sheet = json_loads(console.text, 0, NULL);
        assert_non_null(sheet);
        const char *chase, *first;
        int files, ranks, two_squares, army = 0;
        assert_int_equal(json_unpack(sheet, "{s:{s:i, s:i}, s:i, s:s, s:s}", "board", "files",
                                     &files, "ranks", &ranks, "two_squares", &two_squares, "chase",
                                     &chase, "first", &first),
                         0);
        size_t index;
        json_t *piece;
        json_array_foreach(json_object_get(sheet, "pieces"), index, piece) {
            army += (int)json_integer_value(json_object_get(piece, "count"));
        }
        assert_int_equal(army, variants[i].army);
        assert_int_equal(files, variants[i].files);
        assert_int_equal(ranks, variants[i].ranks);
        assert_int_equal(two_squares, variants[i].two_squares);
        assert_string_equal(chase, variants[i].chase);
        assert_string_equal(first, variants[i].first);
        json_decref(sheet);
        console_clear(&console);
    }
}

/* What the document has under a path of keys and numbers, as one line. */
static void assert_told(const char *variant, const char *path, const char *expected) {
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("show", variant, "--json")), 0);
    json_t *sheet = json_loads(console.text, 0, NULL), *at = sheet;
    char keys[64];
    snprintf(keys, sizeof keys, "%s", path);
    for (char *key = strtok(keys, "."); key; key = strtok(NULL, "."))
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(key)) : json_object_get(at, key);
    if (!at) fail_msg("%s has no %s", variant, path);
    char *told = json_dumps(at, JSON_ENCODE_ANY | JSON_SORT_KEYS);
    assert_string_equal(told, expected);
    free(told);
    json_decref(sheet);
    console_clear(&console);
}

static void grounds_counters_and_goals_are_in_the_document(void **state) {
    (void)state;
#define EXAMPLE(name) "./variants/examples/" name ".lua"
    assert_told(EXAMPLE("railway"), "board.ground.camp", "[\"d3\", \"d6\"]");
    assert_told(EXAMPLE("railway"), "board.ground.fort",
                "{\"blue\": [\"c8\", \"e8\"], \"red\": [\"c1\", \"e1\"]}");
    assert_told(EXAMPLE("railway"), "board.links", "[\"c3-b4\", \"f5-e6\"]");
    assert_told(EXAMPLE("railway"), "board.walls", "[\"c4-c5\", \"d4-d5\", \"e4-e5\"]");
    assert_told(EXAMPLE("railway"), "board.shelter", "[\"d3\", \"d6\"]");
    assert_told(EXAMPLE("railway"), "board.leaves", "[\"c1\", \"e1\", \"c8\", \"e8\"]");
    assert_told(EXAMPLE("bounty"), "counters",
                "[{\"each\": true, \"from\": 0, \"name\": \"points\", \"start\": 0, \"to\": 20}]");
    assert_told(EXAMPLE("bounty"), "goals",
                "[{\"counter\": \"points\", \"reaches\": 20, \"result\": \"win\"}]");
    assert_told(EXAMPLE("hill"), "goals.0.squares.blue", "[\"e5\", \"f5\", \"e6\", \"f6\"]");
    assert_told(EXAMPLE("hill"), "goals.0.after", "3");
    assert_told(EXAMPLE("hill"), "goals.1.pieces", "[\"standard\"]");
    assert_told(EXAMPLE("hill"), "goals.1.squares.red",
                "[\"a10\", \"b10\", \"c10\", \"d10\", \"e10\", \"f10\", \"g10\", \"h10\", "
                "\"i10\", \"j10\"]");
    assert_told(EXAMPLE("hill"), "repetition", "3");
    assert_told(EXAMPLE("hill"), "open", "false");
    assert_told(EXAMPLE("hounds"), "open", "true");
    assert_told(EXAMPLE("hounds"), "setup", "\"given\"");
    assert_told(EXAMPLE("heights"), "battles_on.0.to.blue", "[\"e5\", \"f5\", \"e6\", \"f6\"]");
    assert_told(EXAMPLE("heights"), "battles_on.0.battles.miner.miner", "\"defender\"");
    assert_told("original", "board.ground", "{}");
    assert_told("original", "goals", "[]");
    assert_told("original", "repetition", "0");
}

static void movements_are_told_in_words(void **state) {
    (void)state;
    assert_shows("original", "2 2 Scout any number of squares in a line");
    assert_shows("original", "M Marshal one square");
    assert_shows("original", "B Bomb never moves");
    assert_shows("lightning", "6 Captain up to 2 squares, turning corners");
}

static void battles_are_told_in_a_table(void **state) {
    (void)state;
    assert_shows("original", "attacker/defender 10 9 8 7 6 5 4 3 2 S B F");
    assert_shows("original", "Spy S + - - - - - - - - = - +");
    assert_shows("original", "Miner 3 - - - - - - - = + + + +");
    assert_shows("lightning", "Scout 2 - - - - - - - - + + = +");
    assert_shows("milton-bradley", "Marshal 1 = + + + + + + + + + - +");
}

static void abilities_are_told_in_words(void **state) {
    (void)state;
    assert_shows("infiltrator",
                 "sabotage (Saboteur): When: instead of a move. Where: on the enemy's set-up "
                 "ranks. Target: an enemy piece. Range: 1 to 2 squares along a rank "
                 "or file. The player names a kind of piece. Right: the target is "
                 "removed, the user is revealed. Wrong: "
                 "the user is revealed.");
    assert_shows("galaxy", "When: instead of a move, after a step to an empty square. Target: an "
                           "enemy piece. Range: a neighbouring square.");
    assert_shows("lightning", "At most 2 times per game for each side.");
}

static void endings_are_told(void **state) {
    (void)state;
    assert_shows("russian", "neither side has any of these left: Miner");
    assert_shows("original", "Draw after 200 plies in a row without an attack.");
    assert_shows("milton-bradley", "Moves may be repeated.");
    assert_shows("milton-bradley", "Either side may begin.");
}

/* The document of a command, to be freed. */
static json_t *shown(const char *variant, const char *option) {
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("show", variant, option, "--json")), 0);
    json_t *json = json_loads(console.text, 0, NULL);
    assert_non_null(json);
    console_clear(&console);
    return json;
}

static void every_action_has_one_group_and_a_text_of_its_own(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        json_t *json = shown(variants[i].name, "--actions"), *group;
        const json_t *red = json_object_get(json, "red");
        json_t *texts = json_object();
        size_t n;
        json_int_t next = 0;
        json_array_foreach(json_object_get(json, "groups"), n, group) {
            assert_int_equal(json_integer_value(json_object_get(group, "first")), next);
            next += json_integer_value(json_object_get(group, "count"));
        }
        assert_int_equal(next, json_integer_value(json_object_get(json, "actions_with_setups")));
        assert_int_equal(json_array_size(red), (size_t)next);
        assert_int_equal(json_array_size(json_object_get(json, "blue")), (size_t)next);
        for (n = 0; n < json_array_size(red); n++) {
            const char *text = json_string_value(json_array_get(red, n));
            if (!text) continue; /* it would lead off the board */
            if (json_object_get(texts, text)) fail_msg("%s twice", text);
            json_object_set_new(texts, text, json_true());
        }
        json_decref(texts);
        json_decref(json);
    }
}

static void the_actions_of_original_are_those_of_ataraxos(void **state) {
    (void)state;
    json_t *json = shown("original", "--actions");
    assert_int_equal(json_integer_value(json_object_get(json, "actions")), 1800);
    const json_t *red = json_object_get(json, "red"), *blue = json_object_get(json, "blue");
    assert_string_equal(json_string_value(json_array_get(red, 0)), "a1-a2");
    assert_string_equal(json_string_value(json_array_get(blue, 0)), "j10-j9");
    assert_string_equal(json_string_value(json_array_get(red, 905)), "f1-a1");
    json_decref(json);
}

static void counters_are_scalars(void **state) {
    (void)state;
    json_t *json = shown("./variants/examples/bounty.lua", "--planes"), *name;
    size_t n, found = 0;
    json_array_foreach(json_object_get(json, "scalars"), n, name) found +=
        !strcmp(json_string_value(name), "their.counter.points");
    assert_int_equal(found, 1);
    json_decref(json);
}

static void tables_of_the_library_fit_a_hundred_columns_in_every_language(void **state) {
    (void)state;
    static const char *const tags[] = {"en", "bg", "uk", "hr", "es", "ru"};
    static const char *const tables[] = {"--actions", "--planes"};
    for (int i = 0; i < VARIANTS * 12; i++) {
        struct console console;
        const char *name = variants[i / 12].name;
        assert_int_equal(
            console_run(&console, "",
                        ARGUMENTS("show", name, tables[i % 2], "--lang", tags[i / 2 % 6])),
            0);
        for (char *at = console.text, *end; (end = strchr(at, '\n')); at = end + 1) {
            int columns = 0;
            for (; at < end; at++) columns += (*at & 0xc0) != 0x80;
            if (columns > 100) fail_msg("%s: %d columns: %s", name, columns, at - columns);
        }
        console_clear(&console);
    }
}

static void rules_are_written_as_the_library_reads_them(void **state) {
    (void)state;
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("show", "duel", "--bytes")), 0);
    ensign_rules *loaded = ensign_rules_load("duel", 0, NULL);
    unsigned char bytes[1 << 15];
    const size_t length = ensign_rules_write(loaded, bytes, sizeof bytes);
    assert_int_equal(console.length, length);
    assert_memory_equal(console.text, bytes, length);
    ensign_rules_free(loaded);
    console_clear(&console);
    assert_int_equal(
        console_run(&console, "", ARGUMENTS("show", "./variants/examples/bounty.lua", "--bytes")),
        1);
    assert_non_null(strstr(console.text, "bounty: functions that run during play cannot be"));
    console_clear(&console);
}

static void an_unknown_variant_is_wrong_use(void **state) {
    (void)state;
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("show", "orignal")), 2);
    assert_non_null(strstr(console.text, "did you mean \"original\""));
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("show")), 2);
    console_clear(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sheet_fits_a_hundred_columns_in_every_language),
        cmocka_unit_test(every_sheet_as_json_gives_the_rules),
        cmocka_unit_test(grounds_counters_and_goals_are_in_the_document),
        cmocka_unit_test(movements_are_told_in_words),
        cmocka_unit_test(battles_are_told_in_a_table),
        cmocka_unit_test(abilities_are_told_in_words),
        cmocka_unit_test(endings_are_told),
        cmocka_unit_test(every_action_has_one_group_and_a_text_of_its_own),
        cmocka_unit_test(the_actions_of_original_are_those_of_ataraxos),
        cmocka_unit_test(counters_are_scalars),
        cmocka_unit_test(tables_of_the_library_fit_a_hundred_columns_in_every_language),
        cmocka_unit_test(rules_are_written_as_the_library_reads_them),
        cmocka_unit_test(an_unknown_variant_is_wrong_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
