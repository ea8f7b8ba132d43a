/* Many complaints: the first are printed, the others counted. */
#define _XOPEN_SOURCE 700 /* stpcpy */
#include "program.h"

#include "console.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* The line, repeated. */
static char *lines_of(const char *line, int count) {
    char *text = malloc(strlen(line) * (size_t)count + 1), *at = text;
    assert_non_null(text);
    for (int i = 0; i < count; i++) at = stpcpy(at, line);
    return text;
}

static int count_of(const char *text, const char *word) {
    int count = 0;
    for (; (text = strstr(text, word)); text++) count++;
    return count;
}

static void of_many_complaints_twenty_are_printed_and_the_others_counted(void **state) {
    (void)state;
    char *lines = lines_of("M..2....../...9..2.../3.S......3/....BFB..X\n", 500), folder[128],
         path[256];
    const char *list = console_file(0, "bad.txt", lines);
    struct program_run run = PROGRAM("setups", list, "-v", "duel");
    assert_int_equal(count_of(run.err, "bad.txt:"), 20);
    assert_non_null(strstr(run.err, "ensign: and 480 more\n"));
    program_clear(&run);
    run = PROGRAM("check", list, "-v", "duel");
    assert_int_equal(count_of(run.err, "bad.txt:"), 20);
    assert_non_null(strstr(run.err, "ensign: and 480 more\n"));
    program_clear(&run);
    free(lines);

    static const char *const folders[] = {"ensign", "ensign/variants"};
    for (int i = 0; i < 2; i++) {
        snprintf(folder, sizeof folder, "%s/%s", console_folder(), folders[i]);
        assert_int_equal(mkdir(folder, 0700), 0);
    }
    for (int i = 0; i < 50; i++) {
        snprintf(path, sizeof path, "ensign/variants/broken%d.lua", i);
        console_file(1, path, "return {\n");
    }
    setenv("XDG_DATA_HOME", console_folder(), 1);
    run = PROGRAM("list", "variants");
    unsetenv("XDG_DATA_HOME");
    assert_int_equal(count_of(run.err, "ensign: /"), 20);
    assert_int_equal(count_of(run.out, "cannot be loaded"), 50);
    assert_non_null(strstr(run.err, "ensign: and 30 more\n"));
    program_clear(&run);

    const char *arguments[31] = {"replay", "--verify"};
    for (int i = 2; i < 29; i++) arguments[i] = list;
    run = program_run(NULL, arguments);
    assert_int_equal(count_of(run.err, "bad.txt:"), 20);
    assert_non_null(strstr(run.err, "ensign: and 7 more\n"));
    program_clear(&run);

    lines = lines_of("[Bad]\n", 100);
    const char *record = console_file(2, "bad.rec", lines);
    free(lines);
    run = PROGRAM("check", record);
    assert_int_equal(count_of(run.err, "bad.rec:"), 20);
    assert_int_equal(count_of(run.err, " more\n"), 1);
    program_clear(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_many_complaints_twenty_are_printed_and_the_others_counted),
    };
    return cmocka_run_group_tests_name("cli/complaints", tests, NULL, NULL);
}
