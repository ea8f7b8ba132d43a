/* Who is told about a game. */
#include "serve/subscribers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void no_wake(void *context) {
    (void)context;
}

static void a_client_is_added_once_for_each_pair_of_eyes_and_goes_with_all(void **state) {
    (void)state;
    struct client *one = client_open(0, no_wake, NULL), *other = client_open(0, no_wake, NULL);
    struct subscribers subscribers = {.id = "7"};
    for (int again = 0; again < 3; again++) {
        assert_non_null(subscribers_add(&subscribers, one, ONLOOKER_RED, true, NULL));
        assert_non_null(subscribers_add(&subscribers, one, ONLOOKER_RED, false, NULL));
        assert_non_null(subscribers_add(&subscribers, other, ONLOOKER_BLUE, true, NULL));
        assert_non_null(subscribers_add(&subscribers, other, ONLOOKER_PUBLIC, false, NULL));
    }
    assert_int_equal(subscribers.count, 4);
    assert_ptr_equal(subscribers_holder(&subscribers, RED), one);
    assert_ptr_equal(subscribers_holder(&subscribers, BLUE), other);
    subscribers_leave_seat(&subscribers, RED);
    assert_null(subscribers_holder(&subscribers, RED));
    assert_true(subscribers_has(&subscribers, one));
    assert_int_equal(subscribers_remove(&subscribers, other), 2);
    assert_false(subscribers_has(&subscribers, other));
    assert_int_equal(subscribers.count, 1);
    subscribers_clear(&subscribers);
    client_release(one);
    client_release(other);
}

static void messages_carry_the_game_and_the_seat_or_the_eyes(void **state) {
    (void)state;
    struct client *client = client_open(0, no_wake, NULL);
    struct subscribers subscribers = {.id = "7"};
    struct buffer out = buffer_of(CLIENT_QUEUE_MAX);
    subscribers_add(&subscribers, client, ONLOOKER_BLUE, true, NULL);
    subscribers_send_seat(&subscribers, BLUE, json_pack("{s:s}", "type", "setup"));
    subscribers_send_seat(&subscribers, RED, json_pack("{s:s}", "type", "setup")); /* nobody */
    subscribers_send(&subscribers, subscribers_add(&subscribers, client, ONLOOKER_ALL, false, NULL),
                     json_pack("{s:s}", "type", "start"));
    assert_true(client_take(client, &out));
    assert_string_equal(out.text, "{\"type\":\"setup\",\"game\":\"7\",\"seat\":\"blue\"}\n"
                                  "{\"type\":\"start\",\"game\":\"7\",\"eyes\":\"all\"}\n");
    buffer_clear(&out);
    subscribers_clear(&subscribers);
    client_release(client);
}

static void a_client_is_busy_while_too_much_waits_and_drops_what_comes_after_its_end(void **state) {
    (void)state;
    struct client *client = client_open(0, no_wake, NULL);
    struct buffer out = buffer_of(CLIENT_QUEUE_MAX);
    for (int i = 0; i < CLIENT_REQUESTS_FULL; i++) {
        assert_false(client_is_busy(client));
        client_asks(client);
    }
    assert_true(client_is_busy(client));
    for (int i = 0; i < CLIENT_REQUESTS_FULL; i++) client_is_answered(client);
    while (!client_is_busy(client)) client_send(client, json_pack("{s:s}", "type", "setup"));
    client_send_now(client, json_pack("{s:s}", "type", "setup"));
    assert_true(client_take(client, &out));
    assert_true(out.length > CLIENT_QUEUE_FULL);
    assert_false(client_is_busy(client));
    out.length = 0;
    client_hang_up(client);
    client_send(client, json_pack("{s:s}", "type", "setup"));
    assert_true(client_is_gone(client));
    assert_false(client_take(client, &out));
    buffer_clear(&out);
    client_release(client);
}

/* Each may wait for long, of which a thousand others of the same visitor would take the memory. */
static void one_client_of_many_is_busy_while_long_requests_wait(void **state) {
    (void)state;
    struct client *client = client_open(1 << 20, no_wake, NULL);
    struct fault fault = {0};
    client_may_ask(client, CLIENT_ASKED_FULL + 1, &fault);
    assert_false(client_is_busy(client)); /* it was refused: nothing waits */
    client_may_ask(client, 10, &fault);
    client_asks(client);
    client_may_ask(client, CLIENT_ASKED_FULL - 10, &fault);
    client_asks(client);
    assert_false(client_is_busy(client));
    client_may_ask(client, 1, &fault);
    client_asks(client);
    assert_true(client_is_busy(client));
    for (int i = 0; i < 3; i++) client_is_answered(client);
    client_may_ask(client, 10, &fault);
    client_asks(client);
    assert_false(client_is_busy(client));
    client_is_answered(client);
    client_hang_up(client);
    client_release(client);
}

/* The maker of a game is held for as long as the game. */
static void what_a_client_left_unread_is_freed_when_it_has_gone(void **state) {
    (void)state;
    enum { LINE = 1000, MOST = 320 << 10 }; /* of one request a second */
    static char line[LINE];
    struct visitors *visitors = visitors_open((struct visitor_terms){.sockets = 1, .requests = 1});
    struct visitor *visitor = visitors_meet(visitors, "192.0.2.1");
    struct client *client = client_open(1 << 20, no_wake, NULL);
    client_is_of(client, visitor);
    for (int i = 0; i < MOST / LINE; i++) client_send_lines(client, line, LINE);
    assert_false(visitor_leaves_unread(visitor, LINE));
    client_hang_up(client);
    assert_true(visitor_leaves_unread(visitor, MOST - LINE));
    visitor_leaves_unread(visitor, -MOST);
    client_release(client);
    assert_true(visitor_leaves_unread(visitor, MOST));
    visitor_release(visitor);
    visitors_close(visitors);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_is_added_once_for_each_pair_of_eyes_and_goes_with_all),
        cmocka_unit_test(messages_carry_the_game_and_the_seat_or_the_eyes),
        cmocka_unit_test(a_client_is_busy_while_too_much_waits_and_drops_what_comes_after_its_end),
        cmocka_unit_test(one_client_of_many_is_busy_while_long_requests_wait),
        cmocka_unit_test(what_a_client_left_unread_is_freed_when_it_has_gone),
    };
    return cmocka_run_group_tests_name("subscribers", tests, NULL, NULL);
}
