/* A match that is interrupted in every way resumes as if it had not been. */
#include "console.h"
#include "match_folder.h"
#include "program.h"
#include "real_match.h"

#include <dirent.h>
#include <jansson.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { FOLDERS = 2 };

static char folder[FOLDERS][MATCH_FOLDER_MAX];

static int make_folders(void **state) {
    (void)state;
    for (int i = 0; i < FOLDERS; i++) match_folder_make(folder[i]);
    return 0;
}

static int remove_folders(void **state) {
    (void)state;
    for (int i = 0; i < FOLDERS; i++) match_folder_remove(folder[i]);
    return 0;
}

static void a_match_that_was_killed_five_times_comes_out_the_same(void **state) {
    (void)state;
    struct program_run whole = PROGRAM("match", "raider", "rookie", "-v", "duel", "-n", "100",
                                       "--seed", "6", "-o", folder[0], "--json", "--trust");
    assert_int_equal(whole.exit_code, 0);
    const char *const begin[] = {"match",  "raider", "rookie", "-v",      "duel",     "-n", "100",
                                 "--seed", "6",      "-o",     folder[1], "--events", NULL};
    const char *const go_on[] = {"match", "--resume", "-o", folder[1], NULL};
    static const int lines[] = {1, 10, 11, 45, 65};
    for (int i = 0; i < 5; i++) {
        struct program_run run = program_signal(i ? go_on : begin, lines[i], SIGKILL);
        assert_int_equal(run.exit_code, 128 + SIGKILL);
        /* Reported games are not lost. */
        assert_true(match_folder_games(folder[1]) >= lines[i]);
        program_clear(&run);
    }
    struct program_run run = PROGRAM("match", "--resume", "-o", folder[1], "--json", "-j", "3");
    assert_int_equal(run.exit_code, 0);
    assert_string_equal(run.err, "");
    assert_string_equal(run.out, whole.out);
    match_folder_assert_same(folder[0], folder[1]);
    program_clear(&run);
    program_clear(&whole);
}

static void a_signal_ends_it_tidily_with_the_command_that_resumes(void **state) {
    (void)state;
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    char odd[80], expected[256];
    snprintf(odd, sizeof odd, "%s/it's mine", folder[0]);
    snprintf(expected, sizeof expected, " match --resume -o '%s/it'\\''s mine'\n", folder[0]);
    const char *const begin[] = {"match", "raider", "rookie",   "-n", "5000",
                                 "-o",    odd,      "--events", NULL};
    const char *const go_on[] = {"match", "--resume", "-o", odd, NULL};
    for (int i = 0; i < 3; i++) {
        struct program_run run = program_signal(i ? go_on : begin, 8, signals[i]);
        assert_int_equal(run.exit_code, 1);
        assert_non_null(strstr(run.err, "ensign: ended after "));
        assert_non_null(strstr(run.err, " of 5000 games; to go on:\n"));
        assert_non_null(strstr(run.err, expected));
        /* The standings are the last line. */
        assert_non_null(strstr(run.out, "{\"event\":\"match\""));
        assert_non_null(strstr(run.out, "\"complete\":false"));
        program_clear(&run);
    }
    int count = match_folder_games(odd);
    struct program_run run = program_signal(go_on, count + 10, SIGTERM);
    assert_true(match_folder_games(odd) >= count + 10);
    program_clear(&run);
    snprintf(expected, sizeof expected, "rm -r \"%s\"", odd);
    assert_int_equal(system(expected), 0);
}

static void a_match_that_has_ended_is_shown_again(void **state) {
    (void)state;
    struct program_run first =
        PROGRAM("match", "raider", "rookie", "-v", "duel", "-n", "10", "-o", folder[0]);
    struct program_run again = PROGRAM("match", "--resume", "-o", folder[0]);
    assert_int_equal(again.exit_code, 0);
    assert_string_equal(first.out, again.out);
    program_clear(&first);
    program_clear(&again);
}

static void a_test_that_was_killed_is_decided_by_the_same_pair(void **state) {
    (void)state;
    const char *const begin[] = {"match", "raider",  "rookie",   "-v",     "duel", "--sprt", "0,60",
                                 "-o",    folder[1], "--events", "--seed", "1",    NULL};
    struct program_run whole = PROGRAM("match", "raider", "rookie", "-v", "duel", "--sprt", "0,60",
                                       "-o", folder[0], "--json", "--seed", "1", "--trust");
    assert_non_null(strstr(whole.out, "\"decision\":\"H1\""));
    struct program_run run = program_signal(begin, 10, SIGKILL);
    program_clear(&run);
    run = PROGRAM("match", "--resume", "-o", folder[1], "--json");
    assert_string_equal(run.out, whole.out);
    match_folder_assert_same(folder[0], folder[1]);
    program_clear(&run);
    program_clear(&whole);
}

static void a_damaged_or_missing_record_is_played_again(void **state) {
    (void)state;
    struct program_run whole = PROGRAM("match", "raider", "rookie", "-v", "duel", "-n", "12", "-o",
                                       folder[0], "--json", "--seed", "1");
    struct program_run copy = PROGRAM("match", "raider", "rookie", "-v", "duel", "-n", "12", "-o",
                                      folder[1], "--json", "--seed", "1");
    char path[128];
    snprintf(path, sizeof path, "%s/0003.rec", folder[1]);
    assert_int_equal(truncate(path, 40), 0);
    snprintf(path, sizeof path, "%s/0008.rec", folder[1]);
    assert_int_equal(unlink(path), 0);
    free(match_folder_query(folder[1], "DELETE FROM game WHERE number IN (5, 6, 10)"));
    /* Possible leftovers of a killed writer. */
    snprintf(path, sizeof path, "%s/.ensign-0123456789abcdef.part", folder[1]);
    fclose(fopen(path, "w"));
    struct program_run run = PROGRAM("match", "--resume", "-o", folder[1], "--json");
    assert_string_equal(run.out, whole.out);
    match_folder_assert_same(folder[0], folder[1]);
    program_clear(&run);
    program_clear(&copy);
    program_clear(&whole);
}

static const char bot[] = "return { api = 1, move = function(view) return view:moves()[1] end }\n";

static void what_has_changed_is_named_and_nothing_is_played(void **state) {
    (void)state;
    static const char setup[] = "M..2....../...9..2.../3.S......3/....BFB...\n";
    char script[64], list[64];
    program_file(script, ".lua", bot, sizeof bot - 1);
    program_file(list, ".txt", setup, sizeof setup - 1);
    const char *const begin[] = {"match", script,    "rookie",   "-v", "duel",     "-n", "4000",
                                 "-o",    folder[0], "--setups", list, "--events", NULL};
    struct program_run run = program_signal(begin, 4, SIGTERM);
    assert_int_equal(run.exit_code, 1);
    program_clear(&run);
    char *before = match_folder_query(folder[0], "SELECT * FROM game");

    const char *const changed[] = {script, list};
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(changed[i], "a");
        fprintf(file, i ? "# more\n" : "-- more\n");
        fclose(file);
        run = PROGRAM("match", "--resume", "-o", folder[0]);
        if (!strstr(run.err, changed[i])) fail_msg("%s", run.err);
        program_expect(run, 2, "not what the match was begun with");
    }
    char *after = match_folder_query(folder[0], "SELECT * FROM game");
    assert_string_equal(before, after);
    free(after);
    free(before);
    /* Another program. */
    free(match_folder_query(
        folder[0], "UPDATE source SET hash = '0000000000000000' WHERE path = '(program)'"));
    program_expect(PROGRAM("match", "--resume", "-o", folder[0]), 2, "the program itself");
    unlink(script);
    unlink(list);
}

static void an_external_program_that_has_changed_is_named(void **state) {
    (void)state;
    char script[64], command[80];
    static const char walker[] = "#!/bin/sh\nexec " ENSIGN_ROOT "/tests/host/ucc/walker.sh\n";
    program_file(script, ".sh", walker, sizeof walker - 1);
    assert_int_equal(chmod(script, 0700), 0);
    snprintf(command, sizeof command, "ucc:%s", script);
    struct program_run run =
        PROGRAM("match", command, "rookie", "-v", "milton-bradley", "-n", "2", "-o", folder[0]);
    assert_true(run.exit_code <= 1);
    program_clear(&run);
    FILE *file = fopen(script, "a");
    fputs("# more\n", file);
    fclose(file);
    program_expect(PROGRAM("match", "--resume", "-o", folder[0], "--allow-programs"), 2, script);
    unlink(script);
}

/* A program that leaves a mark when it is started, and what it is called in a store. */
struct marker {
    char script[64], command[80], mark[80];
};

/* A match with that program in folder[0], of which nothing has been played. */
static struct marker store_with_program(void) {
    struct marker marker;
    char text[256];
    program_file(marker.script, ".sh", "", 0);
    snprintf(marker.mark, sizeof marker.mark, "%s.mark", marker.script);
    snprintf(marker.command, sizeof marker.command, "ucc:%s", marker.script);
    FILE *file = fopen(marker.script, "w");
    fprintf(file, "#!/bin/sh\ncd " ENSIGN_ROOT "/tests/host/ucc\necho > %s\nexec ./walker.sh\n",
            marker.mark);
    fclose(file);
    assert_int_equal(chmod(marker.script, 0700), 0);
    struct program_run run = PROGRAM("match", marker.command, "rookie", "-v", "milton-bradley",
                                     "-n", "2", "-o", folder[0]);
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    assert_int_equal(unlink(marker.mark), 0);
    snprintf(text, sizeof text, "rm %s/*.rec", folder[0]);
    assert_int_equal(system(text), 0);
    free(match_folder_query(folder[0], "DELETE FROM game"));
    return marker;
}

static void a_store_starts_its_programs_only_with_leave(void **state) {
    (void)state;
    struct marker marker = store_with_program();
    struct program_run run = PROGRAM("match", "--resume", "-o", folder[0]);
    assert_non_null(strstr(run.err, marker.command));
    program_expect(run, 2, "--allow-programs");
    assert_int_not_equal(access(marker.mark, F_OK), 0);
    run = PROGRAM("match", "--resume", "-o", folder[0], "--allow-programs");
    assert_int_equal(run.exit_code, 0);
    assert_string_equal(run.err, "");
    assert_int_equal(access(marker.mark, F_OK), 0);
    program_clear(&run);
    unlink(marker.mark), unlink(marker.script);
}

static void a_person_is_asked_about_a_stores_programs(void **state) {
    (void)state;
    struct marker marker = store_with_program();
    const char *const go_on[] = {"match", "--resume", "-o", folder[0], NULL};
    static const struct {
        const char *answer;
        int exit_code;
    } answers[] = {{"n\n", 2}, {"\n", 2}, {"", 2}, {"y\n", 0}};
    for (int i = 0; i < 4; i++) {
        struct console console;
        console_open(&console, true, go_on);
        console_expect(&console, marker.command);
        console_expect(&console, "Start them? (y/n) ");
        assert_int_not_equal(access(marker.mark, F_OK), 0);
        console_send(&console, answers[i].answer);
        assert_int_equal(console_finish(&console), answers[i].exit_code);
        assert_int_equal(!access(marker.mark, F_OK), !answers[i].exit_code);
        console_clear(&console);
    }
    unlink(marker.mark), unlink(marker.script);
}

static void nothing_in_a_stores_command_is_hidden_from_the_person_who_is_asked(void **state) {
    (void)state;
    struct marker marker = store_with_program();
    /* Back to the line's start, and over it; a mark that writes from right to left. */
    free(match_folder_query(
        folder[0], "UPDATE meta SET value = json_array('match', 'ucc:./bad' || char(13) || "
                   "'ucc:./good' || char(27) || '[K' || char(8238) || '\\x41', 'rookie', "
                   "'-v', 'milton-bradley') WHERE key = 'arguments'"));
    struct program_run run = PROGRAM("match", "--resume", "-o", folder[0]);
    assert_non_null(strstr(run.err, "\"ucc:./bad\\x0ducc:./good\\x1b[K\\xe2\\x80\\xae\\x5cx41\""));
    program_expect(run, 2, "--allow-programs");
    unlink(marker.script);
}

static void a_store_does_not_take_its_bots_out_of_their_processes(void **state) {
    (void)state;
    static const char endless[] = "return { api = 1, move = function() while true do end end }";
    char script[64];
    program_file(script, ".lua", endless, sizeof endless - 1);
    struct program_run run =
        PROGRAM("match", script, "rookie", "-v", "duel", "-n", "2", "--seed", "1", "--fuel",
                "4000000000", "--deadline", "1000", "-o", folder[0]);
    assert_non_null(strstr(run.out, "forfeit-time 2"));
    program_clear(&run);
    free(match_folder_query(folder[0], "DELETE FROM game"));
    free(match_folder_query(folder[0],
                            "UPDATE meta SET value = json_insert(value, '$[#]', '--trust') "
                            "WHERE key = 'arguments'"));
    run = PROGRAM("match", "--resume", "-o", folder[0]);
    if (!strstr(run.out, "forfeit-time 2")) fail_msg("%s%s", run.out, run.err);
    program_clear(&run);
    unlink(script);
}

static void a_bot_that_is_edited_while_it_plays_plays_on_as_it_was(void **state) {
    (void)state;
    static const char once[] = "local m = view:moves() return m[#m]";
    char script[64];
    program_file(script, ".lua", bot, sizeof bot - 1);
    struct program_run whole = PROGRAM("match", script, "rookie", "-v", "duel", "-n", "60", "-j",
                                       "1", "--seed", "1", "--events", "--trust");
    /* It writes its first line when its games have begun; then the file changes. */
    char command[512];
    snprintf(
        command, sizeof command,
        "%s match %s rookie -v duel -n 60 -j 1 --seed 1 --events | { read first; echo \"$first\"; "
        "echo 'return { api = 1, move = function(view) %s end }' > %s; cat; }",
        ENSIGN_PROGRAM, script, once, script);
    FILE *pipe_end = popen(command, "r");
    assert_non_null(pipe_end);
    char *text = calloc(1, strlen(whole.out) + 2);
    size_t got = fread(text, 1, strlen(whole.out) + 1, pipe_end);
    pclose(pipe_end);
    assert_int_equal(got, strlen(whole.out));
    assert_string_equal(text, whole.out);
    free(text);
    unlink(script);
    program_clear(&whole);
}

/* Plays 400 games into the second folder; after the first of them the shell does `what`. Returns
 * the exit code; what the match says goes to `told`. */
static int play_while(const char *what, char told[1024]) {
    char command[1024];
    snprintf(
        command, sizeof command,
        "cd %s && { (%s match raider rookie -v duel -n 400 -j 1 --seed 1 -o m --events 2>told; "
        "echo $? >code) | { read first; %s; cat >/dev/null; }; }; cat code told",
        folder[1], ENSIGN_PROGRAM, what);
    FILE *pipe_end = popen(command, "r");
    assert_non_null(pipe_end);
    told[fread(told, 1, 1023, pipe_end)] = 0;
    pclose(pipe_end);
    return (int)strtol(told, NULL, 10);
}

static void a_match_whose_folder_goes_elsewhere_ends_and_can_be_resumed_there(void **state) {
    (void)state;
    static const struct {
        const char *what, *there;
    } moves[] = {
        {"mv m m2", "m2"},
        {"mv m m3; mkdir m", "m3"},
        {"mv m m4; cp -r m4 m", "m4"},
        {"mv m m5; ln -s m4 m", "m5"},
    };
    char told[1024], path[MATCH_FOLDER_MAX + 64], first[MATCH_FOLDER_MAX + 64];
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (play_while(moves[i].what, told) != 3) fail_msg("%s: %s", moves[i].what, told);
        assert_non_null(strstr(told, "m/match.sqlite: was moved or replaced during the match"));
        snprintf(path, sizeof path, "%s/%s", folder[1], moves[i].there);
        program_expect(PROGRAM("match", "--resume", "-o", path), 0, "");
        if (i) match_folder_assert_same(first, path);
        if (!i) strcpy(first, path);
        snprintf(path, sizeof path, "rm -rf %s/m", folder[1]);
        assert_int_equal(system(path), 0);
    }
    snprintf(path, sizeof path, "rm -rf %s/m?", folder[1]);
    assert_int_equal(system(path), 0);
}

static void the_folder_is_not_made_for_players_who_cannot_be_loaded(void **state) {
    (void)state;
    char path[80];
    struct stat about;
    snprintf(path, sizeof path, "%s/new", folder[0]);
    program_expect(PROGRAM("match", "rookie", "rokie", "-n", "2", "-o", path), 2, "rokie");
    assert_int_not_equal(stat(path, &about), 0);
}

/* A thousand pairs from set-ups of people. The numbers change with a bot or the
 * text of a record: understand why before updating them here. */
static void a_real_match_killed_twice_has_these_numbers(void **state) {
    (void)state;
    static const struct {
        int pairs, wins, draws, losses, pentanomial[5];
        const char *hash;
    } golden[] = {
        {REAL_MATCH_FEW, 144, 0, 56, {4, 0, 48, 0, 48}, "ada2f39aee9d78c6"},
        {REAL_MATCH_PAIRS, 1493, 1, 506, {60, 0, 386, 1, 553}, "cd255a05e105a968"},
    };
    int pairs = real_match_pairs(), which = pairs == REAL_MATCH_PAIRS;
    char *text = real_match_play(folder[0], pairs);
    json_t *document = json_loads(text, 0, NULL);
    int wins, draws, losses, score[5];
    const char *hash;
    assert_int_equal(json_unpack(document, "{s:s, s:[{s:i, s:i, s:i, s:[i,i,i,i,i]}]}", "hash",
                                 &hash, "players", "wins", &wins, "draws", &draws, "losses",
                                 &losses, "pentanomial", &score[0], &score[1], &score[2], &score[3],
                                 &score[4]),
                     0);
    print_message("%d pairs: %d, %d, %d, {%d, %d, %d, %d, %d}, \"%s\"\n", pairs, wins, draws,
                  losses, score[0], score[1], score[2], score[3], score[4], hash);
    assert_int_equal(wins, golden[which].wins);
    assert_int_equal(draws, golden[which].draws);
    assert_int_equal(losses, golden[which].losses);
    for (int i = 0; i < 5; i++) assert_int_equal(score[i], golden[which].pentanomial[i]);
    assert_string_equal(hash, golden[which].hash);
    json_decref(document);
    free(text);
}

#define IN_FOLDERS(test) cmocka_unit_test_setup_teardown(test, make_folders, remove_folders)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDERS(a_match_that_was_killed_five_times_comes_out_the_same),
        IN_FOLDERS(a_signal_ends_it_tidily_with_the_command_that_resumes),
        IN_FOLDERS(a_match_that_has_ended_is_shown_again),
        IN_FOLDERS(a_test_that_was_killed_is_decided_by_the_same_pair),
        IN_FOLDERS(a_damaged_or_missing_record_is_played_again),
        IN_FOLDERS(what_has_changed_is_named_and_nothing_is_played),
        IN_FOLDERS(an_external_program_that_has_changed_is_named),
        IN_FOLDERS(a_store_starts_its_programs_only_with_leave),
        IN_FOLDERS(a_person_is_asked_about_a_stores_programs),
        IN_FOLDERS(nothing_in_a_stores_command_is_hidden_from_the_person_who_is_asked),
        IN_FOLDERS(a_store_does_not_take_its_bots_out_of_their_processes),
        IN_FOLDERS(a_match_whose_folder_goes_elsewhere_ends_and_can_be_resumed_there),
        cmocka_unit_test(a_bot_that_is_edited_while_it_plays_plays_on_as_it_was),
        IN_FOLDERS(the_folder_is_not_made_for_players_who_cannot_be_loaded),
        IN_FOLDERS(a_real_match_killed_twice_has_these_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
