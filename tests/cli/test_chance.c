/* The seed must not be found outside the process that plays; resuming a match with a program
 * without it. */
#define _GNU_SOURCE
#include "console.h"
#include "host/processes.h"
#include "host/seed.h"
#include "program.h"

#include <inttypes.h>
#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SEED_TEXT "7305126984410375129"
static const uint64_t SEED = UINT64_C(7305126984410375129);
static const char OTHER_SEED[] = "7305126984410375128";

enum { DESCENDANTS_MAX = 64 };

/* All processes below `parent`. */
static int descendants(pid_t parent, pid_t *list, int room) {
    int count = processes_of(parent, list, room), all = count;
    assert_true(count <= room);
    for (int i = 0; i < count; i++) all += descendants(list[i], list + all, room - all);
    return all;
}

/* The secrets: the seed as text, as a number, and the stretched key. */
static struct secret {
    const char *name;
    size_t length;
    unsigned char bytes[32];
} secrets[3];

static int find_secrets(void **state) {
    (void)state;
    struct chance key;
    struct fault fault = {0};
    if (!seed_stretch(SEED, &key, &fault)) return -1;
    secrets[0] = (struct secret){"text", strlen(SEED_TEXT), SEED_TEXT};
    secrets[1] = (struct secret){"number", sizeof SEED, {0}};
    memcpy(secrets[1].bytes, &SEED, sizeof SEED);
    secrets[2] = (struct secret){"key", sizeof key, {0}};
    memcpy(secrets[2].bytes, key.bytes, sizeof key);
    return 0;
}

/* Counts each secret in the readable memory of a process; false if none is readable. */
static bool search_memory(pid_t pid, int found[3]) {
    enum { PIECE = 1 << 20, OVERLAP = 64 };
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
    FILE *memory = fopen(path, "r");
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "r");
    char *piece = malloc(PIECE);
    size_t searched = 0;
    memset(found, 0, 3 * sizeof *found);
    while (memory && maps && piece && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char rights;
        if (sscanf(line, "%lx-%lx %c", &from, &to, &rights) != 3 || rights != 'r') continue;
        if (to - from > 1ul << 30) continue; /* a sanitizer's notes, in terabytes of nothing */
        for (unsigned long at = from; at < to; at += PIECE - OVERLAP) {
            size_t wanted = to - at < PIECE ? to - at : PIECE;
            ssize_t got = pread(fileno(memory), piece, wanted, (off_t)at);
            for (int s = 0; got > 0 && s < 3; s++)
                found[s] += memmem(piece, (size_t)got, secrets[s].bytes, secrets[s].length) != NULL;
            if (got > 0) searched += (size_t)got;
        }
    }
    free(piece);
    if (memory) fclose(memory);
    if (maps) fclose(maps);
    return searched > 0;
}

/* Skips the test if the memory of other processes cannot be read. */
static void assert_only_the_host_knows(struct console *console) {
    pid_t list[DESCENDANTS_MAX];
    int found[3], count = descendants(console->pid, list, DESCENDANTS_MAX), searched = 0;
    bool readable = search_memory(console->pid, found);
    bool known = found[2] > 0;
    const char *leaked = NULL;
    for (int i = 0; readable && i < count; i++) {
        if (!search_memory(list[i], found)) continue; /* it has ended */
        searched++;
        for (int s = 0; s < 3; s++)
            if (found[s]) leaked = secrets[s].name;
    }
    console_break(console, SIGKILL);
    console_clear(console);
    if (!readable) skip();
    if (leaked) fail_msg("a process of a bot holds the %s", leaked);
    assert_in_range(count, 2, DESCENDANTS_MAX); /* a template and a bot at least */
    assert_true(known);                         /* proof that the search works */
    assert_true(searched > 0);
}

static void nothing_of_the_seed_is_in_the_processes_of_a_match(void **state) {
    (void)state;
    struct console console;
    console_open(&console, false,
                 ARGUMENTS("match", "rookie", "raider", "-n", "100000", "-j", "2", "--seed",
                           SEED_TEXT, "--events"));
    console_expect(&console, "\"game\":9,");
    assert_only_the_host_knows(&console);
}

static void nothing_of_the_seed_is_in_the_processes_of_a_game(void **state) {
    (void)state;
    struct console console;
    console_folder();
    console_open(&console, false,
                 ARGUMENTS("play", "duel", "--blue", "rookie", "--seed=" SEED_TEXT));
    console_expect(&console, "seed " SEED_TEXT);
    console_expect(&console, "help)> ");
    assert_only_the_host_knows(&console);
}

static void the_arguments_of_a_running_process_do_not_tell_the_seed(void **state) {
    (void)state;
    static const char *const forms[][2] = {{"--seed", SEED_TEXT},
                                           {"-j2", "--seed=" SEED_TEXT},
                                           {"-s" SEED_TEXT, "-j2"},
                                           {"--see", SEED_TEXT}};
    for (int i = 0; i < 4; i++) {
        struct console console;
        char path[64], line[1024];
        console_open(&console, false,
                     ARGUMENTS("match", forms[i][0], forms[i][1], "rookie", "rookie", "-v", "duel",
                               "-n", "1000000", "--events"));
        console_expect(&console, "\"game\":1,");
        snprintf(path, sizeof path, "/proc/%d/cmdline", (int)console.pid);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        size_t length = fread(line, 1, sizeof line, file);
        fclose(file);
        assert_non_null(memmem(line, length, "rookie", 6));
        console_break(&console, SIGKILL);
        console_clear(&console);
        if (memmem(line, length, SEED_TEXT, strlen(SEED_TEXT))) fail_msg("form %d", i);
    }
}

static char folder[] = "/tmp/ensign-chance-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* A value of the store's meta table; the caller frees. NULL: there is none. */
static char *meta(const char *key) {
    char path[128], *value = NULL;
    sqlite3 *database;
    sqlite3_stmt *statement;
    snprintf(path, sizeof path, "%s/match.sqlite", folder);
    assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(database, "SELECT value FROM meta WHERE key = ?1", -1, &statement, NULL),
        SQLITE_OK);
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW)
        value = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return value;
}

static void assert_meta(const char *key, const char *expected) {
    char *value = meta(key);
    if (!expected) {
        if (value) fail_msg("%s: %s", key, value);
        return;
    }
    if (!value || !strstr(value, expected)) fail_msg("%s: %s", key, value ? value : "NULL");
    free(value);
}

static bool file_holds(const char *name, const char *text) {
    char path[160];
    snprintf(path, sizeof path, "grep -q %s %s/%s", text, folder, name);
    return system(path) == 0;
}

/* Ends a match of a program against a bot after its first game. */
static void begin_and_leave(void) {
    const char *const begin[] = {"match",
                                 "ucc:tests/host/ucc/walker.sh",
                                 "rookie",
                                 "-v",
                                 "milton-bradley",
                                 "-n",
                                 "8",
                                 "-j",
                                 "1",
                                 "--seed",
                                 SEED_TEXT,
                                 "-o",
                                 folder,
                                 "--events",
                                 NULL};
    struct program_run run = program_signal(begin, 1, SIGTERM);
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.err, "ensign: ended after "));
    assert_null(strstr(run.err, SEED_TEXT));
    assert_null(strstr(run.out, SEED_TEXT));
    assert_non_null(strstr(run.out, "\"seed\":null"));
    program_clear(&run);
}

static void a_store_that_a_program_may_read_holds_no_seed_until_the_end(void **state) {
    (void)state;
    begin_and_leave();
    assert_meta("seed", NULL);
    assert_meta("ended", NULL);
    assert_meta("seed_check", "");
    assert_meta("arguments", "walker.sh");
    assert_meta("command", "ensign match -v milton-bradley");
    assert_false(file_holds("match.sqlite", SEED_TEXT));
    program_expect(
        PROGRAM("match", "--resume", "--allow-programs", "-o", folder, "--seed", OTHER_SEED), 2,
        "--seed: the match was begun with another seed");
    struct program_run run = PROGRAM("match", "--resume", "--allow-programs", "-o", folder,
                                     "--seed", SEED_TEXT, "--json");
    assert_int_equal(run.exit_code, 0);
    assert_string_equal(run.err, "");
    assert_non_null(strstr(run.out, "\"seed\":" SEED_TEXT));
    program_clear(&run);
    assert_meta("seed", SEED_TEXT);
    assert_meta("ended", "complete");
    assert_meta("command", " --seed " SEED_TEXT);
    run = PROGRAM("match", "--resume", "--allow-programs", "-o", folder, "--json");
    assert_string_equal(run.err, "");
    assert_non_null(strstr(run.out, "\"seed\":" SEED_TEXT));
    program_clear(&run);
}

static void a_match_with_a_program_goes_on_with_other_chance_where_its_seed_is_not_given(
    void **state) {
    (void)state;
    begin_and_leave();
    struct program_run run =
        PROGRAM("match", "--resume", "--allow-programs", "-o", folder, "--json");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.err, "the remaining games get a new one (to keep"));
    assert_non_null(strstr(run.out, "\"seed\":null"));
    assert_non_null(strstr(run.out, "\"complete\":true"));
    program_clear(&run);
    assert_meta("seed", NULL);
    assert_meta("renewed", "yes");
    run = PROGRAM("report", folder, "--json");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "\"seed\": null"));
    program_clear(&run);
}

static void no_two_games_of_a_pair_with_a_program_share_chance(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "ucc:tests/host/ucc/walker.sh", "rookie", "-v",
                                     "milton-bradley", "-n", "2", "--seed", "3", "--json");
    json_t *document = json_loads(run.out, 0, NULL), *games = json_object_get(document, "games");
    assert_int_equal(json_array_size(games), 2);
    assert_true(json_integer_value(json_object_get(json_array_get(games, 0), "seed")) !=
                json_integer_value(json_object_get(json_array_get(games, 1), "seed")));
    assert_int_equal(json_integer_value(json_object_get(document, "seed")), 3);
    json_decref(document);
    program_clear(&run);
}

static void a_seed_that_was_drawn_is_told_and_gives_the_same_games_again(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "4", "--json");
    struct program_run other =
        PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "4", "--json");
    json_t *document = json_loads(run.out, 0, NULL);
    char seed[32];
    snprintf(seed, sizeof seed, "%" JSON_INTEGER_FORMAT,
             json_integer_value(json_object_get(document, "seed")));
    struct program_run again = PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "4",
                                       "--json", "-j", "3", "--trust", "--seed", seed);
    assert_string_equal(run.out, again.out);
    assert_string_not_equal(run.out, other.out);
    json_decref(document);
    program_clear(&run);
    program_clear(&other);
    program_clear(&again);
}

static void an_army_that_changes_colour_with_its_player_is_judged_by_its_pairs(void **state) {
    (void)state;
    struct program_run run = PROGRAM("match", "tests/data/own_army.lua", "rookie", "-v", "duel",
                                     "-n", "20", "--seed", "1", "-o", folder);
    program_expect(run, 0, "");
    run = PROGRAM("report", folder, "--json");
    json_t *document = json_loads(run.out, 0, NULL);
    json_t *setups = json_object_get(json_object_get(document, "setups"), "list");
    json_t *pairs = json_object_get(json_array_get(setups, 0), "pairs"), *count;
    json_int_t sum = 0;
    size_t i;
    json_array_foreach(pairs, i, count) sum += json_integer_value(count);
    assert_int_equal(sum, 10);
    json_decref(document);
    program_clear(&run);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_of_the_seed_is_in_the_processes_of_a_match),
        cmocka_unit_test(nothing_of_the_seed_is_in_the_processes_of_a_game),
        cmocka_unit_test(the_arguments_of_a_running_process_do_not_tell_the_seed),
        IN_FOLDER(a_store_that_a_program_may_read_holds_no_seed_until_the_end),
        IN_FOLDER(a_match_with_a_program_goes_on_with_other_chance_where_its_seed_is_not_given),
        IN_FOLDER(an_army_that_changes_colour_with_its_player_is_judged_by_its_pairs),
        cmocka_unit_test(no_two_games_of_a_pair_with_a_program_share_chance),
        cmocka_unit_test(a_seed_that_was_drawn_is_told_and_gives_the_same_games_again),
    };
    return cmocka_run_group_tests(tests, find_secrets, NULL);
}
