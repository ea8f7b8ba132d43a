/* What the server's page in Chromium does for its player beside the board: whose turn it is, in the
 * title and in notifications; questions before a game is given up; moves taken back; sounds and
 * colours. The friend on the other side has no browser. */
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

#define OWN_TURN "● Your turn – Duel – Ensign"
#define PLAYERS " | Duel: You – Boris"

static void the_title_and_notifications_call_the_player(void **state) {
    (void)state;
    visitor_needed();
    visitor_meets(visitor, &boris, "");
    visitor_does(visitor, "page.takeNotices()");
    visitor_expects(visitor, "document.title", OWN_TURN);
    visitor_moves_on(visitor);
    visitor_awaits(visitor, "document.title === 'Duel – Ensign'");
    visitor_clicks(visitor, "[data-action=notify]");
    visitor_awaits(visitor, "!document.querySelector('[data-action=notify]')");
    visitor_does(visitor, "page.look(true)");
    friend_moves(&boris);
    visitor_awaits(visitor, "page.notices.length");
    visitor_expects(visitor, "page.notices.join()", "Your turn" PLAYERS);
    visitor_expects(visitor, "document.title", OWN_TURN);

    visitor_does(visitor, "page.look(false)"); /* who looks on is not called */
    visitor_moves_on(visitor);
    friend_moves(&boris);
    visitor_does(visitor, "page.ready()");
    visitor_does(visitor, "page.look(true), page.forbidding = true");
    visitor_moves_on(visitor);
    friend_moves(&boris);
    visitor_does(visitor, "page.ready()");
    visitor_expects(visitor, "page.status", "Your turn");
    visitor_does(visitor, "page.forbidding = false");
    visitor_moves_on(visitor);

    friend_hears(&boris, "move");
    friend_says(&boris, "draw");
    visitor_awaits(visitor, "document.title === '● Blue offers a draw – Duel – Ensign'");
    visitor_clicks(visitor, ".prompt [data-action=decline]");
    friend_hears(&boris, "refused");
    visitor_clicks(visitor, "[data-action=resign]"); /* its question goes with the game */
    visitor_awaits(visitor, "document.querySelector('dialog.question')");
    friend_says(&boris, "resign");
    visitor_awaits(visitor, "page.over && !document.querySelector('dialog.question')");
    visitor_expects(visitor, "document.title", "Duel – Ensign");
    visitor_expects(visitor, "page.notices.slice(1).join()",
                    "Blue offers a draw." PLAYERS ",You won. The other side resigned." PLAYERS);
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void the_turn_in_a_game_that_is_not_shown_calls_too(void **state) {
    (void)state;
    visitor_needed();
    visitor_meets(visitor, &boris, "");
    visitor_does(visitor, "page.takeNotices()");
    visitor_moves_on(visitor);
    visitor_clicks(visitor, "[data-action=notify]");
    visitor_clicks(visitor, ".brand");
    visitor_awaits(visitor, "document.querySelector('form.start')");
    visitor_does(visitor, "page.look(true)");
    friend_moves(&boris);
    visitor_awaits(visitor, "page.notices.length");
    visitor_expects(visitor, "page.notices.join()", "Your turn | Duel: Boris");
    visitor_does(visitor, "page.look(false)");
    friend_says(&boris, "resign");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void what_is_in_hand_stays_there_while_the_connection_comes_back(void **state) {
    (void)state;
    visitor_needed();
    char from[8], to[8];
    visitor_meets(visitor, &boris, "");
    assert_true(visitor_chooses(visitor, from, to));
    visitor_clicks_square(visitor, from);
    visitor_does(visitor, "page.blink()");
    visitor_clicks_square(visitor, to);
    visitor_awaits_ply(visitor, 1);
    friend_goes(&boris);
    visitor_is_content(visitor);
}

/* Leaves the page for a new one, as if the browser had been started again meanwhile. */
static void come_back(void) {
    char *address = visitor_reads(visitor, "location.hash");
    visitor_does(visitor, "sessionStorage.clear()");
    browser_leave(visitor);
    visitor_comes(visitor, address, false);
    free(address);
}

#define MARKS                                                                                      \
    "[...document.querySelectorAll('.table .board .note')].map((n) => n.textContent).join()"

static void an_army_laid_out_and_marks_stay_until_the_game_does_not_need_them(void **state) {
    (void)state;
    visitor_needed();
    char *link = visitor_invites(visitor, "duel", "", "own");
    visitor_awaits(visitor, "document.querySelector('.setup textarea')");
    assert_true(visitor_sees(visitor, "page.kept === undefined"));
    visitor_clicks(visitor, ".setup .slot");
    visitor_clicks(visitor, ".setup [data-square=c3] rect");
    visitor_expects(visitor, "page.kept.draft", "........../..M......./........../..........");
    come_back();
    visitor_awaits(visitor, "document.querySelector('.setup textarea')");
    visitor_expects(visitor, "page.army", "........../..M......./........../..........");
    assert_true(visitor_sees(visitor, "page.button('.setup .tools', 'Undo').disabled"));
    visitor_lays_out(visitor, NULL);
    visitor_awaits(visitor, "page.status === \"Waiting for the other side's army …\"");
    come_back();
    visitor_awaits(visitor, "document.querySelectorAll('.table .board .pieces > *').length === 10");

    friend_comes(&boris, &visitor_server);
    friend_sits(&boris, link);
    free(link);
    friend_lays_out(&boris);
    visitor_does(visitor, "page.ready()");
    assert_true(visitor_sees(visitor, "page.kept === undefined"));
    visitor_clicks(visitor, ".table .board [aria-label*=Blue] rect");
    visitor_clicks(visitor, ".chooser [data-choice=F]");
    visitor_awaits(visitor, MARKS " === 'F'");
    come_back();
    visitor_awaits(visitor, MARKS " === 'F'");
    visitor_resigns(visitor);
    visitor_awaits(visitor, "page.kept === undefined");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void what_is_kept_of_a_game_that_is_gone_goes_too(void **state) {
    (void)state;
    visitor_needed();
    visitor_comes(visitor, "#/", false);
    visitor_does(visitor, "localStorage.setItem('ensign.kept', JSON.stringify([{ game: "
                          "'bbbbbbbbbbbb', eyes: 'red', draft: '..' }]))");
    visitor_comes(visitor, "#/watch/bbbbbbbbbbbb", false);
    visitor_awaits(visitor, "document.querySelector('.notice')");
    visitor_expects(visitor, "localStorage.getItem('ensign.kept')", "[]");
    visitor_is_content(visitor);
}

static void the_game_its_rules_and_the_piece_in_hand_have_their_names_beside_the_board(
    void **state) {
    (void)state;
    visitor_needed();
    static const char heading[] =
        "document.querySelector('.heading').checkVisibility() && "
        "document.querySelector('.heading h1').getBoundingClientRect().width > 40 && "
        "document.querySelector('.heading').textContent";
    free(visitor_invites(visitor, "duel", "", "own"));
    visitor_awaits(visitor, "document.querySelector('.setup .slot')");
    visitor_expects(visitor, heading, "DuelRulesWho beats whom");
    visitor_clicks(visitor, ".setup .slot:nth-child(5)");
    visitor_expects(visitor, "document.querySelector('.setup .told').textContent",
                    "Spy (S): 1 to place. Pieces to place: 10");
    visitor_clicks(visitor, ".setup [data-square=a1] rect");
    visitor_expects(visitor, "document.querySelector('.setup .told').textContent",
                    "Pieces to place: 9");
    visitor_clicks(visitor, ".setup .slot:nth-child(5)"); /* none is left, but it has a name */
    visitor_expects(visitor, "document.querySelector('.setup .told').textContent",
                    "Spy (S): 0 to place. Pieces to place: 9");
    visitor_meets(visitor, &boris, "");
    visitor_expects(visitor, heading, "DuelRulesWho beats whom");
    visitor_expects(visitor, "document.querySelector('.heading a').getAttribute('href')",
                    "#/rules/duel");
    visitor_expects(visitor, "document.querySelector('.heading a').target", "_blank");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void type_a_move(const char *text, const char *answer) {
    char script[160];
    snprintf(script, sizeof script,
             "page.toasts.length = 0; document.querySelector('.typing input').value = '%s'", text);
    visitor_does(visitor, script);
    visitor_clicks(visitor, ".typing button");
    visitor_awaits(visitor, "page.toasts.length");
    visitor_expects(visitor, "page.toasts.join()", answer);
}

static void a_typed_text_that_is_no_legal_move_is_named_once(void **state) {
    (void)state;
    visitor_needed();
    visitor_meets(visitor, &boris, "");
    type_a_move("zzz", "\"zzz\", expected a square such as a4");
    type_a_move("a4-", "ends early, expected a square such as a4");
    type_a_move("c6-c7", "c6-c7: no piece of the side to move stands there");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_game_is_given_up_only_after_a_question(void **state) {
    (void)state;
    visitor_needed();
    visitor_meets(visitor, &boris, "");
    assert_false(visitor_sees(visitor, "Boolean(document.querySelector('[data-action=undo]'))"));
    visitor_clicks(visitor, "[data-action=resign]");
    visitor_awaits(visitor, "document.querySelector('dialog.question')");
    visitor_expects(visitor, "document.querySelector('dialog.question p').textContent",
                    "Resign this game?");
    visitor_clicks(visitor, "dialog.question button:not([value=yes])");
    visitor_moves_on(visitor);
    friend_moves(&boris);
    visitor_resigns(visitor);
    friend_hears(&boris, "end");
    assert_string_equal(talker_text(&boris.talker, "result"), "blue");
    assert_string_equal(talker_text(&boris.talker, "reason"), "resigned");
    visitor_expects(visitor, "page.status", "You lost. You resigned.");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_move_against_a_bot_is_taken_back(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "original", false);
    visitor_clicks(visitor, "button.play");
    visitor_moves_on(visitor);
    visitor_does(visitor, "page.ready()");
    char *before = visitor_reads(visitor, "page.position()");
    visitor_moves_on(visitor);
    visitor_does(visitor, "page.ready()");
    assert_true(visitor_sees(visitor, "page.plies === 4"));
    visitor_clicks(visitor, "[data-action=undo]");
    visitor_awaits(visitor, "page.plies === 2 && page.asked");
    visitor_expects(visitor, "page.position()", before);
    visitor_expects(visitor, "page.said.at(-1)", "Taken back to ply 2.");
    assert_true(
        visitor_sees(visitor, "document.querySelector('.told').innerText.startsWith('1…')"));
    free(before);
    visitor_moves_on(visitor);
    visitor_does(visitor, "page.ready()");
    visitor_resigns(visitor);
    visitor_compares(visitor, 1);
    visitor_is_content(visitor);
}

static void a_game_sounds_unless_that_is_switched_off(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "original", false);
    visitor_clicks(visitor, "button.play");
    visitor_does(visitor, "page.countTones()");
    visitor_moves_on(visitor);
    visitor_awaits(visitor, "page.plies >= 2 && page.tones >= 4"); /* two moves, and the turn */
    visitor_does(visitor, "page.set('Sound', false)");
    visitor_does(visitor, "page.tones = 0");
    visitor_moves_on(visitor);
    visitor_awaits(visitor, "page.plies >= 4 && page.asked");
    char *address = visitor_reads(visitor, "location.hash");
    visitor_comes(visitor, address, false); /* the switch is kept */
    free(address);
    assert_true(visitor_sees(visitor, "page.tones === undefined"));
    visitor_does(visitor, "page.ready()");
    visitor_does(visitor, "page.countTones()");
    visitor_moves_on(visitor);
    visitor_awaits(visitor, "page.plies >= 6 && page.asked");
    assert_true(visitor_sees(visitor, "page.tones === 0"));
    visitor_does(visitor, "page.set('Sound', true)");
    visitor_moves_on(visitor);
    visitor_awaits(visitor, "page.tones > 0");
    visitor_is_content(visitor);
}

#define LIGHT "rgb(244, 241, 234)"
#define DARK "rgb(20, 23, 26)"

static void the_page_is_light_or_dark_as_the_system_or_its_reader_says(void **state) {
    (void)state;
    visitor_needed();
    static const char ground[] = "getComputedStyle(document.body).backgroundColor";
    browser_prefer_dark(visitor, false);
    visitor_comes(visitor, "#/", false);
    visitor_awaits(visitor, "document.querySelector('form.start')");
    visitor_expects(visitor, ground, LIGHT);
    browser_prefer_dark(visitor, true);
    visitor_expects(visitor, ground, DARK);
    visitor_does(visitor, "page.set('Colours', 'light')");
    visitor_expects(visitor, ground, LIGHT);
    visitor_comes(visitor, "#/", false);
    visitor_expects(visitor, ground, LIGHT);
    browser_prefer_dark(visitor, false);
    visitor_does(visitor, "page.set('Colours', 'dark')");
    visitor_expects(visitor, ground, DARK);
    visitor_does(visitor, "page.set('Colours', '')");
    visitor_expects(visitor, ground, LIGHT);
    visitor_is_content(visitor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_title_and_notifications_call_the_player),
        cmocka_unit_test(the_turn_in_a_game_that_is_not_shown_calls_too),
        cmocka_unit_test(what_is_in_hand_stays_there_while_the_connection_comes_back),
        cmocka_unit_test(an_army_laid_out_and_marks_stay_until_the_game_does_not_need_them),
        cmocka_unit_test(what_is_kept_of_a_game_that_is_gone_goes_too),
        cmocka_unit_test(
            the_game_its_rules_and_the_piece_in_hand_have_their_names_beside_the_board),
        cmocka_unit_test(a_typed_text_that_is_no_legal_move_is_named_once),
        cmocka_unit_test(a_game_is_given_up_only_after_a_question),
        cmocka_unit_test(a_move_against_a_bot_is_taken_back),
        cmocka_unit_test(a_game_sounds_unless_that_is_switched_off),
        cmocka_unit_test(the_page_is_light_or_dark_as_the_system_or_its_reader_says),
    };
    return cmocka_run_group_tests_name("serve_player", tests, one_visitor_comes, visitors_go);
}
