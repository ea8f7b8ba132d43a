/* Variants that are loaded once for many games, and again when their file has changed. */
#include "serve/variant_cache.h"

#include "host/processes.h"
#include "host/support.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void write_variant(const char *path, const char *title) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "return { api = 1, extends = 'duel', title = '%s' }\n", title);
    assert_int_equal(fclose(file), 0);
}

static void an_edition_is_shared_until_its_file_changes_and_lives_on_in_its_games(void **state) {
    (void)state;
    struct fault fault = {0};
    char path[128];
    struct variant_cache *variants = variant_cache_open(support_folders(), false, false);
    snprintf(path, sizeof path, "%s/mine.lua", test_folder);
    write_variant(path, "mine");
    const struct edition *first = variant_cache_take(variants, path, &fault);
    if (!first) fail_msg("%s", fault.text);
    assert_non_null(first->template);
    assert_ptr_equal(variant_cache_take(variants, path, &fault), first);
    write_variant(path, "another");
    const struct edition *second = variant_cache_take(variants, path, &fault);
    assert_ptr_not_equal(second, first);
    assert_string_equal(first->rules->title, "mine");
    assert_string_equal(second->rules->title, "another");
    variant_cache_return(variants, first);
    assert_string_equal(first->rules->title, "mine");
    variant_cache_return(variants, first);
    variant_cache_return(variants, second);
    assert_null(variant_cache_take(variants, "no-such", &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    variant_cache_close(variants);
}

static void an_edition_whose_template_was_killed_too_often_is_loaded_again(void **state) {
    (void)state;
    struct fault fault = {0};
    struct variant_cache *variants = variant_cache_open(support_folders(), false, false);
    const struct edition *first = variant_cache_take(variants, "duel", &fault);
    if (!first) fail_msg("%s", fault.text);
    struct locked_process child;
    for (int times = 0; times < TEMPLATE_TRIES; times++) { /* it is made anew until then */
        assert_true(template_take(first->template, &child, &fault));
        locked_process_end(&child);
        pid_t process = template_process(first->template);
        kill(process, SIGKILL);
        assert_true(process_ends(process));
    }
    const struct edition *second = variant_cache_take(variants, "duel", &fault);
    if (!second) fail_msg("%s", fault.text);
    assert_ptr_not_equal(second, first);
    assert_false(template_take(first->template, &child, &fault));
    assert_true(template_take(second->template, &child, &fault));
    locked_process_end(&child);
    variant_cache_return(variants, first);
    variant_cache_return(variants, second);
    variant_cache_close(variants);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            an_edition_is_shared_until_its_file_changes_and_lives_on_in_its_games, make_test_folder,
            remove_test_folder),
        cmocka_unit_test(an_edition_whose_template_was_killed_too_often_is_loaded_again),
    };
    return cmocka_run_group_tests_name("variants", tests, NULL, NULL);
}
