/* Beliefs, terms and chances of moves in random games of stock variants and of small made-up ones,
 * held against a slow second implementation (slow_value.h). */
#include "core/value/evaluation.h"
#include "custom.h"
#include "games/sanitized.h"
#include "slow_value.h"
#include "support.h"
#include "trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OPEN_MOVES = 6 };

static struct {
    struct belief belief;
    struct evaluation evaluation;
    struct slow slow;
    int walks, battles, ends, abilities; /* compared */
} seen;

/* Weights by chance, up to an eighth of a logit each; and habits that tell much. */
static void draw_value(void) {
    int32_t *weights = &trial.value.weights.own[0][0];
    for (int i = 0; i < TERMS; i++)
        weights[i] = (int32_t)random_below(&trial.random, VALUE_LOGIT / 4) - VALUE_LOGIT / 8;
    trial.value.weights.whole[WHOLE_FLAG_PERIL] *= 10; /* none or some of it, or all */
    trial_draw_habits(&trial.random, &trial.value.habits);
}

static void read_view(struct evaluation *evaluation, enum side side) {
    const struct view *view = &trial.eyes.view[side];
    belief_make(&seen.belief, view, &trial.value.habits);
    evaluation_make(evaluation, view, &trial.measure, &seen.belief, &trial.value.weights);
}

static void expect_belief(const struct view *view) {
    static double chance[2 * BOARD_SQUARES_MAX][KINDS_MAX];
    const struct belief *belief = &seen.belief;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    slow_belief(view, &trial.value.habits, chance);
    view_all_may_be(view, may_be);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == view->side || view_piece_counted(piece)) continue;
        const int group = belief->group_of[i];
        int sum = 0;
        assert_int_equal(belief->known[group], !(may_be[i] & (may_be[i] - 1)));
        for (int kind = 0; kind < KINDS_MAX; kind++) {
            const int found = belief->chance[group][kind];
            sum += found;
            if (found) assert_true(may_be[i] >> kind & 1);
            if (fabs(found - chance[i][kind] * CHANCE_ONE) > 2)
                fail_msg("piece %d, kind %d: %d, not %f", i, kind, found,
                         chance[i][kind] * CHANCE_ONE);
        }
        if (belief->known[group]) assert_int_equal(sum, CHANCE_ONE);
        assert_in_range(sum, CHANCE_ONE - KINDS_MAX, CHANCE_ONE + KINDS_MAX);
    }
}

/* As far as integers may fall short: a little for each piece that a term sums. */
static double slack_of(int term) {
    const bool own = term < KINDS_MAX * OWN_TERMS;
    return own ? 4 + 2.0 * trial.rules->start[RED].count[term / OWN_TERMS] : 24;
}

static void expect_terms(const struct terms *terms, const struct slow_terms *slow) {
    for (int i = 0; i < TERMS; i++) {
        const int32_t found = (&terms->own[0][0])[i];
        const double wanted = (&slow->own[0][0])[i] * TERM_UNIT;
        if (fabs(found - wanted) > slack_of(i) + fabs(wanted) * 0.002)
            fail_msg("%s, ply %u: term %d (of %d and %d for a kind): %d, not %f", trial.rules->name,
                     trial.game.ply_count, i, OWN_TERMS, ENEMY_TERMS, found, wanted);
    }
}

static int64_t weighed(const struct terms *terms) {
    int64_t sum = 0;
    for (int i = 0; i < TERMS; i++)
        sum += (int64_t)(&terms->own[0][0])[i] * (&trial.value.weights.own[0][0])[i];
    return sum;
}

/* A sum in the middle, where chances tell sums apart best. */
static void balance(void) {
    const int64_t over = evaluation_sum(&seen.evaluation, NULL) / TERM_UNIT;
    trial.value.weights.whole[WHOLE_ONE] -= (int32_t)over;
}

static int phase_of(uint32_t plies) {
    static const uint32_t from[] = {12, 24, 48, 72, 96, 180, 192, 384};
    int phase = 0;
    for (int i = 0; i < 8; i++) phase += plies >= from[i];
    return phase;
}

/* The same value as an evaluation of the view that the side has afterwards. */
static void expect_walk(struct move move, int32_t chance) {
    static struct game twin;
    static struct ply plies[TRIAL_PLIES];
    static struct eyes before;
    static struct evaluation anew;
    const enum side side = (enum side)trial.game.to_move;
    struct terms walked = {0}, fresh = {0};
    int64_t sum = 0;
    const bool plain = evaluation_walk(&seen.evaluation, move, &sum, &walked);
    assert_true(plain);
    assert_int_equal(sum, weighed(&walked));
    twin = trial.game;
    memcpy(plies, trial.plies, trial.game.ply_count * sizeof *plies);
    twin.plies = plies;
    before = trial.eyes;
    eyes_play(&trial.eyes, &twin, move);
    const bool same_time =
        phase_of(trial.eyes.view[side].plies) == phase_of(before.view[side].plies);
    if (same_time && !trial.eyes.view[side].result && !trial.rules->sight && !trial.rules->calls) {
        read_view(&anew, side);
        const int64_t wanted = evaluation_sum(&anew, &fresh);
        for (int i = 0; i < TERMS; i++)
            if ((&fresh.own[0][0])[i] != (&walked.own[0][0])[i])
                fail_msg("%s, ply %u, %d-%d: term %d: %d, not %d", trial.rules->name,
                         trial.game.ply_count, move.from, move.to, i, (&walked.own[0][0])[i],
                         (&fresh.own[0][0])[i]);
        assert_int_equal(sum, wanted);
        assert_int_equal(chance, evaluation_chance(&anew));
        seen.walks++;
    }
    trial.eyes = before;
    read_view(&anew, side); /* the belief */
}

static void expect_move(struct move move) {
    static struct evaluation kept;
    const bool enters =
        move.to != move.from && seen.evaluation.enemy_on[move.to] != EVALUATION_NOBODY;
    memcpy(&kept, &seen.evaluation, sizeof kept);
    const int32_t chance = evaluation_move(&seen.evaluation, move);
    assert_memory_equal(&kept, &seen.evaluation, sizeof kept);
    const double wanted = slow_move(&seen.slow, move), found = (double)chance / CHANCE_CERTAIN;
    if (fabs(found - wanted) > 0.006)
        fail_msg("%s, ply %u: move %d-%d@%d, ability %d, choice %d: %f, not %f", trial.rules->name,
                 trial.game.ply_count, move.from, move.to, move.target, move.ability, move.choice,
                 found, wanted);
    if (move.ability != ABILITY_NONE) {
        seen.abilities++;
    } else if (enters) {
        seen.battles++;
    } else {
        expect_walk(move, chance);
        assert_memory_equal(&kept, &seen.evaluation, sizeof kept);
    }
}

/* The kinds with which a battle has this outcome. */
static kindset kinds_with(struct move move, kind_id attacker, enum outcome outcome) {
    kindset kinds = 0;
    for (kind_id met = 1; met <= trial.rules->kinds; met++) {
        enum outcome of = rules_outcome_on(trial.rules, (enum side)trial.game.to_move, move.from,
                                           move.to, attacker, met);
        if (of == CANNOT_ATTACK) of = DEFENDER_WINS;
        if (of == ASK_THE_VARIANT) of = BOTH_FALL;
        if (of == outcome) kinds |= kindset_of(met);
    }
    return kinds;
}

/* What the slow way says of an attack on a piece that is of one of these kinds; false if it is
 * not. */
static bool slow_given(struct move move, kindset kinds, double *chance, double *flag) {
    static struct slow given;
    given = seen.slow;
    int enemy = 0;
    while (given.enemy[enemy].at != move.to) enemy++;
    double *of = given.enemy[enemy].chance;
    const double part = slow_part(&given, enemy, kinds);
    if (part < 1e-3) return false;
    *flag = 0;
    for (int kind = 0; kind < KINDS_MAX; kind++) {
        of[kind] = kinds >> kind & 1 ? of[kind] / part : 0;
        if (kind && kind <= trial.rules->kinds && trial.rules->kind[kind].flag) *flag += of[kind];
    }
    *chance = slow_move(&given, move);
    return true;
}

/* After each end the chance is what the slow way says if the enemy is of such a kind; and luck is
 * nothing on the average. */
static void expect_stakes(struct move move) {
    struct stakes stakes;
    const double certain = CHANCE_CERTAIN,
                 before = evaluation_move(&seen.evaluation, move) / certain;
    const int enemy = seen.evaluation.enemy_on[move.to];
    const bool unknown = enemy < seen.evaluation.still;
    const kind_id mover = cell_kind(trial.game.at[move.from]);
    evaluation_stakes(&seen.evaluation, move, &stakes);
    double mean = 0;
    for (kind_id met = 1; met <= trial.rules->kinds; met++)
        mean += (double)seen.evaluation.chance[enemy][met] / CHANCE_ONE *
                stakes.luck[evaluation_end(trial.rules, (enum side)trial.game.to_move, move, mover,
                                           met)] /
                certain;
    assert_true(fabs(mean) < 0.001);
    for (int outcome = ATTACKER_WINS; outcome <= BOTH_FALL; outcome++) {
        double wanted, flag;
        if (!unknown) assert_int_equal(stakes.luck[outcome], 0);
        if (!unknown ||
            !slow_given(move, kinds_with(move, mover, (enum outcome)outcome), &wanted, &flag))
            continue;
        if (outcome == DEFENDER_WINS || (outcome == BOTH_FALL && trial.rules->kind[mover].flag))
            flag = 0;
        const double after = before + stakes.luck[outcome] / certain;
        const double found = flag + (1 - flag) * after;
        if (fabs(found - wanted) > 0.012)
            fail_msg("%s, ply %u: %d-%d, outcome %d: %f, not %f", trial.rules->name,
                     trial.game.ply_count, move.from, move.to, outcome, found, wanted);
        seen.ends++;
    }
    if (unknown) assert_true(fabs(stakes.luck[END_FLAG] / certain - (1 - before)) < 1e-6);
}

/* Some of each sort, other ones each time. */
static void expect_moves(void) {
    const struct view *view = &trial.eyes.view[trial.game.to_move];
    int walks = 0, battles = 0, abilities = 0;
    const uint32_t first = random_below(&trial.random, (uint32_t)trial.count);
    for (size_t i = 0; i < trial.count; i++) {
        const struct move move = trial.moves[(first + 7 * i) % trial.count];
        const bool fights = view_enters_enemy(view, move); /* none out of sight */
        int *sort = move.ability != ABILITY_NONE ? &abilities : fights ? &battles : &walks;
        if (++*sort > OPEN_MOVES) continue;
        expect_move(move);
        if (fights) expect_stakes(move);
    }
}

static void expect_position(enum side side) {
    struct terms terms = {0};
    struct slow_terms slow;
    const struct view *view = &trial.eyes.view[side];
    memset(&seen.evaluation, 0xa5, sizeof seen.evaluation);
    draw_value();
    read_view(&seen.evaluation, side);
    balance();
    expect_belief(view);
    slow_make(&seen.slow, view, &trial.measure, &seen.belief, &trial.value.weights);
    slow_terms(&seen.slow, &slow);
    read_view(&seen.evaluation, side);
    const int64_t sum = evaluation_sum(&seen.evaluation, &terms);
    expect_terms(&terms, &slow);
    assert_int_equal(sum, weighed(&terms));
    assert_int_equal(sum, evaluation_sum(&seen.evaluation, NULL));
    if (side == (enum side)trial.game.to_move) expect_moves();
    trial.positions++;
}

static void terms_and_chances_are_those_of_the_slow_way(void **state) {
    (void)state;
    seen.walks = seen.battles = seen.ends = seen.abilities = 0;
    for (int i = 0; i < STOCK_COUNT; i++)
        trial_play(stock_rules(STOCK[i]), (uint64_t)i, stock_rules(STOCK[i])->abilities ? 240 : 100,
                   expect_position);
    if (sanitized()) return;
    assert_true(seen.walks > 2000);
    assert_true(seen.battles > 500);
    assert_true(seen.ends > 500);
    assert_true(seen.abilities > 100);
}

static void they_are_on_boards_with_odd_pieces_and_abilities(void **state) {
    (void)state;
    static const struct {
        int files, ranks, zone;
        uint8_t count[CUSTOM_KINDS + 1];
    } boards[] = {{4, 5, 2, {0, 1, 1, 2, 2, 1, 1}},    {6, 6, 2, {0, 1, 2, 2, 3, 2, 2}},
                  {5, 8, 3, {0, 1, 0, 3, 0, 4, 0}},    {9, 7, 3, {0, 1, 3, 2, 0, 3, 2}},
                  {5, 6, 2, {0, 0, 1, 1, 4, 1, 2, 1}}, {7, 6, 2, {0, 2, 2, 1, 3, 1, 2, 2}}};
    seen.walks = seen.battles = seen.abilities = 0;
    for (int i = 0; i < 12; i++) {
        struct fault fault = {0};
        const int files = boards[i / 2].files, ranks = boards[i / 2].ranks;
        const int lake = files * (ranks / 2) + files / 2;
        squareset lakes = 0;
        if (i >= 4)
            lakes = squareset_of((square)lake) | squareset_of((square)(files * ranks - 1 - lake));
        struct rules *rules = custom_rules(files, ranks, boards[i / 2].zone, lakes,
                                           boards[i / 2].count, i % 2 == 1, &fault);
        if (!rules) fail_msg("board %d: %s", i, fault.text);
        trial_play(rules, 100u + (uint64_t)i, 200, expect_position);
        rules_free(rules);
    }
    if (sanitized()) return;
    assert_true(seen.walks > 500);
    assert_true(seen.battles > 200);
    assert_true(seen.abilities > 200);
}

/* Sight that is limited, pieces that learn in secret, return, are held or win in silence. */
static void they_are_in_the_examples(void **state) {
    (void)state;
    static const char *const examples[] = {"airborne", "border", "fog",    "lookout",
                                           "medic",    "netter", "rescue", "silent_defence"};
    seen.walks = seen.battles = seen.abilities = 0;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        struct rules *rules = example_rules(examples[i]);
        trial_play(rules, 200 + i, 250, expect_position);
        rules_free(rules);
    }
    if (sanitized()) return;
    assert_true(seen.abilities > 20);
}

/* The table of the logistic function, and its ends. */
static void a_sum_stands_for_a_chance(void **state) {
    (void)state;
    const int64_t unit = (int64_t)VALUE_LOGIT * TERM_UNIT;
    measure_make(&trial.measure, stock_rules("duel"));
    int32_t before = 0;
    for (int64_t sum = -20 * unit; sum <= 20 * unit; sum += unit / 97) {
        const int32_t chance = value_chance(&trial.measure, sum);
        const double wanted = 1 / (1 + exp(-(double)sum / (double)unit));
        assert_true(chance >= before && chance <= CHANCE_CERTAIN);
        assert_true(fabs((double)chance / CHANCE_CERTAIN - wanted) < 0.0001);
        before = chance;
    }
    assert_true(value_chance(&trial.measure, INT64_MAX / 2) > CHANCE_CERTAIN / 1000 * 999);
    assert_true(value_chance(&trial.measure, INT64_MIN / 2) < CHANCE_CERTAIN / 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_and_chances_are_those_of_the_slow_way),
        cmocka_unit_test(they_are_on_boards_with_odd_pieces_and_abilities),
        cmocka_unit_test(they_are_in_the_examples),
        cmocka_unit_test(a_sum_stands_for_a_chance),
    };
    return cmocka_run_group_tests_name("core/value", tests, NULL, stock_teardown);
}
