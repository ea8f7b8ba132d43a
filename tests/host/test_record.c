/* The text of records: reading, recovering damaged ones, writing. */
#include "host/record.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char SAMPLE[] = "[Variant \"duel\"]\n"
                             "[Red \"a \\\"quoted\\\" \\\\ name\"]\n"
                             "[Annotator \"Шпионин\"]\n"
                             "\n"
                             "1. a4-a5 {why not?} j7-j6\n"
                             "2... b4xb5 3.e7@e9=bomb e6-e7@e8=marshal\n";

static struct record *read_text(const char *text, struct fault *fault) {
    *fault = (struct fault){0};
    struct record *record = record_read(text, strlen(text), fault);
    assert_non_null(record);
    assert_int_equal(record->damaged, fault->status != STATUS_OK);
    return record;
}

static void a_record_is_read_with_tags_moves_and_their_places(void **state) {
    (void)state;
    struct fault fault;
    struct record *record = read_text(SAMPLE, &fault);
    assert_false(record->damaged);
    assert_int_equal(record->tag_count, 3);
    assert_string_equal(record_tag(record, "Red"), "a \"quoted\" \\ name");
    assert_string_equal(record_tag(record, "Annotator"), "Шпионин");
    assert_null(record_tag(record, "Blue"));
    assert_int_equal(record->tags[0].line, 1);
    assert_int_equal(record->tags[0].column, 11);
    assert_int_equal(record->move_count, 5);
    assert_string_equal(record->moves[1].text, "j7-j6");
    assert_int_equal(record->moves[1].line, 5);
    assert_int_equal(record->moves[1].column, 21);
    assert_string_equal(record->moves[3].text, "e7@e9=bomb");
    assert_string_equal(record->moves[4].text, "e6-e7@e8=marshal");
    record_free(record);
}

static void what_is_written_reads_back_the_same(void **state) {
    (void)state;
    struct fault fault;
    struct record *record = read_text(SAMPLE, &fault);
    for (int i = 0; i < 300; i++) assert_true(record_add_move(record, "j10-j9"));
    char *text = record_write(record);
    struct record *again = read_text(text, &fault);
    assert_false(again->damaged);
    assert_int_equal(again->tag_count, record->tag_count);
    for (size_t i = 0; i < record->tag_count; i++) {
        assert_string_equal(again->tags[i].name, record->tags[i].name);
        assert_string_equal(again->tags[i].value, record->tags[i].value);
    }
    assert_int_equal(again->move_count, record->move_count);
    for (size_t i = 0; i < record->move_count; i++)
        assert_string_equal(again->moves[i].text, record->moves[i].text);
    char *twice = record_write(again);
    assert_string_equal(text, twice);
    free(text);
    free(twice);
    record_free(record);
    record_free(again);
}

static void lines_are_wrapped_at_100_columns(void **state) {
    (void)state;
    struct record *record = record_new();
    record_set_tag(record, "Variant", "duel");
    for (int i = 0; i < 500; i++) record_add_move(record, "j10xj9");
    char *text = record_write(record);
    size_t longest = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strlen(line) > longest) longest = strlen(line);
    assert_in_range(longest, 90, 100);
    free(text);
    record_free(record);
}

static void setting_a_tag_again_replaces_its_value(void **state) {
    (void)state;
    struct record *record = record_new();
    assert_true(record_set_tag(record, "Result", "*"));
    assert_true(record_set_tag(record, "Result", "line\nend"));
    assert_int_equal(record->tag_count, 1);
    assert_string_equal(record_tag(record, "Result"), "line?end");
    record_free(record);
}

static void a_move_that_is_too_long_is_not_taken(void **state) {
    (void)state;
    char text[MOVE_TEXT_MAX + 1];
    memset(text, 'a', MOVE_TEXT_MAX);
    text[MOVE_TEXT_MAX] = 0;
    struct record *record = record_new();
    assert_false(record_add_move(record, text));
    assert_int_equal(record->move_count, 0);
    record_free(record);
}

static void the_first_fault_is_placed_and_the_rest_is_kept(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected; /* a part of the fault's text */
        int line, column;
        size_t tags, moves; /* that are kept */
    } cases[] = {
        {"[Variant \"duel]\n[Red \"x\"]\n1. a4-a5", "closing quote", 1, 16, 2, 1},
        {"[Variant \"duel]\r\n[Red \"x\"]", "closing quote", 1, 16, 2, 0},
        {"[Variant duel]\n[Red \"x\"]", "opening quote", 1, 10, 1, 0},
        {"[Variant \"duel\"\n1. a4-a5", "\"]\"", 1, 16, 1, 1},
        {"[\"duel\"]\n1. a4-a5", "a tag's name", 1, 2, 0, 1},
        {"[Red \"a\"]\n[Red \"b\"]", "twice", 2, 1, 2, 0},
        {"1. a4-a5\n[Red \"a\"]", "tags come first", 2, 1, 1, 1},
        {"[Red \"a\\n\"]\n1. a4-a5", "\\\"", 1, 9, 1, 1},
        {"1. a4-a5 {never ended", "\"}\"", 1, 10, 0, 1},
        {"1 a4-a5", "\".\"", 1, 2, 0, 1},
        {"1. a4-a5 ?? j7-j6", "a tag, a move", 1, 10, 0, 2},
        {"1. a4-a5 hello j7-j6", "such as a4-a5", 1, 10, 0, 3},
        {"1. a4-a5 \x01 j7-j6", "byte 0x01", 1, 10, 0, 2},
        {"[Red \"\xff\"]\n1. a4-a5", "byte 0xff", 1, 7, 1, 1},
        {"[Red \"Ж\xd0\"]", "byte 0xd0", 1, 8, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fault fault;
        struct record *record = read_text(cases[i].text, &fault);
        assert_int_equal(fault.status, STATUS_TEXT);
        assert_non_null(strstr(fault.text, cases[i].expected));
        assert_int_equal(fault.line, cases[i].line);
        assert_int_equal(fault.column, cases[i].column);
        assert_int_equal(record->tag_count, cases[i].tags);
        assert_int_equal(record->move_count, cases[i].moves);
        record_free(record);
    }
}

static void a_record_cut_off_anywhere_keeps_what_stood_before(void **state) {
    (void)state;
    size_t tags = 0, moves = 0;
    for (size_t length = 0; length < sizeof SAMPLE; length++) {
        char *cut = malloc(length + 1); /* exactly as long, so that reading beyond it shows */
        memcpy(cut, SAMPLE, length);
        struct fault fault = {0};
        struct record *record = record_read(cut, length, &fault);
        assert_non_null(record);
        assert_true(record->tag_count >= tags);
        assert_true(record->move_count >= moves);
        tags = record->tag_count;
        moves = record->move_count;
        if (record->damaged) assert_int_not_equal(fault.line, 0);
        free(record_write(record));
        record_free(record);
        free(cut);
    }
    assert_int_equal(tags, 3);
    assert_int_equal(moves, 5);
}

static void junk_is_reported_and_what_was_read_of_it_can_be_written(void **state) {
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        char junk[200];
        for (size_t i = 0; i < sizeof junk; i++) {
            seed = seed * 1664525 + 1013904223;
            static const char often[] = "[]\"{}\\ \n.ab12-x@=\xd0";
            junk[i] = round % 2 ? often[(seed >> 16) % (sizeof often - 1)] : (char)(seed >> 20);
        }
        struct fault fault = {0};
        struct record *record = record_read(junk, sizeof junk, &fault);
        assert_non_null(record);
        assert_int_equal(record->damaged, fault.status == STATUS_TEXT);
        char *text = record_write(record);
        struct record *again = record_read(text, strlen(text), &fault);
        assert_int_equal(again->tag_count, record->tag_count);
        assert_int_equal(again->move_count, record->move_count);
        record_free(again);
        free(text);
        record_free(record);
    }
}

/* Else thousands of tags on one line would take the length of the line each. */
static void a_value_takes_the_room_of_its_own_text(void **state) {
    (void)state;
    enum { TAGS = 1000 };
    static char text[TAGS * 16];
    size_t length = 0;
    for (int i = 0; i < TAGS; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "[T%d \"\\\"x\"]", i);
    struct fault fault;
    struct record *record = read_text(text, &fault);
    assert_int_equal(record->tag_count, TAGS);
    for (int i = 0; i < TAGS; i++) {
        assert_string_equal(record->tags[i].value, "\"x");
        assert_true(malloc_usable_size(record->tags[i].value) < 64);
    }
    record_free(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_is_read_with_tags_moves_and_their_places),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(lines_are_wrapped_at_100_columns),
        cmocka_unit_test(setting_a_tag_again_replaces_its_value),
        cmocka_unit_test(a_move_that_is_too_long_is_not_taken),
        cmocka_unit_test(the_first_fault_is_placed_and_the_rest_is_kept),
        cmocka_unit_test(a_record_cut_off_anywhere_keeps_what_stood_before),
        cmocka_unit_test(a_value_takes_the_room_of_its_own_text),
        cmocka_unit_test(junk_is_reported_and_what_was_read_of_it_can_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
