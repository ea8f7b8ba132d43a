/* The faults of one input: bounded, ordered by place, without consequential ones. */
#include "base/fault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct faults *faults;

static int begin(void **state) {
    (void)state;
    faults = faults_new();
    return faults ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    free(faults);
    return 0;
}

static struct remark *add(const char *file, int line, int column, const char *key) {
    struct fault fault = {0};
    fault_set(&fault, STATUS_RULES, "%s", key);
    fault_place(&fault, file, line, column);
    struct remark *remark = faults_add(faults, &fault);
    snprintf(remark->key, sizeof remark->key, "%s", key);
    return remark;
}

static void what_comes_after_the_last_place_is_only_counted(void **state) {
    (void)state;
    for (int i = 0; i < FAULTS_MAX + 20; i++) add("a.lua", i + 1, 1, "key");
    assert_int_equal(faults->count, FAULTS_MAX);
    assert_int_equal(faults->errors, FAULTS_MAX + 20);
    assert_int_equal(faults->list[FAULTS_MAX - 1].fault.line, FAULTS_MAX);
}

static void an_error_takes_the_place_of_the_last_warning(void **state) {
    (void)state;
    for (int i = 0; i < FAULTS_MAX + 5; i++) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_RULES, "warning");
        fault_place(&fault, "a.lua", i + 1, 1);
        faults_warn(faults, &fault);
    }
    assert_false(faults_full(faults));
    assert_null(faults_first(faults));
    add("a.lua", 500, 1, "first");
    assert_int_equal(faults->count, FAULTS_MAX);
    assert_int_equal(faults->list[FAULTS_MAX - 2].fault.line, FAULTS_MAX - 1);
    assert_string_equal(faults_first(faults)->text, "first");
    for (int i = 1; i < FAULTS_MAX; i++) add("a.lua", 500, 1, "more");
    assert_true(faults_full(faults));
    faults_miss(faults);
    assert_int_equal(faults->errors, FAULTS_MAX + 1);
    assert_int_equal(faults->warnings, FAULTS_MAX + 5);
    assert_int_equal(faults->count, FAULTS_MAX);
}

static void they_are_ordered_by_file_line_and_column(void **state) {
    (void)state;
    add("b.lua", 1, 1, "5");
    add("a.lua", 9, 1, "4");
    add("mine.lua", 2, 7, "2");
    add("mine.lua", 10, 1, "3");
    add("mine.lua", 2, 3, "0");
    add("mine.lua", 2, 3, "1");
    faults_sort(faults, "mine.lua");
    for (int i = 0; i < 6; i++) assert_int_equal(faults->list[i].key[0], '0' + i);
}

static void keys_above_below_and_meant_are_about_the_same(void **state) {
    (void)state;
    add("a.lua", 1, 1, "pieces.spy.beats[2]");
    snprintf(add("a.lua", 1, 1, "limits.plys")->meant, FAULT_KEY_MAX, "limits.plies");
    assert_true(faults_about(faults, "pieces.spy.beats[2]"));
    assert_true(faults_about(faults, "pieces.spy.beats"));
    assert_true(faults_about(faults, "pieces"));
    assert_true(faults_about(faults, "pieces.spy.beats[2].x"));
    assert_true(faults_about(faults, "limits.plies"));
    assert_false(faults_about(faults, "pieces.spy.beats[1]"));
    assert_false(faults_about(faults, "pieces.sp"));
    assert_false(faults_about(faults, "limits.no_attack"));
}

static void warnings_are_no_errors(void **state) {
    (void)state;
    struct fault fault = {0};
    fault_set(&fault, STATUS_RULES, "odd");
    faults_warn(faults, &fault);
    assert_int_equal(faults->warnings, 1);
    assert_int_equal(faults->errors, 0);
    assert_null(faults_first(faults));
    assert_false(faults_about(faults, ""));
    add("a.lua", 1, 1, "key");
    assert_string_equal(faults_first(faults)->text, "key");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_comes_after_the_last_place_is_only_counted, begin,
                                        end),
        cmocka_unit_test_setup_teardown(an_error_takes_the_place_of_the_last_warning, begin, end),
        cmocka_unit_test_setup_teardown(they_are_ordered_by_file_line_and_column, begin, end),
        cmocka_unit_test_setup_teardown(keys_above_below_and_meant_are_about_the_same, begin, end),
        cmocka_unit_test_setup_teardown(warnings_are_no_errors, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
