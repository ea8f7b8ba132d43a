/* test_play_screen.c - "ensign play" on the screen of a real terminal: from the start screen to a
 * rematch, and everything that may end the program in between. */
#include "base/files.h"
#include "host/processes.h"
#include "session.h"

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
    snprintf(folder, sizeof folder, "%s/ensign/saved", session_folder());
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
static void sit_down(struct session *session) {
    const char *setup = session_file(1, "red.txt", RED_SETUP);
    session_open(
        session, true,
        ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", setup, "--seed", "1", "--new"));
    session_expect(session, "1. red to move");
    session_send(session, ":a4-a5\n");
    session_expect(session, "Red a4-a5.");
}

/* The same process, its nursery and bots. */
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
        struct session session;
        pid_t members[PROCESSES_MAX];
        char path[512];
        sit_down(&session);
        int count = family(session.pid, members);
        assert_true(count >= 2);
        int status = session_break(&session, ends[i]);
        assert_ended_by(status, ends[i] ? ends[i] : SIGHUP);
        if (ends[i] && ends[i] != SIGKILL) {
            const char *back = strstr(session.text, LEAVES);
            assert_non_null(back);
            assert_non_null(strstr(back, "The game is saved"));
        }
        for (int member = 0; member < count; member++) assert_true(process_ends(members[member]));
        session_clear(&session);
        assert_int_equal(left_files(path), 1);
        /* goes on where it was */
        session_open(&session, true, ARGUMENTS("play"));
        session_expect(&session, "There is an unfinished game");
        session_send(&session, "\n"); /* yes */
        session_expect(&session, "a4-a5");
        session_send(&session, "q");
        session_expect(&session, "Leave this game?");
        session_send(&session, "\033OA\n");
        session_expect(&session, LEAVES);
        session_expect(&session, "The game is saved");
        assert_int_equal(session_finish(&session), 0);
        session_clear(&session);
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
        struct session session;
        char path[512];
        session_open(&session, true, ARGUMENTS("play", "--new"));
        session_expect(&session, "Seed");
        for (const char *key = places[i].keys; *key; key++) {
            session_send(&session, (char[]){*key, 0});
            session_expect(&session, *key == 'p' ? "'s army" : "1. red to move");
        }
        int status = session_break(&session, SIGHUP);
        assert_ended_by(status, SIGHUP);
        session_clear(&session);
        assert_int_equal(left_files(path), places[i].left);
        if (places[i].left) unlink(path);
    }
}

static void a_game_is_started_played_and_played_again_with_sides_exchanged(void **state) {
    (void)state;
    struct session session;
    session_open(&session, true, ARGUMENTS("play", "--new", "--seed", "5"));
    session_expect(&session, "Seed");
    session_send(&session, "\t\n"); /* from "Play" to the game, and its list */
    session_expect(&session, "Barrage");
    session_send(&session, "\033OH\n"); /* the first of the list */
    session_expect(&session, "pieces: 8");
    session_send(&session, "p");
    session_expect(&session, "Barrage, red: human, blue: lieutenant, seed 5");
    session_send(&session, "d");
    session_expect(&session, "1. red to move");
    session_send(&session, "d"); /* a double tap */
    session_expect(&session, "The game has begun. Press d again");
    session_send(&session, "d");
    session_expect(&session, "Offer a draw?");
    session_send(&session, "\n");
    session_send(&session, "r");
    session_expect(&session, "resign");
    session_send(&session, "\033OA\n");
    session_expect(&session, "resigned");
    session_send(&session, "q");
    session_expect(&session, "Play again with sides swapped?");
    session_send(&session, "\n");
    session_expect(&session, "Blue's army");
    session_send(&session, "q");
    session_expect(&session, "Leave without playing?");
    session_send(&session, "\033OA\n");
    session_expect(&session, "Seed");
    session_send(&session, "q");
    session_expect(&session, LEAVES);
    session_expect(&session, "Plies: 0");
    assert_int_equal(session_finish(&session), 0);
    session_clear(&session);
}

static void only_enter_uncovers_an_army_that_is_laid_out_in_secret(void **state) {
    (void)state;
    struct session session;
    session_open(&session, true, ARGUMENTS("play", "quick", "--blue", "human", "--new"));
    session_expect(&session, "sets up its army in secret");
    session_send(&session, "x \t\033[M !!q"); /* a click with the left button among them */
    session_expect(&session, "Leave this game?");
    session_send(&session, "\n"); /* go on */
    session_send(&session, "q");
    session_expect(&session, "Leave this game?");
    assert_null(strstr(session.text, "Red's army"));
    session_send(&session, "\n\n");
    session_expect(&session, "Red's army");
    session_send(&session, "d");
    session_expect(&session, "Blue's turn.");
    session_send(&session, "q");
    session_expect(&session, "Leave this game?");
    session_send(&session, "\033OA\n");
    session_expect(&session, LEAVES);
    assert_null(strstr(session.text, "Blue's army"));
    assert_int_equal(session_finish(&session), 0);
    session_clear(&session);
}

static void a_game_that_is_left_ends_the_program_also_from_the_start_screen(void **state) {
    (void)state;
    struct session session;
    char path[512];
    session_open(&session, true, ARGUMENTS("play", "--new", "--seed", "5"));
    session_expect(&session, "Seed");
    session_send(&session, "\t\n");
    session_expect(&session, "Duel");
    session_send(&session, "d\n"); /* by its letter */
    session_expect(&session, "sheet's duel");
    session_send(&session, "p");
    session_expect(&session, "Duel, red: human");
    session_send(&session, "cM"); /* the marshal on e4, where it can move */
    session_send(&session, "rd");
    session_expect(&session, "1. red to move");
    session_send(&session, ":e4-e5\n");
    session_expect(&session, "Red e4-e5.");
    session_send(&session, "q");
    session_expect(&session, "Leave this game?");
    session_send(&session, "\033OA\n");
    session_expect(&session, LEAVES);
    session_expect(&session, "The game is saved");
    assert_int_equal(session_finish(&session), 0);
    session_clear(&session);
    assert_int_equal(left_files(path), 1);
    unlink(path);
}

static void what_went_wrong_is_printed_when_the_terminal_is_back(void **state) {
    (void)state;
    struct session session;
    session_open(&session, true, ARGUMENTS("play", "duel", "--blue", "hunterr", "--new"));
    session_expect(&session, "Something went wrong");
    session_send(&session, "\n");
    session_expect(&session, LEAVES);
    session_expect(&session, "did you mean \"hunter\"");
    assert_int_equal(session_finish(&session), 2);
    session_clear(&session);
}

int main(void) {
    session_folder();
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
