/* Set-ups of a repertoire: how often each is laid out and by whom, which give way, and what is
 * believed of starts when they are known. */
#include "host/learn/repertoire.h"

#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rules *rules;
static struct measure measure;
static struct repertoire repertoire;

static int load(void **state) {
    (void)state;
    rules = support_rules("barrage");
    if (!rules) return -1;
    measure_make(&measure, rules);
    return 0;
}

static int drop(void **state) {
    (void)state;
    rules_free(rules);
    return 0;
}

static void draw_setups(struct random *random, struct setup *setups, int count) {
    for (int i = 0; i < count; i++) assert_true(setup_random(rules, RED, random, &setups[i], NULL));
}

static void begin(struct random *random) {
    enum { GIVEN = 100 };
    struct setup setups[GIVEN];
    draw_setups(random, setups, GIVEN);
    repertoire_begin(&repertoire, &measure, random, setups, GIVEN);
}

static double weight_of(enum repertoire_role role, int number) {
    return repertoire.standing[role].weight[number];
}

static void note(enum repertoire_role role, int number, int games, double score) {
    repertoire_note(&repertoire, role, number, score);
    repertoire.standing[role].games[number] += games - 1;
    repertoire.standing[role].points[number] += (games - 1) * score;
}

static void expect_whole(void) {
    for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++) {
        double whole = 0;
        for (int i = 0; i < repertoire.count; i++) whole += weight_of(role, i);
        assert_true(fabs(whole - 1) < 1e-9);
    }
}

static void it_begins_with_what_is_given(void **state) {
    (void)state;
    enum { MANY = 2 * REPERTOIRE_SETUPS, FEW = 3 };
    static struct setup setups[MANY];
    const int room = REPERTOIRE_GIVEN;
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    draw_setups(&random, setups, MANY);
    for (int count = 0; count <= MANY; count = count == 0 ? FEW : count == FEW ? MANY : MANY + 1) {
        const int given = count < room ? count : room;
        repertoire_begin(&repertoire, &measure, &random, setups, count);
        assert_int_equal(repertoire.count, given + REPERTOIRE_DRAWN);
        assert_int_equal(repertoire.given, given);
        for (int i = 0; i < given; i++)
            assert_memory_equal(&repertoire.setup[i],
                                &setups[count > room ? (int)((double)i * MANY / room) : i],
                                sizeof *setups);
        for (int i = 0; i < repertoire.count; i++) {
            assert_true(setup_check(rules, RED, &repertoire.setup[i], NULL));
            for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++)
                assert_true(weight_of(role, i) == 1.0 / repertoire.count);
        }
        for (int i = 0; i < REPERTOIRE_STRANGERS; i++)
            assert_true(setup_check(rules, RED, &repertoire.stranger[i], NULL));
    }
}

/* All that the first one scores more than the others makes it the more frequent, by the
 * exponential function; what it scores for rivals says nothing of what it does for oneself. */
static void weights_go_with_the_exponential_of_scores(void **state) {
    (void)state;
    enum { ROUNDS = 600, GAMES = 1000 };
    static const double more[] = {-0.1, -0.03, 0, 0.03, 0.1};
    for (size_t m = 0; m < sizeof more / sizeof *more; m++) {
        const double by_role[REPERTOIRE_ROLES] = {more[m], -more[m] / 2};
        struct random random = random_stream(2, STREAM_PLAYOUT, m);
        begin(&random);
        for (int round = 0; round < ROUNDS; round++) {
            for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++)
                for (int i = 0; i < repertoire.count; i++)
                    note(role, i, GAMES, i ? 0.6 : 0.6 + by_role[role]);
            repertoire_weigh(&repertoire);
        }
        expect_whole();
        for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++) {
            const double ratio = weight_of(role, 0) / weight_of(role, 1);
            const double expected = exp(by_role[role] / REPERTOIRE_HEAT);
            if (fabs(ratio / expected - 1) > 0.1) fail_msg("%g instead of %g", ratio, expected);
        }
    }
}

/* A window of a hundred steps would hold 1,000 games of each. What was seen in the first third
 * counts little at the end. */
static void the_longer_it_is_learned_the_more_games_count(void **state) {
    (void)state;
    enum { STEPS = 3000, GAMES = 10 };
    struct random random = random_stream(12, STREAM_PLAYOUT, 0);
    begin(&random);
    for (int step = 1; step <= STEPS; step++) {
        for (int i = 0; i < repertoire.count; i++)
            note(REPERTOIRE_OWN, i, GAMES, i == 0 && step <= STEPS / 3 ? 0.52 : 0.5);
        repertoire_weigh(&repertoire);
        if (step == STEPS / 3)
            assert_true(weight_of(REPERTOIRE_OWN, 0) > 2 * weight_of(REPERTOIRE_OWN, 1));
    }
    assert_true(repertoire.standing[REPERTOIRE_OWN].games[1] > STEPS * GAMES / 5);
    assert_true(weight_of(REPERTOIRE_OWN, 0) < 1.15 * weight_of(REPERTOIRE_OWN, 1));
}

static void what_nobody_has_tried_is_not_played_more(void **state) {
    (void)state;
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    begin(&random);
    for (int round = 0; round < 50; round++) {
        for (int i = 1; i < repertoire.count; i++) note(REPERTOIRE_RIVAL, i, 100, 0.5);
        repertoire_weigh(&repertoire);
    }
    assert_true(weight_of(REPERTOIRE_RIVAL, 0) < 0.5 * weight_of(REPERTOIRE_RIVAL, 1));
}

/* Two of one's own, and one of rivals. */
static void weigh_three(void) {
    for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++)
        memset(repertoire.standing[role].weight, 0, sizeof repertoire.standing[role].weight);
    repertoire.standing[REPERTOIRE_OWN].weight[3] = 0.25;
    repertoire.standing[REPERTOIRE_OWN].weight[100] = 0.75;
    repertoire.standing[REPERTOIRE_RIVAL].weight[7] = 1;
}

static void each_has_its_part_of_the_weights(void **state) {
    (void)state;
    struct random random = random_stream(4, STREAM_PLAYOUT, 0);
    begin(&random);
    weigh_three();
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_OWN, 0), 3);
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_OWN, 0.249), 3);
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_OWN, 0.251), 100);
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_OWN, 1), repertoire.count - 1);
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_RIVAL, 0.5), 7);
}

/* The number of the set-up that a lineup has for a role; -1: a stranger's. */
static int laid_out(const struct lineup *lineup, enum repertoire_role role) {
    const struct setup *setup = lineup->setup[role];
    if (setup >= repertoire.setup && setup < repertoire.setup + repertoire.count)
        return (int)(setup - repertoire.setup);
    assert_int_equal(role, REPERTOIRE_RIVAL);
    assert_in_range(setup - repertoire.stranger, 0, REPERTOIRE_STRANGERS - 1);
    return -1;
}

static bool by_weight(enum repertoire_role role, int number) {
    return number >= 0 && weight_of(role, number) > 0;
}

/* A game judges a set-up against what its enemy lays out by weight or, one's own alone, against
 * strangers, one in five; any that no weight calls for is tried as well. */
static void games_judge_what_meets_the_usual(void **state) {
    (void)state;
    enum { GAMES = 100000 };
    int judged[REPERTOIRE_ROLES] = {0}, tried[REPERTOIRE_ROLES] = {0}, strangers = 0, new = 0;
    int of_two[2] = {0};
    struct random random = random_stream(7, STREAM_PLAYOUT, 0);
    struct lineup lineup;
    begin(&random);
    weigh_three();
    for (int i = 0; i < GAMES; i++) {
        repertoire_lineup(&repertoire, &random, &lineup);
        for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++) {
            const enum repertoire_role enemy = !role;
            const int number = lineup.judged[role], met = laid_out(&lineup, enemy);
            if (number < 0) continue;
            assert_int_equal(number, laid_out(&lineup, role));
            assert_true(by_weight(enemy, met) || (role == REPERTOIRE_OWN && met < 0));
            judged[role]++;
            strangers += met < 0;
            tried[role] += !by_weight(role, number);
            new += !by_weight(role, number) && number >= repertoire.given;
            if (role == REPERTOIRE_OWN && by_weight(role, number)) of_two[number == 100]++;
        }
        if (laid_out(&lineup, REPERTOIRE_RIVAL) < 0)
            assert_int_equal(lineup.judged[REPERTOIRE_RIVAL], -1);
    }
    /* 3 of 4 games judge both, or one's own alone against a stranger; of the others, half each. */
    assert_in_range(judged[REPERTOIRE_OWN], 0.865 * GAMES, 0.885 * GAMES);
    assert_in_range(judged[REPERTOIRE_RIVAL], 0.715 * GAMES, 0.735 * GAMES);
    assert_in_range(strangers, 0.165 * GAMES, 0.185 * GAMES);
    for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++)
        assert_in_range(tried[role], 0.115 * GAMES, 0.126 * GAMES);
    assert_in_range(new, 0.165 * GAMES, 0.185 * GAMES);
    assert_in_range(of_two[0] * 3, 0.95 * of_two[1], 1.05 * of_two[1]); /* 0.25 and 0.75 */
}

/* How many of the squares two set-ups differ on. */
static int apart(const struct setup *one, const struct setup *other) {
    int squares = 0;
    for (square at = 0; at < rules->board.squares; at++) squares += one->at[at] != other->at[at];
    return squares;
}

/* Those that neither side wants, if both have tried them, and they were not given. All stay valid.
 * A changed copy begins with as much of its model's score as 25 games are worth; a new one with
 * nothing. */
static void the_least_wanted_give_way(void **state) {
    (void)state;
    enum { GOOD = 100, RIVALS = 110, UNTRIED = 150, GAMES = 200 };
    struct random random = random_stream(5, STREAM_PLAYOUT, 0);
    begin(&random);
    for (int i = 0; i < repertoire.count; i++) {
        note(REPERTOIRE_OWN, i, i < UNTRIED ? GAMES : 49, i < GOOD ? 0.5 : 0.2);
        note(REPERTOIRE_RIVAL, i, GAMES, i < GOOD || i >= RIVALS ? 0.2 : 0.5);
    }
    const struct repertoire before = repertoire;
    repertoire_renew(&repertoire, &measure, &random);
    int replaced = 0, copies = 0;
    for (int i = 0; i < repertoire.count; i++) {
        const struct setup *setup = &repertoire.setup[i];
        assert_true(setup_check(rules, RED, setup, NULL));
        if (memcmp(setup, &before.setup[i], sizeof *setup) == 0) continue;
        assert_in_range(i, RIVALS, UNTRIED - 1);
        const bool copy = repertoire.standing[REPERTOIRE_OWN].games[i] > 0;
        int nearest = BOARD_SQUARES_MAX;
        for (int j = 0; j < repertoire.count; j++) {
            const int squares = apart(setup, &before.setup[j]);
            if (squares < nearest) nearest = squares;
            if (j != i) assert_memory_not_equal(setup, &repertoire.setup[j], sizeof *setup);
        }
        for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++) {
            const struct repertoire_standing *standing = &repertoire.standing[role];
            assert_true(fabs(standing->games[i] - (copy ? 25 : 0)) < 1e-9);
            if (copy) {
                const double score = standing->points[i] / standing->games[i];
                assert_true(fabs(score - 0.2) < 1e-9 || fabs(score - 0.5) < 1e-9);
                assert_in_range(nearest, 1, 4);
            }
            assert_true(standing->weight[i] == 0);
        }
        replaced++;
        copies += copy;
    }
    assert_in_range(replaced, REPERTOIRE_DRAWN / 6, REPERTOIRE_DRAWN / 4);
    assert_in_range(copies, replaced / 2, replaced);
    expect_whole();
}

static void add_army(const struct setup *setup, double armies, int sign, kind_id kind,
                     double counts[4]) {
    for (square at = 0; at < rules->board.squares; at++) {
        const kind_id here = setup->at[at];
        if (here == KIND_NONE) continue;
        const bool fits = sign_of_start(&rules->board, RED, at) == SIGN_START + sign;
        counts[0] += armies;
        if (fits) counts[1] += armies;
        if (here == kind) counts[2] += armies;
        if (here == kind && fits) counts[3] += armies;
    }
}

/* Counted piece by piece from the definition: how much more often a piece of the kind begins there
 * than any piece does, but for unusual armies. */
static double ratio_of(enum repertoire_role role, int sign, kind_id kind, double unusual) {
    double counts[4] = {0}; /* all, all that begin there, those of the kind, these that do */
    const bool own = role == REPERTOIRE_OWN;
    for (int i = 0; i < repertoire.count; i++)
        add_army(&repertoire.setup[i],
                 own ? 0.8 * weight_of(REPERTOIRE_RIVAL, i) : weight_of(REPERTOIRE_OWN, i), sign,
                 kind, counts);
    for (int i = 0; own && i < REPERTOIRE_STRANGERS; i++)
        add_army(&repertoire.stranger[i], 0.2 / REPERTOIRE_STRANGERS, sign, kind, counts);
    return (1 - unusual) * (counts[3] / counts[2]) / (counts[1] / counts[0]) + unusual;
}

static void starts_tell_what_enemies_lay_out(void **state) {
    (void)state;
    struct random random = random_stream(6, STREAM_PLAYOUT, 0);
    struct habits habits;
    begin(&random);
    for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++)
        for (int i = 0; i < repertoire.count; i++)
            note(role, i, 300, 0.45 + 0.0004 * (role ? repertoire.count - i : i));
    for (int round = 0; round < 100; round++) repertoire_weigh(&repertoire);
    for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++) {
        const double unusual = role ? 0.5 : 0.2;
        memset(&habits, 1, sizeof habits);
        const struct habits before = habits;
        repertoire_starts(&repertoire, role, rules, unusual, &habits);
        for (int sign = 0; sign < rules->board.zone_ranks[RED] * SIGN_START_PLACES; sign++)
            for (kind_id kind = 1; kind <= rules->kinds; kind++) {
                const double expected = HABIT_UNIT * ratio_of(role, sign, kind, unusual);
                const double found = habits.ratio[SIGN_START + sign][kind];
                if (fabs(found - expected) > 2 + 0.01 * expected)
                    fail_msg("sign %d of %s: %g instead of %g", sign, rules->kind[kind].name, found,
                             expected);
            }
        assert_memory_equal(&habits.ratio[SIGN_MOVES], &before.ratio[SIGN_MOVES],
                            sizeof habits - offsetof(struct habits, ratio[SIGN_MOVES]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_with_what_is_given),
        cmocka_unit_test(weights_go_with_the_exponential_of_scores),
        cmocka_unit_test(the_longer_it_is_learned_the_more_games_count),
        cmocka_unit_test(what_nobody_has_tried_is_not_played_more),
        cmocka_unit_test(each_has_its_part_of_the_weights),
        cmocka_unit_test(games_judge_what_meets_the_usual),
        cmocka_unit_test(the_least_wanted_give_way),
        cmocka_unit_test(starts_tell_what_enemies_lay_out),
    };
    return cmocka_run_group_tests_name("host/repertoire", tests, load, drop);
}
