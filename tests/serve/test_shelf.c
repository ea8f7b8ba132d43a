/* Variants that are loaded once for many games, and again when their file has changed. */
#include "serve/shelf.h"

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
    struct shelf *shelf = shelf_open(support_folders(), false, false);
    snprintf(path, sizeof path, "%s/mine.lua", test_folder);
    write_variant(path, "mine");
    const struct edition *first = shelf_take(shelf, path, &fault);
    if (!first) fail_msg("%s", fault.text);
    assert_non_null(first->template);
    assert_ptr_equal(shelf_take(shelf, path, &fault), first);
    write_variant(path, "another");
    const struct edition *second = shelf_take(shelf, path, &fault);
    assert_ptr_not_equal(second, first);
    assert_string_equal(first->rules->title, "mine");
    assert_string_equal(second->rules->title, "another");
    shelf_return(shelf, first);
    assert_string_equal(first->rules->title, "mine");
    shelf_return(shelf, first);
    shelf_return(shelf, second);
    assert_null(shelf_take(shelf, "no-such", &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    shelf_close(shelf);
}

static void an_edition_whose_nursery_was_killed_is_loaded_again(void **state) {
    (void)state;
    struct fault fault = {0};
    struct shelf *shelf = shelf_open(support_folders(), false, false);
    const struct edition *first = shelf_take(shelf, "duel", &fault);
    if (!first) fail_msg("%s", fault.text);
    pid_t process = template_process(first->template);
    kill(process, SIGKILL);
    assert_true(process_ends(process));
    const struct edition *second = shelf_take(shelf, "duel", &fault);
    if (!second) fail_msg("%s", fault.text);
    assert_ptr_not_equal(second, first);
    struct locked_process child;
    assert_false(template_take(first->template, &child, &fault));
    assert_true(template_take(second->template, &child, &fault));
    template_end(second->template, &child);
    shelf_return(shelf, first);
    shelf_return(shelf, second);
    shelf_close(shelf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            an_edition_is_shared_until_its_file_changes_and_lives_on_in_its_games, make_test_folder,
            remove_test_folder),
        cmocka_unit_test(an_edition_whose_nursery_was_killed_is_loaded_again),
    };
    return cmocka_run_group_tests_name("shelf", tests, NULL, NULL);
}
