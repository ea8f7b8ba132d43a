/* Faults: one printable line, its place, its exit code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fault.h"

#include <inttypes.h>
#include <stdio.h>
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

static void a_path_keeps_its_end_and_nothing_unsafe(void **state) {
    (void)state;
    enum { LONGEST = FAULT_FILE_MAX - 1 };
    char path[3 * FAULT_FILE_MAX];
    struct fault fault = {0};
    memset(path, 'a', sizeof path);
    strcpy(path + LONGEST - 6, "/b.lua");
    fault_place(&fault, path, 1, 0);
    assert_string_equal(fault.file, path);
    for (int more = 1; more < 6; more++) { /* "й" is cut in its middle every other time */
        for (int i = 0; i < FAULT_FILE_MAX; i++) memcpy(path + 2 * i, "й", 2);
        memcpy(path + 2 * FAULT_FILE_MAX, "xxxxxx", (size_t)more);
        strcpy(path + 2 * FAULT_FILE_MAX + more, "/b\033.lua");
        fault_place(&fault, path, 1, 0);
        assert_in_range(strlen(fault.file), LONGEST - 1, LONGEST);
        assert_memory_equal(fault.file, "...й", 5);
        assert_string_equal(fault.file + strlen(fault.file) - 7, "/b?.lua");
    }
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
    for (const char *c = fault.text; *c; c++)
        assert_true((unsigned char)*c >= 0x20 && (unsigned char)*c != 0x7f);
}

static void a_long_text_is_cut_between_characters(void **state) {
    (void)state;
    struct fault fault = {0};
    char text[4 * FAULT_TEXT_MAX];
    for (int shift = 0; shift < 2; shift++) { /* one of them would be cut inside a character */
        memset(text, 'x', sizeof text);
        for (int i = shift; i + 2 < (int)sizeof text; i += 2) memcpy(text + i, "\xd0\x97", 2);
        text[sizeof text - 1] = 0;
        fault_set(&fault, STATUS_TEXT, "%s", text);
        size_t length = strlen(fault.text);
        assert_in_range(length, FAULT_TEXT_MAX - 8, FAULT_TEXT_MAX - 1);
        for (size_t i = (size_t)shift; i < length && fault.text[i] == text[i]; i += 2)
            assert_int_equal(fault.text[i + 1], text[i + 1]);
    }
}

static void every_status_has_a_name_and_an_exit_code(void **state) {
    (void)state;
    for (int s = STATUS_OK; s < STATUS_COUNT; s++) {
        assert_non_null(status_name((enum status)s));
        assert_true(strlen(status_name((enum status)s)) > 0);
        for (int t = STATUS_OK; t < s; t++)
            assert_string_not_equal(status_name((enum status)s), status_name((enum status)t));
        assert_in_range(status_exit_code((enum status)s), s == STATUS_OK ? 0 : 1, 3);
    }
    assert_int_equal(status_exit_code(STATUS_OK), 0);
    assert_int_equal(status_exit_code(STATUS_TEXT), 1);
    assert_int_equal(status_exit_code(STATUS_RULES), 1);
    assert_int_equal(status_exit_code(STATUS_USAGE), 2);
    assert_int_equal(status_exit_code(STATUS_SYSTEM), 3);
    assert_int_equal(status_exit_code(STATUS_NO_MEMORY), 3);
}

/* The parts of a fault as "pattern|argument|argument/pattern|…". */
static const char *form_of(const struct fault *fault) {
    static char out[4 * FAULT_TEXT_MAX];
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < fault->form.parts; i++) {
        struct fault_part part;
        fault_read_part(fault, i, &part);
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%s", i ? "/" : "", part.pattern);
        for (int k = 0; part.argument[k]; k++)
            used += (size_t)snprintf(out + used, sizeof out - used, "|%s", part.argument[k]);
    }
    return out;
}

#define EXPECT_FORM(expected_text, expected_form, ...)                                             \
    do {                                                                                           \
        struct fault fault = {0};                                                                  \
        fault_set(&fault, STATUS_TEXT, __VA_ARGS__);                                               \
        assert_string_equal(fault.text, expected_text);                                            \
        assert_string_equal(form_of(&fault), expected_form);                                       \
        assert_true(fault_form_is_sound(&fault));                                                  \
    } while (0)

static void a_fault_keeps_its_pattern_and_arguments(void **state) {
    (void)state;
    EXPECT_FORM("no pieces", "no pieces", "no pieces");
    EXPECT_FORM("41 pieces of spy", "{1} pieces of {2}|41|spy", "%d pieces of %s", 41, "spy");
    EXPECT_FORM("spy", "{1}|spy", "%.*s", 3, "spying");
    EXPECT_FORM("(mar)", "({1})|mar", "(%.3s)", "marshal");
    EXPECT_FORM("(12)(ab)", "({1})({2})|12|ab", "(%.*s)(%.*s)", 2, "123", 2, "abc");
    EXPECT_FORM("'x' 7", "'{1}' {2}|x|7", "'%c' %u", 'x', 7u);
    EXPECT_FORM("-5 9 10", "{1} {2} {3}|-5|9|10", "%lld %llu %zu", -5LL, 9ULL, (size_t)10);
    EXPECT_FORM("-1 2 3 4", "{1} {2} {3} {4}|-1|2|3|4", "%ld %lu %ju %" PRIu64, -1L, 2UL,
                (uintmax_t)3, (uint64_t)4);
    EXPECT_FORM("5 6", "{1} {2}|5|6", "%" PRIu32 " %" PRId64, (uint32_t)5, (int64_t)6);
    EXPECT_FORM("0x0A 1.5 2", "0x{1} {2} {3}|0A|1.5|2", "0x%02X %g %.0f", 10u, 1.5, 2.0);
    EXPECT_FORM("  7|7  ", "{1}|{2}|  7|7  ", "%3d|%-3d", 7, 7);
    EXPECT_FORM("50 % of 3%", "{1} % of {2}%|50|3", "%d %% of %d%%", 50, 3);
    EXPECT_FORM("100%", "100%", "100%%");
    EXPECT_FORM("", "{1}{2}||", "%s%s", "", "");
}

static void the_text_of_a_whole_fault_is_its_own_pattern(void **state) {
    (void)state;
    EXPECT_FORM("the way is blocked", "the way is blocked", "%s", "the way is blocked");
}

static void braces_in_an_argument_are_no_placeholders(void **state) {
    (void)state;
    EXPECT_FORM("{2} and {1}", "{1} and {2}|{2}|{1}", "%s and %s", "{2}", "{1}");
}

static void nine_arguments_have_a_pattern_and_ten_have_none(void **state) {
    (void)state;
    EXPECT_FORM("1 2 3 4 5 6 7 8 9", "{1} {2} {3} {4} {5} {6} {7} {8} {9}|1|2|3|4|5|6|7|8|9",
                "%d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9);
    EXPECT_FORM("1 2 3 4 5 6 7 8 9 0", "", "%d %d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8,
                9, 0);
}

static void arguments_are_found_where_unsafe_bytes_shrink(void **state) {
    (void)state;
    EXPECT_FORM("a?b is no ж?", "{1} is no {2}|a?b|ж?", "%s is no %s", "a\u202Eb", "ж\xff");
    EXPECT_FORM("?, x", "{1}, {2}|?|x", "%.*s, %s", 1, "ж", "x"); /* half a character */
    EXPECT_FORM("letter ?.", "letter {1}.|?", "letter %c.", 0);
}

static void a_text_that_was_cut_has_no_parts(void **state) {
    (void)state;
    char text[FAULT_TEXT_MAX + 1];
    memset(text, 'x', sizeof text);
    for (size_t length = FAULT_TEXT_MAX - 4; length <= FAULT_TEXT_MAX; length++) {
        struct fault fault = {0};
        text[length] = 0;
        fault_set(&fault, STATUS_TEXT, "%s!", text);
        assert_int_equal(fault.form.parts, length + 1 < FAULT_TEXT_MAX);
        assert_true(fault_form_is_sound(&fault));
        text[length] = 'x';
    }
}

static void a_fault_grows_by_parts_at_both_ends(void **state) {
    (void)state;
    struct fault fault = {0};
    fault_place(&fault, "a.rec", 4, 2);
    fault_set(&fault, STATUS_TEXT, "%d pieces", 7);
    assert_false(fault_within(&fault, "in \"%s\"", "setup"));
    assert_false(fault_add(&fault, ", expected %d to %d", 1, 6));
    assert_string_equal(fault.text, "in \"setup\": 7 pieces, expected 1 to 6");
    assert_string_equal(form_of(&fault), "in \"{1}\"|setup/{1} pieces|7/, expected {1} to {2}|1|6");
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_int_equal(fault.line, 4);
    fault_within(NULL, "nobody listens");
    fault_add(NULL, "nobody listens");
    struct fault again = {.line = 9};
    fault_repeat(&again, &fault);
    assert_string_equal(form_of(&again), form_of(&fault));
    assert_string_equal(again.text, fault.text);
    assert_int_equal(again.status, STATUS_TEXT);
    assert_int_equal(again.line, 9);
    fault_set(&fault, STATUS_TEXT, "(%s)", fault.text); /* made from its own text */
    assert_string_equal(fault.text, "(in \"setup\": 7 pieces, expected 1 to 6)");
}

static void parts_beyond_the_most_are_plain_text(void **state) {
    (void)state;
    struct fault fault = {0};
    fault_set(&fault, STATUS_TEXT, "0");
    for (int i = 1; i < FAULT_PARTS_MAX + 3; i++) fault_add(&fault, ",%d", i);
    assert_string_equal(fault.text, "0,1,2,3,4,5,6,7,8");
    assert_int_equal(fault.form.parts, FAULT_PARTS_MAX);
    assert_true(fault_form_is_sound(&fault));
    fault_set(&fault, STATUS_TEXT, "%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7);
    fault_add(&fault, "%d%d%d%d%d%d%d", 1, 2, 3, 4, 5, 6, 7);
    assert_int_equal(fault.form.parts, 1);
    assert_true(fault_form_is_sound(&fault));
}

static void what_is_added_to_a_long_text_stays_whole(void **state) {
    (void)state;
    struct fault fault = {0};
    char text[FAULT_TEXT_MAX - 10];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    fault_set(&fault, STATUS_TEXT, "%s", text);
    fault_add(&fault, " (ply %d, game %d)", 17, 3);
    assert_int_equal(strlen(fault.text), FAULT_TEXT_MAX - 1);
    assert_non_null(strstr(fault.text, "x... (ply 17, game 3)"));
    assert_string_equal(form_of(&fault), " (ply {1}, game {2})|17|3");
    fault_within(&fault, "in %s", "setup");
    assert_string_equal(form_of(&fault), "in {1}|setup");
    assert_memory_equal(fault.text, "in setup: xxx", 13);
    assert_int_equal(strlen(fault.text), FAULT_TEXT_MAX - 1);
    fault_add(&fault, "%s%s", text, text); /* longer than any text may be */
    assert_true(strlen(fault.text) < FAULT_TEXT_MAX);
    assert_true(fault_form_is_sound(&fault));
}

static void a_form_that_does_not_fit_its_text_is_not_sound(void **state) {
    (void)state;
    struct fault good = {0}, bad;
    fault_set(&good, STATUS_TEXT, "%d pieces of %s", 7, "spy");
    fault_within(&good, "in %s", "setup");
#define EXPECT_UNSOUND(change)                                                                     \
    bad = good;                                                                                    \
    bad.form.change;                                                                               \
    assert_false(fault_form_is_sound(&bad))
    EXPECT_UNSOUND(parts = FAULT_PARTS_MAX + 1);
    EXPECT_UNSOUND(part[1].end = UINT16_MAX);
    EXPECT_UNSOUND(part[1].end = (uint16_t)(strlen(good.text) + 1));
    EXPECT_UNSOUND(part[1].start = 0);
    EXPECT_UNSOUND(part[0].start = UINT16_MAX);
    EXPECT_UNSOUND(part[0].arguments = FAULT_PART_ARGUMENTS_MAX + 1);
    EXPECT_UNSOUND(part[0].arguments = 2);
    EXPECT_UNSOUND(part[1].arguments = FAULT_ARGUMENTS_MAX);
    EXPECT_UNSOUND(argument[0].end = UINT16_MAX);
    EXPECT_UNSOUND(argument[0].start = UINT16_MAX);
    EXPECT_UNSOUND(argument[1].start = 0);
    EXPECT_UNSOUND(argument[2].end = 0);
    assert_true(fault_form_is_sound(&good));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setting_a_fault_returns_false_and_keeps_the_place),
        cmocka_unit_test(a_fault_may_be_nobodys),
        cmocka_unit_test(a_path_keeps_its_end_and_nothing_unsafe),
        cmocka_unit_test(what_is_unknown_of_a_place_is_left_out),
        cmocka_unit_test(a_format_that_does_not_fit_says_how_much_it_needs),
        cmocka_unit_test(control_characters_do_not_get_out),
        cmocka_unit_test(a_long_text_is_cut_between_characters),
        cmocka_unit_test(a_fault_keeps_its_pattern_and_arguments),
        cmocka_unit_test(the_text_of_a_whole_fault_is_its_own_pattern),
        cmocka_unit_test(braces_in_an_argument_are_no_placeholders),
        cmocka_unit_test(nine_arguments_have_a_pattern_and_ten_have_none),
        cmocka_unit_test(arguments_are_found_where_unsafe_bytes_shrink),
        cmocka_unit_test(a_text_that_was_cut_has_no_parts),
        cmocka_unit_test(a_fault_grows_by_parts_at_both_ends),
        cmocka_unit_test(parts_beyond_the_most_are_plain_text),
        cmocka_unit_test(what_is_added_to_a_long_text_stays_whole),
        cmocka_unit_test(a_form_that_does_not_fit_its_text_is_not_sound),
        cmocka_unit_test(every_status_has_a_name_and_an_exit_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
