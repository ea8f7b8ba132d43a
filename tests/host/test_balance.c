/* Balance games of a variant: their figures add up, and are those of the games they stand for. */
#include "host/check/balance.h"

#include "base/clock.h"
#include "host/check/trial.h"
#include "host/match/statistics.h"
#include "jail/channel.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct folders folders;

static int find_folders(void **state) {
    (void)state;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    return folders_find(&folders, &fault) ? 0 : -1;
}

static struct rules *load(const char *name) {
    struct fault fault = {0};
    struct rules *rules = variant_load(&folders, name, &fault);
    if (!rules) fail_msg("%s: %s", name, fault.text);
    return rules;
}

static void run(const struct balance_options *options, struct balance *balance) {
    struct fault fault = {0};
    if (!balance_run(options, balance, &fault)) fail_msg("%s", fault.text);
}

static uint64_t sum_of(const uint64_t counts[KINDS_MAX]) {
    uint64_t sum = 0;
    for (int kind = 0; kind < KINDS_MAX; kind++) sum += counts[kind];
    return sum;
}

static void the_figures_add_up(void **state) {
    (void)state;
    static const char *const names[] = {"duel", "galaxy", "lightning", "russian"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct rules *rules = load(names[i]);
        struct balance balance;
        run(&(struct balance_options){.rules = rules, .games = 500, .seed = 3}, &balance);
        uint64_t ends = 0;
        for (int reason = 0; reason < REASON_COUNT; reason++) ends += balance.reasons[reason];
        assert_int_equal(balance.games, 500);
        assert_int_equal(ends, 500);
        assert_int_equal(balance.wins[RED] + balance.wins[BLUE] + balance.draws, 500);
        assert_int_equal(balance.first_wins + balance.first_losses + balance.draws, 500);
        assert_true(balance.shortest <= balance.quartile[0]);
        assert_true(balance.quartile[0] <= balance.quartile[1]);
        assert_true(balance.quartile[1] <= balance.quartile[2]);
        assert_true(balance.quartile[2] <= balance.longest);
        assert_int_equal(balance.falls[0] + balance.attacks[0], 0);
        rules_free(rules);
    }
}

/* In `original` who attacks a piece or is attacked falls, and nobody comes back: one or two fall to
 * an attack, and a flag to each of those that decide a game. */
static void falls_follow_from_attacks(void **state) {
    (void)state;
    struct rules *rules = load("original");
    struct balance balance;
    run(&(struct balance_options){.rules = rules, .games = 1000, .seed = 4}, &balance);
    uint64_t attacks = sum_of(balance.attacks), falls = sum_of(balance.falls);
    assert_true(falls >= attacks && falls <= 2 * attacks);
    kind_id flag = rules_kind(rules, "flag", 4), bomb = rules_kind(rules, "bomb", 4);
    assert_int_equal(balance.falls[flag], balance.reasons[REASON_FLAG]);
    assert_int_equal(balance.attacks[flag] + balance.attacks[bomb], 0);
    rules_free(rules);
}

/* Trial games list their moves and are counted ply by ply: both draw from the same law. */
static void the_figures_are_those_of_trial_games(void **state) {
    (void)state;
    enum { TRIALS = 400, GAMES = 20000 };
    static struct trial trial;
    struct rules *rules = load("quick");
    struct balance balance;
    struct fault fault = {0};
    run(&(struct balance_options){.rules = rules, .games = GAMES, .seed = 5}, &balance);
    assert_true(trial_run(&(struct trial_options){.rules = rules, .games = TRIALS, .seed = 5},
                          &trial, &fault));
    struct points many = statistics_points(balance.first_wins, balance.draws, balance.first_losses);
    struct points few = statistics_points(trial.first_wins, trial.draws, trial.first_losses);
    assert_true(many.high - many.low < 0.015);
    assert_true(many.low <= few.high && few.low <= many.high);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        float attacks = (float)balance.attacks[kind] / GAMES;
        float falls = (float)balance.falls[kind] / GAMES;
        assert_float_equal((float)trial.attacks[kind] / TRIALS, attacks, 0.15f * attacks + 0.1f);
        assert_float_equal((float)trial.falls[kind] / TRIALS, falls, 0.1f * falls + 0.1f);
    }
    rules_free(rules);
}

static void the_same_seed_gives_the_same_figures(void **state) {
    (void)state;
    struct rules *rules = load("barrage");
    struct balance one, other;
    struct balance_options options = {.rules = rules, .games = 5000, .seed = 6};
    run(&options, &one);
    run(&options, &other);
    assert_memory_equal(&one, &other, sizeof one);
    options.seed = 7;
    run(&options, &other);
    assert_memory_not_equal(&one, &other, sizeof one);
    rules_free(rules);
}

/* Where either side may begin, each does in half of the games. */
static void who_begins_is_whom_the_rules_say(void **state) {
    (void)state;
    struct rules *rules = load("duel");
    struct balance red, blue, chosen;
    struct balance_options options = {.rules = rules, .games = 2000, .seed = 8};
    rules->first = FIRST_RED;
    run(&options, &red);
    assert_int_equal(red.first_wins, red.wins[RED]);
    rules->first = FIRST_BLUE;
    run(&options, &blue);
    assert_int_equal(blue.first_wins, blue.wins[BLUE]);
    rules->first = FIRST_CHOSEN;
    run(&options, &chosen);
    assert_int_not_equal(chosen.first_wins, chosen.wins[RED]);
    assert_int_not_equal(chosen.first_wins, chosen.wins[BLUE]);
    rules_free(rules);
}

static void no_game_begins_after_the_deadline(void **state) {
    (void)state;
    struct rules *rules = load("duel");
    struct balance balance;
    run(
        &(struct balance_options){
            .rules = rules, .games = 1000000, .seed = 9, .deadline = clock_ms() + 100},
        &balance);
    assert_in_range(balance.games, 1, 999999);
    run(&(struct balance_options){.rules = rules, .games = 10, .deadline = clock_ms() - 1},
        &balance);
    assert_int_equal(balance.games, 0);
    rules_free(rules);
}

static void a_set_up_that_cannot_be_drawn_is_a_fault(void **state) {
    (void)state;
    struct rules *rules = load("duel");
    struct balance balance;
    struct fault fault = {0};
    memset(rules->start[RED].muster, KIND_NONE,
           sizeof rules->start[RED].muster); /* nothing to lay out, so nothing that can move */
    assert_false(
        balance_run(&(struct balance_options){.rules = rules, .games = 1}, &balance, &fault));
    assert_int_equal(fault.status, STATUS_RULES);
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figures_add_up),
        cmocka_unit_test(falls_follow_from_attacks),
        cmocka_unit_test(the_figures_are_those_of_trial_games),
        cmocka_unit_test(the_same_seed_gives_the_same_figures),
        cmocka_unit_test(who_begins_is_whom_the_rules_say),
        cmocka_unit_test(no_game_begins_after_the_deadline),
        cmocka_unit_test(a_set_up_that_cannot_be_drawn_is_a_fault),
    };
    return cmocka_run_group_tests(tests, find_folders, NULL);
}
