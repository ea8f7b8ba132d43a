/* Statistics of set-ups, compared with counts by hand. */
#include "host/setups/setup_tally.h"

#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct setup_pool setups;
static struct setup_tally tally;
static char told[2048]; /* "LINE:COLUMN TEXT" of each fault */

static void complain(void *context, const struct fault *fault) {
    (void)context;
    size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%d:%d %s\n", fault->line, fault->column,
             fault->text);
}

static void survey(const char *text) {
    struct fault fault = {0};
    told[0] = 0;
    if (!setup_pool_survey(duel, RED, text, strlen(text), complain, NULL, &setups, &fault) ||
        !setup_tally(duel, &setups, &tally, &fault))
        fail_msg("%s", fault.text);
}

static int forget(void **state) {
    (void)state;
    setup_tally_clear(&tally);
    setup_pool_clear(&setups);
    return 0;
}

#define FIRST "M..2....../...9..2.../3.S......3/....BFB..."
#define OTHER "M..2....../...9..2.../3..S.....3/....BFB..."
#define MIRROR "......2..M/...2..9.../3......S.3/...BFB...."

static void every_wrong_line_is_told_and_the_others_are_kept(void **state) {
    (void)state;
    survey("# heading\n" FIRST "\nM..2\n3 " OTHER "\nM..2....../...9..2.../3.S......3/....BFB..B\n"
           "\n7  M..2....../...9..?.../3.S......3/....BFB...\n");
    assert_int_equal(setups.count, 2);
    assert_int_equal(setups.origins[1].line, 4);
    assert_int_equal(setups.origins[1].seen, 3);
    assert_non_null(strstr(told, "3:5 "));
    assert_non_null(strstr(told, "5:1 "));
    assert_non_null(strstr(told, "bomb"));
    assert_non_null(strstr(told, "7:21 \"?\""));
}

static void a_wrong_first_line_does_not_hide_the_others(void **state) {
    (void)state;
    survey("nonsense\n" FIRST "\n" OTHER "\n");
    assert_int_equal(setups.count, 2);
    assert_non_null(strstr(told, "1:"));
}

static void repeats_and_mirrors_are_counted_and_named(void **state) {
    (void)state;
    survey(FIRST "\n" MIRROR "\n" OTHER "\n" FIRST "\n" MIRROR "\n" FIRST "\n");
    assert_int_equal(tally.distinct, 3);
    assert_int_equal(tally.repeats, 3);
    assert_int_equal(tally.mirrors, 1);
    assert_int_equal(tally.symmetric, 0);
    static const struct setup_twins expected[] = {
        {0, 1, true}, {0, 3, false}, {1, 4, false}, {0, 5, false}};
    assert_int_equal(tally.twin_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(tally.twins[i].first, expected[i].first);
        assert_int_equal(tally.twins[i].second, expected[i].second);
        assert_int_equal(tally.twins[i].mirrored, expected[i].mirrored);
    }
}

static void squares_are_weighted_by_how_often_a_set_up_was_seen(void **state) {
    (void)state;
    survey("10 " FIRST "\n" OTHER "\n");
    kind_id spy = rules_kind(duel, "spy", 3), flag = rules_kind(duel, "flag", 4);
    assert_int_equal(tally.seen, 11);
    assert_int_equal(tally.stood[spy][12], 10); /* c2 */
    assert_int_equal(tally.stood[spy][13], 1);
    assert_int_equal(tally.stood[flag][5], 11);
}

/* 47,108 set-ups that people played; no line comes twice, as sort | uniq knows. */
static void real_set_ups_are_all_valid_and_all_different(void **state) {
    (void)state;
    char path[600];
    const char *data = support_data();
    if (!data) skip();
    snprintf(path, sizeof path, "%s/setups/original.txt", data);
    struct rules *rules = support_rules("original");
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = malloc(8 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, 8 << 20, file);
    fclose(file);
    struct fault fault = {0};
    told[0] = 0;
    assert_true(setup_pool_survey(rules, RED, text, length, complain, NULL, &setups, &fault));
    assert_true(setup_tally(rules, &setups, &tally, &fault));
    free(text);
    rules_free(rules);
    assert_string_equal(told, "");
    assert_int_equal(setups.count, 47108);
    assert_int_equal(tally.distinct, 47108);
    assert_int_equal(tally.repeats, 0);
    assert_int_equal(tally.twin_count, tally.mirrors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(every_wrong_line_is_told_and_the_others_are_kept, forget),
        cmocka_unit_test_teardown(a_wrong_first_line_does_not_hide_the_others, forget),
        cmocka_unit_test_teardown(repeats_and_mirrors_are_counted_and_named, forget),
        cmocka_unit_test_teardown(squares_are_weighted_by_how_often_a_set_up_was_seen, forget),
        cmocka_unit_test_teardown(real_set_ups_are_all_valid_and_all_different, forget),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
