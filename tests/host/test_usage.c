/* What players use for their moves, from the referee's count. */
#include "host/usage.h"

#include "host/players.h"
#include "host/referee.h"
#include "scripted.h"
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void sums_and_maxima_are_kept_and_fuel_only_of_metered_players(void **state) {
    (void)state;
    struct usage bot = {0}, program = {0};
    usage_count(&bot, true, 10, 2000000);
    usage_count(&bot, true, 31, 1000000);
    usage_count(&program, false, 99, 4000000);
    assert_int_equal(bot.fuel_greatest, 31);
    assert_true(usage_fuel_mean(&bot) == 20.5 && usage_ms_mean(&bot) == 1.5);
    assert_true(usage_ms(bot.ns_greatest) == 2);
    assert_true(isnan(usage_fuel_mean(&program)) && program.fuel_greatest == 0);
    usage_add(&bot, &bot);
    assert_int_equal(bot.calls, 4);
    assert_int_equal(bot.fuel_greatest, 31);
    assert_true(usage_fuel_mean(&bot) == 20.5 && usage_ms_mean(&bot) == 1.5);
    assert_true(isnan(usage_ms_mean(&(struct usage){0})));
}

/* Asks its bot, and counts for itself. */
static bool (*bot_moves)(void *self, const struct view *view, const struct move *moves,
                         size_t count, struct answer *answer, struct fault *fault);
static uint64_t calls, fuel, fuel_greatest;

static bool watched_move(void *self, const struct view *view, const struct move *moves,
                         size_t count, struct answer *answer, struct fault *fault) {
    bool answered = bot_moves(self, view, moves, count, answer, fault);
    calls++;
    fuel += answer->fuel;
    if (fuel_greatest < answer->fuel) fuel_greatest = answer->fuel;
    return answered;
}

static struct usage usage_of(const char *bot, struct sandbox_limits limits, enum reason *reason) {
    const struct chance chance = {{1}};
    struct fault fault = {0};
    struct setup setup;
    struct random random = random_stream(4, STREAM_RED_SETUP, 0);
    struct player player = {0};
    struct scripted other;
    struct referee_report report;
    calls = fuel = fuel_greatest = 0;
    assert_true(setup_random(duel, RED, &random, &setup, &fault));
    scripted_start(&other, "other", &setup, 3);
    const struct player_options seat = {.folders = support_folders(), .limits = limits};
    if (!player_bot(&player, &seat, bot, &chance, &fault)) fail_msg("%s", fault.text);
    bot_moves = player.move;
    player.move = watched_move;
    struct player *const players[2] = {&player, &other.player};
    if (!referee_play(duel, players, &(struct referee_options){0}, NULL, &report, &fault))
        fail_msg("%s", fault.text);
    player.close(player.self);
    scripted_clear(&other);
    assert_false(report.usage[BLUE].metered);
    assert_int_equal(report.usage[BLUE].fuel, 0);
    assert_true(report.usage[RED].calls + report.usage[BLUE].calls >= report.plies);
    *reason = report.reason;
    return report.usage[RED];
}

static void the_referee_counts_every_call_with_its_fuel_and_its_time(void **state) {
    (void)state;
    enum reason reason;
    struct usage usage = usage_of("raider", SANDBOX_DEFAULTS, &reason);
    assert_true(calls > 3 && usage.metered && usage.calls == calls);
    assert_true(fuel > 0 && usage.fuel == fuel && usage.fuel_greatest == fuel_greatest);
    assert_true(usage.ns_greatest > 0 && usage.ns >= usage.ns_greatest);
    assert_true(usage.ns_greatest * usage.calls >= usage.ns);
}

static void a_call_that_runs_out_of_fuel_counts_with_what_it_burnt(void **state) {
    (void)state;
    enum reason reason;
    const struct sandbox_limits limits = {200000, 64u << 20};
    struct usage usage = usage_of("tests/data/endless.lua", limits, &reason);
    assert_int_equal(reason, REASON_FORFEIT_FUEL);
    assert_int_equal(usage.calls, calls);
    assert_in_range(usage.fuel_greatest, limits.fuel - 1000, limits.fuel);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_maxima_are_kept_and_fuel_only_of_metered_players),
        cmocka_unit_test(the_referee_counts_every_call_with_its_fuel_and_its_time),
        cmocka_unit_test(a_call_that_runs_out_of_fuel_counts_with_what_it_burnt),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
