/* Arrays and texts that grow, each up to its ceiling. */
#include "base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void an_array_takes_as_many_items_as_its_ceiling_and_keeps_them(void **state) {
    (void)state;
    enum { CEILING = 100 };
    int *list = NULL;
    for (size_t count = 0; count < CEILING; count++) {
        int *grown = array_grown(list, count, sizeof *list, CEILING);
        assert_non_null(grown);
        list = grown;
        list[count] = (int)count;
    }
    assert_null(array_grown(list, CEILING, sizeof *list, CEILING));
    for (int i = 0; i < CEILING; i++) assert_int_equal(list[i], i);
    free(list);
}

static void an_array_that_shrank_has_room_again(void **state) {
    (void)state;
    char *list = NULL;
    size_t count = 0;
    for (; count < 9; count++) list = array_grown(list, count, 1, SIZE_MAX);
    for (count = 3; count < 40; count++) {
        list = array_grown(list, count, 1, SIZE_MAX);
        list[count] = 'x'; /* the sanitizer watches */
    }
    free(list);
}

static void a_size_that_overflows_is_no_memory(void **state) {
    (void)state;
    assert_null(array_grown(NULL, SIZE_MAX / 4 + 1, 16, SIZE_MAX));
}

static void a_text_grows_to_its_ceiling_and_not_beyond(void **state) {
    (void)state;
    struct buffer buffer = buffer_of(3000);
    for (int i = 0; i < 300; i++) assert_true(buffer_add_text(&buffer, "ten bytes."));
    assert_int_equal(buffer.length, 3000);
    assert_int_equal(strlen(buffer.text), 3000);
    assert_false(buffer_add(&buffer, "x", 1));
    assert_true(buffer.broken);
    assert_null(buffer_take(&buffer));
}

static void what_follows_a_break_is_not_added(void **state) {
    (void)state;
    struct buffer buffer = buffer_of(4);
    assert_true(buffer_add_text(&buffer, "ab"));
    assert_false(buffer_add_text(&buffer, "long"));
    assert_false(buffer_add_text(&buffer, "c")); /* it would fit, but the text has a hole */
    assert_string_equal(buffer.text, "ab");
    buffer_clear(&buffer);
}

static void an_empty_text_can_be_taken_and_the_buffer_used_again(void **state) {
    (void)state;
    struct buffer buffer = buffer_of(SIZE_MAX);
    assert_true(buffer_add(&buffer, NULL, 0));
    char *text = buffer_take(&buffer);
    assert_string_equal(text, "");
    free(text);
    buffer_add_text(&buffer, "again");
    text = buffer_take(&buffer);
    assert_string_equal(text, "again");
    free(text);
}

static void a_length_that_overflows_is_refused(void **state) {
    (void)state;
    struct buffer buffer = buffer_of(SIZE_MAX);
    buffer_add_text(&buffer, "x");
    assert_false(buffer_reserve(&buffer, SIZE_MAX - 1));
    buffer_clear(&buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_takes_as_many_items_as_its_ceiling_and_keeps_them),
        cmocka_unit_test(an_array_that_shrank_has_room_again),
        cmocka_unit_test(a_size_that_overflows_is_no_memory),
        cmocka_unit_test(a_text_grows_to_its_ceiling_and_not_beyond),
        cmocka_unit_test(what_follows_a_break_is_not_added),
        cmocka_unit_test(an_empty_text_can_be_taken_and_the_buffer_used_again),
        cmocka_unit_test(a_length_that_overflows_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
