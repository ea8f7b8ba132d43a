/* test_new.c - "ensign new": its files work at once, and it never overwrites a file. */
#include "console.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char *const variants[] = {"original", "duel",        "infiltrator",    "classic",
                                       "galaxy",   "galaxy-duel", "russian",        "barrage",
                                       "quick",    "lightning",   "milton-bradley", "lattaque",
                                       "luzhanqi", "salpakan",    "jungle"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* Runs the program in the test's own folder; its output is valid until the next call. */
static const char *run(int exit_code, const char *const *arguments) {
    static struct console console;
    console_clear(&console);
    int code = console_run(&console, "", arguments);
    if (code != exit_code)
        fail_msg("%s %s: %d, %s", arguments[0], arguments[1], code, console.text);
    return console.text;
}

static char *read_text(const char *path) {
    static char text[1 << 17];
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("no %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void assert_has(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("no \"%s\" in: %s", part, text);
}

/* luacheck under the project's own settings; skipped where it is not installed. */
static void assert_tidy(const char *path) {
    char command[512];
    if (system("luacheck --version >/dev/null 2>&1") != 0) return;
    snprintf(command, sizeof command,
             "luacheck --quiet --no-color --config " ENSIGN_ROOT "/.luacheckrc %s", path);
    if (system(command) != 0) fail_msg("luacheck %s", path);
}

static void a_new_variant_of_every_game_is_one_at_once(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        char name[64], path[96];
        snprintf(name, sizeof name, "my-%s", variants[i]);
        snprintf(path, sizeof path, "variants/%s.lua", name);
        const char *said = run(0, ARGUMENTS("new", "variant", name, "--from", variants[i]));
        assert_has(said, path);
        assert_has(said, " check variants/");
        assert_has(said, " watch variants/");
        run(0, ARGUMENTS("check", path));
        assert_has(run(0, ARGUMENTS("show", name)), "Rider");
        assert_tidy(path);
    }
}

/* Takes away dashes that have no blank behind them. */
static void uncomment(char *text) {
    for (char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        char *dashes = line + strspn(line, " ");
        if (strncmp(dashes, "--", 2) || dashes[2] == ' ') continue;
        memmove(dashes, dashes + 2, strlen(dashes + 2) + 1);
    }
}

static void all_that_a_new_variant_suggests_can_be_played(void **state) {
    (void)state;
    run(0, ARGUMENTS("new", "variant", "bold"));
    char *text = read_text("variants/bold.lua");
    uncomment(text);
    write_text("variants/bold.lua", text);
    run(0, ARGUMENTS("check", "variants/bold.lua"));
    const char *sheet = run(0, ARGUMENTS("show", "bold", "--lang", "es"));
    assert_has(sheet, "Mi pieza");
    assert_has(sheet, "look (Mi pieza)");
}

static void the_piece_of_a_new_variant_has_a_free_name_and_letter(void **state) {
    (void)state;
    run(0, ARGUMENTS("new", "variant", "first"));
    run(0, ARGUMENTS("new", "variant", "second", "--from", "first"));
    const char *text = read_text("variants/second.lua");
    assert_has(text, "lancer");
    assert_has(text, "letter = \"L\"");
    run(0, ARGUMENTS("check", "variants/second.lua"));
}

static void a_new_bot_plays_and_beats_chance(void **state) {
    (void)state;
    assert_has(run(0, ARGUMENTS("new", "bot", "alice")), " match alice rookie -v duel");
    run(0, ARGUMENTS("check", "bots/alice.lua"));
    assert_tidy("bots/alice.lua");
    const char *said =
        run(0, ARGUMENTS("match", "alice", "rookie", "-v", "duel", "-n", "20", "--seed", "1"));
    const char *line = strstr(said, "\nalice");
    int wins, draws, losses;
    assert_non_null(line);
    assert_int_equal(sscanf(line, "\nalice %d %d %d", &wins, &draws, &losses), 3);
    assert_true(wins > losses);
}

static void a_new_set_up_is_in_the_library(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        char name[64], path[96];
        snprintf(name, sizeof name, "mine-%s", variants[i]);
        snprintf(path, sizeof path, "variants/setups/%s.txt", name);
        assert_has(run(0, ARGUMENTS("new", "setup", name, "-v", variants[i])), "--setup mine-");
        run(0, ARGUMENTS("check", path, "-v", variants[i]));
        assert_has(run(0, ARGUMENTS("setups", name, "-v", variants[i])), "the idea of this set-up");
    }
}

static void nothing_is_written_over(void **state) {
    (void)state;
    run(0, ARGUMENTS("new", "bot", "carl"));
    write_text("bots/carl.lua", "mine");
    assert_has(run(2, ARGUMENTS("new", "bot", "carl")), "\"carl\" exists already");
    assert_string_equal(read_text("bots/carl.lua"), "mine");
    /* A file that is not a bot is not listed as one, but still not overwritten. */
    assert_int_equal(mkdir("bots/dora.lua", 0777), 0);
    assert_has(run(2, ARGUMENTS("new", "bot", "dora")), "bots/dora.lua: already exists");
    assert_has(run(2, ARGUMENTS("new", "variant", "duel")), "\"duel\" exists already");
    assert_int_not_equal(access("variants/duel.lua", F_OK), 0);
}

static void names_lead_nowhere_else(void **state) {
    (void)state;
    static const char *const names[] = {
        "../x",  "a/b", "X",   "",   ".x",
        "x.lua", "3x",  "x y", "-x", "a123456789012345678901234567890x"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *said = run(2, ARGUMENTS("new", "variant", "--", names[i]));
        assert_has(said, "begins with a small letter");
    }
    assert_int_not_equal(access("../x.lua", F_OK), 0);
}

static void wrong_use_is_named(void **state) {
    (void)state;
    assert_has(run(2, ARGUMENTS("new")), "\"variant\", \"bot\" or \"setup\" is expected");
    assert_has(run(2, ARGUMENTS("new", "game", "x")),
               "\"game\", expected \"variant\", \"bot\" or \"setup\"");
    assert_has(run(2, ARGUMENTS("new", "bot")),
               "a name that begins with a small letter is expected");
    assert_has(run(2, ARGUMENTS("new", "bot", "x", "y")), "unexpected argument \"y\"");
    assert_has(run(2, ARGUMENTS("new", "bot", "x", "--from", "duel")),
               "--from goes with a variant");
    assert_has(run(2, ARGUMENTS("new", "variant", "x", "-v", "duel")),
               "--variant goes with a setup");
    assert_has(run(2, ARGUMENTS("new", "variant", "x", "--from", "dual")),
               "did you mean \"duel\"?");
    assert_has(run(2, ARGUMENTS("new", "variant", "x", "--from", "./d.lua")), "not the path");
    assert_int_not_equal(access("variants/x.lua", F_OK), 0);
}

static void what_is_left_out_is_asked_at_a_terminal(void **state) {
    (void)state;
    struct console console;
    console_open(&console, true, ARGUMENTS("new"));
    console_expect(&console, "variant, bot or setup?");
    console_send(&console, "game\n");
    console_expect(&console, "variant, bot or setup?");
    console_send(&console, "bot\n");
    console_expect(&console, "Its name");
    console_send(&console, "Emma\n");
    console_expect(&console, "Its name");
    console_send(&console, "emma\n");
    console_expect(&console, "wrote bots/emma.lua");
    assert_int_equal(console_finish(&console), 0);
    console_clear(&console);
    run(0, ARGUMENTS("check", "bots/emma.lua", "-v", "duel"));
}

static void a_new_bot_has_something_to_print(void **state) {
    (void)state;
    run(0, ARGUMENTS("new", "bot", "talker"));
    char *text = read_text("bots/talker.lua"), *print = strstr(text, "-- print(");
    assert_non_null(print);
    memset(print, ' ', 2);
    write_text("bots/talker.lua", text);
    run(0, ARGUMENTS("match", "talker", "rookie", "-v", "duel", "-n", "2", "--seed", "1", "--log",
                     "talk"));
    assert_has(read_text("talk/0001-red.log"), " move: ");
}

/* Runs the commands of a page's path: the lines of the block below "<!-- path -->", each up to the
 * blanks before its explanation. Returns how many. */
static int walk_path(const char *page) {
    enum { WORDS_MAX = 16 };
    char *at = strstr(read_text(page), "<!-- path -->\n```\n"), *line;
    int steps = 0;
    assert_non_null(at);
    at += strlen("<!-- path -->\n```\n");
    while ((line = strsep(&at, "\n")) && strcmp(line, "```") != 0) {
        const char *words[WORDS_MAX] = {NULL};
        int count = 0;
        char *end = strstr(line, "  ");
        if (!end) fail_msg("%s: no explanation", line);
        *end = 0;
        for (char *word; (word = strsep(&line, " "));) words[count++] = word;
        assert_string_equal(words[0], "ensign");
        run(0, words + 1);
        steps++;
    }
    return steps;
}

static void the_paths_of_the_pages_can_be_walked(void **state) {
    (void)state;
    assert_int_equal(walk_path(ENSIGN_ROOT "/bots/README.md"), 10);
    assert_int_equal(walk_path(ENSIGN_ROOT "/variants/README.md"), 8);
}

static int into_own_folder(void **state) {
    (void)state;
    return chdir(console_folder());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_variant_of_every_game_is_one_at_once),
        cmocka_unit_test(all_that_a_new_variant_suggests_can_be_played),
        cmocka_unit_test(the_piece_of_a_new_variant_has_a_free_name_and_letter),
        cmocka_unit_test(a_new_bot_plays_and_beats_chance),
        cmocka_unit_test(a_new_bot_has_something_to_print),
        cmocka_unit_test(a_new_set_up_is_in_the_library),
        cmocka_unit_test(nothing_is_written_over),
        cmocka_unit_test(names_lead_nowhere_else),
        cmocka_unit_test(wrong_use_is_named),
        cmocka_unit_test(what_is_left_out_is_asked_at_a_terminal),
        cmocka_unit_test(the_paths_of_the_pages_can_be_walked),
    };
    return cmocka_run_group_tests(tests, into_own_folder, NULL);
}
