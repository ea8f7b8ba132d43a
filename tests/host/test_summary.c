/* The numbers of a report, compared with the texts of the records. */
#include "host/report/report_json.h"

#include "base/files.h"
#include "games/fabricated.h"
#include "host/match/store.h"
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct fabrication THREE = {.variant = "duel",
                                         .names = {"anna", "boris", "clara"},
                                         .players = 3,
                                         .pairs = 9,
                                         .plies = 300,
                                         .forfeit = 5,
                                         .why = "bots/boris.lua:7: \"no\" idea"};

static struct summary *report_at(const char *folder, uint32_t games_max, size_t bytes_max) {
    struct fault fault = {0};
    const struct summary_options options = {
        .folders = support_folders(), .games_max = games_max, .bytes_max = bytes_max};
    struct summary *report = summary_of_folder(folder, &options, &fault);
    if (!report) fail_msg("%s: %s", fault.file, fault.text);
    return report;
}

/* A match in a fresh folder, and its report. */
static struct summary *report_of(const struct fabrication *plan, char folder[64]) {
    struct rules *rules = support_rules(plan->variant);
    support_folder(folder);
    fabricated_match(folder, rules, plan);
    rules_free(rules);
    return report_at(folder, UINT32_MAX, REEL_BYTES_MAX);
}

struct reading {
    char red[32], blue[32], result[8], reason[32], setup[2][64];
    uint32_t plies;
    uint32_t battles[100];
};

static void read_tag(const char *text, const char *name, char *out, size_t size) {
    char start[32];
    snprintf(start, sizeof start, "[%s \"", name);
    const char *value = strstr(text, start);
    assert_non_null(value);
    value += strlen(start);
    snprintf(out, size, "%.*s", (int)strcspn(value, "\""), value);
}

static struct reading read_game(const char *folder, uint32_t number) {
    char path[128];
    struct reading reading = {0};
    struct fault fault = {0};
    size_t length;
    snprintf(path, sizeof path, "%s/%04u.rec", folder, number);
    char *text = files_read(path, 1 << 20, &length, &fault);
    assert_non_null(text);
    read_tag(text, "Red", reading.red, sizeof reading.red);
    read_tag(text, "Blue", reading.blue, sizeof reading.blue);
    read_tag(text, "Result", reading.result, sizeof reading.result);
    read_tag(text, "Reason", reading.reason, sizeof reading.reason);
    read_tag(text, "RedSetup", reading.setup[RED], sizeof reading.setup[RED]);
    read_tag(text, "BlueSetup", reading.setup[BLUE], sizeof reading.setup[BLUE]);
    char *moves = strstr(text, "\n\n"), *rest = NULL;
    for (char *word = strtok_r(moves, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        if (strchr(word, '.')) continue;
        reading.plies++;
        char *attack = strchr(word, 'x');
        if (attack) reading.battles[10 * (atoi(attack + 2) - 1) + attack[1] - 'a']++;
    }
    free(text);
    return reading;
}

/* Half points of red. */
static int red_points(const struct reading *reading) {
    return strcmp(reading->result, "red") == 0 ? 2 : strcmp(reading->result, "blue") == 0 ? 0 : 1;
}

static json_int_t number_in(json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static json_t *player_in(json_t *numbers, const char *name) {
    size_t index;
    json_t *player;
    json_array_foreach(json_object_get(numbers, "players"), index, player) {
        if (!strcmp(json_string_value(json_object_get(player, "name")), name)) return player;
    }
    fail_msg("no player %s", name);
    return NULL;
}

static void players_have_what_their_records_say(void **state) {
    (void)state;
    char folder[64];
    struct summary *report = report_of(&THREE, folder);
    json_t *numbers = report_numbers(report);
    for (int i = 0; i < THREE.players; i++) {
        const char *name = THREE.names[i];
        json_int_t wins = 0, losses = 0, draws = 0, forfeits = 0;
        for (uint32_t g = 1; g <= report->games; g++) {
            struct reading game = read_game(folder, g);
            bool red = !strcmp(game.red, name);
            if (!red && strcmp(game.blue, name) != 0) continue;
            int points = red ? red_points(&game) : 2 - red_points(&game);
            wins += points == 2;
            draws += points == 1;
            losses += points == 0;
            forfeits += points == 0 && !strncmp(game.reason, "forfeit", 7);
        }
        json_t *player = player_in(numbers, name);
        assert_int_equal(number_in(player, "wins"), wins);
        assert_int_equal(number_in(player, "draws"), draws);
        assert_int_equal(number_in(player, "losses"), losses);
        json_t *forfeited = json_object_get(player, "forfeits");
        assert_int_equal(forfeits ? number_in(forfeited, "forfeit-error") : 0, forfeits);
        double games = (double)(wins + draws + losses);
        assert_true(fabs(json_number_value(json_object_get(player, "score")) -
                         ((double)wins + (double)draws / 2) / games) < 1e-6);
    }
    assert_true(number_in(numbers, "forfeited") > 0);
    json_decref(numbers);
    summary_free(report);
    support_remove(folder);
}

static void pairs_are_counted_for_the_first_of_each_meeting(void **state) {
    (void)state;
    char folder[64];
    struct summary *report = report_of(&THREE, folder);
    json_t *numbers = report_numbers(report), *meetings = json_object_get(numbers, "meetings");
    assert_int_equal(json_array_size(meetings), 3);
    for (uint32_t m = 0; m < 3; m++) {
        json_int_t pairs[5] = {0};
        for (uint32_t p = 0; p < THREE.pairs; p++) {
            uint32_t first = 2 * (m * THREE.pairs + p) + 1;
            struct reading one = read_game(folder, first), two = read_game(folder, first + 1);
            pairs[red_points(&one) + 2 - red_points(&two)]++;
        }
        json_t *found = json_object_get(json_array_get(meetings, m), "pairs");
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(json_integer_value(json_array_get(found, i)), pairs[i]);
    }
    json_decref(numbers);
    summary_free(report);
    support_remove(folder);
}

static void lengths_reasons_and_places_are_those_of_the_records(void **state) {
    (void)state;
    char folder[64];
    struct summary *report = report_of(&THREE, folder);
    json_t *numbers = report_numbers(report), *lengths = json_object_get(numbers, "lengths");
    uint32_t flags[100] = {0}, battles[100] = {0}, plies = 0, longest = 0, flag_endings = 0;
    for (uint32_t g = 1; g <= report->games; g++) {
        struct reading game = read_game(folder, g);
        plies += game.plies;
        if (game.plies > longest) longest = game.plies;
        flag_endings += !strcmp(game.reason, "flag");
        for (int at = 0; at < 100; at++) battles[at] += game.battles[at];
        for (int side = RED; side <= BLUE; side++) {
            /* Four ranks of ten and a '/', the front one first. */
            int place = (int)strcspn(game.setup[side], "F");
            int at = 10 * (3 - place / 11) + place % 11;
            flags[side == RED ? at : 99 - at]++;
        }
    }
    assert_true(fabs(json_number_value(json_object_get(lengths, "mean")) -
                     (double)plies / report->games) < 0.01);
    assert_int_equal(number_in(lengths, "longest"), longest);
    assert_int_equal(number_in(json_object_get(numbers, "reasons"), "flag"), flag_endings);
    size_t index;
    json_t *count;
    json_int_t binned = 0;
    json_array_foreach(json_object_get(lengths, "counts"), index, count) {
        binned += json_integer_value(count);
    }
    assert_int_equal(binned, report->games);
    for (size_t at = 0; at < 100; at++) {
        json_t *flag = json_array_get(json_object_get(numbers, "flags"), at);
        json_t *battle = json_array_get(json_object_get(numbers, "battles"), at);
        assert_int_equal(json_integer_value(flag), flags[at]);
        assert_int_equal(json_integer_value(battle), battles[at]);
    }
    json_decref(numbers);
    summary_free(report);
    support_remove(folder);
}

static void red_is_scored_over_both_games_of_a_pair(void **state) {
    (void)state;
    char folder[64];
    struct summary *report = report_of(&THREE, folder);
    uint32_t pairs[5] = {0};
    for (uint32_t g = 1; g < report->games; g += 2) {
        struct reading one = read_game(folder, g), two = read_game(folder, g + 1);
        pairs[red_points(&one) + red_points(&two)]++;
    }
    assert_memory_equal(report->red.pairs, pairs, sizeof pairs);
    assert_memory_equal(report->first.pairs, pairs, sizeof pairs); /* red begins here */
    summary_free(report);
    support_remove(folder);
}

static void set_ups_are_judged_by_the_pairs_they_stood_in(void **state) {
    (void)state;
    static const struct fabrication plan = {.variant = "quick",
                                            .names = {"anna", "boris"},
                                            .players = 2,
                                            .pairs = 24,
                                            .plies = 300,
                                            .setups = 3};
    char folder[64];
    struct summary *report = report_of(&plan, folder);
    json_t *numbers = report_numbers(report), *setups = json_object_get(numbers, "setups");
    assert_int_equal(number_in(setups, "different"), 6);
    assert_int_equal(number_in(setups, "judged"), 6);
    for (uint32_t s = 0; s < report->setups; s++) {
        const struct summary_setup *setup = &report->setup_list[s];
        uint32_t pairs[5] = {0}, wins = 0;
        for (uint32_t g = 1; g < report->games; g += 2) {
            struct reading one = read_game(folder, g), two = read_game(folder, g + 1);
            int points = red_points(&one) + red_points(&two);
            if (!strcmp(one.setup[RED], setup->text)) {
                pairs[points]++;
                wins += (uint32_t)((red_points(&one) == 2) + (red_points(&two) == 2));
            } else if (!strcmp(one.setup[BLUE], setup->text)) {
                pairs[4 - points]++;
                wins += (uint32_t)((red_points(&one) == 0) + (red_points(&two) == 0));
            }
        }
        assert_memory_equal(setup->statistics.pairs, pairs, sizeof pairs);
        assert_int_equal(setup->statistics.wins, wins);
    }
    const char *as = json_string_value(
        json_object_get(json_array_get(json_object_get(setups, "list"), 0), "as"));
    assert_string_equal(as, "most");
    json_decref(numbers);
    summary_free(report);
    support_remove(folder);
}

static void a_match_that_is_not_finished_is_reported_as_far_as_it_went(void **state) {
    (void)state;
    struct fabrication plan = THREE;
    plan.planned = 500;
    char folder[64];
    struct summary *report = report_of(&plan, folder);
    json_t *numbers = report_numbers(report);
    assert_int_equal(number_in(numbers, "planned"), 500);
    assert_int_equal(number_in(numbers, "played"), 54);
    assert_true(json_is_null(json_object_get(numbers, "ended")));
    assert_int_equal(report->reel.count, 54);
    json_decref(numbers);
    summary_free(report);
    support_remove(folder);
}

static void the_sequential_test_is_that_of_the_first_against_the_second(void **state) {
    (void)state;
    struct fabrication plan = THREE;
    plan.players = 2;
    plan.sprt = "0,200,0.05,0.1";
    char folder[64];
    struct summary *report = report_of(&plan, folder);
    json_t *numbers = report_numbers(report), *test = json_object_get(numbers, "sprt");
    const struct sprt sprt = {0, 200, 0.05, 0.1};
    double llr = sprt_llr(&sprt, report->cross[1].pairs);
    assert_true(fabs(json_number_value(json_object_get(test, "llr")) - llr) < 1e-3);
    assert_string_equal(json_string_value(json_object_get(test, "decision")),
                        sprt_decision_name(sprt_decide(&sprt, report->cross[1].pairs)));
    json_decref(numbers);
    summary_free(report);
    support_remove(folder);
}

static void a_record_that_was_changed_costs_its_film_not_its_result(void **state) {
    (void)state;
    char folder[64], path[128];
    struct summary *whole = report_of(&THREE, folder);
    snprintf(path, sizeof path, "%s/0003.rec", folder);
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    fputs(" 999. a1-a2\n", file);
    fclose(file);
    snprintf(path, sizeof path, "%s/0008.rec", folder);
    unlink(path);
    struct summary *damaged = report_at(folder, UINT32_MAX, REEL_BYTES_MAX);
    assert_int_equal(whole->unread, 0);
    assert_int_equal(damaged->unread, 2);
    assert_non_null(strstr(damaged->unread_why.file, "0003.rec"));
    assert_true(damaged->hash == whole->hash);
    assert_int_equal(damaged->reel.count, whole->games - 2);
    assert_memory_equal(damaged->total, whole->total, sizeof whole->total);
    summary_free(damaged);
    summary_free(whole);
    support_remove(folder);
}

static void films_are_thinned_out_evenly_and_forfeits_stay(void **state) {
    (void)state;
    char folder[64];
    summary_free(report_of(&THREE, folder));
    struct summary *report = report_at(folder, UINT32_MAX, 40000);
    assert_true(report->reel.count > 5 && report->reel.count < report->games);
    assert_true(report->reel.bytes <= 40000);
    uint32_t of_meeting[3] = {0};
    for (size_t i = 0; i < report->reel.count; i++) {
        uint32_t game = report->reel.list[i].game;
        assert_true(i == 0 || game > report->reel.list[i - 1].game);
        of_meeting[game / 2 / THREE.pairs]++;
    }
    for (int m = 0; m < 3; m++) assert_true(of_meeting[m] > 0);
    assert_true(report->list[4].forfeit || report->list[9].forfeit);
    for (size_t i = 0; i < report->reel.count; i++) {
        const struct reel_game *entry = &report->reel.list[i];
        assert_true(entry->pinned == (report->list[entry->game].forfeit != NULL) ||
                    report->reel.pinned_bytes >= 10000);
    }
    summary_free(report);
    report = report_at(folder, 10, SIZE_MAX);
    uint32_t others = 0;
    for (size_t i = 0; i < report->reel.count; i++) others += !report->reel.list[i].pinned;
    assert_true(others >= 6 && others <= 10);
    summary_free(report);
    support_remove(folder);
}

static void a_folder_without_a_match_is_refused(void **state) {
    (void)state;
    char folder[64];
    struct fault fault = {0};
    const struct summary_options options = {.folders = support_folders(), .games_max = UINT32_MAX};
    support_folder(folder);
    assert_null(summary_of_folder(folder, &options, &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    support_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(players_have_what_their_records_say),
        cmocka_unit_test(pairs_are_counted_for_the_first_of_each_meeting),
        cmocka_unit_test(lengths_reasons_and_places_are_those_of_the_records),
        cmocka_unit_test(red_is_scored_over_both_games_of_a_pair),
        cmocka_unit_test(set_ups_are_judged_by_the_pairs_they_stood_in),
        cmocka_unit_test(a_match_that_is_not_finished_is_reported_as_far_as_it_went),
        cmocka_unit_test(the_sequential_test_is_that_of_the_first_against_the_second),
        cmocka_unit_test(a_record_that_was_changed_costs_its_film_not_its_result),
        cmocka_unit_test(films_are_thinned_out_evenly_and_forfeits_stay),
        cmocka_unit_test(a_folder_without_a_match_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
