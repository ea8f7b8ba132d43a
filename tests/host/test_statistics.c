/* Scores of paired games and the Elo differences that follow from them. */
#include "host/statistics.h"

#include <math.h>
#include <setjmp.h>

#include <cmocka.h>

/* A player who had these pairs, by half points 0..4. */
static struct statistics of_pairs(uint32_t none, uint32_t half, uint32_t one, uint32_t more,
                                  uint32_t both) {
    struct statistics statistics = {.pairs = {none, half, one, more, both}};
    statistics.wins = one + more + 2 * both;
    statistics.losses = one + half + 2 * none;
    statistics.draws = half + more;
    return statistics;
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%f, expected %f", value, expected);
}

static void games_are_counted_from_the_side_played(void **state) {
    (void)state;
    struct statistics statistics = {0};
    assert_int_equal(statistics_add(&statistics, RED, RESULT_RED, REASON_FLAG), 2);
    assert_int_equal(statistics_add(&statistics, BLUE, RESULT_RED, REASON_FLAG), 0);
    assert_int_equal(statistics_add(&statistics, BLUE, RESULT_DRAW, REASON_AGREED), 1);
    assert_int_equal(statistics.wins, 1);
    assert_int_equal(statistics.losses, 1);
    assert_int_equal(statistics.draws, 1);
    assert_near(statistics_score(&statistics), 0.5, 1e-12);
}

static void only_the_loser_of_a_forfeit_is_blamed_for_it(void **state) {
    (void)state;
    struct statistics loser = {0}, winner = {0};
    statistics_add(&loser, RED, RESULT_BLUE, REASON_FORFEIT_FUEL);
    statistics_add(&winner, BLUE, RESULT_BLUE, REASON_FORFEIT_FUEL);
    statistics_add(&loser, RED, RESULT_BLUE, REASON_FLAG);
    assert_int_equal(loser.forfeits[REASON_FORFEIT_FUEL], 1);
    assert_int_equal(loser.forfeits[REASON_FLAG], 0);
    assert_int_equal(winner.forfeits[REASON_FORFEIT_FUEL], 0);
}

static void equal_scores_are_no_difference(void **state) {
    (void)state;
    struct statistics statistics = of_pairs(10, 5, 20, 5, 10);
    struct elo elo = statistics_elo(&statistics);
    assert_near(elo.difference, 0, 1e-9);
    assert_near(elo.low + elo.high, 0, 1e-9);
    assert_true(elo.high > 0);
}

static void three_quarters_of_the_points_are_191_elo(void **state) {
    (void)state;
    struct statistics statistics = of_pairs(0, 0, 50, 0, 50);
    struct elo elo = statistics_elo(&statistics);
    assert_near(elo.difference, 190.848, 0.001);
    /* v = 0.0625 + the further pair's part, n = 100: s ± 0.0498 */
    assert_near(elo.low, 147, 2);
    assert_near(elo.high, 241, 2);
}

static void pairs_that_cancel_luck_narrow_the_interval(void **state) {
    (void)state;
    struct statistics even = of_pairs(0, 0, 100, 0, 0), wild = of_pairs(50, 0, 0, 0, 50);
    assert_true(statistics_elo(&even).high < statistics_elo(&wild).high / 5);
}

static void a_clean_sweep_has_no_upper_end_but_a_lower_one(void **state) {
    (void)state;
    struct statistics all = of_pairs(0, 0, 0, 0, 20), nothing = of_pairs(20, 0, 0, 0, 0);
    struct elo won = statistics_elo(&all), lost = statistics_elo(&nothing);
    assert_true(isinf(won.difference) && won.difference > 0);
    assert_true(isinf(won.high));
    assert_true(isfinite(won.low) && won.low > 300);
    assert_true(isinf(lost.difference) && lost.difference < 0);
    assert_near(lost.high, -won.low, 1e-9);
}

static void without_games_nothing_is_said(void **state) {
    (void)state;
    struct statistics statistics = {0};
    assert_true(isnan(statistics_elo(&statistics).difference));
    assert_true(isnan(statistics_score(&statistics)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_counted_from_the_side_played),
        cmocka_unit_test(only_the_loser_of_a_forfeit_is_blamed_for_it),
        cmocka_unit_test(equal_scores_are_no_difference),
        cmocka_unit_test(three_quarters_of_the_points_are_191_elo),
        cmocka_unit_test(pairs_that_cancel_luck_narrow_the_interval),
        cmocka_unit_test(a_clean_sweep_has_no_upper_end_but_a_lower_one),
        cmocka_unit_test(without_games_nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
