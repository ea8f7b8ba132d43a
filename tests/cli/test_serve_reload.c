/* A game at the server's page in Chromium that is loaded again, or looked at by somebody who comes
 * late: the first board drawn is the present one, with the clocks as they are, and nothing of the
 * past is told or sounds. */
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

/* Notes, from before the page's first line: each state of the board that could have been drawn, as
 * "ply of plies (pieces)"; what a screen reader was told; tones. */
static const char WATCHER[] =
    "window.drawn = []; window.told = []; window.rung = 0;"
    "const make = AudioContext.prototype.createOscillator;"
    "AudioContext.prototype.createOscillator = function () { rung++; return make.call(this); };"
    "new MutationObserver((changes) => {"
    "  for (const { target, addedNodes } of changes)"
    "    if (target.matches?.('[role=log]')) told.push(...[...addedNodes].map((n) => n.textContent));"
    "  const slider = document.querySelector('.stepper input[type=range]');"
    "  const pieces = document.querySelectorAll('.table .board .pieces > *').length;"
    "  if (!document.querySelector('.table .board')) return;"
    "  const now = `${slider?.value} of ${slider?.max} (${pieces})`;"
    "  if (now !== drawn.at(-1)) drawn.push(now);"
    "}).observe(document, { childList: true, subtree: true, attributes: true });";

/* Six plies of duel against Boris; the visitor, red, is asked. The game's fragment is the caller's.
 */
static char *play_six_plies(const char *clock) {
    visitor_meets(visitor, &boris, clock);
    for (int i = 0; i < 3; i++) {
        visitor_moves_on(visitor);
        friend_moves(&boris);
    }
    visitor_does(visitor, "page.ready()");
    return visitor_reads(visitor, "location.hash");
}

static void expect_first_drawing(struct browser *in) {
    visitor_awaits(in, "drawn.length && page.plies === 6");
    char *first = visitor_reads(in, "drawn[0]");
    if (strncmp(first, "6 of 6 (", 8) != 0 || strstr(first, "(0)")) fail_msg("%s", first);
    free(first);
    visitor_expects(in, "told.filter(page.plyOf).join()", "");
    assert_true(visitor_sees(in, "rung === 0"));
}

static void the_first_board_drawn_is_the_present_one(void **state) {
    (void)state;
    visitor_needed();
    char watch[96];
    browser_prepare(visitor, WATCHER);
    char *game = play_six_plies("");
    visitor_comes(visitor, game, false);
    expect_first_drawing(visitor);
    visitor_does(visitor, "page.ready()");
    visitor_expects(visitor, "page.status", "Your turn");
    snprintf(watch, sizeof watch, "#/watch/%s", boris.game);
    visitor_comes(visitor, watch, true);
    expect_first_drawing(visitor);
    friend_says(&boris, "resign");
    visitor_awaits(visitor, "page.over");
    const char *const ways[] = {game, watch};
    for (int i = 0; i < 2; i++) {
        visitor_comes(visitor, ways[i], !i);
        expect_first_drawing(visitor);
        visitor_awaits(visitor, "page.over");
        assert_true(visitor_sees(visitor, "drawn.every((one) => one.startsWith('6 of 6'))"));
        visitor_expects(visitor, "page.status",
                        i ? "Red wins. The other side resigned."
                          : "You won. The other side resigned.");
    }
    free(game);
    friend_goes(&boris);
    visitor_is_content(visitor);
}

/* The clock of a side as its milliseconds, or null. */
#define CLOCK(side)                                                                                \
    "(document.querySelector('.player." side " .clock').textContent.match(/\\d+/g) ?? [])"         \
    ".reduce((sum, part, at) => at < 2 ? sum * 60 + Number(part) : sum, 0)"
#define RUNS(side) "document.querySelector('.player." side " .clock').matches('.running')"

/* Waits until red's clock shows two seconds less than it does. */
static void let_red_think(void) {
    char less[512];
    json_t *now = browser_value(visitor, CLOCK("red"));
    assert_true(json_integer_value(now) > 60);
    snprintf(less, sizeof less, CLOCK("red") " <= %d", (int)json_integer_value(now) - 2);
    visitor_awaits(visitor, less);
    json_decref(now);
}

static void the_clocks_go_on_where_they_are_for_all_who_come(void **state) {
    (void)state;
    visitor_needed();
    char watch[96], less[512];
    char *game = play_six_plies("180+2");
    snprintf(watch, sizeof watch, "#/watch/%s", boris.game);
    const char *const ways[] = {game, watch};
    for (int i = 0; i < 2; i++) {
        let_red_think();
        json_t *before = browser_value(visitor, CLOCK("red"));
        visitor_comes(visitor, ways[i], false);
        visitor_awaits(visitor, "page.plies === 6");
        snprintf(less, sizeof less, CLOCK("red") " <= %d", (int)json_integer_value(before));
        assert_true(visitor_sees(visitor, less));
        assert_true(visitor_sees(visitor, RUNS("red") " && !" RUNS("blue")));
        json_decref(before);
    }
    let_red_think(); /* seen by a spectator */
    visitor_comes(visitor, game, false);
    visitor_moves_on(visitor);
    visitor_awaits(visitor, RUNS("blue") " && !" RUNS("red"));
    visitor_awaits(visitor, CLOCK("blue") " <= 183"); /* not one's own turn */
    friend_says(&boris, "resign");
    visitor_awaits(visitor, "page.over");
    static const char still[] = "`${" CLOCK("red") "} ${" CLOCK("blue") "}`";
    char *last = visitor_reads(visitor, still);
    for (int i = 0; i < 2; i++) {
        visitor_comes(visitor, ways[i], false);
        visitor_awaits(visitor, "page.over");
        visitor_expects(visitor, still, last);
        assert_true(visitor_sees(visitor, "!" RUNS("red") " && !" RUNS("blue")));
    }
    free(last);
    free(game);
    friend_goes(&boris);
    visitor_is_content(visitor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_board_drawn_is_the_present_one),
        cmocka_unit_test(the_clocks_go_on_where_they_are_for_all_who_come),
    };
    return cmocka_run_group_tests_name("serve_reload", tests, one_visitor_comes, visitors_go);
}
