/* test_review.c - recorded games stepped through on a screen in memory. */
#include "cli/screen/review.h"
#include "screen_memory.h"
#include "variant/variant.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct rules *rules;
static struct screen screen;
static struct memory memory;

static const char GAME[] = "[Variant \"duel\"]\n[Red \"ann\"]\n[Blue \"bob\"]\n"
                           "[RedSetup \"9......2../M........./S23......./FBB3......\"]\n"
                           "[BlueSetup \"9......2../M........./S23......./FBB3......\"]\n"
                           "[Result \"blue\"]\n[Reason \"resigned\"]\n\n"
                           "1. a4-a5 c7xc6 2. a5-a6\n";

static int start(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    setlocale(LC_CTYPE, "C.UTF-8");
    if (folders_find(&folders, &fault)) rules = variant_load(&folders, "duel", &fault);
    return rules ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    rules_free(rules);
    return 0;
}

static void review(const char *moves, uint32_t ply, const struct memory_step *steps) {
    char text[1024];
    struct fault fault = {0};
    snprintf(text, sizeof text, "%.*s%s", (int)(strstr(GAME, "1. ") - GAME), GAME, moves);
    struct record *record = record_read(text, strlen(text), &fault);
    assert_non_null(record);
    const struct review_options options = {
        .rules = rules, .record = record, .ply = ply, .note = "The record is here."};
    screen_memory_open(&screen, &memory, 26, 80, steps);
    assert_true(review_show(&screen, &options, &fault));
    assert_true(!memory.step[1].shown && !memory.step[1].keys); /* it was the last step */
    screen_close(&screen);
    record_free(record);
}

static void a_game_is_stepped_through_both_ways(void **state) {
    (void)state;
    review("1. a4-a5 j7-j6 2. a5-a6", 0,
           (const struct memory_step[]){{"ply 0 of 3, uncovered", "<Right>", NULL},
                                        {"Red a4-a5.", "<Right><Right>", NULL},
                                        {"ply 3 of 3", "<Left>", NULL},
                                        {"ply 2 of 3", "<Home>", NULL},
                                        {"ply 0 of 3", "<PageDown>", NULL},
                                        {"ply 3 of 3", "<PageUp><End>", NULL},
                                        {"ply 3 of 3", ":2<Enter>", NULL},
                                        {"ply 2 of 3", "q", NULL},
                                        {0}});
}

static void help_names_the_keys_that_step(void **state) {
    (void)state;
    review("1. a4-a5 j7-j6 2. a5-a6", 0,
           (const struct memory_step[]){{"ply 0 of 3", "?", NULL},
                                        {"Space             play automatically", "<Esc>", NULL},
                                        {"ply 0 of 3", "q", NULL},
                                        {0}});
}

static void the_end_is_told_with_its_reason(void **state) {
    (void)state;
    review("1. a4-a5 j7-j6 2. a5-a6", UINT32_MAX,
           (const struct memory_step[]){{"Blue wins. The other side resigned.", "q", NULL}, {0}});
}

static void look_uncovered(struct screen *shown) {
    const char *text = screen_memory_text(shown);
    assert_non_null(strstr(text, "(10)"));
    assert_non_null(strstr(text, "[10]"));
}

static void look_as_red(struct screen *shown) {
    const char *text = screen_memory_text(shown);
    assert_null(strstr(text, "(10)"));
    assert_non_null(strstr(text, "[10]"));
    assert_non_null(strstr(text, "(##)"));
}

static void look_as_blue(struct screen *shown) {
    const char *text = screen_memory_text(shown);
    assert_non_null(strstr(text, "(10)"));
    assert_null(strstr(text, "[10]"));
    int row, column;
    assert_true(screen_memory_find(shown, " 1 ", &row, &column)); /* rank 1 is at the top */
    assert_true(row < 5);
}

static void a_game_is_seen_from_either_sides_eyes(void **state) {
    (void)state;
    review("1. a4-a5 j7-j6 2. a5-a6", 2,
           (const struct memory_step[]){{"uncovered", "v", look_uncovered},
                                        {"red's view", "v", look_as_red},
                                        {"blue's view", "v", look_as_blue},
                                        {"ply 2 of 3, uncovered", "q", look_uncovered},
                                        {0}});
}

static void battles_are_found(void **state) {
    (void)state;
    review("1. a4-a5 c7-e7 2. h4-e4 j7-j6 3. e4xe7 j6-j5", 0,
           (const struct memory_step[]){{"ply 0 of 6", "n", NULL},
                                        {"ply 5 of 6", "n", NULL},
                                        {"ply 6 of 6", "N", NULL},
                                        {"both fall", "N", NULL},
                                        {"ply 0 of 6", "q", NULL},
                                        {0}});
}

static void a_record_with_a_wrong_move_is_shown_up_to_it(void **state) {
    (void)state;
    review("1. a4-a5 j7-j6 2. a5-c6 j6-j5", UINT32_MAX,
           (const struct memory_step[]){{"ply 2 of 2", NULL, NULL}, {"a5-c6", "q", NULL}, {0}});
}

static void a_game_runs_on_by_itself(void **state) {
    (void)state;
    review("1. a4-a5 j7-j6 2. a5-a6", 1,
           (const struct memory_step[]){{"ply 1 of 3", " ", NULL}, {"ply 3 of 3", "q", NULL}, {0}});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_stepped_through_both_ways),
        cmocka_unit_test(help_names_the_keys_that_step),
        cmocka_unit_test(the_end_is_told_with_its_reason),
        cmocka_unit_test(a_game_is_seen_from_either_sides_eyes),
        cmocka_unit_test(battles_are_found),
        cmocka_unit_test(a_record_with_a_wrong_move_is_shown_up_to_it),
        cmocka_unit_test(a_game_runs_on_by_itself),
    };
    return cmocka_run_group_tests(tests, start, end);
}
