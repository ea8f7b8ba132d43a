/* What visitors may use: allowances, holdings, and who is remembered. */
#include "serve/visitors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Of these a second refills little or nothing. */
static const struct visitor_terms SMALL = {.sockets = 3, .requests = 1, .games = 2, .storage = 1};

static void spend_all(struct visitor *visitor, enum visitor_rate rate, double amount) {
    int times = 0;
    while (visitor_spend(visitor, rate, amount, NULL)) assert_true(++times < 100000);
}

static void an_allowance_that_is_used_up_says_how_long_to_wait(void **state) {
    (void)state;
    static const struct {
        enum visitor_rate rate;
        double amount;
        const char *words;
    } rates[] = {{RATE_PAGES, 1, "connections"},    {RATE_REQUESTS, 1, "requests"},
                 {RATE_BYTES, 1 << 16, "was sent"}, {RATE_BACKGROUND, 1, "lists, checks"},
                 {RATE_GAMES, 1, "games"},          {RATE_STORAGE, 1 << 16, "space"}};
    struct visitors *visitors = visitors_open(SMALL);
    struct visitor *visitor = visitors_meet(visitors, "192.0.2.1");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct fault fault = {0};
        spend_all(visitor, rates[i].rate, rates[i].amount);
        for (int times = 0; visitor_spend(visitor, rates[i].rate, rates[i].amount, &fault);)
            assert_true(++times < 100);
        char wait[32];
        snprintf(wait, sizeof wait, "try again in %d s", fault.wait);
        assert_true(fault.wait > 0);
        if (!strstr(fault.text, wait) || !strstr(fault.text, rates[i].words))
            fail_msg("%s", fault.text);
    }
    visitor_release(visitor);
    visitors_close(visitors);
}

static void whoever_comes_back_owes_what_it_owed_and_others_owe_nothing(void **state) {
    (void)state;
    static const struct {
        const char *one, *other;
        bool same;
    } pairs[] = {{"192.0.2.1", "192.0.2.1", true},
                 {"192.0.2.1", "192.0.2.2", false},
                 {"192.0.2.1", "::ffff:192.0.2.1", true},
                 {"2001:db8::1", "2001:db8::ffff:1:2:3", true},
                 {"2001:db8::1", "2001:db8:0:1::1", false}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct visitors *visitors = visitors_open(SMALL);
        struct visitor *visitor = visitors_meet(visitors, pairs[i].one);
        spend_all(visitor, RATE_STORAGE, 1 << 16);
        visitor_release(visitor);
        visitor = visitors_meet(visitors, pairs[i].other);
        assert_int_equal(visitor_spend(visitor, RATE_STORAGE, 1 << 16, NULL), !pairs[i].same);
        visitor_release(visitor);
        visitors_close(visitors);
    }
}

/* Each of many networks takes and spends all that it may have. */
static void networks_of_one_site_have_four_times_as_much_as_one(void **state) {
    (void)state;
    enum { NETWORKS = 40 };
    struct visitors *visitors = visitors_open(SMALL);
    struct visitor *networks[NETWORKS];
    struct visitor *elsewhere = visitors_meet(visitors, "2001:db8:8::1");
    int64_t games = 0, sockets = 0;
    double stored = 0;
    for (int i = 0; i < NETWORKS; i++) {
        char address[64];
        snprintf(address, sizeof address, "2001:db8:7:%x::1", (unsigned)i);
        networks[i] = visitors_meet(visitors, address);
        while (visitor_take(networks[i], HOLDS_GAMES, NULL)) games++;
        while (visitor_take(networks[i], HOLDS_SOCKETS, NULL)) sockets++;
        while (visitor_spend(networks[i], RATE_STORAGE, 1 << 16, NULL)) stored += 1 << 16;
        assert_ptr_equal(visitor_source(networks[i]), visitor_source(networks[0]));
        assert_ptr_equal(visitor_bots(networks[i]), visitor_bots(networks[0]));
    }
    assert_int_equal(games, 4 * SMALL.games);
    assert_int_equal(sockets, 4 * SMALL.sockets);
    assert_true(stored >= 4.0 * SMALL.storage * (1 << 20) &&
                stored < 4.1 * SMALL.storage * (1 << 20));
    assert_ptr_not_equal(visitor_source(elsewhere), visitor_source(networks[0]));
    assert_true(visitor_take(elsewhere, HOLDS_GAMES, NULL));
    visitor_give(networks[0], HOLDS_GAMES);
    assert_false(visitor_take(networks[NETWORKS - 1], HOLDS_SOCKETS, NULL));
    assert_true(visitor_take(networks[NETWORKS - 1], HOLDS_GAMES, NULL));
    assert_false(visitor_take(networks[0], HOLDS_GAMES, NULL));
    for (int i = 0; i < NETWORKS; i++) visitor_release(networks[i]);
    struct visitor *again = visitors_meet(visitors, "2001:db8:7:ffff::1");
    assert_false(visitor_spend(again, RATE_STORAGE, 1 << 16, NULL));
    visitor_release(again), visitor_release(elsewhere);
    visitors_close(visitors);
}

static void what_is_no_address_is_no_visitor(void **state) {
    (void)state;
    struct visitors *visitors = visitors_open(SMALL);
    static const char *const words[] = {"", "nobody", "1.2.3", "1.2.3.4:5", "[::1]", "1.2.3.4 "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_null(visitors_meet(visitors, words[i]));
    visitors_close(visitors);
}

static void a_debt_grows_no_longer_than_two_full_allowances_take(void **state) {
    (void)state;
    struct fault fault = {0};
    struct visitors *visitors = visitors_open((struct visitor_terms){1, 100, 1, 1});
    struct visitor *visitor = visitors_meet(visitors, "192.0.2.1");
    visitor_charge(visitor, RATE_BYTES, 1e18);
    assert_false(visitor_spend(visitor, RATE_BYTES, 0, &fault));
    assert_in_range(fault.wait, 1, 60);
    visitor_release(visitor);
    visitors_close(visitors);
}

static void holdings_are_counted_until_they_are_given_back(void **state) {
    (void)state;
    struct fault fault = {0};
    struct visitors *visitors = visitors_open(SMALL);
    struct visitor *visitor = visitors_meet(visitors, "192.0.2.1");
    for (int times = 0; times < 3; times++) {
        assert_true(visitor_take(visitor, HOLDS_GAMES, &fault));
        assert_true(visitor_take(visitor, HOLDS_GAMES, &fault));
        assert_false(visitor_take(visitor, HOLDS_GAMES, &fault));
        assert_non_null(strstr(fault.text, "2 open games, the most allowed"));
        assert_true(visitor_take(visitor, HOLDS_SOCKETS, &fault));
        visitor_give(visitor, HOLDS_SOCKETS);
        visitor_give(visitor, HOLDS_GAMES);
        visitor_give(visitor, HOLDS_GAMES);
    }
    visitor_release(visitor);
    visitors_close(visitors);
}

static void nobody_in_particular_has_no_limits(void **state) {
    (void)state;
    struct allowance connection = {0};
    for (int i = 0; i < 1000; i++) {
        assert_true(visitor_spend(NULL, RATE_GAMES, 1e9, NULL));
        assert_true(visitor_take(NULL, HOLDS_GAMES, NULL));
        assert_true(visitor_may_ask(NULL, &connection, NULL));
    }
    visitor_charge(NULL, RATE_BYTES, 1);
    visitor_give(NULL, HOLDS_GAMES);
    visitor_release(visitor_hold(NULL));
}

static void a_connection_leaves_something_to_others_of_its_address(void **state) {
    (void)state;
    struct fault fault = {0};
    struct allowance greedy = {0}, modest = {0};
    struct visitors *visitors = visitors_open((struct visitor_terms){10, 100, 10, 10});
    struct visitor *visitor = visitors_meet(visitors, "192.0.2.1");
    for (int i = 0; visitor_may_ask(visitor, &greedy, &fault); i++) assert_true(i < 10000);
    assert_non_null(strstr(fault.text, "over one connection"));
    assert_true(visitor_may_ask(visitor, &modest, &fault));
    visitor_release(visitor);
    visitors_close(visitors);
}

/* More addresses than are remembered, each of which owes something; one stays. */
static void of_many_that_have_left_those_that_left_first_are_forgotten(void **state) {
    (void)state;
    struct visitors *visitors = visitors_open(SMALL);
    struct visitor *stays = visitors_meet(visitors, "192.0.2.1");
    spend_all(stays, RATE_STORAGE, 1 << 16);
    for (int i = 0; i < VISITORS_REMEMBERED + 100; i++) {
        char address[32];
        snprintf(address, sizeof address, "10.%d.%d.%d", i >> 16, i >> 8 & 255, i & 255);
        struct visitor *visitor = visitors_meet(visitors, address);
        spend_all(visitor, RATE_STORAGE, 1 << 18);
        visitor_release(visitor);
    }
    struct visitor *first = visitors_meet(visitors, "10.0.0.0"),
                   *last = visitors_meet(visitors, "10.1.0.99");
    assert_true(visitor_spend(first, RATE_STORAGE, 1 << 18, NULL));
    assert_false(visitor_spend(last, RATE_STORAGE, 1 << 18, NULL));
    assert_false(visitor_spend(stays, RATE_STORAGE, 1 << 18, NULL));
    visitor_release(first), visitor_release(last), visitor_release(stays);
    visitors_close(visitors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_allowance_that_is_used_up_says_how_long_to_wait),
        cmocka_unit_test(whoever_comes_back_owes_what_it_owed_and_others_owe_nothing),
        cmocka_unit_test(networks_of_one_site_have_four_times_as_much_as_one),
        cmocka_unit_test(what_is_no_address_is_no_visitor),
        cmocka_unit_test(a_debt_grows_no_longer_than_two_full_allowances_take),
        cmocka_unit_test(holdings_are_counted_until_they_are_given_back),
        cmocka_unit_test(nobody_in_particular_has_no_limits),
        cmocka_unit_test(a_connection_leaves_something_to_others_of_its_address),
        cmocka_unit_test(of_many_that_have_left_those_that_left_first_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
