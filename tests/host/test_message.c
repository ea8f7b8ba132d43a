/* Messages as lines. */
#include "base/buffer.h"
#include "host/seat/message.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void a_line_is_whole_however_much_room_its_buffer_has(void **state) {
    (void)state;
    enum { FIRST = 1024 /* bytes that a buffer holds at least */ };
    char line[64];
    for (size_t filled = FIRST - 64; filled < FIRST; filled++) {
        struct buffer out = buffer_of(1 << 20);
        while (out.length < filled) buffer_add(&out, ".", 1);
        assert_true(message_write(message_draw(RED), &out));
        snprintf(line, sizeof line, "%s", "{\"type\":\"draw\",\"side\":\"red\"}\n");
        assert_int_equal(out.length, filled + strlen(line));
        assert_string_equal(out.text + filled, line);
        buffer_clear(&out);
    }
}

static void a_line_that_does_not_fit_is_not_begun(void **state) {
    (void)state;
    struct buffer out = buffer_of(20);
    buffer_add(&out, "a line\n", 7);
    assert_false(message_write(message_draw(RED), &out));
    assert_false(message_write(NULL, &out));
    assert_string_equal(out.text, "a line\n");
    buffer_clear(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_whole_however_much_room_its_buffer_has),
        cmocka_unit_test(a_line_that_does_not_fit_is_not_begun),
    };
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
