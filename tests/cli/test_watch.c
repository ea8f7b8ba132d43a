/* test_watch.c - "ensign watch": a game that goes on while its file is being written. */
#include "console.h"
#include "program.h"

#include <dirent.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define GAME "variants/bench.lua"
#define BOT "bots/mine.lua"

/* Four files, six ranks, and one piece of its own, whose lines the tests change. */
static const char BASE[] =
    "return { api = 1, extends = 'duel', title = 'Base',\n"
    "  board = { files = 4, ranks = 6, lakes = {} }, zone = { ranks = 2, filled = false },\n"
    "  army = { bomb = 0, spy = 0, scout = 1, miner = 1 } }\n";
static const char RIDER[] = "return { letter = 'R', rank = 4, moves = { reach = 2 } }\n";
static const char SETUP[] = "2R3M\n9..F\n";

static char *variant(const char *title, const char *army) {
    static char text[512];
    snprintf(text, sizeof text,
             "return { api = 1, extends = 'base', title = '%s',\n  army = { %s },\n"
             "  pieces = { rider = require 'rider' } }\n",
             title, army);
    return text;
}

/* A bot that never attacks and goes where the first or the last of its moves leads. */
static char *bot(const char *which) {
    static char text[512];
    snprintf(text, sizeof text,
             "local bot = { api = 1 }\n"
             "function bot.setup() return '..../F9M3/2R..' and '2R3M/9..F' end\n"
             "function bot.move(view)\n"
             "  local moves = view:moves()\n"
             "  return moves[%s]\n"
             "end\n"
             "return bot\n",
             which);
    return text;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* As some editors do it: a new file replaces the old one. */
static void save(const char *path, const char *text) {
    char beside[128];
    snprintf(beside, sizeof beside, "%s~", path);
    write_file(beside, text);
    assert_int_equal(rename(beside, path), 0);
}

static int fresh_files(void **state) {
    (void)state;
    save(GAME, variant("Bench", "rider = 1"));
    save("variants/base.lua", BASE);
    save("variants/rider.lua", RIDER);
    save(BOT, bot("1"));
    write_file("mine.txt", SETUP);
    return 0;
}

static int open_folder(void **state) {
    (void)state;
    if (chdir(console_folder()) || mkdir("variants", 0777) || mkdir("bots", 0777)) return -1;
    return 0;
}

static void start(struct console *console) {
    console_open(console, true,
                 (const char *const[]){"watch", "--plain", GAME, "--blue", BOT, "--setup",
                                       "mine.txt", "--seed", "1", NULL});
    console_expect(console, "1. red to move> ");
}

/* The same after a move of each side. */
static void start_with_a_move(struct console *console) {
    start(console);
    console_send(console, "b2-b4\n");
    console_expect(console, "Red b2-b4.");
    console_expect(console, "2. red to move> ");
}

static void finish(struct console *console) {
    console_send(console, "quit\n");
    assert_int_equal(console_finish(console), 0);
    console_clear(console);
}

static void a_saved_file_takes_over_the_game(void **state) {
    (void)state;
    struct console console;
    start_with_a_move(&console);
    save(GAME, variant("Renamed", "rider = 1"));
    console_expect(&console, "The new rules allow all 2 plies so far");
    console_expect(&console, "Renamed, red: human");
    console_expect(&console, "Red b2-b4.");
    console_expect(&console, "2. red to move> ");
    console_send(&console, "b4-b3\n");
    console_expect(&console, "3. red to move> ");
    /* Written in place, as other editors do it. */
    write_file(GAME, variant("Again", "rider = 1"));
    console_expect(&console, "The new rules allow all 4 plies so far");
    console_expect(&console, "Again, red: human");
    console_expect(&console, "3. red to move> ");
    finish(&console);
}

static void files_that_it_is_made_from_count_too(void **state) {
    (void)state;
    struct console console;
    start_with_a_move(&console);
    save("variants/rider.lua", "return { letter = 'R', rank = 9, moves = { reach = 3 } }\n");
    console_expect(&console, "The new rules allow all 2 plies");
    console_expect(&console, "2. red to move> ");
    console_send(&console, "moves b4\n");
    console_expect(&console, "b4-b1");
    console_expect(&console, "2. red to move> ");
    save("variants/base.lua", strcat(strcpy((char[512]){0}, BASE), "-- a comment\n"));
    console_expect(&console, "The new rules allow all 2 plies");
    console_expect(&console, "2. red to move> ");
    finish(&console);
}

static void a_file_with_a_fault_leaves_the_old_rules_in_force(void **state) {
    (void)state;
    struct console console;
    start_with_a_move(&console);
    save(GAME, variant("Bench", "ridr = 1"));
    console_expect(&console, "variants/bench.lua:2:");
    console_expect(&console, "did you mean \"rider\"?");
    console_expect(&console, "The old rules stay in force");
    console_expect(&console, "2. red to move> ");
    console_send(&console, "b4-b3\n");
    console_expect(&console, "3. red to move> ");
    save(GAME, variant("Mended", "rider = 1"));
    console_expect(&console, "The new rules allow all 4 plies");
    console_expect(&console, "Mended, red");
    console_expect(&console, "3. red to move> ");
    finish(&console);
}

static void a_move_that_the_new_rules_forbid_is_named(void **state) {
    (void)state;
    struct console console;
    start(&console);
    console_send(&console, "b2-b3\n");
    console_expect(&console, "2. red to move> ");
    console_send(&console, "b3-d3\n");
    console_expect(&console, "3. red to move> ");
    save("variants/rider.lua", "return { letter = 'R', rank = 4 }\n");
    console_expect(&console, "The new rules forbid ply 3, b3-d3 (movement): the piece does not");
    console_expect(&console, "Continue from the 2 plies before it? (y/n)");
    console_send(&console, "n\n");
    console_expect(&console, "The old rules stay in force");
    console_expect(&console, "3. red to move> ");
    save("variants/rider.lua", "return { letter = 'R', rank = 5 }\n");
    console_expect(&console, "Continue from the 2 plies before it? (y/n)");
    console_send(&console, "y\n");
    console_expect(&console, "Red b2-b3.");
    console_expect(&console, "2. red to move> ");
    console_send(&console, "b3-c3\n");
    console_expect(&console, "3. red to move> ");
    finish(&console);
}

static void set_ups_that_do_not_fit_any_more_begin_a_new_game(void **state) {
    (void)state;
    struct console console;
    start_with_a_move(&console);
    save(GAME, variant("Two", "rider = 2"));
    console_expect(&console, "The set-ups of this game do not fit the new rules (");
    console_expect(&console, "1 pieces of kind rider (R), expected 2). Start a new game? (y/n)");
    assert_null(strstr(console.text, "saved"));
    console_send(&console, "n\n");
    console_expect(&console, "The old rules stay in force");
    console_expect(&console, "2. red to move> ");
    save(GAME, variant("Two riders", "rider = 2"));
    console_expect(&console, "Start a new game? (y/n)");
    write_file("mine.txt", "2R3M\n9R.F\n");
    save(BOT, "return { api = 1, move = function(view) return view:moves()[1] end }");
    console_send(&console, "y\n");
    console_expect(&console, "Two riders, red: human");
    console_expect(&console, "1. red to move> ");
    finish(&console);
}

static void what_is_saved_during_a_question_counts(void **state) {
    (void)state;
    struct console console;
    start_with_a_move(&console);
    save(GAME, variant("Two", "rider = 2"));
    console_expect(&console, "Start a new game? (y/n)");
    save(GAME, variant("One", "rider = 1"));
    console_expect(&console, "The new rules allow all 2 plies so far");
    console_expect(&console, "One, red: human");
    console_expect(&console, "2. red to move> ");
    finish(&console);
}

static void a_file_that_is_saved_unchanged_disturbs_nobody(void **state) {
    (void)state;
    struct console console;
    start(&console);
    save(GAME, variant("Bench", "rider = 1"));
    write_file("variants/other.lua", "return 1");
    console_send(&console, "b2-b4\n");
    console_expect(&console, "2. red to move> ");
    assert_null(strstr(console.text, "The new rules"));
    assert_null(strstr(console.text, "goes on"));
    unlink("variants/other.lua");
    finish(&console);
}

static void a_broken_file_is_waited_for(void **state) {
    (void)state;
    struct console console;
    save(GAME, "return {\n!");
    console_open(&console, true,
                 (const char *const[]){"watch", "--plain", GAME, "--blue", BOT, "--setup",
                                       "mine.txt", NULL});
    console_expect(&console, "variants/bench.lua:2: unexpected symbol");
    console_expect(&console, "Or stop watching? (y/n)");
    save(GAME, variant("Bench", "rider = 1"));
    console_expect(&console, "1. red to move> ");
    finish(&console);
    save(GAME, "return {\n!");
    console_open(&console, true, (const char *const[]){"watch", "--plain", GAME, NULL});
    console_expect(&console, "Or stop watching? (y/n)");
    console_send(&console, "y\n");
    assert_int_equal(console_finish(&console), 1);
    console_clear(&console);
}

static void a_variant_is_not_watched_with_another(void **state) {
    (void)state;
    program_expect(PROGRAM("watch", "--plain", "duel", "-v", "original"), 2,
                   "--variant goes with a bot's file; \"duel\" is a variant");
}

static void a_program_is_no_file_to_be_watched_and_that_is_said(void **state) {
    (void)state;
    static const char *const programs[] = {"json:cat", "ucc:cat"};
    for (int i = 0; i < 2; i++)
        program_expect(PROGRAM("watch", "--plain", programs[i]), 2,
                       "is a program, which cannot be watched");
}

static void a_bot_is_exchanged_in_the_middle_of_its_game(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true,
                 (const char *const[]){"watch", "--plain", BOT, "-v", GAME, "--red", "human",
                                       "--blue", BOT, "--setup", "mine.txt", NULL});
    console_expect(&console, "1. red to move> ");
    console_send(&console, "b2-b4\n");
    console_expect(&console, "2. red to move> ");
    save(BOT, bot("#moves"));
    console_expect(&console, "The bot has changed; the game goes on.");
    console_expect(&console, "Red b2-b4.");
    console_expect(&console, "2. red to move> ");
    save(BOT, "return { api = 1, mvoe = 3 }");
    console_expect(&console, "bots/mine.lua");
    console_expect(&console, "did you mean \"move\"?");
    console_expect(&console, "Or stop watching? (y/n)");
    save(BOT, bot("2"));
    console_expect(&console, "2. red to move> ");
    finish(&console);
}

static void bots_play_on_and_again(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true,
                 (const char *const[]){"watch", "--plain", BOT, "-v", GAME, "--blue", BOT, NULL});
    console_expect(&console, "Enter: next move");
    console_send(&console, "\n");
    console_expect(&console, "Enter: next move");
    save(BOT, bot("#moves"));
    console_expect(&console, "The bot has changed; the game goes on.");
    console_expect(&console, "Enter: next move");
    console_send(&console, "end\n");
    console_expect(&console, "Play again from the start? Or save the file. (y/n)");
    console_send(&console, "y\n");
    console_expect(&console, "Enter: next move");
    console_send(&console, "end\n");
    console_expect(&console, "Play again from the start? Or save the file. (y/n)");
    save(BOT, bot("1"));
    console_expect(&console, "Enter: next move");
    finish(&console);
}

/* The number of files in a folder of the games that are kept. */
static int files_kept(const char *name) {
    char path[PATH_MAX];
    int count = 0;
    snprintf(path, sizeof path, "%s/ensign/%s", console_folder(), name);
    DIR *entries = opendir(path);
    if (!entries) return 0;
    for (struct dirent *entry; (entry = readdir(entries));) count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

static void a_watched_game_is_not_offered_to_go_on_with(void **state) {
    (void)state;
    struct console console;
    int before = files_kept("saved");
    start_with_a_move(&console);
    assert_int_equal(files_kept("watched"), 1); /* it survives a change of its file */
    assert_int_equal(files_kept("saved"), before);
    console_send(&console, "quit\n");
    assert_int_equal(console_finish(&console), 0);
    assert_null(strstr(console.text, "--continue"));
    console_clear(&console);
    assert_int_equal(files_kept("watched"), 0);
    assert_int_equal(files_kept("saved"), before);
}

static void what_a_bot_prints_is_shown(void **state) {
    (void)state;
    struct console console;
    save(BOT, "local bot = { api = 1 }\n"
              "function bot.setup() return '..../F9M3/2R..' and '2R3M/9..F' end\n"
              "function bot.move(view) print('of', #view:moves()) return view:moves()[1] end\n"
              "return bot\n");
    start(&console);
    console_send(&console, "b2-b4\n");
    console_expect(&console, "[blue 2 move] of ");
    console_expect(&console, "2. red to move> ");
    finish(&console);
}

/* Plays a game and runs another command; nothing of the game may be there. */
static void assert_no_game_is_left(void) {
    struct console console;
    assert_int_equal(console_run(&console, "", (const char *const[]){"play", "--continue", NULL}),
                     2);
    assert_non_null(strstr(console.text, "there is no unfinished game"));
    console_clear(&console);
    assert_int_equal(console_run(&console, "", (const char *const[]){"games", NULL}), 0);
    assert_null(strstr(console.text, ".rec"));
    assert_null(strstr(console.text, "Bench"));
    assert_null(strstr(console.text, "bench"));
    console_clear(&console);
}

static void its_games_are_in_no_list(void **state) {
    (void)state;
    struct console console;
    start_with_a_move(&console);
    assert_no_game_is_left(); /* while it is played */
    console_send(&console, "quit\n");
    assert_int_equal(console_finish(&console), 0);
    assert_null(strstr(console.text, "--continue"));
    assert_null(strstr(console.text, "The record is in"));
    console_clear(&console);
    assert_no_game_is_left();
    console_open(&console, true,
                 (const char *const[]){"watch", "--plain", BOT, "-v", GAME, "--blue", BOT, NULL});
    console_expect(&console, "Enter: next move");
    console_send(&console, "end\n");
    console_expect(&console, "Play again from the start?");
    console_send(&console, "n\n");
    console_finish(&console);
    assert_null(strstr(console.text, "The record is in"));
    console_clear(&console);
    assert_no_game_is_left();
}

static void a_game_that_a_bots_fault_ended_goes_on_once_it_is_mended(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true,
                 (const char *const[]){"watch", "--plain", BOT, "-v", GAME, "--red", "human",
                                       "--blue", BOT, "--setup", "mine.txt", NULL});
    console_expect(&console, "1. red to move> ");
    console_send(&console, "b2-b4\n");
    console_expect(&console, "2. red to move> ");
    save(BOT, bot("nil + 1"));
    console_expect(&console, "The bot has changed; the game goes on.");
    console_expect(&console, "2. red to move> ");
    console_send(&console, "b4-b3\n");
    console_expect(&console, "Play again from the start? Or save the file.");
    save(BOT, bot("1"));
    console_expect(&console, "The bot has changed; the game goes on.");
    console_expect(&console, "Red b4-b3.");
    console_expect(&console, "3. red to move> ");
    finish(&console);
}

static void wrong_use_is_named(void **state) {
    (void)state;
    struct console console;
    assert_int_equal(console_run(&console, "", (const char *const[]){"watch", NULL}), 2);
    assert_non_null(strstr(console.text, "the file of a variant or a bot is expected"));
    console_clear(&console);
    assert_int_equal(console_run(&console, "", (const char *const[]){"watch", "no.lua", NULL}), 2);
    assert_non_null(strstr(console.text, "no file \"no.lua\""));
    console_clear(&console);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_saved_file_takes_over_the_game, fresh_files),
        cmocka_unit_test_setup(files_that_it_is_made_from_count_too, fresh_files),
        cmocka_unit_test_setup(a_file_with_a_fault_leaves_the_old_rules_in_force, fresh_files),
        cmocka_unit_test_setup(a_move_that_the_new_rules_forbid_is_named, fresh_files),
        cmocka_unit_test_setup(set_ups_that_do_not_fit_any_more_begin_a_new_game, fresh_files),
        cmocka_unit_test_setup(what_is_saved_during_a_question_counts, fresh_files),
        cmocka_unit_test_setup(a_file_that_is_saved_unchanged_disturbs_nobody, fresh_files),
        cmocka_unit_test_setup(a_broken_file_is_waited_for, fresh_files),
        cmocka_unit_test(a_variant_is_not_watched_with_another),
        cmocka_unit_test(a_program_is_no_file_to_be_watched_and_that_is_said),
        cmocka_unit_test_setup(a_bot_is_exchanged_in_the_middle_of_its_game, fresh_files),
        cmocka_unit_test_setup(bots_play_on_and_again, fresh_files),
        cmocka_unit_test_setup(a_watched_game_is_not_offered_to_go_on_with, fresh_files),
        cmocka_unit_test_setup(what_a_bot_prints_is_shown, fresh_files),
        cmocka_unit_test_setup(its_games_are_in_no_list, fresh_files),
        cmocka_unit_test_setup(a_game_that_a_bots_fault_ended_goes_on_once_it_is_mended,
                               fresh_files),
        cmocka_unit_test(wrong_use_is_named),
    };
    return cmocka_run_group_tests(tests, open_folder, NULL);
}
