/* What an external program can learn and do on the host: spy.c looks at everything it can reach.
 * As root the tests run a second time as another user. */
#define _GNU_SOURCE
#include "base/files.h"
#include "console.h"
#include "host/processes.h"
#include "program.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define WALKER "ucc:tests/host/ucc/walker.sh"

enum { NOBODY = 65534, ARGUMENTS_MAX = 24, NO_PROGRAM = 127 };

/* A folder with state/, match/ and a report of each spy. */
static char folder[64];

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static int open_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/ensign-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int close_folder(void **state) {
    (void)state;
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}

/* The path of something in the folder. */
static const char *in_folder(const char *name) {
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* A spy that reports to that file of the folder, as a player. */
static const char *spy(const char *report) {
    static char commands[2][512];
    static int next;
    char *command = commands[next++ % 2];
    snprintf(command, sizeof commands[0], "ucc:%s %s %s %s", ENSIGN_SPY, in_folder(report),
             in_folder("state"), in_folder("match"));
    return command;
}

/* Runs the program, on request as an unprivileged user; false if that user cannot. */
static bool run_as(bool nobody, const char *const *arguments) {
    const char *list[ARGUMENTS_MAX] = {ENSIGN_PROGRAM};
    for (int i = 0; arguments[i]; i++) list[i + 1] = arguments[i];
    if (nobody) assert_int_equal(chown(folder, NOBODY, NOBODY), 0);
    pid_t pid = fork();
    if (!pid) {
        int out = open("/dev/null", O_RDWR);
        for (int d = 0; d < 2; d++) dup2(out, d);
        setenv("XDG_STATE_HOME", in_folder("state"), 1);
        setenv("HOME", folder, 1);
        setenv("SECRET_TOKEN", "of the user", 1);
        setenv("ENSIGN_LONG", "0", 1);
        if (nobody && (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))) _exit(NO_PROGRAM);
        execv(ENSIGN_PROGRAM, (char *const *)(uintptr_t)list);
        _exit(NO_PROGRAM);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (nobody && WEXITSTATUS(status) == NO_PROGRAM) return false;
    assert_int_equal(WEXITSTATUS(status), 0);
    return true;
}

static char *read_file(const char *path) {
    size_t length;
    struct fault fault = {0};
    char *text = files_read(path, 64 << 20, &length, &fault);
    if (!text) fail_msg("%s: %s", path, fault.text);
    /* Databases hold zeros. */
    for (size_t i = 0; i < length; i++)
        if (!text[i]) text[i] = '?';
    return text;
}

/* The next report at `*at`, which advances, says that everything was tried, on at least that many
 * processes, and that all was refused. */
static void assert_saw_nothing(char **at, int processes) {
    char *end = strstr(*at, "\ndone\n");
    if (!end) fail_msg("no end of \"%s\"", *at);
    *end = 0;
    const char *got = strstr(*at, "got "), *count = strstr(*at, "processes ");
    if (got) fail_msg("%.60s", got);
    assert_non_null(count);
    assert_true(strtol(count + strlen("processes "), NULL, 10) >= processes);
    assert_non_null(strstr(*at, "has PATH="));
    assert_null(strstr(*at, "has SECRET_TOKEN"));
    assert_null(strstr(*at, "has XDG_STATE_HOME"));
    assert_null(strstr(*at, "has ENSIGN_"));
    *at = end + strlen("\ndone\n");
}

/* A tag's value in a record. */
static void take_tag(const char *record, const char *tag, char value[256]) {
    const char *found = strstr(record, tag);
    if (!found || sscanf(found + strlen(tag), " \"%255[^\"]", value) != 1) fail_msg("%s", record);
}

/* The only file of a folder in the state folder. */
static void only_file(const char *name, char path[512]) {
    char place[256];
    snprintf(place, sizeof place, "%s/state/ensign/%s", folder, name);
    DIR *stream = opendir(place);
    *path = 0;
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        if (entry->d_name[0] == '.') continue;
        assert_int_equal(*path, 0);
        snprintf(path, 512, "%s/%s", place, entry->d_name);
    }
    if (stream) closedir(stream);
}

static void look_on_in_play(bool nobody) {
    if (!run_as(nobody, ARGUMENTS("play", "milton-bradley", "--plain", "--first", "red", "--red",
                                  "rookie", "--blue", spy("report")))) {
        print_message("the program cannot be started by another user here\n");
        skip();
    }
    char path[512], army[256], *text = read_file(in_folder("report")), *at = text;
    assert_saw_nothing(&at, 4); /* host, supervisor, template, the bot */
    only_file("games", path);
    char *record = read_file(path);
    take_tag(record, "[RedSetup", army);
    assert_null(strstr(text, army));
    free(record);
    free(text);
}

static void a_guest_in_play_sees_nothing_of_the_game(void **state) {
    (void)state;
    look_on_in_play(false);
}

static void nor_does_one_of_a_user_without_rights(void **state) {
    (void)state;
    if (geteuid()) skip();
    look_on_in_play(true);
}

static void look_on_in_a_match(bool nobody) {
    static const char *const games[] = {"match/0001.rec", "match/0002.rec", "match/0003.rec",
                                        "match/0004.rec"};
    if (!run_as(nobody, ARGUMENTS("match", spy("report"), "rookie", "-v", "milton-bradley", "-n",
                                  "4", "-j", "1", "-o", in_folder("match"))))
        skip();
    char *text = read_file(in_folder("report")), *at = text;
    bool saw_another = false; /* records are written while the next game is played */
    for (int game = 0; game < 4; game++) {
        char army[256], *record = read_file(in_folder(games[game]));
        const char *seen = at;
        assert_saw_nothing(&at, 4);
        take_tag(record, game % 2 ? "[RedSetup" : "[BlueSetup", army);
        assert_null(strstr(seen, army));
        saw_another = saw_another || strstr(seen, "[Variant \"milton-bradley\"]");
        free(record);
    }
    assert_true(saw_another); /* it reads existing files: the games before */
    free(text);
}

static void a_guest_in_a_match_sees_games_that_have_ended_only(void **state) {
    (void)state;
    look_on_in_a_match(false);
}

static void nor_does_one_of_a_user_without_rights_see_more(void **state) {
    (void)state;
    if (geteuid()) skip();
    look_on_in_a_match(true);
}

static void two_guests_cannot_look_into_each_other(void **state) {
    (void)state;
    /* Red looks while blue, which has laid out its army, waits. */
    run_as(false, ARGUMENTS("play", "milton-bradley", "--plain", "--first", "red", "--red",
                            spy("red"), "--blue", spy("blue")));
    char *text = read_file(in_folder("red")), *at = text;
    assert_saw_nothing(&at, 4);
    free(text);
}

/* Plays that many turns of a person in lines. */
static void play_turns(struct console *console, unsigned count) {
    for (unsigned turn = 0;; turn++) {
        char move[32], line[40];
        console_expect(console, "red to move> ");
        if (turn == count) return;
        size_t before = console->seen;
        console_send(console, "moves\n");
        console_expect(console, "red to move> ");
        console_pick_move(console->text + before, turn, move);
        snprintf(line, sizeof line, "%s\n", move);
        console_send(console, line);
    }
}

static void sit_down(struct console *console, bool terminal) {
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    console_open(console, terminal,
                 ARGUMENTS("play", "milton-bradley", "--plain", "--new", "--blue", WALKER,
                           "--setup", "random", "--seed", "5", "--first", "red"));
}

/* The program that plays: a child of its supervisor. */
static pid_t external_of(pid_t host) {
    pid_t children[16];
    int count = processes_of(host, children, 8), supervisors = count;
    for (int i = 0; i < supervisors; i++)
        if (processes_of(children[i], children + count, 1) > 0) count++;
    for (int i = 0; i < count; i++) {
        char path[64], name[64] = "";
        snprintf(path, sizeof path, "/proc/%d/comm", (int)children[i]);
        FILE *file = fopen(path, "r");
        if (file && fgets(name, sizeof name, file) && !strncmp(name, "walker", 6)) {
            fclose(file);
            return children[i];
        }
        if (file) fclose(file);
    }
    fail_msg("no program plays");
    return 0;
}

static void assert_can_be_continued(void) {
    struct console console;
    console_open(&console, false, ARGUMENTS("play", "--continue", "--blue", "rookie"));
    console_expect(&console, "4. red to move> ");
    console_send(&console, "resign\ny\n");
    console_finish(&console);
    console_clear(&console);
    char path[512];
    only_file("saved", path);
    assert_int_equal(*path, 0);
}

static void a_game_with_a_guest_is_written_when_it_is_left_and_not_before(void **state) {
    (void)state;
    static const struct {
        int number; /* 0: "quit"; -1: the input ends */
        bool terminal;
    } ends[] = {{0, true},       {-1, false},     {SIGINT, true},  {SIGTERM, true},
                {SIGHUP, false}, {SIGQUIT, true}, {SIGTERM, false}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct console console;
        char path[512];
        sit_down(&console, ends[i].terminal);
        play_turns(&console, 3);
        only_file("saved", path);
        assert_int_equal(*path, 0);
        pid_t external = external_of(console.pid);
        if (ends[i].number > 0) {
            int status = console_break(&console, ends[i].number);
            assert_true(WIFSIGNALED(status));
            assert_int_equal(WTERMSIG(status), ends[i].number);
        } else {
            if (!ends[i].number) console_send(&console, "quit\n");
            assert_int_equal(console_finish(&console), 0);
        }
        assert_true(process_ends(external));
        only_file("saved", path);
        if (!strstr(console.text, "The game is saved") || !strstr(console.text, path))
            fail_msg("%s", console.text);
        console_clear(&console);
        assert_can_be_continued();
    }
}

static void a_signal_is_not_lost_while_the_guest_thinks(void **state) {
    (void)state;
    struct console console;
    char path[512];
    setenv("XDG_STATE_HOME", in_folder("state"), 1);
    console_open(&console, true,
                 ARGUMENTS("play", "milton-bradley", "--plain", "--new", "--blue",
                           "ucc:tests/host/ucc/sleeper.sh move", "--setup", "random", "--first",
                           "red", "--deadline", "1000000"));
    console_expect(&console, "red to move> ");
    console_send(&console, "moves\n");
    console_expect(&console, "red to move> ");
    char move[32], line[40];
    console_pick_move(console.text, 0, move);
    snprintf(line, sizeof line, "%s\n", move);
    console_send(&console, line);
    pid_t children[16];
    while (processes_of(console.pid, children, 16) < 2) continue;
    int status = console_break(&console, SIGINT);
    assert_true(WIFSIGNALED(status));
    console_clear(&console);
    only_file("saved", path);
    assert_int_not_equal(*path, 0);
}

static void a_host_that_is_killed_leaves_nothing_of_a_game_with_a_guest(void **state) {
    (void)state;
    struct console console;
    char path[512];
    sit_down(&console, true);
    play_turns(&console, 3);
    pid_t external = external_of(console.pid);
    console_break(&console, SIGKILL);
    console_clear(&console);
    assert_true(process_ends(external));
    only_file("saved", path);
    assert_int_equal(*path, 0);
}

static void on_a_screen_too_the_game_is_written_when_it_is_left(void **state) {
    (void)state;
    static const int numbers[] = {SIGTERM, SIGHUP};
    for (int i = 0; i < 2; i++) {
        struct console console;
        char path[512];
        setenv("XDG_STATE_HOME", in_folder("state"), 1);
        console_open(&console, true,
                     ARGUMENTS("play", "milton-bradley", "--new", "--red", "rookie", "--blue",
                               WALKER, "--first", "red", "--seed", "3"));
        console_expect(&console, "rookie is thinking");
        console_expect(&console, "1. "); /* among the moves */
        only_file("saved", path);
        assert_int_equal(*path, 0);
        pid_t external = external_of(console.pid);
        int status = console_break(&console, numbers[i]);
        assert_true(WIFSIGNALED(status));
        assert_true(process_ends(external));
        only_file("saved", path);
        assert_int_not_equal(*path, 0);
        unlink(path);
        console_clear(&console);
    }
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, open_folder, close_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_guest_in_play_sees_nothing_of_the_game),
        IN_FOLDER(nor_does_one_of_a_user_without_rights),
        IN_FOLDER(a_guest_in_a_match_sees_games_that_have_ended_only),
        IN_FOLDER(nor_does_one_of_a_user_without_rights_see_more),
        IN_FOLDER(two_guests_cannot_look_into_each_other),
        IN_FOLDER(a_game_with_a_guest_is_written_when_it_is_left_and_not_before),
        IN_FOLDER(a_signal_is_not_lost_while_the_guest_thinks),
        IN_FOLDER(a_host_that_is_killed_leaves_nothing_of_a_game_with_a_guest),
        IN_FOLDER(on_a_screen_too_the_game_is_written_when_it_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
