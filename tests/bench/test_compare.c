/* bench_compare: its table, for a moment. */
#include "printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void each_way_of_playing_out_is_compared_with_both_yardsticks(void **state) {
    static const char *const compared[] = {"random playouts, one at a time",
                                           "random playouts, many at once",
                                           "playouts from samples of a hidden army",
                                           "random playouts, moves listed",
                                           "a bot's game:playout ",
                                           "a bot's game:playouts, "};
    char out[4096];
    (void)state;
    assert_int_equal(printed(ENSIGN_BENCH_COMPARE, "0.02 duel", out, sizeof out), 0);
    float plain_rate, slow_rate;
    const char *plain_row = strstr(out, "a plain engine that lists moves ");
    const char *slow_row = strstr(out, "the slow reference ");
    assert_non_null(plain_row);
    assert_non_null(slow_row);
    assert_int_equal(sscanf(plain_row, "%*[^0-9]%f Mplies/s", &plain_rate), 1);
    assert_int_equal(sscanf(slow_row, "%*[^0-9]%f kplies/s", &slow_rate), 1);
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        const char *row = strstr(out, compared[i]);
        float rate, plain, slow;
        if (!row) fail_msg("no row \"%s\" in:\n%s", compared[i], out);
        assert_int_equal(sscanf(row, "%*[^0-9]%f Mplies/s %*f to %*f %f %f", &rate, &plain, &slow),
                         3);
        /* Equal up to the digits that are printed. */
        assert_float_equal(plain, rate / plain_rate, 0.05f * plain + 0.01f);
        assert_float_equal(slow, 1000 * rate / slow_rate, 0.05f * slow + 0.1f);
        assert_true(slow > plain && plain > 0);
    }
}

static void wrong_use_and_a_variant_that_is_not_there_are_refused(void **state) {
    char out[4096];
    (void)state;
    assert_int_equal(printed(ENSIGN_BENCH_COMPARE, "0", out, sizeof out), 2);
    assert_non_null(strstr(out, "usage: bench_compare"));
    assert_int_equal(printed(ENSIGN_BENCH_COMPARE, "soon", out, sizeof out), 2);
    assert_int_equal(printed(ENSIGN_BENCH_COMPARE, "0.02 duell", out, sizeof out), 1);
    assert_non_null(strstr(out, "did you mean"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_of_playing_out_is_compared_with_both_yardsticks),
        cmocka_unit_test(wrong_use_and_a_variant_that_is_not_there_are_refused),
    };
    return cmocka_run_group_tests_name("bench/compare", tests, NULL, NULL);
}
