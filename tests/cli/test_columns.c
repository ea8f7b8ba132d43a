/* test_columns.c - texts of any language in columns, and bytes that are not text. */
#include "cli/columns.h"

#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *text;
    int columns;
} texts[] = {
    {"", 0},
    {"Scout", 5},
    {"Розвідник", 9},
    {"Čolić", 5},
    {"e\xCC\x81t\xC3\xA9", 3}, /* é as e with a combining accent, then é */
    {"旗", 2},
    {"a旗b", 4},
    {"\xFF\xFE", 2},     /* invalid UTF-8: a '?' for each byte */
    {"\xD0", 1},         /* a truncated character */
    {"\xED\xA0\x80", 3}, /* half a surrogate */
    {"a\tb\x1B[0m", 7},  /* control characters are shown, not obeyed */
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void characters_take_no_one_or_two_columns(void **state) {
    (void)state;
    for (int i = 0; i < TEXTS; i++)
        assert_int_equal(columns_of(texts[i].text, SIZE_MAX), texts[i].columns);
    assert_int_equal(columns_of("旗旗", 3), 2);
}

static void a_cut_never_splits_a_character_nor_parts_an_accent_from_its_letter(void **state) {
    (void)state;
    char out[16];
    assert_int_equal(columns_cut(out, sizeof out, "旗旗旗", 5), 4);
    assert_string_equal(out, "旗旗");
    assert_int_equal(columns_cut(out, sizeof out, "Re\xCC\x81my", 2), 2);
    assert_string_equal(out, "Re\xCC\x81");
    assert_int_equal(columns_cut(out, 6, "旗旗", 10), 2);
    assert_string_equal(out, "旗");
    assert_int_equal(columns_cut(out, sizeof out, "a\xFF\nb", 10), 4);
    assert_string_equal(out, "a??b");
}

/* The output of `print`, in a buffer valid until the next call. */
static const char *printed(const char *text, int columns) {
    static char bytes[256];
    memset(bytes, 0, sizeof bytes);
    FILE *out = fmemopen(bytes, sizeof bytes - 1, "w");
    assert_int_equal(columns_print(out, text, columns), abs(columns) > columns_of(text, SIZE_MAX)
                                                            ? abs(columns)
                                                            : columns_of(text, SIZE_MAX));
    fclose(out);
    return bytes;
}

static void texts_are_filled_up_with_blanks_on_either_side(void **state) {
    (void)state;
    assert_string_equal(printed("Мінер", 7), "Мінер  ");
    assert_string_equal(printed("Мінер", -7), "  Мінер");
    assert_string_equal(printed("旗", 3), "旗 ");
    assert_string_equal(printed("e\xCC\x81", -2), " e\xCC\x81");
    assert_string_equal(printed("Мінер", 2), "Мінер");
    assert_string_equal(printed("\xFFx", 3), "?x ");
}

static void lines_break_behind_blanks(void **state) {
    (void)state;
    assert_int_equal(columns_break("10, 9, 8", 4), 4);
    assert_int_equal(columns_break("10, 9, 8", 80), 8);
    assert_int_equal(columns_break("Рід ліс", 5), 7);
    assert_int_equal(columns_break("abcdef", 3), 3);
    assert_int_equal(columns_break("旗旗", 1), 3);
    assert_int_equal(columns_break("", 3), 0);
}

static void a_line_that_ends_takes_as_many_columns_as_any(void **state) {
    (void)state;
    assert_int_equal(columns_break("one two\nthree", 7), 7);
    assert_int_equal(columns_break("one two\nthree", 80), 7);
    assert_int_equal(columns_break("one two \nthree", 7), 8);
    assert_int_equal(columns_break("\nthree", 7), 0);
}

static void words_are_wrapped_by_their_columns(void **state) {
    (void)state;
    char bytes[128] = "";
    FILE *out = fmemopen(bytes, sizeof bytes - 1, "w");
    columns_wrap(out, "Червоні нападають  знову", 0, 2, 12);
    fclose(out);
    assert_string_equal(bytes, "Червоні\n  нападають\n  знову\n");
}

int main(void) {
    if (!setlocale(LC_CTYPE, "C.UTF-8")) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_take_no_one_or_two_columns),
        cmocka_unit_test(a_cut_never_splits_a_character_nor_parts_an_accent_from_its_letter),
        cmocka_unit_test(texts_are_filled_up_with_blanks_on_either_side),
        cmocka_unit_test(lines_break_behind_blanks),
        cmocka_unit_test(a_line_that_ends_takes_as_many_columns_as_any),
        cmocka_unit_test(words_are_wrapped_by_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
