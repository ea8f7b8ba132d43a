/* The server's page in Chromium: games against a bot by mouse, by fingers and by keys alone; the
 * board that the page shows after every ply, through either side's eyes, is that of the record. */
#include "visitor.h"

#include "host/support.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { OWN_MOVES_MAX = 12 };

static void a_game_of_duel_is_a_click_away_and_played_by_clicks(void **state) {
    (void)state;
    visitor_needed();
    char from[8], to[8];
    visitor_chooses_rookie(visitor, "duel", false);
    visitor_clicks(visitor, "button.play");
    int moves = 0;
    for (; moves < OWN_MOVES_MAX && visitor_chooses(visitor, from, to); moves++)
        visitor_moves(visitor, from, to);
    assert_true(moves > 3);
    if (visitor_chooses(visitor, from, to)) visitor_resigns(visitor);
    visitor_compares(visitor, 5);
    visitor_is_content(visitor);
}

static void at_the_end_both_armies_are_seen_and_keys_step_through_the_game(void **state) {
    (void)state;
    visitor_needed();
    char from[8], to[8];
    visitor_chooses_rookie(visitor, "duel", false);
    visitor_clicks(visitor, "button.play");
    for (int i = 0; i < 3 && visitor_chooses(visitor, from, to); i++)
        visitor_moves(visitor, from, to);
    assert_true(visitor_chooses(visitor, from, to));
    visitor_resigns(visitor);
    visitor_awaits(visitor, "document.querySelector('.game[data-eyes=all]')");
    visitor_expects(visitor, "page.status", "You lost. You resigned.");
    assert_true(visitor_sees(visitor, "document.querySelector('.eyes [value=all]').checked"));
    visitor_does(visitor, "document.activeElement.blur()");
    visitor_does(visitor, "window.slider = document.querySelector('.stepper input[type=range]'); "
                          "window.last = Number(slider.max)");
    assert_true(visitor_sees(visitor, "last >= 6 && Number(slider.value) === last"));
    browser_key(visitor, "ArrowLeft");
    assert_true(visitor_sees(visitor, "Number(slider.value) === last - 1"));
    browser_key(visitor, "Home");
    assert_true(visitor_sees(visitor, "Number(slider.value) === 0"));
    browser_key(visitor, "ArrowLeft");
    assert_true(visitor_sees(visitor, "Number(slider.value) === 0"));
    browser_key(visitor, "ArrowRight");
    assert_true(visitor_sees(visitor, "Number(slider.value) === 1"));
    visitor_does(visitor, "document.querySelector('.typing input, .table [data-square]').focus()");
    browser_key(visitor, "ArrowRight"); /* walks over the board */
    assert_true(visitor_sees(visitor, "Number(slider.value) === 1"));
    visitor_clicks(visitor, "[data-action=share]");
    visitor_awaits(visitor, "page.toasts.includes('The link is copied.')");
    visitor_clicks(visitor, "[data-action=new]");
    visitor_awaits(visitor, "document.querySelector('form.start option[value=chance]')");
    visitor_expects(visitor, "location.hash", "#/new/duel");
    visitor_is_content(visitor);
}

static void a_clock_of_ones_own_is_played_with_and_remembered(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "duel", false);
    assert_true(
        visitor_sees(visitor, "!document.querySelector('[name=minutes]').checkVisibility()"));
    visitor_does(visitor, "(() => { const { clock, minutes, increment } = page.form;"
                          "  clock.value = 'other'; clock.dispatchEvent(new Event('change'));"
                          "  minutes.value = '0.2'; increment.value = '7'; })()");
    assert_true(visitor_sees(visitor, "!page.form.minutes.validity.valid")); /* too short */
    visitor_does(visitor, "page.form.minutes.value = '90.5'");
    visitor_clicks(visitor, "button.play");
    visitor_awaits(visitor, "document.querySelector('.player.blue .clock')?.textContent === "
                            "'1:30:30'");
    visitor_comes(visitor, "#/", false);
    visitor_awaits(visitor, "document.querySelector('form.start option[value=chance]')");
    visitor_expects(visitor, "page.form.minutes.value + ' ' + page.form.increment.value", "90.5 7");
    visitor_is_content(visitor);
}

/* Play is pressed as soon as it is there, before the server has said what is in the library. */
static void a_game_that_is_begun_at_once_has_an_army_of_the_library(void **state) {
    (void)state;
    visitor_needed();
    visitor_comes(visitor, "#/new/duel", false);
    visitor_awaits(visitor, "document.querySelector('form.start option[value=chance]')");
    visitor_does(visitor, "(() => {"
                          "  const seen = new MutationObserver(() => {"
                          "    const play = document.querySelector('.start button.play');"
                          "    if (!/Barrage/.test(play?.textContent)) return;"
                          "    seen.disconnect();"
                          "    play.click();"
                          "  });"
                          "  seen.observe(document.body, { childList: true, subtree: true });"
                          "  location.hash = '#/new/barrage';"
                          "})()");
    visitor_awaits(visitor, "document.querySelector('.setup') || page.asked");
    assert_true(visitor_sees(visitor, "!document.querySelector('.setup')"));
    visitor_resigns(visitor);
    visitor_is_content(visitor);
}

static void on_a_phone_fingers_tap_and_drag_and_the_page_stays_where_it_is(void **state) {
    (void)state;
    visitor_needed();
    char from[8], to[8];
    visitor_chooses_rookie(visitor, "lightning", true);
    const struct place start = visitor_place(visitor, "page.place('button.play')");
    browser_tap(visitor, start.x, start.y);
    for (int i = 0; i < 6 && visitor_chooses(visitor, from, to); i++) {
        const struct place first = visitor_square(visitor, from),
                           last = visitor_square(visitor, to);
        assert_true(visitor_sees(visitor, "scrollY === 0"));
        if (i % 2) {
            browser_drag(visitor, first.x, first.y, last.x, last.y);
        } else {
            browser_tap(visitor, first.x, first.y);
            browser_tap(visitor, last.x, last.y);
        }
        assert_true(visitor_sees(visitor, "scrollY === 0 && !document.querySelector('.chooser') && "
                                          "document.documentElement.scrollWidth <= innerWidth"));
    }
    if (visitor_chooses(visitor, from, to)) {
        assert_true(visitor_sees(visitor, "page.plies >= 12"));
        visitor_resigns(visitor);
    }
    visitor_compares(visitor, 4);
    visitor_is_content(visitor);
}

static void a_game_can_be_played_by_keys_alone(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "quick", false);
    visitor_tabs_to(visitor, "button.play");
    browser_key(visitor, "Enter");
    visitor_does(visitor, "page.ready()");
    visitor_tabs_to(visitor, "[data-square]");
    int moves = 0;
    for (; moves < 8; moves++) {
        visitor_does(visitor, "page.ready()");
        if (visitor_sees(visitor, "page.over")) break;
        browser_key(visitor, "n"); /* the next piece that can move */
        browser_key(visitor, "Enter");
        browser_key(visitor, "n"); /* the next square that it can go to */
        browser_key(visitor, "Enter");
    }
    assert_int_equal(moves, 8);
    visitor_does(visitor, "page.ready()");
    assert_true(visitor_sees(visitor, "page.plies >= 16"));
    assert_true(visitor_sees(visitor, "/^8… Blue/.test(page.said.at(-1))"));
    visitor_tabs_to(visitor, "[data-action=resign]");
    browser_key(visitor, "Enter");
    browser_key(visitor, "Enter"); /* the question's first button */
    visitor_awaits(visitor, "page.over");
    visitor_compares(visitor, 4);
    visitor_is_content(visitor);
}

/* Luzhanqi: of five files, with camps, headquarters and railways, and fallen pieces that stay
 * hidden. */
static void grounds_are_told_apart_and_armies_have_room_beside_a_narrow_board(void **state) {
    (void)state;
    visitor_needed();
    char from[8], to[8];
    visitor_chooses_rookie(visitor, "luzhanqi", false);
    visitor_clicks(visitor, "button.play");
    for (int i = 0; i < 4 && visitor_chooses(visitor, from, to); i++)
        visitor_moves(visitor, from, to);
    visitor_expects(visitor, "document.querySelector('.table .legend').textContent",
                    "= camp^ headquarters% railway");
    visitor_does(visitor,
                 "window.fill = (name) => getComputedStyle(document.querySelector("
                 "`.table [data-square=${name}] .land`)).fill;"
                 "window.overlaps = ([one, other]) => one.right > other.left + 1 && "
                 "one.bottom > other.top && other.bottom > one.top;"
                 "window.boxes = [...document.querySelectorAll('.player.red .chip > *')].map("
                 "(one) => one.getBoundingClientRect()).filter(({ width }) => width)");
    assert_true(visitor_sees(visitor, "new Set(['b3', 'b1', 'a3', 'c1'].map(fill)).size === 4"));
    assert_true(visitor_sees(visitor, "fill('b3') === fill('d8') && fill('a3') === fill('c7')"));
    assert_true(visitor_sees(visitor, "document.querySelectorAll('.table .signs .sign').length "
                                      "=== document.querySelectorAll('.table [class*=tint].land')"
                                      ".length"));
    assert_true(visitor_sees(visitor,
                             "boxes.length > 12 && boxes.every((box, at) => "
                             "boxes.slice(at + 1).every((next) => !overlaps([box, next])))"));
    if (visitor_chooses(visitor, from, to)) visitor_resigns(visitor);
    visitor_compares(visitor, 3);
    visitor_is_content(visitor);
}

/* Of each text of a rule sheet: only what has columns may be wider than the sheet. */
static void a_rule_sheet_wraps_on_a_phone(void **state) {
    (void)state;
    visitor_needed();
    static const char *const variants[] = {"duel", "infiltrator", "galaxy"};
    for (int i = 0; i < 3; i++) {
        char fragment[64];
        snprintf(fragment, sizeof fragment, "#/rules/%s", variants[i]);
        visitor_comes(visitor, fragment, true);
        visitor_awaits(visitor, "document.querySelector('.sheet pre')");
        assert_true(visitor_sees(visitor, "document.documentElement.scrollWidth <= innerWidth"));
        assert_true(visitor_sees(
            visitor, "[...document.querySelectorAll('.sheet p')].every((one) => one.scrollWidth "
                     "<= one.clientWidth && !/ {2}|\\n/.test(one.textContent))"));
        assert_true(visitor_sees(visitor, "[...document.querySelectorAll('.sheet p')].some(("
                                          "{ textContent }) => /^A side with no piece .* the game "
                                          "is drawn\\.$/.test(textContent))"));
        assert_true(visitor_sees(visitor, "document.querySelectorAll('.sheet pre').length === 3"));
    }
    visitor_is_content(visitor);
}

#define CHANGED "document.querySelector('form.start').dispatchEvent(new Event('change'))"

static void a_bot_says_how_it_plays_where_it_is_chosen(void **state) {
    (void)state;
    visitor_needed();
    visitor_comes(visitor, "#/new/duel", true);
    visitor_awaits(visitor, "document.querySelector('form.start .about')");
    visitor_does(visitor, "page.form.opponent.value = 'rookie'; " CHANGED);
    visitor_expects(visitor, "document.querySelector('.about').textContent",
                    "Rookie moves at random: to learn the rules");
    visitor_does(visitor, "page.form.opponent.value = ':friend'; " CHANGED);
    visitor_expects(visitor, "document.querySelector('.about').textContent", "");
    visitor_is_content(visitor);
}

/* A server of its own, which ends. The last test of this program: what the browser complains of
 * then is right. */
static void the_page_itself_is_there_without_a_server(void **state) {
    (void)state;
    visitor_needed();
    struct served usual = visitor_server;
    char folder[64];
    support_folder(folder);
    SERVED_OPEN(&visitor_server, NULL, folder, NULL);
    visitor_comes(visitor, "#/", false);
    visitor_awaits(visitor, "document.querySelector('form.start')");
    visitor_awaits(visitor, "navigator.serviceWorker.controller");
    visitor_does(visitor,
                 "(async () => {"
                 "  const files = performance.getEntriesByType('resource').map(({ name }) => name);"
                 "  for (const file of ['/', ...files.filter((one) => /[.](js|css)$/.test(one))])"
                 "    for (let i = 0; !await caches.match(file); i++) {"
                 "      if (i > 2000) throw new Error(`${file} is not kept`);"
                 "      await new Promise((resolve) => setTimeout(resolve, 20));"
                 "    }"
                 "})()");
    assert_true(visitor_sees(visitor, "caches.match('/metrics').then((found) => !found)"));
    served_end(&visitor_server, SIGTERM);
    visitor_comes(visitor, "#/", false);
    visitor_awaits(visitor, "document.querySelector('.connection.lost') && "
                            "getComputedStyle(document.querySelector('.top')).display === 'flex'");
    visitor_server = usual;
    support_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_of_duel_is_a_click_away_and_played_by_clicks),
        cmocka_unit_test(on_a_phone_fingers_tap_and_drag_and_the_page_stays_where_it_is),
        cmocka_unit_test(a_game_can_be_played_by_keys_alone),
        cmocka_unit_test(a_rule_sheet_wraps_on_a_phone),
        cmocka_unit_test(grounds_are_told_apart_and_armies_have_room_beside_a_narrow_board),
        cmocka_unit_test(a_bot_says_how_it_plays_where_it_is_chosen),
        cmocka_unit_test(a_clock_of_ones_own_is_played_with_and_remembered),
        cmocka_unit_test(a_game_that_is_begun_at_once_has_an_army_of_the_library),
        cmocka_unit_test(at_the_end_both_armies_are_seen_and_keys_step_through_the_game),
        cmocka_unit_test(the_page_itself_is_there_without_a_server),
    };
    return cmocka_run_group_tests_name("serve_page", tests, one_visitor_comes, visitors_go);
}
