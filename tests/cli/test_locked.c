/* test_locked.c - no command runs a script in an unlocked process.
 *
 * The program runs in a folder of untrusted files, with a library preloaded before Lua's that sees
 * which process runs each script (tests/witness). */
#include "console.h"
#include "program.h"
#include "witness/witness.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct witness *seen;
static char witness_path[64];

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A user's data folder with one script of each kind. */
static int open_witness(void **state) {
    (void)state;
    static const char *const folders[] = {"%s/data",
                                          "%s/data/ensign",
                                          "%s/data/ensign/bots",
                                          "%s/data/ensign/variants",
                                          "%s/data/ensign/scripts",
                                          "%s/data/ensign/scripts/languages"};
    const char *home = console_folder();
    char path[1024];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, folders[i], home);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    snprintf(path, sizeof path, "%s/data", home);
    setenv("XDG_DATA_HOME", path, 1);
    snprintf(path, sizeof path, "%s/data/ensign/variants/theirs.lua", home);
    write_text(path, "return { api = 1, extends = 'duel', title = 'Theirs', tests = { { title = "
                     "'steps', position = { a1 = 'rF', j10 = 'bF', a4 = 'r2', j7 = 'b2' }, "
                     "move = 'a4-a5' } } }");
    snprintf(path, sizeof path, "%s/data/ensign/variants/asking.lua", home);
    write_text(path, "return { api = 1, extends = 'duel', calls = { ending = function(position) "
                     "return nil end } }");
    snprintf(path, sizeof path, "%s/data/ensign/variants/broken.lua", home);
    write_text(path, "local x = nil + 1");
    snprintf(path, sizeof path, "%s/data/ensign/bots/theirs.lua", home);
    write_text(path, "return { api = 1, move = function(view) return view:moves()[1] end }");
    snprintf(path, sizeof path, "%s/data/ensign/scripts/languages/xx.lua", home);
    write_text(path, "return { api = 1, name = 'X', kinds = {}, texts = { ['Red'] = 'Rot' } }");

    program_file(witness_path, ".witness", "", 0);
    assert_int_equal(truncate(witness_path, sizeof *seen), 0);
    int file = open(witness_path, O_RDWR);
    seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_true(seen != MAP_FAILED);
    close(file);
    setenv("ENSIGN_WITNESS", witness_path, 1);
    setenv("LD_PRELOAD", ENSIGN_WITNESS_LIBRARY, 1);
    return 0;
}

static int close_witness(void **state) {
    (void)state;
    unsetenv("LD_PRELOAD");
    unlink(witness_path);
    munmap(seen, sizeof *seen);
    return 0;
}

static void forget(void) {
    memset(seen, 0, sizeof *seen);
}

static void expect_locked(const char *command) {
    if (atomic_load(&seen->open))
        fail_msg("%s ran %u texts in the open, %s first", command, atomic_load(&seen->open),
                 seen->first);
    if (!atomic_load(&seen->locked)) fail_msg("%s ran no text at all", command);
}

/* A run that prints `said`, if that is not NULL. */
static void expect_run_locked(const char *input, const char *said, const char *const *words) {
    forget();
    struct program_run run = program_run(input, words);
    if (run.exit_code == 3) fail_msg("%s: %s", words[0], run.err);
    if (said && !strstr(run.out, said)) fail_msg("%s did not say \"%s\"", words[0], said);
    program_clear(&run);
    expect_locked(words[0]);
}

#define EXPECT_LOCKED(input, ...)                                                                  \
    expect_run_locked(input, NULL, (const char *const[]){__VA_ARGS__, NULL})

/* The game has begun, so that bots have laid out their armies and calls were asked. */
#define EXPECT_PLAYED(input, ...)                                                                  \
    expect_run_locked(input, "1. red to move", (const char *const[]){__VA_ARGS__, NULL})

static void lists_and_sheets_run_scripts_locked_up(void **state) {
    (void)state;
    EXPECT_LOCKED(NULL, "list");
    EXPECT_LOCKED(NULL, "list", "--json", "--lang", "xx");
    EXPECT_LOCKED(NULL, "show", "theirs");
    EXPECT_LOCKED(NULL, "show", "asking", "--lang", "xx");
    EXPECT_LOCKED(NULL, "setups");
    EXPECT_LOCKED(NULL, "setups", "-v", "theirs");
    EXPECT_LOCKED(NULL, "moves", "theirs");
}

static void check_runs_scripts_tests_and_games_locked_up(void **state) {
    (void)state;
    char path[1024];
    static const char *const files[] = {"variants/theirs.lua", "variants/asking.lua",
                                        "variants/broken.lua", "bots/theirs.lua"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/ensign/%s", getenv("XDG_DATA_HOME"), files[i]);
        EXPECT_LOCKED(NULL, "check", path);
        EXPECT_LOCKED(NULL, "check", "--json", path);
    }
}

static void games_run_scripts_locked_up(void **state) {
    (void)state;
    EXPECT_LOCKED(NULL, "match", "theirs", "rookie", "-v", "theirs", "-n", "4");
    EXPECT_LOCKED(NULL, "match", "theirs", "rookie", "-v", "theirs", "-n", "4", "-j", "2");
    EXPECT_PLAYED("random\nok\nmoves\nquit\n", "play", "--plain", "theirs", "--blue", "theirs");
    EXPECT_LOCKED(NULL, "match", "theirs", "rookie", "-v", "asking", "-n", "4", "-j", "2");
    EXPECT_PLAYED("random\nok\nmoves\nquit\n", "play", "--plain", "asking", "--blue", "theirs");
    EXPECT_LOCKED("quit\n", "play", "--plain", "theirs", "--red", "theirs", "--blue", "rookie");
}

/* Lets a session run until a word appears, then ends it. */
static void expect_session_locked(const char *word, const char *keys,
                                  const char *const *arguments) {
    struct console console;
    forget();
    console_open(&console, true, arguments);
    console_expect(&console, word);
    console_send(&console, keys);
    console_finish(&console);
    console_clear(&console);
    expect_locked(arguments[0]);
}

static void the_start_screen_and_watch_run_scripts_locked_up(void **state) {
    (void)state;
    char path[1024];
    setenv("TERM", "xterm", 1);
    expect_session_locked("Play", "q", (const char *const[]){"play", "--new", NULL});
    snprintf(path, sizeof path, "%s/ensign/variants/theirs.lua", getenv("XDG_DATA_HOME"));
    EXPECT_LOCKED("quit\n", "watch", path);
    snprintf(path, sizeof path, "%s/ensign/bots/theirs.lua", getenv("XDG_DATA_HOME"));
    EXPECT_LOCKED("quit\n", "watch", path);
}

/* Proof that the witness works: here a bot is trusted. */
static void a_trusted_bot_is_run_in_the_open(void **state) {
    (void)state;
    forget();
    struct program_run run =
        PROGRAM("match", "theirs", "rookie", "-v", "duel", "-n", "2", "--trust");
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    assert_true(atomic_load(&seen->open) > 0);
    assert_non_null(strstr(seen->first, "theirs.lua"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_and_sheets_run_scripts_locked_up),
        cmocka_unit_test(check_runs_scripts_tests_and_games_locked_up),
        cmocka_unit_test(games_run_scripts_locked_up),
        cmocka_unit_test(the_start_screen_and_watch_run_scripts_locked_up),
        cmocka_unit_test(a_trusted_bot_is_run_in_the_open),
    };
    return cmocka_run_group_tests(tests, open_witness, close_witness);
}
