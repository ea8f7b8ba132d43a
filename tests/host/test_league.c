/* The league: shares of an equilibrium, by games whose equilibria are known and by what an
 * equilibrium is; who leaves; who is met when. */
#include "host/learn/league.h"

#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct league league;

static void join(int count) {
    static struct style style;
    memset(&league, 0, sizeof league);
    for (int i = 0; i < count; i++) {
        style.share = (uint32_t)i + 1; /* to be known by */
        assert_int_equal(league_join(&league, &style), i);
    }
}

static void expect_shares(const double *shares) {
    league_balance(&league);
    for (int i = 0; i < league.count; i++)
        if (fabs(league.share[i] - shares[i]) > 0.005)
            fail_msg("style %d: %g, not %g", i, league.share[i], shares[i]);
}

/* Two that are d points apart: their shares are d / LEAGUE_CROWDING apart. */
static void shares_are_those_of_known_games(void **state) {
    (void)state;
    join(1);
    expect_shares((const double[]){1});
    join(2);
    expect_shares((const double[]){0.5, 0.5});
    league_note(&league, 1, 0, 0.5 + 0.3 * LEAGUE_CROWDING);
    expect_shares((const double[]){0.35, 0.65});
    league_note(&league, 1, 0, 0.5 + 1.1 * LEAGUE_CROWDING);
    expect_shares((const double[]){0, 1});
    join(3); /* rock, paper, scissors */
    league_note(&league, 0, 1, 0);
    league_note(&league, 1, 2, 0);
    league_note(&league, 2, 0, 0);
    expect_shares((const double[]){1.0 / 3, 1.0 / 3, 1.0 / 3});
    join(4); /* a fourth that loses to all is not played */
    league_note(&league, 0, 1, 0.3);
    league_note(&league, 1, 2, 0.3);
    league_note(&league, 2, 0, 0.3);
    for (int i = 0; i < 3; i++) league_note(&league, 3, i, 0.45);
    expect_shares((const double[]){1.0 / 3, 1.0 / 3, 1.0 / 3, 0});
    assert_true(league.share[3] == 0);
}

/* All that are played gain the same, and more than any that is not; what is left out of the shares
 * changes that by little. */
static void nobody_gains_against_the_shares(void **state) {
    (void)state;
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    for (int trial = 0; trial < 40; trial++) {
        double whole = 0, least = 1, most = 0;
        join(1 + (int)random_below(&random, LEAGUE_MAX));
        for (int i = 0; i < league.count; i++)
            for (int j = 0; j < i; j++)
                league_note(&league, i, j, 0.2 + random_below(&random, 6001) / 10000.0);
        league_balance(&league);
        int played = 0;
        for (int i = 0; i < league.count; i++) {
            double gained = -LEAGUE_CROWDING * league.share[i];
            for (int j = 0; j < league.count; j++) gained += league.points[i][j] * league.share[j];
            assert_true(league.share[i] == 0 || league.share[i] >= 0.01);
            if (gained > most) most = gained;
            if (league.share[i] > 0 && gained < least) least = gained;
            whole += league.share[i];
            played += league.share[i] > 0;
        }
        if (most - least > 0.015)
            fail_msg("%d styles: one gains %g, another %g", league.count, least, most);
        assert_true(fabs(whole - 1) < 1e-9);
        assert_in_range(played, 1, LEARNED_STYLES_MAX);
    }
}

static void the_least_played_leaves_when_there_is_no_room(void **state) {
    (void)state;
    static struct style style;
    join(LEAGUE_MAX);
    for (int i = 0; i < LEAGUE_MAX; i++) {
        league.share[i] = i == 5 || i == 7 ? 0 : 1.0 / (LEAGUE_MAX - 2);
        for (int j = 0; j < i; j++) league_note(&league, i, j, (i * LEAGUE_MAX + j) / 1024.0);
    }
    style.share = 1000;
    assert_int_equal(league_join(&league, &style), LEAGUE_MAX - 1);
    assert_int_equal(league.count, LEAGUE_MAX);
    for (int i = 0; i < LEAGUE_MAX - 1; i++) {
        const int was = i + (i >= 5);
        assert_int_equal(league.style[i].share, was + 1);
        assert_true(league.share[i] == (was == 7 ? 0 : 1.0 / (LEAGUE_MAX - 2)));
        for (int j = 0; j < i; j++) {
            const int other = j + (j >= 5);
            assert_true(league.points[i][j] == (was * LEAGUE_MAX + other) / 1024.0);
            assert_true(league.points[j][i] == 1 - league.points[i][j]);
        }
        assert_true(league.points[i][i] == 0.5 && league.points[LEAGUE_MAX - 1][i] == 0.5);
    }
    assert_int_equal(league.style[LEAGUE_MAX - 1].share, 1000);
}

/* After any number of turns each has been met as often as its share says, but for a few times. */
static void all_are_met_by_their_shares(void **state) {
    (void)state;
    static const double shares[] = {0.41, 0, 0.07, 0.3, 0.22};
    struct roster roster;
    int met[5] = {0};
    join(5);
    memcpy(league.share, shares, sizeof shares);
    assert_int_equal(league_chief(&league), 0);
    league_meet(&roster, &league);
    assert_int_equal(roster.count, 4);
    for (uint64_t turn = 0; turn < 10000; turn++) {
        met[roster_turn(&roster, turn)->share - 1]++;
        for (int i = 0; i < 5; i++)
            if (fabs(met[i] - shares[i] * (double)(turn + 1)) > 5)
                fail_msg("style %d: %d times in %d turns", i, met[i], (int)turn + 1);
    }
    assert_int_equal(met[1], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_those_of_known_games),
        cmocka_unit_test(nobody_gains_against_the_shares),
        cmocka_unit_test(the_least_played_leaves_when_there_is_no_room),
        cmocka_unit_test(all_are_met_by_their_shares),
    };
    return cmocka_run_group_tests_name("host/league", tests, NULL, NULL);
}
