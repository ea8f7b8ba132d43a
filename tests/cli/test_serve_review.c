/* A game that is over, in the page: what the card at its end says, and what can be done there. */
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

/* The visitor, red with an army by chance, has won after two moves of each. */
static void win(bool phone) {
    visitor_needed();
    visitor_meets(visitor, &boris, "");
    if (phone) browser_resize(visitor, 360, 640, true);
    for (int i = 0; i < 2; i++) {
        visitor_moves_on(visitor);
        friend_moves(&boris);
    }
    assert_true(visitor_sees(visitor, "!document.querySelector('.ending, .chances')"));
    friend_says(&boris, "resign");
    visitor_awaits(visitor, "page.over && document.querySelector('.curve')");
}

static void the_card_at_the_end_tells_chances_mistakes_and_armies(void **state) {
    (void)state;
    win(false);
    visitor_expects(visitor, "page.status", "You won. The other side resigned.");
    visitor_expects(visitor, "document.querySelector('.curve .now').textContent",
                    "Chances to win: red 100 %, blue 0 %.");
    visitor_awaits(visitor, "document.querySelectorAll('.armies .pieces > g').length === 20");
    assert_true(visitor_sees(visitor, "document.querySelectorAll('.worst section').length === 2"));
    visitor_expects(visitor, "document.querySelector('.worst .red h2').textContent",
                    "Red: what cost most (You)");
    visitor_does(visitor, "page.slider.focus()");
    browser_key(visitor, "Home");
    visitor_awaits(visitor, "page.slider.value === '0'");
    assert_true(visitor_sees(visitor, "document.querySelector('.curve [role=img]').ariaLabel === "
                                      "document.querySelector('.curve .now').textContent"));
    assert_true(visitor_sees(visitor, "!document.querySelector('.curve .now').textContent"
                                      ".includes('red 100 %')"));
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_mistake_leads_to_its_ply_on_a_phone_too(void **state) {
    (void)state;
    win(true);
    visitor_awaits(visitor, "document.querySelector('.worst').textContent");
    assert_true(visitor_sees(visitor, "document.documentElement.scrollWidth <= innerWidth"));
    visitor_does(visitor, "window.mistake = document.querySelector('.worst button'); "
                          "mistake?.click()");
    assert_true(visitor_sees(visitor, "!mistake || Number(page.slider.value) === "
                                      "page.plyOf(`${mistake.textContent}`)"));
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_rematch_has_an_army_that_is_chosen_in_the_same_way(void **state) {
    (void)state;
    win(false);
    friend_says(&boris, "rematch");
    visitor_awaits(visitor, "page.prompt");
    visitor_clicks(visitor, ".prompt [data-action=accept]");
    while (!json_object_get(friend_hears(&boris, "rematch"), "new")) continue;
    char secret[64];
    snprintf(secret, sizeof secret, "%s", talker_text(&boris.talker, "secret"));
    friend_sits(&boris, secret);
    visitor_awaits(visitor, "page.status === 'Your army stands. Boris is still laying out.'");
    assert_true(visitor_sees(visitor, "!document.querySelector('.setup')"));
    friend_lays_out(&boris);
    friend_moves(&boris);
    visitor_does(visitor, "page.ready()");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

/* The same army, on the other side. */
static void an_army_laid_out_by_hand_waits_in_the_editor_of_the_rematch(void **state) {
    (void)state;
    visitor_needed();
    char *link = visitor_invites(visitor, "duel", "", "own"), *army;
    friend_comes(&boris, &visitor_server);
    friend_sits(&boris, link);
    free(link);
    visitor_awaits(visitor, "document.querySelector('.setup')");
    visitor_does(visitor, "page.button('.setup .tools', 'Shuffle').click()");
    army = visitor_reads(visitor, "page.army");
    visitor_clicks(visitor, ".setup .library button.main");
    friend_lays_out(&boris);
    visitor_moves_on(visitor);
    friend_moves(&boris);
    friend_says(&boris, "resign");
    visitor_awaits(visitor, "page.over");
    friend_says(&boris, "rematch");
    visitor_clicks(visitor, ".prompt [data-action=accept]");
    visitor_awaits(visitor, "document.querySelector('.setup h2')?.textContent.endsWith('Blue')");
    visitor_expects(visitor, "page.army", army);
    free(army);
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void a_shared_link_shows_the_game_to_a_stranger(void **state) {
    (void)state;
    win(false);
    char path[96];
    snprintf(path, sizeof path, "game/%s", boris.game);
    visitor_does(visitor, "localStorage.clear()"); /* nothing is known of the seat */
    visitor_comes(visitor, path, false);
    visitor_awaits(visitor, "page.over && document.querySelector('.curve')");
    visitor_expects(visitor, "page.status", "Red wins. The other side resigned.");
    visitor_expects(visitor, "location.pathname", "/");
    assert_true(visitor_sees(visitor, "page.actions.includes('Share')"));
    friend_goes(&boris);
    visitor_is_content(visitor);
}

/* The first move that the board offers, by clicks. */
static void try_a_move(void) {
    visitor_awaits(visitor, "page.asked");
    char *from = visitor_reads(visitor, "page.squares('movable')[0]");
    visitor_clicks_square(visitor, from);
    char *to = visitor_reads(visitor, "page.squares('legal')[0]");
    visitor_clicks_square(visitor, to);
    free(from);
    free(to);
}

static void moves_are_tried_from_any_ply_and_a_bot_says_what_it_would_play(void **state) {
    (void)state;
    win(false);
    visitor_clicks(visitor, "[data-action=analysis]");
    visitor_awaits(visitor, "document.querySelectorAll('.adviser option').length > 3");
    visitor_expects(visitor, "page.status", "Red wins. The other side resigned.");
    visitor_does(visitor, "document.activeElement.blur()");
    browser_key(visitor, "Home");
    visitor_expects(visitor, "page.status", "Ply 0 of 4. Red's turn.");
    visitor_does(visitor, "document.querySelector('.adviser select').value = 'hunter'");
    visitor_clicks(visitor, ".adviser button");
    visitor_awaits(visitor, "document.querySelector('.advice').textContent"
                            ".startsWith('Hunter would play ')");
    try_a_move();
    visitor_awaits(visitor, "page.status === \"Your line from ply 0: Blue's turn.\"");
    visitor_expects(visitor, "document.querySelector('.advice').textContent", "");
    try_a_move();
    visitor_awaits(visitor, "page.status === \"Your line from ply 0: Red's turn.\"");
    visitor_clicks(visitor, ".eyes [value=blue]"); /* the line is seen through these, too */
    visitor_awaits(visitor, "document.querySelector('.game[data-eyes=blue]') && "
                            "page.status === \"Your line from ply 0: Red's turn.\"");
    assert_true(visitor_sees(visitor, "page.plies === 2"));
    visitor_clicks(visitor, "[data-action=back]");
    visitor_awaits(visitor, "page.status === \"Ply 0 of 4. Red's turn.\" && page.plies === 4");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

static void drop(const char *name) {
    char script[256];
    snprintf(script, sizeof script,
             "(() => { const dataTransfer = new DataTransfer();"
             "  dataTransfer.items.add(new File([%s], 'game.rec'));"
             "  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true,"
             "    cancelable: true })); })()",
             name);
    visitor_does(visitor, script);
}

static void a_record_that_is_dropped_on_the_page_is_analysed(void **state) {
    (void)state;
    win(false);
    visitor_does(visitor, "page.record().then((text) => { window.text = text; })");
    visitor_clicks(visitor, ".brand");
    visitor_awaits(visitor, "document.querySelector('form.start')");
    drop("text");
    visitor_awaits(visitor, "page.status === 'Red wins. The other side resigned.'");
    visitor_awaits(visitor, "document.querySelector('.curve')");
    visitor_does(visitor, "page.slider.focus()");
    browser_key(visitor, "Home");
    try_a_move();
    visitor_awaits(visitor, "page.status === \"Your line from ply 0: Blue's turn.\"");
    drop("'[Variant \"nowhere\"]'");
    visitor_awaits(visitor, "document.querySelector('.notice')?.textContent.includes('nowhere')");
    visitor_clicks(visitor, ".brand");
    visitor_awaits(visitor, "document.querySelector('form.start')");
    visitor_clicks(visitor, "a[href=\"#/analysis\"]");
    visitor_awaits(visitor, "document.querySelector('.record button')");
    friend_goes(&boris);
    visitor_is_content(visitor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shared_link_shows_the_game_to_a_stranger),
        cmocka_unit_test(moves_are_tried_from_any_ply_and_a_bot_says_what_it_would_play),
        cmocka_unit_test(a_record_that_is_dropped_on_the_page_is_analysed),
        cmocka_unit_test(a_mistake_leads_to_its_ply_on_a_phone_too),
        cmocka_unit_test(a_rematch_has_an_army_that_is_chosen_in_the_same_way),
        cmocka_unit_test(an_army_laid_out_by_hand_waits_in_the_editor_of_the_rematch),
        cmocka_unit_test(the_card_at_the_end_tells_chances_mistakes_and_armies),
    };
    return cmocka_run_group_tests(tests, one_visitor_comes, visitors_go);
}
