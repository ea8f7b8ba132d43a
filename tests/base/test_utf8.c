/* Characters of texts that may be anything, and which of them may be shown. */
#include "base/utf8.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void what_stands_for_itself_is_safe(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",         " ~",           "Jos\xc3\xa9",
        "Злат",     "対局",         "½ “a” …",
        "\xc2\xa0", "\u2764\ufe0f", "\U0001F469\U0001F3FD\u200d\U0001F680"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char copy[64];
        strcpy(copy, texts[i]);
        assert_true(utf8_is_safe(copy, strlen(copy)));
        utf8_make_safe(copy);
        assert_string_equal(copy, texts[i]);
    }
}

static void controls_turns_of_direction_and_the_invisible_are_replaced_one_for_one(void **state) {
    (void)state;
    static const struct {
        const char *text, *safe;
    } cases[] = {
        {"a\033[31mb", "a?[31mb"},
        {"a\r\n\tb\177", "a???b?"},
        {"\xc2\x9b"
         "5m",
         "?5m"},
        {"\x9b"
         "5m",
         "?5m"},
        {"a\xe2\x80\xaegpj", "a?gpj"},
        {"\xe2\x81\xa6x\xe2\x81\xa9", "?x?"},
        {"z\xe2\x80\x8b\xe2\x80\x8dw", "z??w"},
        {"Ann\u200d", "Ann?"},
        {"\u2764\ufe0f\ufe0f", "\u2764\ufe0f?"},
        {"\xef\xbb\xbfx", "?x"},
        {"\xe2\x80\xa8x", "?x"},
        {"\xf3\xa0\x81\x81x", "?x"},
        {"\xc0\xaf", "??"},
        {"\xed\xa0\x80", "???"},
        {"\xf4\x90\x80\x80", "????"},
        {"cut \xe2\x80", "cut ??"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copy[64];
        strcpy(copy, cases[i].text);
        assert_false(utf8_is_safe(copy, strlen(copy)));
        utf8_make_safe(copy);
        assert_string_equal(copy, cases[i].safe);
        assert_true(utf8_is_safe(copy, strlen(copy)));
    }
}

static void what_cannot_be_shown_is_named_with_its_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *reason; /* NULL: none */
    } cases[] = {
        {"Jos\xc3\xa9", NULL},
        {"Caf\xe9", "not UTF-8: byte 0xe9 at byte 4"},
        {"\xc3", "not UTF-8: byte 0xc3 at byte 1"},
        {"a\a", "control character U+0007 (byte 0x07) at byte 2"},
        {"\xc2\x85", "control character U+0085 at byte 1"},
        {"ab\xe2\x80\x8bz", "invisible character U+200B at byte 3"},
        {"\xf3\xa0\x81\x81", "invisible character U+E0041 at byte 1"},
        {"nine bytes", "too long: 10 bytes, at most 9"},
        {"too long \xe9", "not UTF-8: byte 0xe9 at byte 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[UTF8_REASON_MAX];
        const char *reason = utf8_reason(cases[i].text, strlen(cases[i].text), 9, out);
        if (cases[i].reason)
            assert_string_equal(reason, cases[i].reason);
        else
            assert_null(reason);
    }
}

static void nothing_is_read_behind_the_length_or_a_final_zero(void **state) {
    (void)state;
    static const char text[] = "\xc3\xa9";
    assert_int_equal(utf8_safe_length(text, 2), 2);
    assert_int_equal(utf8_safe_length(text, 1), 0);
    assert_int_equal(utf8_safe_length(text, 0), 0);
    assert_int_equal(utf8_safe_length("", 4), 0);
    assert_int_equal(utf8_safe_length("\xe2\x80", 9), 0);
    assert_false(utf8_is_safe("a\0b", 3));
}

static void a_text_is_cut_between_characters(void **state) {
    (void)state;
    static const char text[] = "a\xc3\xa9\xe5\xb1\x80";
    static const size_t cut[] = {0, 1, 1, 3, 3, 3, 6};
    for (size_t length = 0; length <= 6; length++)
        assert_int_equal(utf8_cut(text, length), cut[length]);
}

static void a_beginning_is_found_in_either_case(void **state) {
    (void)state;
    static const struct {
        const char *text, *start;
        size_t length;
    } cases[] = {{"Бомба", "бОМ", 6},  {"Сапёр", "сапер", 10}, {"Maršal", "MARŠ", 5},
                 {"Ґедзь", "ґ", 2},    {"Žena", "ž", 2},       {"Bomb", "bomba", 0},
                 {"Bomb", "c", 0},     {"", "b", 0},           {"Bomb", "", 0},
                 {"Ñandú", "ñANDÚ", 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(utf8_begins(cases[i].text, cases[i].start, strlen(cases[i].start)),
                         cases[i].length);
    assert_int_equal(utf8_begins("Bomb", "bom\xd0", 4), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_for_itself_is_safe),
        cmocka_unit_test(controls_turns_of_direction_and_the_invisible_are_replaced_one_for_one),
        cmocka_unit_test(what_cannot_be_shown_is_named_with_its_place),
        cmocka_unit_test(nothing_is_read_behind_the_length_or_a_final_zero),
        cmocka_unit_test(a_text_is_cut_between_characters),
        cmocka_unit_test(a_beginning_is_found_in_either_case),
    };
    return cmocka_run_group_tests_name("core/utf8", tests, NULL, NULL);
}
