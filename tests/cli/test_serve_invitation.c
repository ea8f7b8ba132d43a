/* Invitations, windows and names at the server's page in Chromium. */
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

static void a_used_invitation_leads_to_watching_and_the_own_one_to_the_own_game(void **state) {
    (void)state;
    visitor_needed();
    char *link = visitor_invites(visitor, "duel", "", "chance");
    char *game = visitor_reads(visitor, "location.hash");
    browser_leave(visitor);
    visitor_comes(visitor, link, false); /* who sent it tries it */
    visitor_awaits(visitor, "document.querySelector('.invitation input')");
    visitor_expects(visitor, "location.hash", game);
    friend_comes(&boris, &visitor_server);
    friend_sits(&boris, link);
    visitor_comes(other_visitor, link, false);
    visitor_awaits(other_visitor, "document.querySelector('.notice a.main')");
    visitor_expects(other_visitor, "document.querySelector('.notice p').textContent",
                    "this invitation was used already; the game can still be watched");
    visitor_clicks(other_visitor, ".notice a.main");
    visitor_awaits(other_visitor, "location.hash.startsWith('#/watch/')");
    friend_lays_out(&boris);
    visitor_awaits(other_visitor, "document.querySelector('.board')");
    visitor_does(visitor, "page.ready()");
    friend_goes(&boris);
    free(link);
    free(game);
    visitor_is_content(visitor);
    visitor_is_content(other_visitor);
}

#define OWN_PIECES "document.querySelectorAll('.table .board .pieces > *').length"

static void an_invitation_says_who_invites_to_what_and_its_army_is_ready(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "duel", false);
    visitor_does(visitor, "page.form.opponent.value = ':friend'; page.form.clock.value = '180+2'; "
                          "page.form.army.value = 'own'; (() => { "
                          "  const name = document.querySelector('form.start "
                          "input[autocomplete=nickname]');"
                          "  name.value = 'Анна'; name.dispatchEvent(new Event('input')); })()");
    visitor_clicks(visitor, "button.play");
    visitor_awaits(visitor, "document.querySelector('.invitation input')");
    char *link =
        visitor_reads(visitor, "new URL(document.querySelector('.invitation input').value).hash");
    visitor_comes(other_visitor, link, true); /* and looks only */
    visitor_awaits(other_visitor, "document.querySelector('.arrival option[value=own]')");
    visitor_expects(other_visitor, "document.querySelector('.arrival h1').textContent",
                    "Анна invites you");
    visitor_expects(other_visitor, "document.querySelector('.arrival .offer').textContent",
                    "Duel · 3 min + 2 s · you play Blue");
    assert_true(visitor_sees(other_visitor, "document.documentElement.scrollWidth <= innerWidth"));
    browser_leave(other_visitor);
    visitor_accepts(other_visitor, link, "library");
    visitor_awaits(other_visitor, OWN_PIECES " === 10");
    visitor_expects(other_visitor, "page.status", "Your army stands. Анна is still laying out.");
    char *game = visitor_reads(other_visitor, "location.hash");
    browser_leave(other_visitor);
    visitor_comes(other_visitor, link, false); /* used, but by this browser */
    visitor_awaits(other_visitor, OWN_PIECES " === 10");
    visitor_expects(other_visitor, "location.hash", game);
    visitor_does(other_visitor, "location.hash = '#/'");
    visitor_awaits(other_visitor, "document.querySelector('form.start')");
    visitor_does(other_visitor, "history.back()");
    visitor_awaits(other_visitor, OWN_PIECES " === 10");
    assert_true(visitor_sees(other_visitor, "!document.querySelector('.setup')"));
    visitor_lays_out(visitor, NULL);
    visitor_moves_on(visitor);
    free(game);
    free(link);
    visitor_is_content(visitor);
    visitor_is_content(other_visitor);
}

static void a_window_whose_seat_was_taken_over_takes_it_back_when_asked_to(void **state) {
    (void)state;
    visitor_needed();
    char *link = visitor_invites(visitor, "duel", "", "chance");
    visitor_accepts(other_visitor, link, "own");
    visitor_lays_out(other_visitor, NULL);
    visitor_does(visitor, "page.ready()");
    char *secret = visitor_reads(visitor, "JSON.parse(localStorage['ensign.seats'])[0].secret");
    friend_comes(&boris, &visitor_server); /* the same player elsewhere */
    friend_sits(&boris, secret);
    visitor_awaits(visitor, "document.querySelector('.notice.taken button')");
    friend_moves(&boris);
    visitor_does(other_visitor, "page.ready()");
    assert_true(visitor_sees(visitor, "Boolean(document.querySelector('.notice.taken button'))"));
    visitor_clicks(visitor, ".notice.taken button");
    assert_string_equal(json_string_value(json_object_get(friend_hears(&boris, "left"), "reason")),
                        "seat");
    visitor_awaits(visitor, "document.querySelector('.board')");
    visitor_moves_on(other_visitor);
    visitor_does(visitor, "page.ready()");
    visitor_moves_on(visitor);
    friend_goes(&boris);
    free(secret);
    free(link);
    visitor_is_content(visitor);
    visitor_is_content(other_visitor);
}

/* Loses the connection as networks do: the server takes it for alive. */
static const char LOSE[] =
    "import('/link.js').then(({ link }) => { const { socket } = link; window.ghost = socket;"
    "  socket.onmessage = socket.onclose = null; link.socket = { close() {} }; link.drop(); })";

static void a_window_that_was_offline_leaves_the_seat_where_it_was_taken_meanwhile(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "duel", false);
    visitor_clicks(visitor, "button.play");
    visitor_moves_on(visitor);
    visitor_does(visitor, LOSE);
    visitor_moves_on(visitor); /* its own dead connection does not keep it away */
    visitor_does(visitor, "page.ready()");
    char copy[1024];
    char *game = visitor_reads(visitor, "location.hash");
    char *seats = visitor_reads(
        visitor, "btoa(JSON.stringify(JSON.parse(localStorage['ensign.seats']).slice(0, 1)))");
    visitor_does(visitor, "page.cut()");
    visitor_awaits(visitor, "document.querySelector('.connection.lost')");
    visitor_comes(other_visitor, "", false);
    snprintf(copy, sizeof copy, "localStorage['ensign.seats'] = atob('%s')", seats);
    visitor_does(other_visitor, copy);
    browser_leave(other_visitor);
    visitor_comes(other_visitor, game, false);
    visitor_moves_on(other_visitor);
    visitor_does(visitor, "page.mend()");
    visitor_awaits(visitor, "document.querySelector('.notice.taken button')");
    visitor_moves_on(other_visitor);
    visitor_does(other_visitor, "page.ready()");
    assert_true(visitor_sees(visitor, "Boolean(document.querySelector('.notice.taken button'))"));
    visitor_clicks(visitor, ".notice.taken button");
    visitor_awaits(other_visitor, "document.querySelector('.notice.taken button')");
    visitor_moves_on(visitor);
    free(seats);
    free(game);
    visitor_is_content(visitor);
    visitor_is_content(other_visitor);
}

#define NAME "document.querySelector('form.start input[autocomplete=nickname]')"
#define TYPED NAME ".dispatchEvent(new Event('input'))"
#define KEPT_NAME "JSON.parse(localStorage['ensign.settings']).name"
#define LONG "Александра Владимировна Константинова"

static void a_name_of_forty_letters_is_played_with_and_a_longer_one_is_not_kept(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "quick", false);
    visitor_does(visitor, NAME ".value = '" LONG "', " TYPED);
    visitor_expects(visitor, KEPT_NAME, LONG);
    visitor_does(visitor, NAME ".value = 'ж'.repeat(41), " TYPED);
    visitor_expects(visitor, NAME ".validationMessage", "A name has at most 40 letters.");
    visitor_expects(visitor, KEPT_NAME, LONG);
    visitor_does(visitor, NAME ".value = '\\u202e', " TYPED);
    visitor_expects(visitor, NAME ".validationMessage", "A name holds no invisible characters.");
    visitor_does(visitor, NAME ".value = '" LONG "', " TYPED);
    visitor_clicks(visitor, "button.play");
    visitor_awaits(visitor, "document.querySelector('.player.red b')?.textContent === '" LONG "'");
    visitor_is_content(visitor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_used_invitation_leads_to_watching_and_the_own_one_to_the_own_game),
        cmocka_unit_test(an_invitation_says_who_invites_to_what_and_its_army_is_ready),
        cmocka_unit_test(a_window_whose_seat_was_taken_over_takes_it_back_when_asked_to),
        cmocka_unit_test(a_window_that_was_offline_leaves_the_seat_where_it_was_taken_meanwhile),
        cmocka_unit_test(a_name_of_forty_letters_is_played_with_and_a_longer_one_is_not_kept),
    };
    return cmocka_run_group_tests_name("serve_invitation", tests, two_visitors_come, visitors_go);
}
