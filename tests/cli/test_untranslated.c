/* test_untranslated.c - what the commands print has no English words in the other languages.
 *
 * Each command line runs in English and in one of the others by turns; words that stand in both are
 * left over, except names and notation (leftovers.h). A new text without a translation fails here
 * even where nothing collects it. The screens are in test_untranslated_screens.c. */
#include "browser.h"
#include "console.h"
#include "leftovers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LINE(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The output in a language. The caller frees. */
static char *said_in(const char *tag, const char *const *arguments) {
    struct console console;
    char locale[16];
    snprintf(locale, sizeof locale, "%s.UTF-8", tag);
    setenv("LC_ALL", locale, 1);
    console_run(&console, "", arguments);
    unsetenv("LC_ALL");
    char *text = strdup(console.text);
    console_clear(&console);
    assert_non_null(text);
    return text;
}

static int leftovers_of(const char *const *arguments) {
    char where[256] = "";
    int count = 0;
    for (int i = 0; arguments[i] && strlen(where) < 200; i++)
        snprintf(where + strlen(where), sizeof where - strlen(where), "%s%.40s", i ? " " : "",
                 arguments[i]);
    char *english = said_in("en", arguments);
    assert_true(*english);
    /* One language by turns: test_languages.c sees to it that all have the same texts. */
    static int turn;
    const char *tag = LEFTOVERS_TAGS[turn++ % LEFTOVERS_LANGUAGES];
    char *text = said_in(tag, arguments);
    if (!strcmp(text, english)) print_error("%s: English\n", where), count++;
    count += leftovers_count(tag, where, english, text);
    free(text);
    free(english);
    return count;
}

static void assert_translated(const char *const *const *lines) {
    int count = 0;
    for (; *lines; lines++) count += leftovers_of(*lines);
    assert_int_equal(count, 0);
}

static void the_help_of_every_command(void **state) {
    (void)state;
    char *overview = said_in("en", LINE("--help"));
    int count = leftovers_of(LINE("--help")), commands = 0;
    for (char *line = strstr(overview, "\n  "); line; line = strstr(line + 1, "\n  ")) {
        char name[32];
        assert_int_equal(sscanf(line, " %31s", name), 1);
        count += leftovers_of(LINE(name, "--help"));
        commands++;
    }
    free(overview);
    assert_true(commands > 15);
    assert_int_equal(count, 0);
}

static void errors_of_usage_and_of_input(void **state) {
    (void)state;
    const char *bad = console_file(0, "bad.rec", "[Variant \"duel\"]\n[RedSetup \"FF\"]\n");
    const char *setups = console_file(1, "bad.txt", "MMMM\n");
    const char *const *const lines[] = {
        LINE("lst"),
        LINE("list", "--resutl"),
        LINE("list", "--json=yes"),
        LINE("list", "rules"),
        LINE("show"),
        LINE("show", "dul"),
        LINE("match"),
        LINE("match", "rookie"),
        LINE("match", "rookie", "raidr"),
        LINE("match", "rookie", "human"),
        LINE("match", "-n", "x"),
        LINE("match", "-n"),
        LINE("match", "rookie", "raider", "--sprt", "5"),
        LINE("match", "--resume"),
        LINE("match", "--resume", "-o", "/nowhere"),
        LINE("moves", "duel", "a2-"),
        LINE("moves", "duel", "--ply", "3"),
        LINE("replay", "/nowhere.rec"),
        LINE("replay", bad),
        LINE("replay", "--ply", "3", "--verify", bad),
        LINE("analyse", "/nowhere.rec"),
        LINE("analyse", bad, "--bot", "rookie"),
        LINE("games", "/nowhere"),
        LINE("games", "--since", "never"),
        LINE("report", "/nowhere"),
        LINE("report", "a", "/tmp"),
        LINE("setups", "nobody"),
        LINE("setups", "-v", "duel", setups),
        LINE("setups", "--rename", "x"),
        LINE("play", "duel", "--red", "hunterr"),
        LINE("play", "duel", "--step", "2"),
        LINE("play", "--continue"),
        LINE("check", "/nowhere.lua"),
        LINE("learn"),
        LINE("learn", "duel", "--table", "--ladder", "2"),
        LINE("learn", "duel", "--against=1", "--against=2", "--against=3", "--against=4",
             "--against=5", "--against=6", "--against=7", "--against=8", "--against=9"),
        LINE("learn", "duel", "-o", setups),
        LINE("new", "bot", "Carl"),
        LINE("new", "variant", "duel"),
        LINE("import", "/nowhere.gsn"),
        LINE("export", "/nowhere.rec"),
        NULL};
    assert_translated(lines);
}

/* A game of duel to its end, as a record, and what is made of it. */
static void what_the_commands_print(void **state) {
    (void)state;
    static const char record[] = "[Variant \"duel\"]\n[Red \"ann\"]\n[Blue \"bob\"]\n"
                                 "[RedSetup \"9......2../M........./S23......./FBB3......\"]\n"
                                 "[BlueSetup \"9......2../M........./S23......./FBB3......\"]\n"
                                 "[Result \"blue\"]\n[Reason \"resigned\"]\n\n"
                                 "1. a4-a5 j7-j6 2. a5-a6 j6-j5\n";
    const char *game = console_file(0, "game.rec", record);
    const char *setups = console_file(1, "red.txt",
                                      "9......2../M........./S23......./FBB3......\n"
                                      "..2......9/.........M/.......32S/......3BBF\n");
    const char *folder = console_folder();
    char bot[128];
    snprintf(bot, sizeof bot, "%s/learned.lua", folder);
    const char *const *const lines[] = {
        LINE("list"),
        LINE("show", "original"),
        LINE("show", "russian"),
        LINE("show", "infiltrator"),
        LINE("show", "galaxy"),
        LINE("show", "lightning"),
        LINE("setups"),
        LINE("setups", "duel-open"),
        LINE("setups", "-v", "duel", "--list", setups),
        LINE("games", folder),
        LINE("moves", "infiltrator"),
        LINE("moves", "duel", "a4-a9"),
        LINE("moves", game, "a6-a7"),
        LINE("replay", game),
        LINE("replay", "--verify", game),
        LINE("analyse", game, "--bot", "tests/data/appraiser.lua"),
        LINE("check", game),
        LINE("check", "-v", "duel", setups),
        LINE("check", "variants/lightning.lua", "-n", "1", "--balance", "2"),
        LINE("check", "bots/rookie.lua"),
        LINE("match", "rookie", "raider", "-v", "duel", "-n", "2", "-s", "1", "--verbose"),
        LINE("match", "rookie", "raider", "hunter", "-v", "duel", "-n", "1", "-s", "1"),
        LINE("match", "rookie", "raider", "-v", "duel", "-n", "2", "-s", "1", "--sprt", "0,100"),
        LINE("match", "rookie", "-v", "duel", "-n", "2", "-s", "1", "--setups", "duel-open",
             "--versus", "duel-hunt"),
        LINE("learn", "duel", "-n", "64", "-j", "1", "--seed", "1", "-o", bot, "--ladder", "2"),
        NULL};
    assert_translated(lines);
}

/* All that a page tells, with its games at the start, in the middle and at the end. The caller
 * frees.
 */
#define TOLD                                                                                       \
    "['red', 'blue', 'open'].flatMap((eyes) => [0, 1, 21, 1000].map((ply) => {"                    \
    "  document.querySelector(`input[value=${eyes}]`).click();"                                    \
    "  const slider = document.querySelector('.slider');"                                          \
    "  slider.value = ply;"                                                                        \
    "  slider.dispatchEvent(new Event('input'));"                                                  \
    "  return [document.title, document.body.innerText, ...[...document.querySelectorAll("         \
    "    '[title], [aria-label], option, title')].map((one) => [one.getAttribute('title'),"        \
    "    one.getAttribute('aria-label'), one.textContent].join(' '))].join('\\n');"                \
    "})).join('\\n')"

/* The same of a page without games. */
#define TOLD_BY_FIGURES                                                                            \
    "document.querySelectorAll('details').forEach((one) => { one.open = true; }),"                 \
    "[document.title, document.body.innerText, ...[...document.querySelectorAll("                  \
    "  '[aria-label], title')].map((one) => [one.getAttribute('aria-label'), one.textContent]"     \
    "  .join(' '))].join('\\n')"

static char *told_by_page(struct browser *browser, const char *page, const char *expression) {
    browser_load(browser, page, "");
    json_t *told = browser_value(browser, expression);
    char *text = strdup(json_string_value(told));
    json_decref(told);
    assert_true(strlen(text) > 800);
    return text;
}

static void the_page_of_a_report(void **state) {
    (void)state;
    struct browser *browser = browser_open();
    if (!browser) skip();
    char folder[128], pages[6][160], *english = NULL;
    int count = 0;
    snprintf(folder, sizeof folder, "%s/reported", console_folder());
    free(said_in("en", LINE("match", "rookie", "raider", "hunter", "-v", "duel", "-n", "10", "-s",
                            "1", "-o", folder)));
    for (int i = 0; i <= LEFTOVERS_LANGUAGES; i++) {
        const char *tag = i ? LEFTOVERS_TAGS[i - 1] : "en";
        snprintf(pages[i], sizeof pages[i], "%s-%s.html", folder, tag);
        free(said_in(tag, LINE("report", folder, "-o", pages[i])));
        char *told = told_by_page(browser, pages[i], TOLD);
        if (i) {
            count += leftovers_count(tag, "page of a report", english, told);
            free(told);
        } else {
            english = told;
        }
    }
    free(english);
    browser_close(browser);
    assert_int_equal(count, 0);
}

static void the_page_of_learning(void **state) {
    (void)state;
    struct browser *browser = browser_open();
    if (!browser) skip();
    char bot[128], page[128], *english = NULL;
    int count = 0;
    snprintf(bot, sizeof bot, "%s/taught.lua", console_folder());
    snprintf(page, sizeof page, "%s/taught.html", console_folder());
    for (int i = 0; i <= LEFTOVERS_LANGUAGES; i++) { /* all but the first only write the page */
        const char *tag = i ? LEFTOVERS_TAGS[i - 1] : "en";
        free(said_in(tag, LINE("learn", "duel", "-n", "128", "-j", "1", "--seed", "1", "-o", bot,
                               "--ladder", "2", "--page", page)));
        char *told = told_by_page(browser, page, TOLD_BY_FIGURES);
        if (i) count += leftovers_count(tag, "page of learning", english, told);
        if (i)
            free(told);
        else
            english = told;
    }
    free(english);
    browser_close(browser);
    assert_int_equal(count, 0);
}

/* Runs in the test's folder, where nothing of the languages before is left. */
static void files_and_folders_that_are_written(void **state) {
    (void)state;
    int count = 0;
    char *said[6] = {0};
    for (int i = 0; i < 6; i++) {
        const char *tag = i ? LEFTOVERS_TAGS[i - 1] : "en";
        char folder[128], page[160];
        snprintf(folder, sizeof folder, "%s/match-%s", console_folder(), tag);
        snprintf(page, sizeof page, "%s.html", folder);
        char *played = said_in(tag, LINE("match", "rookie", "raider", "-v", "duel", "-n", "2", "-s",
                                         "1", "-o", folder));
        char *written = said_in(tag, LINE("report", folder, "-o", page));
        char *again = said_in(tag, LINE("match", "rookie", "raider", "-o", folder));
        said[i] = calloc(1, strlen(played) + strlen(written) + strlen(again) + 1);
        strcat(strcat(strcat(said[i], played), written), again);
        free(played), free(written), free(again);
    }
    for (int i = 1; i < 6; i++)
        count += leftovers_count(LEFTOVERS_TAGS[i - 1], "match -o, report", said[0], said[i]);
    for (int i = 0; i < 6; i++) free(said[i]);
    assert_int_equal(count, 0);
}

int main(void) {
    console_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_help_of_every_command),
        cmocka_unit_test(errors_of_usage_and_of_input),
        cmocka_unit_test(what_the_commands_print),
        cmocka_unit_test(files_and_folders_that_are_written),
        cmocka_unit_test(the_page_of_a_report),
        cmocka_unit_test(the_page_of_learning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
