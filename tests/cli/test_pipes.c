/* Pipes and devices where files are expected: the program neither blocks on them nor replaces them.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "program.h"

#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE = 60 }; /* seconds after which a program that waits has failed the test */

static const char RECORD[] =
    "[Variant \"duel\"]\n"
    "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
    "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n\n1. a4-a5\n";

/* A pipe without another end, in the folder of this test. */
static const char *pipe_at(const char *name) {
    static char paths[8][256];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", console_folder(), name);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    return path;
}

static void assert_pipe(const char *path) {
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
}

static void a_pipe_is_refused_wherever_a_file_is_read(void **state) {
    (void)state;
    const char *record = pipe_at("a.rec"), *script = pipe_at("a.lua"), *setup = pipe_at("a.txt"),
               *gsn = pipe_at("a.gsn");
    const char *const commands[][8] = {
        {"replay", "--plain", record},
        {"replay", "--verify", record},
        {"moves", record},
        {"report", record},
        {"export", record},
        {"import", gsn},
        {"setups", setup},
        {"check", record, script, setup},
        {"show", script},
        {"watch", script},
        {"match", script, "rookie", "-n", "2"},
        {"match", "rookie", "raider", "-v", script, "-n", "2"},
        {"match", "rookie", "raider", "-v", "duel", "-n", "2", "--setups"},
        {"play", "duel", "--plain", "--continue", record},
        {"replay", "--plain", "/dev/zero"},
        {"check", "/dev/zero"},
        {"import", "/dev/zero"},
        {"setups", "/dev/tty"},
        {"show", "/dev/zero"},
    };
    alarm(PATIENCE);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *arguments[10] = {0};
        memcpy(arguments, commands[i], sizeof commands[i]);
        if (arguments[6] && !strcmp(arguments[6], "2") && arguments[7]) arguments[8] = setup;
        struct program_run run = program_run(NULL, arguments);
        if (run.exit_code < 1 || run.exit_code > 2 || !*run.err)
            fail_msg("%s %s: %d %s", arguments[0], arguments[1], run.exit_code, run.err);
        program_clear(&run);
    }
    alarm(0);
}

static void a_pipe_in_a_folder_is_not_opened_when_the_folder_is_listed(void **state) {
    (void)state;
    char folder[128], path[256];
    alarm(PATIENCE);
    snprintf(folder, sizeof folder, "%s/ensign", console_folder());
    mkdir(folder, 0700);
    static const char *const names[] = {"variants",        "bots",
                                        "variants/setups", "variants/pipe.lua",
                                        "bots/pipe.lua",   "variants/setups/pipe.txt"};
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(i < 3 ? mkdir(path, 0700) : mkfifo(path, 0600), 0);
    }
    setenv("XDG_DATA_HOME", console_folder(), 1);
    struct program_run run = PROGRAM("list");
    assert_null(strstr(run.out, "pipe"));
    program_expect(run, 0, "");
    run = PROGRAM("setups");
    program_expect(run, 0, "");
    unsetenv("XDG_DATA_HOME");
    alarm(0);
}

static void a_page_for_a_pipe_goes_through_it_and_needs_a_reader(void **state) {
    (void)state;
    const char *record = console_file(0, "one.rec", RECORD), *out = pipe_at("page");
    alarm(PATIENCE);
    struct program_run run = PROGRAM("report", record, "-o", out);
    program_expect(run, 2, "is a pipe without a reader");
    assert_pipe(out);
    run = PROGRAM("report", record, "-o", "/dev/null");
    program_expect(run, 0, "");
    struct stat about;
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    run = PROGRAM("report", record, "-o", "/dev/stdout");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "</html>"));
    assert_non_null(strstr(run.out, "1 game, 1 of them"));
    program_clear(&run);
    alarm(0);
}

static void a_record_of_a_shells_pipe_is_read(void **state) {
    (void)state;
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], RECORD, sizeof RECORD - 1), sizeof RECORD - 1);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    struct program_run run = PROGRAM("replay", "--verify", name);
    close(ends[0]);
    assert_non_null(strstr(run.out, "legal, 1 ply"));
    program_expect(run, 0, "");
}

static void a_pipe_in_the_place_of_a_match_is_refused_at_once(void **state) {
    (void)state;
    char folder[128];
    snprintf(folder, sizeof folder, "%s/match", console_folder());
    assert_int_equal(mkdir(folder, 0700), 0);
    const char *store = pipe_at("match/match.sqlite");
    alarm(PATIENCE);
    struct program_run run = PROGRAM("match", "rookie", "raider", "-n", "2", "-o", folder);
    program_expect(run, 2, "is not empty");
    run = PROGRAM("match", "--resume", "-o", folder);
    program_expect(run, 1, "is a pipe or a device");
    run = PROGRAM("report", folder);
    program_expect(run, 1, "is a pipe or a device");
    run = PROGRAM("match", "rookie", "raider", "-n", "2", "-o", store);
    program_expect(run, 2, "a folder is expected");
    alarm(0);
    assert_pipe(store);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pipe_is_refused_wherever_a_file_is_read),
        cmocka_unit_test(a_pipe_in_a_folder_is_not_opened_when_the_folder_is_listed),
        cmocka_unit_test(a_page_for_a_pipe_goes_through_it_and_needs_a_reader),
        cmocka_unit_test(a_record_of_a_shells_pipe_is_read),
        cmocka_unit_test(a_pipe_in_the_place_of_a_match_is_refused_at_once),
    };
    return cmocka_run_group_tests_name("cli/pipes", tests, NULL, NULL);
}
