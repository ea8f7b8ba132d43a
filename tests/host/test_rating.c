/* Joint ratings of several players. */
#include "host/match/rating.h"

#include "chance.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

enum { PLAYERS = 8 };

struct table {
    int players;
    struct statistics cross[PLAYERS * PLAYERS];
    struct rating rating[PLAYERS];
};

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%f, expected %f", value, expected);
}

/* A pair of i against j, seen from both. */
static void add_pairs(struct table *table, int i, int j, int half_points, uint32_t count) {
    table->cross[i * table->players + j].pairs[half_points] += count;
    table->cross[j * table->players + i].pairs[PAIR_SCORES - 1 - half_points] += count;
}

static enum rating_kind rate(struct table *table) {
    return rating_estimate(table->cross, table->players, table->rating);
}

/* The 1987 season of the American League's Eastern Division, A. Agresti, "Categorical Data
 * Analysis", 2nd edition (2002), tables 10.10 and 10.11: each won game counts as a won pair. The
 * published estimates are log odds less those of the last team. */
static void textbook_estimates_come_out(void **state) {
    (void)state;
    enum { TEAMS = 7 };
    static const uint32_t wins[TEAMS][TEAMS] = {
        {0, 7, 9, 7, 7, 9, 11}, /* Milwaukee */
        {6, 0, 7, 5, 11, 9, 9}, /* Detroit */
        {4, 6, 0, 7, 7, 8, 12}, /* Toronto */
        {6, 8, 6, 0, 6, 7, 10}, /* New York */
        {6, 2, 6, 7, 0, 7, 12}, /* Boston */
        {4, 4, 5, 6, 6, 0, 6},  /* Cleveland */
        {2, 4, 1, 3, 1, 7, 0},  /* Baltimore */
    };
    static const double published[TEAMS] = {1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0};
    struct table table = {.players = TEAMS};
    for (int i = 0; i < TEAMS; i++)
        for (int j = 0; j < TEAMS; j++) add_pairs(&table, i, j, 4, wins[i][j]);
    assert_int_equal(rate(&table), RATING_LIKELY);
    const double natural = log(10) / 400;
    for (int i = 0; i < TEAMS; i++) {
        assert_near(natural * (table.rating[i].elo - table.rating[TEAMS - 1].elo), published[i],
                    0.005);
        /* "Standard errors are about 0.3" for a difference of two, so 0.3 / √2 for one. */
        assert_near(natural * (table.rating[i].high - table.rating[i].elo) / NORMAL_95,
                    0.3 / sqrt(2), 0.04);
    }
}

static void ratings_of_two_are_their_difference_in_halves(void **state) {
    (void)state;
    static const uint32_t pairs[PAIR_SCORES] = {3, 8, 20, 17, 9};
    struct table table = {.players = 2};
    struct statistics first = {0};
    for (int i = 0; i < PAIR_SCORES; i++) {
        add_pairs(&table, 0, 1, i, pairs[i]);
        first.pairs[i] = pairs[i];
    }
    rate(&table);
    struct elo elo = statistics_elo(&first);
    assert_near(table.rating[0].elo, elo.difference / 2, 1e-6);
    assert_near(table.rating[1].elo, -elo.difference / 2, 1e-6);
    assert_near(table.rating[0].low, elo.low / 2, 1e-6);
    assert_near(table.rating[0].high, elo.high / 2, 1e-6);
    assert_near(table.rating[1].low, -elo.high / 2, 1e-6);
}

/* What they expect of each other is what they got: the equations of the maximum. */
static void each_player_has_the_points_that_the_ratings_expect(void **state) {
    (void)state;
    struct table table = {.players = 5};
    struct random random = random_stream(9, STREAM_PLAYOUT, 0);
    for (int i = 0; i < 5; i++) {
        for (int j = i + 1; j < 5; j++)
            for (int k = 0; k < 20 + 7 * i + j; k++)
                add_pairs(&table, i, j, (int)random_below(&random, PAIR_SCORES), 1);
    }
    assert_int_equal(rate(&table), RATING_LIKELY);
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        double surplus = 0;
        sum += table.rating[i].elo;
        for (int j = 0; j < 5; j++) {
            struct pair_spread spread = statistics_spread(table.cross[i * 5 + j].pairs);
            if (i == j) continue;
            surplus += spread.pairs *
                       (spread.mean - elo_to_score(table.rating[i].elo - table.rating[j].elo));
        }
        assert_near(surplus, 0, 1e-6);
    }
    assert_near(sum, 0, 1e-6);
}

static void an_interval_may_have_no_end(void **state) {
    (void)state;
    struct table table = {.players = 2};
    add_pairs(&table, 0, 1, 4, 9);
    add_pairs(&table, 0, 1, 2, 1);
    assert_int_equal(rate(&table), RATING_LIKELY);
    assert_true(isfinite(table.rating[0].low) && table.rating[0].low > 0);
    assert_true(isinf(table.rating[0].high) && table.rating[0].high > 0);
    assert_true(isinf(table.rating[1].low) && table.rating[1].low < 0);
}

static void players_are_rated_through_those_both_have_met(void **state) {
    (void)state;
    struct table table = {.players = 3};
    add_pairs(&table, 0, 1, 4, 30); /* 0 is 191 above 1, who is 191 above 2 */
    add_pairs(&table, 0, 1, 0, 10);
    add_pairs(&table, 1, 2, 4, 30);
    add_pairs(&table, 1, 2, 0, 10);
    assert_int_equal(rate(&table), RATING_LIKELY);
    assert_near(table.rating[0].elo - table.rating[2].elo, 2 * 190.848, 0.01);
    assert_near(table.rating[1].elo, 0, 0.01);
    /* Who stands between the others is known best. */
    assert_true(table.rating[1].high < table.rating[0].high - table.rating[0].elo);
}

static void who_has_won_or_lost_everything_stays_finite(void **state) {
    (void)state;
    struct table table = {.players = 3};
    add_pairs(&table, 0, 1, 4, 50);
    add_pairs(&table, 0, 2, 4, 50);
    add_pairs(&table, 1, 2, 4, 20);
    add_pairs(&table, 1, 2, 0, 30);
    assert_int_equal(rate(&table), RATING_PRIOR);
    assert_true(table.rating[0].elo > 300 && table.rating[0].elo < 1500);
    assert_true(isfinite(table.rating[0].low));
    assert_true(table.rating[2].elo > table.rating[1].elo);
}

static void groups_that_never_met_are_rated_too(void **state) {
    (void)state;
    struct table table = {.players = 4};
    add_pairs(&table, 0, 1, 3, 10);
    add_pairs(&table, 2, 3, 3, 10);
    assert_int_equal(rate(&table), RATING_PRIOR);
    assert_near(table.rating[0].elo, table.rating[2].elo, 1e-6);
    assert_true(table.rating[0].low < table.rating[0].elo);
}

static void who_has_not_played_is_not_rated(void **state) {
    (void)state;
    struct table table = {.players = 3}, empty = {.players = 2};
    add_pairs(&table, 0, 2, 1, 4);
    add_pairs(&table, 0, 2, 3, 5);
    assert_int_equal(rate(&table), RATING_LIKELY);
    assert_true(isnan(table.rating[1].elo) && isnan(table.rating[1].low));
    assert_near(table.rating[0].elo + table.rating[2].elo, 0, 1e-6);
    assert_int_equal(rate(&empty), RATING_NONE);
    assert_true(isnan(empty.rating[0].elo));
}

static void a_full_table_of_one_sided_meetings_is_rated(void **state) {
    (void)state;
    static struct statistics cross[RATING_PLAYERS_MAX * RATING_PLAYERS_MAX];
    static struct rating ratings[RATING_PLAYERS_MAX];
    const int n = RATING_PLAYERS_MAX;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            cross[i * n + j].pairs[4] = cross[j * n + i].pairs[0] = 1000;
    assert_int_equal(rating_estimate(cross, n, ratings), RATING_PRIOR);
    for (int i = 0; i + 1 < n; i++)
        assert_true(isfinite(ratings[i].elo) && ratings[i].elo > ratings[i + 1].elo);
}

static void intervals_hold_the_truth_nineteen_times_in_twenty(void **state) {
    (void)state;
    enum { RUNS = 1000, PAIRS = 60, FOUR = 4 };
    static const double truth[FOUR] = {90, 20, -30, -80};
    for (int shape = 0; shape < CHANCE_SHAPES; shape++) {
        struct random random = random_stream(31, STREAM_PLAYOUT, (uint64_t)shape);
        double chances[FOUR][FOUR][PAIR_SCORES];
        int held = 0;
        for (int i = 0; i < FOUR; i++)
            for (int j = i + 1; j < FOUR; j++)
                chance_tilt(CHANCE_SHAPE[shape], elo_to_score(truth[i] - truth[j]), chances[i][j]);
        for (int run = 0; run < RUNS; run++) {
            struct table table = {.players = FOUR};
            for (int i = 0; i < FOUR; i++) {
                for (int j = i + 1; j < FOUR; j++)
                    for (int k = 0; k < PAIRS; k++)
                        add_pairs(&table, i, j, chance_draw(chances[i][j], &random), 1);
            }
            rate(&table);
            for (int i = 0; i < FOUR; i++)
                held += table.rating[i].low <= truth[i] && truth[i] <= table.rating[i].high;
        }
        assert_near(held / (double)(FOUR * RUNS), 0.95, 0.015);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textbook_estimates_come_out),
        cmocka_unit_test(ratings_of_two_are_their_difference_in_halves),
        cmocka_unit_test(each_player_has_the_points_that_the_ratings_expect),
        cmocka_unit_test(an_interval_may_have_no_end),
        cmocka_unit_test(players_are_rated_through_those_both_have_met),
        cmocka_unit_test(who_has_won_or_lost_everything_stays_finite),
        cmocka_unit_test(groups_that_never_met_are_rated_too),
        cmocka_unit_test(who_has_not_played_is_not_rated),
        cmocka_unit_test(a_full_table_of_one_sided_meetings_is_rated),
        cmocka_unit_test(intervals_hold_the_truth_nineteen_times_in_twenty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
