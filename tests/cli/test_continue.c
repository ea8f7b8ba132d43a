/* test_continue.c - games interrupted, by the player or by force, and continued. */
#define _GNU_SOURCE /* memmem */
#include "console.h"

#include "base/files.h"
#include "games/length.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char OFFER[] = "Continue it? (y/n) ";
static const char AGAIN[] = "Play again with sides swapped? (y/n) ";

static void assert_has(const struct console *console, const char *text) {
    if (!strstr(console->text, text)) fail_msg("no \"%s\" in:\n%s", text, console->text);
}

static void assert_lacks(const struct console *console, const char *text) {
    if (strstr(console->text, text)) fail_msg("\"%s\" in:\n%s", text, console->text);
}

/* Plays turns from number `turn` on, up to number `until`; false when the game ended before. */
static bool play_turns(struct console *console, unsigned turn, unsigned until) {
    for (;; turn++) {
        char move[32], line[40];
        if (console_expect_any(console, ARGUMENTS("red to move> ", "The record is in ")))
            return false;
        if (turn == until) return true;
        size_t before = console->seen;
        console_send(console, "moves\n");
        console_expect(console, "red to move> ");
        console_pick_move(console->text + before, turn, move);
        assert_true(*move != 0);
        snprintf(line, sizeof line, "%s\n", move);
        console_send(console, line);
    }
}

/* The only file in the folder of running games; NULL if there is none. */
static const char *left_file(void) {
    static char path[512];
    char folder[256];
    snprintf(folder, sizeof folder, "%s/ensign/saved", console_folder());
    DIR *stream = opendir(folder);
    *path = 0;
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        if (entry->d_name[0] == '.') continue;
        assert_int_equal(*path, 0);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    }
    if (stream) closedir(stream);
    return *path ? path : NULL;
}

static char *read_file(const char *path) {
    size_t length;
    char *text = files_read(path, 1 << 20, &length, NULL);
    assert_non_null(text);
    return text;
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

static void sit_down(struct console *console, const char *record) {
    console_open(console, true,
                 ARGUMENTS("play", "--plain", "duel", "--blue", "hunter", "--setup", "random",
                           "--seed", "5", "--new", "-o", record));
}

/* Cuts the line that says when a game began. */
static void cut_date(char *record) {
    char *line = strstr(record, "[Date \"");
    assert_non_null(line);
    char *next = strchr(line, '\n') + 1;
    assert_true(next - line == 7 + 19 + 3); /* a day and a second */
    memmove(line, next, strlen(next) + 1);
}

/* An uninterrupted game, and its number of turns. */
static char *whole_game(const char *record) {
    struct console console;
    sit_down(&console, record);
    assert_false(play_turns(&console, 0, 10000));
    console_expect(&console, AGAIN);
    console_send(&console, "n\n");
    console_finish(&console);
    console_clear(&console);
    char *text = read_file(record);
    cut_date(text);
    return text;
}

static void a_game_goes_on_as_if_nothing_had_happened_whatever_ended_the_program(void **state) {
    (void)state;
    static const struct {
        int number; /* 0: the terminal is gone; -1: a person quits */
        bool told;  /* and can the program say so? */
    } ends[] = {{SIGHUP, true}, {SIGKILL, false}, {0, false},      {SIGTERM, true},
                {SIGINT, true}, {SIGSEGV, true},  {SIGABRT, true}, {-1, true}};
    char first[256], second[256];
    snprintf(first, sizeof first, "%s/whole.rec", console_folder());
    snprintf(second, sizeof second, "%s/broken.rec", console_folder());
    char *whole = whole_game(first);
    assert_null(left_file());
    const size_t ways = sizeof ends / sizeof ends[0];
    for (size_t n = 0; n < 2 * ways; n++) {
        struct console console;
        const size_t i = n % ways;
        const unsigned turns = n < ways ? 0 : 3 + (unsigned)i;
        if (!at_length() && (n < ways) == (i % 2)) continue; /* each way once */
        sit_down(&console, second);
        assert_true(play_turns(&console, 0, turns));
        if (ends[i].number < 0) {
            console_send(&console, "quit\n");
            assert_int_equal(console_finish(&console), 0);
            unlink(second); /* the unfinished record that -o asked for */
        } else {
            int status = console_break(&console, ends[i].number);
            if (ends[i].number) assert_ended_by(status, ends[i].number);
        }
        if (ends[i].told)
            assert_has(&console, "The game is saved; \"" ENSIGN_PROGRAM " play --continue\"");
        assert_lacks(&console, "Uncovered:");
        console_clear(&console);
        assert_non_null(left_file());
        console_open(&console, true, ARGUMENTS("play", "--plain", "-o", second));
        console_expect(&console,
                       "There is an unfinished game: duel, red: human, blue: hunter, move ");
        console_expect(&console, OFFER);
        console_send(&console, "y\n");
        assert_false(play_turns(&console, turns, 10000));
        console_expect(&console, AGAIN);
        console_send(&console, "n\n");
        assert_int_equal(console_finish(&console), 0);
        console_clear(&console);
        char *broken = read_file(second);
        cut_date(broken);
        assert_string_equal(broken, whole);
        free(broken);
        unlink(second);
        assert_null(left_file());
    }
    free(whole);
    unlink(first);
}

static void a_watched_game_goes_on_too(void **state) {
    (void)state;
    char first[256], second[256];
    snprintf(first, sizeof first, "%s/watched.rec", console_folder());
    snprintf(second, sizeof second, "%s/watched-again.rec", console_folder());
    struct console console;
    console_run(&console, "",
                ARGUMENTS("play", "barrage", "--red", "raider", "--blue", "rookie", "--seed", "7",
                          "-o", first));
    console_clear(&console);
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "barrage", "--red", "raider", "--blue", "rookie",
                           "--seed", "7"));
    console_expect(&console, "quit> ");
    console_send(&console, "9\n");
    console_expect(&console, "quit> ");
    console_send(&console, "quit\n");
    console_expect(&console,
                   "The game is saved; \"" ENSIGN_PROGRAM " play --continue\" goes on with it.");
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--continue", "-o", second)), 0);
    console_clear(&console);
    char *whole = read_file(first), *broken = read_file(second);
    assert_string_equal(whole, broken);
    assert_null(strstr(whole, "[Date"));
    free(whole), free(broken);
    unlink(first), unlink(second);
    assert_null(left_file());
}

/* The person of red leaves after two turns, a bot plays one, and the person ends the game. */
static void a_record_says_who_played_which_plies(void **state) {
    (void)state;
    struct console console;
    char record[256], began[64];
    snprintf(record, sizeof record, "%s/hands.rec", console_folder());
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "duel", "--blue", "rookie", "--setup", "random",
                           "--seed", "5"));
    assert_true(play_turns(&console, 0, 2));
    console_send(&console, "quit\n");
    console_finish(&console);
    console_clear(&console);
    char *left = read_file(left_file());
    snprintf(began, sizeof began, "%.*s", (int)strcspn(strstr(left, "[Date"), "\n"),
             strstr(left, "[Date"));
    assert_null(strstr(left, "Played"));
    free(left);
    console_open(&console, true, ARGUMENTS("play", "--plain", "--continue", "--red", "rookie"));
    console_expect(&console, "quit> ");
    console_send(&console, "2\n");
    console_expect(&console, "quit> ");
    console_send(&console, "quit\n");
    console_finish(&console);
    console_clear(&console);
    left = read_file(left_file());
    assert_non_null(strstr(left, "[RedPlayed \"human from 1, rookie from 5\"]\n"));
    free(left);
    console_run(&console, "resign\ny\n",
                ARGUMENTS("play", "--continue", "--red", "human", "-o", record));
    console_clear(&console);
    char *text = read_file(record);
    assert_non_null(strstr(text, began));
    assert_non_null(strstr(text, "[RedPlayed \"human from 1, rookie from 5, human from 7\"]\n"));
    assert_null(strstr(text, "BluePlayed"));
    free(text);
    unlink(record);
    assert_null(left_file());
}

static void two_people_who_have_laid_out_both_armies_may_leave_too(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true, ARGUMENTS("play", "--plain", "duel", "--blue", "human", "--new"));
    console_expect(&console, "Red's turn");
    console_send(&console, "\n");
    console_expect(&console, "help)> ");
    console_send(&console, "ok\n");
    console_expect(&console, "Blue's turn");
    console_send(&console, "\n");
    console_expect(&console, "help)> ");
    assert_null(left_file());
    console_send(&console, "ok\n");
    console_expect(&console, "Red's turn");
    console_send(&console, "\n");
    console_expect(&console, "1. red to move> ");
    char *left = read_file(left_file());
    console_send(&console, "quit\n");
    assert_int_equal(console_finish(&console), 0);
    assert_has(&console, "The game is saved");
    console_clear(&console);
    console_open(&console, true, ARGUMENTS("play", "--plain"));
    console_expect(&console, "duel, red: human, blue: human, move 1,");
    console_expect(&console, OFFER);
    console_send(&console, "y\n");
    console_expect(&console, "Red's turn");
    console_send(&console, "\n");
    console_expect(&console, "1. red to move> ");
    char *again = read_file(left_file());
    assert_string_equal(again, left);
    console_send(&console, "resign\ny\n");
    console_expect(&console, AGAIN);
    console_send(&console, "n\n");
    console_finish(&console);
    console_clear(&console);
    free(left), free(again);
    assert_null(left_file());
}

static void games_side_by_side_do_not_meet(void **state) {
    (void)state;
    struct console one, two, third;
    console_open(&one, true,
                 ARGUMENTS("play", "--plain", "duel", "--blue", "rookie", "--setup", "random",
                           "--seed", "1"));
    assert_true(play_turns(&one, 0, 2));
    /* the first is being played: nothing is offered */
    console_open(&two, true,
                 ARGUMENTS("play", "--plain", "quick", "--blue", "rookie", "--setup", "random",
                           "--seed", "2"));
    assert_true(play_turns(&two, 0, 4));
    console_break(&one, SIGKILL);
    console_break(&two, SIGKILL);
    assert_lacks(&two, "nfinished game");
    /* only games of the named variant are offered */
    console_open(&third, true, ARGUMENTS("play", "--plain", "duel"));
    console_expect(&third, "There is an unfinished game: duel, red: human, blue: rookie, move 3");
    console_expect(&third, OFFER);
    console_send(&third, "\004");
    console_finish(&third);
    console_clear(&third);
    console_open(&third, true, ARGUMENTS("play", "--plain"));
    console_expect(&third, "Which unfinished game");
    console_expect(&third, "duel, red: human");
    console_expect(&third, "3  a new game");
    console_expect(&third, "1-3> ");
    assert_has(&third, "quick, red: human");
    const char *quick = strstr(third.text, "quick, red");
    console_send(&third, quick < strstr(third.text, "duel, red") ? "1\n" : "2\n");
    console_expect(&third, "Quick, red: human");
    console_expect(&third, "5. red to move> ");
    console_send(&third, "resign\ny\n");
    console_expect(&third, AGAIN);
    console_send(&third, "n\n");
    console_finish(&third);
    console_clear(&third);
    console_clear(&one), console_clear(&two);
    console_run(&third, "resign\ny\n", ARGUMENTS("play", "--continue"));
    assert_has(&third, "esigned");
    console_clear(&third);
    assert_null(left_file());
}

static void a_damaged_file_is_played_as_far_as_it_goes_and_kept(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "duel", "--blue", "rookie", "--setup", "random",
                           "--seed", "1"));
    assert_true(play_turns(&console, 0, 3));
    console_break(&console, SIGKILL);
    console_clear(&console);
    char path[512], aside[528];
    snprintf(path, sizeof path, "%s", left_file());
    snprintf(aside, sizeof aside, "%s.damaged", path);
    FILE *file = fopen(path, "a");
    fputs("4. e1-e9 a", file);
    fclose(file);
    console_open(&console, true, ARGUMENTS("play", "--plain"));
    console_expect(&console, OFFER);
    console_send(&console, "y\n");
    console_expect(&console, path);
    console_expect(&console, "found \"a\" where a move such as a4-a5 is expected");
    console_expect(&console,
                   "Only the first 6 plies of the game can be played. Continue from there? "
                   "(y/n) ");
    console_send(&console, "y\n");
    console_expect(&console, "4. red to move> ");
    console_send(&console, "resign\ny\n");
    console_expect(&console, AGAIN);
    console_send(&console, "n\n");
    console_finish(&console);
    console_clear(&console);
    char *kept = read_file(aside);
    assert_non_null(strstr(kept, "4. e1-e9 a"));
    free(kept);
    unlink(aside);
    assert_null(left_file());
}

static void a_file_whose_beginning_is_lost_is_refused_and_stays(void **state) {
    (void)state;
    const char *path = console_file(0, "half.rec",
                                    "[Variant \"duel\"]\n[Red \"human\"]\n[Blue \"rookie\"]\n"
                                    "[Result \"*\"]\n\n1. a4-a5\n");
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--continue", path)), 1);
    assert_has(&console, "half.rec");
    assert_has(&console, "\"RedSetup\" is missing");
    console_clear(&console);
    assert_int_equal(access(path, R_OK), 0);
}

static void a_game_is_taken_over_by_other_players(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "duel", "--blue", "rookie", "--setup", "random",
                           "--seed", "1"));
    assert_true(play_turns(&console, 0, 3));
    console_send(&console, "quit\n");
    console_finish(&console);
    console_clear(&console);
    /* watched as red saw it */
    console_open(&console, true, ARGUMENTS("play", "--plain", "--continue", "--red", "raider"));
    console_expect(&console, "end; quit> ");
    console_send(&console, "quit\n");
    console_finish(&console);
    assert_has(&console, "[ F]");
    assert_has(&console, "(##)");
    assert_lacks(&console, "( F)");
    console_clear(&console);
    char record[256];
    snprintf(record, sizeof record, "%s/taken.rec", console_folder());
    assert_int_equal(console_run(&console, "",
                                 ARGUMENTS("play", "--continue", "--red", "raider", "--blue",
                                           "hunter", "-o", record)),
                     0);
    assert_has(&console, "red: raider, blue: hunter");
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("replay", "--verify", record)), 0);
    console_clear(&console);
    unlink(record);
    assert_null(left_file());
}

static void a_rematch_exchanges_the_sides_and_keeps_the_army(void **state) {
    (void)state;
    /* No first move takes its flag: a rematch always has a drawn seed. */
    const char *army = console_file(1, "own.txt", "M........./BB......../22......../F3S93.....\n");
    char load[300];
    snprintf(load, sizeof load, "load %s\nok\n", army);
    struct console console;
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "duel", "--blue", "rookie", "--seed", "3"));
    console_expect(&console, "Duel, red: human, blue: rookie, seed 3");
    console_expect(&console, "help)> ");
    console_send(&console, load);
    console_expect(&console, "1. red to move> ");
    console_send(&console, "resign\ny\n");
    console_expect(&console, AGAIN);
    console_send(&console, "y\n");
    /* The record of the previous game reveals nothing of this one's chance. */
    console_expect(&console, "Duel, red: rookie, blue: human, seed ");
    assert_int_not_equal(strncmp(console.text + console.seen, "3\r", 2), 0);
    assert_int_not_equal(strncmp(console.text + console.seen, "4\r", 2), 0);
    console_expect(&console, " 7 ");
    size_t rank = console.seen;
    console_expect(&console, "\n");
    /* the marshal stands on the left of the front rank, as blue sees it */
    assert_non_null(memmem(console.text + rank, 24, "(10)", 4));
    console_expect(&console, "help)> ");
    console_send(&console, "ok\n");
    console_expect(&console, "blue to move> ");
    console_send(&console, "resign\ny\n");
    console_expect(&console, AGAIN);
    console_send(&console, "n\n");
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
}

static void nobody_is_asked_who_has_decided_or_plays_through_a_pipe(void **state) {
    (void)state;
    struct console console;
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--continue")), 2);
    assert_has(&console, "there is no unfinished game");
    console_clear(&console);
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "duel", "--blue", "rookie", "--setup", "random",
                           "--seed", "1"));
    assert_true(play_turns(&console, 0, 2));
    console_break(&console, SIGKILL);
    console_clear(&console);
    console_open(&console, true,
                 ARGUMENTS("play", "--plain", "duel", "--setup", "random", "--new"));
    console_expect(&console, "1. red to move> ");
    console_send(&console, "quit\n");
    console_finish(&console);
    assert_lacks(&console, "nfinished game");
    console_clear(&console);
    console_run(&console, "quit\n", ARGUMENTS("play", "duel", "--setup", "random"));
    assert_lacks(&console, "nfinished game");
    assert_has(&console, "1. red to move> ");
    console_clear(&console);
    static const char *const turns[] = {"1. red to move> ", "1. red to move> ", "3. red to move> "};
    for (int i = 0; i < 3; i++) { /* the latest first */
        console_run(&console, "resign\ny\n", ARGUMENTS("play", "--continue"));
        assert_has(&console, turns[i]);
        console_clear(&console);
    }
    assert_null(left_file());
}

static void a_game_that_cannot_be_saved_says_so_at_both_ends(void **state) {
    (void)state;
    char state_home[256];
    const char *folder = console_folder();
    snprintf(state_home, sizeof state_home, "%s", console_file(0, "plain", "a file\n"));
    setenv("XDG_STATE_HOME", state_home, 1);
    struct console console;
    console_open(&console, false,
                 ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", "random", "--seed", "1"));
    console_expect(&console, "games cannot be saved: the folder cannot be made");
    assert_true(play_turns(&console, 0, 2));
    console_send(&console, "quit\n");
    console_expect(&console, "The game could not be saved.");
    assert_int_equal(console_finish(&console), 3);
    assert_lacks(&console, "No game was played.");
    console_clear(&console);
    setenv("XDG_STATE_HOME", folder, 1);
}

static void wrong_use_is_refused(void **state) {
    (void)state;
    struct console console;
    const char *over = console_file(2, "over.rec", "[Variant \"duel\"]\n[Result \"red\"]\n");
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--continue", over)), 2);
    assert_has(&console, "is over");
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--continue", "/no/such")), 2);
    assert_has(&console, "no such file");
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--continue", "--seed", "1")), 2);
    assert_has(&console, "--continue and --seed do not go together");
    console_clear(&console);
}

static void a_finished_record_goes_into_a_folder_that_is_named(void **state) {
    (void)state;
    struct console console;
    char place[300], path[256];
    snprintf(place, sizeof place, "The record is in %s/duel-", console_folder());
    console_run(&console, "resign\ny\n",
                ARGUMENTS("play", "duel", "--setup", "random", "-o", console_folder()));
    assert_has(&console, place);
    assert_int_equal(
        sscanf(strstr(console.text, "The record is in "), "The record is in %255s", path), 1);
    assert_int_equal(unlink(path), 0);
    console_clear(&console);
}

int main(void) {
    console_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_goes_on_as_if_nothing_had_happened_whatever_ended_the_program),
        cmocka_unit_test(a_watched_game_goes_on_too),
        cmocka_unit_test(a_record_says_who_played_which_plies),
        cmocka_unit_test(two_people_who_have_laid_out_both_armies_may_leave_too),
        cmocka_unit_test(games_side_by_side_do_not_meet),
        cmocka_unit_test(a_damaged_file_is_played_as_far_as_it_goes_and_kept),
        cmocka_unit_test(a_file_whose_beginning_is_lost_is_refused_and_stays),
        cmocka_unit_test(a_game_is_taken_over_by_other_players),
        cmocka_unit_test(a_rematch_exchanges_the_sides_and_keeps_the_army),
        cmocka_unit_test(nobody_is_asked_who_has_decided_or_plays_through_a_pipe),
        cmocka_unit_test(a_game_that_cannot_be_saved_says_so_at_both_ends),
        cmocka_unit_test(wrong_use_is_refused),
        cmocka_unit_test(a_finished_record_goes_into_a_folder_that_is_named),
    };
    return cmocka_run_group_tests_name("cli/continue", tests, NULL, NULL);
}
