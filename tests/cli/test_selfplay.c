/* "ensign selfplay": the same file however it was written, and what numpy finds in it. */
#include "base/files.h"
#include "console.h"
#include "host/support.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static char path[2][512]; /* two files in the test's folder */

static int prepare(void **state) {
    if (make_test_folder(state)) return -1;
    for (int i = 0; i < 2; i++) snprintf(path[i], sizeof path[i], "%s/%d.npy", test_folder, i);
    return 0;
}

/* Runs selfplay on duel with seed 5; fails the test unless it ends with `code`, and says `said`. */
static void selfplay(int code, const char *said, const char *file, const char *games,
                     const char *jobs, const char *opponent) {
    struct console console;
    assert_int_equal(console_run(&console, "",
                                 ARGUMENTS("selfplay", "duel", "raider", opponent, "-o", file, "-n",
                                           games, "-j", jobs, "--seed", "5")),
                     code);
    if (!strstr(console.text, said)) fail_msg("%s", console.text);
    console_clear(&console);
}

static char *bytes_of(const char *file, size_t *length) {
    struct fault fault = {0};
    char *bytes = files_read(file, 1 << 26, length, &fault);
    if (!bytes) fail_msg("%s", fault.text);
    return bytes;
}

static void assert_same_files(void) {
    size_t length[2];
    char *bytes[2] = {bytes_of(path[0], &length[0]), bytes_of(path[1], &length[1])};
    assert_true(length[0] > 10000);
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], length[0]);
    for (int i = 0; i < 2; i++) free(bytes[i]);
}

static void any_number_of_threads_writes_the_same_file(void **state) {
    (void)state;
    selfplay(0, "rows of 12 games, seed 5", path[0], "12", "1", "hunter");
    selfplay(0, "rows of 12 games, seed 5", path[1], "12", "3", "hunter");
    assert_same_files();
}

/* Each pair has armies of its own; the file is the same for any number of threads. */
static void armies_that_chance_draws_are_drawn(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct console console;
        assert_int_equal(
            console_run(&console, "",
                        ARGUMENTS("selfplay", "variants/examples/melee.lua", "hunter", "rookie",
                                  "-o", path[i], "-n", "12", "-j", i ? "3" : "1", "--seed", "5")),
            0);
        if (!strstr(console.text, "rows of 12 games")) fail_msg("%s", console.text);
        console_clear(&console);
    }
    assert_same_files();
}

static void a_file_that_was_cut_off_goes_on(void **state) {
    (void)state;
    selfplay(0, "rows of 12 games", path[0], "12", "2", "hunter");
    selfplay(0, "rows of 4 games", path[1], "4", "2", "hunter");
    FILE *file = fopen(path[1], "ab"); /* rows of a pair that was not finished */
    assert_non_null(file);
    for (int i = 0; i < 5000; i++) fputc(i, file);
    fclose(file);
    selfplay(0, "rows of 12 games", path[1], "12", "2", "hunter");
    assert_same_files();
    selfplay(0, "rows of 12 games", path[1], "12", "2", "hunter"); /* nothing is left to do */
    assert_same_files();
}

static void a_file_of_another_run_is_refused_and_stays(void **state) {
    (void)state;
    size_t before, after;
    selfplay(0, "rows of 2 games", path[0], "2", "1", "hunter");
    char *first = bytes_of(path[0], &before);
    selfplay(2, "is not of this run", path[0], "4", "1", "rookie");
    char *second = bytes_of(path[0], &after);
    assert_int_equal(before, after);
    assert_memory_equal(first, second, before);
    free(first);
    free(second);
    struct fault fault = {0};
    assert_true(files_write_new(path[1], "not ours", 8, 0, &fault));
    selfplay(2, "is not of this run", path[1], "2", "1", "hunter");
    char *other = bytes_of(path[1], &after);
    assert_string_equal(other, "not ours");
    free(other);
}

static void a_file_that_another_process_writes_is_refused(void **state) {
    (void)state;
    selfplay(0, "rows of 2 games", path[0], "2", "1", "hunter");
    const int writer = open(path[0], O_RDWR);
    assert_int_equal(flock(writer, LOCK_EX), 0);
    selfplay(2, "another process is writing this file", path[0], "4", "1", "hunter");
    close(writer);
    selfplay(0, "rows of 4 games", path[0], "4", "1", "hunter");
}

/* A scout takes the flag at once. */
static void what_a_record_says_of_its_end_must_be_true(void **state) {
    (void)state;
    static const struct {
        const char *result, *said;
        int code;
    } CASES[] = {{"red", "1 rows of 1 games", 0},
                 {"blue", "the game is over with \"red\" by flag", 1},
                 {"draw", "the game is over with \"red\" by flag", 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct console console;
        struct fault fault = {0};
        char record[512], file[512];
        snprintf(record, sizeof record,
                 "[Variant \"duel\"]\n"
                 "[RedSetup \"2..3.....B/F...3....9/M....B..S./2.........\"]\n"
                 "[BlueSetup \".........F/.9......M./3..3S2B.2./.......B..\"]\n"
                 "[Result \"%s\"]\n\n1. a4xa7\n",
                 CASES[i].result);
        snprintf(file, sizeof file, "%s/%zu.rec", test_folder, i);
        snprintf(path[0], sizeof path[0], "%s/%zu.npy", test_folder, i);
        assert_true(files_write_new(file, record, strlen(record), 0, &fault));
        const int code =
            console_run(&console, "", ARGUMENTS("selfplay", "duel", file, "-o", path[0]));
        if (!strstr(console.text, CASES[i].said)) fail_msg("%s", console.text);
        assert_int_equal(code, CASES[i].code);
        console_clear(&console);
    }
}

static void numpy_reads_what_records_of_the_same_games_give_too(void **state) {
    (void)state;
    char command[8192], said[4096];
    selfplay(0, "rows of 10 games", path[0], "10", "2", "hunter");
    snprintf(command, sizeof command,
             "%s match raider hunter -v duel -n 10 --seed 5 -o %s/match >/dev/null && "
             "%s selfplay duel %s/match/*.rec -o %s >/dev/null && p=/usr/bin/python3 && "
             "{ $p -c 'import numpy' 2>/dev/null || p=python3; } && "
             "rm -r %s/match && "
             "if $p -c 'import numpy' 2>/dev/null; then $p -B " ENSIGN_ROOT
             "/tests/cli/programs/rows.py %s %s 2>&1; else echo no numpy; fi",
             ENSIGN_PROGRAM, test_folder, ENSIGN_PROGRAM, test_folder, path[1], test_folder,
             path[0], path[1]);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    if (pclose(pipe)) fail_msg("%s", said);
    if (!strcmp(said, "no numpy\n")) skip();
    assert_string_equal(said, "rows are as promised\n");
}

static void abilities_are_further_rows(void **state) {
    (void)state;
    struct console console;
    assert_int_equal(console_run(&console, "",
                                 ARGUMENTS("selfplay", "infiltrator", "raider", "--planes", "-o",
                                           path[0], "-n", "4", "--seed", "5")),
                     0);
    console_clear(&console);
    size_t length;
    char *bytes = bytes_of(path[0], &length);
    assert_non_null(strstr(bytes + 10, "('planes','|u1',(66,10,10))"));
    free(bytes);
}

static void wrong_use_is_named(void **state) {
    (void)state;
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("selfplay", "duel", "raider")), 2);
    assert_non_null(strstr(console.text, "-o FILE is expected"));
    console_clear(&console);
    assert_int_equal(
        console_run(&console, "", ARGUMENTS("selfplay", "duel", "raider", "x.rec", "-o", path[0])),
        2);
    assert_non_null(strstr(console.text, "only records are expected"));
    console_clear(&console);
    assert_int_equal(
        console_run(&console, "",
                    ARGUMENTS("selfplay", "duel", "raider", "-n", "2", "-o", "/dev/full")),
        3);
    assert_non_null(strstr(console.text, "cannot be written"));
    console_clear(&console);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, prepare, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(any_number_of_threads_writes_the_same_file),
        IN_FOLDER(armies_that_chance_draws_are_drawn),
        IN_FOLDER(a_file_that_was_cut_off_goes_on),
        IN_FOLDER(a_file_of_another_run_is_refused_and_stays),
        IN_FOLDER(a_file_that_another_process_writes_is_refused),
        IN_FOLDER(what_a_record_says_of_its_end_must_be_true),
        IN_FOLDER(numpy_reads_what_records_of_the_same_games_give_too),
        IN_FOLDER(abilities_are_further_rows),
        IN_FOLDER(wrong_use_is_named),
    };
    return cmocka_run_group_tests_name("cli/selfplay", tests, NULL, NULL);
}
