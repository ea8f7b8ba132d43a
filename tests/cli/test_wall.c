/* Bots in processes of their own, as users meet them. */
#define _GNU_SOURCE
#include "base/files.h"
#include "console.h"
#include "games/length.h"
#include "games/sanitized.h"
#include "host/processes.h"
#include "program.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static void trusted_bots_play_the_same_games(void **state) {
    (void)state;
    struct program_run own =
        PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "6", "--json", "--seed", "1");
    struct program_run trusted = PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "6",
                                         "--json", "--trust", "--seed", "1");
    assert_int_equal(own.exit_code, 0);
    assert_string_equal(own.err, "");
    assert_string_equal(own.out, trusted.out);
    program_clear(&own);
    program_clear(&trusted);
}

static void a_bot_that_passes_the_deadline_forfeits_by_time(void **state) {
    (void)state;
    static const char bot[] = "return { api = 1, move = function(view) while true do end end }";
    char path[64];
    program_file(path, ".lua", bot, sizeof bot - 1);
    struct program_run run = PROGRAM("match", path, "rookie", "-v", "duel", "-n", "2", "--seed",
                                     "1", "--fuel", "1000000000000", "--deadline", "300");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.out, "forfeit-time 2"));
    assert_non_null(strstr(run.err, "in move: its process gave no answer for 300 ms"));
    program_clear(&run);
    unlink(path);
}

static void a_bot_that_cannot_be_loaded_stops_the_match_with_its_place(void **state) {
    (void)state;
    static const char bot[] = "local bot = {}\nbot.move = 3 + {}\nreturn bot";
    char path[64];
    program_file(path, ".lua", bot, sizeof bot - 1);
    program_expect(PROGRAM("match", path, "rookie", "-v", "duel", "-n", "2"), 1, ".lua:2: ");
    unlink(path);
}

static void a_played_game_is_the_same_with_trusted_bots(void **state) {
    (void)state;
    static const char *const trust[] = {"--plain", "--trust"};
    char *records[2];
    for (int i = 0; i < 2; i++) {
        char path[64];
        size_t length;
        program_file(path, ".rec", "", 0);
        unlink(path);
        struct program_run run = PROGRAM("play", "duel", "--red", "rookie", "--blue", "raider",
                                         "-o", path, "--seed", "4", trust[i]);
        assert_int_equal(run.exit_code, 0);
        records[i] = files_read(path, 1 << 20, &length, NULL);
        assert_non_null(records[i]);
        program_clear(&run);
        unlink(path);
    }
    assert_string_equal(records[0], records[1]);
    free(records[0]);
    free(records[1]);
}

static void a_bot_that_breaks_in_play_is_shown_with_its_lines(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("play", "duel", "--red", "tests/data/mistaken.lua", "--blue", "rookie");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.out, "Blue wins. The other side forfeits: its script failed."));
    assert_non_null(strstr(run.err, "tests/data/mistaken.lua:5: in move"));
    assert_non_null(strstr(run.err, "\n>    5 | "));
    program_clear(&run);
}

/* The program under a resource limit: it succeeds, or exits with 3 and one line with the reason; no
 * player forfeits. */
static void run_limited(__rlimit_resource_t resource, rlim_t limit, const char *const *arguments) {
    const struct rlimit low = {limit, limit};
    char *text[2];
    FILE *files[2];
    for (int i = 0; i < 2; i++) assert_non_null(files[i] = tmpfile());
    pid_t pid = fork();
    if (!pid) {
        const char *list[16] = {ENSIGN_PROGRAM};
        for (int i = 0; arguments[i]; i++) list[i + 1] = arguments[i];
        int nothing = open("/dev/null", O_RDONLY);
        dup2(nothing, 0);
        for (int i = 0; i < 2; i++) dup2(fileno(files[i]), i + 1);
        closefrom(3);
        setrlimit(resource, &low);
        execv(ENSIGN_PROGRAM, (char *const *)(uintptr_t)list);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    for (int i = 0; i < 2; i++) {
        long length = (fseek(files[i], 0, SEEK_END), ftell(files[i]));
        text[i] = calloc(1, (size_t)length + 1);
        rewind(files[i]);
        assert_int_equal(fread(text[i], 1, (size_t)length, files[i]), length);
        fclose(files[i]);
    }
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    bool unloaded = strstr(text[1], "shared libraries") || strstr(text[1], "Sanitizer failed");
    const char *end = strchr(text[1], '\n');
    bool one_line = end && !end[1];
    if (strstr(text[0], "forfeit-") || (!unloaded && code != 0 && (code != 3 || !one_line)) ||
        (code == 0 && *text[1])) {
        fail_msg("limit %ju of %s: exit code %d:\n%s%s", (uintmax_t)limit, arguments[0], code,
                 text[0], text[1]);
    }
    for (int i = 0; i < 2; i++) free(text[i]);
}

#define WALKER "ucc:tests/host/ucc/walker.sh"

static const char *const limited[][12] = {
    {"match", "rookie", "raider", "-v", "duel", "-n", "2", "-j", "1"},
    {"match", "rookie", "raider", "-v", "duel", "-n", "6", "-j", "3"},
    {"match", WALKER, "rookie", "-v", "milton-bradley", "-n", "2", "-j", "2"},
    {"match", "rookie", "raider", "-v", "duel", "-n", "2", "--trust"},
    {"play", "duel", "--plain", "--red", "rookie", "--blue", "raider"},
    {"check", "variants/duel.lua", "-n", "2", "--balance", "9"},
    {"check", "bots/rookie.lua", "-n", "2"},
    {"list"},
};

/* Each number for some of the commands; with ENSIGN_LONG=1 for each of them. */
static void too_few_descriptors_are_the_hosts_fault_whatever_is_played(void **state) {
    (void)state;
    const rlim_t step = at_length() ? 1 : sanitized() ? 8 : 6;
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
        for (rlim_t limit = 3 + i % step; limit <= 40; limit += step)
            run_limited(RLIMIT_NOFILE, limit, limited[i]);
}

static void too_little_address_space_is_the_hosts_fault_too(void **state) {
    (void)state;
    for (rlim_t mebibytes = 60; mebibytes <= 400; mebibytes += 60)
        run_limited(RLIMIT_AS, mebibytes << 20, limited[0]);
}

/* The template of the host's bots, once it has written that word: below the zygote, and with
 * children. It may be made anew just then. */
static pid_t template_of(struct console *console, const char *word) {
    enum { ROOM = 8, TENTHS = 300 };
    pid_t zygote, below[ROOM];
    console_expect(console, word);
    assert_int_equal(processes_of(console->pid, &zygote, 1), 1);
    for (int tenth = 0; tenth < TENTHS; tenth++) {
        int count = processes_of(zygote, below, ROOM);
        assert_in_range(count, 0, ROOM);
        for (int i = 0; i < count; i++)
            if (processes_of(below[i], NULL, 0)) return below[i];
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    fail_msg("no template");
    return 0;
}

static void kill_template(struct console *console, const char *word) {
    pid_t template = template_of(console, word);
    kill(template, SIGKILL);
    assert_true(process_ends(template));
}

static void a_match_outlives_two_templates_and_fails_with_one_line(void **state) {
    (void)state;
    struct console console;
    console_open(&console, false,
                 (const char *const[]){"match", "hunter", "raider", "-n", "20000", "-j", "1",
                                       "--events", NULL});
    for (int kills = 0; kills < 3; kills++) kill_template(&console, "\"event\":\"game\"");
    int code = console_finish(&console);
    const char *line = strstr(console.text, "the process that starts bots was killed");
    if (code != 3 || !line || strchr(line, '\n')[1]) fail_msg("%d: %s", code, console.text);
    console_clear(&console);
}

/* One more of the moves that the game offers, typed by red. */
static void type_a_move(struct console *console, unsigned turn) {
    char move[32], line[40];
    size_t before = console->seen;
    console_send(console, "moves\n");
    console_expect(console, "red to move> ");
    console_pick_move(console->text + before, turn, move);
    snprintf(line, sizeof line, "%s\n", move);
    console_send(console, line);
}

static void a_game_in_play_outlives_the_processes_of_its_bot(void **state) {
    (void)state;
    struct console console;
    console_folder();
    console_open(&console, false,
                 (const char *const[]){"play", "duel", "--setup", "random", "--seed", "5", "--blue",
                                       "hunter", "--new", NULL});
    for (unsigned turn = 0; turn < 4; turn++) {
        pid_t bots[8], template = template_of(&console, "red to move> ");
        int count = processes_of(template, bots, 8);
        for (int i = 0; i < count; i++) kill(bots[i], SIGKILL);
        type_a_move(&console, turn);
    }
    /* The third template that is killed is the last; the game can be continued. */
    for (unsigned kills = 0; kills < 3; kills++) {
        kill_template(&console, "red to move> ");
        type_a_move(&console, 4 + kills);
    }
    console_expect(&console, "the process that starts bots was killed or stopped\n");
    console_expect(&console, "The game is saved");
    assert_int_equal(console_finish(&console), 3);
    if (strstr(console.text, "orfeit")) fail_msg("%s", console.text);
    console_clear(&console);
    console_run(&console, "resign\ny\n", (const char *const[]){"play", "--continue", NULL});
    assert_non_null(strstr(console.text, "8. red to move> "));
    console_clear(&console);
}

/* The most that any program this test has waited for ever held, in KiB. */
static long most_memory(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

static void ten_thousand_games_need_no_more_memory_than_a_thousand(void **state) {
    (void)state;
    static const char *const trust[] = {"--plain", "--trust"};
    if (!at_length()) skip();
    for (int i = 0; i < 2; i++) {
        long before = 0;
        for (int games = 1000; games <= 10000; games += 9000) {
            struct program_run run =
                PROGRAM("match", "rookie", "raider", "-v", "barrage", "--seed", "4", "-n",
                        games == 1000 ? "1000" : "10000", trust[i], i ? NULL : "4");
            assert_int_equal(run.exit_code, 0);
            program_clear(&run);
            if (games == 1000) before = most_memory();
        }
        assert_in_range(most_memory() - before, 0, 1024); /* the results themselves are 220 KiB */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trusted_bots_play_the_same_games),
        cmocka_unit_test(a_bot_that_passes_the_deadline_forfeits_by_time),
        cmocka_unit_test(a_bot_that_cannot_be_loaded_stops_the_match_with_its_place),
        cmocka_unit_test(a_played_game_is_the_same_with_trusted_bots),
        cmocka_unit_test(a_bot_that_breaks_in_play_is_shown_with_its_lines),
        cmocka_unit_test(too_few_descriptors_are_the_hosts_fault_whatever_is_played),
        cmocka_unit_test(too_little_address_space_is_the_hosts_fault_too),
        cmocka_unit_test(a_match_outlives_two_templates_and_fails_with_one_line),
        cmocka_unit_test(a_game_in_play_outlives_the_processes_of_its_bot),
        cmocka_unit_test(ten_thousand_games_need_no_more_memory_than_a_thousand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
