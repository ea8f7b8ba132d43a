/* Faults: one printable line, its place, its exit code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fault.h"

#include <string.h>

static void setting_a_fault_returns_false_and_keeps_the_place(void **state) {
    (void)state;
    struct fault fault = {0};
    fault_place(&fault, "army.lua", 3, 7);
    assert_false(fault_set(&fault, STATUS_RULES, "%d pieces, expected %d", 41, 40));
    assert_int_equal(fault.status, STATUS_RULES);
    assert_string_equal(fault.text, "41 pieces, expected 40");
    assert_string_equal(fault.file, "army.lua");
    assert_int_equal(fault.line, 3);
    assert_int_equal(fault.column, 7);
    fault_place(&fault, NULL, 0, 9);
    assert_string_equal(fault.file, "army.lua");
    assert_int_equal(fault.line, 3);
    assert_int_equal(fault.column, 9);
}

static void a_fault_may_be_nobodys(void **state) {
    (void)state;
    assert_false(fault_set(NULL, STATUS_TEXT, "nobody listens"));
    fault_place(NULL, "x", 1, 1);
}

static void what_is_unknown_of_a_place_is_left_out(void **state) {
    (void)state;
    struct fault fault = {0};
    char out[128];
    fault_set(&fault, STATUS_TEXT, "odd");
    fault_format(&fault, out, sizeof out);
    assert_string_equal(out, "odd");
    fault_place(&fault, "a.rec", 0, 0);
    fault_format(&fault, out, sizeof out);
    assert_string_equal(out, "a.rec: odd");
    fault_place(&fault, NULL, 12, 0);
    fault_format(&fault, out, sizeof out);
    assert_string_equal(out, "a.rec:12: odd");
    fault_place(&fault, NULL, 0, 4);
    assert_int_equal(fault_format(&fault, out, sizeof out), strlen("a.rec:12:4: odd"));
    assert_string_equal(out, "a.rec:12:4: odd");
}

static void a_format_that_does_not_fit_says_how_much_it_needs(void **state) {
    (void)state;
    struct fault fault = {0};
    char out[4];
    fault_set(&fault, STATUS_TEXT, "0123456789");
    assert_int_equal(fault_format(&fault, out, sizeof out), 10);
    assert_string_equal(out, "012");
}

static void control_characters_do_not_get_out(void **state) {
    (void)state;
    struct fault fault = {0};
    fault_set(&fault, STATUS_TEXT, "a\nb\033[31mc\177d");
    for (const char *c = fault.text; *c; c++) {
        assert_true((unsigned char)*c >= 0x20 && (unsigned char)*c != 0x7f);
    }
}

static void a_long_text_is_cut_between_characters(void **state) {
    (void)state;
    struct fault fault = {0};
    char text[4 * FAULT_TEXT_MAX];
    for (int shift = 0; shift < 2; shift++) { /* one of them would be cut within a letter */
        memset(text, 'x', sizeof text);
        for (int i = shift; i + 2 < (int)sizeof text; i += 2) memcpy(text + i, "\xd0\x97", 2);
        text[sizeof text - 1] = 0;
        fault_set(&fault, STATUS_TEXT, "%s", text);
        size_t length = strlen(fault.text);
        assert_in_range(length, FAULT_TEXT_MAX - 8, FAULT_TEXT_MAX - 1);
        for (size_t i = (size_t)shift; i < length && fault.text[i] == text[i]; i += 2) {
            assert_int_equal(fault.text[i + 1], text[i + 1]);
        }
    }
}

static void every_status_has_a_name_and_an_exit_code(void **state) {
    (void)state;
    for (int s = STATUS_OK; s < STATUS_COUNT; s++) {
        assert_non_null(status_name((enum status)s));
        assert_true(strlen(status_name((enum status)s)) > 0);
        for (int t = STATUS_OK; t < s; t++) {
            assert_string_not_equal(status_name((enum status)s), status_name((enum status)t));
        }
        assert_in_range(status_exit_code((enum status)s), s == STATUS_OK ? 0 : 1, 3);
    }
    assert_int_equal(status_exit_code(STATUS_OK), 0);
    assert_int_equal(status_exit_code(STATUS_TEXT), 1);
    assert_int_equal(status_exit_code(STATUS_RULES), 1);
    assert_int_equal(status_exit_code(STATUS_USAGE), 2);
    assert_int_equal(status_exit_code(STATUS_SYSTEM), 3);
    assert_int_equal(status_exit_code(STATUS_NO_MEMORY), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_a_fault_returns_false_and_keeps_the_place),
        cmocka_unit_test(a_fault_may_be_nobodys),
        cmocka_unit_test(what_is_unknown_of_a_place_is_left_out),
        cmocka_unit_test(a_format_that_does_not_fit_says_how_much_it_needs),
        cmocka_unit_test(control_characters_do_not_get_out),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(every_status_has_a_name_and_an_exit_code),
    };
    return cmocka_run_group_tests_name("core/fault", tests, NULL, NULL);
}
