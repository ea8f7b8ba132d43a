/* Bots in processes of their own, as users meet them. */
#include "host/files.h"
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static void trusted_bots_play_the_same_games(void **state) {
    (void)state;
    struct program_run own =
        PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "6", "--json", "--seed", "1");
    struct program_run trusted = PROGRAM("match", "rookie", "raider", "-v", "duel", "-n", "6",
                                         "--json", "--trust", "--seed", "1");
    assert_int_equal(own.exit_code, 0);
    assert_string_equal(own.err, "");
    assert_string_equal(own.out, trusted.out);
    program_clear(&own);
    program_clear(&trusted);
}

static void a_bot_that_passes_the_deadline_forfeits_by_time(void **state) {
    (void)state;
    static const char bot[] = "return { api = 1, move = function(view) while true do end end }";
    char path[64];
    program_file(path, ".lua", bot, sizeof bot - 1);
    struct program_run run = PROGRAM("match", path, "rookie", "-v", "duel", "-n", "2", "--fuel",
                                     "1000000000000", "--deadline", "300");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.out, "forfeit-time 2"));
    assert_non_null(strstr(run.err, "in move: its process gave no answer for 300 ms"));
    program_clear(&run);
    unlink(path);
}

static void a_bot_that_cannot_be_loaded_stops_the_match_with_its_place(void **state) {
    (void)state;
    static const char bot[] = "local bot = {}\nbot.move = 3 + {}\nreturn bot";
    char path[64];
    program_file(path, ".lua", bot, sizeof bot - 1);
    program_expect(PROGRAM("match", path, "rookie", "-v", "duel", "-n", "2"), 1, ".lua:2: ");
    unlink(path);
}

static void a_played_game_is_the_same_with_trusted_bots(void **state) {
    (void)state;
    static const char *const trust[] = {"--seed", "--trust"}; /* the seed twice, or trust */
    char *records[2];
    for (int i = 0; i < 2; i++) {
        char path[64];
        size_t length;
        program_file(path, ".rec", "", 0);
        unlink(path);
        struct program_run run = PROGRAM("play", "duel", "--red", "rookie", "--blue", "raider",
                                         "-o", path, "--seed", "4", trust[i], i ? NULL : "4");
        assert_int_equal(run.exit_code, 0);
        records[i] = files_read(path, 1 << 20, &length, NULL);
        assert_non_null(records[i]);
        program_clear(&run);
        unlink(path);
    }
    assert_string_equal(records[0], records[1]);
    free(records[0]);
    free(records[1]);
}

static void a_bot_that_breaks_in_play_is_shown_with_its_lines(void **state) {
    (void)state;
    struct program_run run =
        PROGRAM("play", "duel", "--red", "tests/data/mistaken.lua", "--blue", "rookie");
    assert_int_equal(run.exit_code, 1);
    assert_non_null(strstr(run.out, "Blue wins. The other side forfeits by an error."));
    assert_non_null(strstr(run.err, "tests/data/mistaken.lua:5: in move"));
    assert_non_null(strstr(run.err, "\n>    5 | "));
    program_clear(&run);
}

/* The most that any program this test has waited for ever held, in KiB. */
static long most_memory(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

static void ten_thousand_games_need_no_more_memory_than_a_thousand(void **state) {
    (void)state;
    static const char *const trust[] = {"--seed", "--trust"}; /* the seed twice, or trust */
    const char *thorough = getenv("ENSIGN_LONG");
    if (!thorough || strcmp(thorough, "1") != 0) skip();
    for (int i = 0; i < 2; i++) {
        long before = 0;
        for (int games = 1000; games <= 10000; games += 9000) {
            struct program_run run =
                PROGRAM("match", "rookie", "raider", "-v", "barrage", "--seed", "4", "-n",
                        games == 1000 ? "1000" : "10000", trust[i], i ? NULL : "4");
            assert_int_equal(run.exit_code, 0);
            program_clear(&run);
            if (games == 1000) before = most_memory();
        }
        assert_in_range(most_memory() - before, 0, 1024); /* the results themselves are 220 KiB */
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trusted_bots_play_the_same_games),
        cmocka_unit_test(a_bot_that_passes_the_deadline_forfeits_by_time),
        cmocka_unit_test(a_bot_that_cannot_be_loaded_stops_the_match_with_its_place),
        cmocka_unit_test(a_played_game_is_the_same_with_trusted_bots),
        cmocka_unit_test(a_bot_that_breaks_in_play_is_shown_with_its_lines),
        cmocka_unit_test(ten_thousand_games_need_no_more_memory_than_a_thousand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
