/* The board in the hands of a player: moves that are planned, a piece that is let go, keys,
 * reasons.
 */
#include "friend.h"
#include "visitor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct friend boris;

/* The visitor, red, has made a move, and blue is asked. */
static void make_a_move(char from[8], char to[8]) {
    visitor_needed();
    visitor_meets(visitor, &boris, "");
    assert_true(visitor_chooses(visitor, from, to));
    visitor_moves(visitor, from, to);
    visitor_awaits(visitor, "page.status === 'Boris is thinking …'");
}

static void expect_status(const char *form, const char *from, const char *to) {
    char text[128];
    snprintf(text, sizeof text, form, from, to);
    visitor_expects(visitor, "page.status", text);
}

static void a_planned_move_is_made_when_the_turn_comes(void **state) {
    (void)state;
    char from[8], to[8];
    make_a_move(from, to);
    visitor_clicks_square(visitor, to); /* back again */
    visitor_clicks_square(visitor, from);
    expect_status("Planned: %s-%s", to, from);
    assert_true(visitor_sees(visitor, "page.squares('planned').length === 2"));
    friend_moves(&boris);
    visitor_awaits_ply(visitor, 3);
    visitor_awaits(visitor, "page.status === 'Boris is thinking …'");
    assert_true(visitor_sees(visitor, "!page.squares('planned').length && !page.toasts.length"));
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_plan_is_taken_back_or_turns_out_to_be_none(void **state) {
    (void)state;
    char from[8], to[8];
    make_a_move(from, to);
    visitor_clicks_square(visitor, to);
    visitor_clicks_square(visitor, "j10"); /* too far for any piece but one on its lines */
    expect_status("Planned: %s-%s", to, "j10");
    browser_key(visitor, "Escape");
    visitor_awaits(visitor, "page.status === 'Boris is thinking …'");
    assert_true(visitor_sees(visitor, "!page.squares('planned').length"));
    visitor_clicks_square(visitor, to);
    visitor_clicks_square(visitor, "c5"); /* a lake */
    expect_status("Planned: %s-%s", to, "c5");
    friend_moves(&boris);
    visitor_awaits(visitor, "page.toasts.includes('The planned move cannot be made.')");
    visitor_awaits(visitor, "page.asked && page.plies === 2");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_piece_that_is_let_go_elsewhere_returns(void **state) {
    (void)state;
    char from[8], to[8], script[256];
    visitor_needed();
    visitor_meets(visitor, &boris, "");
    browser_resize(visitor, 360, 640, true);
    assert_true(visitor_chooses(visitor, from, to));
    snprintf(
        script, sizeof script,
        "window.piece = () => [...document.querySelectorAll('.table .pieces > g')]"
        ".map((node) => node.getAttribute('transform')).sort().join(); window.before = piece()");
    visitor_does(visitor, script);
    const struct place first = visitor_square(visitor, from), last = visitor_square(visitor, "j10");
    browser_drag(visitor, first.x, first.y, last.x, last.y);
    visitor_awaits(visitor, "page.toasts.length");
    visitor_awaits(visitor, "piece() === before && page.asked");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_lake_in_the_way_is_the_reason(void **state) {
    (void)state;
    visitor_needed();
    char *link = visitor_invites(visitor, "duel", "", "own");
    friend_comes(&boris, &visitor_server);
    friend_sits(&boris, link);
    free(link);
    visitor_awaits(visitor, "document.querySelector('.setup textarea')");
    visitor_does(visitor, "document.querySelector('.setup details').open = true");
    visitor_does(visitor, "page.setUp('duel test ..2......./2.S3M39B../B........./F.........')");
    visitor_awaits(visitor, "!document.querySelector('.setup .library button.main').disabled");
    visitor_clicks(visitor, ".setup .library button.main");
    friend_lays_out(&boris);
    visitor_does(visitor, "page.ready()");
    visitor_expects(visitor,
                    "[...document.querySelectorAll('.player.red .chip small')]"
                    ".map((one) => one.textContent).join()",
                    ",×2,,×2,×2,,");
    visitor_clicks_square(visitor, "c4");
    visitor_clicks_square(visitor, "c7");
    visitor_awaits(visitor, "page.toasts.includes('c4-c7: the lake on c5 is in the way')");
    visitor_clicks_square(visitor, "g3");
    visitor_clicks_square(visitor, "g5");
    visitor_awaits(visitor, "page.toasts.some((text) => text.startsWith('g3-g5: '))");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_question_mark_lists_the_keys(void **state) {
    (void)state;
    visitor_needed();
    visitor_comes(visitor, "#/", false);
    visitor_awaits(visitor, "document.querySelector('form.start')");
    visitor_does(visitor, "document.querySelector('.start [name=variant]').focus()");
    browser_key(visitor, "?"); /* a field has it */
    visitor_does(visitor, "document.activeElement.blur()");
    assert_true(visitor_sees(visitor, "!document.querySelector('dialog')"));
    browser_key(visitor, "?");
    visitor_awaits(visitor, "document.querySelector('dialog.keys[open]')");
    assert_true(visitor_sees(visitor, "document.querySelectorAll('dialog.keys dt').length > 5"));
    browser_key(visitor, "Escape");
    visitor_awaits(visitor, "!document.querySelector('dialog')");
    visitor_is_content(visitor);
}

/* In duel the miner takes bombs, and the spy falls to all but the flag and the marshal. */
static void a_card_says_who_beats_whom(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "duel", true);
    visitor_clicks(visitor, "button.play");
    visitor_does(visitor, "page.ready()");
    visitor_clicks(visitor, "[data-action=battles]");
    visitor_awaits(visitor, "document.querySelector('dialog.battles[open]')");
    visitor_does(visitor,
                 "window.row = (kind) => [...document.querySelectorAll('.battles tbody tr')]"
                 ".find((one) => one.firstChild.title === kind).textContent;"
                 "window.heads = [...document.querySelectorAll('.battles thead th')]"
                 ".map((one) => one.title).join()");
    visitor_expects(visitor, "heads", "Flag,Bomb,Spy,Scout,Miner,General,Marshal");
#define WINS "✓the attacker wins"
#define FALLS "✗the defender wins"
#define BOTH "=both fall"
    visitor_expects(visitor, "row('Miner')", "3Miner" WINS WINS WINS WINS BOTH FALLS FALLS);
    visitor_expects(visitor, "row('Spy')", "SSpy" WINS FALLS BOTH FALLS FALLS FALLS WINS);
    assert_true(
        visitor_sees(visitor, "document.querySelectorAll('.battles tbody tr').length === 5"));
    assert_true(visitor_sees(visitor,
                             "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)"
                             "(document.querySelector('.battles .scroll'))"));
    browser_key(visitor, "Escape");
    visitor_awaits(visitor, "!document.querySelector('dialog')");
    visitor_resigns(visitor);
    visitor_is_content(visitor);
}

/* The saboteur's turn has come, but nothing is near. */
static void an_ability_says_what_it_needs_and_why_it_cannot_be_used(void **state) {
    (void)state;
    visitor_needed();
    visitor_chooses_rookie(visitor, "infiltrator", false);
    visitor_clicks(visitor, "button.play");
    visitor_does(visitor, "page.ready()");
    char *square = visitor_reads(
        visitor, "[...document.querySelectorAll('.table [data-square]')]"
                 ".find((one) => one.ariaLabel.includes('Red, Saboteur')).dataset.square");
    const struct place at = visitor_square(visitor, square);
    browser_click(visitor, at.x, at.y);
    visitor_awaits(visitor, "document.querySelector('.look').textContent.endsWith("
                            "'Sabotage: aims at an enemy piece; instead of a move; names a kind. "
                            "Not now: no target is in reach.')");
    free(square);
    visitor_resigns(visitor);
    visitor_is_content(visitor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planned_move_is_made_when_the_turn_comes),
        cmocka_unit_test(a_plan_is_taken_back_or_turns_out_to_be_none),
        cmocka_unit_test(a_piece_that_is_let_go_elsewhere_returns),
        cmocka_unit_test(a_lake_in_the_way_is_the_reason),
        cmocka_unit_test(a_card_says_who_beats_whom),
        cmocka_unit_test(an_ability_says_what_it_needs_and_why_it_cannot_be_used),
        cmocka_unit_test(a_question_mark_lists_the_keys),
    };
    return cmocka_run_group_tests(tests, one_visitor_comes, visitors_go);
}
