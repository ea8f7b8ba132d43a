/* Nothing ends a running game at the server's page by one slip: the list of one's games, its keys,
 * and buttons that end games ask first. And what is said of a square is of the piece that is there.
 */
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

#define OWN_GAME "document.querySelector('.shelf .what')?.textContent"
#define FORGET ".shelf button[aria-label=\"Forget this game\"]"
#define QUESTION "dialog.question"
#define OWN_GAMES "JSON.parse(localStorage.getItem('ensign.seats') ?? '[]').length"

static void come_to_the_list(void) {
    visitor_comes(visitor, "#/", false);
    visitor_awaits(visitor, "document.querySelector('.shelf button[aria-label]')");
}

/* Its own page holds no other games. */
static void begin(void) {
    visitor_needed();
    visitor_comes(visitor, "#/", false);
    visitor_does(visitor, "localStorage.clear()");
    visitor_meets(visitor, &boris, "");
    come_to_the_list();
}

static void a_running_game_leaves_the_list_only_by_being_given_up(void **state) {
    (void)state;
    begin();
    visitor_clicks(visitor, FORGET);
    visitor_awaits(visitor, "document.querySelector('" QUESTION "')");
    visitor_expects(visitor, "document.querySelector('" QUESTION " p').textContent",
                    "This game is not over. Only giving it up takes it off the list. If you keep "
                    "it, you can come back to it later.");
    browser_key(visitor, "Escape");
    visitor_awaits(visitor, "!document.querySelector('" QUESTION "')");
    visitor_tabs_to(visitor, FORGET);
    browser_key(visitor, "Enter");
    visitor_awaits(visitor, "document.querySelector('" QUESTION "')");
    browser_key(visitor, "Enter"); /* as a finger that hits twice */
    visitor_awaits(visitor, "!document.querySelector('" QUESTION "')");
    assert_true(visitor_sees(visitor, OWN_GAMES " === 1"));
    visitor_clicks(visitor, ".shelf a.button"); /* goes on with it */
    visitor_moves_on(visitor);
    come_to_the_list();
    visitor_awaits(visitor, "/it is the other side.s turn$/.test(" OWN_GAME ")");
    friend_moves(&boris);
    come_to_the_list();
    visitor_awaits(visitor, "/against Boris, it is your turn$/.test(" OWN_GAME ")");
    visitor_clicks(visitor, FORGET);
    visitor_agrees(visitor);
    friend_hears(&boris, "end");
    assert_string_equal(talker_text(&boris.talker, "reason"), "resigned");
    visitor_awaits(visitor, OWN_GAMES " === 0");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_game_that_has_ended_leaves_the_list_without_a_question(void **state) {
    (void)state;
    begin(); /* the list has not heard of the end, and asks the server */
    visitor_does(visitor, "import('/link.js').then(({ link }) => link.seats.clear())");
    friend_says(&boris, "resign");
    friend_hears(&boris, "end");
    visitor_clicks(visitor, FORGET);
    visitor_awaits(visitor, OWN_GAMES " === 0");
    assert_false(visitor_sees(visitor, "Boolean(document.querySelector('" QUESTION "'))"));
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_game_that_nobody_joined_yet_asks_too(void **state) {
    (void)state;
    visitor_needed();
    visitor_comes(visitor, "#/", false);
    visitor_does(visitor, "localStorage.clear()");
    char *link = visitor_invites(visitor, "duel", "", "own");
    come_to_the_list();
    visitor_clicks(visitor, FORGET);
    visitor_clicks(visitor, QUESTION " button:not([value=yes])");
    visitor_awaits(visitor, "!document.querySelector('" QUESTION "')");
    assert_true(visitor_sees(visitor, OWN_GAMES " === 1"));
    visitor_clicks(visitor, FORGET);
    visitor_agrees(visitor);
    visitor_awaits(visitor, OWN_GAMES " === 0");
    free(link);
    visitor_is_content(visitor);
}

#define LOOK "document.querySelector('.look').textContent"

static void what_is_said_of_a_square_goes_with_its_piece(void **state) {
    (void)state;
    visitor_needed();
    char from[8], to[8], said[128];
    visitor_meets(visitor, &boris, "");
    assert_true(visitor_chooses(visitor, from, to));
    visitor_clicks_square(visitor, from);
    snprintf(said, sizeof said, LOOK ".startsWith('%s: Red, ')", from);
    visitor_awaits(visitor, said);
    snprintf(said, sizeof said, "document.querySelector('.typing input').value = '%s-%s'", from,
             to);
    browser_key(visitor, "Escape");
    visitor_does(visitor, said);
    visitor_does(visitor, "document.querySelector('.typing button').click()");
    visitor_awaits(visitor, LOOK " === ''"); /* the mouse is where it was */
    friend_moves(&boris);
    visitor_does(visitor, "page.ready()");
    snprintf(said, sizeof said, "page.at(0).then(() => " LOOK ".startsWith('%s: Red, '))", from);
    assert_true(visitor_sees(visitor, said)); /* a step back, and on */
    assert_true(visitor_sees(visitor, "page.at(2).then(() => " LOOK " === '')"));
    friend_goes(&boris);
    visitor_is_content(visitor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_running_game_leaves_the_list_only_by_being_given_up),
        cmocka_unit_test(a_game_that_has_ended_leaves_the_list_without_a_question),
        cmocka_unit_test(a_game_that_nobody_joined_yet_asks_too),
        cmocka_unit_test(what_is_said_of_a_square_goes_with_its_piece),
    };
    return cmocka_run_group_tests_name("serve_slips", tests, one_visitor_comes, visitors_go);
}
