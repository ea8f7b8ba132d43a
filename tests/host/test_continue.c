/* A game continued after some of its moves is the same game, as if nothing had interrupted it. */
#include "core/text/layout.h"
#include "host/players.h"
#include "host/referee.h"

#include "scripted.h"
#include "support.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 11 };

static struct rules *rules;

/* A game of two bots; the moves of `before` (may be NULL), at most `count`, have been played. */
static struct record *bots_play(const char *red, const char *blue, uint32_t plies,
                                const struct record *before, size_t count) {
    struct player players[2];
    const char *const names[2] = {red, blue};
    struct fault fault = {0};
    for (int side = RED; side <= BLUE; side++) {
        const struct chance chance = {{SEED, (uint8_t)side}};
        const struct player_options seat = {.folders = support_folders(),
                                            .limits = SANDBOX_DEFAULTS};
        assert_true(player_bot(&players[side], &seat, names[side], &chance, &fault));
    }
    struct limits limits = {.plies = plies};
    struct setup setups[2];
    struct referee_options options = {.limits = &limits, .seed = SEED};
    if (before) {
        options.played = before->moves;
        options.played_count = count;
        options.ask_anyway = true;
        for (int side = RED; side <= BLUE; side++) {
            const char *text = record_tag(before, side == RED ? "RedSetup" : "BlueSetup");
            assert_true(setup_read(rules, RED, text, strlen(text), &setups[side], NULL));
            options.setups[side] = &setups[side];
        }
    }
    struct record *record = record_new();
    struct referee_report report;
    struct player *const seats[2] = {&players[RED], &players[BLUE]};
    if (!referee_play(rules, seats, &options, record, &report, &fault)) fail_msg("%s", fault.text);
    for (int side = RED; side <= BLUE; side++) players[side].close(players[side].self);
    return record;
}

static void assert_taken_up(const char *variant, const char *red, const char *blue,
                            uint32_t plies) {
    rules = support_rules(variant);
    struct record *whole = bots_play(red, blue, plies, NULL, 0);
    char *text = record_write(whole);
    const size_t breaks[] = {
        0, 1, 2, whole->move_count / 2, whole->move_count - 1, whole->move_count};
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        struct record *again = bots_play(red, blue, plies, whole, breaks[i]);
        char *same = record_write(again);
        assert_string_equal(same, text);
        free(same);
        record_free(again);
    }
    free(text);
    record_free(whole);
    rules_free(rules);
}

static void bots_that_play_by_chance_go_on_as_if_nothing_had_happened(void **state) {
    (void)state;
    assert_taken_up("duel", "rookie", "rookie", 200);
    assert_taken_up("barrage", "raider", "rookie", 200);
}

static void bots_that_remember_what_they_observed_go_on_too(void **state) {
    (void)state;
    assert_taken_up("infiltrator", "hunter", "hunter", 120);
    assert_taken_up("galaxy-duel", "hunter", "raider", 100);
}

static void a_bot_that_looks_ahead_goes_on_too(void **state) {
    (void)state;
    assert_taken_up("barrage", "seer", "hunter", 16);
}

static struct setup setups[2]; /* of duel */
static struct scripted red, blue;

static int seat(void **state) {
    (void)state;
    struct random random = random_stream(7, STREAM_RED_SETUP, 0);
    rules = support_rules("duel");
    for (int side = RED; side <= BLUE; side++)
        if (!setup_random(rules, RED, &random, &setups[side], NULL)) return -1;
    scripted_start(&red, "alice", &setups[RED], 1);
    scripted_start(&blue, "bob", &setups[BLUE], 2);
    return 0;
}

static int leave(void **state) {
    (void)state;
    rules_free(rules);
    return 0;
}

/* What `follow` was shown. */
static struct kept {
    int times;
    char *first, *last;
} kept;

static void keep(void *context, const struct session *session) {
    struct kept *all = context;
    char *text = record_write(session->record);
    if (!all->times++) {
        all->first = text;
        return;
    }
    free(all->last);
    all->last = text;
}

static struct record *play_kept(const struct record *before, size_t count,
                                struct referee_report *report) {
    struct player *const players[2] = {&red.player, &blue.player};
    struct referee_options options = {.setups = {&setups[RED], &setups[BLUE]},
                                      .follow = keep,
                                      .context = &kept,
                                      .played = before ? before->moves : NULL,
                                      .played_count = count};
    struct record *record = record_new();
    kept = (struct kept){0};
    assert_true(referee_play(rules, players, &options, record, report, NULL));
    return record;
}

static void nobody_is_asked_for_what_was_played_but_both_are_told(void **state) {
    (void)state;
    struct referee_report report;
    red.quit_after = 6;
    struct record *record = play_kept(NULL, 0, &report);
    assert_int_equal(report.plies, 12);
    free(kept.first), free(kept.last);
    int told = blue.told;
    leave(NULL);
    seat(NULL);
    red.quit_after = 2;
    struct record *again = play_kept(record, 10, &report);
    assert_int_equal(report.plies, 14);
    assert_int_equal(red.made, 2);
    assert_int_equal(blue.made, 2);
    assert_true(blue.told > told);
    assert_int_equal(kept.times, 6); /* at the beginning, four turns, and the end */
    assert_non_null(strstr(kept.first, "5. "));
    assert_null(strstr(kept.first, "6. "));
    free(kept.first), free(kept.last);
    record_free(again);
    record_free(record);
}

static void what_is_kept_is_a_whole_record_of_a_running_game(void **state) {
    (void)state;
    struct referee_report report;
    red.quit_after = 3;
    struct record *record = play_kept(NULL, 0, &report);
    assert_int_equal(kept.times, 8);
    struct record *first = support_record(kept.first), *last = support_record(kept.last);
    struct playback replay;
    assert_true(playback_open(&replay, first, rules, NULL) &&
                playback_run(&replay, UINT32_MAX, NULL));
    assert_int_equal(replay.plies, 0);
    playback_close(&replay);
    assert_true(playback_open(&replay, last, rules, NULL) &&
                playback_run(&replay, UINT32_MAX, NULL));
    assert_int_equal(replay.plies, 6);
    assert_int_equal(replay.result, RESULT_NONE);
    playback_close(&replay);
    free(kept.first), free(kept.last);
    record_free(first);
    record_free(last);
    record_free(record);
}

static void a_move_that_is_not_legal_is_named_with_its_place(void **state) {
    (void)state;
    struct player *const players[2] = {&red.player, &blue.player};
    const struct record_move move = {.text = "a9-a8", .line = 7, .column = 4};
    struct referee_options options = {
        .setups = {&setups[RED], &setups[BLUE]}, .played = &move, .played_count = 1};
    struct referee_report report;
    struct fault fault = {0};
    assert_false(referee_play(rules, players, &options, NULL, &report, &fault));
    assert_int_equal(fault.status, STATUS_ILLEGAL_MOVE);
    assert_int_equal(fault.line, 7);
    assert_int_equal(fault.column, 4);
    assert_int_equal(red.made, 0);
}

int main(void) {
#define SEATED(test) cmocka_unit_test_setup_teardown(test, seat, leave)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_that_play_by_chance_go_on_as_if_nothing_had_happened),
        cmocka_unit_test(bots_that_remember_what_they_observed_go_on_too),
        cmocka_unit_test(a_bot_that_looks_ahead_goes_on_too),
        SEATED(nobody_is_asked_for_what_was_played_but_both_are_told),
        SEATED(what_is_kept_is_a_whole_record_of_a_running_game),
        SEATED(a_move_that_is_not_legal_is_named_with_its_place),
    };
    return cmocka_run_group_tests_name("host/continue", tests, NULL, NULL);
}
