/* The server's page in Chromium: games by mouse, by fingers and by keys alone, of one player
 * against a bot and of two against each other; the board that the page shows after every ply,
 * through either side's eyes, is that of the record. */
#include "base/files.h"
#include "browser.h"
#include "host/served.h"
#include "host/support.h"
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { OWN_MOVES_MAX = 40, URL_ROOM = 128, COMMAND_ROOM = 512 };

static struct browser *browser, *other; /* two people */
static char *prelude;                   /* serve_page.js */

static struct served server;
static char server_folder[64];

static int open_all(void **state) {
    (void)state;
    struct fault fault = {0};
    signal(SIGPIPE, SIG_IGN);
    size_t length;
    prelude = files_read(ENSIGN_ROOT "/tests/cli/serve_page.js", 1 << 20, &length, &fault);
    assert_non_null(prelude);
    browser = browser_open();
    other = browser ? browser_open() : NULL;
    support_folder(server_folder);
    if (browser) SERVED_OPEN(&server, NULL, server_folder, "--seed", "7");
    return 0;
}

static int close_all(void **state) {
    (void)state;
    browser_close(browser);
    browser_close(other);
    free(prelude);
    if (server.process) served_end(&server, SIGTERM);
    support_remove(server_folder);
    return 0;
}

static void need_browser(void) {
    if (!browser) skip();
}

static void run_script(struct browser *in, const char *expression) {
    json_decref(browser_value(in, expression));
}

static bool is_true(struct browser *in, const char *expression) {
    json_t *value = browser_value(in, expression);
    bool is = json_is_true(value);
    json_decref(value);
    return is;
}

/* Waits until an expression of the page is true. */
static void await(struct browser *in, const char *expression) {
    char text[COMMAND_ROOM + 64];
    snprintf(text, sizeof text, "page.until(() => %s).then(() => true)", expression);
    run_script(in, text);
}

static char *text_of(struct browser *in, const char *expression) {
    json_t *value = browser_value(in, expression);
    if (!json_is_string(value)) fail_msg("%s: no text", expression);
    char *text = strdup(json_string_value(value));
    json_decref(value);
    return text;
}

/* Loads the page with this fragment, in a window of a desk or of a phone. */
static void visit(struct browser *in, const char *fragment, bool phone) {
    char url[URL_ROOM + 128];
    snprintf(url, sizeof url, "%s%s", server.url, fragment);
    browser_resize(in, phone ? 360 : 1280, phone ? 640 : 900, phone);
    browser_visit(in, url);
    run_script(in, prelude);
}

struct place {
    double x, y;
};

static struct place place_of(struct browser *in, const char *expression) {
    json_t *value = browser_value(in, expression);
    const struct place place = {json_number_value(json_object_get(value, "x")),
                                json_number_value(json_object_get(value, "y"))};
    json_decref(value);
    return place;
}

static struct place square_place(struct browser *in, const char *name) {
    char text[COMMAND_ROOM];
    snprintf(text, sizeof text, "page.square('%s')", name);
    return place_of(in, text);
}

/* Clicks the first element that a selector finds, and a square. */
static void click(struct browser *in, const char *selector) {
    char text[COMMAND_ROOM];
    snprintf(text, sizeof text, "page.place('%s')", selector);
    const struct place at = place_of(in, text);
    browser_click(in, at.x, at.y);
}

static void click_square(struct browser *in, const char *name) {
    const struct place at = square_place(in, name);
    browser_click(in, at.x, at.y);
}

/* A move that brings the game on; false once it is over. */
static bool choose(struct browser *in, char from[8], char to[8]) {
    run_script(in, "page.ready()");
    if (is_true(in, "page.over")) return false;
    json_t *move = browser_value(in, "page.choice()");
    snprintf(from, 8, "%s", json_string_value(json_array_get(move, 0)));
    snprintf(to, 8, "%s", json_string_value(json_array_get(move, 1)));
    json_decref(move);
    return true;
}

static void resign_by_clicks(struct browser *in) {
    click(in, "[data-action=resign]");
    click(in, "dialog.question button[value=yes]");
    await(in, "page.over");
}

/* The board of the record after a ply, as these eyes knew it; the caller frees. */
static char *recorded(const char *path, const char *eyes, int ply) {
    char number[16];
    snprintf(number, sizeof number, "%d", ply);
    struct program_run run = PROGRAM("replay", path, "--json", "--eyes", eyes, "--ply", number);
    assert_int_equal(run.exit_code, 0);
    json_t *document = json_loads(run.out, 0, NULL);
    const char *position = json_string_value(json_object_get(document, "position"));
    char *text = strndup(position, strcspn(position, " "));
    json_decref(document);
    program_clear(&run);
    return text;
}

static void compare_ply(struct browser *in, const char *path, const char *eyes, int ply) {
    char command[64];
    snprintf(command, sizeof command, "page.at(%d)", ply);
    char *shown = text_of(in, command), *expected = recorded(path, eyes, ply);
    assert_string_equal(shown, expected);
    free(expected);
    free(shown);
}

/* The game in the page is over: its board after plies of the record, through all eyes, is the
 * record's. `step`: after every ply, every second … */
static void compare_with_the_record(struct browser *in, int step) {
    static const char *const eyes[] = {"red", "blue", "all"};
    char path[64];
    char *record = text_of(in, "page.record()");
    program_file(path, ".rec", record, strlen(record));
    for (int i = 0; i < 3; i++) {
        char selector[64], shown[COMMAND_ROOM];
        snprintf(selector, sizeof selector, ".eyes [value=%s]", eyes[i]);
        snprintf(shown, sizeof shown, "document.querySelector('.game[data-eyes=%s]')", eyes[i]);
        click(in, selector);
        await(in, shown);
        json_t *plies = browser_value(in, "page.plies");
        const int count = (int)json_integer_value(plies);
        for (int ply = 0; ply <= count; ply += step) compare_ply(in, path, eyes[i], ply);
        compare_ply(in, path, eyes[i], count);
        json_decref(plies);
    }
    unlink(path);
    free(record);
}

static void nothing_went_wrong_in_the_page(struct browser *in) {
    assert_string_equal(browser_complaints(in), "");
}

/* From the start page to a game of this variant against rookie. */
static void begin_against_rookie(struct browser *in, const char *variant, bool phone) {
    char fragment[64];
    snprintf(fragment, sizeof fragment, "#/new/%s", variant);
    visit(in, fragment, phone);
    await(in, "document.querySelector('form.start option[value=chance]')");
}

static void a_game_of_duel_is_a_click_away_and_played_by_clicks(void **state) {
    (void)state;
    need_browser();
    char from[8], to[8];
    begin_against_rookie(browser, "duel", false);
    click(browser, "button.play");
    int moves = 0;
    for (; moves < OWN_MOVES_MAX && choose(browser, from, to); moves++) {
        click_square(browser, from);
        click_square(browser, to);
    }
    assert_true(moves > 3);
    if (choose(browser, from, to)) resign_by_clicks(browser);
    compare_with_the_record(browser, 5);
    nothing_went_wrong_in_the_page(browser);
}

static void on_a_phone_fingers_tap_and_drag_and_the_page_stays_where_it_is(void **state) {
    (void)state;
    need_browser();
    char from[8], to[8];
    begin_against_rookie(browser, "lightning", true);
    const struct place start = place_of(browser, "page.place('button.play')");
    browser_tap(browser, start.x, start.y);
    for (int i = 0; i < 6 && choose(browser, from, to); i++) {
        const struct place first = square_place(browser, from), last = square_place(browser, to);
        assert_true(is_true(browser, "scrollY === 0"));
        if (i % 2) {
            browser_drag(browser, first.x, first.y, last.x, last.y);
        } else {
            browser_tap(browser, first.x, first.y);
            browser_tap(browser, last.x, last.y);
        }
        assert_true(is_true(browser, "scrollY === 0 && !document.querySelector('.chooser') && "
                                     "document.documentElement.scrollWidth <= innerWidth"));
    }
    if (choose(browser, from, to)) {
        assert_true(is_true(browser, "page.plies >= 12"));
        resign_by_clicks(browser);
    }
    compare_with_the_record(browser, 4);
    nothing_went_wrong_in_the_page(browser);
}

/* Presses Tab until the element in focus matches. */
static void tab_to(struct browser *in, const char *selector) {
    char reached[COMMAND_ROOM];
    snprintf(reached, sizeof reached, "document.activeElement.matches('%s')", selector);
    for (int i = 0; i < 80 && !is_true(in, reached); i++) browser_key(in, "Tab");
    assert_true(is_true(in, reached));
}

static void a_game_can_be_played_by_keys_alone(void **state) {
    (void)state;
    need_browser();
    begin_against_rookie(browser, "quick", false);
    tab_to(browser, "button.play");
    browser_key(browser, "Enter");
    run_script(browser, "page.ready()");
    tab_to(browser, "[data-square]");
    int moves = 0;
    for (; moves < 8; moves++) {
        run_script(browser, "page.ready()");
        if (is_true(browser, "page.over")) break;
        browser_key(browser, "n"); /* the next piece that can move */
        browser_key(browser, "Enter");
        browser_key(browser, "n"); /* the next square that it can go to */
        browser_key(browser, "Enter");
    }
    assert_int_equal(moves, 8);
    run_script(browser, "page.ready()");
    assert_true(is_true(browser, "page.plies >= 16"));
    assert_true(is_true(browser, "/^16\\. Blue/.test(document.querySelector('[role=log] p:last-child')"
                                 ".textContent)"));
    tab_to(browser, "[data-action=resign]");
    browser_key(browser, "Enter");
    browser_key(browser, "Enter"); /* the question's first button */
    await(browser, "page.over");
    compare_with_the_record(browser, 4);
    nothing_went_wrong_in_the_page(browser);
}

/* Lays out an army by its text. */
static void lay_out(struct browser *in, const char *army) {
    char text[COMMAND_ROOM];
    await(in, "document.querySelector('.setup textarea')");
    run_script(in, "document.querySelector('.setup details').open = true");
    snprintf(text, sizeof text,
             "document.querySelector('.setup textarea').value = 'infiltrator test %s\\n'; true",
             army);
    run_script(in, text);
    run_script(in, "[...document.querySelectorAll('.setup .row button')].find((button) => "
                   "button.textContent === 'Read in this text').click()");
    await(in, "!document.querySelector('.setup .library button.main').disabled");
    click(in, ".setup .library button.main");
}

/* Makes a move by clicks once it is this side's turn. */
static void move_by_clicks(struct browser *in, const char *from, const char *to) {
    run_script(in, "page.ready()");
    click_square(in, from);
    click_square(in, to);
}

static void wait_for_ply(struct browser *in, int ply) {
    char text[64];
    snprintf(text, sizeof text, "page.plies >= %d", ply);
    await(in, text);
}

/* Red's saboteur stands on e4; blue lets it in on e7, and its flag is on e9. */
#define RED_ARMY "2222X22233/3334444555/5666677788/9MSBBBFBBB"
#define BLUE_ARMY "2222222333/3344445555/66667F7788/9MSXBBBBBB"

/* Red makes a link, blue opens it. */
static void meet(struct browser *red, struct browser *blue) {
    begin_against_rookie(red, "infiltrator", false);
    run_script(red, "document.querySelector('[name=opponent][value=\":friend\"]').click()");
    run_script(red, "const army = document.querySelector('form.start select:has([value=own])'); "
                    "army.value = 'own'; "
                    "army.dispatchEvent(new Event('change', { bubbles: true }));");
    click(red, "button.play");
    await(red, "document.querySelector('.invitation input')");
    char *url = text_of(red, "document.querySelector('.invitation input').value");
    visit(blue, url + strlen(server.url), false);
    free(url);
    lay_out(red, RED_ARMY);
    lay_out(blue, BLUE_ARMY);
}

/* The saboteur on e7 names what stands on a square, whose moves have this beginning. */
static void name_by_clicks(struct browser *in, const char *target, const char *choice) {
    char selector[64];
    run_script(in, "page.ready()");
    click_square(in, "e7");
    click_square(in, target);
    await(in, "document.querySelector('.chooser')");
    if (is_true(in, "Boolean(document.querySelector('[data-choice=e7xe8]'))"))
        click(in, "[data-choice^=\"e7@\"]"); /* not the attack, but the ability */
    snprintf(selector, sizeof selector, "[data-choice=\"%s\"]", choice);
    click(in, selector);
}

static void the_saboteur_goes_to_e7(struct browser *red, struct browser *blue) {
    static const char *const moves[][2] = {{"i4", "i5"}, {"e7", "e6"}, {"j4", "j5"}, {"e6", "f6"},
                                           {"e4", "e5"}, {"j7", "j6"}, {"e5", "e6"}, {"i7", "i6"},
                                           {"e6", "e7"}, {"a7", "a6"}};
    for (int i = 0; i < 10; i++) move_by_clicks(i % 2 ? blue : red, moves[i][0], moves[i][1]);
}

static void two_people_play_infiltrator_with_an_ability_a_lost_connection_and_a_rematch(
    void **state) {
    (void)state;
    need_browser();
    struct browser *red = browser, *blue = other;
    meet(red, blue);
    the_saboteur_goes_to_e7(red, blue);
    name_by_clicks(red, "e8", "e7@e8=marshal"); /* wrong: it is a sergeant */
    wait_for_ply(red, 11);

    run_script(red, "page.cut()");
    await(red, "document.querySelector('.connection.lost')");
    await(blue, "[...document.querySelectorAll('.player .note')].some((note) => "
                "note.textContent.startsWith('has left'))");
    move_by_clicks(blue, "b7", "b6");
    wait_for_ply(blue, 12);
    run_script(red, "page.mend()");
    wait_for_ply(red, 12);
    await(blue, "[...document.querySelectorAll('.player .note')].every((note) => "
                "!note.textContent)");

    name_by_clicks(red, "e9", "e7@e9=flag");
    await(red, "page.over");
    run_script(blue, "page.ready()");
    assert_true(is_true(blue, "page.over"));
    assert_true(is_true(blue, "document.querySelector('.status').textContent === "
                              "'Red wins. The flag is captured.'"));
    compare_with_the_record(red, 2);
    compare_with_the_record(blue, 2);

    click(red, "[data-action=rematch]");
    click(blue, ".prompt [data-action=accept]");
    await(red, "document.querySelector('.setup h2')?.textContent.endsWith('Blue')");
    await(blue, "document.querySelector('.setup h2')?.textContent.endsWith('Red')");
    nothing_went_wrong_in_the_page(red);
    nothing_went_wrong_in_the_page(blue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_of_duel_is_a_click_away_and_played_by_clicks),
        cmocka_unit_test(on_a_phone_fingers_tap_and_drag_and_the_page_stays_where_it_is),
        cmocka_unit_test(a_game_can_be_played_by_keys_alone),
        cmocka_unit_test(
            two_people_play_infiltrator_with_an_ability_a_lost_connection_and_a_rematch),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
