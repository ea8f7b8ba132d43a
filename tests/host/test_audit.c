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
        for (int game = 0; game < 2; game++) {
            assert_int_equal(all[count].games[game]->number, 2 * all[count].pair + (uint32_t)game);
            finished_free(all[count].games[game]);
        }
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

enum { PLACES = (1 << 15) - 1, GONE_MS = 100000 };

static const struct messages_greeting greeting = {.version = "1", .worker = "one", .threads = 1};

/* A worker that greets; admitted if `admit`, and it has sent these pairs. Its number. */
static uint32_t enter(struct worker_list *list, uint32_t which, int64_t now, bool admit,
                      int pairs) {
    const struct seal_keys keys = {.to_match = {1}};
    struct seal_keys found;
    uint8_t key[SEAL_KEY] = {7};
    memcpy(key + 8, &which, sizeof which);
    const uint32_t number = worker_list_greet(list, key, &keys, &greeting, now);
    if (number && admit) worker_list_admit(list, number);
    if (number && pairs) assert_int_equal(worker_list_sender(list, key, &found), number);
    for (int i = 0; i < pairs; i++) worker_list_count(list, number);
    return number;
}

static bool is_known(struct worker_list *list, uint32_t number) {
    uint8_t key[SEAL_KEY];
    return worker_list_key(list, number, key);
}

/* Keys by the thousand take no place from a worker whose letter is being read. */
static void a_worker_that_sends_games_keeps_its_number(void **state) {
    (void)state;
    struct worker_list *list = worker_list_open();
    const uint32_t stranger = enter(list, 1, 1, false, 0), sender = enter(list, 2, 1, true, 1);
    uint8_t first[SEAL_KEY], now[SEAL_KEY];
    worker_list_key(list, stranger, first);
    for (uint32_t i = 0; i < 2 * PLACES; i++)
        assert_true(enter(list, 10 + i, GONE_MS + i, false, 0));
    assert_true(worker_list_key(list, stranger, now));
    assert_memory_not_equal(first, now, SEAL_KEY); /* there was no room any more */
    assert_true(worker_list_is_admitted(list, sender));
    assert_int_equal(worker_list_pairs(list, sender), 1);
    assert_false(worker_list_lost(list));
    worker_list_close(list);
}

/* Nobody can fill the list for good, nor have another blamed for what it has sent. */
static void keys_that_have_sent_games_make_room(void **state) {
    (void)state;
    struct worker_list *list = worker_list_open();
    const uint32_t liar = enter(list, 0, 1, true, 5), least = enter(list, 1, 1, true, 1);
    for (uint32_t i = 2; i < PLACES; i++) enter(list, i, 1, true, 2);
    assert_int_equal(enter(list, PLACES, 2, false, 0), 0); /* all are here */
    worker_list_ban(list, liar);
    const uint32_t second = enter(list, PLACES, 3, true, 2);
    assert_true(second);
    assert_int_not_equal(second, liar);
    assert_false(is_known(list, liar));
    assert_true(worker_list_is_banned(list, liar));
    worker_list_ban(list, liar); /* a late word on it is of nobody else */
    assert_false(worker_list_is_banned(list, second));
    assert_true(worker_list_lost(list));
    assert_false(worker_list_lost(list));
    /* Of those that are gone the one that has sent least; its games do not count any more. */
    assert_true(enter(list, PLACES + 1, GONE_MS, true, 2));
    assert_false(is_known(list, least));
    assert_true(worker_list_is_banned(list, least));
    assert_int_equal(worker_list_count(list, least), 0);
    assert_true(worker_list_lost(list));
    worker_list_close(list);
}

/* Jobs get shorter with the threads that there are said to be. */
static void threads_are_believed_with_the_pairs_that_are_sent(void **state) {
    static const struct messages_greeting many = {.version = "1", .worker = "m", .threads = 256};
    static const struct seal_keys keys = {.to_match = {1}};
    static const uint8_t key[SEAL_KEY] = {9};
    (void)state;
    struct worker_list *list = worker_list_open();
    const uint32_t number = worker_list_greet(list, key, &keys, &many, 1);
    assert_int_equal(worker_list_threads(list, 1), 0); /* it is not admitted */
    worker_list_admit(list, number);
    assert_in_range(worker_list_threads(list, 1), 1, 8);
    for (int i = 0; i < 10; i++) worker_list_count(list, number);
    assert_in_range(worker_list_threads(list, 1), 16, 128);
    for (int i = 0; i < 50; i++) worker_list_count(list, number);
    assert_int_equal(worker_list_threads(list, 1), 256);
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
        cmocka_unit_test(keys_that_have_sent_games_make_room),
        cmocka_unit_test(threads_are_believed_with_the_pairs_that_are_sent),
    };
    return cmocka_run_group_tests(tests, open_match, close_match);
}
