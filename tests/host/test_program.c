/* External programs apart from their protocols: names, lines and input of any length. */
#include "host/program/external_sight.h"
#include "host/program/program.h"

#include "base/files.h"
#include "processes.h"
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENT = 20000 };

static struct program *open_program(const char *command) {
    struct fault fault = {0};
    struct program_options options = {.deadline = PATIENT};
    struct program *program = program_open(command, &options, &fault);
    if (!program) fail_msg("%s", fault.text);
    return program;
}

static struct program *start_program(const char *command) {
    struct fault fault = {0};
    struct program *program = open_program(command);
    if (!program_start(program, &fault)) fail_msg("%s", fault.text);
    return program;
}

/* Expects the next line, of fewer than 128 bytes. */
static void expect_line(struct program *program, const char *expected) {
    char line[128];
    struct fault fault = {0};
    if (!program_read(program, line, sizeof line, "line", &fault)) fail_msg("%s", fault.text);
    assert_string_equal(line, expected);
}

static void a_program_is_named_after_its_file_or_what_its_interpreter_runs(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"tests/host/ucc/pacer.sh 1 2", "pacer.sh"},
        {"sh tests/host/ucc/pacer.sh tests/host/ucc/walker.sh", "pacer.sh"},
        {"sh -x tests/host/ucc/pacer.sh", "pacer.sh"},
        {"env A=1 tests/host/ucc/pacer.sh", "pacer.sh"},
        {"sh -c true", "sh"},
        {"cat README.md", "cat"},
        {"/bin/sh tests/host/ucc/pacer.sh", "sh"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program *program = open_program(cases[i][0]);
        assert_string_equal(program_name(program), cases[i][1]);
        assert_int_equal(*program_path(program), '/');
        program_close(program);
    }
}

static void a_line_of_64_kib_is_read_and_one_byte_more_is_not(void **state) {
    (void)state;
    static char line[PROGRAM_LINE_MAX + 1];
    struct fault fault = {0};
    struct program *program = start_program(
        "sh -c 'for n in 65536 65537; do head -c $n /dev/zero | tr \"\\0\" x; echo; done'");
    assert_true(program_read(program, line, sizeof line, "line", &fault));
    assert_int_equal(strlen(line), PROGRAM_LINE_MAX);
    assert_int_equal(strspn(line, "x"), PROGRAM_LINE_MAX);
    assert_false(program_read(program, line, sizeof line, "line", &fault));
    assert_int_equal(fault.status, STATUS_ILLEGAL_MOVE);
    assert_non_null(strstr(fault.text, "more than 65536 bytes"));
    program_close(program);
}

static void lines_are_told_apart_however_they_are_cut(void **state) {
    (void)state;
    struct program *program = start_program("sh -c 'printf \"a\\n\\n  \\nb\"; "
                                            "printf \"c\\0d\\ne\\nf\"'");
    expect_line(program, "a");
    expect_line(program, "bc?d");
    expect_line(program, "e");
    expect_line(program, "f");
    program_close(program);
}

static void a_mark_of_byte_order_before_the_first_line_is_skipped(void **state) {
    (void)state;
    static const char *const heads[] = {"\\357\\273\\277", "\\357\\273\\277\\n",
                                        "\\n\\357\\273\\277"};
    for (size_t i = 0; i < 3; i++) {
        char command[128];
        snprintf(command, sizeof command, "sh -c 'printf \"%sa\\n\357\273\277b\\n\"'", heads[i]);
        struct program *program = start_program(command);
        expect_line(program, "a");
        expect_line(program, "\357\273\277b"); /* elsewhere it is no mark */
        program_close(program);
    }
    struct program *program = start_program("sh -c 'printf \"\\357\"; sleep 0; "
                                            "printf \"\\273\\277a\\n\"'");
    expect_line(program, "a");
    program_close(program);
}

static void a_carriage_return_ends_a_line(void **state) {
    (void)state;
    struct program *program = start_program("sh -c 'printf \"a\\rb\\r\\nc\\n\\rd\\r\"'");
    expect_line(program, "a");
    expect_line(program, "b");
    expect_line(program, "c");
    expect_line(program, "d");
    program_close(program);
}

static void a_script_without_its_interpreter_is_refused_by_the_interpreters_name(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"#!/no/such/python -u\n", "its interpreter \"/no/such/python\" is not an executable file"},
        {"#! /usr/bin/env no-such-python\n", "\"no-such-python\" is not on PATH"},
        {"#!/usr/bin/env -S A=1 no-such-python -u\n", "\"no-such-python\" is not on PATH"},
        {"#!/bin/sh\r\n", "\"/bin/sh?\" is not an executable file (its lines end with carriage"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[128];
        struct fault fault = {0};
        struct program_options options = {.deadline = PATIENT};
        snprintf(path, sizeof path, "%s/script%zu", test_folder, i);
        assert_true(files_write_new(path, cases[i].text, strlen(cases[i].text), 0, NULL));
        assert_int_equal(chmod(path, 0700), 0);
        assert_null(program_open(path, &options, &fault));
        assert_int_equal(fault.status, STATUS_NOT_FOUND);
        if (!strstr(fault.text, cases[i].words)) fail_msg("%s", fault.text);
    }
    struct program *program = open_program("tests/host/ucc/pacer.sh");
    program_close(program);
}

/* Sends `megabytes` before the program reads any of it. */
static void send_much(struct program *program, int megabytes) {
    static char megabyte[1 << 20];
    for (int i = 0; i < megabytes; i++) program_send(program, megabyte, sizeof megabyte);
}

static void megabytes_wait_until_the_program_reads_them(void **state) {
    (void)state;
    struct program *program = start_program("sh -c 'read go; head -c 31457280 | wc -c; cat'");
    program_send(program, "go\n", 3);
    send_much(program, 30);
    program_send(program, "end\n", 4);
    expect_line(program, "31457280");
    expect_line(program, "end");
    program_close(program);
}

static void a_program_that_leaves_too_much_unread_gets_no_more(void **state) {
    (void)state;
    struct program *program = start_program("sh -c 'cat | wc -c'");
    send_much(program, 33);
    expect_line(program, "0");
    program_close(program);
}

static struct program *start_fresh(const char *command) {
    struct fault fault = {0};
    struct program_options options = {.deadline = PATIENT, .confines.fresh = true};
    struct program *program = program_open(command, &options, &fault);
    if (!program || !program_start(program, &fault)) fail_msg("%s", fault.text);
    return program;
}

static void a_fresh_folder_is_empty_and_goes_with_the_program(void **state) {
    (void)state;
    char folder[TEMPDIR_PATH_MAX], again[TEMPDIR_PATH_MAX];
    struct fault fault = {0};
    struct program *program =
        start_fresh("sh -c 'pwd; ls -A | wc -l; echo \"$0 $1 $2\" >&2; touch left; cat \"$0\"' "
                    "tests/host/ucc/army.sh none.txt -v");
    assert_true(program_read(program, folder, sizeof folder, "folder", &fault));
    expect_line(program, "0");
    expect_line(program, "# Read by the other programs of this folder, from the folder itself.");
    assert_int_equal(access(folder, F_OK), 0);
    program_stop(program, 0);
    assert_int_equal(access(folder, F_OK), -1);
    assert_true(program_start(program, &fault));
    assert_true(program_read(program, again, sizeof again, "folder", &fault));
    assert_string_not_equal(folder, again);
    expect_line(program, "0");
    expect_line(program, "# Read by the other programs of this folder, from the folder itself.");
    program_blame(program, &fault);
    char words[640];
    snprintf(words, sizeof words,
             "; its folder is kept; its standard error ends: %s/tests/host/"
             "ucc/army.sh none.txt -v",
             ENSIGN_ROOT);
    if (!strstr(fault.text, words)) fail_msg("%s", fault.text);
    assert_memory_equal(fault.file, again, strlen(again));
    assert_string_equal(fault.file + strlen(again), "/army.sh");
    program_close(program);
    assert_int_equal(access(again, F_OK), 0);
    struct stat about;
    assert_int_equal(stat(again, &about), 0);
    struct tempdir kept = {.device = about.st_dev, .file = about.st_ino};
    snprintf(kept.path, sizeof kept.path, "%s", again);
    tempdir_remove(&kept);
}

static void messages_name_the_folder_that_the_program_ran_in(void **state) {
    (void)state;
    char line[64];
    struct fault fault = {0};
    struct program *program = start_program("tests/host/ucc/leaver.sh");
    program_send(program, "RED x 10 10\n", 12);
    for (int row = 0; row < 4; row++)
        assert_true(program_read(program, line, sizeof line, "row", &fault));
    assert_false(program_read(program, line, sizeof line, "row", &fault));
    assert_string_equal(fault.file, ENSIGN_ROOT "/tests/host/ucc/leaver.sh");
    program_close(program);
}

static struct program *start_walled(const char *command) {
    struct fault fault = {0};
    struct program_options options = {.deadline = PATIENT,
                                      .confines = {.wall = true, .memory = 256 << 20}};
    struct program *program = program_open(command, &options, &fault);
    if (!program && strstr(fault.text, "--wall needs")) {
        print_message("%s\n", fault.text);
        skip();
    }
    if (!program || !program_start(program, &fault)) fail_msg("%s", fault.text);
    return program;
}

static void behind_the_wall_a_program_can_do_its_work_and_nothing_else(void **state) {
    (void)state;
    char path[128], command[512];
    snprintf(path, sizeof path, "%s/target", test_folder);
    assert_true(files_write_new(path, "text", 4, 0, NULL));
    snprintf(command, sizeof command, "%s %s 256", ENSIGN_BURGLAR, path);
    struct program *program = start_walled(command);
    expect_line(program, "works");
    expect_line(program, "done");
    expect_line(program, "end");
    program_close(program);
    /* Without the wall it can do most of it. */
    program = start_program(command);
    expect_line(program, "works");
    expect_line(program, "got internet socket");
    program_close(program);
}

static void games_that_are_first_left_while_a_walled_program_plays_are_out_of_its_sight(
    void **state) {
    (void)state;
    static const char *const MADE[] = {"later/ensign/saved/x.rec", "later/ensign/saved",
                                       "later/ensign", "later", "other"};
    char command[512], path[256];
    snprintf(path, sizeof path, "%s/other", test_folder);
    assert_true(files_write_anew(path, "x", 1, NULL));
    snprintf(path, sizeof path, "%s/later", test_folder);
    setenv("XDG_STATE_HOME", path, 1);
    snprintf(command, sizeof command,
             "sh -c 'cd %s; echo began; read word; for f in other later/ensign/saved/x.rec; do "
             "if true <$f; then echo seen $f; fi; done 2>/dev/null; echo end'",
             test_folder);
    struct program *program = start_walled(command);
    expect_line(program, "began");
    snprintf(path, sizeof path, "%s/%s", test_folder, MADE[0]);
    assert_true(files_folders(path, 0, NULL) && files_write_anew(path, "x", 1, NULL));
    program_send(program, "go\n", 3);
    expect_line(program, "seen other");
    expect_line(program, "end");
    program_close(program);
    unsetenv("XDG_STATE_HOME");
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++) {
        snprintf(path, sizeof path, "%s/%s", test_folder, MADE[i]);
        assert_int_equal(remove(path), 0);
    }
}

static void behind_the_wall_the_folders_of_games_are_out_of_sight(void **state) {
    (void)state;
    char command[1024], path[256];
    static const char *const NAMES[] = {"kept/inside/games.sqlite", "state/ensign/saved/x.rec",
                                        "beside", "kept-not/x", "a/b"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", test_folder, NAMES[i]);
        assert_true(files_folders(path, 0, NULL) && files_write_anew(path, NAMES[i], 1, NULL));
    }
    snprintf(path, sizeof path, "%s/link", test_folder);
    assert_int_equal(symlink("kept", path), 0);
    assert_true(external_sight_hide(path)); /* by another name */
    snprintf(path, sizeof path, "%s/state", test_folder);
    setenv("XDG_STATE_HOME", path, 1);
    snprintf(command, sizeof command,
             "sh -c 'cd %s; for f in kept/inside/games.sqlite link/inside/games.sqlite "
             "/proc/self/cwd/kept/inside/games.sqlite state/ensign/saved/x.rec beside kept-not/x "
             "a/b; do if true <$f; then echo seen $f; fi; done 2>/dev/null; echo end'",
             test_folder);
    struct program *program = start_walled(command);
    expect_line(program, "seen beside");
    expect_line(program, "seen kept-not/x");
    expect_line(program, "seen a/b");
    expect_line(program, "end");
    program_close(program);
    unsetenv("XDG_STATE_HOME");
    static const char *const MADE[] = {"kept/inside/games.sqlite",
                                       "kept/inside",
                                       "kept",
                                       "state/ensign/saved/x.rec",
                                       "state/ensign/saved",
                                       "state/ensign",
                                       "state",
                                       "kept-not/x",
                                       "kept-not",
                                       "a/b",
                                       "a"};
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++) {
        snprintf(path, sizeof path, "%s/%s", test_folder, MADE[i]);
        assert_int_equal(remove(path), 0);
    }
}

static void interpreters_run_behind_the_wall(void **state) {
    (void)state;
    static const char *const commands[][2] = {
        {"/usr/bin/python3", "/usr/bin/python3 -c 'import json, random, threading; "
                             "open(\"a\", \"w\").write(\"x\"); print(json.dumps([1]))'"},
        {"/usr/bin/node", "/usr/bin/node -e 'require(\"fs\").writeFileSync(\"a\", \"x\"); "
                          "console.log(JSON.stringify([1]))'"},
        {"/usr/bin/lua5.4", "/usr/bin/lua5.4 -e 'io.open(\"a\", \"w\"):write(1); print(\"[1]\")'"},
        {"/bin/sh", "/bin/sh -c 'echo x >a; echo [1]'"},
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (access(commands[i][0], X_OK)) continue;
        struct program *program = start_walled(commands[i][1]);
        expect_line(program, "[1]");
        program_close(program);
    }
    if (access("/usr/bin/java", X_OK)) return;
    char line[256];
    struct fault fault = {0};
    struct program *program = start_walled("/usr/bin/java -XX:+UseSerialGC -Xmx64m --version");
    if (!program_read(program, line, sizeof line, "version", &fault)) fail_msg("%s", fault.text);
    assert_non_null(strstr(line, "jdk"));
    program_close(program);
}

/* Prints the id of a process that has left the program's group, session and parent. */
#define FUGITIVE "setsid sh -c \"sleep 1000 >/dev/null & echo \\$!\""

static pid_t read_fugitive(struct program *program) {
    char line[64];
    struct fault fault = {0};
    if (!program_read(program, line, sizeof line, "number", &fault)) fail_msg("%s", fault.text);
    pid_t fugitive = (pid_t)strtol(line, NULL, 10);
    assert_true(fugitive > 1);
    return fugitive;
}

static void assert_gone(pid_t pid) {
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(errno, ESRCH);
}

static void what_leaves_the_session_of_a_program_ends_when_it_is_stopped(void **state) {
    (void)state;
    struct program *program = start_program("sh -c '" FUGITIVE "; sleep 1000'");
    pid_t fugitive = read_fugitive(program);
    assert_int_equal(kill(fugitive, 0), 0);
    program_stop(program, 0);
    assert_gone(fugitive);
    assert_true(program_start(program, NULL));
    fugitive = read_fugitive(program);
    program_kill(program);
    assert_gone(fugitive);
    program_close(program);
}

static void and_when_the_program_ends_by_itself(void **state) {
    (void)state;
    struct program *program = start_program("sh -c '" FUGITIVE "; exit 7'");
    char line[64];
    struct fault fault = {0};
    pid_t fugitive = read_fugitive(program);
    assert_false(program_read(program, line, sizeof line, "line", &fault));
    assert_non_null(strstr(fault.text, "exit code 7"));
    assert_gone(fugitive);
    program_close(program);
}

static void and_when_the_host_is_killed(void **state) {
    (void)state;
    int ends[2];
    pid_t fugitive;
    assert_int_equal(pipe(ends), 0);
    pid_t host = fork();
    if (!host) {
        fugitive = read_fugitive(start_program("sh -c '" FUGITIVE "; sleep 1000'"));
        if (write(ends[1], &fugitive, sizeof fugitive) > 0) pause();
        _exit(1);
    }
    assert_int_equal(read(ends[0], &fugitive, sizeof fugitive), sizeof fugitive);
    kill(host, SIGKILL);
    waitpid(host, NULL, 0);
    assert_true(process_ends(fugitive));
    close(ends[0]);
    close(ends[1]);
}

/* The number of processes with that name, which is cut to 15 bytes. */
static int count_named(const char *name) {
    int count = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[300], found[64] = "";
        snprintf(path, sizeof path, "/proc/%s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (file && fgets(found, sizeof found, file)) count += !strncmp(found, name, strlen(name));
        if (file) fclose(file);
    }
    closedir(folder);
    return count;
}

static void a_program_that_flees_for_ever_is_caught(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) {
        struct program *program = start_program(ENSIGN_RUNAWAY);
        expect_line(program, "catch me");
        program_close(program);
        assert_int_equal(count_named("guest_runaway"), 0);
    }
}

static void the_warden_cannot_be_read_and_takes_its_program_with_it(void **state) {
    (void)state;
    char line[64], path[64];
    struct fault fault = {0};
    struct program *program = start_program("sh -c 'echo $PPID; sleep 1000'");
    assert_true(program_read(program, line, sizeof line, "line", &fault));
    pid_t supervisor = (pid_t)strtol(line, NULL, 10), inside = 0;
    assert_int_equal(processes_of(supervisor, &inside, 1), 1);
    snprintf(path, sizeof path, "/proc/%d/mem", (int)supervisor);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_uid, 0); /* as of any process that is hidden */
    kill(supervisor, SIGKILL);
    assert_false(program_read(program, line, sizeof line, "line", &fault));
    assert_non_null(strstr(fault.text, "signal 9"));
    assert_true(process_ends(inside));
    program_close(program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_is_named_after_its_file_or_what_its_interpreter_runs),
        cmocka_unit_test_setup_teardown(
            a_script_without_its_interpreter_is_refused_by_the_interpreters_name, make_test_folder,
            remove_test_folder),
        cmocka_unit_test(a_line_of_64_kib_is_read_and_one_byte_more_is_not),
        cmocka_unit_test(lines_are_told_apart_however_they_are_cut),
        cmocka_unit_test(a_mark_of_byte_order_before_the_first_line_is_skipped),
        cmocka_unit_test(a_carriage_return_ends_a_line),
        cmocka_unit_test(megabytes_wait_until_the_program_reads_them),
        cmocka_unit_test(a_program_that_leaves_too_much_unread_gets_no_more),
        cmocka_unit_test(a_fresh_folder_is_empty_and_goes_with_the_program),
        cmocka_unit_test(messages_name_the_folder_that_the_program_ran_in),
        cmocka_unit_test_setup_teardown(behind_the_wall_a_program_can_do_its_work_and_nothing_else,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(behind_the_wall_the_folders_of_games_are_out_of_sight,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(
            games_that_are_first_left_while_a_walled_program_plays_are_out_of_its_sight,
            make_test_folder, remove_test_folder),
        cmocka_unit_test(interpreters_run_behind_the_wall),
        cmocka_unit_test(what_leaves_the_session_of_a_program_ends_when_it_is_stopped),
        cmocka_unit_test(and_when_the_program_ends_by_itself),
        cmocka_unit_test(and_when_the_host_is_killed),
        cmocka_unit_test(a_program_that_flees_for_ever_is_caught),
        cmocka_unit_test(the_warden_cannot_be_read_and_takes_its_program_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
