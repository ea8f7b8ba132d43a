/* Variants and bots are found on the search path, nearest first. */
#include "lua/folders.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

/* A current folder, a data folder and an installed one, all in a folder of their own. */
static char root[64];

static void write_file(const char *path) {
    char text[256], whole[512];
    snprintf(text, sizeof text, "%s/%s", root, path);
    for (char *c = text + 1; *c; c++) {
        if (*c != '/') continue;
        *c = 0;
        mkdir(text, 0700);
        *c = '/';
    }
    snprintf(whole, sizeof whole, "%s", text);
    FILE *file = fopen(whole, "wb");
    assert_non_null(file);
    fputs("return {}", file);
    fclose(file);
}

static int lay_out(void **state) {
    (void)state;
    snprintf(root, sizeof root, "/tmp/ensign-folders-XXXXXX");
    if (!mkdtemp(root)) return -1;
    write_file("here/variants/near.lua");
    write_file("here/variants/both.lua");
    write_file("here/variants/.hidden.lua");
    write_file("here/variants/notes.txt");
    write_file("data/ensign/variants/both.lua");
    write_file("data/ensign/variants/folder/init.lua");
    write_file("data/ensign/bots/robot.lua");
    write_file("here/variants/setups/mine.txt");
    write_file("data/ensign/variants/setups/secret.txt");
    write_file("offered/shown.txt");
    write_file("installed/variants/setups/known.txt");
    write_file("installed/scripts/boards.lua");
    write_file("here/scripts/languages/aa.lua");
    write_file("here/scripts/languages/bb.lua");
    write_file("here/scripts/languages/cc.lua");
    write_file("data/ensign/scripts/languages/bb.lua");
    write_file("installed/scripts/languages/bb.lua");
    write_file("installed/scripts/languages/cc.lua");
    write_file("installed/variants/original.lua");
    write_file("installed/variants/both.lua");
    write_file("data/ensign/bundles/aa/variants/both.lua");
    write_file("data/ensign/bundles/aa/variants/bundled.lua");
    write_file("data/ensign/bundles/bb/variants/bundled.lua");
    write_file("data/ensign/bundles/bb/bots/robot.lua");
    write_file("data/ensign/bundles/bb/bots/guest.lua");
    write_file("data/ensign/bundles/.cc/bots/hidden.lua");
    write_file("data/ensign/bundles/aa/scripts/languages/cc.lua");
    write_file("data/ensign/bundles/aa/scripts/languages/dd.lua");
    write_file("here/scripts/languages/dd.lua");
    write_file("data/ensign/bundles/aa/variants/setups/theirs.txt");
    char path[128];
    snprintf(path, sizeof path, "%s/data", root);
    setenv("XDG_DATA_HOME", path, 1);
    snprintf(path, sizeof path, "%s/installed", root);
    setenv("ENSIGN_DATA", path, 1);
    snprintf(path, sizeof path, "%s/here", root);
    return chdir(path);
}

static int clear(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static struct folders found(void) {
    struct folders folders;
    struct fault fault = {0};
    if (!folders_find(&folders, &fault)) fail_msg("%s", fault.text);
    return folders;
}

static void expect_path(enum folder_sort sort, const char *name, const char *expected) {
    struct folders folders = found();
    struct fault fault = {0};
    char path[FOLDER_PATH_MAX], whole[FOLDER_PATH_MAX];
    if (!folders_resolve(&folders, sort, name, path, &fault)) fail_msg("%s", fault.text);
    snprintf(whole, sizeof whole, "%s%s", expected[0] == '*' ? root : "",
             expected[0] == '*' ? expected + 1 : expected);
    assert_string_equal(path, whole);
}

static void names_are_found_in_the_nearest_folder_first(void **state) {
    (void)state;
    expect_path(FOLDER_VARIANTS, "near", "variants/near.lua");
    expect_path(FOLDER_VARIANTS, "both", "variants/both.lua");
    expect_path(FOLDER_VARIANTS, "original", "*/installed/variants/original.lua");
    expect_path(FOLDER_BOTS, "robot", "*/data/ensign/bots/robot.lua");
}

static void bundles_are_searched_last_by_their_names(void **state) {
    (void)state;
    expect_path(FOLDER_VARIANTS, "bundled", "*/data/ensign/bundles/aa/variants/bundled.lua");
    expect_path(FOLDER_BOTS, "guest", "*/data/ensign/bundles/bb/bots/guest.lua");
    expect_path(FOLDER_LANGUAGES, "dd", "*/data/ensign/bundles/aa/scripts/languages/dd.lua");
    expect_path(FOLDER_SETUPS, "theirs", "*/data/ensign/bundles/aa/variants/setups/theirs.txt");
    struct folders folders = found();
    char path[FOLDER_PATH_MAX];
    assert_false(folders_resolve(&folders, FOLDER_BOTS, "hidden", path, NULL));
}

/* Its words would be in the question whether to start the programs of that folder. */
static void a_language_of_the_current_folder_replaces_no_other(void **state) {
    (void)state;
    expect_path(FOLDER_LANGUAGES, "aa", "scripts/languages/aa.lua");
    expect_path(FOLDER_LANGUAGES, "bb", "*/data/ensign/scripts/languages/bb.lua");
    expect_path(FOLDER_LANGUAGES, "cc", "*/installed/scripts/languages/cc.lua");
}

static void a_folder_with_init_lua_is_a_variant_too(void **state) {
    (void)state;
    expect_path(FOLDER_VARIANTS, "folder", "*/data/ensign/variants/folder/init.lua");
    expect_path(FOLDER_VARIANTS, "../data/ensign/variants/folder",
                "../data/ensign/variants/folder/init.lua");
}

static void what_looks_like_a_path_is_taken_as_it_is(void **state) {
    (void)state;
    expect_path(FOLDER_VARIANTS, "./variants/near.lua", "./variants/near.lua");
    struct folders folders = found();
    struct fault fault = {0};
    char path[FOLDER_PATH_MAX];
    assert_false(folders_resolve(&folders, FOLDER_VARIANTS, "near.lua", path, &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    assert_non_null(strstr(fault.text, "\"near.lua\""));
}

/* The folder of bundles is not read for each name. */
static void bundles_are_those_that_were_there_when_the_folders_were_found(void **state) {
    (void)state;
    struct folders folders = found();
    char path[FOLDER_PATH_MAX];
    assert_int_equal(folders.bundle_count, 2);
    write_file("data/ensign/bundles/zz/variants/later.lua");
    assert_false(folders_resolve(&folders, FOLDER_VARIANTS, "later", path, NULL));
    folders_read_bundles(&folders);
    assert_int_equal(folders.bundle_count, 3);
    assert_true(folders_resolve(&folders, FOLDER_VARIANTS, "later", path, NULL));
    snprintf(path, sizeof path, "rm -r '%s/data/ensign/bundles/zz'", root);
    assert_int_equal(system(path), 0);
}

static void an_unknown_name_gets_the_nearest_known(void **state) {
    (void)state;
    struct folders folders = found();
    struct fault fault = {0};
    char path[FOLDER_PATH_MAX];
    assert_false(folders_resolve(&folders, FOLDER_VARIANTS, "orignial", path, &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    assert_string_equal(fault.text, "no variant \"orignial\", did you mean \"original\"?");
    assert_false(folders_resolve(&folders, FOLDER_VARIANTS, "", path, &fault));
    assert_false(folders_resolve(&folders, FOLDER_BOTS, "near", path, &fault));
}

static void append(void *context, const char *name, const char *path) {
    char *list = context;
    size_t used = strlen(list);
    snprintf(list + used, 256 - used, "%s%s ", name, path[0] == '/' ? "" : "*");
}

static void a_list_is_sorted_and_has_each_name_once(void **state) {
    (void)state;
    struct folders folders = found();
    char list[256] = "";
    folders_list(&folders, FOLDER_VARIANTS, append, list);
    assert_string_equal(list, "both* bundled folder near* original ");
}

static void strangers_see_the_programs_set_ups_and_those_offered(void **state) {
    (void)state;
    char list[256] = "", path[FOLDER_PATH_MAX];
    struct folders folders = found(), shown = folders_for_strangers(&folders, NULL);
    folders_list(&folders, FOLDER_SETUPS, append, list);
    assert_string_equal(list, "known mine* secret theirs ");
    folders_list(&shown, FOLDER_SETUPS, append, strcpy(list, ""));
    assert_string_equal(list, "known ");
    assert_false(folders_resolve(&shown, FOLDER_SETUPS, "secret", path, NULL));
    shown = folders_for_strangers(&folders, "../offered");
    folders_list(&shown, FOLDER_SETUPS, append, strcpy(list, ""));
    assert_string_equal(list, "known shown* ");
    assert_true(folders_resolve(&shown, FOLDER_BOTS, "robot", path, NULL));
}

static void a_data_folder_without_scripts_is_a_fault_of_the_host(void **state) {
    (void)state;
    char path[128];
    struct folders folders;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", "/nowhere", 1);
    assert_false(folders_find(&folders, &fault));
    snprintf(path, sizeof path, "%s/installed", root);
    setenv("ENSIGN_DATA", path, 1);
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_non_null(strstr(fault.text, "/nowhere"));
}

static void a_program_in_a_build_uses_its_sources(void **state) {
    (void)state;
    unsetenv("ENSIGN_DATA");
    struct folders folders = found();
    assert_string_equal(folders.scripts, ENSIGN_ROOT "/scripts");
    char path[128];
    snprintf(path, sizeof path, "%s/installed", root);
    setenv("ENSIGN_DATA", path, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_in_the_nearest_folder_first),
        cmocka_unit_test(bundles_are_searched_last_by_their_names),
        cmocka_unit_test(bundles_are_those_that_were_there_when_the_folders_were_found),
        cmocka_unit_test(a_language_of_the_current_folder_replaces_no_other),
        cmocka_unit_test(a_folder_with_init_lua_is_a_variant_too),
        cmocka_unit_test(what_looks_like_a_path_is_taken_as_it_is),
        cmocka_unit_test(an_unknown_name_gets_the_nearest_known),
        cmocka_unit_test(a_list_is_sorted_and_has_each_name_once),
        cmocka_unit_test(strangers_see_the_programs_set_ups_and_those_offered),
        cmocka_unit_test(a_data_folder_without_scripts_is_a_fault_of_the_host),
        cmocka_unit_test(a_program_in_a_build_uses_its_sources),
    };
    return cmocka_run_group_tests(tests, lay_out, clear);
}
