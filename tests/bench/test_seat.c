/* bench_seat: its line, for a moment. */
#include "printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void a_turn_is_compared_with_a_bare_exchange(void **state) {
    char out[1024];
    float turns, turn, exchange, ratio;
    (void)state;
    assert_int_equal(printed(ENSIGN_BENCH_SEAT, "0.05 duel", out, sizeof out), 0);
    if (sscanf(out, "duel %f turns/s, %f us; a bare exchange %f us; x %f", &turns, &turn, &exchange,
               &ratio) != 4)
        fail_msg("%s", out);
    assert_float_equal(turn, 1e6f / turns, 0.01f * turn + 0.1f);
    assert_float_equal(ratio, turn / exchange, 0.05f * ratio + 0.01f);
    assert_true(exchange > 0 && turns > 0);
}

static void wrong_use_is_refused(void **state) {
    char out[1024];
    (void)state;
    assert_int_equal(printed(ENSIGN_BENCH_SEAT, "0", out, sizeof out), 2);
    assert_non_null(strstr(out, "usage: bench_seat"));
    assert_int_equal(printed(ENSIGN_BENCH_SEAT, "0.05 duell", out, sizeof out), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_compared_with_a_bare_exchange),
        cmocka_unit_test(wrong_use_is_refused),
    };
    return cmocka_run_group_tests_name("bench/seat", tests, NULL, NULL);
}
