/* test_takeback.c - what a record says of moves that were taken back. */
#include "host/table/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The tag of a game of `plies` plies with that tag, which goes on after `keep`; NULL: none. Freed
 * by the caller. */
static char *tag_after(const char *tag, size_t plies, uint32_t keep) {
    struct record *before = record_new(), *tags = record_new();
    if (tag) assert_true(record_set_tag(before, TAKEBACK_TAG, tag));
    for (size_t i = 0; i < plies; i++) assert_true(record_add_move(before, "a4-a5"));
    assert_true(takeback_go_on(before, keep, tags));
    const char *now = record_tag(tags, TAKEBACK_TAG);
    char *copy = now ? strdup(now) : NULL;
    record_free(before);
    record_free(tags);
    return copy;
}

static void assert_tag(const char *tag, size_t plies, uint32_t keep, const char *expected) {
    char *now = tag_after(tag, plies, keep);
    assert_string_equal(now ? now : "none", expected);
    free(now);
}

static void each_way_back_is_one_entry(void **state) {
    (void)state;
    assert_tag(NULL, 12, 12, "none");
    assert_tag(NULL, 12, 10, "12 to 10");
    assert_tag("12 to 10", 31, UINT32_MAX, "12 to 10");
    assert_tag("12 to 10", 31, 27, "12 to 10, 31 to 27");
    assert_tag("12 to 10, 31 to 27", 27, 25, "12 to 10, 31 to 25"); /* no move in between */
    assert_tag("12 to 10, 31 to 27", 26, 25, "12 to 10, 31 to 27, 26 to 25");
    assert_tag("?", 12, 10, "?, 12 to 10"); /* nobody knows where, or a stranger's tag */
}

static void a_list_has_a_ceiling_and_keeps_its_end(void **state) {
    (void)state;
    char *tag = NULL;
    for (int i = 0; i < 2000; i++) {
        char *next = tag_after(tag, 12, 10);
        free(tag);
        tag = next;
    }
    assert_in_range(strlen(tag), 3900, 4095);
    assert_memory_equal(tag, "…, 12 to 10, ", strlen("…, 12 to 10, "));
    assert_null(strstr(tag + 3, "…"));
    assert_string_equal(tag + strlen(tag) - strlen(", 12 to 10"), ", 12 to 10");
    free(tag);
}

static void what_cannot_be_taken_back_is_refused(void **state) {
    (void)state;
    struct fault fault = {0};
    assert_true(takeback_check(2, 0, false, &fault));
    assert_false(takeback_check(0, 0, false, &fault));
    assert_string_equal(fault.text, "there is no move to take back");
    assert_false(takeback_check(2, 0, true, &fault));
    assert_non_null(strstr(fault.text, "lays out its own army"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_back_is_one_entry),
        cmocka_unit_test(a_list_has_a_ceiling_and_keeps_its_end),
        cmocka_unit_test(what_cannot_be_taken_back_is_refused),
    };
    return cmocka_run_group_tests_name("host/takeback", tests, NULL, NULL);
}
