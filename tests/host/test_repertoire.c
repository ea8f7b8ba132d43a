/* Set-ups of a repertoire: how often each is laid out, which give way, and what is believed of
 * starts when they are known. */
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
    enum { GIVEN = 5 };
    struct setup setups[GIVEN];
    draw_setups(random, setups, GIVEN);
    repertoire_begin(&repertoire, &measure, random, setups, GIVEN);
}

static void note(int number, int games, double score) {
    repertoire_note(&repertoire, number, score);
    repertoire.games[number] += games - 1;
    repertoire.points[number] += (games - 1) * score;
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
        assert_int_equal(repertoire.count, REPERTOIRE_SETUPS);
        assert_int_equal(repertoire.given, given);
        for (int i = 0; i < given; i++)
            assert_memory_equal(&repertoire.setup[i],
                                &setups[count > room ? (int)((double)i * MANY / room) : i],
                                sizeof *setups);
        for (int i = 0; i < repertoire.count; i++) {
            assert_true(setup_check(rules, &repertoire.setup[i], NULL));
            assert_true(repertoire.weight[i] == 1.0 / REPERTOIRE_SETUPS);
        }
    }
}

/* All that the first one scores more than the others makes it the more frequent, by the
 * exponential function. */
static void weights_go_with_the_exponential_of_scores(void **state) {
    (void)state;
    enum { ROUNDS = 300, GAMES = 1000 };
    static const double more[] = {-0.1, -0.03, 0, 0.03, 0.1};
    for (size_t m = 0; m < sizeof more / sizeof *more; m++) {
        struct random random = random_stream(2, STREAM_PLAYOUT, m);
        begin(&random);
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < repertoire.count; i++) note(i, GAMES, i ? 0.5 : 0.5 + more[m]);
            repertoire_weigh(&repertoire);
        }
        double whole = 0;
        for (int i = 0; i < repertoire.count; i++) whole += repertoire.weight[i];
        assert_true(fabs(whole - 1) < 1e-9);
        const double ratio = repertoire.weight[0] / repertoire.weight[1];
        const double expected = exp(more[m] / REPERTOIRE_HEAT);
        if (fabs(ratio / expected - 1) > 0.1) fail_msg("%g instead of %g", ratio, expected);
    }
}

static void what_nobody_has_tried_is_not_played_more(void **state) {
    (void)state;
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    begin(&random);
    for (int round = 0; round < 50; round++) {
        for (int i = 1; i < repertoire.count; i++) note(i, 100, 0.5);
        repertoire_weigh(&repertoire);
    }
    assert_true(repertoire.weight[0] < 0.5 * repertoire.weight[1]);
}

static void it_is_drawn_by_weight(void **state) {
    (void)state;
    enum { DRAWS = 100000 };
    int drawn[3] = {0};
    struct random random = random_stream(4, STREAM_PLAYOUT, 0);
    begin(&random);
    memset(repertoire.weight, 0, sizeof repertoire.weight);
    repertoire.weight[3] = 0.25;
    repertoire.weight[500] = 0.7;
    repertoire.weight[REPERTOIRE_SETUPS - 1] = 0.05;
    assert_int_equal(repertoire_at(&repertoire, 0), 3);
    assert_int_equal(repertoire_at(&repertoire, 0.249), 3);
    assert_int_equal(repertoire_at(&repertoire, 0.251), 500);
    assert_int_equal(repertoire_at(&repertoire, 1), REPERTOIRE_SETUPS - 1);
    for (int i = 0; i < DRAWS; i++) {
        const int number = repertoire_draw(&repertoire, &random);
        assert_true(number == 3 || number == 500 || number == REPERTOIRE_SETUPS - 1);
        drawn[number == 3 ? 0 : number == 500 ? 1 : 2]++;
    }
    assert_in_range(drawn[0], 24000, 26000);
    assert_in_range(drawn[1], 69000, 71000);
}

/* If they have been judged, and were not given; all stay valid. */
static void the_worst_give_way(void **state) {
    (void)state;
    enum { BAD = 120, UNTRIED = 20, GAMES = 200 };
    struct random random = random_stream(5, STREAM_PLAYOUT, 0);
    begin(&random);
    const struct repertoire before = repertoire;
    for (int i = UNTRIED; i < repertoire.count; i++) note(i, GAMES, i < BAD ? 0.2 : 0.5);
    for (int i = 0; i < UNTRIED; i++) note(i, 10, 0);
    repertoire_renew(&repertoire, &measure, &random);
    int replaced = 0;
    double whole = 0;
    for (int i = 0; i < repertoire.count; i++) {
        assert_true(setup_check(rules, &repertoire.setup[i], NULL));
        whole += repertoire.weight[i];
        if (memcmp(&repertoire.setup[i], &before.setup[i], sizeof *repertoire.setup) == 0) {
            assert_true(repertoire.weight[i] > 0);
            continue;
        }
        assert_in_range(i, UNTRIED, BAD - 1);
        assert_true(repertoire.games[i] == 0 && repertoire.points[i] == 0);
        assert_true(repertoire.weight[i] == 0);
        replaced++;
    }
    assert_int_equal(replaced, REPERTOIRE_SETUPS / 12);
    assert_true(fabs(whole - 1) < 1e-9);
}

/* Counted piece by piece from the definition: how much more often a piece of the kind begins there
 * than any piece does, of four armies in five. */
static double ratio_of(int sign, kind_id kind) {
    double there = 0, all_there = 0, of_kind = 0, all = 0;
    for (int i = 0; i < repertoire.count; i++) {
        for (square at = 0; at < rules->board.squares; at++) {
            const kind_id here = repertoire.setup[i].at[at];
            if (here == KIND_NONE) continue;
            const bool fits = sign_of_start(&rules->board, RED, at) == SIGN_START + sign;
            all += repertoire.weight[i];
            if (fits) all_there += repertoire.weight[i];
            if (here != kind) continue;
            of_kind += repertoire.weight[i];
            if (fits) there += repertoire.weight[i];
        }
    }
    return 0.8 * (there / of_kind) / (all_there / all) + 0.2;
}

static void starts_tell_what_is_laid_out(void **state) {
    (void)state;
    struct random random = random_stream(6, STREAM_PLAYOUT, 0);
    struct habits habits;
    begin(&random);
    for (int i = 0; i < repertoire.count; i++) note(i, 300, 0.45 + 0.0001 * i);
    for (int round = 0; round < 40; round++) repertoire_weigh(&repertoire);
    memset(&habits, 1, sizeof habits);
    const struct habits before = habits;
    repertoire_starts(&repertoire, rules, &habits);
    for (int sign = 0; sign < rules->board.zone_ranks * SIGN_START_PLACES; sign++)
        for (kind_id kind = 1; kind <= rules->kinds; kind++) {
            const double expected = HABIT_UNIT * ratio_of(sign, kind);
            const double found = habits.ratio[SIGN_START + sign][kind];
            if (fabs(found - expected) > 2 + 0.01 * expected)
                fail_msg("sign %d of %s: %g instead of %g", sign, rules->kind[kind].name, found,
                         expected);
        }
    assert_memory_equal(&habits.ratio[SIGN_MOVES], &before.ratio[SIGN_MOVES],
                        sizeof habits - offsetof(struct habits, ratio[SIGN_MOVES]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_begins_with_what_is_given),
        cmocka_unit_test(weights_go_with_the_exponential_of_scores),
        cmocka_unit_test(what_nobody_has_tried_is_not_played_more),
        cmocka_unit_test(it_is_drawn_by_weight),
        cmocka_unit_test(the_worst_give_way),
        cmocka_unit_test(starts_tell_what_is_laid_out),
    };
    return cmocka_run_group_tests_name("host/repertoire", tests, load, drop);
}
