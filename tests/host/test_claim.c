/* A variant's own tests: those of the stock variants pass, and a failing one reports its place, the
 * expected and the actual outcome. */
#include "host/check/claim.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct folders folders;

static int find_folders(void **state) {
    (void)state;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    return folders_find(&folders, &fault) ? 0 : -1;
}

struct tried {
    struct faults *faults;
    int claims;
};

static void try_all(const struct rules *rules, struct claims *claims, struct tried *tried) {
    tried->claims = claims->count;
    for (int i = 0; i < claims->count; i++)
        claim_holds(rules, claims, &claims->list[i], tried->faults);
    claims_clear(claims);
}

static void try_variant(void *context, const char *name, const char *path) {
    struct claims claims;
    struct tried tried = {.faults = faults_new()};
    (void)context;
    (void)path;
    struct rules *rules = variant_examine(&folders, name, tried.faults, &claims);
    if (rules) try_all(rules, &claims, &tried);
    if (tried.faults->errors)
        fail_msg("%s:%d: %s", name, tried.faults->list[0].fault.line,
                 tried.faults->list[0].fault.text);
    if (!tried.claims) fail_msg("%s carries no tests", name);
    rules_free(rules);
    free(tried.faults);
}

static void all_stock_variants_carry_tests_that_hold(void **state) {
    (void)state;
    folders_list(&folders, FOLDER_VARIANTS, try_variant, NULL);
}

/* Tries a test of these keys in a variant that extends `infiltrator`; the first fault must be at
 * this place and say this, or there must be none. */
static void expect(const char *test, const char *message) {
    char text[2048];
    snprintf(text, sizeof text,
             "return {\n  api = 1, extends = \"infiltrator\",\n  tests = {\n    {\n"
             "      title = \"it\",\n      %s,\n    },\n  },\n}\n",
             test);
    struct claims claims;
    struct tried tried = {.faults = faults_new()};
    struct rules *rules =
        variant_examine_text(&folders, "mine.lua", text, strlen(text), tried.faults, &claims);
    if (rules) try_all(rules, &claims, &tried);
    const struct fault *first = faults_first(tried.faults);
    char line[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32] = "";
    if (first) fault_format(first, line, sizeof line);
    bool fits = message ? strstr(line, message) != NULL : !first;
    if (!fits) fail_msg("%s: \"%s\", expected \"%s\"", test, line, message ? message : "nothing");
    rules_free(rules);
    free(tried.faults);
}

#define DUEL "position = { a4 = 'rM', a5 = 'b9', f1 = 'rF', f10 = 'bF', j10 = 'b2' }"

static void what_has_happened_otherwise_is_told_at_the_key_that_expects_it(void **state) {
    (void)state;
    expect(DUEL ", move = 'a4xa5', falls = 'b9', known = 'a5', after = { a5 = 'rM' }", NULL);
    expect(DUEL ",\n      move = 'a4xa5', falls = 'rM b9'",
           "mine.lua:7:23: test \"it\": expected rM b9 to fall, but b9 falls");
    expect(DUEL ", move = 'a4xa5',\n known = 'a5 j10'",
           "mine.lua:7:2: test \"it\": expected the enemy to know the pieces on a5 j10, but it "
           "knows a5");
    expect(DUEL ", move = 'a4xa5', after = { a5 = 'b9', a4 = false, j10 = 'b2', f1 = false }",
           "f1 holds rF, expected nothing; a5 holds rM, expected b9");
    expect(DUEL ", move = 'a4xa5', result = 'blue'", "expected the result blue, but it is none");
    expect("position = { a9 = 'r2', a10 = 'bF', f1 = 'rF', j10 = 'b2' }, move = 'a9xa10',\n"
           "reason = 'immobile'",
           "expected the reason immobile, but it is flag");
}

static void a_move_that_is_legal_or_not_against_expectation_is_told(void **state) {
    (void)state;
    expect(DUEL ", move = 'a4-a6'", "expected a legal move, but move \"a4-a6\"");
    expect(DUEL ", move = 'a4-a6', illegal = 'movement'", NULL);
    expect(DUEL ", move = 'a4-b4', illegal = 'movement'",
           "expected movement to refuse a4-b4, but it is legal");
    expect(DUEL ", move = 'f1-f2', illegal = 'movement'", "expected movement to refuse it, but");
    expect(DUEL ", move = 'a4-a6', illegal = 'movment'", "did you mean \"movement\"?");
    expect(DUEL ", moves = 'a4-b4 a5-a4 b4-c4 a4-a6', move = 'c4-c3'", "`moves`: move \"a4-a6\"");
}

static void whole_positions_and_set_ups_are_texts(void **state) {
    (void)state;
    const char *rest = "/........../........../........../..........";
    char test[1024];
    snprintf(test, sizeof test,
             "position = '.....bF..../..........%s/b9........./rM........./........../"
             ".....rF.... red', move = 'a3xa4', after = '.....bF..../..........%s/rM........./"
             "........../........../.....rF.... blue'",
             rest, rest);
    expect(test, NULL);
    expect("position = '.....bF red', move = 'a1-a2'", "in `position`, line 1:");
    expect("red = 'MMM', blue = 'MMM', move = 'a1-a2'", "in `red`, line 1:");
    expect("blue = 'MMM', move = 'a1-a2'", "`red` is missing");
}

static void a_test_that_cannot_be_tried_says_what_it_lacks(void **state) {
    (void)state;
    expect("move = 'a1-a2'", "mine.lua:5:7: test \"it\": expected `position`, or `red` and `blue`");
    expect(DUEL, "expects nothing");
    expect(DUEL ", falls = ''", "expected `move`");
    expect(DUEL ", move = 'a4xa5', falls = 'x9'", "`falls` has \"x9\"");
    expect(DUEL ", move = 'a4xa5', known = 'z9'", "`known` has \"z9\"");
    expect("position = { a4 = 'rM', z5 = 'b9' }, move = 'a4-a5'", "`position` names \"z5\"");
    expect("position = { a4 = 'rM', a5 = 'rM' }, move = 'a4-a5'", "in `position`, ");
    expect("position = { a4 = 'rQ' }, move = 'a4-a5'", "`position` has \"rQ\" on a4");
    expect(DUEL ", mvoe = 'a4xa5'",
           "mine.lua:6:79: unknown key \"mvoe\" in tests[1], did you mean");
}

static void tests_are_not_inherited(void **state) {
    (void)state;
    const char *text = "return { api = 1, extends = 'infiltrator' }";
    struct claims claims;
    struct faults *faults = faults_new();
    struct rules *rules =
        variant_examine_text(&folders, "mine.lua", text, strlen(text), faults, &claims);
    assert_non_null(rules);
    assert_int_equal(claims.count, 0);
    claims_clear(&claims);
    rules_free(rules);
    free(faults);
}

static void a_fault_of_a_test_is_placed_in_its_own_file(void **state) {
    (void)state;
    const char *text = "return { api = 1, extends = 'original',\n  tests = {\n    {} } }";
    struct claims claims;
    struct faults *faults = faults_new();
    assert_null(variant_examine_text(&folders, "mine.lua", text, strlen(text), faults, &claims));
    assert_string_equal(faults->list[0].fault.text, "tests[1].title is missing");
    assert_string_equal(faults->list[0].fault.file, "mine.lua");
    assert_int_equal(faults->list[0].fault.line, 3);
    claims_clear(&claims);
    free(faults);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_stock_variants_carry_tests_that_hold),
        cmocka_unit_test(what_has_happened_otherwise_is_told_at_the_key_that_expects_it),
        cmocka_unit_test(a_move_that_is_legal_or_not_against_expectation_is_told),
        cmocka_unit_test(whole_positions_and_set_ups_are_texts),
        cmocka_unit_test(a_test_that_cannot_be_tried_says_what_it_lacks),
        cmocka_unit_test(tests_are_not_inherited),
        cmocka_unit_test(a_fault_of_a_test_is_placed_in_its_own_file),
    };
    return cmocka_run_group_tests(tests, find_folders, NULL);
}
