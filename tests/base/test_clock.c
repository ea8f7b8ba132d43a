/* The monotonic clock and waits until its deadlines. */
#include "base/clock.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_deadline_that_has_passed_leaves_nothing(void **state) {
    (void)state;
    int64_t now = clock_ms();
    assert_int_equal(clock_left(now - 1), 0);
    assert_int_equal(clock_left(now - 100000), 0);
    int left = clock_left(now + 100000);
    assert_true(left > 90000 && left <= 100000);
}

static void a_distant_deadline_is_cut_to_what_poll_takes(void **state) {
    (void)state;
    assert_int_equal(clock_left(INT64_MAX), INT_MAX);
}

static void a_wait_ends_at_its_deadline_and_says_so(void **state) {
    (void)state;
    pthread_cond_t condition;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    clock_condition(&condition);
    pthread_mutex_lock(&mutex);
    int64_t deadline = clock_ms() + 30;
    while (clock_wait(&condition, &mutex, deadline)) {}
    assert_true(clock_ms() >= deadline);
    assert_true(clock_ms() < deadline + 20000);
    pthread_mutex_unlock(&mutex);
    pthread_cond_destroy(&condition);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadline_that_has_passed_leaves_nothing),
        cmocka_unit_test(a_distant_deadline_is_cut_to_what_poll_takes),
        cmocka_unit_test(a_wait_ends_at_its_deadline_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
