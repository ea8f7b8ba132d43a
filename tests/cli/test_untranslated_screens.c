/* test_untranslated_screens.c - the screens have no English words in the other languages: the start
 * screen, an army laid out, a game to its end, a record stepped through, each with its help.
 */
#include "cli/screen/arrange_screen.h"
#include "cli/screen/game_screen.h"
#include "cli/screen/review.h"
#include "cli/screen/start_screen.h"
#include "core/text/layout.h"
#include "host/seed.h"
#include "leftovers.h"
#include "screen_memory.h"
#include "variant/variant.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SHOWN_MAX = 1 << 18 };

static struct folders folders;
static struct screen screen;
static struct memory memory;
static char shown[SHOWN_MAX]; /* all screens of one run */

static void look(struct screen *on) {
    size_t used = strlen(shown);
    snprintf(shown + used, sizeof shown - used, "%s\n", screen_memory_text(on));
}

/* Shows the help to its end and closes it. */
#define HELP                                                                                       \
    {NULL, "?", look}, {NULL, "<PageDown>", look}, {NULL, "<PageDown>", look},                     \
        {NULL, "<PageDown>", look}, {NULL, "<PageDown>", look}, {                                  \
        NULL, "<Esc>", look                                                                        \
    }

/* Runs `run` in each language and compares what it shows with English. */
static void assert_translated(const char *where, void (*run)(const struct language *language)) {
    static char english[SHOWN_MAX];
    int count = 0;
    shown[0] = 0;
    run(NULL);
    strcpy(english, shown);
    assert_true(strlen(english) > 1000);
    for (int i = 0; LEFTOVERS_TAGS[i]; i++) {
        struct fault fault = {0};
        struct language *language = language_load(&folders, LEFTOVERS_TAGS[i], &fault);
        if (!language) fail_msg("%s", fault.text);
        shown[0] = 0;
        run(language);
        count += leftovers_count(LEFTOVERS_TAGS[i], where, english, shown);
        language_free(language);
    }
    assert_int_equal(count, 0);
}

static void choose(const struct language *language) {
    static const struct memory_step steps[] = {HELP,
                                               {NULL, "<Enter>", look},
                                               {NULL, "<Esc>", look},
                                               {NULL, "<Tab>", look},
                                               {NULL, "<Enter>", look},
                                               {NULL, "<Esc>", look},
                                               {NULL, "<Down>", look},
                                               {NULL, "<Enter>", look},
                                               {NULL, "<Esc>", look},
                                               {NULL, "<Down>", look},
                                               {NULL, "<Enter>", look},
                                               {NULL, "<Esc>", look},
                                               {NULL, "<Down>", look},
                                               {NULL, "<Enter>", look},
                                               {NULL, "<Esc>", look},
                                               {NULL, "<Down>", look},
                                               {NULL, "<Enter>", look},
                                               {NULL, "<Esc>", look},
                                               {NULL, "q", look},
                                               {0}};
    struct terms terms = {.first = -1};
    strcpy(terms.variant, "duel");
    strcpy(terms.player[RED], "human");
    strcpy(terms.player[BLUE], "hunter");
    seed_forget();
    screen_memory_open(&screen, &memory, 30, 100, steps);
    start_screen_choose(&screen, &folders, language, true, &terms);
    screen_close(&screen);
}

static void arrange(const struct language *language) {
    static const struct memory_step steps[] = {HELP,
                                               {NULL, "<Enter>", look},
                                               {NULL, "<Up>", look},
                                               {NULL, "<Enter>", look},
                                               {NULL, "<Back>", look},
                                               {NULL, "d", look},
                                               {NULL, "c", look},
                                               {NULL, "B", look},
                                               {NULL, "f", look},
                                               {NULL, "<Esc>", look},
                                               {NULL, "q", look},
                                               {0}};
    struct fault fault = {0};
    struct setup setup = {0};
    struct random random = random_stream(1, STREAM_RED_SETUP, 0);
    struct rules *rules = variant_load(&folders, "infiltrator", &fault);
    assert_non_null(rules);
    const struct arrange_options options = {.language = language,
                                            .rules = rules,
                                            .folders = &folders,
                                            .side = RED,
                                            .title = language_title(language, rules)};
    screen_memory_open(&screen, &memory, 30, 100, steps);
    arrange_on_screen(&screen, &options, &random, &setup, &fault);
    screen_close(&screen);
    rules_free(rules);
}

/* Two people at one screen: moves, refusals, an offer of a draw, and the end. */
static void play(const struct language *language) {
    static const struct memory_step steps[] = {
        {NULL, "<Enter>", look}, HELP,
        {NULL, "<Enter>", look}, {NULL, ":a4-a7\n", look},
        {NULL, ":e4\n", look},   {NULL, ":nonsense\n", look},
        {NULL, "<Esc>", look},   {NULL, ":a4-a5<Enter>", look},
        {NULL, "<Enter>", look}, {NULL, ":a7-a6<Enter>", look},
        {NULL, "<Enter>", look}, {NULL, ":a5xa6<Enter>", look},
        {NULL, "<Enter>", look}, {NULL, "d", look},
        {NULL, "<Enter>", look}, {NULL, "<Esc>", look},
        {NULL, "r", look},       {NULL, "<Up><Enter>", look},
        {NULL, "<Enter>", look}, {NULL, "<Left>", look},
        {NULL, "q", look},       {0}};
    static const char RED_SETUP[] = "22222X2333/3344445555/6666777889/MS2FBBBBBB";
    struct fault fault = {0};
    struct setup setups[2];
    struct rules *rules = variant_load(&folders, "infiltrator", &fault);
    assert_non_null(rules);
    assert_true(setup_read(rules, RED, RED_SETUP, strlen(RED_SETUP), &setups[RED], &fault));
    setups[BLUE] = setups[RED];
    assert_true(setup_read(rules, RED, RED_SETUP, strlen(RED_SETUP), &setups[BLUE], &fault));
    struct table table;
    const struct table_options terms = {
        .rules = rules,
        .game = {.setups = {&setups[RED], &setups[BLUE]}, .names = {"red", "blue"}}};
    const struct game_screen_options options = {
        .language = language, .table = &table, .pause_ms = &(int){0}, .names = {"human", "human"}};
    table_init(&table);
    assert_true(table_open(&table, &terms, &fault));
    screen_memory_open(&screen, &memory, 30, 100, steps);
    game_screen_play(&screen, &options, &fault);
    table_close(&table);
    screen_close(&screen);
    rules_free(rules);
}

static void review(const struct language *language) {
    static const struct memory_step steps[] = {HELP,
                                               {NULL, "<Right>", look},
                                               {NULL, "<Right>", look},
                                               {NULL, "v", look},
                                               {NULL, "v", look},
                                               {NULL, "<End>", look},
                                               {NULL, "q", look},
                                               {0}};
    static const char text[] = "[Variant \"duel\"]\n[Red \"ann\"]\n[Blue \"bob\"]\n"
                               "[RedSetup \"9......2../M........./S23......./FBB3......\"]\n"
                               "[BlueSetup \"9......2../M........./S23......./FBB3......\"]\n"
                               "[Result \"blue\"]\n[Reason \"resigned\"]\n\n"
                               "1. a4-a5 j7-j6 2. a5-a6 j6-j5\n";
    struct fault fault = {0};
    struct rules *rules = variant_load(&folders, "duel", &fault);
    struct record *record = record_read(text, strlen(text), &fault);
    assert_true(rules && record);
    const struct review_options options = {.language = language, .rules = rules, .record = record};
    screen_memory_open(&screen, &memory, 30, 100, steps);
    assert_true(review_show(&screen, &options, &fault));
    screen_close(&screen);
    record_free(record);
    rules_free(rules);
}

static void the_start_screen(void **state) {
    (void)state;
    assert_translated("start screen", choose);
}

static void an_army_laid_out(void **state) {
    (void)state;
    assert_translated("editor", arrange);
}

static void a_game_to_its_end(void **state) {
    (void)state;
    assert_translated("game", play);
}

static void a_record_stepped_through(void **state) {
    (void)state;
    assert_translated("record", review);
}

static int start(void **state) {
    (void)state;
    struct fault fault = {0};
    setlocale(LC_CTYPE, "C.UTF-8");
    return folders_find(&folders, &fault) ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_screen),
        cmocka_unit_test(an_army_laid_out),
        cmocka_unit_test(a_game_to_its_end),
        cmocka_unit_test(a_record_stepped_through),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
