/* `ensign report --analyse`: the page's data say what `ensign analyse` says, and the page draws it
 * as a curve that follows the ply. */
#include "browser.h"
#include "match_folder.h"
#include "program.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define BOT "tests/data/appraiser.lua"

enum { GAMES = 4, GAME = 3 };

static char folder[MATCH_FOLDER_MAX], page[MATCH_FOLDER_MAX + 16], record[MATCH_FOLDER_MAX + 16];
static struct browser *browser;

static int make_page(void **state) {
    (void)state;
    match_folder_make(folder);
    snprintf(page, sizeof page, "%s/page.html", folder);
    snprintf(record, sizeof record, "%s/%04d.rec", folder, GAME);
    struct program_run run =
        PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "4", "-s", "3", "-o", folder);
    struct program_run report = PROGRAM("report", folder, "--analyse", "--bot", BOT, "-o", page);
    bool made = !run.exit_code && !report.exit_code;
    if (!made) print_error("%s%s", run.err, report.err);
    program_clear(&run);
    program_clear(&report);
    browser = browser_open();
    return !made;
}

static int remove_page(void **state) {
    (void)state;
    browser_close(browser);
    match_folder_remove(folder);
    return 0;
}

/* The films that a page of a report carries. */
static json_t *films_of(const char *html) {
    static const char mark[] = "id=\"films\">";
    const char *text = strstr(html, mark);
    assert_non_null(text);
    text += strlen(mark);
    json_t *films = json_loadb(text, (size_t)(strstr(text, "</script>") - text), 0, NULL);
    assert_non_null(films);
    return films;
}

static int digit(char letter) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    return (int)(strchr(digits, letter) - digits);
}

static json_t *analysis_of(const char *path) {
    struct program_run run = PROGRAM("analyse", path, "--bot", BOT, "--json");
    json_t *document = json_loads(run.out, 0, NULL);
    if (!document) fail_msg("%s", run.err);
    program_clear(&run);
    return document;
}

static double chance_at(const json_t *analysis, const char *side, size_t ply) {
    const json_t *chances = json_object_get(json_object_get(analysis, "chances"), side);
    return json_real_value(json_array_get(chances, ply));
}

/* Compares the text of a film's chances with an analysis. */
static void assert_same_chances(const char *text, const json_t *analysis) {
    const size_t count = json_array_size(json_object_get(analysis, "plies")) + 1;
    assert_int_equal(strlen(text), 4 * count);
    for (size_t ply = 0; ply < count; ply++, text += 4) {
        int red = digit(text[0]) << 6 | digit(text[1]), blue = digit(text[2]) << 6 | digit(text[3]);
        assert_true(fabs(red / 1000.0 - chance_at(analysis, "red", ply)) < 0.0006);
        assert_true(fabs(blue / 1000.0 - chance_at(analysis, "blue", ply)) < 0.0006);
    }
}

static void each_game_carries_what_analyse_says(void **state) {
    (void)state;
    size_t length;
    char *html = match_folder_file(folder, "page.html", &length);
    json_t *films = films_of(html);
    assert_int_equal(json_array_size(films), GAMES);
    for (int game = 1; game <= GAMES; game++) {
        char path[MATCH_FOLDER_MAX + 16];
        const json_t *film = json_array_get(films, (size_t)game - 1);
        snprintf(path, sizeof path, "%s/%04d.rec", folder, game);
        json_t *analysis = analysis_of(path);
        assert_string_equal(json_string_value(json_array_get(film, 10)), "appraiser");
        assert_same_chances(json_string_value(json_array_get(film, 11)), analysis);
        json_decref(analysis);
    }
    json_decref(films);
    free(html);
}

/* Of single records, one of which breaks the folder's order by another variant. */
static void records_of_several_variants_have_theirs(void **state) {
    (void)state;
    char other[64], path[96];
    match_folder_make(other);
    snprintf(path, sizeof path, "%s/quick.rec", other);
    struct program_run game = PROGRAM("play", "quick", "--red", "raider", "--blue", "rookie",
                                      "--plain", "--seed", "2", "-o", path);
    struct program_run run = PROGRAM("report", record, path, "--bot", BOT, "-o", "-");
    if (run.exit_code) fail_msg("%s", run.err);
    json_t *films = films_of(run.out), *analysis = analysis_of(record);
    const json_t *film = json_array_get(films, 0);
    assert_same_chances(json_string_value(json_array_get(film, 11)), analysis);
    assert_non_null(strstr(strstr(run.out, "id=\"films-2\">"), "\"appraiser\",\""));
    json_decref(films);
    json_decref(analysis);
    program_clear(&run);
    program_clear(&game);
    match_folder_remove(other);
}

static void without_the_option_a_page_has_no_chances(void **state) {
    (void)state;
    struct program_run run = PROGRAM("report", folder, "-o", "-");
    json_t *films = films_of(run.out), *film;
    size_t index;
    assert_int_equal(run.exit_code, 0);
    json_array_foreach(films, index, film) assert_int_equal(json_array_size(film), 10);
    json_decref(films);
    program_clear(&run);
}

static void a_bot_that_cannot_say_is_one_clear_line(void **state) {
    (void)state;
    program_expect(PROGRAM("report", folder, "--analyse", "--bot", "rookie", "-o", "/dev/null"), 2,
                   "it has no function appraise");
    program_expect(PROGRAM("report", record, "--bot", "nobody", "-o", "/dev/null"), 2,
                   "no bot \"nobody\"");
    program_expect(PROGRAM("report", "-", "--analyse", "--bot", BOT), 2, "not standard input");
    program_expect(PROGRAM("report", folder, "--analyse", "--json"), 2, "--json");
}

static json_t *value_of(const char *expression) {
    return browser_value(browser, expression);
}

static double number_of(const char *expression) {
    json_t *value = value_of(expression);
    assert_true(json_is_number(value));
    double number = json_number_value(value);
    json_decref(value);
    return number;
}

static void expect_text(const char *expression, const char *expected) {
    json_t *value = value_of(expression);
    const char *text = json_string_value(value);
    if (!text || !strstr(text, expected))
        fail_msg("%s: \"%s\", expected \"%s\"", expression, text ? text : "nothing", expected);
    json_decref(value);
}

/* "Chances to win: red 61 %, blue 45 %." of a ply. */
static void write_words(const json_t *analysis, size_t ply, char out[96]) {
    snprintf(out, 96, "Chances to win: red %.0f %%, blue %.0f %%.",
             floor(100 * round(1000 * chance_at(analysis, "red", ply)) / 1000 + 0.5),
             floor(100 * round(1000 * chance_at(analysis, "blue", ply)) / 1000 + 0.5));
}

#define PICTURE "document.querySelector('.curve .chart')"
#define LABEL PICTURE ".getAttribute('aria-label')"
#define LINES "document.querySelectorAll('.curve polyline').length"

static void the_curve_follows_keys_pointer_and_eyes(void **state) {
    (void)state;
    if (!browser) skip();
    char fragment[32], words[96];
    json_t *analysis = analysis_of(record);
    const size_t plies = json_array_size(json_object_get(analysis, "plies"));
    snprintf(fragment, sizeof fragment, "#game=%d&ply=4", GAME);
    browser_load(browser, page, fragment);
    write_words(analysis, 4, words);
    expect_text(LABEL, words);
    expect_text("document.querySelector('.told').textContent", words); /* read aloud */
    browser_key(browser, "ArrowRight");
    write_words(analysis, 5, words);
    expect_text(LABEL, words);
    double place = number_of("(() => { const all = " PICTURE ".getBoundingClientRect(), "
                             "cursor = document.querySelector('.cursor').getBoundingClientRect();"
                             "return (cursor.left + cursor.width / 2 - all.left) / all.width })()");
    assert_true(fabs(place - 5.0 / (double)plies) < 0.01);
    assert_int_equal((int)number_of("document.querySelector('.curve polyline').points.length"),
                     plies + 1);
    assert_int_equal((int)number_of(LINES), 2);
    json_decref(value_of("document.querySelector('input[value=red]').click()"));
    assert_int_equal((int)number_of(LINES), 1);
    expect_text(LABEL, "Chance to win: ");
    json_decref(value_of("document.querySelector('input[value=open]').click()"));
    json_decref(value_of(PICTURE ".scrollIntoView({block: 'center'})"));
    double x = number_of(PICTURE ".getBoundingClientRect().left");
    double width = number_of(PICTURE ".getBoundingClientRect().width");
    double y = number_of(PICTURE ".getBoundingClientRect().top");
    browser_click(browser, x + width / 2, y + 40);
    assert_true(fabs(number_of("Number(document.querySelector('.slider').value)") -
                     (double)plies / 2) <= 1);
    json_decref(analysis);
    assert_string_equal(browser_complaints(browser), "");
}

static void the_curve_speaks_the_language(void **state) {
    (void)state;
    if (!browser) skip();
    char spanish[MATCH_FOLDER_MAX + 16];
    snprintf(spanish, sizeof spanish, "%s/es.html", folder);
    program_expect(PROGRAM("report", record, "--bot", BOT, "--lang", "es", "-o", spanish), 0, "");
    browser_load(browser, spanish, "");
    expect_text("document.querySelector('.curve').textContent", "Probabilidades de ganar según");
    expect_text(LABEL, "Probabilidades de ganar: rojo ");
    expect_text("document.querySelector('.told').textContent", "Probabilidades de ganar: rojo ");
}

static void the_curve_fits_a_phone_and_has_no_place_without_chances(void **state) {
    (void)state;
    if (!browser) skip();
    browser_resize(browser, 390, 844, true);
    browser_load(browser, page, "");
    assert_int_equal((int)number_of("document.documentElement.scrollWidth"), 390);
    browser_resize(browser, 1200, 900, false);
    char plain[MATCH_FOLDER_MAX + 16];
    snprintf(plain, sizeof plain, "%s/plain.html", folder);
    program_expect(PROGRAM("report", folder, "-o", plain), 0, "");
    browser_load(browser, plain, "");
    assert_int_equal(
        (int)number_of("document.querySelector('.curve').getBoundingClientRect().height"), 0);
    expect_text("document.querySelector('.told').textContent", "begins.");
    assert_string_equal(browser_complaints(browser), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_game_carries_what_analyse_says),
        cmocka_unit_test(records_of_several_variants_have_theirs),
        cmocka_unit_test(without_the_option_a_page_has_no_chances),
        cmocka_unit_test(a_bot_that_cannot_say_is_one_clear_line),
        cmocka_unit_test(the_curve_follows_keys_pointer_and_eyes),
        cmocka_unit_test(the_curve_speaks_the_language),
        cmocka_unit_test(the_curve_fits_a_phone_and_has_no_place_without_chances),
    };
    return cmocka_run_group_tests_name("cli/curve", tests, make_page, remove_page);
}
