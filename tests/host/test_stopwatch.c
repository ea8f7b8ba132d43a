/* The clock of a game that people watch, by a time that the test sets. */
#include "host/stopwatch.h"

#include "host/referee.h"
#include "scripted.h"
#include "support.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int64_t time_now;

static int64_t test_now(void) {
    return time_now;
}

static struct stopwatch watch;

/* Ten seconds for red, twenty for blue, two for each move. */
static int wind(void **state) {
    (void)state;
    const struct game_clock clock = {{10000, 20000}, 2000};
    stopwatch_open(&watch, &clock);
    watch.now = test_now;
    time_now = 123456;
    return 0;
}

static int drop(void **state) {
    (void)state;
    stopwatch_close(&watch);
    return 0;
}

static void assert_left(int64_t red, int64_t blue) {
    const struct game_clock clock = stopwatch_look(&watch);
    assert_int_equal(clock.left[RED], red);
    assert_int_equal(clock.left[BLUE], blue);
}

static void it_runs_for_the_side_that_thinks_and_adds_after_its_move(void **state) {
    (void)state;
    time_now += 5000; /* nobody thinks */
    stopwatch_run(&watch, RED);
    time_now += 3000;
    assert_left(7000, 20000);
    assert_int_equal(stopwatch_stop(&watch, RED), 7000);
    stopwatch_add(&watch, RED);
    time_now += 4000;
    assert_left(9000, 20000);
    stopwatch_run(&watch, BLUE);
    time_now += 20001;
    assert_int_equal(stopwatch_tick(&watch), 0);
    assert_int_equal(stopwatch_stop(&watch, BLUE), 0);
    stopwatch_add(&watch, BLUE); /* too late */
    assert_left(9000, 0);
}

static void it_stands_still_while_it_is_held(void **state) {
    (void)state;
    stopwatch_run(&watch, BLUE);
    time_now += 1000;
    stopwatch_hold(&watch);
    time_now += 9000;
    assert_left(10000, 19000);
    assert_int_equal(stopwatch_tick(&watch), -1);
    stopwatch_go(&watch);
    stopwatch_go(&watch);
    time_now += 500;
    assert_left(10000, 18500);
    assert_int_equal(stopwatch_tick(&watch), 500);
    stopwatch_hold(&watch);
    stopwatch_stop(&watch, BLUE);
    stopwatch_go(&watch); /* for nobody */
    time_now += 7000;
    assert_left(10000, 18500);
    assert_int_equal(stopwatch_tick(&watch), -1);
}

static void it_is_shown_in_minutes_and_a_begun_second_counts(void **state) {
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } shown[] = {
        {0, "0:00"},       {1, "0:01"},        {59000, "0:59"},      {59001, "1:00"},
        {600000, "10:00"}, {3599000, "59:59"}, {3600000, "1:00:00"}, {360061000, "100:01:01"}};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char text[STOPWATCH_TEXT_MAX];
        stopwatch_text(shown[i].ms, text);
        assert_string_equal(text, shown[i].text);
    }
}

/* A player that thinks for a second. */
static bool (*scripted_move)(void *self, const struct view *view, const struct move *moves,
                             size_t count, struct answer *answer, struct fault *fault);

static bool slow_move(void *self, const struct view *view, const struct move *moves, size_t count,
                      struct answer *answer, struct fault *fault) {
    time_now += 3000;
    return scripted_move(self, view, moves, count, answer, fault);
}

static void the_side_whose_time_is_up_loses(void **state) {
    (void)state;
    struct scripted players[2];
    struct setup setup;
    struct referee_report report;
    struct random random = random_stream(7, STREAM_RED_SETUP, 0);
    struct fault fault = {0};
    struct record *record = record_new();
    duel = support_rules("duel");
    assert_true(setup_random(duel, RED, &random, &setup, &fault));
    for (int side = RED; side <= BLUE; side++) {
        scripted_start(&players[side], side == RED ? "slow" : "slower", &setup, 3);
        scripted_move = players[side].player.move;
        players[side].player.move = slow_move;
        players[side].player.metered = true; /* time counts, not fuel */
    }
    const struct referee_options options = {.pace = {10000, 2000}, .watch = &watch};
    struct player *const seats[2] = {&players[RED].player, &players[BLUE].player};
    assert_true(referee_play(duel, seats, &options, record, &report, &fault));
    /* red: 10 -3+2 … 3 before its eighth move, which takes all of it */
    assert_int_equal(report.result, RESULT_BLUE);
    assert_int_equal(report.reason, REASON_FORFEIT_TIME);
    assert_int_equal(report.plies, 14);
    assert_left(0, 13000);
    assert_string_equal(record_tag(record, "Clock"), "10+2");
    assert_string_equal(record_tag(record, "Reason"), "forfeit-time");
    record_free(record);
    for (int side = RED; side <= BLUE; side++) scripted_clear(&players[side]);
    rules_free(duel);
}

int main(void) {
#define WOUND(test) cmocka_unit_test_setup_teardown(test, wind, drop)
    const struct CMUnitTest tests[] = {
        WOUND(it_runs_for_the_side_that_thinks_and_adds_after_its_move),
        WOUND(it_stands_still_while_it_is_held),
        WOUND(it_is_shown_in_minutes_and_a_begun_second_counts),
        WOUND(the_side_whose_time_is_up_loses),
    };
    return cmocka_run_group_tests_name("host/stopwatch", tests, NULL, NULL);
}
