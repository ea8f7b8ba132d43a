/* What a client is told of the clocks of a game: at once, the truth, and the same to everybody,
 * however it comes to the game. */
#include "base/clock.h"
#include "host/support.h"
#include "people.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct room_waits USUAL = {0};
static const struct room_waits AT_ONCE = {.doze = 1, .leave = 1};

enum { FULL = 600000 /* ms */, THOUGHT = 30 };

struct shown {
    long left[2];
    char running[8]; /* "" none */
};

/* What the last message, a `now`, shows. */
static struct shown shown(const struct person *person) {
    struct shown shown = {.running = ""};
    const json_t *clock = json_object_get(person->message, "clock");
    assert_true(json_is_object(clock));
    for (int side = RED; side <= BLUE; side++)
        shown.left[side] =
            (long)json_integer_value(json_object_get(clock, side_name((enum side)side)));
    const char *running = json_string_value(json_object_get(clock, "running"));
    if (running) snprintf(shown.running, sizeof shown.running, "%s", running);
    return shown;
}

/* The next one, with nothing of the game between its past and it but `end`. */
static struct shown told_now(struct person *person) {
    person_awaits(person, "now");
    return shown(person);
}

static void assert_same(struct shown one, struct shown other) {
    assert_int_equal(one.left[RED], other.left[RED]);
    assert_int_equal(one.left[BLUE], other.left[BLUE]);
    assert_string_equal(one.running, other.running);
}

/* Says it again and again until this side's clock shows that it thought a while. */
static struct shown ask_until_thought(struct person *person, enum side side, const char *request) {
    struct shown now;
    long before = -1;
    do {
        person_says(person, "%s", request);
        now = told_now(person);
        if (before < 0) before = now.left[side];
    } while (now.left[side] > before - THOUGHT);
    return now;
}

struct table {
    char game[64], seat[2][64];
};

static void keep_seats(struct table *table, const struct person *maker) {
    const json_t *seats = json_object_get(maker->message, "seats");
    snprintf(table->game, sizeof table->game, "%s", person_text(maker, "game"));
    for (int side = RED; side <= BLUE; side++) {
        const char *secret = json_string_value(json_object_get(seats, side_name((enum side)side)));
        snprintf(table->seat[side], sizeof table->seat[side], "%s", secret ? secret : "");
    }
}

/* A listed game of Ana, red, and Boris: two plies have been played, and Ana is asked. */
static struct table begin(struct person *ana, struct person *boris) {
    struct table table;
    person_says(ana, "{'type':'new','variant':'duel','red':'me','blue':'open',"
                     "'clock':{'seconds':600},'setups':{'red':'random'}}");
    person_awaits(ana, "created");
    keep_seats(&table, ana);
    const struct shown first = told_now(ana);
    assert_int_equal(first.left[RED], FULL);
    assert_int_equal(first.left[BLUE], FULL);
    assert_string_equal(first.running, "");
    assert_int_equal(person_number(ana, "ply"), -1);
    person_says(boris, "{'type':'join','game':'%s','name':'Boris'}", table.game);
    person_awaits(boris, "joined");
    snprintf(table.seat[BLUE], sizeof table.seat[BLUE], "%s", person_text(boris, "secret"));
    assert_string_equal(told_now(boris).running, "");
    person_plays(boris, 0);
    person_awaits(boris, "setup");
    person_answers(boris);
    assert_string_equal(told_now(boris).running, "red");
    person_plays(ana, 1);
    person_plays(boris, 1);
    person_awaits(ana, "move");
    return table;
}

static void who_sits_watches_or_comes_back_is_told_what_the_clocks_show(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, eve;
    char sit[128], from[160], watch[128];
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    const struct table table = begin(&ana, &boris);
    snprintf(sit, sizeof sit, "{'type':'sit','seat':'%s'}", table.seat[RED]);
    snprintf(from, sizeof from, "{'type':'sit','seat':'%s','from':1}", table.seat[RED]);
    snprintf(watch, sizeof watch, "{'type':'watch','game':'%s'}", table.game);
    struct shown before = ask_until_thought(&ana, RED, sit);
    assert_int_equal(person_number(&ana, "ply"), 2);
    assert_string_equal(before.running, "red");
    const char *const requests[] = {from, watch, sit};
    for (int i = 0; i < 3; i++) {
        const struct shown now = ask_until_thought(i == 1 ? &eve : &ana, RED, requests[i]);
        assert_true(now.left[RED] < before.left[RED]);
        assert_int_equal(now.left[BLUE], before.left[BLUE]); /* stands still meanwhile */
        assert_string_equal(now.running, "red");
        before = now;
    }
    person_says(&boris, "{'type':'sit','seat':'%s'}", table.seat[BLUE]);
    do person_hears(&boris);
    while (strcmp(person_text(&boris, "type"), "sat") != 0);
    const struct shown his = told_now(&boris);
    assert_true(his.left[RED] <= before.left[RED]);
    assert_string_equal(his.running, "red");
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void every_turn_tells_everybody_whose_clock_runs(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris, eve;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house), person_comes(&eve, &house);
    const struct table table = begin(&ana, &boris);
    person_says(&eve, "{'type':'watch','game':'%s'}", table.game);
    assert_string_equal(told_now(&eve).running, "red");
    person_answers(&ana);
    struct person *const all[] = {&eve, &boris, &ana};
    struct shown told[3];
    for (int i = 0; i < 3; i++) {
        do person_awaits(all[i], "events");
        while (person_number(all[i], "ply") < 3);
        told[i] = told_now(all[i]);
        assert_string_equal(told[i].running, "blue");
        assert_int_equal(told[i].left[RED], told[0].left[RED]);
        assert_true(told[i].left[RED] <= FULL);
    }
    person_goes(&eve), person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

/* Red has thought and gives up: from then on the clocks stand, and whoever looks at the game, also
 * after a restart, sees what red saw at the end. */
static void at_the_end_the_clocks_stop_and_stay(void **state) {
    (void)state;
    char folder[64], sit[128];
    struct house house;
    struct person ana, boris, eve;
    support_folder(folder);
    house_open(&house, folder, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house);
    const struct table table = begin(&ana, &boris);
    snprintf(sit, sizeof sit, "{'type':'sit','seat':'%s'}", table.seat[RED]);
    const struct shown before = ask_until_thought(&ana, RED, sit);
    person_says(&ana, "{'type':'resign','game':'%s'}", table.game);
    person_awaits(&ana, "end");
    const struct shown end = told_now(&ana);
    assert_string_equal(end.running, "");
    assert_true(end.left[RED] <= before.left[RED]);
    assert_int_equal(end.left[BLUE], before.left[BLUE]);
    person_goes(&ana), person_goes(&boris);
    for (int round = 0; round < 2; round++) {
        person_comes(&eve, &house);
        person_says(&eve, "{'type':'watch','game':'%s'}", table.game);
        person_awaits(&eve, "end");
        assert_same(told_now(&eve), end);
        person_goes(&eve);
        house_close(&house);
        if (!round) house_open(&house, folder, USUAL);
    }
    support_remove(folder);
}

static void a_game_without_a_clock_says_so(void **state) {
    (void)state;
    struct house house;
    struct person ana;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'rookie','setups':{'red':'random'}}");
    person_awaits(&ana, "now");
    assert_true(json_is_null(json_object_get(ana.message, "clock")));
    person_goes(&ana);
    house_close(&house);
}

/* The bot's time is told in whole seconds; taking back gives no time back; a bot that has slept
 * meanwhile changes nothing. */
static void against_a_bot_thinking_counts_before_a_take_back_too(void **state) {
    (void)state;
    char folder[64], sit[128];
    struct house house;
    struct person ana;
    struct table table;
    support_folder(folder);
    house_open(&house, folder, AT_ONCE);
    person_comes(&ana, &house);
    person_says(&ana, "{'type':'new','variant':'duel','blue':'rookie','setups':{'red':'random'},"
                      "'clock':{'seconds':600}}");
    person_awaits(&ana, "created");
    keep_seats(&table, &ana);
    person_plays(&ana, 2);
    person_awaits(&ana, "move");
    snprintf(sit, sizeof sit, "{'type':'sit','seat':'%s'}", table.seat[RED]);
    const struct shown before = ask_until_thought(&ana, RED, sit);
    assert_int_equal(before.left[BLUE] % 1000, 0);
    person_says(&ana, "{'type':'undo','game':'%s'}", table.game);
    person_awaits(&ana, "undone");
    const struct shown now = told_now(&ana);
    assert_true(now.left[RED] <= before.left[RED]);
    assert_string_equal(now.running, "red");
    person_goes(&ana);
    house_close(&house);
    support_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_sits_watches_or_comes_back_is_told_what_the_clocks_show),
        cmocka_unit_test(every_turn_tells_everybody_whose_clock_runs),
        cmocka_unit_test(at_the_end_the_clocks_stop_and_stay),
        cmocka_unit_test(a_game_without_a_clock_says_so),
        cmocka_unit_test(against_a_bot_thinking_counts_before_a_take_back_too),
    };
    return cmocka_run_group_tests_name("told_clock", tests, NULL, NULL);
}
