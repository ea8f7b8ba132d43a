/* Lines of texts from outside, whatever ends them. */
#include "base/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const ENDS[] = {"\n", "\r", "\r\n", "\n\r"};

static void a_line_has_the_same_number_whatever_ends_it(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        char text[64];
        snprintf(text, sizeof text, "%sone%s%s  two%sthree", i % 2 ? "\xEF\xBB\xBF" : "", ENDS[i],
                 ENDS[i], ENDS[i]);
        static const struct {
            const char *line;
            int number, column;
        } expected[] = {{"one", 1, 1}, {"two", 3, 3}, {"three", 4, 1}};
        struct lines lines = lines_of(text, strlen(text));
        for (size_t k = 0; k < 3; k++) {
            assert_true(lines_next(&lines));
            assert_int_equal(lines.line_length, strlen(expected[k].line));
            assert_memory_equal(lines.line, expected[k].line, lines.line_length);
            assert_int_equal(lines.number, expected[k].number);
            assert_int_equal(lines.column, expected[k].column);
            assert_int_equal(lines_number(text, lines.line), expected[k].number);
        }
        assert_false(lines_next(&lines));
        assert_int_equal(lines.number, 4);
    }
}

static void ends_of_several_kinds_are_counted_as_lua_counts_them(void **state) {
    (void)state;
    static const char text[] = "a\r\n\rb\n\r\nc\r\rd";
    assert_int_equal(lines_number(text, strchr(text, 'b')), 3);
    assert_int_equal(lines_number(text, strchr(text, 'c')), 5);
    assert_int_equal(lines_number(text, strchr(text, 'd')), 7);
}

static void nothing_is_read_behind_the_end(void **state) {
    (void)state;
    static const char text[] = {'a', '\r'};
    assert_int_equal(lines_length(text, 2), 1);
    assert_int_equal(lines_break(text + 1, text + 2), 1);
    assert_int_equal(lines_break(text + 2, text + 2), 0);
    assert_int_equal(lines_mark("\xEF\xBB\xBF", 2), 0);
}

/* Millions of lines: looking for the other end to the end of the text for each would never end. */
static void a_text_of_empty_lines_is_read_once_whatever_ends_them(void **state) {
    (void)state;
    enum { LINES = 4 << 20 };
    static char text[LINES + 1];
    for (int i = 0; i < 2; i++) {
        memset(text, ENDS[i][0], LINES);
        text[LINES] = 'x';
        struct lines lines = lines_of(text, sizeof text);
        assert_true(lines_next(&lines));
        assert_int_equal(lines.number, LINES + 1);
        assert_int_equal(lines.line_length, 1);
    }
}

static void a_line_ends_where_it_does_at_any_length(void **state) {
    (void)state;
    static char text[2000];
    for (size_t end = 0; end < sizeof text - 1; end++) {
        memset(text, 'x', sizeof text);
        text[end] = end % 2 ? '\n' : '\r';
        text[end + 1] = end % 3 ? '\n' : '\r';
        assert_int_equal(lines_length(text, sizeof text), end);
        assert_int_equal(lines_length(text, end), end);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_the_same_number_whatever_ends_it),
        cmocka_unit_test(ends_of_several_kinds_are_counted_as_lua_counts_them),
        cmocka_unit_test(nothing_is_read_behind_the_end),
        cmocka_unit_test(a_text_of_empty_lines_is_read_once_whatever_ends_them),
        cmocka_unit_test(a_line_ends_where_it_does_at_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
