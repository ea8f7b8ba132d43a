/* The connection of a player at the server's page in Chromium goes dead without being closed: the
 * player and the opponent are told soon, and nothing is lost. A slow network is not a dead one. */
#include "base/clock.h"
#include "friend.h"
#include "gate.h"
#include "visitor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Noticed within five seconds; the rest is for busy machines. Without heartbeats it takes 55. */
enum { SOON = 15000 /* ms */, SLOW = 2000 };

static struct gate *gate;

/* The visitor, red, comes through the gate, and plays against the other one, who does not. It is
 * red's turn. */
static void meet(const char *clock) {
    visitor_needed();
    gate = gate_open(visitor_server.port);
    struct served direct = visitor_server;
    char *link = visitor_invites(other_visitor, "duel", clock, "chance");
    snprintf(visitor_server.url, sizeof visitor_server.url, "http://127.0.0.1:%d/",
             gate_port(gate));
    visitor_accepts(visitor, link, "own");
    visitor_server = direct;
    free(link);
    visitor_lays_out(visitor, NULL);
    visitor_does(visitor, "import('/link.js').then(({ link }) => { window.lost = 0; "
                          "link.on('lost', () => lost++); window.beats = 0; "
                          "link.on('heartbeat', () => beats++); })");
    visitor_moves_on(other_visitor);
    visitor_does(visitor, "page.ready()");
}

static void part(void) {
    browser_leave(visitor), browser_leave(other_visitor);
    gate_close(gate);
}

static void who_loses_the_network_and_the_opponent_are_told_soon(void **state) {
    (void)state;
    meet("600+5");
    visitor_does(other_visitor, "page.watchNotes()");
    const int64_t cut_at = clock_ms();
    gate_cut(gate, true);
    visitor_awaits(visitor, "document.querySelector('.connection').textContent === "
                            "'connection lost, trying again'");
    visitor_expects(visitor, "page.status",
                    "The connection is lost. It will be restored by itself.");
    visitor_awaits(other_visitor,
                   "/^connection lost; in \\d\\d? s you can claim the game$/.test(page.notes)");
    assert_in_range(clock_ms() - cut_at, 0, SOON);
    visitor_expects(other_visitor, "page.prompt", ""); /* it cannot be claimed yet */
    gate_cut(gate, false);
    visitor_awaits(visitor, "page.status === 'Your turn'");
    visitor_awaits(other_visitor, "!page.notes");
    visitor_expects(other_visitor, "page.said.slice(-2).join(' ')",
                    "Blue: connection lost Blue: is back");
    visitor_moves_on(visitor);
    visitor_moves_on(other_visitor);
    visitor_is_content(other_visitor);
    part();
}

static void a_network_that_is_two_seconds_late_is_not_lost(void **state) {
    (void)state;
    meet("");
    visitor_does(other_visitor, "page.watchNotes()");
    gate_delay(gate, SLOW);
    visitor_does(visitor, "beats = 0");
    visitor_moves_on(visitor);
    visitor_moves_on(other_visitor);
    visitor_does(visitor, "page.ready()");
    visitor_awaits(visitor, "beats >= 5");
    gate_delay(gate, 0);
    visitor_awaits(visitor, "beats >= 10");
    assert_true(visitor_sees(visitor, "lost === 0"));
    visitor_expects(other_visitor, "page.notesSeen.join()", "");
    visitor_is_content(visitor);
    visitor_is_content(other_visitor);
    part();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_loses_the_network_and_the_opponent_are_told_soon),
        cmocka_unit_test(a_network_that_is_two_seconds_late_is_not_lost),
    };
    return cmocka_run_group_tests_name("serve_connection", tests, two_visitors_come, visitors_go);
}
