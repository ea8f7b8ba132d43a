/* A temporary folder, and what may be left in it. */
#include "base/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void a_folder_of_any_depth_and_mode_is_removed_and_links_are_not_followed(void **state) {
    (void)state;
    struct tempdir scratch, other;
    struct fault fault = {0};
    char before[1024], path[TEMPDIR_PATH_MAX + 16];
    assert_non_null(getcwd(before, sizeof before));
    assert_true(tempdir_make(&other, &fault));
    assert_true(tempdir_make(&scratch, &fault));
    assert_int_equal(chdir(scratch.path), 0);
    assert_int_equal(symlink(other.path, "link"), 0);
    assert_int_equal(mkdir("closed", 0700), 0);
    assert_int_equal(mkdir("closed/inside", 0), 0);
    assert_int_equal(chmod("closed", 0), 0);
    assert_int_equal(mkdir(".moved-1", 0700), 0);
    for (int depth = 0; depth < 100; depth++) {
        assert_int_equal(mkdir("deep", 0700), 0);
        assert_int_equal(chdir("deep"), 0);
    }
    assert_int_equal(chdir(before), 0);
    snprintf(path, sizeof path, "%s", scratch.path);
    struct rlimit limit, few;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    few = (struct rlimit){16, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    tempdir_remove(&scratch);
    setrlimit(RLIMIT_NOFILE, &limit);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(other.path, F_OK), 0);
    assert_string_equal(scratch.path, "");
    tempdir_remove(&other);
}

static void another_folder_in_its_place_stays(void **state) {
    (void)state;
    struct tempdir scratch;
    struct fault fault = {0};
    char path[TEMPDIR_PATH_MAX], away[TEMPDIR_PATH_MAX + 8];
    assert_true(tempdir_make(&scratch, &fault));
    strcpy(path, scratch.path);
    snprintf(away, sizeof away, "%s-away", path);
    assert_int_equal(rename(path, away), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    tempdir_remove(&scratch);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(away), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_of_any_depth_and_mode_is_removed_and_links_are_not_followed),
        cmocka_unit_test(another_folder_in_its_place_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
