/* A game as its session plays it, step by step. */
#include "host/session.h"

#include "core/text/layout.h"
#include "games/drawn.h"
#include "host/playback.h"
#include "support.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct session *open_session(const struct rules *rules) {
    const struct session_options options = {.rules = rules, .names = {"alice", "bob"}, .seed = 7};
    struct session *session = session_open(&options, NULL);
    assert_non_null(session);
    return session;
}

static void take_setups(struct session *session, uint64_t seed) {
    for (enum side side = RED; side <= BLUE; side++) {
        struct random random = random_stream(seed, STREAM_RED_SETUP, side);
        struct setup setup;
        struct fault fault = {0};
        assert_true(setup_random(session->options.rules, RED, &random, &setup, &fault));
        assert_true(session_take_setup(session, side, &setup, &fault));
    }
}

static struct session *started(const struct rules *rules, uint64_t seed) {
    struct session *session = open_session(rules);
    take_setups(session, seed);
    return session;
}

/* Any legal move; the same for the same position and seed. */
static void play_any(struct session *session, uint64_t seed) {
    struct random random = random_stream(seed, STREAM_PLAYOUT, session->game.ply_count);
    struct fault fault = {0};
    size_t count;
    const struct move *moves = session_moves(session, &count, &fault);
    assert_true(moves && count);
    if (!session_play(session, moves[random_below(&random, (uint32_t)count)], NULL, &fault))
        fail_msg("%s", fault.text);
}

static void expect_wants(const struct session *session, enum want red, enum want blue) {
    assert_int_equal(session_wants(session, RED), red);
    assert_int_equal(session_wants(session, BLUE), blue);
}

static void both_sides_owe_a_setup_and_then_the_first_side_a_move(void **state) {
    (void)state;
    struct session *session = open_session(duel);
    struct setup setup;
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    expect_wants(session, WANT_SETUP, WANT_SETUP);
    assert_true(setup_random(duel, RED, &random, &setup, NULL));
    assert_true(session_take_setup(session, BLUE, &setup, NULL));
    expect_wants(session, WANT_SETUP, WANT_NOTHING);
    assert_false(session->started);
    assert_true(session_take_setup(session, RED, &setup, NULL));
    expect_wants(session, WANT_MOVE, WANT_NOTHING);
    play_any(session, 1);
    expect_wants(session, WANT_NOTHING, WANT_MOVE);
    session_close(session);
}

static void a_setup_that_is_not_allowed_changes_nothing(void **state) {
    (void)state;
    struct session *session = open_session(duel);
    const struct setup empty = {0};
    struct fault fault = {0};
    assert_false(session_take_setup(session, RED, &empty, &fault));
    assert_int_equal(fault.status, STATUS_SETUP);
    expect_wants(session, WANT_SETUP, WANT_SETUP);
    session_close(session);
}

static void an_illegal_move_changes_nothing_and_names_its_rule(void **state) {
    (void)state;
    struct session *session = started(duel, 1);
    const struct game before = session->game;
    struct fault fault = {0};
    enum verdict verdict;
    const struct move away = {0, 1, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    assert_false(session_play(session, away, &verdict, &fault));
    assert_int_equal(fault.status, STATUS_ILLEGAL_MOVE);
    assert_int_not_equal(verdict, LEGAL);
    assert_false(session_play_text(session, "a4?", 3, &verdict, &fault));
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_int_equal(verdict, ILLEGAL_TEXT);
    assert_memory_equal(&before, &session->game, sizeof before);
    assert_int_equal(session->tellings, 0);
    session_close(session);
}

static void a_draw_is_offered_once_a_turn(void **state) {
    (void)state;
    struct session *session = started(duel, 1);
    assert_true(session_offer_draw(session, NULL));
    expect_wants(session, WANT_MOVE, WANT_DRAW_ANSWER);
    assert_false(session_offer_draw(session, NULL));
    session_answer_draw(session, false);
    expect_wants(session, WANT_MOVE, WANT_NOTHING);
    assert_false(session_offer_draw(session, NULL));
    play_any(session, 1);
    assert_true(session_offer_draw(session, NULL));
    expect_wants(session, WANT_DRAW_ANSWER, WANT_MOVE);
    session_answer_draw(session, true);
    expect_wants(session, WANT_NOTHING, WANT_NOTHING);
    assert_int_equal(session->result, RESULT_DRAW);
    assert_int_equal(session->reason, REASON_AGREED);
    session_close(session);
}

static void a_move_withdraws_a_draw_offer(void **state) {
    (void)state;
    struct session *session = started(duel, 1);
    assert_true(session_offer_draw(session, NULL));
    play_any(session, 1);
    expect_wants(session, WANT_NOTHING, WANT_MOVE);
    session_answer_draw(session, true);
    assert_false(session->over);
    session_close(session);
}

static void what_is_not_wanted_changes_nothing(void **state) {
    (void)state;
    struct session *session = started(duel, 1);
    struct fault fault = {0};
    struct setup setup = session->setups[RED];
    const struct ply *plies = session->plies;
    assert_false(session_take_setup(session, RED, &setup, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    assert_ptr_equal(session->plies, plies);
    session_answer_draw(session, true);
    expect_wants(session, WANT_MOVE, WANT_NOTHING);
    assert_true(session_offer_draw(session, NULL));
    assert_false(session_offer_draw(session, NULL));
    session_stop(session, RESULT_BLUE, REASON_RESIGNED);
    session_answer_draw(session, true);
    assert_int_equal(session->result, RESULT_BLUE);
    assert_false(session_offer_draw(session, NULL));
    session_close(session);
}

static void a_session_that_is_over_takes_no_move(void **state) {
    (void)state;
    struct session *session = started(duel, 1);
    size_t count;
    struct move first = session_moves(session, &count, NULL)[0];
    session_stop(session, RESULT_BLUE, REASON_RESIGNED);
    enum verdict verdict;
    assert_false(session_play(session, first, &verdict, NULL));
    assert_int_equal(verdict, ILLEGAL_GAME_OVER);
    session_close(session);
}

static void an_end_without_a_move_is_told_to_both_sides(void **state) {
    (void)state;
    struct session *session = started(duel, 1);
    session_stop(session, RESULT_BLUE, REASON_RESIGNED);
    assert_int_equal(session->tellings, 1);
    for (enum side side = RED; side <= BLUE; side++) {
        const struct events *told = &session->eyes.told[side];
        assert_int_equal(told->count, 1);
        assert_int_equal(told->list[0].type, EVENT_END);
        assert_int_equal(told->list[0].result, RESULT_BLUE);
        assert_int_equal(session->eyes.view[side].reason, REASON_RESIGNED);
    }
    session_close(session);
}

static void a_forfeit_is_recorded_with_its_reason_and_without_folders(void **state) {
    (void)state;
    struct session *session = started(duel, 1);
    struct fault why = {0};
    fault_set(&why, STATUS_FUEL, "used up its fuel");
    fault_place(&why, "some/folder/bot.lua", 3, 0);
    play_any(session, 1);
    session_forfeit(session, BLUE, &why);
    assert_string_equal(record_tag(session->record, "Result"), "*");
    assert_true(session_seal(session, NULL));
    assert_string_equal(record_tag(session->record, "Result"), "red");
    assert_string_equal(record_tag(session->record, "Reason"), "forfeit-fuel");
    assert_string_equal(record_tag(session->record, "Forfeit"), "bot.lua:3: used up its fuel");
    assert_string_equal(record_tag(session->record, "Blue"), "bob");
    assert_int_equal(session->record->move_count, 1);
    session_close(session);
}

static void a_forfeit_before_the_start_keeps_the_setup_that_was_accepted(void **state) {
    (void)state;
    struct session *session = open_session(duel);
    struct setup setup;
    struct fault why = {0};
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    assert_true(setup_random(duel, RED, &random, &setup, NULL));
    assert_true(session_take_setup(session, RED, &setup, NULL));
    fault_set(&why, STATUS_SETUP, "no army");
    session_forfeit(session, BLUE, &why);
    expect_wants(session, WANT_NOTHING, WANT_NOTHING);
    assert_true(session_seal(session, NULL));
    assert_non_null(record_tag(session->record, "RedSetup"));
    assert_null(record_tag(session->record, "BlueSetup"));
    assert_string_equal(record_tag(session->record, "Result"), "red");
    session_close(session);
}

static void a_limit_of_plies_of_its_own_draws_the_game(void **state) {
    (void)state;
    struct position position;
    struct session *first = started(duel, 3);
    position = first->start;
    const struct session_options options = {.rules = duel, .position = &position, .plies = 2};
    struct session *session = session_open(&options, NULL);
    play_any(session, 1);
    assert_false(session->over);
    play_any(session, 1);
    assert_int_equal(session->result, RESULT_DRAW);
    assert_int_equal(session->reason, REASON_PLY_LIMIT);
    session_close(session);
    session_close(first);
}

static void a_record_of_a_game_from_a_position_can_be_replayed(void **state) {
    (void)state;
    struct session *first = started(duel, 3);
    const struct session_options options = {
        .rules = duel, .position = &first->start, .plies = 3, .names = {"alice", "bob"}};
    struct session *session = session_open(&options, NULL);
    struct playback replay;
    struct fault fault = {0};
    while (!session->over) play_any(session, 3);
    assert_int_equal(session->reason, REASON_PLY_LIMIT);
    assert_true(session_seal(session, &fault));
    bool legal = playback_open(&replay, session->record, duel, &fault) &&
                 playback_run(&replay, UINT32_MAX, &fault);
    if (!legal) fail_msg("%s", fault.text);
    assert_memory_equal(&replay.session->start, &session->start, sizeof session->start);
    playback_close(&replay);
    session_close(session);
    session_close(first);
}

/* Both views of the game, and the game itself. */
struct look {
    struct view view[2];
    uint64_t hash;
    uint32_t plies, quiet;
};

static void look_at(const struct session *session, struct look *look) {
    memcpy(look->view, session->eyes.view, sizeof look->view);
    look->hash = session->game.hash;
    look->plies = session->game.ply_count;
    look->quiet = session->game.quiet;
}

/* Plays a game, then goes back to every ply; and plays on from one of them. */
static void rewind_game(const struct rules *rules, uint64_t seed) {
    enum { PLIES = 60 };
    struct look *seen = calloc(PLIES + 1, sizeof *seen), now = {0};
    struct session *session = started(rules, seed);
    assert_non_null(seen);
    uint32_t plies = 0;
    look_at(session, &seen[0]);
    while (plies < PLIES && !session->over) {
        play_any(session, seed);
        look_at(session, &seen[++plies]);
    }
    char *whole = record_write(session->record);
    for (uint32_t step = 0; step <= plies; step++) {
        uint32_t ply = plies - step;
        assert_true(session_rewind(session, ply, NULL));
        look_at(session, &now);
        assert_memory_equal(&now, &seen[ply], sizeof now);
        assert_int_equal(session->record->move_count, ply);
    }
    while (session->game.ply_count < plies) play_any(session, seed);
    look_at(session, &now);
    assert_memory_equal(&now, &seen[plies], sizeof now);
    char *again = record_write(session->record);
    assert_string_equal(whole, again);
    free(whole);
    free(again);
    free(seen);
    session_close(session);
}

static void a_rewound_session_is_as_it_was_at_that_ply(void **state) {
    (void)state;
    static const char *const variants[] = {"duel",
                                           "infiltrator",
                                           "lightning",
                                           "russian",
                                           "galaxy",
                                           "variants/examples/fog.lua",
                                           "variants/examples/rescue.lua"};
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++) {
        struct rules *rules = support_rules(variants[v]);
        for (uint64_t seed = 1; seed <= 3; seed++) rewind_game(rules, seed);
        rules_free(rules);
    }
}

/* The rules end a game at the last ply; going back lets it run again. */
static void a_rewound_session_runs_again(void **state) {
    (void)state;
    struct session *session = started(duel, 1);
    play_any(session, 1);
    session_stop(session, RESULT_RED, REASON_RESIGNED);
    assert_true(session_rewind(session, 1, NULL));
    expect_wants(session, WANT_NOTHING, WANT_MOVE);
    assert_int_equal(session->eyes.view[RED].result, RESULT_NONE);
    play_any(session, 1);
    session_close(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_owe_a_setup_and_then_the_first_side_a_move),
        cmocka_unit_test(a_setup_that_is_not_allowed_changes_nothing),
        cmocka_unit_test(an_illegal_move_changes_nothing_and_names_its_rule),
        cmocka_unit_test(a_draw_is_offered_once_a_turn),
        cmocka_unit_test(a_move_withdraws_a_draw_offer),
        cmocka_unit_test(what_is_not_wanted_changes_nothing),
        cmocka_unit_test(a_session_that_is_over_takes_no_move),
        cmocka_unit_test(an_end_without_a_move_is_told_to_both_sides),
        cmocka_unit_test(a_forfeit_is_recorded_with_its_reason_and_without_folders),
        cmocka_unit_test(a_forfeit_before_the_start_keeps_the_setup_that_was_accepted),
        cmocka_unit_test(a_limit_of_plies_of_its_own_draws_the_game),
        cmocka_unit_test(a_record_of_a_game_from_a_position_can_be_replayed),
        cmocka_unit_test(a_rewound_session_is_as_it_was_at_that_ply),
        cmocka_unit_test(a_rewound_session_runs_again),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
