/* A spectator at the server's page in Chromium, who comes by a link for the first time: follows the
 * game, steps through it after its end with everybody's eyes, keeps its record, and goes along when
 * the players want another one. */
#include "base/files.h"
#include "friend.h"
#include "visitor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct friend boris;

static void expect_turn(struct browser *spectator, int ply, const char *status) {
    char shown[128];
    snprintf(shown, sizeof shown, "page.plies === %d && page.status === \"%s\"", ply, status);
    visitor_awaits(spectator, shown);
}

/* The page knows which languages the server has once it is connected; then everything is built
 * again. */
static void reads_ukrainian(struct browser *spectator) {
    visitor_comes(spectator, "#/", false);
    visitor_awaits(spectator, "localStorage.getItem('ensign.settings')");
    visitor_does(spectator, "localStorage.setItem('ensign.settings', '{\"language\":\"uk\"}')");
}

static void step_through(struct browser *spectator) {
    static const char current[] =
        "page.plyOf(document.querySelector('.moves [aria-current]').innerText) === "
        "page.slider.valueAsNumber";
    visitor_compares(spectator, 1);
    visitor_clicks(spectator, ".stepper button"); /* to the start */
    visitor_expects(spectator, "page.slider.value", "0");
    visitor_clicks(spectator, ".stepper button[aria-label=\"One ply forward\"]");
    visitor_clicks(spectator, ".stepper button[aria-label=\"One ply forward\"]");
    visitor_expects(spectator, "page.slider.value", "2");
    assert_true(visitor_sees(spectator, current));
    visitor_clicks(spectator, ".moves li:nth-child(3) button");
    visitor_expects(spectator, "page.slider.value", "3");
    assert_true(visitor_sees(spectator, current));
}

static void keep_record(struct browser *spectator) {
    struct fault fault = {0};
    char name[96];
    size_t length;
    char *record = visitor_reads(spectator, "page.record()");
    visitor_clicks(spectator, "[data-action=record]");
    const char *path = browser_downloaded(spectator);
    snprintf(name, sizeof name, "/duel-%s.rec", boris.game);
    assert_non_null(strstr(path, name));
    char *kept = files_read(path, 1 << 20, &length, &fault);
    assert_non_null(kept);
    assert_string_equal(kept, record);
    free(kept);
    free(record);
}

static void a_spectator_sees_a_game_and_the_next_one(void **state) {
    (void)state;
    visitor_needed();
    struct browser *red = visitor, *spectator = other_visitor;
    char fragment[96];
    char *link = visitor_invites(red, "duel", "", "chance");
    friend_comes(&boris, &visitor_server);
    friend_sits(&boris, link);
    free(link);
    friend_lays_out(&boris);
    snprintf(fragment, sizeof fragment, "#/watch/%s", boris.game);
    reads_ukrainian(spectator);
    visitor_comes(spectator, fragment, false);
    visitor_moves_on(red);
    expect_turn(spectator, 1, "Хід синіх.");
    visitor_expects(spectator, "document.querySelector('.player.red b').textContent", "Гість");
    visitor_does(spectator, "page.set('Мова', '')");
    friend_moves(&boris);
    expect_turn(spectator, 2, "Red's turn.");
    visitor_moves_on(red);
    friend_moves(&boris);
    expect_turn(spectator, 4, "Red's turn.");
    visitor_expects(spectator, "page.actions", "Turn the board");

    friend_says(&boris, "resign");
    visitor_awaits(spectator, "page.over && page.status === 'Red wins. The other side resigned.'");
    step_through(spectator);
    keep_record(spectator);

    visitor_awaits(red, "page.over");
    friend_says(&boris, "rematch");
    visitor_awaits(red, "page.prompt");
    visitor_expects(red, "page.prompt", "The other side would like a rematch. | Accept a rematch");
    visitor_does(spectator, "page.knows('rematch blue')");
    visitor_expects(spectator, "page.prompt", "");
    visitor_clicks(red, ".prompt [data-action=accept]");
    while (!json_object_get(friend_hears(&boris, "rematch"), "new")) continue;
    char secret[64], next[64];
    snprintf(secret, sizeof secret, "%s", talker_text(&boris.talker, "secret"));
    snprintf(next, sizeof next, "location.hash === '#/watch/%s'",
             talker_text(&boris.talker, "new"));
    friend_sits(&boris, secret);
    friend_lays_out(&boris);
    visitor_awaits(spectator, next);
    friend_moves(&boris);
    expect_turn(spectator, 1, "Blue's turn.");
    visitor_expects(spectator, "document.querySelector('.player.red b').textContent", "Boris");
    visitor_moves_on(red);
    expect_turn(spectator, 2, "Red's turn.");
    friend_goes(&boris);
    visitor_is_content(red);
    visitor_is_content(spectator);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spectator_sees_a_game_and_the_next_one),
    };
    return cmocka_run_group_tests_name("serve_spectator", tests, two_visitors_come, visitors_go);
}
