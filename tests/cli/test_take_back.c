/* test_take_back.c - moves taken back in "ensign play", in lines and on the screen: the position,
 * the record, the saved file, and what a bot and a person still know. */
#include "base/files.h"
#include "session.h"
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

static struct session session;
static struct vt vt;

static int close_both(void **state) {
    (void)state;
    session_clear(&session);
    vt_close(&vt);
    return 0;
}

static char *in_folder(const char *name) {
    static char paths[4][256];
    static int at;
    char *path = paths[at++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", session_folder(), name);
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
    session_run(&session, lines,
                ARGUMENTS("play", "quick", "--blue", session_file(0, "grudge.lua", GRUDGE),
                          "--setup", session_file(1, "red.txt", RED_ARMY), "--seed", "1", "--new",
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
    session_clear(&session);
    char *crooked = play_lines("d3-d4\ne3-e4\nundo\nh3-h4\ng3-g4\nf3-f1\nundo\nf3-f2\nundo\nundo\n"
                               "undo\nundo\nundo\nd3-d4\nh3-h4\ng3-g4\nf3-f2\nresign\ny\n",
                               taken_back);
    assert_string_equal(taken_back, "[TakenBack \"4 to 2, 8 to 6, 8 to 0\"]\n");
    assert_string_equal(crooked, straight);
    assert_non_null(strstr(session.text, "Taken back to ply 6.\n\nBlue a4-a7."));
    assert_non_null(strstr(session.text, "red to move> there is no move to take back\n"));
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
    session_open(&session, false,
                 ARGUMENTS("play", "quick", "--blue", session_file(0, "grudge.lua", GRUDGE),
                           "--setup", session_file(1, "red.txt", RED_ARMY), "--seed", "1",
                           "--new"));
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        session_send(&session, typed[i]);
        session_expect(&session, shown[i]);
    }
    session_break(&session, SIGKILL);
    session_clear(&session);
    char *left = read_file(left_file());
    assert_non_null(strstr(left, "[TakenBack \"4 to 2, 6 to 4\"]\n"));
    assert_non_null(strstr(left, " 2. e3-e4 "));
    assert_null(strstr(left, "g3-g4"));
    free(left);
    session_run(&session, "undo\ng3-g4\nundo\nh3-h4\nresign\ny\n",
                ARGUMENTS("play", "--continue", "-o", record));
    session_clear(&session);
    char *text = read_file(record), *straight;
    cut_tag(text, "Date", tag);
    cut_tag(text, "TakenBack", tag);
    assert_string_equal(tag, "[TakenBack \"4 to 2, 6 to 2, 4 to 2\"]\n");
    straight = play_lines("d3-d4\nh3-h4\nresign\ny\n", tag);
    assert_string_equal(text, straight);
    session_clear(&session);
    free(text);
    free(straight);
    assert_string_equal(left_file(), "");
    assert_int_equal(session_run(&session, "", ARGUMENTS("replay", "--verify", record)), 0);
    session_clear(&session);
    assert_int_equal(session_run(&session, "", ARGUMENTS("games", session_folder())), 0);
    assert_non_null(strstr(session.text, "lost <    4  crash.rec\n"));
    assert_non_null(strstr(session.text, "\n< moves were taken back\n"));
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
    session_run(&session, "d3-d4\nd4-d5\nd5xd6\nundo\nboard\ncaptured\nmoves\nh3-h4\nquit\n",
                ARGUMENTS("play", "quick", "--blue", blue, "--setup",
                          session_file(1, "red.txt", red_army), "--seed", "1", "--new"));
    char *taken = strstr(session.text, TAKEN), *where = strstr(session.text, "The game is saved");
    assert_non_null(taken);
    assert_non_null(where);
    told.fight = strndup(session.text, (size_t)(taken - session.text));
    told.after = strndup(taken, (size_t)(where - taken));
    session_clear(&session);
    told.bot = read_file(log);
    char *question = told.bot, *last = NULL;
    while ((question = strstr(question, "{\"type\":\"move\""))) last = question++;
    assert_non_null(last);
    *strchr(last, '\n') = 0;
    session_run(&session, "board\ncaptured\nmoves\nundo\nboard\nquit\n",
                ARGUMENTS("play", "--continue"));
    char *begins = strchr(session.text, '\n'), *saved = strstr(session.text, "The game is saved");
    assert_non_null(strstr(session.text, "Taken back to ply 4."));
    assert_non_null(saved); /* the first line has the command of the program */
    told.later = strndup(begins, (size_t)(saved - begins));
    session_clear(&session);
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
    session_open(&session, false,
                 ARGUMENTS("play", "quick", "--blue", blue, "--setup",
                           session_file(1, "red.txt", RED_ARMY), "--seed", "1", "--new"));
    session_expect(&session, "1. red to move> ");
    session_send(&session, "d3-d4\n");
    session_expect(&session, "2. red to move> ");
    session_send(&session, "h3-h4\n");
    session_expect(&session, "3. red to move> ");
    session_send(&session, "undo\n");
    session_expect(&session, "Taken back to ply 2.");
    session_expect(&session, "2. red to move> ");
    assert_string_equal(left_file(), "");
    session_break(&session, SIGTERM);
    char *left = read_file(left_file());
    assert_non_null(strstr(left, "[TakenBack \"4 to 2\"]\n"));
    assert_null(strstr(left, "h3-h4"));
    free(left);
    unlink(left_file());
}

static void a_game_with_a_clock_goes_on_with_the_time_that_is_left(void **state) {
    (void)state;
    const char *record = in_folder("clock.rec");
    session_run(&session, "d3-d4\nundo\nh3-h4\nresign\ny\n",
                ARGUMENTS("play", "quick", "--blue", session_file(0, "grudge.lua", GRUDGE),
                          "--setup", session_file(1, "red.txt", RED_ARMY), "--clock", "9", "--new",
                          "-o", record));
    assert_non_null(strstr(session.text, "Taken back to ply 0."));
    assert_null(strstr(session.text, "Clock: red 10"));
    char *text = read_file(record);
    assert_non_null(strstr(text, "[Clock \""));
    assert_non_null(strstr(text, "[TakenBack \"2 to 0\"]"));
    free(text);
    unlink(record);
}

static void a_program_that_lays_out_its_own_army_cannot_follow(void **state) {
    (void)state;
    session_run(&session, "e4-e5\nundo\nquit\n",
                ARGUMENTS("play", "milton-bradley", "--blue", "ucc:tests/host/ucc/walker.sh",
                          "--setup", "random", "--seed", "1", "--new"));
    assert_non_null(
        strstr(session.text, "no move can be taken back: a program lays out its own army\n"));
}

static void await(const char *words) {
    vt_await_any(&vt, &session, ARGUMENTS(words));
}

static void sit_down(const char *blue, const char *language) {
    setenv("LC_ALL", "C.UTF-8", 1);
    session_open(&session, true,
                 ARGUMENTS("play", "quick", "--blue", blue, "--setup",
                           session_file(1, "red.txt", RED_ARMY), "--seed", "1", "--new", "--lang",
                           language));
    vt_open(&vt, 24, 80);
}

static void one_key_takes_back_on_the_screen(void **state) {
    (void)state;
    sit_down(session_file(0, "grudge.lua", GRUDGE), "en");
    await("1. red to move");
    session_send(&session, "u");
    await("there is no move to take back");
    session_send(&session, "++++++:d3-d4\r");
    await("2. red to move");
    session_send(&session, ":h3-h4\r");
    await("2. h3-h4");
    await("3. red to move");
    session_send(&session, "u");
    await("Taken back to ply 2.");
    await("2. red to move");
    assert_false(vt_shows(&vt, "h3-h4"));
    await("1. d3-d4");
    session_send(&session, "u");
    await("1. red to move");
    await("Taken back to ply 0.");
    assert_false(vt_shows(&vt, "d3-d4"));
    /* while the bot waits before its move */
    session_send(&session, "-----:h3-h4\r");
    await("1. h3-h4");
    await("is thinking");
    session_send(&session, "u");
    await("1. red to move");
    await("Taken back to ply 0.");
    session_send(&session, "-");
    await("Bots wait 4000 ms"); /* the pace stays */
    session_send(&session, "?");
    await("take back your last move and the answer to it");
    session_break(&session, SIGTERM);
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
    sit_down(session_file(0, "exchanged.lua", bot), "en");
    await("1. red to move");
    session_send(&session, "++++++:d3-d4\r");
    await("2. red to move");
    session_send(&session, ":d4-d5\r");
    await("3. red to move");
    session_send(&session, ":d5xd6\r");
    for (int i = 0; i < 2; i++) {
        size_t length;
        await(i ? "3. red to move" : "4. red to move");
        if (i) await("Taken back to ply 4.");
        vt_await_gone(&vt, &session, "─ Move ─");
        /* the last row */
        await("Enter pick up : type i hint m mark u take back d draw r resign ? help q leave");
        FILE *out = open_memstream(&screens[i], &length);
        for (int row = 0; row < vt.rows; row++) fprintf(out, "%s\n", vt_row(&vt, row));
        fclose(out);
        if (!i) session_send(&session, "u");
    }
    *fight = screens[0];
    session_break(&session, SIGTERM);
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
        sit_down(session_file(0, "grudge.lua", GRUDGE), keyboards[i].language);
        await("Enter ");
        session_send(&session, "++++++:d3-d4\r");
        await("1. d3-d4");
        session_send(&session, keyboards[i].key);
        await(keyboards[i].taken);
        session_break(&session, SIGTERM);
        unlink(left_file());
        close_both(NULL);
    }
}

/* The same on a covered screen: no piece is left on it. */
static void await_covered(const char *words) {
    await(words);
    vt_await_gone(&vt, &session, "[");
}

static void of_two_people_the_other_is_asked(void **state) {
    (void)state;
    session_open(&session, true,
                 ARGUMENTS("play", "quick", "--blue", "human", "--setup",
                           session_file(1, "red.txt", RED_ARMY), "--new"));
    vt_open(&vt, 24, 80);
    await("Red's turn.");
    session_send(&session, "\ru");
    await("there is no move to take back");
    session_send(&session, ":d3-d4\r");
    await("pass the keyboard to blue");
    session_send(&session, "u"); /* before blue has seen it */
    await_covered("Red wants to take back its last move. Does blue agree?");
    session_send(&session, "\r"); /* no */
    await("pass the keyboard to blue");
    session_send(&session, "\r");
    await("Blue's turn.");
    session_send(&session, "u\r"); /* a covered screen takes nothing back */
    await("1. blue to move");
    session_send(&session, ":a6-a5\r");
    await("pass the keyboard to red");
    session_send(&session, "\r");
    await("Red's turn.");
    session_send(&session, "\r");
    await("2. red to move");
    session_send(&session, "u");
    await_covered("Does blue agree?");
    session_send(&session, "\033OA\r");
    await_covered("Red's turn.");
    session_send(&session, "\r");
    await("1. red to move");
    assert_false(vt_shows(&vt, "d3-d4"));
    session_break(&session, SIGTERM);
    close_both(NULL);
    unlink(left_file());
    /* in lines */
    session_run(&session, "\nd3-d4\n\na6-a5\n\nundo\nn\nundo\ny\nh3-h4\n\nquit\n",
                ARGUMENTS("play", "--plain", "quick", "--blue", "human", "--setup",
                          session_file(1, "red.txt", RED_ARMY), "--new"));
    assert_non_null(strstr(session.text, "Does blue agree? (y/n) 2. red to move> "));
    assert_non_null(strstr(session.text, "Does blue agree? (y/n) Taken back to ply 0.\n"));
    assert_non_null(strstr(session.text, "Red h3-h4."));
    unlink(left_file());
}

int main(void) {
    session_folder();
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
        cmocka_unit_test_teardown(a_program_that_lays_out_its_own_army_cannot_follow, close_both),
        cmocka_unit_test_teardown(one_key_takes_back_on_the_screen, close_both),
        cmocka_unit_test_teardown(the_screen_shows_nothing_of_it_either, close_both),
        cmocka_unit_test_teardown(the_key_is_where_it_is_on_a_cyrillic_keyboard, close_both),
        cmocka_unit_test_teardown(of_two_people_the_other_is_asked, close_both),
    };
    return cmocka_run_group_tests_name("cli/take_back", tests, NULL, NULL);
}
