/* test_watch_screen.c - "ensign watch" on the screen of a terminal, read by libvterm, while its
 * file is being written. */
#include "base/files.h"
#include "console.h"
#include "host/processes.h"
#include "vt.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define GAME "variants/bench.lua"
#define BOT "bots/mine.lua"

static struct console console;
static struct vt vt;

/* Four files and six ranks, so that all fits on a screen. */
static char *variant(const char *title, const char *army) {
    static char text[512];
    snprintf(text, sizeof text,
             "return { api = 1, extends = 'duel', title = '%s',\n"
             "  board = { files = 4, ranks = 6, lakes = {} },\n"
             "  zone = { ranks = 2, filled = false },\n"
             "  army = { bomb = 0, spy = 0, scout = 1, %s } }\n",
             title, army);
    return text;
}

/* Makes its first move, and says so. */
static char *bot(const char *head, const char *which) {
    static char text[1024];
    snprintf(text, sizeof text,
             "local bot = { %s }\n"
             "function bot.setup(view) return '23../M9.F' end\n"
             "function bot.move(view)\n"
             "  local moves = view:moves()\n"
             "  view:log(view:side(), 'has', #moves)\n"
             "  return moves[%s]\n"
             "end\n"
             "return bot\n",
             head, which);
    return text;
}

static void save(const char *path, const char *text) {
    struct fault fault = {0};
    assert_true(files_replace(path, text, strlen(text), &fault));
}

static int open_folder(void **state) {
    (void)state;
    return chdir(console_folder()) || mkdir("variants", 0777) || mkdir("bots", 0777);
}

static int fresh_files(void **state) {
    (void)state;
    save(GAME, variant("Bench", "miner = 1"));
    save(BOT, bot("api = 1", "1"));
    return 0;
}

static void open(const char *const *arguments) {
    setenv("LC_ALL", "C.UTF-8", 1);
    console_open(&console, true, arguments);
    vt_open(&vt, 24, 80);
}

static int close_all(void **state) {
    (void)state;
    console_clear(&console);
    vt_close(&vt);
    return 0;
}

static void await(const char *words) {
    vt_await_any(&vt, &console, ARGUMENTS(words));
}

static void await_gone(const char *words) {
    vt_await_gone(&vt, &console, words);
}

static void type(const char *keys) {
    console_send(&console, keys);
}

/* Two bots, paused before the first move. */
static void watch_bots(void) {
    open(ARGUMENTS("watch", BOT, "-v", GAME, "--blue", BOT));
    await("is thinking");
    assert_true(vt.other);
    type("p");
    await("paused");
}

/* The next ply of a paused game: `moves` are listed from then on. */
static void step(const char *move) {
    type(" ");
    await(move);
}

static void leave(void) {
    type("q");
    await("Leave this game?");
    type(vt_key(&vt, VTERM_KEY_UP));
    type("\r");
    console_finish(&console);
    vt_read(&vt, console.text, console.length);
    assert_true(vt_is_given_back(&vt));
}

/* Waits until some row begins so. */
static void await_line(const char *start) {
    await(start);
    for (int row = 0; row < vt.rows; row++)
        if (!strncmp(vt_row(&vt, row), start, strlen(start))) return;
    fail_msg("no row begins with \"%s\"", start);
}

static void a_fault_stays_under_the_board_until_its_file_is_mended(void **state) {
    (void)state;
    watch_bots();
    step("Moves: 1/");
    save(BOT, bot("api = 1, levl = 3", "1"));
    await("unknown key 'levl'");
    await_line(BOT ":1:24: ");
    await_line(">    1 | local bot = { api = 1, levl = 3 }");
    await_line(">      |                        ^");
    await("ply 1 of 1");
    type(vt_key(&vt, VTERM_KEY_LEFT)); /* the game so far is there to look at */
    await("ply 0 of 1");
    await("unknown key 'levl'");
    save(BOT, bot("api = 1", "#moves"));
    await("The bot has changed; the game goes on.");
    await_gone("levl");
    await("Moves: 1/");
    await("paused");
    step("Moves: 2/");
    leave();
}

static void a_bots_fault_in_its_move_is_pinned_and_the_game_goes_on_from_there(void **state) {
    (void)state;
    watch_bots();
    step("Moves: 1/");
    save(BOT, bot("api = 1", "nil + 1"));
    await("The bot has changed");
    await("paused");
    type(" ");
    await("attempt to perform arithmetic on a nil value");
    await_line(">    6 |   return moves[nil + 1]");
    await("ply 1 of 1");
    save(BOT, bot("api = 1", "1"));
    await("The bot has changed; the game goes on.");
    await_gone("arithmetic");
    await("paused");
    step("Moves: 2/");
    leave();
}

static void old_rules_stay_in_force_while_the_variant_is_wrong(void **state) {
    (void)state;
    open(ARGUMENTS("watch", GAME, "--red", BOT, "--blue", BOT));
    await("is thinking");
    type("p");
    await("paused");
    save(GAME, variant("Bench", "minr = 1"));
    await("did you mean \"miner\"?");
    await_line(GAME ":4:");
    await("The old rules stay in force");
    await("paused");
    step("Moves: 1/");
    await("did you mean \"miner\"?");
    save(GAME, variant("Mended", "miner = 1"));
    await("The new rules allow all 1 plies so far");
    await("Mended: red");
    await_gone("did you mean");
    leave();
}

static void a_file_that_is_wrong_at_first_is_waited_for(void **state) {
    (void)state;
    save(BOT, "return {\n!");
    open(ARGUMENTS("watch", BOT, "-v", GAME));
    await("unexpected symbol near '!'");
    await_line(">    2 | !");
    save(BOT, bot("api = 1", "1"));
    await("is thinking");
    leave();
    close_all(NULL);
    save(BOT, "return {\n!");
    open(ARGUMENTS("watch", BOT, "-v", GAME));
    await("unexpected symbol near '!'");
    type("q");
    assert_int_equal(console_finish(&console), 1);
}

static void one_steps_back_and_forth_through_a_game_that_goes_on(void **state) {
    (void)state;
    watch_bots();
    step("Moves: 1/");
    step("Moves: 2/");
    step("Moves: 3/");
    type("b");
    await("ply 2 of 3");
    type(vt_key(&vt, VTERM_KEY_LEFT));
    await("ply 1 of 3");
    type(vt_key(&vt, VTERM_KEY_END));
    await("goes back to the game");
    type(vt_key(&vt, VTERM_KEY_RIGHT));
    await("paused");
    step("Moves: 4/");
    leave();
}

static void what_a_bot_prints_stands_beside_the_ply_it_is_about(void **state) {
    (void)state;
    watch_bots();
    step("red has ");
    step("blue has ");
    step("Moves: 3/");
    type("b");
    await("ply 2 of 3");
    type(vt_key(&vt, VTERM_KEY_LEFT));
    await("ply 1 of 3");
    await("red has ");
    await_gone("blue has ");
    type(vt_key(&vt, VTERM_KEY_LEFT));
    await("ply 0 of 3");
    await_gone("red has ");
    /* it is there in red's eyes, and in another process too */
    save(BOT, bot("api = 1", "#moves"));
    await("The bot has changed");
    await("paused");
    type("v");
    await("red's view");
    type("b");
    await("ply 2 of 3");
    await("red has ");
    await_gone("blue has ");
    type("v");
    await("blue's view");
    await("blue has ");
    await_gone("red has ");
    type("q");
    await("paused");
    leave();
}

static void a_typed_move_is_judged_by_the_present_rules(void **state) {
    (void)state;
    static const struct {
        const char *move, *reason;
    } moves[] = {
        {"b2-b3", "Legal: the way is free."},
        {"b2-c3", "Not legal (movement)"},
        {"a1-a3", "Not legal"},
        {"b2-b9", "expected a square from a1 to d6"},
        {"b5-b4", "Not legal (not-yours)"},
        {"b2xb3", "no enemy on b3; to move there type b2-b3"},
        {"hello", "hello"},
    };
    watch_bots();
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        type(":");
        await("is it legal now?");
        type(moves[i].move);
        type("\r");
        await(moves[i].reason);
        type("\r");
        await("paused");
    }
    step("Moves: 1/");
    type("b"); /* in the past too, by its position */
    await("ply 0 of 1");
    type(":");
    await("is it legal here?");
    type("b2-b3\r");
    await("Legal: the way is free.");
    type("\r");
    type("q");
    await("paused");
    leave();
}

static void an_army_that_is_laid_out_outlives_a_change(void **state) {
    (void)state;
    open(ARGUMENTS("watch", GAME, "--blue", BOT, "--seed", "1"));
    await("Red's army");
    type("c"); /* an army of one's own */
    await("Left to place: 5.");
    type("M9");
    await("Left to place: 3.");
    save(GAME, variant("Larger", "miner = 2"));
    await("Larger, red: human");
    await("Left to place: 4.");
    await("│ 10 │");
    save(GAME, variant("Larger", "minr = 2"));
    await("did you mean \"miner\"?");
    await("Left to place: 4.");
    save(GAME, variant("Bench", "miner = 1"));
    await("Bench, red: human");
    await("Left to place: 3.");
    await("│ 10 │");
    type("r");
    type("d");
    await("1. red to move");
    leave();
}

static void set_ups_that_do_not_fit_any_more_are_asked_about_in_one_dialog(void **state) {
    (void)state;
    open(ARGUMENTS("watch", GAME, "--red", BOT, "--blue", BOT));
    await("is thinking");
    type("p");
    await("paused");
    step("Moves: 1/");
    save(GAME, variant("Two", "miner = 2"));
    await("Start a new game?");
    assert_true(vt_shows(&vt, "do not fit the new rules"));
    assert_true(vt_shows(&vt, "1 pieces of kind miner"));
    assert_true(vt_shows(&vt, "expected 2). Start a new game?"));
    assert_false(vt_shows(&vt, "Something went wrong"));
    type("n");
    type("\r");
    await("The old rules stay in force");
    await("paused");
    leave();
    assert_false(vt_shows(&vt, "expected 2"));
}

static void a_signal_gives_the_terminal_back_and_leaves_nobody(void **state) {
    (void)state;
    enum { MEMBERS_MAX = 32 };
    static const int ends[] = {SIGTERM, SIGINT, SIGHUP, SIGKILL};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        pid_t members[MEMBERS_MAX];
        watch_bots();
        int count = processes_of(console.pid, members, MEMBERS_MAX);
        for (int member = 0; member < count; member++)
            count += processes_of(members[member], members + count, MEMBERS_MAX - count);
        assert_true(count >= 2);
        int status = console_break(&console, ends[i]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), ends[i]);
        vt_read(&vt, console.text, console.length);
        if (ends[i] != SIGKILL) assert_true(vt_is_given_back(&vt));
        for (int member = 0; member < count; member++) assert_true(process_ends(members[member]));
        close_all(NULL);
    }
    assert_int_equal(console_run(&console, "", ARGUMENTS("play", "--continue")), 2);
    assert_non_null(strstr(console.text, "there is no unfinished game"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_fault_stays_under_the_board_until_its_file_is_mended,
                                        fresh_files, close_all),
        cmocka_unit_test_setup_teardown(
            a_bots_fault_in_its_move_is_pinned_and_the_game_goes_on_from_there, fresh_files,
            close_all),
        cmocka_unit_test_setup_teardown(old_rules_stay_in_force_while_the_variant_is_wrong,
                                        fresh_files, close_all),
        cmocka_unit_test_setup_teardown(a_file_that_is_wrong_at_first_is_waited_for, fresh_files,
                                        close_all),
        cmocka_unit_test_setup_teardown(one_steps_back_and_forth_through_a_game_that_goes_on,
                                        fresh_files, close_all),
        cmocka_unit_test_setup_teardown(what_a_bot_prints_stands_beside_the_ply_it_is_about,
                                        fresh_files, close_all),
        cmocka_unit_test_setup_teardown(a_typed_move_is_judged_by_the_present_rules, fresh_files,
                                        close_all),
        cmocka_unit_test_setup_teardown(an_army_that_is_laid_out_outlives_a_change, fresh_files,
                                        close_all),
        cmocka_unit_test_setup_teardown(
            set_ups_that_do_not_fit_any_more_are_asked_about_in_one_dialog, fresh_files, close_all),
        cmocka_unit_test_setup_teardown(a_signal_gives_the_terminal_back_and_leaves_nobody,
                                        fresh_files, close_all),
    };
    return cmocka_run_group_tests(tests, open_folder, NULL);
}
