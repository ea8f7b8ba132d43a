/* A full disk, simulated by a limit on file size and by /dev/full: one clear line, exit code 3, and
 * no half-written file. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "program.h"

#include "console.h"
#include "host/processes.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void limit_files(rlim_t bytes) {
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Runs it with a limit on the size of each file, in bytes. */
static struct program_run limited(rlim_t bytes, const char *const *arguments) {
    limit_files(bytes);
    struct program_run run = program_run(NULL, arguments);
    limit_files(RLIM_INFINITY);
    return run;
}

#define LIMITED(bytes, ...) limited(bytes, (const char *const[]){__VA_ARGS__, NULL})

/* Counts the files in a folder, 0 if it does not exist. */
static int entries(const char *path) {
    DIR *folder = opendir(path);
    int count = folder ? -2 : 0;
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count;
}

static const char *in_folder(const char *name) {
    static char paths[4][256];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", console_folder(), name);
    return path;
}

static void a_page_is_written_whole_or_not_at_all(void **state) {
    (void)state;
    static const char record[] =
        "[Variant \"duel\"]\n"
        "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
        "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n\n1. a4-a5\n";
    const char *path = console_file(0, "game.rec", record);
    mkdir(in_folder("pages"), 0700);
    const char *page = in_folder("pages/page.html");
    FILE *old = fopen(page, "w");
    assert_non_null(old);
    fputs("old", old);
    fclose(old);
    struct program_run run = LIMITED(5000, "report", path, "-o", page);
    program_expect(run, 3, strerror(EFBIG));
    assert_int_equal(entries(in_folder("pages")), 1);
    struct stat about;
    assert_int_equal(stat(page, &about), 0);
    assert_int_equal(about.st_size, 3);
    run = PROGRAM("report", path, "-o", "/dev/full");
    program_expect(run, 3, strerror(ENOSPC));
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    run = LIMITED(5000, "report", path, "-o", "-");
    assert_int_equal(run.exit_code, 3);
    program_clear(&run);
}

/* Runs it with these words of the shell. Standard error holds `said`. */
static void run_in_shell(const char *words, int exit_code, const char *said) {
    char command[1024], text[512] = "";
    snprintf(command, sizeof command, "exec '%s' %s 2>'%s'", ENSIGN_PROGRAM, words,
             in_folder("said"));
    const int status = system(command);
    FILE *file = fopen(in_folder("said"), "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != exit_code || !strstr(text, said))
        fail_msg("%s: status %d, %s", words, status, text);
}

static void what_is_printed_goes_nowhere_else_where_standard_output_is_closed(void **state) {
    (void)state;
    static const char *const places[] = {"1>&-", "0<&- 1>&-", ">/dev/full"};
    for (int i = 0; i < 3; i++) {
        char words[512];
        snprintf(words, sizeof words, "match rookie rookie -v duel -n 2 -o '%s/closed%d' %s",
                 console_folder(), i, places[i]);
        run_in_shell(words, 3, "standard output: ");
        snprintf(words, sizeof words, "closed%d", i);
        program_expect(PROGRAM("report", in_folder(words), "-o", in_folder("closed.html")), 0, "");
    }
    run_in_shell("list <&- >/dev/full", 3, strerror(ENOSPC));
    run_in_shell("list <&- >/dev/null", 0, "");
}

/* Each command starts processes; what is left of them comes to this one. */
static void no_process_stays_whatever_descriptors_are_closed_at_the_start(void **state) {
    (void)state;
    static const char *const commands[] = {
        "list", "check duel --seconds 1", "match rookie rookie -v duel -n 2",
        "play duel --new --plain --red rookie --blue hunter", "serve --stdio"};
    static const char *const places[] = {"<&-",
                                         "</dev/null >&-",
                                         "</dev/null 2>&-",
                                         "<&- >&- 2>&-",
                                         "<&- 2>&- >/dev/full",
                                         "</dev/null >/dev/full 2>&1",
                                         "</ >&- 3>&- 4>&-",
                                         "5<>pipe 0>pipe"};
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++)
        for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
            char command[1024];
            snprintf(command, sizeof command,
                     "cd '%s' && exec >said 2>&1; exec timeout 60 '%s' %s %s", console_folder(),
                     ENSIGN_PROGRAM, commands[c], places[p]);
            const int status = system(command);
            if (!WIFEXITED(status) || WEXITSTATUS(status) > 3)
                fail_msg("%s %s: status %d", commands[c], places[p], status);
            if (!processes_end()) fail_msg("%s %s: a process stays", commands[c], places[p]);
        }
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

static void a_match_that_cannot_begin_leaves_an_empty_folder(void **state) {
    (void)state;
    const char *folder = in_folder("none");
    struct program_run run =
        LIMITED(20000, "match", "raider", "rookie", "-v", "duel", "-n", "4", "-o", folder);
    program_expect(run, 3, strerror(EFBIG));
    assert_int_equal(entries(folder), 0);
}

static void a_match_stops_with_what_it_has_and_goes_on_later(void **state) {
    (void)state;
    const char *folder = in_folder("match");
    struct program_run whole =
        PROGRAM("match", "raider", "rookie", "-v", "duel", "-n", "200", "--seed", "1", "--json");
    struct program_run run = LIMITED(50000, "match", "raider", "rookie", "-v", "duel", "-n", "200",
                                     "-o", folder, "--seed", "1", "--json");
    program_expect(run, 3, strerror(EFBIG));
    assert_true(entries(folder) > 1);
    run = PROGRAM("report", folder, "--json");
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    run = PROGRAM("match", "--resume", "-o", folder, "--json");
    assert_string_equal(run.out, whole.out);
    program_expect(run, 0, "");
    assert_int_equal(entries(folder), 201);
    program_clear(&whole);
}

static void a_game_is_played_to_its_end_and_nothing_of_it_is_half_written(void **state) {
    (void)state;
    const char *record = in_folder("played.rec"), *folder = in_folder("kept");
    mkdir(folder, 0700);
    setenv("XDG_STATE_HOME", folder, 1);
    struct program_run run = LIMITED(300, "play", "duel", "--plain", "--red", "raider", "--blue",
                                     "rookie", "--seed", "1", "--trust", "-o", record);
    limit_files(RLIM_INFINITY);
    setenv("XDG_STATE_HOME", console_folder(), 1);
    assert_int_equal(run.exit_code, 3);
    assert_non_null(strstr(run.err, strerror(EFBIG)));
    program_clear(&run);
    assert_int_not_equal(access(record, F_OK), 0);
    assert_int_equal(entries(in_folder("kept/ensign/games")), 0);
    assert_int_equal(entries(in_folder("kept/ensign/saved")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_is_written_whole_or_not_at_all),
        cmocka_unit_test(what_is_printed_goes_nowhere_else_where_standard_output_is_closed),
        cmocka_unit_test(no_process_stays_whatever_descriptors_are_closed_at_the_start),
        cmocka_unit_test(a_match_that_cannot_begin_leaves_an_empty_folder),
        cmocka_unit_test(a_match_stops_with_what_it_has_and_goes_on_later),
        cmocka_unit_test(a_game_is_played_to_its_end_and_nothing_of_it_is_half_written),
    };
    return cmocka_run_group_tests_name("cli/full_disk", tests, NULL, NULL);
}
