/* When a sequential test ends, and its error rates. */
#include "host/match/sprt.h"

#include "chance.h"

#include <math.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%f, expected %f", value, expected);
}

/* fastchess' own tests (app/tests/sprt_test.cpp, MIT), which say of themselves that they hold to
 * one per cent. */
static void the_ratio_is_that_of_other_match_runners(void **state) {
    (void)state;
    static const struct {
        struct sprt sprt;
        uint32_t pairs[PAIR_SCORES];
        double llr;
    } cases[] = {
        {{0.5, 2.5, 0.05, 0.05}, {223, 9863, 20279 + 1000, 10037, 246}, -3.07},
        {{0, 2, 0.05, 0.05}, {871, 26175, 55003 + 980, 26678, 821}, -4.98},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_near(sprt_llr(&cases[i].sprt, cases[i].pairs), cases[i].llr,
                    0.01 * fabs(cases[i].llr));
    }
}

/* With two scores only, and small differences, the ratio is that of the normal approximation:
 * n (s1 - s0) (2 s - s0 - s1) / (2 v). */
static void a_small_difference_gives_the_ratio_of_the_normal_approximation(void **state) {
    (void)state;
    const struct sprt sprt = {0, 2, 0.05, 0.05};
    const uint32_t pairs[PAIR_SCORES] = {4900, 0, 0, 0, 5100};
    double s0 = elo_to_score(0), s1 = elo_to_score(2), s = 0.51, v = 0.51 * 0.49;
    assert_near(sprt_llr(&sprt, pairs), 10000 * (s1 - s0) * (2 * s - s0 - s1) / (2 * v), 0.01);
}

static void without_pairs_there_is_nothing_for_either(void **state) {
    (void)state;
    const struct sprt sprt = {0, 10, 0.05, 0.05};
    const uint32_t none[PAIR_SCORES] = {0};
    assert_near(sprt_llr(&sprt, none), 0, 0);
    assert_int_equal(sprt_decide(&sprt, none), SPRT_UNDECIDED);
}

static void bounds_are_those_of_wald(void **state) {
    (void)state;
    const struct sprt even = {0, 10, 0.05, 0.05}, uneven = {0, 10, 0.05, 0.1};
    assert_near(sprt_lower(&even), -2.9444, 1e-4);
    assert_near(sprt_upper(&even), 2.9444, 1e-4);
    assert_near(sprt_lower(&uneven), -2.2513, 1e-4);
    assert_near(sprt_upper(&uneven), 2.8904, 1e-4);
}

static void exchanged_players_and_hypotheses_give_the_opposite_ratio(void **state) {
    (void)state;
    const struct sprt sprt = {-5, 15, 0.05, 0.05}, mirror = {-15, 5, 0.05, 0.05};
    const uint32_t pairs[PAIR_SCORES] = {10, 30, 50, 45, 8}, mirrored[] = {8, 45, 50, 30, 10};
    assert_near(sprt_llr(&sprt, pairs), -sprt_llr(&mirror, mirrored), 1e-9);
}

static void pairs_that_are_all_alike_still_decide(void **state) {
    (void)state;
    const struct sprt sprt = {0, 20, 0.05, 0.05};
    for (int score = 0; score < PAIR_SCORES; score++) {
        uint32_t pairs[PAIR_SCORES] = {0};
        pairs[score] = 1000;
        assert_true(isfinite(sprt_llr(&sprt, pairs)));
        assert_int_equal(sprt_decide(&sprt, pairs), score > 2 ? SPRT_H1 : SPRT_H0);
    }
}

/* Share of tests that take H1 when the players differ by `elo`. */
static double taking_h1(const struct sprt *sprt, const double shape[PAIR_SCORES], double elo) {
    enum { TESTS = 1000, PAIRS_MAX = 100000 };
    double chances[PAIR_SCORES];
    struct random random = random_stream(3, STREAM_PLAYOUT, (uint64_t)(elo + 1000));
    chance_tilt(shape, elo_to_score(elo), chances);
    int taken = 0;
    for (int test = 0; test < TESTS; test++) {
        uint32_t pairs[PAIR_SCORES] = {0};
        enum sprt_decision decision = SPRT_UNDECIDED;
        for (int i = 0; i < PAIRS_MAX && decision == SPRT_UNDECIDED; i++) {
            pairs[chance_draw(chances, &random)]++;
            decision = sprt_decide(sprt, pairs);
        }
        assert_int_not_equal(decision, SPRT_UNDECIDED);
        taken += decision == SPRT_H1;
    }
    return taken / (double)TESTS;
}

/* A thousand tests know a rate of 0.05 to ±0.014 (two standard errors). */
static void false_decisions_are_as_rare_as_asked_for(void **state) {
    (void)state;
    const struct sprt even = {0, 40, 0.05, 0.05}, uneven = {-30, 10, 0.1, 0.02};
    for (int i = 0; i < CHANCE_SHAPES; i++) {
        const double *shape = CHANCE_SHAPE[i];
        double alpha = taking_h1(&even, shape, 0), beta = 1 - taking_h1(&even, shape, 40);
        if (alpha > 0.07 || beta > 0.07) fail_msg("shape %d: alpha %f, beta %f", i, alpha, beta);
        alpha = taking_h1(&uneven, shape, -30);
        beta = 1 - taking_h1(&uneven, shape, 10);
        if (alpha > 0.125 || alpha < 0.04 || beta > 0.03)
            fail_msg("shape %d, uneven: alpha %f, beta %f", i, alpha, beta);
    }
}

static void texts_give_hypotheses_and_rates(void **state) {
    (void)state;
    struct sprt sprt;
    assert_true(sprt_read("-3.5,1", &sprt, NULL));
    assert_near(sprt.elo0, -3.5, 0);
    assert_near(sprt.elo1, 1, 0);
    assert_near(sprt.alpha, 0.05, 0);
    assert_near(sprt.beta, 0.05, 0);
    assert_true(sprt_read("0,10,0.1,0.02", &sprt, NULL));
    assert_near(sprt.alpha, 0.1, 0);
    assert_near(sprt.beta, 0.02, 0);
}

static void texts_that_are_no_test_are_refused_with_a_reason(void **state) {
    (void)state;
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "is expected"},         {"5", "is expected"},
        {"0,10,0.1", "is expected"}, {"0,10,0.1,0.1,1", "is expected"},
        {"0,ten", "is expected"},    {"0,10x", "is expected"},
        {"0,inf", "is expected"},    {"10,0", "below ELO1"},
        {"5,5", "below ELO1"},       {"0,2000", "between"},
        {"0,5,0,0.1", "above 0"},    {"0,5,0.1,0.5", "below 0.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sprt sprt;
        struct fault fault = {0};
        assert_false(sprt_read(cases[i].text, &sprt, &fault));
        assert_int_equal(fault.status, STATUS_USAGE);
        if (!strstr(fault.text, cases[i].reason)) fail_msg("%s", fault.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ratio_is_that_of_other_match_runners),
        cmocka_unit_test(a_small_difference_gives_the_ratio_of_the_normal_approximation),
        cmocka_unit_test(without_pairs_there_is_nothing_for_either),
        cmocka_unit_test(bounds_are_those_of_wald),
        cmocka_unit_test(exchanged_players_and_hypotheses_give_the_opposite_ratio),
        cmocka_unit_test(pairs_that_are_all_alike_still_decide),
        cmocka_unit_test(false_decisions_are_as_rare_as_asked_for),
        cmocka_unit_test(texts_give_hypotheses_and_rates),
        cmocka_unit_test(texts_that_are_no_test_are_refused_with_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
