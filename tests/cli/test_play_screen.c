/* test_play_screen.c - "ensign play" on the screen of a real terminal: from the start screen to a
 * rematch, and everything that may end the program in between. */
#include "base/files.h"
#include "console.h"
#include "host/processes.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { PROCESSES_MAX = 32 };

static const char RED_SETUP[] = "M........./BB......../22......../33S9F.....\n";
static const char LEAVES[] = "\033[?1049l"; /* the terminal has its own screen back */

/* Files in the folder of running games; `path` (512 bytes) is one of them. */
static int left_files(char *path) {
    char folder[256];
    int count = 0;
    snprintf(folder, sizeof folder, "%s/ensign/saved", console_folder());
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, 512, "%s/%s", folder, entry->d_name);
        count++;
    }
    if (stream) closedir(stream);
    return count;
}

/* Whether that signal ended it. A sanitizer reports a crash and exits. */
static void assert_ended_by(int status, int number) {
    if (number == SIGSEGV && WIFEXITED(status)) {
        assert_int_not_equal(WEXITSTATUS(status), 0);
    } else {
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), number);
    }
}

/* A game of duel whose first move has been played and answered. */
static void sit_down(struct console *console) {
    const char *setup = console_file(1, "red.txt", RED_SETUP);
    console_open(
        console, true,
        ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", setup, "--seed", "1", "--new"));
    console_expect(console, "1. red to move");
    console_send(console, ":a4-a5\n");
    console_expect(console, "Red a4-a5.");
}

/* The same process, its template and bots. */
static int family(pid_t pid, pid_t *members) {
    int count = processes_of(pid, members, PROCESSES_MAX);
    for (int i = 0; i < count; i++)
        count += processes_of(members[i], members + count, PROCESSES_MAX - count);
    return count;
}

static void whatever_ends_the_program_leaves_terminal_game_and_nobody_else(void **state) {
    (void)state;
    static const int ends[] = {SIGHUP, SIGTERM, SIGINT, SIGSEGV, SIGKILL, 0};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct console console;
        pid_t members[PROCESSES_MAX];
        char path[512];
        sit_down(&console);
        int count = family(console.pid, members);
        assert_true(count >= 2);
        int status = console_break(&console, ends[i]);
        assert_ended_by(status, ends[i] ? ends[i] : SIGHUP);
        if (ends[i] && ends[i] != SIGKILL) {
            const char *back = strstr(console.text, LEAVES);
            assert_non_null(back);
            assert_non_null(strstr(back, "The game is saved"));
        }
        for (int member = 0; member < count; member++) assert_true(process_ends(members[member]));
        console_clear(&console);
        assert_int_equal(left_files(path), 1);
        /* goes on where it was */
        console_open(&console, true, ARGUMENTS("play"));
        console_expect(&console, "There is an unfinished game");
        console_send(&console, "\n"); /* yes */
        console_expect(&console, "a4-a5");
        console_send(&console, "q");
        console_expect(&console, "Leave this game?");
        console_send(&console, "\033OA\n");
        console_expect(&console, LEAVES);
        console_expect(&console, "The game is saved");
        assert_int_equal(console_finish(&console), 0);
        console_clear(&console);
        unlink(path);
        assert_int_equal(left_files(path), 0);
    }
}

static void a_hang_up_does_not_ask_anything_wherever_it_comes(void **state) {
    (void)state;
    static const struct {
        const char *keys;
        int left; /* games to continue: once both armies stand */
    } places[] = {{"", 0} /* the start screen */, {"p", 0} /* the editor */, {"pd", 1}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct console console;
        char path[512];
        console_open(&console, true, ARGUMENTS("play", "--new"));
        console_expect(&console, "Seed");
        for (const char *key = places[i].keys; *key; key++) {
            console_send(&console, (char[]){*key, 0});
            console_expect(&console, *key == 'p' ? "'s army" : "1. red to move");
        }
        int status = console_break(&console, SIGHUP);
        assert_ended_by(status, SIGHUP);
        console_clear(&console);
        assert_int_equal(left_files(path), places[i].left);
        if (places[i].left) unlink(path);
    }
}

static void a_game_is_started_played_and_played_again_with_sides_exchanged(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true, ARGUMENTS("play", "--new", "--seed", "5"));
    console_expect(&console, "Seed");
    console_send(&console, "\t\n"); /* from "Play" to the game, and its list */
    console_expect(&console, "Barrage");
    console_send(&console, "\033OH\n"); /* the first of the list */
    console_expect(&console, "pieces: 8");
    console_send(&console, "p");
    console_expect(&console, "Barrage, red: human, blue: lieutenant, seed 5");
    console_send(&console, "d");
    console_expect(&console, "1. red to move");
    console_send(&console, "d"); /* a double tap */
    console_expect(&console, "The game has begun. Press d again");
    console_send(&console, "d");
    console_expect(&console, "Offer a draw?");
    console_send(&console, "\n");
    console_send(&console, "r");
    console_expect(&console, "resign");
    console_send(&console, "\033OA\n");
    console_expect(&console, "resigned");
    console_send(&console, "q");
    console_expect(&console, "Play again with sides swapped?");
    console_send(&console, "\n");
    console_expect(&console, "Blue's army");
    console_send(&console, "q");
    console_expect(&console, "Leave without playing?");
    console_send(&console, "\033OA\n");
    console_expect(&console, "Seed");
    console_send(&console, "q");
    console_expect(&console, LEAVES);
    console_expect(&console, "Plies: 0");
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
}

static void only_enter_uncovers_an_army_that_is_laid_out_in_secret(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true, ARGUMENTS("play", "quick", "--blue", "human", "--new"));
    console_expect(&console, "sets up its army in secret");
    console_send(&console, "x \t\033[M !!q"); /* a click with the left button among them */
    console_expect(&console, "Leave this game?");
    console_send(&console, "\n"); /* go on */
    console_send(&console, "q");
    console_expect(&console, "Leave this game?");
    assert_null(strstr(console.text, "Red's army"));
    console_send(&console, "\n\n");
    console_expect(&console, "Red's army");
    console_send(&console, "d");
    console_expect(&console, "Blue's turn.");
    console_send(&console, "q");
    console_expect(&console, "Leave this game?");
    console_send(&console, "\033OA\n");
    console_expect(&console, LEAVES);
    assert_null(strstr(console.text, "Blue's army"));
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
}

static void a_game_that_is_left_ends_the_program_also_from_the_start_screen(void **state) {
    (void)state;
    struct console console;
    char path[512];
    console_open(&console, true, ARGUMENTS("play", "--new", "--seed", "5"));
    console_expect(&console, "Seed");
    console_send(&console, "\t\n");
    console_expect(&console, "Duel");
    console_send(&console, "d\n"); /* by its letter */
    console_expect(&console, "10 pieces a side");
    console_send(&console, "p");
    console_expect(&console, "Duel, red: human");
    console_send(&console, "cM"); /* the marshal on e4, where it can move */
    console_send(&console, "rd");
    console_expect(&console, "1. red to move");
    console_send(&console, ":e4-e5\n");
    console_expect(&console, "Red e4-e5.");
    console_send(&console, "q");
    console_expect(&console, "Leave this game?");
    console_send(&console, "\033OA\n");
    console_expect(&console, LEAVES);
    console_expect(&console, "The game is saved");
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
    assert_int_equal(left_files(path), 1);
    unlink(path);
}

static void what_went_wrong_is_printed_when_the_terminal_is_back(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true, ARGUMENTS("play", "duel", "--blue", "hunterr", "--new"));
    console_expect(&console, "Something went wrong");
    console_send(&console, "\n");
    console_expect(&console, LEAVES);
    console_expect(&console, "did you mean \"hunter\"");
    assert_int_equal(console_finish(&console), 2);
    console_clear(&console);
}

int main(void) {
    console_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_ends_the_program_leaves_terminal_game_and_nobody_else),
        cmocka_unit_test(a_hang_up_does_not_ask_anything_wherever_it_comes),
        cmocka_unit_test(a_game_is_started_played_and_played_again_with_sides_exchanged),
        cmocka_unit_test(only_enter_uncovers_an_army_that_is_laid_out_in_secret),
        cmocka_unit_test(a_game_that_is_left_ends_the_program_also_from_the_start_screen),
        cmocka_unit_test(what_went_wrong_is_printed_when_the_terminal_is_back),
    };
    return cmocka_run_group_tests_name("cli/play_screen", tests, NULL, NULL);
}
