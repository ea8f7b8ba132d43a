/* test_take_back.c - moves taken back in "ensign play", in lines and on the screen: the position,
 * the record, the saved file, and what a bot and a person still know. */
#include "base/files.h"
#include "console.h"
#include "vt.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char RED_ARMY[] = "BBFS2233/9M....../........\n";

/* A bot whose moves depend on all that it has ever been told. */
static const char GRUDGE[] =
    "local told = 0\n"
    "return { api = 1,\n"
    "  setup = function() return 'FBB3M922/S3....../........' end,\n"
    "  observe = function() told = told + 1 end,\n"
    "  move = function(view) local m = view:moves() return m[told % #m + 1] end }\n";

static struct console console;
static struct vt vt;

static int close_both(void **state) {
    (void)state;
    console_clear(&console);
    vt_close(&vt);
    return 0;
}

static char *in_folder(const char *name) {
    static char paths[4][256];
    static int at;
    char *path = paths[at++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", console_folder(), name);
    return path;
}

static char *read_file(const char *path) {
    size_t length;
    char *text = files_read(path, 1 << 20, &length, NULL);
    assert_non_null(text);
    return text;
}

/* Cuts the line of a tag, if it is there, into `line` (128 bytes). */
static void cut_tag(char *record, const char *name, char *line) {
    char start[32];
    snprintf(start, sizeof start, "[%s \"", name);
    char *at = strstr(record, start), *next = at ? strchr(at, '\n') + 1 : NULL;
    *line = 0;
    if (!at) return;
    snprintf(line, 128, "%.*s", (int)(next - at), at);
    memmove(at, next, strlen(next) + 1);
}

/* Plays these lines against GRUDGE through a pipe; the record without its date, and without the tag
 * TakenBack, which goes into `taken_back`. */
static char *play_lines(const char *lines, char taken_back[128]) {
    const char *record = in_folder("lines.rec");
    char date[128];
    console_run(&console, lines,
                ARGUMENTS("play", "quick", "--blue", console_file(0, "grudge.lua", GRUDGE),
                          "--setup", console_file(1, "red.txt", RED_ARMY), "--seed", "1", "--new",
                          "-o", record));
    char *text = read_file(record);
    cut_tag(text, "Date", date);
    cut_tag(text, "TakenBack", taken_back);
    assert_int_equal(unlink(record), 0);
    return text;
}

static void a_game_goes_on_as_if_what_was_taken_back_had_never_been(void **state) {
    (void)state;
    char taken_back[128];
    char *straight = play_lines("d3-d4\nh3-h4\ng3-g4\nf3-f2\nresign\ny\n", taken_back);
    assert_string_equal(taken_back, "");
    console_clear(&console);
    char *crooked = play_lines("d3-d4\ne3-e4\nundo\nh3-h4\ng3-g4\nf3-f1\nundo\nf3-f2\nundo\nundo\n"
                               "undo\nundo\nundo\nd3-d4\nh3-h4\ng3-g4\nf3-f2\nresign\ny\n",
                               taken_back);
    assert_string_equal(taken_back, "[TakenBack \"4 to 2, 8 to 6, 8 to 0\"]\n");
    assert_string_equal(crooked, straight);
    assert_non_null(strstr(console.text, "Taken back to ply 6.\n\nBlue a4-a7."));
    assert_non_null(strstr(console.text, "red to move> there is no move to take back\n"));
    free(straight);
    free(crooked);
}

/* A file in the folder of running games. */
static const char *left_file(void) {
    static char path[512];
    const char *folder = in_folder("ensign/saved");
    DIR *stream = opendir(folder);
    *path = 0;
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (entry->d_name[0] != '.') snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (stream) closedir(stream);
    return path;
}

static void a_crash_after_a_move_was_taken_back_does_not_bring_it_again(void **state) {
    (void)state;
    static const char *const typed[] = {"d3-d4\n", "h3-h4\n", "undo\n",
                                        "e3-e4\n", "g3-g4\n", "undo\n"};
    static const char *const shown[] = {"2. red to move> ", "3. red to move> ", "2. red to move> ",
                                        "3. red to move> ", "4. red to move> ", "3. red to move> "};
    const char *record = in_folder("crash.rec");
    char tag[128];
    console_open(&console, false,
                 ARGUMENTS("play", "quick", "--blue", console_file(0, "grudge.lua", GRUDGE),
                           "--setup", console_file(1, "red.txt", RED_ARMY), "--seed", "1",
                           "--new"));
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        console_send(&console, typed[i]);
        console_expect(&console, shown[i]);
    }
    console_break(&console, SIGKILL);
    console_clear(&console);
    char *left = read_file(left_file());
    assert_non_null(strstr(left, "[TakenBack \"4 to 2, 6 to 4\"]\n"));
    assert_non_null(strstr(left, " 2. e3-e4 "));
    assert_null(strstr(left, "g3-g4"));
    free(left);
    console_run(&console, "undo\ng3-g4\nundo\nh3-h4\nresign\ny\n",
                ARGUMENTS("play", "--continue", "-o", record));
    console_clear(&console);
    char *text = read_file(record), *straight;
    cut_tag(text, "Date", tag);
    cut_tag(text, "TakenBack", tag);
    assert_string_equal(tag, "[TakenBack \"4 to 2, 6 to 2, 4 to 2\"]\n");
    straight = play_lines("d3-d4\nh3-h4\nresign\ny\n", tag);
    assert_string_equal(text, straight);
    console_clear(&console);
    free(text);
    free(straight);
    assert_string_equal(left_file(), "");
    assert_int_equal(console_run(&console, "", ARGUMENTS("replay", "--verify", record)), 0);
    console_clear(&console);
    assert_int_equal(console_run(&console, "", ARGUMENTS("games", console_folder())), 0);
    assert_non_null(strstr(console.text, "lost <    4  crash.rec\n"));
    assert_non_null(strstr(console.text, "\n< moves were taken back\n"));
    unlink(record);
}

/* What a person reads after a move is taken back and the game is gone on with later, and what the
 * program that plays blue reads up to its last move; `fight` is the person's output before. */
struct told {
    char *fight, *after, *later, *bot;
};

/* Red attacks d6 from d5, takes that back, moves on, leaves, and comes back. */
static struct told play_and_take_back(const char *red_army, const char *blue_army) {
    static const char TAKEN[] = "Taken back to ply 4.";
    char blue[1024];
    const char *log = in_folder("actor.log");
    struct told told;
    snprintf(blue, sizeof blue, "json:%s %s '{\"type\":\"setup\",\"setup\":\"%s\"}'", ENSIGN_ACTOR,
             log, blue_army);
    console_run(&console, "d3-d4\nd4-d5\nd5xd6\nundo\nboard\ncaptured\nmoves\nh3-h4\nquit\n",
                ARGUMENTS("play", "quick", "--blue", blue, "--setup",
                          console_file(1, "red.txt", red_army), "--seed", "1", "--new"));
    char *taken = strstr(console.text, TAKEN), *where = strstr(console.text, "The game is saved");
    assert_non_null(taken);
    assert_non_null(where);
    told.fight = strndup(console.text, (size_t)(taken - console.text));
    told.after = strndup(taken, (size_t)(where - taken));
    console_clear(&console);
    told.bot = read_file(log);
    char *question = told.bot, *last = NULL;
    while ((question = strstr(question, "{\"type\":\"move\""))) last = question++;
    assert_non_null(last);
    *strchr(last, '\n') = 0;
    console_run(&console, "board\ncaptured\nmoves\nundo\nboard\nquit\n",
                ARGUMENTS("play", "--continue"));
    char *begins = strchr(console.text, '\n'), *saved = strstr(console.text, "The game is saved");
    assert_non_null(strstr(console.text, "Taken back to ply 4."));
    assert_non_null(saved); /* the first line has the command of the program */
    told.later = strndup(begins, (size_t)(saved - begins));
    console_clear(&console);
    unlink(left_file());
    return told;
}

static void told_free(struct told *told) {
    free(told->fight);
    free(told->after);
    free(told->later);
    free(told->bot);
}

static void nothing_of_a_battle_that_was_taken_back_is_left(void **state) {
    (void)state;
    static const char BLUE_ARMY[] = "FBB3M922/S3....../........";
    struct told one = play_and_take_back(RED_ARMY, BLUE_ARMY);
    /* blue's marshal and miner, exchanged */
    struct told other = play_and_take_back(RED_ARMY, "FBBM3922/S3....../........");
    assert_string_not_equal(one.fight, other.fight);
    assert_string_equal(one.after, other.after);
    assert_string_equal(one.later, other.later);
    told_free(&other);
    /* red's spy, which attacks, and its marshal */
    other = play_and_take_back("BBFM2233/9S....../........\n", BLUE_ARMY);
    assert_string_not_equal(one.fight, other.fight);
    assert_string_equal(one.bot, other.bot);
    told_free(&other);
    told_free(&one);
}

/* It could read the user's files; the one that played before is gone by then. */
static void a_game_against_a_program_is_on_the_disk_only_when_it_is_left(void **state) {
    (void)state;
    char blue[512];
    snprintf(blue, sizeof blue, "json:%s -", ENSIGN_ACTOR);
    console_open(&console, false,
                 ARGUMENTS("play", "quick", "--blue", blue, "--setup",
                           console_file(1, "red.txt", RED_ARMY), "--seed", "1", "--new"));
    console_expect(&console, "1. red to move> ");
    console_send(&console, "d3-d4\n");
    console_expect(&console, "2. red to move> ");
    console_send(&console, "h3-h4\n");
    console_expect(&console, "3. red to move> ");
    console_send(&console, "undo\n");
    console_expect(&console, "Taken back to ply 2.");
    console_expect(&console, "2. red to move> ");
    assert_string_equal(left_file(), "");
    console_break(&console, SIGTERM);
    char *left = read_file(left_file());
    assert_non_null(strstr(left, "[TakenBack \"4 to 2\"]\n"));
    assert_null(strstr(left, "h3-h4"));
    free(left);
    unlink(left_file());
}

static void a_game_with_a_clock_goes_on_with_the_time_that_is_left(void **state) {
    (void)state;
    const char *record = in_folder("clock.rec");
    console_run(&console, "d3-d4\nundo\nh3-h4\nresign\ny\n",
                ARGUMENTS("play", "quick", "--blue", console_file(0, "grudge.lua", GRUDGE),
                          "--setup", console_file(1, "red.txt", RED_ARMY), "--clock", "9", "--new",
                          "-o", record));
    assert_non_null(strstr(console.text, "Taken back to ply 0."));
    assert_null(strstr(console.text, "Clock: red 10"));
    char *text = read_file(record);
    assert_non_null(strstr(text, "[Clock \""));
    assert_non_null(strstr(text, "[TakenBack \"2 to 0\"]"));
    free(text);
    unlink(record);
}

static void a_game_whose_bot_cannot_be_opened_again_stays_as_it_is(void **state) {
    (void)state;
    char bot[512];
    snprintf(bot, sizeof bot, "%s", console_file(0, "grudge.lua", GRUDGE));
    console_open(&console, false,
                 ARGUMENTS("play", "quick", "--blue", bot, "--setup",
                           console_file(1, "red.txt", RED_ARMY), "--seed", "1", "--new"));
    console_expect(&console, "1. red to move> ");
    console_send(&console, "d3-d4\n");
    console_expect(&console, "2. red to move> ");
    unlink(bot);
    console_send(&console, "undo\n");
    console_expect(&console, "2. red to move> ");
    console_send(&console, "h3-h4\n");
    console_expect(&console, "3. red to move> ");
    console_send(&console, "quit\n");
    console_finish(&console);
    assert_null(strstr(console.text, "Taken back"));
    unlink(left_file());
}

static void a_program_that_lays_out_its_own_army_cannot_follow(void **state) {
    (void)state;
    console_run(&console, "e4-e5\nundo\nquit\n",
                ARGUMENTS("play", "milton-bradley", "--blue", "ucc:tests/host/ucc/walker.sh",
                          "--setup", "random", "--seed", "1", "--new"));
    assert_non_null(
        strstr(console.text, "no move can be taken back: a program lays out its own army\n"));
}

static void await(const char *words) {
    vt_await_any(&vt, &console, ARGUMENTS(words));
}

static void sit_down(const char *blue, const char *language) {
    setenv("LC_ALL", "C.UTF-8", 1);
    console_open(&console, true,
                 ARGUMENTS("play", "quick", "--blue", blue, "--setup",
                           console_file(1, "red.txt", RED_ARMY), "--seed", "1", "--new", "--lang",
                           language));
    vt_open(&vt, 24, 80);
}

static void one_key_takes_back_on_the_screen(void **state) {
    (void)state;
    sit_down(console_file(0, "grudge.lua", GRUDGE), "en");
    await("1. red to move");
    console_send(&console, "u");
    await("there is no move to take back");
    console_send(&console, "++++++:d3-d4\r");
    await("2. red to move");
    console_send(&console, ":h3-h4\r");
    await("2. h3-h4");
    await("3. red to move");
    console_send(&console, "u");
    await("Taken back to ply 2.");
    await("2. red to move");
    assert_false(vt_shows(&vt, "h3-h4"));
    await("1. d3-d4");
    console_send(&console, "u");
    await("1. red to move");
    await("Taken back to ply 0.");
    assert_false(vt_shows(&vt, "d3-d4"));
    /* while the bot waits before its move */
    console_send(&console, "-----:h3-h4\r");
    await("1. h3-h4");
    await("is thinking");
    console_send(&console, "u");
    await("1. red to move");
    await("Taken back to ply 0.");
    console_send(&console, "-");
    await("Bots wait 4000 ms"); /* the pace stays */
    console_send(&console, "?");
    await("take back your last move and the answer to it");
    console_break(&console, SIGTERM);
    unlink(left_file());
}

/* All rows of the screen after red's battle on d6 was taken back; the screen of the battle itself
 * goes into `fight`. */
static char *shown_after(const char *blue_army, char **fight) {
    char bot[512], *screens[2] = {NULL, NULL};
    snprintf(bot, sizeof bot,
             "return { api = 1, setup = function() return '%s' end,\n"
             "  move = function(view) return view:moves()[1] end }\n",
             blue_army);
    sit_down(console_file(0, "exchanged.lua", bot), "en");
    await("1. red to move");
    console_send(&console, "++++++:d3-d4\r");
    await("2. red to move");
    console_send(&console, ":d4-d5\r");
    await("3. red to move");
    console_send(&console, ":d5xd6\r");
    for (int i = 0; i < 2; i++) {
        size_t length;
        await(i ? "3. red to move" : "4. red to move");
        if (i) await("Taken back to ply 4.");
        vt_await_gone(&vt, &console, "─ Move ─");
        /* the last row */
        await("Enter pick up : type i hint m mark u take back d draw r resign ? help q leave");
        FILE *out = open_memstream(&screens[i], &length);
        for (int row = 0; row < vt.rows; row++) fprintf(out, "%s\n", vt_row(&vt, row));
        fclose(out);
        if (!i) console_send(&console, "u");
    }
    *fight = screens[0];
    console_break(&console, SIGTERM);
    unlink(left_file());
    close_both(NULL);
    return screens[1];
}

static void the_screen_shows_nothing_of_it_either(void **state) {
    (void)state;
    char *fights[2];
    char *one = shown_after("FBB3M922/S3....../........", &fights[0]);
    char *other = shown_after("FBBM3922/S3....../........", &fights[1]);
    assert_string_not_equal(fights[0], fights[1]);
    assert_non_null(strstr(one, "Taken back to ply 4."));
    assert_string_equal(one, other);
    free(one), free(other);
    free(fights[0]), free(fights[1]);
}

static void the_key_is_where_it_is_on_a_cyrillic_keyboard(void **state) {
    (void)state;
    static const struct {
        const char *language, *key, *taken;
    } keyboards[] = {{"ru", "г", "Возврат к полуходу 0."},
                     {"uk", "г", "Повернуто до напівходу 0."},
                     {"bg", "к", "Върнато до полуход 0."}};
    for (size_t i = 0; i < sizeof keyboards / sizeof *keyboards; i++) {
        sit_down(console_file(0, "grudge.lua", GRUDGE), keyboards[i].language);
        await("Enter ");
        console_send(&console, "++++++:d3-d4\r");
        await("1. d3-d4");
        console_send(&console, keyboards[i].key);
        await(keyboards[i].taken);
        console_break(&console, SIGTERM);
        unlink(left_file());
        close_both(NULL);
    }
}

/* The same on a covered screen: no piece is left on it. */
static void await_covered(const char *words) {
    await(words);
    vt_await_gone(&vt, &console, "[");
}

static void of_two_people_the_other_is_asked(void **state) {
    (void)state;
    console_open(&console, true,
                 ARGUMENTS("play", "quick", "--blue", "human", "--setup",
                           console_file(1, "red.txt", RED_ARMY), "--new"));
    vt_open(&vt, 24, 80);
    await("Red's turn.");
    console_send(&console, "\ru");
    await("there is no move to take back");
    console_send(&console, ":d3-d4\r");
    await("pass the keyboard to blue");
    console_send(&console, "u"); /* before blue has seen it */
    await_covered("Red wants to take back its last move. Does blue agree?");
    console_send(&console, "\r"); /* no */
    await("pass the keyboard to blue");
    console_send(&console, "\r");
    await("Blue's turn.");
    console_send(&console, "u\r"); /* a covered screen takes nothing back */
    await("1. blue to move");
    console_send(&console, ":a6-a5\r");
    await("pass the keyboard to red");
    console_send(&console, "\r");
    await("Red's turn.");
    console_send(&console, "\r");
    await("2. red to move");
    console_send(&console, "u");
    await_covered("Does blue agree?");
    console_send(&console, "\033OA\r");
    await_covered("Red's turn.");
    console_send(&console, "\r");
    await("1. red to move");
    assert_false(vt_shows(&vt, "d3-d4"));
    console_break(&console, SIGTERM);
    close_both(NULL);
    unlink(left_file());
    /* in lines */
    console_run(&console, "\nd3-d4\n\na6-a5\n\nundo\nn\nundo\ny\nh3-h4\n\nquit\n",
                ARGUMENTS("play", "--plain", "quick", "--blue", "human", "--setup",
                          console_file(1, "red.txt", RED_ARMY), "--new"));
    assert_non_null(strstr(console.text, "Does blue agree? (y/n) 2. red to move> "));
    assert_non_null(strstr(console.text, "Does blue agree? (y/n) Taken back to ply 0.\n"));
    assert_non_null(strstr(console.text, "Red h3-h4."));
    unlink(left_file());
}

int main(void) {
    console_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_game_goes_on_as_if_what_was_taken_back_had_never_been,
                                  close_both),
        cmocka_unit_test_teardown(a_crash_after_a_move_was_taken_back_does_not_bring_it_again,
                                  close_both),
        cmocka_unit_test_teardown(nothing_of_a_battle_that_was_taken_back_is_left, close_both),
        cmocka_unit_test_teardown(a_game_against_a_program_is_on_the_disk_only_when_it_is_left,
                                  close_both),
        cmocka_unit_test_teardown(a_game_with_a_clock_goes_on_with_the_time_that_is_left,
                                  close_both),
        cmocka_unit_test_teardown(a_game_whose_bot_cannot_be_opened_again_stays_as_it_is,
                                  close_both),
        cmocka_unit_test_teardown(a_program_that_lays_out_its_own_army_cannot_follow, close_both),
        cmocka_unit_test_teardown(one_key_takes_back_on_the_screen, close_both),
        cmocka_unit_test_teardown(the_screen_shows_nothing_of_it_either, close_both),
        cmocka_unit_test_teardown(the_key_is_where_it_is_on_a_cyrillic_keyboard, close_both),
        cmocka_unit_test_teardown(of_two_people_the_other_is_asked, close_both),
    };
    return cmocka_run_group_tests_name("cli/take_back", tests, NULL, NULL);
}
