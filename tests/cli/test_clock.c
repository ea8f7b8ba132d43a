/* test_clock.c - games with a clock: shown, kept with the game, and run out. */
#include "base/files.h"
#include "player.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char SETUP[] = "M........./BB......../22......../33S9F.....\n";

/* Reads until the title shows another time of red. */
static void await_another_second(void) {
    char before[256];
    snprintf(before, sizeof before, "%s", vt_row(&vt, 0));
    while (!strcmp(before, vt_row(&vt, 0))) {
        assert_true(console_receive(&console));
        vt_read(&vt, console.text, console.length);
    }
    await("[9:");
    await("] (10:00)");
}

/* The only file of a game that was left. */
static const char *left_file(void) {
    static char path[512];
    char folder[256];
    snprintf(folder, sizeof folder, "%s/ensign/saved", console_folder());
    DIR *stream = opendir(folder);
    *path = 0;
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (entry->d_name[0] != '.') snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (stream) closedir(stream);
    assert_true(*path);
    return path;
}

static char *read_file(const char *path) {
    size_t length;
    char *text = files_read(path, 1 << 20, &length, NULL);
    assert_non_null(text);
    return text;
}

/* Writes other times into the file of the game that was left. */
static void set_clock(const char *times) {
    const char *path = left_file();
    char *text = read_file(path);
    for (char *at = text; (at = strstr(at, "{clock"));) memset(at, ' ', strcspn(at, "\n"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s{clock %s}\n", text, times);
    assert_int_equal(fclose(file), 0);
    free(text);
}

static void a_clock_is_kept_with_a_game_that_is_left(void **state) {
    (void)state;
    const char *setup = console_file(0, "red.txt", SETUP);
    console_run(&console, "a4-a5\nquit\n",
                ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", setup, "--seed", "1",
                          "--clock", "10+50"));
    assert_lines("Clock: red "); /* both have a minute's room for a slow machine */
    const char *second = strstr(strstr(console.text, "Clock: red ") + 1, "Clock: red 10:");
    assert_non_null(second);
    assert_non_null(strstr(second, ", blue 10:"));
    player_goes(NULL);
    char *text = read_file(left_file());
    assert_non_null(strstr(text, "[Clock \"600+50\"]\n"));
    assert_non_null(strstr(text, "{clock 6"));
    free(text);
    set_clock("65000 123456");
    console_run(&console, "quit\n", ARGUMENTS("play", "--continue"));
    assert_lines("Clock: red 1:0");
    assert_lines(", blue 2:04.\n2. red to move");
    player_goes(NULL);
    text = read_file(left_file());
    assert_non_null(strstr(text, " 123456}\n")); /* red has thought since */
    assert_null(strstr(text, "600000"));
    free(text);
    unlink(left_file());
}

static void whose_time_is_up_loses_and_the_program_ends_well(void **state) {
    (void)state;
    char record[256];
    const char *setup = console_file(0, "red.txt", SETUP);
    snprintf(record, sizeof record, "%s/flag.rec", console_folder());
    console_run(&console, "a4-a5\nquit\n",
                ARGUMENTS("play", "duel", "--blue", "rookie", "--setup", setup, "--seed", "1",
                          "--clock", "1"));
    player_goes(NULL);
    set_clock("0 60000");
    assert_int_equal(
        console_run(&console, "a5-a6\n", ARGUMENTS("play", "--continue", "-o", record)), 0);
    assert_lines("Blue wins. The other side forfeits");
    assert_null(strstr(console.text, "no time left")); /* nothing went wrong */
    player_goes(NULL);
    char *text = read_file(record);
    assert_non_null(strstr(text, "[Result \"blue\"]\n[Reason \"forfeit-time\"]\n"));
    assert_non_null(strstr(text, "[Clock \"60\"]\n"));
    free(text);
    assert_int_equal(console_run(&console, "", ARGUMENTS("replay", "--verify", record)), 0);
    unlink(record);
}

static void two_people_see_their_clocks_at_one_keyboard(void **state) {
    (void)state;
    player_comes(ARGUMENTS("play", "duel", "--new", "--blue", "human", "--setup", "random",
                           "--seed", "5", "--clock", "10+5"));
    await("Press Enter when only red can see the screen.");
    type("\r");
    await("] (10:00)");
    await_another_second(); /* and nobody pressed a key */
    type(":");
    await("a4-a5, or");
    await_another_second(); /* also behind a question */
    type("\033");
    type("q");
    await("Leave this game?");
    type("\033OA\r");
    assert_int_equal(console_finish(&console), 0);
}

static void what_is_no_clock_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"0", "10+", "+5", "ten", "10-5", "1000000"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--clock", wrong[i])), 2);
        assert_lines("is no clock; expected MINUTES or MINUTES+SECONDS, as in 10+5");
        player_goes(NULL);
    }
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--continue", "--clock", "5")), 2);
}

int main(void) {
    console_folder();
    setenv("LC_ALL", "C.UTF-8", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_clock_is_kept_with_a_game_that_is_left, player_goes),
        cmocka_unit_test_teardown(whose_time_is_up_loses_and_the_program_ends_well, player_goes),
        cmocka_unit_test_teardown(two_people_see_their_clocks_at_one_keyboard, player_goes),
        cmocka_unit_test_teardown(what_is_no_clock_is_refused, player_goes),
    };
    return cmocka_run_group_tests_name("cli/clock", tests, NULL, NULL);
}
