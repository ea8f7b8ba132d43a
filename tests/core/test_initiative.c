/* Which moves press on, in random games, held against a second implementation that widens lists of
 * squares from the game itself until nothing changes; and when a side has to. */
#include "core/value/initiative.h"

#include "games/sanitized.h"
#include "support.h"
#include "trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { FAR = 1000 };

static struct { int attacks, nearer, others, due, patient; } seen;

static bool is_enemy(int at, enum side side) {
    const cell piece = trial.game.at[at];
    return piece != CELL_EMPTY && cell_side(piece) != side &&
           squareset_has(view_sees(&trial.eyes.view[side]), (square)at);
}

static bool is_joined(const struct board *board, square a, square b) {
    const int files = board_file(board, a) - board_file(board, b);
    const int ranks = board_rank(board, a) - board_rank(board, b);
    if (squareset_has(board->linked[a], b)) return true;
    return files * files + ranks * ranks == 1 && !squareset_has(board->walled[a], b);
}

/* Steps to the nearest enemy; a square is FAR as long as nobody has come to it. */
static void slow_steps(enum side side, int steps[BOARD_SQUARES_MAX]) {
    const struct board *board = &trial.rules->board;
    for (int at = 0; at < board->squares; at++) steps[at] = is_enemy(at, side) ? 0 : FAR;
    for (bool changed = true; changed;) {
        changed = false;
        for (int at = 0; at < board->squares; at++) {
            const cell piece = trial.game.at[at];
            if (squareset_has(board->lakes, (square)at)) continue;
            if (piece != CELL_EMPTY && cell_side(piece) == side &&
                trial.rules->kind[cell_kind(piece)].movement == MOVEMENT_NONE)
                continue;
            for (int by = 0; by < board->squares; by++) {
                if (!is_joined(board, (square)at, (square)by) || steps[by] + 1 >= steps[at])
                    continue;
                steps[at] = steps[by] + 1;
                changed = true;
            }
        }
    }
}

static void expect_position(enum side side) {
    if (side != (enum side)trial.game.to_move) return;
    struct view *view = &trial.eyes.view[side];
    int steps[BOARD_SQUARES_MAX];
    struct initiative press;
    slow_steps(side, steps);
    initiative_read(&press, view);
    for (size_t i = 0; i < trial.count; i++) {
        const struct move move = trial.moves[i];
        const bool strikes = is_enemy(move.to, side) ||
                             (move.ability != ABILITY_NONE && is_enemy(move.target, side) &&
                              trial.rules->ability[move.ability].attacks);
        const bool comes = steps[move.to] < steps[move.from];
        if (initiative_has(&press, move) != (strikes || comes))
            fail_msg("%s, ply %u, move %u-%u: %d", trial.rules->name, trial.game.ply_count,
                     move.from, move.to, initiative_has(&press, move));
        *(strikes ? &seen.attacks : comes ? &seen.nearer : &seen.others) += 1;
    }
    mind_read(&trial.mind, view);
    const int32_t chance = evaluation_chance(&trial.mind.evaluation);
    const bool due = initiative_is_due(&trial.mind, view);
    const bool late = view->quiet >= PRESS_AFTER ||
                      (view->limits.no_attack && view->quiet >= view->limits.no_attack / 2);
    assert_int_equal(due, late && chance > CHANCE_CERTAIN / 2);
    seen.due += due;
    seen.patient += late && !due;
    trial.positions++;
}

static void moves_that_press_on_are_those_of_plain_loops(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++)
        trial_play(stock_rules(STOCK[i]), (uint64_t)i, 1000, expect_position);
    static const char *const lookers[] = {"border", "lookout"}; /* a look is no attack */
    for (size_t i = 0; i < sizeof lookers / sizeof *lookers; i++) {
        struct rules *rules = example_rules(lookers[i]);
        trial_play(rules, 100 + i, 1000, expect_position);
        rules_free(rules);
    }
    if (sanitized()) return;
    assert_true(seen.attacks > 1000);
    assert_true(seen.nearer > 10000);
    assert_true(seen.others > 10000);
    assert_true(seen.due > 50);
    assert_true(seen.patient > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_that_press_on_are_those_of_plain_loops),
    };
    return cmocka_run_group_tests_name("core/initiative", tests, NULL, stock_teardown);
}
