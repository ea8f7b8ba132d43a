/* Files of set-ups: one on several lines, or many, one a line. */
#include "host/setups/setup_pool.h"

#include "base/files.h"
#include "support.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_written(const struct setup *setup, const char *expected) {
    char text[SETUP_TEXT_MAX];
    setup_write(duel, RED, setup, text);
    assert_string_equal(text, expected);
}

static void one_setup_stands_on_several_lines(void **state) {
    (void)state;
    static const char text[] = "# mine\n"
                               "M..2......   # the strong side\n"
                               "...9..2...\n"
                               "\n"
                               "3.S......3\n"
                               "....BFB...\n";
    struct setup_pool setups;
    struct fault fault = {0};
    assert_true(setup_pool_read(duel, RED, text, strlen(text), &setups, &fault));
    assert_int_equal(setups.count, 1);
    assert_written(&setups.list[0], "M..2....../...9..2.../3.S......3/....BFB...");
    setup_pool_clear(&setups);
}

static void many_setups_stand_one_a_line_with_counts_and_comments(void **state) {
    (void)state;
    static const char text[] = "\n# seen online\n"
                               "17 M..2....../...9..2.../3.S......3/....BFB...  # often\r\n"
                               "\n"
                               "M..2....../...9..2.../3..S.....3/....BFB...\n"
                               "  3 M..2....../...9..2.../3...S....3/....BFB...";
    struct setup_pool setups;
    struct fault fault = {0};
    assert_true(setup_pool_read(duel, RED, text, strlen(text), &setups, &fault));
    assert_int_equal(setups.count, 3);
    assert_written(&setups.list[0], "M..2....../...9..2.../3.S......3/....BFB...");
    assert_written(&setups.list[2], "M..2....../...9..2.../3...S....3/....BFB...");
    setup_pool_clear(&setups);
}

static void a_wrong_setup_is_named_with_its_line(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum status status;
        int line;
    } cases[] = {
        {"", STATUS_TEXT, 0},
        {"# nothing here\n\n", STATUS_TEXT, 0},
        {"5 M..2....../...9..2.../3.S......3/....BFB...\n\n7 M..2....../...9..2.../3.S......3/"
         "....BF....\n",
         STATUS_SETUP, 3},
        {"M..2....../...9..2.../3.S......3/....BFB...\nM..2....../...9..2.../3.S......3/....BFZ...",
         STATUS_TEXT, 2},
        {"M..2......\n...9..2...\n3.S......3\n....B?B...\n", STATUS_TEXT, 4},
        {"\x01\x02\x03/\xff\xfe", STATUS_TEXT, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct setup_pool setups;
        struct fault fault = {0};
        assert_false(
            setup_pool_read(duel, RED, cases[i].text, strlen(cases[i].text), &setups, &fault));
        assert_int_equal(fault.status, cases[i].status);
        assert_int_equal(fault.line, cases[i].line);
        assert_null(setups.list);
    }
}

static void the_column_of_a_fault_counts_the_number_in_front(void **state) {
    (void)state;
    static const char text[] = "12 M..2....../...9..2.../3.S......3/....BF?...";
    struct setup_pool setups;
    struct fault fault = {0};
    assert_false(setup_pool_read(duel, RED, text, strlen(text), &setups, &fault));
    assert_int_equal(fault.column, strchr(text, '?') - text + 1);
}

static void setups_that_people_played_are_all_read(void **state) {
    (void)state;
    static const struct {
        const char *variant;
        size_t count;
    } files[] = {{"original", 47108}, {"barrage", 3646}};
    if (!support_data()) skip();
    for (int i = 0; i < 2; i++) {
        char path[1200];
        struct fault fault = {0};
        struct setup_pool setups;
        size_t length;
        snprintf(path, sizeof path, "%s/setups/%s.txt", support_data(), files[i].variant);
        char *text = files_read(path, 16 << 20, &length, &fault);
        if (!text) skip();
        struct rules *rules = support_rules(files[i].variant);
        if (!setup_pool_read(rules, RED, text, length, &setups, &fault))
            fail_msg("%s:%d:%d: %s", path, fault.line, fault.column, fault.text);
        assert_int_equal(setups.count, files[i].count);
        setup_pool_clear(&setups);
        rules_free(rules);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_setup_stands_on_several_lines),
        cmocka_unit_test(many_setups_stand_one_a_line_with_counts_and_comments),
        cmocka_unit_test(a_wrong_setup_is_named_with_its_line),
        cmocka_unit_test(the_column_of_a_fault_counts_the_number_in_front),
        cmocka_unit_test(setups_that_people_played_are_all_read),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
