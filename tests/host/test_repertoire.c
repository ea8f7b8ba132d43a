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
    for (int i = 0; i < count; i++) assert_true(setup_random(rules, random, &setups[i], NULL));
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
    for (int role = 0; role < REPERTOIRE_ROLES; role++) {
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
            assert_true(setup_check(rules, &repertoire.setup[i], NULL));
            for (int role = 0; role < REPERTOIRE_ROLES; role++)
                assert_true(weight_of(role, i) == 1.0 / repertoire.count);
        }
        for (int i = 0; i < REPERTOIRE_STRANGERS; i++)
            assert_true(setup_check(rules, &repertoire.stranger[i], NULL));
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
            for (int role = 0; role < REPERTOIRE_ROLES; role++)
                for (int i = 0; i < repertoire.count; i++)
                    note(role, i, GAMES, i ? 0.6 : 0.6 + by_role[role]);
            repertoire_weigh(&repertoire);
        }
        expect_whole();
        for (int role = 0; role < REPERTOIRE_ROLES; role++) {
            const double ratio = weight_of(role, 0) / weight_of(role, 1);
            const double expected = exp(by_role[role] / REPERTOIRE_HEAT);
            if (fabs(ratio / expected - 1) > 0.1) fail_msg("%g instead of %g", ratio, expected);
        }
    }
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
    for (int role = 0; role < REPERTOIRE_ROLES; role++)
        memset(repertoire.standing[role].weight, 0, sizeof repertoire.standing[role].weight);
    repertoire.standing[REPERTOIRE_OWN].weight[3] = 0.25;
    repertoire.standing[REPERTOIRE_OWN].weight[100] = 0.75;
    repertoire.standing[REPERTOIRE_RIVAL].weight[7] = 1;
}

static void it_is_drawn_by_weight(void **state) {
    (void)state;
    enum { DRAWS = 100000 };
    int drawn = 0;
    struct random random = random_stream(4, STREAM_PLAYOUT, 0);
    begin(&random);
    weigh_three();
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_OWN, 0), 3);
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_OWN, 0.249), 3);
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_OWN, 0.251), 100);
    assert_int_equal(repertoire_at(&repertoire, REPERTOIRE_OWN, 1), repertoire.count - 1);
    for (int i = 0; i < DRAWS; i++) {
        const int number = repertoire_draw(&repertoire, REPERTOIRE_OWN, &random);
        assert_true(number == 3 || number == 100);
        drawn += number == 3;
        assert_int_equal(repertoire_draw(&repertoire, REPERTOIRE_RIVAL, &random), 7);
    }
    assert_in_range(drawn, 24000, 26000);
}

/* Rivals meet what is laid out, and are met themselves in four games of five; strangers, each as
 * often, in the others. */
static void enemies_are_rivals_and_strangers(void **state) {
    (void)state;
    enum { DRAWS = 100000 };
    int rivals = 0, strangers[REPERTOIRE_STRANGERS] = {0}, own = 0;
    struct random random = random_stream(7, STREAM_PLAYOUT, 0);
    begin(&random);
    weigh_three();
    for (int i = 0; i < DRAWS; i++) {
        const struct setup *met = repertoire_enemy(&repertoire, REPERTOIRE_OWN, &random);
        if (met == &repertoire.setup[7]) {
            rivals++;
        } else {
            assert_true(met >= repertoire.stranger);
            strangers[met - repertoire.stranger]++;
        }
        met = repertoire_enemy(&repertoire, REPERTOIRE_RIVAL, &random);
        assert_true(met == &repertoire.setup[3] || met == &repertoire.setup[100]);
        own += met == &repertoire.setup[3];
    }
    assert_in_range(rivals, 79000, 81000);
    assert_in_range(own, 24000, 26000);
    for (int i = 0; i < REPERTOIRE_STRANGERS; i++)
        assert_in_range(strangers[i], DRAWS / REPERTOIRE_STRANGERS / 8,
                        DRAWS / REPERTOIRE_STRANGERS / 3);
}

/* Those that neither side lays out, if both have tried them, and they were not given; all stay
 * valid. */
static void the_least_played_give_way(void **state) {
    (void)state;
    enum { GOOD = 100, RIVALS = 110, UNTRIED = 120, GAMES = 200 };
    struct random random = random_stream(5, STREAM_PLAYOUT, 0);
    begin(&random);
    const struct repertoire before = repertoire;
    for (int i = 0; i < repertoire.count; i++) {
        note(REPERTOIRE_OWN, i, i < UNTRIED ? GAMES : 10, i < GOOD ? 0.5 : 0.2);
        note(REPERTOIRE_RIVAL, i, GAMES, i < GOOD || i >= RIVALS ? 0.2 : 0.5);
    }
    repertoire_weigh(&repertoire);
    for (int i = UNTRIED; i < UNTRIED + 10; i++) note(REPERTOIRE_OWN, i, GAMES, 0.2);
    repertoire_renew(&repertoire, &measure, &random);
    int replaced = 0;
    for (int i = 0; i < repertoire.count; i++) {
        assert_true(setup_check(rules, &repertoire.setup[i], NULL));
        if (memcmp(&repertoire.setup[i], &before.setup[i], sizeof *repertoire.setup) == 0) continue;
        assert_in_range(i, RIVALS, UNTRIED + 9);
        for (int role = 0; role < REPERTOIRE_ROLES; role++) {
            const struct repertoire_standing *standing = &repertoire.standing[role];
            assert_true(standing->games[i] == 0 && standing->points[i] == 0);
            assert_true(standing->weight[i] == 0);
        }
        replaced++;
    }
    assert_int_equal(replaced, repertoire.count / 12);
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
 * than any piece does, of four armies in five. */
static double ratio_of(enum repertoire_role role, int sign, kind_id kind) {
    double counts[4] = {0}; /* all, all that begin there, those of the kind, these that do */
    const bool own = role == REPERTOIRE_OWN;
    for (int i = 0; i < repertoire.count; i++)
        add_army(&repertoire.setup[i],
                 own ? 0.8 * weight_of(REPERTOIRE_RIVAL, i) : weight_of(REPERTOIRE_OWN, i), sign,
                 kind, counts);
    for (int i = 0; own && i < REPERTOIRE_STRANGERS; i++)
        add_army(&repertoire.stranger[i], 0.2 / REPERTOIRE_STRANGERS, sign, kind, counts);
    return 0.8 * (counts[3] / counts[2]) / (counts[1] / counts[0]) + 0.2;
}

static void starts_tell_what_enemies_lay_out(void **state) {
    (void)state;
    struct random random = random_stream(6, STREAM_PLAYOUT, 0);
    struct habits habits;
    begin(&random);
    for (int role = 0; role < REPERTOIRE_ROLES; role++)
        for (int i = 0; i < repertoire.count; i++)
            note(role, i, 300, 0.45 + 0.0004 * (role ? repertoire.count - i : i));
    for (int round = 0; round < 100; round++) repertoire_weigh(&repertoire);
    for (int role = 0; role < REPERTOIRE_ROLES; role++) {
        memset(&habits, 1, sizeof habits);
        const struct habits before = habits;
        repertoire_starts(&repertoire, role, rules, &habits);
        for (int sign = 0; sign < rules->board.zone_ranks * SIGN_START_PLACES; sign++)
            for (kind_id kind = 1; kind <= rules->kinds; kind++) {
                const double expected = HABIT_UNIT * ratio_of(role, sign, kind);
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
        cmocka_unit_test(what_nobody_has_tried_is_not_played_more),
        cmocka_unit_test(it_is_drawn_by_weight),
        cmocka_unit_test(enemies_are_rivals_and_strangers),
        cmocka_unit_test(the_least_played_give_way),
        cmocka_unit_test(starts_tell_what_enemies_lay_out),
    };
    return cmocka_run_group_tests_name("host/repertoire", tests, load, drop);
}
