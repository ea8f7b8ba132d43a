/* What a coordinator plays itself: whatever workers say, it does not wait for it, and it comes to
 * an end. */
#include "base/clock.h"
#include "host/machines/audit.h"
#include "host/machines/worker_list.h"
#include "host/player_process.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAIRS = 200 };

static struct tournament_options options;
static struct tournament *match;
static struct batch batch;
static atomic_bool stop;

static int open_match(void **state) {
    static const char *const players[] = {"rookie", "raider"};
    (void)state;
    struct fault fault = {0};
    options = (struct tournament_options){.folders = support_folders(),
                                          .rules = support_rules("duel"),
                                          .players = players,
                                          .player_count = 2,
                                          .games = 2 * PAIRS,
                                          .limits = {50000000, 64 << 20},
                                          .deadline = 10000};
    match = tournament_open(&options, &fault);
    batch = (struct batch){match, &options, NULL, &stop};
    return match ? 0 : -1;
}

static int close_match(void **state) {
    (void)state;
    tournament_free(match);
    rules_free((struct rules *)(uintptr_t)options.rules);
    return 0;
}

static struct audit *open_audit(void) {
    struct fault fault = {0};
    struct audit *audit = audit_open(&batch, &fault);
    assert_non_null(audit);
    return audit;
}

/* Takes all, waiting for each, as a match does before it ends. How many there were. */
static int take_all(struct audit *audit, struct audited *all, int most) {
    int count = 0;
    while (audit_wait(audit, 60000)) {
        struct fault fault = {0};
        assert_true(count < most);
        assert_true(audit_take(audit, &all[count], &fault));
        assert_true(all[count].digest);
        count++;
    }
    return count;
}

static void a_match_waits_until_all_that_is_to_be_played_again_was(void **state) {
    (void)state;
    struct audited all[8];
    struct audit *audit = open_audit();
    assert_int_equal(audit_wait(audit, 60000), 0); /* there is nothing to wait for */
    for (uint32_t pair = 0; pair < 6; pair++)
        audit_add(audit, &(struct audited){.why = AUDIT_DRAWN, .pair = pair});
    assert_int_equal(take_all(audit, all, 8), 6);
    for (uint32_t pair = 0; pair < 6; pair++) assert_int_equal(all[pair].pair, pair);
    audit_close(audit);
}

/* One thread plays, so they come one by one; what waits is bounded whoever says whatever. */
static void what_workers_say_by_the_thousand_is_not_waited_for(void **state) {
    enum { MOST = (AUDIT_KINDS + 1) * AUDIT_WAITING };
    (void)state;
    struct audited all[MOST];
    struct audit *audit = open_audit();
    for (uint32_t i = 0; i < 5000; i++)
        for (int why = 0; why < AUDIT_KINDS; why++)
            audit_add(audit, &(struct audited){(enum audit_why)why, i % PAIRS, i + 1, .claim = 1});
    audit_add_surely(audit, PAIRS - 1);
    assert_in_range(audit_wait(audit, 0), 2, MOST);
    const int count = take_all(audit, all, MOST);
    bool surely = false;
    int each[AUDIT_KINDS] = {0};
    for (int i = 0; i < count; i++) {
        surely = surely || (all[i].pair == PAIRS - 1 && !all[i].worker);
        each[all[i].why]++;
        for (int game = 0; all[i].why == AUDIT_LACK && game < 2; game++) {
            assert_int_equal(all[i].games[game]->number, 2 * all[i].pair + (uint32_t)game);
            finished_free(all[i].games[game]);
        }
    }
    assert_true(surely);
    for (int why = 0; why < AUDIT_KINDS; why++) /* no kind held another up, or displaced it */
        assert_in_range(each[why], AUDIT_WAITING, count);
    audit_close(audit);
}

/* Keys cost nothing: claims of thousands must not hide the one of a worker that plays. */
static void a_claim_is_heard_before_those_of_workers_that_have_sent_less(void **state) {
    (void)state;
    struct audited all[3 * AUDIT_WAITING];
    struct audit *audit = open_audit();
    for (uint32_t i = 0; i < 1000; i++)
        audit_add(audit, &(struct audited){AUDIT_CLAIM, i % PAIRS, i + 2, .claim = 1});
    audit_add(audit, &(struct audited){AUDIT_CLAIM, 77, 1, .claim = 1, .merit = 1});
    for (uint32_t i = 0; i < 1000; i++)
        audit_add(audit, &(struct audited){AUDIT_CLAIM, i % PAIRS, i + 1002, .claim = 1});
    const int count = take_all(audit, all, 3 * AUDIT_WAITING);
    int heard = 0;
    for (int i = 0; i < count; i++) heard += all[i].worker == 1;
    assert_int_equal(heard, 1);
    audit_close(audit);
}

static void one_worker_has_one_dispute_and_one_pair_is_lacked_once(void **state) {
    (void)state;
    struct audited all[8];
    struct audit *audit = open_audit();
    for (uint32_t i = 0; i < 1000; i++) {
        audit_add(audit, &(struct audited){.why = AUDIT_LACK, .pair = 7, .worker = 2});
        audit_add(audit, &(struct audited){AUDIT_CLAIM, i % PAIRS, 1, .claim = 1});
    }
    /* One waits, and one or a few were played meanwhile. */
    assert_in_range(audit_wait(audit, 0), 1, 8);
    audit_close(audit);
    audit = open_audit();
    for (uint32_t worker = 1; worker <= 3; worker++)
        audit_add(audit, &(struct audited){AUDIT_CLAIM, 4, worker, .claim = worker});
    assert_int_equal(take_all(audit, all, 8), 3);
    for (int i = 0; i < 3; i++) assert_int_equal(all[i].claim, all[i].worker);
    audit_close(audit);
}

static void what_is_being_played_is_given_up_at_the_end(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct audit *audit = open_audit();
        for (uint32_t pair = 0; pair < 10; pair++)
            audit_add(audit,
                      &(struct audited){.why = pair % 2 ? AUDIT_LACK : AUDIT_DRAWN, .pair = pair});
        audit_close(audit);
    }
}

/* Keys by the thousand take no place from a worker whose letter is being read. */
static void a_worker_that_sends_games_keeps_its_number(void **state) {
    enum { PLACES = (1 << 15) - 1, GONE_MS = 100000 };
    (void)state;
    struct worker_list *list = worker_list_open();
    const struct messages_greeting greeting = {.version = "1", .worker = "one", .threads = 1};
    struct seal_keys keys = {.to_match = {1}}, found;
    uint8_t key[2][SEAL_KEY] = {{1}, {2}}, is[SEAL_KEY];
    uint32_t number[2];
    for (int i = 0; i < 2; i++) {
        number[i] = worker_list_greet(list, key[i], &keys, &greeting, 1);
        assert_int_equal(worker_list_sender(list, key[i], &found), 0); /* it is not admitted */
    }
    worker_list_admit(list, number[1]);
    assert_int_equal(worker_list_sender(list, key[1], &found), number[1]);
    assert_int_equal(found.to_match[0], 1);
    uint8_t other[SEAL_KEY] = {3};
    for (uint32_t i = 0; i < PLACES + 8; i++) {
        memcpy(other + 8, &i, sizeof i);
        assert_true(worker_list_greet(list, other, &keys, &greeting, GONE_MS + i));
    }
    worker_list_key(list, number[0], is);
    assert_memory_not_equal(is, key[0], SEAL_KEY); /* there was no room any more */
    worker_list_key(list, number[1], is);
    assert_memory_equal(is, key[1], SEAL_KEY);
    assert_true(worker_list_is_admitted(list, number[1]));
    worker_list_close(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_match_waits_until_all_that_is_to_be_played_again_was),
        cmocka_unit_test(what_workers_say_by_the_thousand_is_not_waited_for),
        cmocka_unit_test(a_claim_is_heard_before_those_of_workers_that_have_sent_less),
        cmocka_unit_test(one_worker_has_one_dispute_and_one_pair_is_lacked_once),
        cmocka_unit_test(what_is_being_played_is_given_up_at_the_end),
        cmocka_unit_test(a_worker_that_sends_games_keeps_its_number),
    };
    return cmocka_run_group_tests(tests, open_match, close_match);
}
