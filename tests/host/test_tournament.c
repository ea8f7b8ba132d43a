/* Many games: pairs, threads, set-ups, forfeits, decisions. cli/test_match_resume.c
 * interrupts matches. */
#include "host/match/tournament.h"

#include "base/files.h"
#include "support.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const rookies[] = {"rookie", "rookie"};

static struct tournament_options options_for(const char *const *players, int player_count,
                                             uint32_t games) {
    return (struct tournament_options){.folders = support_folders(),
                                       .rules = duel,
                                       .players = players,
                                       .player_count = player_count,
                                       .games = games,
                                       .jobs = 2,
                                       .chance = {{42}},
                                       .limits = SANDBOX_DEFAULTS};
}

static struct tournament *run(const struct tournament_options *options) {
    struct fault fault = {0};
    struct tournament *match = tournament_run(options, &fault);
    if (!match) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    return match;
}

/* The same with a store in the test's test_folder. */
static struct tournament *run_in_folder(struct tournament_options *options) {
    struct fault fault = {0};
    options->store = store_create(test_folder, &fault);
    if (!options->store) fail_msg("%s: %s", fault.file, fault.text);
    struct tournament *match = run(options);
    store_close(options->store);
    options->store = NULL;
    return match;
}

static void assert_same_games(const struct tournament *a, const struct tournament *b,
                              uint32_t count) {
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
    struct tournament_options options = options_for(players, 3, 10);
    options.jobs = 1;
    struct tournament *alone = run(&options);
    assert_int_equal(alone->game_count, 30);
    static const int jobs[] = {1, 2, 4, 9};
    for (int i = 0; i < 4; i++) {
        options.jobs = jobs[i];
        struct tournament *match = run(&options);
        assert_true(match->hash == alone->hash);
        assert_same_games(alone, match, alone->game_count);
        tournament_free(match);
    }
    tournament_free(alone);
}

static void another_seed_plays_other_games(void **state) {
    (void)state;
    struct tournament_options options = options_for(rookies, 2, 6);
    struct tournament *first = run(&options);
    options.chance.bytes[0]++;
    struct tournament *second = run(&options);
    assert_true(first->hash != second->hash);
    tournament_free(first);
    tournament_free(second);
}

static void more_games_begin_with_the_same_ones(void **state) {
    (void)state;
    struct tournament_options options = options_for(rookies, 2, 4);
    struct tournament *few = run(&options);
    options.games = 12;
    struct tournament *many = run(&options);
    assert_same_games(few, many, 4);
    tournament_free(few);
    tournament_free(many);
}

static struct record *read_record(const char *name) {
    char path[128];
    struct fault fault = {0};
    size_t length;
    snprintf(path, sizeof path, "%s/%s", test_folder, name);
    char *text = files_read(path, RECORD_BYTES_MAX, &length, &fault);
    if (!text) fail_msg("%s: %s", path, fault.text);
    struct record *record = support_record(text);
    free(text);
    return record;
}

static void assert_same_tag(const struct record *a, const char *tag, const struct record *b,
                            const char *other) {
    assert_string_equal(record_tag(a, tag), record_tag(b, other));
}

static void a_pair_exchanges_the_players_and_each_keeps_the_army_that_it_laid_out(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "tests/data/first_move.lua"};
    struct tournament_options options = options_for(players, 2, 2);
    struct tournament *match = run_in_folder(&options);
    struct record *first = read_record("0001.rec"), *second = read_record("0002.rec");
    assert_string_equal(record_tag(first, "Red"), "rookie");
    assert_string_equal(record_tag(first, "Blue"), "first_move");
    assert_same_tag(first, "Red", second, "Blue");
    assert_same_tag(first, "Blue", second, "Red");
    assert_same_tag(first, "RedSetup", second, "BlueSetup");
    assert_same_tag(first, "BlueSetup", second, "RedSetup");
    assert_same_tag(first, "Seed", second, "Seed");
    assert_same_tag(first, "Variant", second, "Variant");
    assert_string_not_equal(record_tag(first, "RedSetup"), record_tag(first, "BlueSetup"));
    record_free(first);
    record_free(second);
    tournament_free(match);
}

/* Lays out an army of its own and breaks as soon as it plays with another. */
static void a_bot_finds_its_pieces_as_it_laid_them_in_both_games_of_a_pair(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "tests/data/own_army.lua"};
    struct tournament_options options = options_for(players, 2, 10);
    struct tournament *match = run(&options);
    if (match->forfeit_count) fail_msg("%s", match->forfeits[0].fault.text);
    tournament_free(match);
}

/* It says in bot.start what its chance begins with. */
static void chance_goes_with_the_player_and_not_with_the_colour(void **state) {
    (void)state;
    static const char *const players[] = {"tests/data/says_chance.lua", "rookie"};
    struct tournament_options options = options_for(players, 2, 4);
    struct tournament *match = run(&options);
    assert_int_equal(match->forfeit_count, 4);
    const struct tournament_fault *said = match->forfeits;
    assert_string_equal(said[0].fault.text, said[1].fault.text);
    assert_string_equal(said[2].fault.text, said[3].fault.text);
    assert_string_not_equal(said[0].fault.text, said[2].fault.text);
    tournament_free(match);
}

static void the_seats_of_a_game_share_no_chance(void **state) {
    (void)state;
    static const char *const players[2][2] = {{"tests/data/says_chance.lua", "rookie"},
                                              {"rookie", "tests/data/says_chance.lua"}};
    char said[2][FAULT_TEXT_MAX];
    for (int i = 0; i < 2; i++) {
        struct tournament_options options = options_for(players[i], 2, 2);
        struct tournament *match = run(&options);
        assert_int_equal(match->forfeit_count, 2);
        strcpy(said[i], match->forfeits[0].fault.text);
        tournament_free(match);
    }
    assert_string_not_equal(said[0], said[1]);
}

/* Four words of xoshiro256** reveal its state; that state is no seed's. */
static void a_bot_that_reckons_its_own_stream_comes_to_no_seed(void **state) {
    (void)state;
    static const char *const players[] = {"tests/data/reckoner.lua", "rookie"};
    struct tournament_options options = options_for(players, 2, 10);
    struct tournament *match = run(&options);
    assert_int_equal(match->forfeit_count, 10);
    for (int i = 0; i < 10; i++) {
        assert_non_null(
            strstr(match->forfeits[i].fault.text, "foretells its stream, knows no seed"));
    }
    tournament_free(match);
}

static void every_record_that_is_written_verifies(void **state) {
    (void)state;
    struct tournament_options options = options_for(rookies, 2, 6);
    struct tournament *match = run_in_folder(&options);
    for (uint32_t i = 0; i < 6; i++) {
        char name[16];
        struct fault fault = {0};
        struct playback replay;
        snprintf(name, sizeof name, "%04d.rec", (int)i + 1);
        struct record *record = read_record(name);
        if (!playback_open(&replay, record, duel, &fault) ||
            !playback_run(&replay, UINT32_MAX, &fault))
            fail_msg("%s: %s", name, fault.text);
        assert_int_equal(replay.result, match->games[i].result);
        assert_int_equal(replay.plies, match->games[i].plies);
        playback_close(&replay);
        record_free(record);
    }
    tournament_free(match);
}

static void set_ups_are_drawn_from_a_list_when_there_is_one(void **state) {
    (void)state;
    static const char text[] = "M..2....../...9..2.../3.S......3/....BFB...";
    struct setup_pool setups;
    struct fault fault = {0};
    assert_true(setup_pool_read(duel, RED, text, strlen(text), &setups, &fault));
    struct tournament_options options = options_for(rookies, 2, 2);
    options.family_count = 1;
    options.family[0] = (struct tournament_family){"it", &setups};
    tournament_free(run_in_folder(&options));
    struct record *record = read_record("0002.rec");
    assert_string_equal(record_tag(record, "RedSetup"), text);
    assert_string_equal(record_tag(record, "BlueSetup"), text);
    record_free(record);
    setup_pool_clear(&setups);
}

static void the_first_side_is_as_wished_or_tossed_for_each_pair(void **state) {
    (void)state;
    struct rules *chosen = support_rules("milton-bradley");
    struct limits short_games = {.no_attack = 0, .plies = 20};
    chosen->limits = short_games;
    struct tournament_options options = options_for(rookies, 2, 20);
    options.rules = chosen;
    tournament_free(run_in_folder(&options));
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
    struct tournament_options options = options_for(players, 3, 2);
    options.limits.fuel = 1000000;
    struct tournament *match = run(&options);
    assert_int_equal(match->statistics[1].forfeits[REASON_FORFEIT_FUEL], 3);
    assert_int_equal(match->statistics[2].forfeits[REASON_FORFEIT_ERROR], 3);
    assert_int_equal(match->statistics[0].wins, 4);
    assert_int_equal(match->forfeit_count, 6);
    assert_string_equal(match->forfeits[0].fault.file, "tests/data/endless.lua");
    tournament_free(match);
}

static void a_bot_that_cannot_be_loaded_ends_the_match_before_it_begins(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "tests/data/nobody.lua"};
    struct fault fault = {0};
    struct tournament_options options = options_for(players, 2, 2);
    assert_null(tournament_open(&options, &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
}

static uint32_t games_told;

static void count_games(void *context, const struct tournament *match,
                        const struct tournament_news *news) {
    (void)context;
    assert_int_equal(news->number, games_told++);
    assert_int_equal(match->counted, games_told);
    assert_int_equal(news->forfeit.status, STATUS_OK);
}

static void every_game_is_told_once_and_in_order(void **state) {
    (void)state;
    struct tournament_options options = options_for(rookies, 2, 12);
    options.jobs = 4;
    options.finished = count_games;
    games_told = 0;
    tournament_free(run(&options));
    assert_int_equal(games_told, 12);
}

static void a_gauntlet_is_run_by_the_first_player(void **state) {
    (void)state;
    static const char *const players[] = {"rookie", "rookie", "rookie"};
    struct tournament_options options = options_for(players, 3, 4);
    options.gauntlet = true;
    struct tournament *match = run(&options);
    assert_int_equal(match->game_count, 8);
    for (uint32_t i = 0; i < 8; i++)
        assert_true(match->games[i].player[RED] == 0 || match->games[i].player[BLUE] == 0);
    static const uint32_t games[] = {8, 4, 4};
    for (int i = 0; i < 3; i++) {
        const struct statistics *all = &match->statistics[i];
        assert_int_equal(all->wins + all->draws + all->losses, games[i]);
    }
    tournament_free(match);
}

static void a_cross_table_holds_every_game_from_both_sides(void **state) {
    (void)state;
    static const char *const players[] = {"raider", "rookie", "tests/data/mistaken.lua"};
    struct tournament_options options = options_for(players, 3, 4);
    struct tournament *match = run(&options);
    for (int i = 0; i < 3; i++) {
        struct statistics sum = {0};
        for (int k = 0; k < 3; k++) {
            const struct statistics *met = &match->cross[3 * i + k];
            const struct statistics *back = &match->cross[3 * k + i];
            assert_int_equal(met->wins, back->losses);
            assert_int_equal(met->draws, back->draws);
            assert_int_equal(met->pairs[0], back->pairs[4]);
            assert_int_equal(met->wins + met->draws + met->losses, i == k ? 0 : 4);
            sum.wins += met->wins;
            sum.pairs[4] += met->pairs[4];
        }
        assert_int_equal(sum.wins, match->statistics[i].wins);
        assert_int_equal(sum.pairs[4], match->statistics[i].pairs[4]);
    }
    assert_int_equal(match->cross[2].forfeits[REASON_FORFEIT_ERROR], 0);
    assert_int_equal(match->cross[6].forfeits[REASON_FORFEIT_ERROR], 4);
    tournament_free(match);
}

static void two_families_of_set_ups_change_sides_with_one_bot(void **state) {
    (void)state;
    static const char *const texts[2] = {"M..2....../...9..2.../3.S......3/....BFB...",
                                         "M..2....../...9..2.../3.S......3/...BFB...."};
    static const char *const players[] = {"raider"};
    struct setup_pool setups[2];
    struct fault fault = {0};
    struct tournament_options options = options_for(players, 1, 8);
    options.family_count = 2;
    for (int i = 0; i < 2; i++) {
        assert_true(setup_pool_read(duel, RED, texts[i], strlen(texts[i]), &setups[i], &fault));
        options.family[i] = (struct tournament_family){i ? "right" : "left", &setups[i]};
    }
    struct tournament *match = run_in_folder(&options);
    assert_string_equal(match->name[0], "left");
    assert_string_equal(match->name[1], "right");
    assert_int_equal(match->game_count, 8);
    for (int i = 0; i < 8; i++) {
        char name[16];
        snprintf(name, sizeof name, "%04d.rec", i + 1);
        struct record *record = read_record(name);
        assert_int_equal(match->games[i].player[RED], i % 2);
        assert_string_equal(record_tag(record, "RedSetup"), texts[i % 2]);
        assert_string_equal(record_tag(record, "BlueSetup"), texts[1 - i % 2]);
        assert_string_equal(record_tag(record, "Red"), "raider");
        record_free(record);
        setup_pool_clear(&setups[i % 2]);
        setups[i % 2] = (struct setup_pool){0};
    }
    tournament_free(match);
}

static void random_set_ups_replace_those_of_the_bots(void **state) {
    (void)state;
    static const char *const players[] = {"raider", "rookie"};
    struct tournament_options options = options_for(players, 2, 2);
    struct tournament *own = run(&options);
    options.family_count = 1;
    struct tournament *match = run_in_folder(&options);
    struct record *first = read_record("0001.rec"), *second = read_record("0002.rec");
    assert_true(match->games[0].hash != own->games[0].hash);
    assert_string_equal(record_tag(first, "RedSetup"), record_tag(second, "RedSetup"));
    assert_string_not_equal(record_tag(first, "RedSetup"), record_tag(first, "BlueSetup"));
    record_free(first);
    record_free(second);
    tournament_free(own);
    tournament_free(match);
}

static int records_in_folder(void) {
    int count = 0;
    DIR *open_folder = opendir(test_folder);
    for (struct dirent *entry; (entry = readdir(open_folder));)
        count += strstr(entry->d_name, ".rec") != NULL;
    closedir(open_folder);
    return count;
}

static bool count_row(void *context, const struct store_game *game, struct fault *fault) {
    (void)game, (void)fault;
    ++*(uint32_t *)context;
    return true;
}

static void a_test_ends_with_the_pair_that_decides_it_for_any_number_of_threads(void **state) {
    (void)state;
    static const char *const players[] = {"raider", "rookie"};
    static const struct sprt sprt = {.elo0 = 0, .elo1 = 100, .alpha = 0.05, .beta = 0.05};
    struct tournament_options options = options_for(players, 2, 1000);
    options.sprt = &sprt;
    options.jobs = 1;
    struct tournament *alone = run(&options);
    assert_int_equal(alone->decision, SPRT_H1);
    assert_in_range(alone->counted, 4, 998);
    assert_int_equal(alone->counted % 2, 0);
    assert_true(tournament_complete(alone));
    options.jobs = 7;
    struct tournament *match = run_in_folder(&options);
    assert_int_equal(match->counted, alone->counted);
    assert_true(match->hash == alone->hash);
    assert_memory_equal(&match->statistics[0], &alone->statistics[0], sizeof *match->statistics);
    /* Games played beyond it leave no trace. */
    struct fault fault = {0};
    uint32_t rows = 0;
    struct store *store = store_open(test_folder, STORE_READ, &fault);
    assert_non_null(store);
    assert_true(store_games(store, count_row, &rows, &fault));
    assert_string_equal(store_meta(store, "ended"), "decided");
    store_close(store);
    assert_int_equal(rows, alone->counted);
    assert_int_equal(records_in_folder(), alone->counted);
    tournament_free(match);
    tournament_free(alone);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_plays_the_same_games),
        cmocka_unit_test(another_seed_plays_other_games),
        cmocka_unit_test(more_games_begin_with_the_same_ones),
        cmocka_unit_test_setup_teardown(
            a_pair_exchanges_the_players_and_each_keeps_the_army_that_it_laid_out, make_test_folder,
            remove_test_folder),
        cmocka_unit_test(a_bot_finds_its_pieces_as_it_laid_them_in_both_games_of_a_pair),
        cmocka_unit_test(chance_goes_with_the_player_and_not_with_the_colour),
        cmocka_unit_test(the_seats_of_a_game_share_no_chance),
        cmocka_unit_test(a_bot_that_reckons_its_own_stream_comes_to_no_seed),
        cmocka_unit_test_setup_teardown(every_record_that_is_written_verifies, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(set_ups_are_drawn_from_a_list_when_there_is_one,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(the_first_side_is_as_wished_or_tossed_for_each_pair,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test(a_bot_that_breaks_forfeits_and_the_reason_is_counted),
        cmocka_unit_test(a_bot_that_cannot_be_loaded_ends_the_match_before_it_begins),
        cmocka_unit_test(every_game_is_told_once_and_in_order),
        cmocka_unit_test(a_gauntlet_is_run_by_the_first_player),
        cmocka_unit_test(a_cross_table_holds_every_game_from_both_sides),
        cmocka_unit_test_setup_teardown(two_families_of_set_ups_change_sides_with_one_bot,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(random_set_ups_replace_those_of_the_bots, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(
            a_test_ends_with_the_pair_that_decides_it_for_any_number_of_threads, make_test_folder,
            remove_test_folder),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
