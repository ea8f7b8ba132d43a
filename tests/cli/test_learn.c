/* test_learn.c - "ensign learn": its bots play, the same seed learns the same, and what was learned
 * survives whatever interrupts it. */
#include "base/files.h"
#include "console.h"
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A file in the test's folder; lives until the next call with the same slot. */
static const char *place(int slot, const char *name) {
    static char paths[4][512];
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", console_folder(), name);
    return paths[slot];
}

static char *content(const char *path, size_t *length) {
    struct fault fault = {0};
    char *text = files_read(path, 1 << 24, length, &fault);
    if (!text) fail_msg("%s: %s", path, fault.text);
    return text;
}

static void assert_same_files(const char *one, const char *other) {
    size_t lengths[2];
    char *first = content(one, &lengths[0]), *second = content(other, &lengths[1]);
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(first, second, lengths[0]);
    free(first);
    free(second);
}

static void learn(const char *variant, const char *games, const char *jobs, const char *out) {
    program_expect(PROGRAM("learn", variant, "-n", games, "-j", jobs, "--seed", "5", "-o", out), 0,
                   "");
}

static void it_writes_a_bot_that_plays(void **state) {
    (void)state;
    const char *bot = place(0, "plays.lua");
    learn("barrage", "64", "2", bot);
    struct program_run run =
        PROGRAM("match", bot, "rookie", "-v", "barrage", "-n", "4", "--seed", "1");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "\nplays        "));
    assert_null(strstr(run.out, "forfeit-"));
    program_clear(&run);
    program_expect(PROGRAM("check", bot), 0, "");
}

static void it_makes_the_folders_of_its_files(void **state) {
    (void)state;
    const char *bot = place(0, "new/folder/bot.lua"), *page = place(1, "pages/page.html");
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", bot, "--page", page), 0, "");
    static const char *const files[] = {"new/folder/bot.lua.school", "new/folder/bot.lua",
                                        "pages/page.html"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(unlink(place(2, files[i])), 0);
    assert_int_equal(rmdir(place(2, "new/folder")), 0);
    assert_int_equal(rmdir(place(2, "new")), 0);
    assert_int_equal(rmdir(place(2, "pages")), 0);
    program_expect(PROGRAM("learn", "barrage", "-o", "/dev/null/bot.lua"), 3,
                   "/dev/null: the folder cannot be made");
}

/* For a script that requires it. */
static void a_table_is_what_the_bot_is_made_of(void **state) {
    (void)state;
    const char *bot = place(0, "same.lua"), *table = place(1, "table.lua");
    size_t lengths[2];
    learn("barrage", "64", "1", bot);
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "--table", "--seed", "5", "-o", table),
                   0, "");
    char *first = content(bot, &lengths[0]), *second = content(table, &lengths[1]);
    char *learned = strstr(first, "{ learned = "), *returned = strstr(second, "\nreturn ");
    assert_true(learned && returned);
    learned += strlen("{ learned = ");
    returned += strlen("\nreturn ");
    learned[strlen(learned) - strlen("}\n")] = 0;
    assert_string_equal(learned, returned);
    free(first);
    free(second);
}

/* Names that are words of Lua, or begin with a digit. */
static void any_variant_can_be_learned(void **state) {
    (void)state;
    const char *variant =
        console_file(0, "odd.lua",
                     "return { api = 1, extends = 'barrage', title = 'Odd',\n"
                     "  army = { scout = 1, ['end'] = 1 },\n"
                     "  pieces = { ['end'] = { letter = 'E', rank = 4, moves = 'step' } } }\n");
    const char *bot = place(0, "odd_bot.lua");
    learn(variant, "64", "1", bot);
    program_expect(PROGRAM("match", bot, "rookie", "-v", variant, "-n", "2", "--seed", "1"), 0, "");
}

static void the_same_seed_learns_the_same_with_any_number_of_threads(void **state) {
    (void)state;
    learn("barrage", "192", "1", place(0, "one.lua"));
    learn("barrage", "192", "2", place(1, "two.lua"));
    assert_same_files(place(0, "one.lua"), place(1, "two.lua"));
    assert_same_files(place(0, "one.lua.school"), place(1, "two.lua.school"));
    program_expect(
        PROGRAM("learn", "barrage", "-n", "192", "--seed", "6", "-o", place(2, "three.lua")), 0,
        "");
    size_t lengths[2];
    char *first = content(place(0, "one.lua"), &lengths[0]);
    char *other = content(place(2, "three.lua"), &lengths[1]);
    assert_true(lengths[0] != lengths[1] || memcmp(first, other, lengths[0]) != 0);
    free(first);
    free(other);
}

/* Learns against an opponent, or refuses to. */
static void learn_against(const char *opponent, const char *jobs, const char *out, int code,
                          const char *said) {
    program_expect(PROGRAM("learn", "duel", "--against", opponent, "-n", "128", "-j", jobs,
                           "--seed", "5", "--table", "-o", out),
                   code, said);
}

static void an_opponent_stays_the_same_from_beginning_to_end(void **state) {
    (void)state;
    static const char stock[] = ENSIGN_ROOT "/scripts/learned/duel.lua";
    const char *one = place(0, "answer.lua"), *two = place(1, "answer_two.lua");
    learn_against(stock, "1", one, 0, "");
    learn_against(stock, "2", two, 0, "");
    assert_same_files(one, two);
    assert_same_files(place(2, "answer.lua.school"), place(3, "answer_two.lua.school"));
    learn_against(two, "1", one, 1,
                  "is about other opponents or set-ups, or another order of them (--against, ");
    program_expect(PROGRAM("learn", "duel", "-n", "128", "-o", one), 1, "is about other opponents");
    assert_same_files(one, two);
    learn_against(two, "1", place(2, "answer_to_answer.lua"), 0, "");
}

static void several_opponents_are_named_in_their_order(void **state) {
    (void)state;
    static const char stock[] = ENSIGN_ROOT "/scripts/learned/duel.lua";
    const char *older = place(0, "older.lua"), *league = place(1, "league.lua");
    char named[1200];
    size_t length;
    learn_against(stock, "1", older, 0, "");
    program_expect(PROGRAM("learn", "duel", "--against", stock, "--against", older, "-n", "128",
                           "--seed", "5", "--table", "-o", league),
                   0, "");
    snprintf(named, sizeof named, "learn duel --against %s --against %s --seed 5", stock, older);
    char *text = content(league, &length);
    assert_non_null(strstr(text, named));
    free(text);
    program_expect(PROGRAM("learn", "duel", "--against", older, "--against", stock, "-n", "192",
                           "--table", "-o", league),
                   1,
                   "is about other opponents or set-ups, or another order of them (--against, "
                   "--repertoire); remove it to begin anew\n");
    learn_against(stock, "1", league, 1, "is about other opponents");
}

/* The result is a table like any other. */
static void set_ups_of_several_tables_become_a_repertoire(void **state) {
    (void)state;
    static const char stock[] = ENSIGN_ROOT "/scripts/learned/duel.lua";
    const char *answer = place(0, "rival.lua"), *one = place(1, "repertoire.lua"),
               *two = place(2, "repertoire_two.lua");
    char named[1200];
    size_t length;
    learn_against(stock, "1", answer, 0, "");
    for (int i = 0; i < 2; i++)
        program_expect(PROGRAM("learn", "duel", "--repertoire", stock, "--repertoire", answer, "-n",
                               "128", "-j", i ? "2" : "1", "--seed", "5", "--table", "-o",
                               i ? two : one),
                       0, "");
    assert_same_files(one, two);
    snprintf(named, sizeof named, "learn duel --repertoire %s --repertoire %s --seed 5", stock,
             answer);
    char *text = content(one, &length);
    assert_non_null(strstr(text, named));
    free(text);
    learn_against(one, "1", place(3, "rival_two.lua"), 0, "");
    learn_against(stock, "1", one, 1, "is about other opponents or set-ups");
    program_expect(PROGRAM("learn", "duel", "--repertoire", stock, "--against", answer), 2,
                   "--against and --repertoire do not go together");
    program_expect(PROGRAM("learn", "duel", "--repertoire", stock, "--page", "page.html"), 2,
                   "--repertoire and --page do not go together");
    program_expect(PROGRAM("learn", "duel", "--page", "-"), 2, "--page: a file is expected");
    program_expect(PROGRAM("learn", "duel", "--repertoire", "/nowhere.lua"), 2,
                   "ensign: /nowhere.lua: no such file\n");
}

static void more_opponents_than_fit_are_refused_in_a_line(void **state) {
    (void)state;
    static const char stock[] = ENSIGN_ROOT "/scripts/learned/duel.lua";
    const char *out = place(0, "nine.lua");
    program_expect(PROGRAM("learn", "duel", "-n", "64", "--table", "-o", out, "--against", stock,
                           "--against", stock, "--against", stock, "--against", stock, "--against",
                           stock, "--against", stock, "--against", stock, "--against", stock),
                   0, "");
    program_expect(PROGRAM("learn", "duel", "--against", "1", "--against", "2", "--against", "3",
                           "--against", "4", "--against", "5", "--against", "6", "--against", "7",
                           "--against", "8", "--against", "9"),
                   2, "ensign learn: --against may be given 8 times at most (see \"");
}

static void an_opponent_that_cannot_be_read_is_told_in_a_line(void **state) {
    (void)state;
    const char *out = place(0, "none.lua");
    learn_against("/nowhere.lua", "1", out, 2, "ensign: /nowhere.lua: no such file\n");
    learn_against(ENSIGN_ROOT "/README.md", "1", out, 1, "README.md:3: syntax error near 'host'");
    learn_against(
        ENSIGN_ROOT "/bots/admiral.lua", "1", out, 1,
        "admiral.lua: is a bot, expected a table as \"ensign learn --table\" writes it\n");
    learn_against(ENSIGN_ROOT "/scripts/learned/galaxy.lua", "1", out, 1,
                  "own: 'captain' is not a kind of this variant\n");
    assert_int_equal(access(out, F_OK), -1);
    assert_int_equal(access(place(1, "none.lua.school"), F_OK), -1);
}

/* At a terminal, which shows that it is learning. */
static void open_long(struct console *console, const char *out) {
    console_open(console, true,
                 (const char *const[]){"learn", "barrage", "-n", "1000000", "-j", "2", "--seed",
                                       "5", "-o", out, NULL});
    console_expect(console, "a second");
}

/* Only with ENSIGN_LONG=1: it takes two minutes. */
static void into_a_file_it_tells_a_line_a_minute(void **state) {
    (void)state;
    if (!getenv("ENSIGN_LONG")) skip();
    const char *bot = place(0, "minutes.lua");
    struct program_run run = PROGRAM("learn", "barrage", "--minutes", "2", "-o", bot);
    assert_int_equal(run.exit_code, 0);
    assert_ptr_equal(strstr(run.err, "1:00: "), run.err);
    char *end = strchr(run.err, '\n');
    assert_non_null(end);
    assert_string_equal(end, "\n");
    assert_null(strpbrk(run.err, "\r\033"));
    program_clear(&run);
}

static void killed_in_the_middle_it_goes_on(void **state) {
    (void)state;
    struct console console;
    const char *killed = place(0, "killed.lua"), *whole = place(1, "whole.lua");
    learn("barrage", "64", "1", killed);
    open_long(&console, killed);
    assert_true(WIFSIGNALED(console_break(&console, SIGKILL)));
    console_clear(&console);
    learn("barrage", "256", "2", killed);
    learn("barrage", "256", "1", whole);
    assert_same_files(killed, whole);
    assert_same_files(place(2, "killed.lua.school"), place(3, "whole.lua.school"));
}

static void an_interrupt_keeps_what_was_learned(void **state) {
    (void)state;
    struct console console;
    unsigned long games = 0;
    const char *out = place(0, "interrupted.lua");
    open_long(&console, out);
    int status = console_break(&console, SIGINT);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    console_clear(&console);
    size_t length;
    char *text = content(out, &length);
    const char *said = strstr(text, "games = ");
    assert_non_null(said);
    games = strtoul(said + strlen("games = "), NULL, 10);
    assert_true(games >= 64 && games < 1000000);
    free(text);
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%lu", games + 64);
    learn("barrage", wanted, "1", out);
    learn("barrage", wanted, "2", place(1, "at_once.lua"));
    assert_same_files(out, place(1, "at_once.lua"));
}

static void an_interrupt_says_that_the_ladder_comes_and_a_second_one_ends_it(void **state) {
    (void)state;
    struct console console;
    const char *out = place(0, "climbing.lua");
    console_open(&console, true,
                 (const char *const[]){"learn", "barrage", "--minutes", "1000", "-j", "1", "--seed",
                                       "5", "--ladder", "1000000", "-o", out, NULL});
    console_expect(&console, "a second");
    assert_int_equal(kill(console.pid, SIGINT), 0);
    console_expect(&console, "now come the games of --ladder, which a second Ctrl-C leaves out");
    assert_int_equal(access(out, F_OK), 0);
    int status = console_break(&console, SIGINT);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGINT);
    console_clear(&console);
}

static void expect_kept(const char *out, const char *school, int code, const char *said) {
    size_t lengths[2], after[2];
    char *bot = content(out, &lengths[0]), *learned = content(school, &lengths[1]);
    program_expect(PROGRAM("learn", "barrage", "-n", "128", "--seed", "5", "-o", out), code, said);
    char *bot_after = content(out, &after[0]), *learned_after = content(school, &after[1]);
    assert_int_equal(lengths[0], after[0]);
    assert_int_equal(lengths[1], after[1]);
    assert_memory_equal(bot, bot_after, lengths[0]);
    assert_memory_equal(learned, learned_after, lengths[1]);
    free(bot);
    free(learned);
    free(bot_after);
    free(learned_after);
}

static void a_damaged_or_foreign_state_is_refused_and_nothing_lost(void **state) {
    (void)state;
    struct fault fault = {0};
    size_t length;
    const char *out = place(0, "state.lua"), *school = place(1, "state.lua.school");
    learn("barrage", "64", "1", out);
    char *kept = content(school, &length);
    assert_true(files_replace(school, kept, length / 2, &fault));
    expect_kept(out, school, 1, "does not hold what this version of ensign has learned");
    kept[length / 3] = (char)(kept[length / 3] ^ 1);
    assert_true(files_replace(school, kept, length, &fault));
    expect_kept(out, school, 1, "does not hold what this version of ensign has learned");
    free(kept);
    learn("quick", "64", "1", place(2, "foreign.lua"));
    kept = content(place(2, "foreign.lua.school"), &length);
    assert_true(files_replace(school, kept, length, &fault));
    expect_kept(out, school, 1, "is about other rules");
    free(kept);
}

static void a_file_that_it_has_not_written_is_left_alone(void **state) {
    (void)state;
    const char *mine = console_file(1, "precious.lua", "-- mine\n");
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", mine), 2,
                   "there is already a file");
    size_t length;
    char *text = content(mine, &length);
    assert_string_equal(text, "-- mine\n");
    free(text);
    program_expect(PROGRAM("learn"), 2, "a variant is expected");
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", "/dev/null/at/all.lua"), 3,
                   "/dev/null");
}

static void a_file_that_cannot_be_written_is_told_before_the_first_game(void **state) {
    (void)state;
    size_t length;
    const char *page = console_file(1, "old.html", "an older page\n");
    const char *bot = place(2, "unwritten.lua");
    char school[520];
    snprintf(school, sizeof school, "%s.school", bot);
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", bot, "--page", "/dev/null/x.html"),
                   3, "/dev/null: the folder cannot be made");
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", bot, "--page", console_folder()),
                   2, "is a folder; a file is expected");
    assert_int_equal(access(bot, F_OK), -1);
    assert_int_equal(access(school, F_OK), -1);
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", "/dev/null/x.lua", "--page", page),
                   3, "/dev/null");
    char *text = content(page, &length);
    assert_string_equal(text, "an older page\n");
    free(text);
}

/* A match of two bots that are no bots of the search path, kept in a folder. */
static const char *strange_games(int slot, const char *name) {
    const char *games = place(slot, name), *bot = place(3, "stranger.lua");
    if (access(bot, F_OK) != 0) learn("barrage", "64", "2", bot);
    struct program_run run =
        PROGRAM("match", bot, "raider", "-v", "barrage", "-n", "16", "--seed", "3", "-o", games);
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    return games;
}

static void it_learns_from_records_and_judges_its_beliefs_by_some(void **state) {
    (void)state;
    const char *games = strange_games(0, "records"), *bot = place(1, "shown.lua");
    struct program_run run =
        PROGRAM("learn", "barrage", "--records", games, "-n", "64", "--seed", "5", "-o", bot);
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "in 2 records that were held back"));
    assert_non_null(strstr(run.out, "\nMarshal "));
    assert_non_null(strstr(run.out, "\nall "));
    program_clear(&run);
    run = PROGRAM("learn", "barrage", "-n", "128", "--seed", "5", "-o", bot);
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.err, "is about other"));
    program_clear(&run);
}

/* A few that go round are a path for each way through them. */
static void links_to_folders_of_records_are_not_followed(void **state) {
    (void)state;
    const char *games = strange_games(0, "linked"), *bot = place(1, "linked.lua");
    for (int i = 0; i < 2; i++) {
        char link[600];
        snprintf(link, sizeof link, "%s/round-%d", games, i);
        assert_int_equal(symlink(".", link), 0);
    }
    struct program_run run =
        PROGRAM("learn", "barrage", "--records", games, "-n", "64", "--seed", "5", "-o", bot);
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "in 2 records that were held back"));
    program_clear(&run);
}

static void a_folder_without_records_of_the_variant_is_refused(void **state) {
    (void)state;
    const char *games = strange_games(0, "others"), *bot = place(1, "refused.lua");
    struct program_run run = PROGRAM("learn", "duel", "--records", games, "-n", "64", "-o", bot);
    assert_int_equal(run.exit_code, 2);
    assert_non_null(strstr(run.err, "a game of \"barrage\", not of \"duel\""));
    assert_non_null(strstr(run.err, "holds no record of a game of \"duel\""));
    program_clear(&run);
}

static void the_page_never_replaces_what_it_is_made_from(void **state) {
    (void)state;
    const char *bot = place(0, "paged.lua"), *school = place(1, "paged.lua.school");
    const char *table = place(2, "table.lua");
    learn("barrage", "64", "1", bot);
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", table, "--table"), 0, "");
    const char *const pages[] = {bot, school};
    for (int i = 0; i < 2; i++)
        program_expect(PROGRAM("learn", "barrage", "-n", "128", "-o", bot, "--page", pages[i]), 2,
                       "give another path");
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", place(3, "other.lua"), "--against",
                           table, "--page", table),
                   2, "give another path");
    program_expect(PROGRAM("learn", "barrage", "-n", "128", "-o", bot), 0, "");
    size_t length;
    char *text = content(table, &length);
    assert_memory_equal(text, "-- Learned by", 13);
    free(text);
    const char *fresh = place(0, "fresh.lua");
    program_expect(PROGRAM("learn", "barrage", "-n", "64", "-o", fresh, "--page", fresh), 2,
                   "give another path");
    assert_int_equal(access(fresh, F_OK), -1);
}

/* Whoever made a folder may have put links there under the names that files get by themselves. */
static void a_bot_that_nobody_named_follows_no_link(void **state) {
    (void)state;
    char here[1024];
    const char *victim = console_file(1, "victim.lua", "-- mine\n");
    const char *bot = place(0, "ours.lua");
    learn("barrage", "64", "1", bot);
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(console_folder()), 0);
    assert_int_equal(rename("ours.lua.school", "admiral-barrage.lua.school"), 0);
    assert_int_equal(symlink(victim, "admiral-barrage.lua"), 0);
    struct program_run run = PROGRAM("learn", "barrage", "-n", "128", "--seed", "5");
    unlink("admiral-barrage.lua");
    assert_int_equal(rename("admiral-barrage.lua.school", "kept"), 0);
    assert_int_equal(symlink("kept", "admiral-barrage.lua.school"), 0);
    struct program_run state_run = PROGRAM("learn", "barrage", "-n", "128", "--seed", "5");
    unlink("admiral-barrage.lua.school");
    assert_int_equal(chdir(here), 0);
    program_expect(run, 2, "admiral-barrage.lua: is a link");
    program_expect(state_run, 2, "admiral-barrage.lua.school: is a link");
    size_t length;
    char *text = content(victim, &length);
    assert_string_equal(text, "-- mine\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_learns_from_records_and_judges_its_beliefs_by_some),
        cmocka_unit_test(links_to_folders_of_records_are_not_followed),
        cmocka_unit_test(a_folder_without_records_of_the_variant_is_refused),
        cmocka_unit_test(it_writes_a_bot_that_plays),
        cmocka_unit_test(it_makes_the_folders_of_its_files),
        cmocka_unit_test(a_table_is_what_the_bot_is_made_of),
        cmocka_unit_test(any_variant_can_be_learned),
        cmocka_unit_test(the_same_seed_learns_the_same_with_any_number_of_threads),
        cmocka_unit_test(an_opponent_stays_the_same_from_beginning_to_end),
        cmocka_unit_test(several_opponents_are_named_in_their_order),
        cmocka_unit_test(set_ups_of_several_tables_become_a_repertoire),
        cmocka_unit_test(more_opponents_than_fit_are_refused_in_a_line),
        cmocka_unit_test(an_opponent_that_cannot_be_read_is_told_in_a_line),
        cmocka_unit_test(into_a_file_it_tells_a_line_a_minute),
        cmocka_unit_test(killed_in_the_middle_it_goes_on),
        cmocka_unit_test(an_interrupt_keeps_what_was_learned),
        cmocka_unit_test(an_interrupt_says_that_the_ladder_comes_and_a_second_one_ends_it),
        cmocka_unit_test(a_damaged_or_foreign_state_is_refused_and_nothing_lost),
        cmocka_unit_test(a_file_that_cannot_be_written_is_told_before_the_first_game),
        cmocka_unit_test(a_file_that_it_has_not_written_is_left_alone),
        cmocka_unit_test(the_page_never_replaces_what_it_is_made_from),
        cmocka_unit_test(a_bot_that_nobody_named_follows_no_link),
    };
    return cmocka_run_group_tests_name("cli/learn", tests, NULL, NULL);
}
