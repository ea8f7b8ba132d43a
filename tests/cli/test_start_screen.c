/* test_start_screen.c - choices on the start screen, by keys and by the mouse. */
#include "cli/screen/start_screen.h"

#include "host/seed.h"
#include "screen_memory.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct folders folders;
static struct screen screen;
static struct memory memory;
static struct terms terms;
static bool newcomer;

#define STEPS(...) ((const struct memory_step[]){__VA_ARGS__, {0}})

/* Runs a script on the start screen, which begins with a game of duel against lieutenant. */
static bool choose_in(int rows, int columns, const struct memory_step *steps) {
    memset(&terms, 0, sizeof terms);
    strcpy(terms.variant, "duel");
    strcpy(terms.player[RED], "human");
    strcpy(terms.player[BLUE], "lieutenant");
    terms.first = -1;
    seed_forget();
    screen_memory_open(&screen, &memory, rows, columns, steps);
    bool begins = start_screen_choose(&screen, &folders, NULL, newcomer, &terms);
    screen_close(&screen);
    return begins;
}

static bool choose(const struct memory_step *steps) {
    return choose_in(24, 80, steps);
}

static void assert_terms(const char *variant, const char *red, const char *blue, int first) {
    assert_string_equal(terms.variant, variant);
    assert_string_equal(terms.player[RED], red);
    assert_string_equal(terms.player[BLUE], blue);
    assert_int_equal(terms.first, first);
}

static void enter_plays_what_is_proposed(void **state) {
    (void)state;
    assert_true(choose(STEPS({"> Play", "<Enter>", NULL})));
    assert_terms("duel", "human", "lieutenant", -1);
}

static void a_game_is_chosen_from_a_list_that_says_what_it_is(void **state) {
    (void)state;
    assert_true(choose(STEPS({NULL, "<Down><Enter>", NULL}, {"10 x 8, pieces: 30", "<Down>", NULL},
                             {"> Galaxy ", "<Enter>", NULL}, {"as printed in Spain", "p", NULL})));
    assert_terms("galaxy", "human", "lieutenant", -1);
}

static void values_are_stepped_through(void **state) {
    (void)state;
    assert_true(choose(STEPS({NULL, "<Down><Down><Right>", NULL}, {"> blue", "<Down><Right>", NULL},
                             {"> hard: commander", "<Down><Right><Right>", NULL},
                             {"> blue begins", "<Down><Right><Right>p", NULL})));
    assert_terms("duel", "commander", "human", BLUE);
}

static void arrows_change_the_game_from_where_the_screen_begins(void **state) {
    (void)state;
    assert_true(choose(STEPS({"> Play", "<Right>", NULL}, {"Galaxy", "<Left><Left>", NULL},
                             {"Classic", "<Right><Right><Enter>", NULL})));
    assert_terms("galaxy", "human", "lieutenant", -1);
}

static void help_tells_keys_and_the_rules_of_the_chosen_game(void **state) {
    (void)state;
    assert_true(choose(STEPS({"? help", "?", NULL}, {"The start screen", "<End>", NULL},
                             {"Endings", "<Esc>", NULL}, {"> Play", "<Enter>", NULL})));
    assert_terms("duel", "human", "lieutenant", -1);
}

static void bots_are_listed_from_the_weakest_to_the_strongest(void **state) {
    (void)state;
    assert_true(
        choose(STEPS({NULL, "<Down><Down><Down><Enter>", NULL},
                     {"beginner: cadet       makes many mistakes", "<Home>", NULL},
                     {"> beginner: cadet", "<Down>", NULL}, {"> easy: midshipman", "<Enter>", NULL},
                     {"sees what is plain", "p", NULL})));
    assert_terms("duel", "human", "midshipman", -1);
    assert_true(choose(STEPS({NULL, "<Down><Down><Down><Enter><End>", NULL},
                             {"> a human ", "<Enter>", NULL}, {"> both: two people", "p", NULL})));
    assert_terms("duel", "human", "human", -1);
}

static void bots_play_each_other_and_people_too(void **state) {
    (void)state;
    assert_true(choose(STEPS({NULL, "<Down><Down><Left>", NULL},
                             {"neither: watch two bots", "<Down><Left>p", NULL})));
    assert_terms("duel", "midshipman", "lieutenant", -1);
    assert_true(choose(STEPS({NULL, "<Down><Down><Enter>", NULL},
                             {"two people at one keyboard", "<Down><Down><Enter>p", NULL})));
    assert_terms("duel", "human", "human", -1);
}

static void who_begins_is_told_as_the_rules_have_it(void **state) {
    (void)state;
    assert_true(choose(STEPS({"as the rules say: red", "<Down><Enter>", NULL},
                             {"Milton Bradley", "m<Enter>", NULL},
                             {"the rules leave it open", "p", NULL})));
    assert_terms("milton-bradley", "human", "lieutenant", -1);
}

static void assert_seed(uint64_t expected) {
    uint64_t seed;
    struct fault fault = {0};
    assert_true(seed_given());
    assert_true(seed_take(UINT64_MAX, &seed, &fault));
    assert_true(seed == expected);
}

static void no_seed_is_shown(struct screen *shown) {
    int row, column;
    assert_false(screen_memory_find(shown, "4711", &row, &column));
}

static void a_seed_is_typed_and_then_not_shown(void **state) {
    (void)state;
    assert_true(
        choose(STEPS({"random", "<Up><Enter>", NULL}, {"A whole number", "4711<Enter>", NULL},
                     {"as given", "p", no_seed_is_shown})));
    assert_seed(4711);
    assert_true(choose(STEPS({NULL, "<Up><Enter>", NULL}, {"A whole number", "x<Enter>p", NULL})));
    assert_false(seed_given());
}

static void an_empty_seed_is_one_by_chance(void **state) {
    (void)state;
    assert_true(choose(STEPS({NULL, "<Up><Enter>", NULL}, {"A whole number", "8<Enter>", NULL},
                             {"as given", "<Enter>", NULL}, {"A whole number", "<Enter>", NULL},
                             {"random", "p", NULL})));
    assert_false(seed_given());
}

static void the_mouse_chooses(void **state) {
    (void)state;
    int row = 0, column = 0;
    screen_memory_open(&screen, &memory, 24, 80, STEPS({NULL, "x", NULL}));
    assert_false(start_screen_choose(&screen, &folders, NULL, newcomer, &terms));
    assert_true(screen_memory_find(&screen, "> Play", &row, &column));
    screen_close(&screen);
    char click[32];
    snprintf(click, sizeof click, "<@%d,%d>", row, column + 2);
    assert_true(choose(STEPS({NULL, click, NULL})));
    assert_terms("duel", "human", "lieutenant", -1);
}

static void who_leaves_or_hangs_up_plays_nothing(void **state) {
    (void)state;
    assert_false(choose(STEPS({NULL, "q", NULL})));
    assert_false(choose(STEPS({NULL, "<Esc>", NULL})));
    assert_false(choose(STEPS({NULL, "<Hangup>", NULL})));
    assert_false(choose(STEPS({NULL, "<Down><Enter><Hangup>", NULL})));
}

static void a_small_window_still_shows_the_form(void **state) {
    (void)state;
    assert_true(choose_in(13, 40, STEPS({"> Play", "<=50,200>", NULL}, {"> Play", "p", NULL})));
}

static void a_clock_is_stepped_to_or_chosen_where_a_person_plays(void **state) {
    (void)state;
    assert_true(choose(STEPS({"no clock", "<Up><Up><Right>", NULL},
                             {"> 5 minutes each, 3 seconds more", "<Enter>", NULL},
                             {"> 5 minutes each", "3<Enter>p", NULL})));
    assert_int_equal(terms.pace.ms, 30 * 60000);
    assert_int_equal(terms.pace.increment, 0);
    /* from bots that are watched it is taken away */
    assert_true(choose(
        STEPS({"no clock", "<Up><Up><Right><Up><Up><Up><Left>", NULL}, {"neither", "p", NULL})));
    assert_int_equal(terms.pace.ms, 0);
}

static void only_a_newcomer_is_offered_the_lesson_but_t_is_for_everybody(void **state) {
    (void)state;
    newcomer = true;
    assert_true(choose(STEPS({"Ensign  Never played? Press t", "t", NULL})));
    assert_true(terms.lesson);
    newcomer = false;
    assert_true(
        choose(STEPS({"Ensign\n", "?", NULL}, {"the lesson: how to play", "<Esc>t", NULL})));
    assert_true(terms.lesson);
    assert_true(choose(STEPS({"> Play", "<Enter>", NULL})));
    assert_false(terms.lesson);
}

int main(void) {
    setlocale(LC_CTYPE, "C.UTF-8");
    if (!folders_find(&folders, NULL)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enter_plays_what_is_proposed),
        cmocka_unit_test(a_game_is_chosen_from_a_list_that_says_what_it_is),
        cmocka_unit_test(values_are_stepped_through),
        cmocka_unit_test(arrows_change_the_game_from_where_the_screen_begins),
        cmocka_unit_test(help_tells_keys_and_the_rules_of_the_chosen_game),
        cmocka_unit_test(bots_are_listed_from_the_weakest_to_the_strongest),
        cmocka_unit_test(bots_play_each_other_and_people_too),
        cmocka_unit_test(who_begins_is_told_as_the_rules_have_it),
        cmocka_unit_test(a_seed_is_typed_and_then_not_shown),
        cmocka_unit_test(an_empty_seed_is_one_by_chance),
        cmocka_unit_test(the_mouse_chooses),
        cmocka_unit_test(a_clock_is_stepped_to_or_chosen_where_a_person_plays),
        cmocka_unit_test(only_a_newcomer_is_offered_the_lesson_but_t_is_for_everybody),
        cmocka_unit_test(who_leaves_or_hangs_up_plays_nothing),
        cmocka_unit_test(a_small_window_still_shows_the_form),
    };
    return cmocka_run_group_tests_name("cli/start_screen", tests, NULL, NULL);
}
