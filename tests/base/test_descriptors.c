/* File descriptors that a server keeps. */
#include "base/descriptors.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { LIMIT = 64, KEPT = 20 };

static struct rlimit usual;

static int set_limit(void **state) {
    (void)state;
    if (getrlimit(RLIMIT_NOFILE, &usual)) return -1;
    const struct rlimit few = {LIMIT, usual.rlim_max};
    return setrlimit(RLIMIT_NOFILE, &few);
}

static int lift_limit(void **state) {
    (void)state;
    return setrlimit(RLIMIT_NOFILE, &usual);
}

static void the_highest_numbers_are_kept_whatever_the_limit(void **state) {
    (void)state;
    assert_false(descriptor_is_kept(LIMIT - KEPT - 1, KEPT));
    assert_true(descriptor_is_kept(LIMIT - KEPT, KEPT));
    assert_true(descriptor_is_kept(0, LIMIT));
    lift_limit(NULL);
    assert_false(descriptor_is_kept(LIMIT - KEPT, KEPT));
}

static void none_is_left_once_all_but_the_kept_ones_are_open(void **state) {
    (void)state;
    int opened[LIMIT], count = 0;
    struct fault fault = {0};
    while (descriptors_left(KEPT, &fault)) {
        assert_true(count < LIMIT);
        opened[count++] = open("/", O_RDONLY);
    }
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_string_equal(fault.text, "there are too many games and connections; try again later");
    assert_int_equal(opened[count - 1], LIMIT - KEPT - 1);
    close(opened[0]);
    assert_true(descriptors_left(KEPT, &fault));
    opened[0] = open("/", O_RDONLY);
    int last = open("/", O_RDONLY);
    assert_int_equal(last, LIMIT - KEPT);
    assert_false(descriptors_left(LIMIT, &fault));
    close(last);
    while (count) close(opened[--count]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_highest_numbers_are_kept_whatever_the_limit, set_limit,
                                        lift_limit),
        cmocka_unit_test_setup_teardown(none_is_left_once_all_but_the_kept_ones_are_open, set_limit,
                                        lift_limit),
    };
    return cmocka_run_group_tests_name("descriptors", tests, NULL, NULL);
}
