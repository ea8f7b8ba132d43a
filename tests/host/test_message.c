/* Messages as lines. */
#include "base/buffer.h"
#include "host/seat/message.h"
#include "host/seat/reply.h"

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

static void the_id_of_a_line_is_found_without_reading_the_rest(void **state) {
    (void)state;
    static const struct {
        const char *line, *id; /* as JSON; NULL: none */
    } lines[] = {
        {"{\"type\":\"view\",\"id\":7}", "7"},
        {"{\"id\" : \"a\\\"b\", \"x\":1}", "\"a\\\"b\""},
        {"{\"x\":{\"id\":1,\"y\":[{\"id\":2}]},\"id\":-3.5}", "-3.5"},
        {"{\"x\":\"{\\\"id\\\":1\",\"id\":2", "2"}, /* it need not be whole */
        {"{\"x\":\"id\",\"y\":\"\\\\\",\"id\":4}", "4"},
        {"{\"x\":[\"id\",1]}", NULL},
        {"{\"x\":\"id\"}", NULL},
        {"[\"id\",5]", NULL},
        {"{\"id\":}", NULL},
        {"{\"id\":{\"x\":1}}", NULL},
        {"{\"id\":nonsense}", NULL},
        {"{\"id\":\"not ended", NULL},
        {"{\"x\":\"not ended\\", NULL},
        {"{\"id\"", NULL},
        {"{\"id\":\"0123456789012345678901234567890123456789012345678901234567890123\"}", NULL},
        {"\"id\":1", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        json_t *found = reply_find_id(lines[i].line, strlen(lines[i].line));
        json_t *wanted = lines[i].id ? json_loads(lines[i].id, JSON_DECODE_ANY, NULL) : NULL;
        if (!found != !wanted || (wanted && !json_equal(json_object_get(found, "id"), wanted)))
            fail_msg("%s", lines[i].line);
        json_decref(found);
        json_decref(wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_whole_however_much_room_its_buffer_has),
        cmocka_unit_test(a_line_that_does_not_fit_is_not_begun),
        cmocka_unit_test(the_id_of_a_line_is_found_without_reading_the_rest),
    };
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
