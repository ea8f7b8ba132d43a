/* test_arrange_screen.c - an army laid out on the screen, by keys and by the mouse. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "cli/screen/arrange_screen.h"

#include "core/text/layout.h"
#include "screen_memory.h"
#include "variant/variant.h"

#include <fcntl.h>
#include <ftw.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct folders folders;
static struct screen screen;
static struct memory memory;
static struct setup setup;
static struct language *language; /* NULL: English */
static char home[64];

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static int leave(void **state) {
    (void)state;
    return nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int enter(void **state) {
    (void)state;
    setlocale(LC_CTYPE, "C.UTF-8");
    strcpy(home, "/tmp/ensign-test-XXXXXX");
    if (!mkdtemp(home)) return -1;
    setenv("XDG_DATA_HOME", home, 1);
    return folders_find(&folders, NULL) ? 0 : -1;
}

/* Runs a script in the editor, which begins with `start`, or with a random army. */
static bool arrange_in(int rows, int columns, const char *variant, enum side side,
                       const char *start, const struct memory_step *steps) {
    struct rules *rules = variant_load(&folders, variant, NULL);
    assert_non_null(rules);
    const struct arrange_options options = {
        .language = language, .rules = rules, .folders = &folders, .side = side, .title = "A game"};
    struct random random = random_stream(1, STREAM_RED_SETUP, 0);
    struct fault fault = {0};
    memset(&setup, 0, sizeof setup);
    if (start) assert_true(setup_read(rules, RED, start, strlen(start), &setup, NULL));
    screen_memory_open(&screen, &memory, rows, columns, steps);
    bool content = arrange_on_screen(&screen, &options, &random, &setup, &fault);
    assert_int_equal(fault.text[0], 0);
    screen_close(&screen);
    if (content) assert_true(setup_check(rules, RED, &setup, NULL));
    rules_free(rules);
    return content;
}

static void assert_army(const char *variant, const char *expected) {
    struct rules *rules = variant_load(&folders, variant, NULL);
    char text[SETUP_TEXT_MAX];
    setup_write(rules, RED, &setup, text);
    assert_string_equal(text, expected);
    rules_free(rules);
}

#define STEPS(...) ((const struct memory_step[]){__VA_ARGS__, {0}})

static const char QUICK[] = "FBBS2233/9M....../........";

static void an_army_is_laid_out_by_letters(void **state) {
    (void)state;
    assert_true(
        arrange_in(24, 80, "quick", RED, NULL,
                   STEPS({"The army is complete.", NULL, NULL}, {"c clear", "c", NULL},
                         {"Left to place: 10.", "FBBS2233", NULL},
                         {"Left to place: 2.", "9M", NULL}, {"The army is complete.", "d", NULL})));
    assert_army("quick", "...FBBS2/2339M.../........");
}

static void pieces_are_placed_by_what_stands_on_them(void **state) {
    (void)state;
    static const char ARMY[] = "MX22222222/2334444555/5666677788/89SFBBBBBB";
    /* "1" is the saboteur, until a "0" makes it the marshal; the cursor begins on e4 */
    assert_true(
        arrange_in(24, 80, "infiltrator", RED, ARMY,
                   STEPS({NULL, "c", NULL}, {"1  1/1  Sab", "1", NULL}, {"1  0/1  Sab", "0", NULL},
                         {"10 0/1", "1", NULL}, {"1  0/1  Sab", "rd", NULL})));
    char text[SETUP_TEXT_MAX];
    struct rules *rules = variant_load(&folders, "infiltrator", NULL);
    setup_write(rules, RED, &setup, text);
    rules_free(rules);
    text[6] = 0;
    assert_string_equal(text + 4, "MX");
    assert_true(
        arrange_in(24, 80, "quick", RED, QUICK,
                   STEPS({NULL, "c:", NULL}, {"Its name, letter or label", "10<Enter>:", NULL},
                         {"Its name, letter or label", "colonel<Enter>", NULL},
                         {"No piece is called \"colonel\".", ":", NULL},
                         {"Its name, letter or label", "flag<Enter>", NULL},
                         {"place: 8.", "2233BBS9d", NULL})));
    assert_army("quick", "...MF223/3BBS9.../........");
}

static void cyrillic_keys_are_the_same_commands(void **state) {
    (void)state;
    language = language_load(&folders, "uk", NULL);
    assert_non_null(language);
    /* clear, cursor left, a flag, a marshal, a spy, a bomb by name, the rest at random, done */
    assert_true(arrange_in(24, 80, "quick", RED, QUICK,
                           STEPS({NULL, "ср", NULL}, {NULL, "АЬІЖ", NULL},
                                 {"Її назва, літера або знак:", "бомба<Enter>", NULL},
                                 {NULL, "кв", NULL})));
    language_free(language);
    language = NULL;
    char text[SETUP_TEXT_MAX];
    struct rules *rules = variant_load(&folders, "quick", NULL);
    setup_write(rules, RED, &setup, text);
    rules_free(rules);
    text[6] = 0;
    assert_string_equal(text + 2, "FMSB");
}

static void pieces_are_taken_up_and_exchanged(void **state) {
    (void)state;
    /* the cursor begins on d3 */
    assert_true(arrange_in(24, 80, "quick", RED, QUICK,
                           STEPS({NULL, "<Enter><Left><Left><Left><Enter>", NULL},
                                 {NULL, "<Enter><Down><Down> d", NULL})));
    assert_army("quick", ".BBF2233/9M....../S.......");
}

static void a_piece_is_taken_off_and_put_elsewhere(void **state) {
    (void)state;
    assert_true(arrange_in(24, 80, "quick", RED, QUICK,
                           STEPS({NULL, "hhhx", NULL}, /* the flag */
                                 {"Left to place: 1.", "<Tab>jj<Enter>", NULL},
                                 {"The army is complete.", "d", NULL})));
    assert_army("quick", ".BBS2233/9M....../F.......");
}

static void what_is_wrong_keeps_the_game_from_beginning(void **state) {
    (void)state;
    assert_false(arrange_in(24, 80, "quick", RED, QUICK,
                            STEPS({NULL, "<Delete>d", NULL}, {"Left to place: 1.", "F", NULL},
                                  {"None of these is left", "Q", NULL},
                                  {"No piece has this letter.", "q", NULL},
                                  {"Leave without playing?", "<Up><Enter>", NULL})));
}

static void steps_are_undone_and_the_rest_placed_at_random(void **state) {
    (void)state;
    assert_true(arrange_in(24, 80, "quick", RED, QUICK,
                           STEPS({NULL, "mccuuu", NULL}, {"The army is complete.", "uu", NULL},
                                 {"There is nothing to undo.", "d", NULL})));
    assert_army("quick", QUICK);
    assert_true(arrange_in(24, 80, "quick", RED, QUICK,
                           STEPS({NULL, "cF", NULL}, {"place: 9.", "r", NULL}, {NULL, "d", NULL})));
    char text[SETUP_TEXT_MAX];
    struct rules *rules = variant_load(&folders, "quick", NULL);
    setup_write(rules, RED, &setup, text);
    rules_free(rules);
    assert_int_equal(text[3], 'F');
}

static void left_and_right_are_exchanged(void **state) {
    (void)state;
    assert_true(arrange_in(24, 80, "quick", RED, QUICK, STEPS({NULL, "md", NULL})));
    assert_army("quick", "3322SBBF/......M9/........");
}

static void blue_sees_its_army_from_its_own_side(void **state) {
    (void)state;
    assert_true(arrange_in(
        24, 80, "quick", BLUE, QUICK,
        STEPS({"Blue's army", "kkkkhhhhh<Enter>", NULL}, {NULL, "<Right><Enter>d", NULL})));
    assert_army("quick", "BFBS2233/9M....../........");
}

static void the_mouse_takes_from_the_list_and_points_at_squares(void **state) {
    (void)state;
    struct rules *rules = variant_load(&folders, "quick", NULL);
    char click_flag[32], click_square[32];
    int row, column;
    /* positions are taken from a first picture */
    struct setup any = {{0}};
    struct random random = random_stream(1, STREAM_RED_SETUP, 0);
    const struct arrange_options options = {
        .rules = rules, .folders = &folders, .side = RED, .title = "A game"};
    struct fault fault = {0};
    assert_true(setup_read(rules, RED, QUICK, strlen(QUICK), &any, NULL));
    screen_memory_open(&screen, &memory, 24, 80,
                       STEPS({NULL, "c", NULL}, {"place: 10.", NULL, NULL}));
    assert_false(arrange_on_screen(&screen, &options, &random, &any, &fault));
    assert_true(screen_memory_find(&screen, "1/1  Flag", &row, &column));
    snprintf(click_flag, sizeof click_flag, "<@%d,%d>", row, column);
    assert_true(
        screen_memory_find(&screen, "r    r", &row, &column)); /* a3: the first of the zone */
    snprintf(click_square, sizeof click_square, "<@%d,%d>", row, column);
    screen_close(&screen);
    rules_free(rules);
    char keys[128];
    snprintf(keys, sizeof keys, "c%s%srd", click_flag, click_square);
    assert_true(arrange_in(24, 80, "quick", RED, QUICK, STEPS({NULL, keys, NULL})));
    char text[SETUP_TEXT_MAX];
    rules = variant_load(&folders, "quick", NULL);
    setup_write(rules, RED, &setup, text);
    rules_free(rules);
    assert_int_equal(text[0], 'F');
}

static void a_set_up_of_the_library_fills_the_board(void **state) {
    (void)state;
    assert_true(arrange_in(24, 80, "duel", RED, NULL,
                           STEPS({NULL, "f", NULL}, {"duel-corner", "<Enter>", NULL},
                                 {"behind both bombs", "d", NULL})));
    struct setup filled = setup;
    assert_true(
        arrange_in(24, 80, "duel", RED, NULL,
                   STEPS({NULL, "o", NULL}, {"Its name, or a file", "duel-corner<Enter>d", NULL})));
    assert_memory_equal(&filled, &setup, sizeof setup);
}

static void what_is_saved_is_found_in_the_library(void **state) {
    (void)state;
    assert_true(
        arrange_in(24, 160, "quick", RED, QUICK,
                   STEPS({NULL, "s", NULL}, {"A name for the library", "mine<Enter>", NULL},
                         {"/ensign/variants/setups/mine.txt", "s", NULL},
                         {"A name for the library", "mine<Enter>", NULL},
                         {"Replace your set-up \"mine\"?", "<Enter>", NULL}, /* no */
                         {NULL, "cf", NULL}, {"mine", "<End>", NULL}, {"> ", "<Enter>d", NULL})));
    assert_true(
        arrange_in(24, 160, "quick", RED, NULL,
                   STEPS({NULL, "o", NULL}, {"Its name, or a file", "mine<Enter>d", NULL})));
    assert_army("quick", QUICK);
    assert_false(arrange_in(24, 160, "quick", RED, NULL,
                            STEPS({NULL, "o", NULL}, {"Its name, or a file", "mien<Enter>", NULL},
                                  {"did you mean \"mine\"", "<Hangup>", NULL})));
}

static void ones_own_set_up_is_replaced_when_one_says_so(void **state) {
    (void)state;
    static const char other[] = "FBBS2323/9M....../........";
    assert_true(arrange_in(24, 160, "quick", RED, QUICK,
                           STEPS({NULL, "s", NULL}, {"A name for the library", "ours<Enter>", NULL},
                                 {"/ensign/variants/setups/ours.txt", "d", NULL})));
    assert_true(
        arrange_in(24, 160, "quick", RED, other,
                   STEPS({NULL, "s", NULL}, {"A name for the library", "ours<Enter>", NULL},
                         {"Replace your set-up \"ours\"?", "<Enter>", NULL}, /* no */
                         {NULL, "co", NULL}, {"Its name, or a file", "ours<Enter>d", NULL})));
    assert_army("quick", QUICK);
    assert_true(arrange_in(24, 160, "quick", RED, other,
                           STEPS({NULL, "s", NULL}, {"A name for the library", "ours<Enter>", NULL},
                                 {"Replace your set-up \"ours\"?", "<Up><Enter>", NULL},
                                 {"/ensign/variants/setups/ours.txt", "co", NULL},
                                 {"Its name, or a file", "ours<Enter>d", NULL})));
    assert_army("quick", other);
}

static void look_for_no_gone(struct screen *shown) {
    assert_null(strstr(screen_memory_text(shown), "gone"));
}

static void look_for_no_kept(struct screen *shown) {
    assert_null(strstr(screen_memory_text(shown), "kept"));
}

static void ones_own_set_ups_are_renamed_and_deleted_in_the_list(void **state) {
    (void)state;
    assert_true(arrange_in(
        24, 160, "quick", RED, QUICK,
        STEPS({NULL, "s", NULL}, {"A name for the library", "gone<Enter>", NULL},
              {"/ensign/variants/setups/gone.txt", "f", NULL}, {"F2 renames", "gone", NULL},
              {"> gone", "<F2><Back><Back><Back><Back>Kept", NULL}, {"Kept", "<Enter>", NULL},
              {"A name starts with a lowercase letter", "<Enter>", NULL},
              {"Its new name:", "<Back><Back><Back><Back>kept<Enter>", NULL},
              {"> kept", "<Delete>", look_for_no_gone},
              {"Delete your set-up \"kept\"?", "<Enter>", NULL}, /* no */
              {"> kept", "<Enter>", NULL}, {NULL, "co", NULL},
              {"Its name, or a file", "kept<Enter>d", NULL})));
    assert_army("quick", QUICK);
    assert_true(
        arrange_in(24, 160, "quick", RED, QUICK,
                   STEPS({NULL, "f", NULL}, {"F2 renames", "kept<Back>", NULL}, /* as Delete */
                         {"Delete your set-up \"kept\"?", "<Up><Enter>", NULL},
                         {"F2 renames", "<Esc>", look_for_no_kept}, {NULL, "o", NULL},
                         {"Its name, or a file", "kept<Enter>", NULL},
                         {"no set-up \"kept\"", "<Esc>d", NULL})));
}

static void a_set_up_that_comes_with_the_program_stays(void **state) {
    (void)state;
    assert_true(arrange_in(
        24, 160, "duel", RED, NULL,
        STEPS({NULL, "f", NULL}, {"duel-corner", "duel-corner<Delete>", NULL},
              {"\"duel-corner\" is not one of your own set-ups: ", "<Enter>", NULL},
              {"> duel-corner", "<F2>", NULL},
              {"\"duel-corner\" is not one of your own set-ups: ", "<Enter>", NULL},
              {"> duel-corner", "<Enter>", NULL}, {"in the corner behind both", "d", NULL})));
}

static void a_name_that_ends_as_a_set_ups_file_is_a_file(void **state) {
    (void)state;
    int here = open(".", O_RDONLY | O_DIRECTORY);
    assert_int_equal(chdir(home), 0);
    bool saved =
        arrange_in(24, 160, "quick", RED, QUICK,
                   STEPS({NULL, "s", NULL}, {"A name for the library", "fort.txt<Enter>", NULL},
                         {"The set-up is in fort.txt", "d", NULL}));
    bool found = saved && arrange_in(24, 160, "quick", RED, NULL,
                                     STEPS({NULL, "o", NULL},
                                           {"Its name, or a file", "fort.txt<Enter>d", NULL}));
    assert_int_equal(fchdir(here), 0);
    close(here);
    assert_true(found);
    assert_army("quick", QUICK);
}

static void a_new_set_up_never_hides_one_and_has_a_plain_name(void **state) {
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s/ensign/variants/setups", home);
    assert_false(arrange_in(24, 160, "original", RED, NULL,
                            STEPS({NULL, "s", NULL},
                                  {"A name for the library", "corner-fortress<Enter>", NULL},
                                  {"already has a set-up \"corner-fortress\"", "s", NULL},
                                  {"A name for the library", "My Setup<Enter>", NULL},
                                  {"A name starts with a lowercase letter", "s", NULL},
                                  {"A name for the library", "3rd<Enter>", NULL},
                                  {"A name starts with a lowercase letter", "<Hangup>", NULL})));
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"corner-fortress", "My Setup", "3rd"};
        char file[300];
        snprintf(file, sizeof file, "%s/%s.txt", path, names[i]);
        assert_int_not_equal(access(file, F_OK), 0);
    }
}

/* The end of a fault that takes more than one row. */
static void look_for_the_end_of_the_fault(struct screen *shown) {
    int row, column;
    assert_true(screen_memory_find(shown, "duel-hunt.txt", &row, &column));
    assert_true(screen_memory_find(shown, "expected 6", &row, &column));
}

static void all_of_what_is_wrong_is_shown(void **state) {
    (void)state;
    assert_true(
        arrange_in(24, 80, "original", RED, NULL,
                   STEPS({NULL, "o", NULL}, {"Its name, or a file", "duel-hunt<Enter>", NULL},
                         {"Something went wrong", "<Enter>", look_for_the_end_of_the_fault},
                         {"The army is complete.", "d", NULL})));
}

static void a_window_of_any_size_shows_the_board_or_says_what_it_takes(void **state) {
    (void)state;
    assert_true(arrange_in(24, 80, "original", RED, NULL,
                           STEPS({"Sergeant", "<=60,200>", NULL}, {"Sergeant", "<=30,56>", NULL},
                                 {"Sergeant", "<=10,30>", NULL},
                                 {"The window is too small", "<=24,80>d", NULL})));
}

static void help_tells_keys_and_rules(void **state) {
    (void)state;
    assert_true(arrange_in(40, 100, "duel", RED, NULL,
                           STEPS({NULL, "?", NULL}, {"Setting up your army", "<Esc>d", NULL})));
}

static void who_hangs_up_plays_nothing(void **state) {
    (void)state;
    assert_false(arrange_in(24, 80, "duel", RED, NULL, STEPS({NULL, "<Hangup>", NULL})));
    assert_false(arrange_in(24, 80, "duel", RED, NULL, STEPS({NULL, "f<Hangup>", NULL})));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_army_is_laid_out_by_letters),
        cmocka_unit_test(pieces_are_placed_by_what_stands_on_them),
        cmocka_unit_test(cyrillic_keys_are_the_same_commands),
        cmocka_unit_test(pieces_are_taken_up_and_exchanged),
        cmocka_unit_test(a_piece_is_taken_off_and_put_elsewhere),
        cmocka_unit_test(what_is_wrong_keeps_the_game_from_beginning),
        cmocka_unit_test(steps_are_undone_and_the_rest_placed_at_random),
        cmocka_unit_test(left_and_right_are_exchanged),
        cmocka_unit_test(blue_sees_its_army_from_its_own_side),
        cmocka_unit_test(the_mouse_takes_from_the_list_and_points_at_squares),
        cmocka_unit_test(a_set_up_of_the_library_fills_the_board),
        cmocka_unit_test(what_is_saved_is_found_in_the_library),
        cmocka_unit_test(ones_own_set_up_is_replaced_when_one_says_so),
        cmocka_unit_test(ones_own_set_ups_are_renamed_and_deleted_in_the_list),
        cmocka_unit_test(a_set_up_that_comes_with_the_program_stays),
        cmocka_unit_test(a_name_that_ends_as_a_set_ups_file_is_a_file),
        cmocka_unit_test(a_new_set_up_never_hides_one_and_has_a_plain_name),
        cmocka_unit_test(all_of_what_is_wrong_is_shown),
        cmocka_unit_test(a_window_of_any_size_shows_the_board_or_says_what_it_takes),
        cmocka_unit_test(help_tells_keys_and_rules),
        cmocka_unit_test(who_hangs_up_plays_nothing),
    };
    return cmocka_run_group_tests_name("cli/arrange_screen", tests, enter, leave);
}
