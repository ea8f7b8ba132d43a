/* Scores of paired games and the Elo differences that follow from them. Published figures are those
 * that fastchess prints (its own tests, app/tests/elo_test.cpp, MIT, and a development log of the
 * engine eschec); ours differ by the one more pair in the variance, which the tolerances allow. */
#include "host/match/statistics.h"

#include "chance.h"

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

struct published {
    uint32_t pairs[PAIR_SCORES];
    double elo, elo_error, normalized, normalized_error, los;
};

static const struct published PUBLISHED[] = {
    {{34, 54, 31 + 32, 64, 75}, 55.58, 27.65, 57.94, 28.28, 1.0},
    {{332, 433, 457 + 41, 333, 334}, -8.64, 10.33, -9.17, 10.96, 0.0505},
    {{7895, 8757, 5485 + 200, 568, 9999}, -21.04, 2.95, -19.01, 2.65, 0.0},
    {{1, 24, 42, 25, 8}, 26.11, 31.23, 40.51, 48.15, 0.9504},
    {{1, 15, 25, 33, 26}, 123.02, 40.58, 159.46, 48.15, 1.0},
};

static void elo_and_its_interval_are_those_of_other_match_runners(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof PUBLISHED / sizeof *PUBLISHED; i++) {
        const uint32_t *p = PUBLISHED[i].pairs;
        struct statistics statistics = of_pairs(p[0], p[1], p[2], p[3], p[4]);
        struct elo elo = statistics_elo(&statistics);
        assert_near(elo.difference, PUBLISHED[i].elo, 0.01);
        assert_near((elo.high - elo.low) / 2, PUBLISHED[i].elo_error,
                    0.02 * PUBLISHED[i].elo_error);
    }
}

static void normalized_elo_is_that_of_other_match_runners(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof PUBLISHED / sizeof *PUBLISHED; i++) {
        const uint32_t *p = PUBLISHED[i].pairs;
        struct statistics statistics = of_pairs(p[0], p[1], p[2], p[3], p[4]);
        struct elo elo = statistics_normalized_elo(&statistics);
        assert_near(elo.difference, PUBLISHED[i].normalized, 0.02 * fabs(elo.difference));
        assert_near((elo.high - elo.low) / 2, PUBLISHED[i].normalized_error, 0.01);
    }
}

static void superiority_is_as_likely_as_other_match_runners_say(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof PUBLISHED / sizeof *PUBLISHED; i++) {
        const uint32_t *p = PUBLISHED[i].pairs;
        struct statistics statistics = of_pairs(p[0], p[1], p[2], p[3], p[4]);
        assert_near(statistics_los(&statistics), PUBLISHED[i].los, 0.002);
    }
}

static void superiority_of_equals_is_an_even_chance(void **state) {
    (void)state;
    struct statistics statistics = of_pairs(3, 2, 9, 2, 3), nothing = {0};
    assert_near(statistics_los(&statistics), 0.5, 1e-12);
    assert_true(isnan(statistics_los(&nothing)));
}

static void draws_are_counted_among_all_games(void **state) {
    (void)state;
    struct statistics statistics = {.wins = 3, .draws = 1, .losses = 4}, nothing = {0};
    assert_near(statistics_draw_ratio(&statistics), 0.125, 1e-12);
    assert_true(isnan(statistics_draw_ratio(&nothing)));
}

static void elo_and_score_turn_into_each_other(void **state) {
    (void)state;
    assert_near(elo_to_score(0), 0.5, 1e-12);
    assert_near(elo_to_score(400), 10.0 / 11, 1e-12);
    assert_near(elo_from_score(elo_to_score(-123.4)), -123.4, 1e-9);
}

/* How often the interval holds the truth, for players of this difference who play so many pairs. */
static double coverage(const double shares[PAIR_SCORES], double difference, int pairs) {
    enum { RUNS = 4000 };
    double chances[PAIR_SCORES];
    struct random random = random_stream(20, STREAM_PLAYOUT, (uint64_t)pairs);
    chance_tilt(shares, elo_to_score(difference), chances);
    int held = 0;
    for (int run = 0; run < RUNS; run++) {
        struct statistics statistics = {0};
        for (int i = 0; i < pairs; i++)
            statistics_add_pair(&statistics, chance_draw(chances, &random));
        struct elo elo = statistics_elo(&statistics);
        held += elo.low <= difference && difference <= elo.high;
    }
    return held / (double)RUNS;
}

static void intervals_hold_the_truth_nineteen_times_in_twenty(void **state) {
    (void)state;
    for (int i = 0; i < CHANCE_SHAPES; i++) {
        assert_near(coverage(CHANCE_SHAPE[i], 0, 40), 0.95, 0.03);
        assert_near(coverage(CHANCE_SHAPE[i], 0, 400), 0.95, 0.015);
        assert_near(coverage(CHANCE_SHAPE[i], 100, 200), 0.95, 0.02);
    }
}

static void points_have_an_interval(void **state) {
    (void)state;
    struct points points = statistics_points(50, 0, 50);
    assert_true(points.mean == 0.5 && points.low > 0.39 && points.low < 0.42);
    assert_true(points.high > 0.58 && points.high < 0.61);
    points = statistics_points(4, 0, 0);
    assert_true(points.mean == 1 && points.low < 1 && points.high == 1);
    points = statistics_points(5000, 10000, 5000); /* draws narrow it */
    assert_true(points.mean == 0.5 && points.high > 0.504 && points.high < 0.506);
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
        cmocka_unit_test(elo_and_its_interval_are_those_of_other_match_runners),
        cmocka_unit_test(normalized_elo_is_that_of_other_match_runners),
        cmocka_unit_test(superiority_is_as_likely_as_other_match_runners_say),
        cmocka_unit_test(superiority_of_equals_is_an_even_chance),
        cmocka_unit_test(draws_are_counted_among_all_games),
        cmocka_unit_test(elo_and_score_turn_into_each_other),
        cmocka_unit_test(intervals_hold_the_truth_nineteen_times_in_twenty),
        cmocka_unit_test(points_have_an_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
