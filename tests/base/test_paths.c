/* The parts of paths, and which words are paths. */
#include "base/paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_path_holds_a_slash_or_ends_as_such_a_file(void **state) {
    (void)state;
    assert_true(path_is_meant("bots/rookie", ".lua"));
    assert_true(path_is_meant("./rookie", ".lua"));
    assert_true(path_is_meant("rookie.lua", ".lua"));
    assert_true(path_is_meant("fort.txt", ".txt"));
    assert_false(path_is_meant("rookie", ".lua"));
    assert_false(path_is_meant("rookie.lua", ".txt"));
    assert_false(path_is_meant("rookie.luac", ".lua"));
    assert_false(path_is_meant(".lua", ".lua"));
    assert_false(path_is_meant("", ".lua"));
}

static void the_file_is_what_follows_the_last_slash(void **state) {
    (void)state;
    assert_string_equal(path_file("a/b/c.rec"), "c.rec");
    assert_string_equal(path_file("c.rec"), "c.rec");
    assert_string_equal(path_file("/c"), "c");
    assert_string_equal(path_file("a/"), "");
}

static void a_stem_has_no_ending_and_a_hidden_file_keeps_its_name(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"a.b/game.tar.gz", "game.tar"},
                                           {"a.b/game", "game"},
                                           {"a/.hidden", ".hidden"},
                                           {"a/.hidden.txt", ".hidden"},
                                           {"game.", "game"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char stem[32];
        assert_true(path_stem(cases[i][0], stem, sizeof stem));
        assert_string_equal(stem, cases[i][1]);
    }
    char cut[4];
    assert_false(path_stem("long.txt", cut, sizeof cut));
    assert_string_equal(cut, "lon");
}

static void a_script_is_called_as_its_file_or_the_folder_of_its_init(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"bots/rookie.lua", "rookie"},
                                           {"rookie", "rookie"},
                                           {"variants/duel/init.lua", "duel"},
                                           {"duel/init.lua", "duel"},
                                           {"init.lua", "init"},
                                           {"bots/init", "init"},
                                           {"bots/rookie.2.lua", "rookie.2"},
                                           {"bots/a\033b.lua", "a?b"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[32];
        path_script_name(cases[i][0], name, sizeof name);
        assert_string_equal(name, cases[i][1]);
    }
}

static void the_folder_of_a_path_can_be_opened(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"a/b/c", "a/b"}, {"c", "."}, {"/c", "/"}, {"/a/c", "/a"}, {"a/", "a"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char folder[16];
        assert_true(path_folder(cases[i][0], folder, sizeof folder));
        assert_string_equal(folder, cases[i][1]);
    }
    char cut[3];
    assert_false(path_folder("abc/d", cut, sizeof cut));
}

static void the_disk_tells_folders_from_files(void **state) {
    (void)state;
    assert_true(path_is_folder("src/base"));
    assert_false(path_is_file("src/base"));
    assert_true(path_is_file("README.md"));
    assert_false(path_is_folder("README.md"));
    assert_false(path_is_folder("src/none") || path_is_file("src/none"));
    assert_false(path_is_file("/dev/null"));
}

static void expect_user(const char *named, const char *home, const char *folder) {
    char path[16];
    unsetenv("ENSIGN_TEST_HOME");
    unsetenv("HOME");
    if (named) setenv("ENSIGN_TEST_HOME", named, 1);
    if (home) setenv("HOME", home, 1);
    assert_int_equal(path_of_user("ENSIGN_TEST_HOME", "/.share", path, sizeof path),
                     folder ? strlen(folder) : 0);
    if (folder && strlen(folder) < sizeof path) assert_string_equal(path, folder);
}

static void a_folder_of_the_user_is_absolute_or_none(void **state) {
    (void)state;
    expect_user("/named", "/home", "/named");
    expect_user("/named", NULL, "/named");
    expect_user(NULL, "/home", "/home/.share");
    expect_user("", "/home", "/home/.share");
    expect_user("named", "/home", "/home/.share");
    expect_user("~/named", "/long/way/home", "/long/way/home/.share");
    static const char *const none[] = {NULL, "", "home", "..", "./home", "~"};
    for (int i = 0; i < 6; i++) expect_user("named", none[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_holds_a_slash_or_ends_as_such_a_file),
        cmocka_unit_test(the_file_is_what_follows_the_last_slash),
        cmocka_unit_test(a_stem_has_no_ending_and_a_hidden_file_keeps_its_name),
        cmocka_unit_test(a_script_is_called_as_its_file_or_the_folder_of_its_init),
        cmocka_unit_test(the_folder_of_a_path_can_be_opened),
        cmocka_unit_test(the_disk_tells_folders_from_files),
        cmocka_unit_test(a_folder_of_the_user_is_absolute_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
