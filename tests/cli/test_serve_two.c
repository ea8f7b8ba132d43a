/* Two people at the server's page in Chromium: an ability, a lost connection, draw offers, and
 * another game with the sides exchanged. */
#include "visitor.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Red's saboteur stands on e4; blue lets it in on e7, and its flag is on e9. */
#define RED_ARMY "2222X22233/3334444555/5666677788/9MSBBBFBBB"
#define BLUE_ARMY "2222222333/3344445555/66667F7788/9MSXBBBBBB"

/* The saboteur on e7 names what stands on a square, whose moves have this beginning. */
static void name_by_clicks(struct browser *in, const char *target, const char *choice) {
    char selector[64];
    visitor_does(in, "page.ready()");
    visitor_clicks_square(in, "e7");
    visitor_clicks_square(in, target);
    visitor_awaits(in, "document.querySelector('.chooser')");
    if (visitor_sees(in, "Boolean(document.querySelector('[data-choice=e7xe8]'))"))
        visitor_clicks(in, "[data-choice^=\"e7@\"]"); /* not the attack, but the ability */
    snprintf(selector, sizeof selector, "[data-choice=\"%s\"]", choice);
    visitor_clicks(in, selector);
}

static void the_saboteur_goes_to_e7(struct browser *red, struct browser *blue) {
    static const char *const moves[][2] = {{"i4", "i5"}, {"e7", "e6"}, {"j4", "j5"}, {"e6", "f6"},
                                           {"e4", "e5"}, {"j7", "j6"}, {"e5", "e6"}, {"i7", "i6"},
                                           {"e6", "e7"}, {"a7", "a6"}};
    for (int i = 0; i < 10; i++) visitor_moves(i % 2 ? blue : red, moves[i][0], moves[i][1]);
}

/* Every turn was said once, and this one in these words. */
static void expect_said(struct browser *in, const char *plies, const char *words) {
    char said[256];
    visitor_expects(in, "page.turnsSaid", plies);
    snprintf(said, sizeof said, "page.said.includes(\"%s\")", words);
    if (!visitor_sees(in, said)) {
        char *all = visitor_reads(in, "page.said.join('\\n')");
        fail_msg("\"%s\" was not said, but\n%s", words, all);
    }
}

static void two_people_play_infiltrator_with_an_ability_a_lost_connection_and_a_rematch(
    void **state) {
    (void)state;
    visitor_needed();
    struct browser *red = visitor, *blue = other_visitor;
    char *link = visitor_invites(red, "infiltrator", "", "own");
    visitor_accepts(blue, link, "own");
    free(link);
    visitor_lays_out(red, RED_ARMY);
    visitor_lays_out(blue, BLUE_ARMY);
    the_saboteur_goes_to_e7(red, blue);
    name_by_clicks(red, "e8", "e7@e8=marshal"); /* wrong: it is a sergeant */
    visitor_awaits_ply(red, 11);

    visitor_does(red, "page.cut()");
    visitor_awaits(red, "document.querySelector('.connection.lost')");
    visitor_awaits(blue, "page.notes.startsWith('has left')");
    visitor_moves(blue, "b7", "b6");
    visitor_awaits_ply(blue, 12);
    visitor_does(red, "page.mend()");
    visitor_awaits_ply(red, 12);
    visitor_awaits(blue, "!page.notes");

    name_by_clicks(red, "e9", "e7@e9=flag");
    visitor_awaits(red, "page.over");
    visitor_does(blue, "page.ready()");
    assert_true(visitor_sees(blue, "page.over"));
    visitor_expects(blue, "page.status", "You lost. The flag is captured.");
    expect_said(red, "1 2 3 4 5 6 7 8 9 10 11 12 13",
                "6. Red: Saboteur on e7 uses sabotage on e8, naming Marshal.");
    expect_said(blue, "1 2 3 4 5 6 7 8 9 10 11 12 13", "6… Blue b7-b6.");
    visitor_expects(blue, "page.said.filter((words) => words.startsWith('Red: ')).join(' ')",
                    "Red: has left Red: is back");
    visitor_compares(red, 4);
    visitor_compares(blue, 4);

    visitor_clicks(red, "[data-action=rematch]");
    visitor_clicks(blue, ".prompt [data-action=accept]");
    visitor_awaits(red, "document.querySelector('.setup h2')?.textContent.endsWith('Blue')");
    visitor_awaits(blue, "document.querySelector('.setup h2')?.textContent.endsWith('Red')");
    visitor_is_content(red);
    visitor_is_content(blue);
}

static void a_game_that_cannot_be_kept_waits_and_both_read_why(void **state) {
    (void)state;
    visitor_needed();
    struct browser *red = visitor, *blue = other_visitor;
    static const char words[] = "The game waits until another program releases the server's games.";
    char path[128];
    sqlite3 *disk;
    char *link = visitor_invites(red, "duel", "600+5", "chance");
    visitor_accepts(blue, link, "own");
    free(link);
    visitor_lays_out(blue, NULL);
    visitor_moves_on(red);
    visitor_moves_on(blue);
    visitor_awaits_ply(red, 2);
    snprintf(path, sizeof path, "%s/games.sqlite", visitor_folder);
    assert_int_equal(sqlite3_open(path, &disk), SQLITE_OK);
    assert_int_equal(sqlite3_exec(disk, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    visitor_moves_on(red);
    visitor_awaits(red, "page.status.startsWith('The game waits')");
    visitor_expects(red, "page.status", words);
    visitor_expects(blue, "page.status", words);
    assert_true(visitor_sees(blue, "!document.querySelector('.clock.running')"));
    assert_int_equal(sqlite3_exec(disk, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(disk);
    visitor_awaits_ply(blue, 3);
    visitor_awaits(blue, "page.status === 'Your turn'");
    visitor_awaits(blue, "document.querySelector('.clock.running')");
    visitor_moves_on(blue);
    visitor_awaits_ply(red, 4);
    visitor_is_content(red);
    visitor_is_content(blue);
}

/* Names from the top of the page down. */
#define PLAYERS                                                                                    \
    "[...document.querySelectorAll('.player b')].map((name) => name.textContent).join(', ')"

static void offer_a_draw(struct browser *in) {
    visitor_does(in, "page.ready()");
    visitor_clicks(in, "[data-action=draw]");
    visitor_agrees(in);
}

static void expect_drawn(struct browser *in) {
    visitor_awaits(in, "page.over");
    visitor_expects(in, "page.status", "A draw. Both sides agreed.");
    visitor_expects(in, "page.prompt", "");
    char *record = visitor_reads(in, "page.record()");
    assert_non_null(strstr(record, "[Result \"draw\"]"));
    assert_non_null(strstr(record, "[Reason \"agreed\"]"));
    free(record);
}

static void a_draw_is_offered_declined_offered_again_and_agreed(void **state) {
    (void)state;
    visitor_needed();
    struct browser *red = visitor, *blue = other_visitor;
    char *link = visitor_invites(red, "duel", "", "chance");
    visitor_accepts(blue, link, "own");
    free(link);
    visitor_lays_out(blue, NULL);
    visitor_does(red, "page.ready()");
    visitor_clicks(red, "[data-action=draw]");
    visitor_clicks(red, "dialog.question button:not([value=yes])"); /* thought better of it */
    assert_true(visitor_sees(red, "page.asked && page.status === 'Your turn'"));

    visitor_expects(red, PLAYERS, "Guest, You");
    visitor_expects(blue, PLAYERS, "Guest, You");
    offer_a_draw(red);
    visitor_awaits(blue, "page.prompt");
    visitor_expects(blue, "page.prompt", "Red offers a draw. | Accept | Decline");
    visitor_expects(blue, "document.title", "● Red offers a draw – Duel – Ensign");
    visitor_expects(red, "page.status",
                    "Your draw offer waits for an answer. A move withdraws it.");
    visitor_expects(red, "document.title", "Duel – Ensign");
    assert_true(visitor_sees(red, "page.asked"));
    visitor_clicks(blue, ".prompt [data-action=decline]");
    visitor_awaits(blue, "!page.prompt");
    visitor_awaits(red, "page.asked && page.status === 'Your turn' && "
                        "page.toasts.some((words) => words.includes('was declined;'))");

    offer_a_draw(red); /* once more in this turn: that is refused, and the turn goes on */
    visitor_awaits(red, "page.toasts.some((words) => words.includes('in this turn'))");
    visitor_moves_on(red);
    visitor_does(blue, "page.ready()");
    visitor_expects(blue, "page.prompt", "");
    visitor_moves_on(blue);

    offer_a_draw(red);
    visitor_awaits(blue, "page.prompt");
    char *game = visitor_reads(blue, "location.hash");
    browser_leave(blue);
    visitor_comes(blue, game, false); /* the offer still stands */
    free(game);
    visitor_clicks(blue, ".prompt [data-action=accept]");
    expect_drawn(red);
    expect_drawn(blue);
    visitor_is_content(red);
    visitor_is_content(blue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            two_people_play_infiltrator_with_an_ability_a_lost_connection_and_a_rematch),
        cmocka_unit_test(a_game_that_cannot_be_kept_waits_and_both_read_why),
        cmocka_unit_test(a_draw_is_offered_declined_offered_again_and_agreed),
    };
    return cmocka_run_group_tests_name("serve_two", tests, two_visitors_come, visitors_go);
}
