/* The pace of a game as text. */
#include "bot/pace.h"

#include "base/fault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_pace_is_read_and_written_in_its_shortest_form(void **state) {
    (void)state;
    static const struct {
        const char *text, *written;
        int64_t ms, increment;
    } paces[] = {
        {"600+5", "600+5", 600000, 5000},
        {"60", "60", 60000, 0},
        {"10+0.1", "10+0.1", 10000, 100},
        {"0.001+0", "0.001", 1, 0},
        {"1.50+0.025", "1.5+0.025", 1500, 25},
        {"1000000+1000000", "1000000+1000000", 1000000000, 1000000000},
    };
    for (size_t i = 0; i < sizeof paces / sizeof *paces; i++) {
        struct pace pace;
        char text[PACE_TEXT_MAX];
        assert_true(pace_read(paces[i].text, &pace, NULL));
        assert_int_equal(pace.ms, paces[i].ms);
        assert_int_equal(pace.increment, paces[i].increment);
        pace_write(&pace, text);
        assert_string_equal(text, paces[i].written);
    }
}

static void what_is_no_pace_is_quoted_with_what_is_expected(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "+5",
                                        "0",
                                        "0+5",
                                        "5:00",
                                        "60+",
                                        "60 + 5",
                                        "-1+5",
                                        "1.",
                                        ".5",
                                        "0.0001",
                                        "1e3",
                                        "60+5+5",
                                        "60+-1",
                                        "60,5",
                                        "1000001",
                                        "60+1000001",
                                        "nan",
                                        "99999999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct pace pace;
        struct fault fault = {0};
        assert_false(pace_read(texts[i], &pace, &fault));
        assert_int_equal(fault.status, STATUS_USAGE);
        assert_non_null(strstr(fault.text, texts[i]));
        assert_non_null(strstr(fault.text, "SECONDS+INCREMENT"));
        assert_int_equal(pace.ms, 0);
    }
}

static void a_second_is_a_hundred_million_instructions(void **state) {
    (void)state;
    assert_int_equal(pace_ns(PACE_FUEL), 1000000000);
    assert_int_equal(pace_fuel(1000), PACE_FUEL);
    assert_int_equal(pace_fuel(1), 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pace_is_read_and_written_in_its_shortest_form),
        cmocka_unit_test(what_is_no_pace_is_quoted_with_what_is_expected),
        cmocka_unit_test(a_second_is_a_hundred_million_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
