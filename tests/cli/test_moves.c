/* test_moves.c - "ensign moves": lists, judgements, counts. */
#include "console.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const variants[] = {"original", "duel",        "infiltrator",    "classic",
                                       "galaxy",   "galaxy-duel", "russian",        "barrage",
                                       "quick",    "lightning",   "milton-bradley", "lattaque",
                                       "luzhanqi", "salpakan",    "jungle"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* [Position] makes a record of any position. */
static const char *record_of(const char *variant, const char *position, const char *moves) {
    char text[2048];
    snprintf(text, sizeof text, "[Variant \"%s\"]\n[Position \"%s\"]\n\n%s\n", variant, position,
             moves);
    return console_file(0, "position.rec", text);
}

static json_t *moves_json(const char *source) {
    struct console console;
    if (console_run(&console, "", ARGUMENTS("moves", source, "--json")))
        fail_msg("%s: %s", source, console.text);
    json_t *document = json_loads(console.text, 0, NULL);
    assert_non_null(document);
    console_clear(&console);
    return document;
}

static void assert_judged(const char *source, const char *move, int code, const char *words) {
    struct console console;
    int got = console_run(&console, "", ARGUMENTS("moves", source, move));
    if (got != code || !strstr(console.text, words))
        fail_msg("%s %s: %d, %s", source, move, got, console.text);
    console_clear(&console);
}

static void every_variant_lists_moves_that_are_judged_legal(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        json_t *document = moves_json(variants[i]);
        json_t *list = json_object_get(document, "moves");
        assert_true(json_array_size(list) > 0);
        for (size_t m = 0; m < json_array_size(list); m += 5)
            assert_judged(variants[i], json_string_value(json_array_get(list, m)), 0, "Legal: ");
        json_decref(document);
    }
}

static void the_list_for_people_has_every_move(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        json_t *document = moves_json(variants[i]);
        struct console console;
        assert_int_equal(console_run(&console, "", ARGUMENTS("moves", variants[i])), 0);
        size_t index;
        json_t *move;
        json_array_foreach(json_object_get(document, "moves"), index, move) {
            if (!strstr(console.text, json_string_value(move)))
                fail_msg("%s: no %s", variants[i], json_string_value(move));
        }
        json_decref(document);
        console_clear(&console);
    }
}

static void the_seed_draws_the_set_ups(void **state) {
    (void)state;
    struct console one, same, other;
    console_run(&one, "", ARGUMENTS("moves", "original", "--json", "--seed", "8"));
    console_run(&same, "", ARGUMENTS("moves", "original", "--json", "--seed", "8"));
    console_run(&other, "", ARGUMENTS("moves", "original", "--json", "--seed", "9"));
    assert_string_equal(one.text, same.text);
    assert_string_not_equal(one.text, other.text);
    console_clear(&one);
    console_clear(&same);
    console_clear(&other);
}

/* Red: flag a1, marshal b1, scout b4, bomb c1. Blue: flag j10, miner j9, captain b7. */
static const char POSITION[] = ".........bF/.........b3/........../.b6......../........../"
                               "........../.r2......../........../........../rFrMrB....... red";

static void a_refusal_names_its_rule(void **state) {
    (void)state;
    const char *record = record_of("original", POSITION, "");
    assert_judged(record, "b4xb7", 0, "Legal: ");
    assert_judged(record, "b4-b6", 0, "Legal: ");
    assert_judged(record, "b4-b8", 1, "Not legal (blocked): ");
    assert_judged(record, "b4-b8", 1, "the piece on b7 is in the way.");
    assert_judged(record, "b1-b3", 1, "Not legal (movement): the piece does not move like that.");
    assert_judged(record, "b4-c5", 1, "Not legal (lake): nothing can enter a lake.");
    assert_judged(record, "b1-c1", 1, "Not legal (own-piece): ");
    assert_judged(record, "c1-c2", 1, "Not legal (immobile-kind): ");
    assert_judged(record, "j9-j8", 1, "Not legal (not-yours): ");
    assert_judged(record, "b4-c5", 1, "Not legal (lake): ");
    assert_judged(record, "b4-b11", 1, "Not legal (off-board): ");
    assert_judged(record, "b4@b5=bomb", 1, "Not legal (ability): ");
    assert_judged(record, "nonsense", 1, "Not legal (text): ");
}

/* Scouts on c4, c7 and e5, a marshal on d4: lakes lie on c5 to d6. */
static void a_lake_in_the_way_is_named(void **state) {
    (void)state;
    const char *record = record_of("original",
                                   ".........bF/.........b3/........../..r2......./........../"
                                   "....r2...../..r2rM....../........../........../rF......... red",
                                   "");
    assert_judged(record, "c4-c9", 1, "Not legal (movement): the lake on c5 is in the way.");
    assert_judged(record, "c4-c7", 1, "Not legal (movement): the lake on c5 is in the way.");
    assert_judged(record, "c7-c3", 1, "Not legal (movement): the lake on c6 is in the way.");
    assert_judged(record, "e5-b5", 1, "Not legal (movement): the lake on d5 is in the way.");
    assert_judged(record, "e5-i5", 1, "Not legal (movement): the lake on g5 is in the way.");
    assert_judged(record, "d4-d7", 1, "Not legal (movement): the piece does not move like that.");
    assert_judged(record, "e5-f7", 1, "Not legal (movement): the piece does not move like that.");
}

static void the_two_squares_rule_is_named(void **state) {
    (void)state;
    const char *record =
        record_of("original", POSITION, "1. b1-b2 j9-i9 2. b2-b1 i9-j9 3. b1-b2 j9-i9");
    assert_judged(record, "b2-b1", 1, "Not legal (two-squares): ");
    assert_judged(record, "b2-b1", 1,
                  "between b1 and b2, in a row: 3 (at most: 3). "
                  "Plies: 1. b1-b2, 3. b2-b1, 5. b1-b2.");
    assert_judged(record, "b2-b3", 0, "Legal: ");
}

static void a_ply_is_chosen(void **state) {
    (void)state;
    const char *record = record_of("original", POSITION, "1. b1-b2 j9-i9");
    struct console console;
    console_run(&console, "", ARGUMENTS("moves", record, "--ply", "1", "--json"));
    json_t *document = json_loads(console.text, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(document, "to_move")), "blue");
    json_decref(document);
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("moves", record, "--ply", "3")), 2);
    console_clear(&console);
}

static void json_says_the_result_and_what_the_last_turn_made_known(void **state) {
    (void)state;
    json_t *document = moves_json("duel");
    assert_true(json_is_null(json_object_get(document, "last")));
    json_decref(document);
    document = moves_json(record_of("original", POSITION, "1. b1-b2"));
    assert_string_equal(json_string_value(json_object_get(document, "result")), "*");
    assert_string_equal(json_string_value(json_object_get(document, "reason")), "none");
    const json_t *last = json_object_get(document, "last");
    assert_string_equal(json_string_value(json_object_get(last, "move")), "b1-b2");
    assert_string_equal(json_string_value(json_object_get(last, "side")), "red");
    json_decref(document);
    document = moves_json(record_of("original",
                                    "bF........b3/r2........./........../........../........../"
                                    "........../........../........../........../rF......... red",
                                    "1. a9xa10"));
    assert_string_equal(json_string_value(json_object_get(document, "result")), "red");
    assert_string_equal(json_string_value(json_object_get(document, "reason")), "flag");
    json_decref(document);
}

static void guesses_are_folded_into_one(void **state) {
    (void)state;
    const char *record = record_of("infiltrator",
                                   "bF........./b3........./........../rX........./........../"
                                   "........../........../........../........../rF......... red",
                                   "");
    struct console console;
    console_run(&console, "", ARGUMENTS("moves", record));
    if (!strstr(console.text, "a7@a9=?")) fail_msg("%s", console.text);
    assert_null(strstr(console.text, "a7@a9=bomb"));
    assert_non_null(strstr(console.text, "sabotage: ? is one of "));
    console_clear(&console);
    assert_judged(record, "a7@a9=bomb", 0, "Legal: ");
    assert_judged(record, "a7@a10=bomb", 1, "Not legal (ability): ");
}

static void perft_counts_what_is_listed(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        json_t *document = moves_json(variants[i]);
        struct console console;
        console_run(&console, "", ARGUMENTS("moves", variants[i], "--perft", "2", "--json"));
        json_t *perft = json_loads(console.text, 0, NULL);
        json_t *counts = json_object_get(perft, "perft");
        assert_int_equal(json_array_size(counts), 2);
        assert_int_equal(json_integer_value(json_array_get(counts, 0)),
                         json_array_size(json_object_get(document, "moves")));
        json_decref(perft);
        json_decref(document);
        console_clear(&console);
    }
}

static void perft_goes_on_from_the_end_of_a_record(void **state) {
    (void)state;
    const char *record = record_of("original", POSITION, "1. b1-b2 j9-i9 2. b2-b1 i9-j9");
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("moves", record, "--perft", "3")), 0);
    assert_non_null(strstr(console.text, " 3 "));
    console_clear(&console);
}

static void a_forbidden_chase_is_named_in_real_games(void **state) {
    (void)state;
    const char *shared = getenv("ENSIGN_SHARED");
    char folder[1024], path[2048], text[4096];
    snprintf(folder, sizeof folder, "%s/data/chase", shared ? shared : ENSIGN_ROOT "/../shared");
    DIR *list = opendir(folder);
    if (!list) skip();
    int judged = 0;
    for (const struct dirent *entry; (entry = readdir(list)) && judged < 10;) {
        if (!strstr(entry->d_name, ".rec")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        char move[32];
        const char *tag = strstr(text, "[NextIllegal \"");
        assert_non_null(tag);
        assert_int_equal(sscanf(tag, "[NextIllegal \"%31s", move), 1);
        assert_judged(path, move, 1, "Not legal (chase): ");
        judged++;
    }
    closedir(list);
    assert_true(judged > 0);
}

static void a_refusal_in_the_variants_own_words_is_told_in_every_language(void **state) {
    (void)state;
    static const struct {
        const char *tag, *told;
    } languages[] = {
        {"en", "Not legal (variant): a rule of this variant forbids it: a flag does not attack."},
        {"bg",
         "Не е позволено (variant): правило на този вариант го забранява: a flag does not attack."},
    };
    const char *path = record_of("flag_moves_once",
                                 "bF........./........../........../........../........../"
                                 "........../........../........../bS......rM../rF......... red",
                                 "");
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        struct console console;
        console_run(&console, "",
                    ARGUMENTS("moves", path, "-v", "variants/examples/flag_moves_once.lua",
                              "--lang", languages[i].tag, "a1xa2"));
        if (!strstr(console.text, languages[i].told)) fail_msg("%s", console.text);
        console_clear(&console);
    }
}

static void a_move_is_read_as_it_is_in_play(void **state) {
    (void)state;
    static const char *const forms[] = {"a4a6", "a4 a6", "A4-A6", "a4xa6", "a4 x a6"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct console console;
        console_run(&console, "", ARGUMENTS("moves", "original", forms[i]));
        if (strstr(console.text, "(text)")) fail_msg("%s: %s", forms[i], console.text);
        console_clear(&console);
    }
    assert_judged("original", "a4", 1, "expected - or x and a square, or @ and a target");
    assert_judged("original", "a4+a5", 1, "expected - or x and a square, or @ and a target");
}

static void wrong_use_is_refused(void **state) {
    (void)state;
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("moves")), 2);
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("moves", "duel", "--ply", "1")), 2);
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("moves", "no-such.rec")), 2);
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("moves", "duel", "--perft", "x")), 2);
    console_clear(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_lists_moves_that_are_judged_legal),
        cmocka_unit_test(the_list_for_people_has_every_move),
        cmocka_unit_test(the_seed_draws_the_set_ups),
        cmocka_unit_test(a_refusal_names_its_rule),
        cmocka_unit_test(a_lake_in_the_way_is_named),
        cmocka_unit_test(the_two_squares_rule_is_named),
        cmocka_unit_test(a_ply_is_chosen),
        cmocka_unit_test(json_says_the_result_and_what_the_last_turn_made_known),
        cmocka_unit_test(guesses_are_folded_into_one),
        cmocka_unit_test(perft_counts_what_is_listed),
        cmocka_unit_test(perft_goes_on_from_the_end_of_a_record),
        cmocka_unit_test(a_forbidden_chase_is_named_in_real_games),
        cmocka_unit_test(a_refusal_in_the_variants_own_words_is_told_in_every_language),
        cmocka_unit_test(a_move_is_read_as_it_is_in_play),
        cmocka_unit_test(wrong_use_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
