/* Many games: pairs, threads, records, forfeits. */
#include "host/match.h"

#include "host/files.h"
#include "support.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static struct rules *duel;
static char folder[64];

static int load(void **state) {
    (void)state;
    duel = support_rules("duel");
    return 0;
}

static int unload(void **state) {
    (void)state;
    rules_free(duel);
    return 0;
}

static int make_folder(void **state) {
    (void)state;
    support_folder(folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    support_remove(folder);
    return 0;
}

static const char *const rookies[] = {"rookie", "rookie"};

static struct match_options options_for(const char *const *players, int player_count,
                                        uint32_t games) {
    return (struct match_options){.folders = support_folders(),
                                  .rules = duel,
                                  .players = players,
                                  .player_count = player_count,
                                  .games = games,
                                  .jobs = 2,
                                  .seed = 42,
                                  .limits = SANDBOX_DEFAULTS};
}

static struct match *run(const struct match_options *options) {
    struct fault fault = {0};
    struct match *match = match_run(options, &fault);
    if (!match) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    return match;
}

static void assert_same_games(const struct match *a, const struct match *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(a->games[i].player[RED], b->games[i].player[RED]);
        assert_int_equal(a->games[i].result, b->games[i].result);
        assert_int_equal(a->games[i].reason, b->games[i].reason);
        assert_int_equal(a->games[i].plies, b->games[i].plies);
        assert_int_equal(a->games[i].seed, b->games[i].seed);
    }
}

static void any_number_of_threads_plays_the_same_games(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "rookie", "rookie"};
    struct match_options options = options_for(players, 3, 10);
    options.jobs = 1;
    struct match *alone = run(&options);
    assert_int_equal(alone->game_count, 30);
    static const int jobs[] = {1, 2, 4, 9};
    for (int i = 0; i < 4; i++) {
        options.jobs = jobs[i];
        struct match *match = run(&options);
        assert_true(match->hash == alone->hash);
        assert_same_games(alone, match, alone->game_count);
        match_free(match);
    }
    match_free(alone);
}

static void another_seed_plays_other_games(void **state) {
    (void)state;
    struct match_options options = options_for(rookies, 2, 6);
    struct match *first = run(&options);
    options.seed++;
    struct match *second = run(&options);
    assert_true(first->hash != second->hash);
    match_free(first);
    match_free(second);
}

static void more_games_begin_with_the_same_ones(void **state) {
    (void)state;
    struct match_options options = options_for(rookies, 2, 4);
    struct match *few = run(&options);
    options.games = 12;
    struct match *many = run(&options);
    assert_same_games(few, many, 4);
    match_free(few);
    match_free(many);
}

static struct record *read_record(const char *name) {
    char path[128];
    struct fault fault = {0};
    size_t length;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = files_read(path, RECORD_BYTES_MAX, &length, &fault);
    if (!text) fail_msg("%s: %s", path, fault.text);
    struct record *record = support_record(text);
    free(text);
    return record;
}

static void a_pair_shares_set_ups_and_chance_and_exchanges_the_players(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "tests/data/first_move.lua"};
    struct match_options options = options_for(players, 2, 2);
    options.folder = folder;
    struct match *match = run(&options);
    struct record *first = read_record("0001.rec"), *second = read_record("0002.rec");
    assert_string_equal(record_tag(first, "Red"), "rookie");
    assert_string_equal(record_tag(first, "Blue"), "first_move");
    assert_string_equal(record_tag(second, "Red"), "first_move");
    assert_string_equal(record_tag(second, "Blue"), "rookie");
    static const char *const shared[] = {"RedSetup", "BlueSetup", "Seed", "Variant"};
    for (int i = 0; i < 4; i++) {
        assert_string_equal(record_tag(first, shared[i]), record_tag(second, shared[i]));
    }
    assert_string_not_equal(record_tag(first, "RedSetup"), record_tag(first, "BlueSetup"));
    record_free(first);
    record_free(second);
    match_free(match);
}

static void the_same_bot_twice_wins_each_pair_once(void **state) {
    (void)state;
    struct match_options options = options_for(rookies, 2, 20);
    struct match *match = run(&options);
    /* Same set-ups, same chance: the second game of a pair is the first one again. */
    assert_int_equal(match->statistics[0].pairs[2], 10);
    assert_int_equal(match->statistics[1].pairs[2], 10);
    assert_int_equal(match->games[0].plies, match->games[1].plies);
    match_free(match);
}

static void every_record_that_is_written_verifies(void **state) {
    (void)state;
    struct match_options options = options_for(rookies, 2, 6);
    options.folder = folder;
    struct match *match = run(&options);
    for (uint32_t i = 0; i < 6; i++) {
        char name[16];
        struct fault fault = {0};
        struct replay replay;
        snprintf(name, sizeof name, "%04d.rec", (int)i + 1);
        struct record *record = read_record(name);
        struct ply *history = calloc(record->move_count + 1, sizeof *history);
        struct game game;
        if (!record_replay(record, duel, UINT32_MAX, &game, history, &replay, &fault)) {
            fail_msg("%s: %s", name, fault.text);
        }
        assert_int_equal(replay.result, match->games[i].result);
        assert_int_equal(replay.plies, match->games[i].plies);
        free(history);
        record_free(record);
    }
    match_free(match);
}

static void a_folder_that_holds_anything_is_refused(void **state) {
    (void)state;
    char path[128];
    struct fault fault = {0};
    struct match_options options = options_for(rookies, 2, 2);
    options.folder = folder;
    snprintf(path, sizeof path, "%s/mine", folder);
    assert_true(files_write_new(path, "x", 1, &fault));
    assert_null(match_run(&options, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    assert_string_equal(fault.file, folder);
}

static void set_ups_are_drawn_from_a_list_when_there_is_one(void **state) {
    (void)state;
    static const char text[] = "M..2....../...9..2.../3.S......3/....BFB...";
    struct setups setups;
    struct fault fault = {0};
    assert_true(setups_read(duel, text, strlen(text), &setups, &fault));
    struct match_options options = options_for(rookies, 2, 2);
    options.setups = &setups;
    options.folder = folder;
    match_free(run(&options));
    struct record *record = read_record("0002.rec");
    assert_string_equal(record_tag(record, "RedSetup"), text);
    assert_string_equal(record_tag(record, "BlueSetup"), text);
    record_free(record);
    setups_clear(&setups);
}

static void the_first_side_is_as_wished_or_tossed_for_each_pair(void **state) {
    (void)state;
    struct rules *chosen = support_rules("milton-bradley");
    struct limits short_games = {.no_attack = 0, .plies = 20};
    chosen->limits = short_games;
    struct match_options options = options_for(rookies, 2, 20);
    options.rules = chosen;
    options.folder = folder;
    match_free(run(&options));
    int blue_first = 0;
    for (int pair = 0; pair < 10; pair++) {
        char name[2][16];
        bool blue[2];
        for (int i = 0; i < 2; i++) {
            snprintf(name[i], sizeof name[i], "%04d.rec", 2 * pair + i + 1);
            struct record *record = read_record(name[i]);
            blue[i] = record_tag(record, "First") && !strcmp(record_tag(record, "First"), "blue");
            record_free(record);
        }
        assert_int_equal(blue[0], blue[1]);
        blue_first += blue[0];
    }
    assert_in_range(blue_first, 1, 9);
    rules_free(chosen);
}

static void a_bot_that_breaks_forfeits_and_the_reason_is_counted(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "tests/data/endless.lua",
                                          "tests/data/mistaken.lua"};
    struct match_options options = options_for(players, 3, 2);
    options.limits.fuel = 1000000;
    struct match *match = run(&options);
    assert_int_equal(match->statistics[1].forfeits[REASON_FORFEIT_FUEL], 3);
    assert_int_equal(match->statistics[2].forfeits[REASON_FORFEIT_ERROR], 3);
    assert_int_equal(match->statistics[0].wins, 4);
    assert_non_null(match->games[0].forfeit);
    match_free(match);
}

static void a_bot_that_cannot_be_loaded_is_reported_before_any_game(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "tests/data/nobody.lua"};
    struct fault fault = {0};
    struct match_options options = options_for(players, 2, 2);
    char path[128];
    struct stat about;
    options.folder = folder;
    assert_null(match_run(&options, &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    snprintf(path, sizeof path, "%s/0001.rec", folder);
    assert_int_not_equal(stat(path, &about), 0);
}

static uint32_t progress_calls;

static void count_progress(void *context, uint32_t done, uint32_t total) {
    (void)context;
    assert_int_equal(done, ++progress_calls);
    assert_int_equal(total, 12);
}

static void progress_counts_every_game_in_order(void **state) {
    (void)state;
    struct match_options options = options_for(rookies, 2, 12);
    options.jobs = 4;
    options.progress = count_progress;
    progress_calls = 0;
    match_free(run(&options));
    assert_int_equal(progress_calls, 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_plays_the_same_games),
        cmocka_unit_test(another_seed_plays_other_games),
        cmocka_unit_test(more_games_begin_with_the_same_ones),
        cmocka_unit_test_setup_teardown(a_pair_shares_set_ups_and_chance_and_exchanges_the_players,
                                        make_folder, remove_folder),
        cmocka_unit_test(the_same_bot_twice_wins_each_pair_once),
        cmocka_unit_test_setup_teardown(every_record_that_is_written_verifies, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_folder_that_holds_anything_is_refused, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(set_ups_are_drawn_from_a_list_when_there_is_one,
                                        make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_first_side_is_as_wished_or_tossed_for_each_pair,
                                        make_folder, remove_folder),
        cmocka_unit_test(a_bot_that_breaks_forfeits_and_the_reason_is_counted),
        cmocka_unit_test_setup_teardown(a_bot_that_cannot_be_loaded_is_reported_before_any_game,
                                        make_folder, remove_folder),
        cmocka_unit_test(progress_counts_every_game_in_order),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
