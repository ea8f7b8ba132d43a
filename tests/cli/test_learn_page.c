/* `ensign learn` with a ladder and a page: what it plays against stock bots leaves no trace in what
 * it learns, and the page shows its figures to eyes and ears. */
#include "base/files.h"
#include "browser.h"
#include "console.h"
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { RUNGS = 3, PATH_ROOM = 64 };

static char folder[] = "/tmp/ensign-test-XXXXXX";
static char bot[PATH_ROOM], plain[PATH_ROOM], page[PATH_ROOM];
static char *told; /* what learning with a ladder printed */
static struct browser *browser;

static struct program_run learn_with_ladder(void) {
    return PROGRAM("learn", "duel", "-n", "256", "-j", "1", "--seed", "3", "-o", bot, "--ladder",
                   "2", "--page", page);
}

static int learn(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(bot, sizeof bot, "%s/bot.lua", folder);
    snprintf(plain, sizeof plain, "%s/plain.lua", folder);
    snprintf(page, sizeof page, "%s/page.html", folder);
    struct program_run run = learn_with_ladder();
    told = strdup(run.out);
    if (run.exit_code) print_error("%s", run.err);
    int failed = run.exit_code;
    program_clear(&run);
    browser = browser_open();
    return failed;
}

static int forget(void **state) {
    (void)state;
    char path[PATH_ROOM + 8];
    if (browser) browser_close(browser);
    free(told);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s.school", i ? bot : plain);
        unlink(path);
        unlink(i ? bot : plain);
    }
    unlink(page);
    return rmdir(folder);
}

/* The printed table, by rival: hunter, then seer. Returns its end. */
static const char *read_ladder(unsigned games[RUNGS], double scores[2][RUNGS]) {
    const char *at = strstr(told, "hunter     seer\n");
    assert_non_null(at);
    for (int i = 0; i < RUNGS; i++) {
        at = strchr(at, '\n') + 1;
        assert_int_equal(sscanf(at, " %u %lf %% %lf %%", &games[i], &scores[0][i], &scores[1][i]),
                         3);
    }
    return at;
}

static void the_ladder_stands_at_a_quarter_at_half_and_at_the_end(void **state) {
    (void)state;
    unsigned games[RUNGS];
    double scores[2][RUNGS];
    const char *at = read_ladder(games, scores);
    assert_memory_equal(games, ((unsigned[]){64, 128, 256}), sizeof games);
    for (int i = 0; i < RUNGS; i++)
        for (int r = 0; r < 2; r++) assert_true(scores[r][i] >= 0 && scores[r][i] <= 100);
    assert_string_equal(strchr(at, '\n') + 1, strstr(told, "\nto see how it plays"));
}

static void a_ladder_makes_no_difference_to_what_is_learned(void **state) {
    (void)state;
    struct fault fault = {0};
    size_t first, second;
    program_expect(PROGRAM("learn", "duel", "-n", "256", "-j", "1", "--seed", "3", "-o", plain), 0,
                   "");
    char *with = files_read(bot, 1 << 20, &first, &fault);
    char *without = files_read(plain, 1 << 20, &second, &fault);
    assert_true(with && without);
    assert_string_equal(with, without);
    free(with);
    free(without);
}

static void what_was_played_is_not_played_again(void **state) {
    (void)state;
    struct program_run run = learn_with_ladder();
    assert_string_equal(run.out, told);
    program_expect(run, 0, "");
}

/* At a terminal, after the first line of progress. */
static void one_who_stops_it_still_sees_the_ladder(void **state) {
    (void)state;
    struct console console;
    const char *const arguments[] = {"learn", "duel", "-j",       "1", "--seed", "3",
                                     "-o",    plain,  "--ladder", "2", NULL};
    console_open(&console, true, arguments);
    console_expect(&console, "against its beginning");
    int status = console_break(&console, SIGINT);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_non_null(strstr(console.text, "hunter     seer"));
    assert_non_null(strstr(console.text, "to see how it plays"));
    console_clear(&console);
}

static void expect(const char *expression, const char *expected) {
    json_t *value = browser_value(browser, expression);
    const char *text = json_string_value(value);
    if (!text || strcmp(text, expected) != 0)
        fail_msg("%s: \"%s\", expected \"%s\"", expression, text ? text : "nothing", expected);
    json_decref(value);
}

static void the_page_shows_the_figures(void **state) {
    (void)state;
    if (!browser) skip();
    browser_load(browser, page, "");
    expect("document.title", "Duel: Learning report");
    expect("[...document.querySelectorAll('h2')].map((one) => one.textContent).join(', ')",
           "Strength, Against stock bots, How games went, All figures");
    /* Each note is a point of every line and a row of the table. */
    expect("[...document.querySelectorAll('#figures tbody th')].map((one) => "
           "one.textContent).join(' ')",
           "64 128 256");
    expect("[...document.querySelectorAll('polyline')].map((one) => "
           "one.points.numberOfItems).join(' ')",
           "3 3 3 3");
    expect("JSON.stringify([...document.querySelectorAll('#strength circle.point title')].map("
           "(one) => one.textContent.split(': ')[1]))"
           "=== JSON.stringify([...document.querySelectorAll('#figures tbody td:nth-child(2)')]"
           ".map((one) => one.textContent)) ? 'the same' : 'others'",
           "the same");
    /* The ladder, as it was printed. */
    expect("[...document.querySelectorAll('#ladder tbody th')].map((one) => "
           "one.textContent).join(' ')",
           "64 128 256 64 128 256");
    unsigned games[RUNGS];
    double scores[2][RUNGS];
    char printed[2 * RUNGS * 16] = "";
    read_ladder(games, scores);
    for (int i = 0; i < 2 * RUNGS; i++)
        snprintf(printed + strlen(printed), 16, "%.1f %% (2) ", scores[i / RUNGS][i % RUNGS]);
    expect("[...document.querySelectorAll('#ladder td:nth-child(2)')].map((one) => "
           "`${one.textContent} `).join('')",
           printed);
    assert_string_equal(browser_complaints(browser), "");
}

/* The same page, of other games. */
static void write_page_of(const char *path, const char *notes) {
    struct fault fault = {0};
    size_t length;
    char *text = files_read(page, 1 << 24, &length, &fault);
    assert_non_null(text);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    const char *at = strstr(text, "\"notes\":[[");
    assert_non_null(at);
    fprintf(out, "%.*s\"notes\":%s%s", (int)(at - text), text, notes, strstr(at, "]]") + 2);
    assert_int_equal(fclose(out), 0);
    free(text);
}

static void a_scale_names_three_different_shares_however_few_draws_there_were(void **state) {
    (void)state;
    static const struct {
        const char *notes, *marks;
    } pages[] = {{"[[64,0.5,0.5,90,0],[128,0.5,0.5,90,0]]", "2 % 1 % 0 %"},
                 {"[[64,0.5,0.5,90,0],[128,0.5,0.5,90,0.0007]]", "2 % 1 % 0 %"},
                 {"[[64,0.5,0.5,90,0.1],[128,0.5,0.5,90,0.35]]", "40 % 20 % 0 %"}};
    char path[PATH_ROOM];
    if (!browser) skip();
    snprintf(path, sizeof path, "%s/others.html", folder);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        write_page_of(path, pages[i].notes);
        browser_load(browser, path, "");
        expect("[...[...document.querySelectorAll('#games figure')].at(-1)"
               ".querySelectorAll('.axis + text')].map((one) => one.textContent).reverse()"
               ".join(' ')",
               pages[i].marks);
    }
    unlink(path);
}

static void the_lines_differ_without_colours_and_are_spoken(void **state) {
    (void)state;
    if (!browser) skip();
    browser_load(browser, page, "");
    expect("[...document.querySelectorAll('#strength polyline')].map((one) => "
           "getComputedStyle(one).strokeDasharray).join('; ')",
           "none; 6px, 4px");
    expect("[...document.querySelectorAll('.chart')].filter((one) => !one.ariaHidden && "
           "!one.getAttribute('aria-label')).length + ' unspoken'",
           "0 unspoken");
    expect("document.querySelector('#strength .chart[role=img]').getAttribute('aria-label')"
           ".replace(/[0-9.]+ %/g, 'N')",
           "against its beginning: N after 64 games, N after 256; "
           "against its own past: N after 64 games, N after 256");
}

/* The page of learning against that table, so many times given. */
static void expect_opponents(int times, const char *verdict, const char *others) {
    static const char stock[] = "--against=" ENSIGN_ROOT "/scripts/learned/duel.lua";
    char against[PATH_ROOM + 8], state_file[2 * PATH_ROOM];
    snprintf(against, sizeof against, "%s/against.lua", folder);
    snprintf(state_file, sizeof state_file, "%s.school", against);
    program_expect(PROGRAM("learn", "duel", "-n", "128", "--table", "-o", against, "--page", page,
                           stock, times > 1 ? stock : "-j1"),
                   0, "");
    unlink(against);
    unlink(state_file);
    browser_load(browser, page, "");
    expect("document.querySelector('.verdict').textContent.replace(/[0-9.]+ %/g, 'N')", verdict);
    expect("document.getElementById('page').textContent.split('against its beginning').length - 1 +"
           "' times'",
           "0 times");
    expect("document.querySelector('#strength').textContent.match(/against its opponents?/)[0]",
           others);
}

static void the_page_names_one_opponent_or_several(void **state) {
    (void)state;
    if (!browser) skip();
    expect_opponents(1,
                     "After 128 games it scores N against its opponent and N against its own past.",
                     "against its opponent");
    expect_opponents(
        2, "After 128 games it scores N against its opponents and N against its own past.",
        "against its opponents");
}

static void the_page_fits_a_phone(void **state) {
    (void)state;
    if (!browser) skip();
    browser_resize(browser, 360, 640, true);
    browser_load(browser, page, "");
    expect("document.documentElement.scrollWidth > innerWidth ? 'too wide' : 'fits'", "fits");
    browser_resize(browser, 1100, 900, false);
}

static void wrong_use_is_told_in_a_line(void **state) {
    (void)state;
    program_expect(PROGRAM("learn", "duel", "--table", "--ladder", "2"), 2,
                   "--table and --ladder do not go together");
    program_expect(PROGRAM("learn", "duel", "--ladder", "0"), 2, "--ladder is \"0\"");
    program_expect(PROGRAM("learn", "duel", "-n", "64", "-o", plain, "--page", "/dev/null/page"), 3,
                   "/dev/null: the folder cannot be made");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ladder_stands_at_a_quarter_at_half_and_at_the_end),
        cmocka_unit_test(a_ladder_makes_no_difference_to_what_is_learned),
        cmocka_unit_test(what_was_played_is_not_played_again),
        cmocka_unit_test(one_who_stops_it_still_sees_the_ladder),
        cmocka_unit_test(the_page_shows_the_figures),
        cmocka_unit_test(a_scale_names_three_different_shares_however_few_draws_there_were),
        cmocka_unit_test(the_lines_differ_without_colours_and_are_spoken),
        cmocka_unit_test(the_page_fits_a_phone),
        cmocka_unit_test(the_page_names_one_opponent_or_several),
        cmocka_unit_test(wrong_use_is_told_in_a_line),
    };
    return cmocka_run_group_tests(tests, learn, forget);
}
