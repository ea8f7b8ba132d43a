/* Learning by self-play: the same for any number of threads and after an interruption, on every
 * machine; files that hold something else are refused. */
#include "host/learn/learned.h"

#include "base/files.h"
#include "games/sanitized.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

static const struct chance CHANCE = {{3, 1, 4, 1, 5, 9, 2, 6}};
static struct rules *rules;
static char path[] = "/tmp/ensign_school_XXXXXX";

static int load(void **state) {
    (void)state;
    int file = mkstemp(path);
    if (file < 0) return -1;
    close(file);
    return (rules = support_rules("barrage")) ? 0 : -1;
}

static int drop(void **state) {
    (void)state;
    unlink(path);
    rules_free(rules);
    return 0;
}

static struct school *enter(int jobs) {
    struct fault fault = {0};
    struct school *school = school_new(rules, &CHANCE, 7, jobs, &fault);
    if (!school) fail_msg("%s", fault.text);
    return school;
}

static void learn(struct school *school, int classes) {
    while (classes--) school_class(school);
}

/* The file that a match would read. */
static char *written(const struct school *school) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    learned_write(out, school, true);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_same(const struct school *one, const struct school *other) {
    char *first = written(one), *second = written(other);
    assert_string_equal(first, second);
    free(first);
    free(second);
    assert_memory_equal(&one->state, &other->state, sizeof one->state);
}

static void the_number_of_threads_makes_no_difference(void **state) {
    (void)state;
    struct school *one = enter(1), *three = enter(3);
    learn(one, 5);
    learn(three, 5);
    assert_same(one, three);
    school_free(one);
    school_free(three);
}

static void learning_goes_on_where_it_was_interrupted(void **state) {
    (void)state;
    struct fault fault = {0};
    struct school *whole = enter(2), *first = enter(2), *second = enter(1);
    learn(whole, 6);
    learn(first, 3);
    if (!school_save(first, path, &fault)) fail_msg("%s", fault.text);
    if (!school_load(second, path, &fault)) fail_msg("%s", fault.text);
    learn(second, 3);
    assert_same(whole, second);
    school_free(whole);
    school_free(first);
    school_free(second);
}

/* What is given out after a few classes is pinned: floating point is the same everywhere. */
static void the_same_is_learned_on_every_machine(void **state) {
    (void)state;
    struct value value;
    struct school *school = enter(2);
    learn(school, 8);
    memset(&value, 0, sizeof value);
    school_value(school, &value);
    assert_int_equal(XXH3_64bits(&value, sizeof value), UINT64_C(0xd2c7ed33f16f1d32));
    school_free(school);
}

static void what_is_learned_is_better_than_the_beginning(void **state) {
    (void)state;
    if (sanitized()) skip();
    struct school *school = enter(2);
    struct value first, later;
    school_value(school, &first);
    learn(school, 40);
    school_value(school, &later);
    const double points = school_compare(school, &later, &first, 600, &CHANCE);
    assert_true(points > 55);
    assert_true(school_compare(school, &first, &later, 600, &CHANCE) < 45);
    school_free(school);
}

static void expect_refused(const char *text, size_t length, const char *why) {
    struct fault fault = {0};
    struct school *school = enter(1);
    struct school_state *before = malloc(sizeof *before);
    assert_non_null(before);
    memcpy(before, &school->state, sizeof *before);
    assert_true(files_replace(path, text, length, &fault));
    assert_false(school_load(school, path, &fault));
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_string_equal(fault.file, path);
    if (!strstr(fault.text, why)) fail_msg("%s", fault.text);
    assert_memory_equal(before, &school->state, sizeof *before);
    free(before);
    school_free(school);
}

static void a_file_of_something_else_is_refused(void **state) {
    (void)state;
    struct fault fault = {0};
    struct school *school = enter(1);
    size_t length;
    learn(school, 1);
    assert_true(school_save(school, path, &fault));
    char *text = files_read(path, 1 << 24, &length, &fault);
    assert_non_null(text);
    static const size_t lengths[] = {0, 1, 7, 8, 1000};
    for (size_t i = 0; i < 5; i++) expect_refused(text, lengths[i], "does not hold");
    expect_refused(text, length - 1, "does not hold");
    for (size_t at = 0; at < length; at += length / 9) {
        text[at] = (char)(text[at] ^ 16);
        expect_refused(text, length, "does not hold");
        text[at] = (char)(text[at] ^ 16);
    }
    free(text);
    struct rules *barrage = rules;
    rules = support_rules("duel");
    struct school *other = enter(1);
    assert_true(school_save(other, path, &fault));
    school_free(other);
    rules_free(rules);
    rules = barrage;
    assert_false(school_load(school, path, &fault));
    assert_non_null(strstr(fault.text, "is about other rules; remove it to begin anew"));
    school_free(school);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_makes_no_difference),
        cmocka_unit_test(learning_goes_on_where_it_was_interrupted),
        cmocka_unit_test(the_same_is_learned_on_every_machine),
        cmocka_unit_test(what_is_learned_is_better_than_the_beginning),
        cmocka_unit_test(a_file_of_something_else_is_refused),
    };
    return cmocka_run_group_tests_name("host/school", tests, load, drop);
}
