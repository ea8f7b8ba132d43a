/* test_lesson.c - the lesson, played by keys at a pseudo-terminal and by lines through a pipe. */
#include "base/files.h"
#include "player.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include <cmocka.h>

static void a_newcomer_is_offered_the_lesson_and_plays_all_of_it_by_keys(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play"));
    await("Never played? Press t: a lesson of five minutes.");
    type("t");
    await("> Moving");
    type("\r");
    play_lesson();
    await("> Play"); /* the start screen again */
    type("q");
    assert_int_equal(console_finish(&console), 0);
    vt_read(&vt, console.text, console.length);
    assert_true(vt_is_given_back(&vt));
    assert_false(vt_shows(&vt, "record"));
    player_goes(NULL);
    console_run(&console, "", ARGUMENTS("play", "--continue"));
    assert_lines("there is no unfinished game"); /* a lesson is no game that one left */
}

/* Waits until the program has refused a move, for the `times`th time. */
static void await_refusal(int times) {
    static const char refusal[] = "The rules allow that, but it is not your task.";
    for (;;) {
        int count = 0;
        for (const char *at = console.text; (at = strstr(at, refusal)); at++) count++;
        if (count >= times) break;
        assert_true(console_receive(&console));
    }
    await(refusal);
}

static void whatever_is_not_the_task_is_refused(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play", "--lesson", "--step", "1"));
    await("Your task: ");
    type(":e4-c4\r"); /* too far */
    await("does not move like that");
    type(":e4-d4\r");
    await_refusal(1);
    type("d");
    await("Offer a draw?");
    type("\033OA\r");
    await_refusal(2);
    type("r");
    await("Resign this game?");
    type("\033OA\r");
    await_refusal(3);
    type("?");
    await("pick up a piece; then go to");
    type("\r");
    type(":e4-e5\r");
    await("That is a move.");
    type("q");
    console_finish(&console);
}

static void the_piece_to_be_guessed_is_marked_as_a_target(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play", "--lesson", "--step", "8"));
    await("Enter pick up");
    type("kkkk\r");
    await("Enter go there");
    const char *nine = NULL; /* the row of e9 */
    for (int row = 0; row < vt.rows && !nine; row++)
        if (!strncmp(vt_row(&vt, row), " 9 ", 3)) nine = vt_row(&vt, row);
    assert_non_null(nine);
    assert_non_null(strstr(nine, "@(##)"));
    console_break(&console, SIGTERM);
}

static void the_lesson_is_left_and_begun_at_any_step(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play", "--lesson"));
    await("> Moving");
    type(vt_key(&vt, VTERM_KEY_UP)); /* from the first to the last */
    type("\r");
    await("Lesson, 9 of 9: The flag");
    await("1. red to move");
    type("q");
    await("Leave the lesson?");
    type("\r"); /* go on */
    type("q");
    await("Leave the lesson?");
    type("\033OA\r");
    assert_int_equal(console_finish(&console), 0);
}

/* Where the words have no room beside the board they come first, in a window. */
static void in_a_small_window_the_words_come_first(void **state) {
    (void)state;
    const struct winsize small = {.ws_row = 14, .ws_col = 44};
    player_comes(ARGUMENTS("play", "--lesson"));
    await("> Moving");
    vt_resize(&vt, small.ws_row, small.ws_col);
    assert_int_equal(ioctl(console.in, TIOCSWINSZ, &small), 0);
    while (!strstr(vt_row(&vt, 2), "> Moving")) {
        assert_true(console_receive(&console));
        vt_read(&vt, console.text, console.length);
    }
    type("t"); /* "The …": by its letters */
    type("\r");
    await("of 9: The spy");
    await("Your task: Attack the marshal");
    type("\r");
    await("1. red to move");
    type(":f6xe6\r");
    await("The spy beats the marshal, because");
    type("\r");
    await("Enter go on");
    type("q");
    assert_int_equal(console_finish(&console), 0);
}

static void the_lesson_is_played_in_lines(void **state) {
    (void)state;
    char input[1024] = "", title[80];
    for (int i = 0; i < LESSON_STEPS; i++) {
        strcat(strcat(input, lesson_keys[i].move), "\n\n");
        if (!i) memmove(input + 6, input, strlen(input) + 1), memcpy(input, "e4-d4\n", 6);
    }
    assert_int_equal(console_run(&console, input, ARGUMENTS("play", "--lesson", "--plain")), 0);
    assert_lines("The rules allow that, but it is not your task.");
    for (int i = 0; i < LESSON_STEPS; i++) {
        lesson_heading(i, title);
        assert_lines(title);
        assert_lines(lesson_keys[i].told);
        assert_lines(lesson_keys[i].done);
    }
    player_goes(NULL);
    console_run(&console, "q\n", ARGUMENTS("play", "--lesson", "--plain", "--step", "8"));
    assert_lines("Lesson, 8 of 9: The saboteur");
    assert_null(strstr(console.text, "9 of 9"));
    player_goes(NULL);
    console_run(&console, "e4-e5\nq\n", ARGUMENTS("play", "--lesson", "--plain", "--lang", "uk"));
    assert_lines("Урок, 1 з 9: Рух");
    assert_lines("Ваше завдання: Пересуньте сержанта (4) з e4 на e5.");
    assert_lines("Це хід.");
}

/* A lesson by somebody else, for blue. */
static void a_lesson_of_ones_own_is_a_file(void **state) {
    (void)state;
    static const char lesson[] = "Anything may stand here.\n"
                                 "[Step \"Blue\"]\n[Variant \"quick\"]\n"
                                 "[Position \"......../.......bF/.b3....../......../......../"
                                 ".......r2/.......rF/..r3..... red\"]\n"
                                 "[Task \"Move on.\"]\n\n1. c1-c2 b6-b5\n";
    const char *path = console_file(0, "own.txt", lesson);
    assert_int_equal(console_run(&console, "b6-b5\n", ARGUMENTS("play", "--lesson", path)), 0);
    assert_lines("Lesson, 1 of 1: Blue");
    assert_lines("Your task: Move on.");
    assert_lines("Red c1-c2.");
    assert_lines("Blue b6-b5.");
    player_goes(NULL);
    static const struct {
        const char *from, *to, *told;
    } faults[] = {{"[Step", "[Stop", "no step begins here"},
                  {"[Task", "[Tosk", "wrong.txt:2: this step has no tag \"Task\""},
                  {"b6-b5", "b6-b3", "wrong.txt:7:"},
                  {"1. c1-c2 b6-b5", "", "wrong.txt:2: this step has no moves"},
                  {"rF/..", "rF/.", "wrong.txt:4:"},
                  {"quick", "quack", "no variant \"quack\""}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char text[sizeof lesson + 64];
        const char *at = strstr(lesson, faults[i].from);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - lesson), lesson, faults[i].to,
                 at + strlen(faults[i].from));
        path = console_file(1, "wrong.txt", text);
        assert_int_not_equal(console_run(&console, "", ARGUMENTS("play", "--lesson", path)), 0);
        assert_lines(faults[i].told);
        player_goes(NULL);
    }
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--step", "2")), 2);
    assert_lines("--step is an option of --lesson");
    player_goes(NULL);
    console_run(&console, "", ARGUMENTS("play", "--lesson", "--step", "12"));
    assert_lines("this lesson has 9 steps, not 12");
}

static void the_lesson_of_the_documentation_is_one(void **state) {
    (void)state;
    size_t length;
    char *page = files_read(ENSIGN_ROOT "/variants/FORMATS.md", 1 << 20, &length, NULL);
    assert_non_null(page);
    char *from = strstr(page, "[Step \""), *to = from ? strstr(from, "```") : NULL;
    assert_non_null(to);
    *to = 0;
    const char *path = console_file(0, "readme.txt", from);
    assert_int_equal(console_run(&console, "e8xe9\n", ARGUMENTS("play", "--lesson", path)), 0);
    assert_lines("Lesson, 1 of 1: The miner");
    assert_lines("The bomb is gone.");
    free(page);
}

int main(void) {
    console_folder();
    setenv("LC_ALL", "C.UTF-8", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_newcomer_is_offered_the_lesson_and_plays_all_of_it_by_keys,
                                  player_goes),
        cmocka_unit_test_teardown(whatever_is_not_the_task_is_refused, player_goes),
        cmocka_unit_test_teardown(the_piece_to_be_guessed_is_marked_as_a_target, player_goes),
        cmocka_unit_test_teardown(the_lesson_is_left_and_begun_at_any_step, player_goes),
        cmocka_unit_test_teardown(in_a_small_window_the_words_come_first, player_goes),
        cmocka_unit_test_teardown(the_lesson_is_played_in_lines, player_goes),
        cmocka_unit_test_teardown(a_lesson_of_ones_own_is_a_file, player_goes),
        cmocka_unit_test_teardown(the_lesson_of_the_documentation_is_one, player_goes),
    };
    return cmocka_run_group_tests_name("cli/lesson", tests, NULL, NULL);
}
