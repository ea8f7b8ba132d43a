/* Records played again: starts, moves, endings, and what contradicts them. */
#include "host/playback.h"

#include "support.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define RED_SETUP "[RedSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
#define BLUE_SETUP "[BlueSetup \"M..2....../...9..2.../3.S......3/....BFB...\"]\n"
#define SETUPS RED_SETUP BLUE_SETUP
/* Red's general stands before blue's flag. */
#define POSITION "[Position \"bFr9......../.........b3/10/10/10/10/10/10/10/rF........r3 red\"]\n"
#define EMPTY_RANKS "/........../........../........../........../........../........../.........."
#define NEAR_FLAG "[Position \"bFr9......../.........b3" EMPTY_RANKS "/rF........r3 red\"]\n"

/* `game` receives how it stands afterwards. */
static bool play(const char *text, uint32_t plies, struct game *game, struct playback *replay,
                 struct fault *fault) {
    struct record *record = support_record(text);
    *fault = (struct fault){0};
    bool played = playback_open(replay, record, duel, fault) && playback_run(replay, plies, fault);
    assert_int_equal(played, replay->legal);
    if (replay->session) *game = replay->session->game;
    playback_close(replay);
    record_free(record);
    return played;
}

static void a_record_without_result_is_legal_as_far_as_it_goes(void **state) {
    (void)state;
    struct game game;
    struct playback replay;
    struct fault fault;
    assert_true(play(SETUPS "1. a4-a5 j7-j6 2. a5-a6", UINT32_MAX, &game, &replay, &fault));
    assert_int_equal(replay.plies, 3);
    assert_int_equal(replay.result, RESULT_NONE);
    assert_int_equal(game.to_move, BLUE);
}

static void a_part_can_be_played_whatever_follows(void **state) {
    (void)state;
    struct game game;
    struct playback replay;
    struct fault fault;
    assert_true(
        play(SETUPS "[Result \"red\"]\n1. a4-a5 j7-j6 2. a4-a5", 2, &game, &replay, &fault));
    assert_int_equal(replay.plies, 2);
}

static void an_illegal_move_is_named_with_ply_place_and_rule(void **state) {
    (void)state;
    struct game game;
    struct playback replay;
    struct fault fault;
    assert_false(play(SETUPS "1. a4-a5 j7-j6\n2. a5-a7 j6-j5", UINT32_MAX, &game, &replay, &fault));
    assert_int_equal(replay.illegal_ply, 3);
    assert_int_equal(replay.rule, ILLEGAL_MOVEMENT);
    assert_string_equal(replay.illegal_move, "a5-a7");
    assert_int_equal(replay.plies, 2);
    assert_int_equal(fault.status, STATUS_ILLEGAL_MOVE);
    assert_int_equal(fault.line, 4);
    assert_int_equal(fault.column, 4);
}

static void a_move_that_cannot_be_read_has_the_rule_text(void **state) {
    (void)state;
    struct game game;
    struct playback replay;
    struct fault fault;
    assert_false(play(SETUPS "1. a4-a5 j7-", UINT32_MAX, &game, &replay, &fault));
    assert_int_equal(replay.illegal_ply, 2);
    assert_int_equal(replay.rule, ILLEGAL_TEXT);
}

static void a_game_ends_as_recorded_or_the_record_is_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool legal;
        enum result result;
        enum reason reason;
    } cases[] = {
        {NEAR_FLAG "1. b10xa10", true, RESULT_RED, REASON_FLAG},
        {NEAR_FLAG "[Result \"red\"]\n[Reason \"flag\"]\n1. b10xa10", true, RESULT_RED,
         REASON_FLAG},
        {NEAR_FLAG "[Result \"blue\"]\n1. b10xa10", false, RESULT_RED, REASON_FLAG},
        {NEAR_FLAG "[Result \"red\"]\n[Reason \"immobile\"]\n1. b10xa10", false, RESULT_RED,
         REASON_FLAG},
        {NEAR_FLAG "[Result \"*\"]\n[Reason \"unfinished\"]\n1. b10xa10", false, RESULT_RED,
         REASON_FLAG},
        {NEAR_FLAG "1. b10xa10 j9-j8", false, RESULT_RED, REASON_FLAG},
        {SETUPS "[Result \"red\"]\n[Reason \"flag\"]\n1. a4-a5", false, RESULT_NONE, REASON_NONE},
        {SETUPS "[Result \"red\"]\n1. a4-a5", false, RESULT_NONE, REASON_NONE},
        {SETUPS "[Result \"*\"]\n1. a4-a5", true, RESULT_NONE, REASON_NONE},
        {SETUPS "[Result \"*\"]\n[Reason \"unfinished\"]\n1. a4-a5", true, RESULT_NONE,
         REASON_UNFINISHED},
        {SETUPS "[Result \"blue\"]\n[Reason \"resigned\"]\n1. a4-a5", true, RESULT_BLUE,
         REASON_RESIGNED},
        {SETUPS "[Result \"draw\"]\n[Reason \"agreed\"]\n1. a4-a5", true, RESULT_DRAW,
         REASON_AGREED},
        {SETUPS "[Result \"red\"]\n[Reason \"agreed\"]\n1. a4-a5", false, RESULT_NONE, REASON_NONE},
        {SETUPS "[Result \"*\"]\n[Reason \"resigned\"]\n1. a4-a5", false, RESULT_NONE, REASON_NONE},
        {SETUPS "[Result \"red\"]\n[Reason \"forfeit-time\"]\n1. a4-a5", true, RESULT_RED,
         REASON_FORFEIT_TIME},
        {SETUPS "[Result \"green\"]\n1. a4-a5", false, RESULT_NONE, REASON_NONE},
        {SETUPS "[Result \"red\"]\n[Reason \"boredom\"]\n1. a4-a5", false, RESULT_NONE,
         REASON_NONE},
        {BLUE_SETUP "[Result \"blue\"]\n[Reason \"forfeit-illegal\"]\n", true, RESULT_BLUE,
         REASON_FORFEIT_ILLEGAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct game game;
        struct playback replay;
        struct fault fault;
        bool legal = play(cases[i].text, UINT32_MAX, &game, &replay, &fault);
        if (legal != cases[i].legal) fail_msg("%s: %s", cases[i].text, fault.text);
        assert_int_equal(replay.result, cases[i].result);
        assert_int_equal(replay.reason, cases[i].reason);
    }
}

static void a_move_after_the_end_is_refused_as_such(void **state) {
    (void)state;
    struct game game;
    struct playback replay;
    struct fault fault;
    assert_false(play(NEAR_FLAG "1. b10xa10 j9-j8", UINT32_MAX, &game, &replay, &fault));
    assert_int_equal(replay.illegal_ply, 2);
    assert_int_equal(replay.rule, ILLEGAL_GAME_OVER);
}

static void blue_begins_where_the_record_says_so(void **state) {
    (void)state;
    struct game game;
    struct playback replay;
    struct fault fault;
    assert_true(
        play(SETUPS "[First \"blue\"]\n1. j7-j6 a4-a5", UINT32_MAX, &game, &replay, &fault));
    assert_false(play(SETUPS "1. j7-j6 a4-a5", UINT32_MAX, &game, &replay, &fault));
    assert_int_equal(replay.rule, ILLEGAL_NOT_YOURS);
}

static void limits_are_taken_from_the_record(void **state) {
    (void)state;
    struct game game;
    struct playback replay;
    struct fault fault;
    assert_true(play(SETUPS "[Limits \"none\"]\n1. a4-a5", UINT32_MAX, &game, &replay, &fault));
    assert_int_equal(game.limits.plies, 0);
    assert_int_equal(game.limits.no_attack, 0);
    assert_true(play(SETUPS "[Limits \"2 50\"]\n[Result \"draw\"]\n[Reason \"no-attack-limit\"]\n"
                            "1. a4-a5 j7-j6",
                     UINT32_MAX, &game, &replay, &fault));
    assert_true(play(SETUPS "1. a4-a5", UINT32_MAX, &game, &replay, &fault));
    assert_int_equal(game.limits.no_attack, duel->limits.no_attack);
}

static void a_malformed_start_is_placed_in_its_tag(void **state) {
    (void)state;
    static const struct {
        const char *text, *expected;
        int line;
    } cases[] = {
        {"1. a4-a5", "RedSetup", 0},
        {RED_SETUP "1. a4-a5", "BlueSetup", 0},
        {"[Event \"x\"]\n[RedSetup \"M..2....../...9..2.../3.S......3/....BFQ...\"]\n" BLUE_SETUP,
         "Q", 2},
        {RED_SETUP "[BlueSetup \"M..2....../...9..2.../3.S......3/....BF....\"]\n", "bomb", 2},
        {POSITION, "", 1},
        {SETUPS "[First \"green\"]\n", "green", 3},
        {SETUPS "[Limits \"200\"]\n", "200", 3},
        {SETUPS "[Limits \"-1 5\"]\n", "-1", 3},
        {SETUPS "[Limits \"99999999999 1\"]\n", "999", 3},
        {NEAR_FLAG "[First \"blue\"]\n", "blue", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct game game;
        struct playback replay;
        struct fault fault;
        if (play(cases[i].text, UINT32_MAX, &game, &replay, &fault)) fail_msg("%s", cases[i].text);
        if (!strstr(fault.text, cases[i].expected)) fail_msg("%s: %s", cases[i].text, fault.text);
        assert_int_equal(fault.line, cases[i].line);
        assert_int_equal(replay.illegal_ply, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_without_result_is_legal_as_far_as_it_goes),
        cmocka_unit_test(a_part_can_be_played_whatever_follows),
        cmocka_unit_test(an_illegal_move_is_named_with_ply_place_and_rule),
        cmocka_unit_test(a_move_that_cannot_be_read_has_the_rule_text),
        cmocka_unit_test(a_game_ends_as_recorded_or_the_record_is_wrong),
        cmocka_unit_test(a_move_after_the_end_is_refused_as_such),
        cmocka_unit_test(blue_begins_where_the_record_says_so),
        cmocka_unit_test(limits_are_taken_from_the_record),
        cmocka_unit_test(a_malformed_start_is_placed_in_its_tag),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
