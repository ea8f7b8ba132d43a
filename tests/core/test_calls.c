/* A variant's calls: their order, the effects of their answers, and impossible answers. Single
 * rulings; test_reference.c compares the effects in random games with the second implementation. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/know/integrity.h"
#include "core/play/calls.h"
#include "core/rules/refusal.h"
#include "core/search/playout.h"
#include "core/text/layout.h"
#include "core/text/notation.h"
#include "custom.h"

#include <string.h>

enum { PLIES = 64, ASKED_MAX = 512 };

/* A test's prepared answers, and the questions. */
struct scripted {
    struct calls calls; /* the first member */
    struct call_answer answer[CALL_COUNT];
    bool fails[CALL_COUNT];
    int count;
    enum call asked[ASKED_MAX];
    struct play play;      /* of the latest question that had one */
    cell on_d4, to_move;   /* as they were in the latest question; none of these of CALL_LEGAL */
    square forbidden_from; /* CALL_LEGAL refuses moves of the piece there */
};

static struct scripted script;
static struct game game;
static struct ply plies[PLIES];
static struct events events;
static struct rules *rules;

static bool ask(struct calls *calls, enum call call, const struct game *asked_of,
                const struct play *play, struct call_answer *answer, struct fault *fault) {
    (void)calls;
    if (script.fails[call]) {
        fault_set(fault, STATUS_SCRIPT, "in %s: it breaks", call_name(call));
        return false;
    }
    *answer = script.answer[call];
    if (call == CALL_LEGAL) {
        answer->allowed = play->move.from != script.forbidden_from;
        return true;
    }
    if (script.count < ASKED_MAX) script.asked[script.count++] = call;
    if (play) script.play = *play;
    script.on_d4 = asked_of->at[21];
    script.to_move = asked_of->to_move;
    return true;
}

static void place(struct calls *calls, enum call call, struct fault *fault) {
    (void)calls, (void)call;
    fault_place(fault, "variant.lua", 7, 0);
}

static void close_calls(struct calls *calls) {
    (void)calls;
}

/* A board of 6 x 6 without lakes: a1 is 0, d4 is 21. */
static int open_rules(void **state) {
    static const uint8_t counts[CUSTOM_KINDS + 1] = {0, 1, 2, 2, 4, 0, 0};
    struct fault fault = {0};
    (void)state;
    rules = custom_rules(6, 6, 2, 0, counts, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    memset(&script, 0, sizeof script);
    script.calls = (struct calls){.ask = ask, .place = place, .close = close_calls};
    script.forbidden_from = SQUARE_NONE;
    rules->calls = &script.calls;
    return 0;
}

static int close_rules(void **state) {
    (void)state;
    calls_take(NULL);
    rules_free(rules);
    return 0;
}

static square at(const char *name) {
    square found = SQUARE_NONE;
    assert_true(square_read(&rules->board, name, strlen(name), &found) > 0);
    return found;
}

/* Starts with those calls declared. */
static void start(unsigned declared, const char *text) {
    struct fault fault = {0};
    struct position position;
    script.calls.declared = declared;
    struct refusals refusals;
    assert_true(rules_finish(rules, &refusals));
    if (!position_read(rules, text, strlen(text), &position, &fault)) fail_msg("%s", fault.text);
    game_start(&game, rules, &position, NULL, plies, PLIES);
}

static enum verdict judge(const char *text, struct fault *fault) {
    struct move move;
    return move_read(&game, text, strlen(text), &move, fault);
}

static void play(const char *text) {
    struct move move;
    struct fault fault = {0};
    if (move_read(&game, text, strlen(text), &move, &fault) != LEGAL)
        fail_msg("%s: %s", text, fault.text);
    events.count = 0;
    game_play(&game, move, &events);
}

static void effect(enum call call, struct deed deed) {
    script.answer[call].deed[script.answer[call].count++] = deed;
}

static int told(enum event_type type) {
    int count = 0;
    for (int i = 0; i < events.count; i++) count += events.list[i].type == type;
    return count;
}

/* Red: flag a1, runner f1, steppers c3 and d3. Blue: runner a6, flag f6, stepper c4, bomb d4. */
static const char OPENING[] = "bR....bF/....../..b5bB../..r5r5../....../rF....rR red";

static void assert_board(const char *expected) {
    char text[POSITION_TEXT_MAX];
    struct position position = {.to_move = (enum side)game.to_move};
    memcpy(position.at, game.at, sizeof position.at);
    position_write(rules, &position, text);
    assert_string_equal(text, expected);
}

/* An effect that contradicts the position ends the game with a fault that says so. */
static void assert_contradiction(struct deed deed, const char *move, const char *expected) {
    struct fault fault = {0};
    script.answer[CALL_AFTER_MOVE].count = 0;
    effect(CALL_AFTER_MOVE, deed);
    start(1 << CALL_AFTER_MOVE, OPENING);
    play(move);
    assert_int_equal(game.result, RESULT_DRAW);
    assert_int_equal(game.reason, REASON_FAULT);
    assert_true(calls_take(&fault));
    assert_int_equal(fault.status, STATUS_RULES);
    assert_string_equal(fault.file, "variant.lua");
    assert_int_equal(fault.line, 7);
    assert_string_equal(fault.text, expected);
}

static void a_move_that_the_variant_forbids_is_not_listed_and_its_words_are_told(void **state) {
    (void)state;
    struct fault fault = {0};
    struct move moves[64];
    strcpy(script.answer[CALL_LEGAL].why, "runners rest on the first rank");
    script.forbidden_from = at("f1");
    start(1 << CALL_LEGAL, OPENING);
    assert_int_equal(judge("f1-f2", &fault), ILLEGAL_VARIANT);
    assert_non_null(strstr(fault.text, "(variant)"));
    assert_non_null(strstr(fault.text, "runners rest on the first rank"));
    size_t count = game_moves(&game, moves, 64);
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++) assert_int_not_equal(moves[i].from, at("f1"));
    assert_int_equal(judge("f1-e2", NULL), ILLEGAL_MOVEMENT);
}

static void a_side_whose_moves_the_variant_forbids_has_lost(void **state) {
    (void)state;
    script.forbidden_from = at("c4");
    start(1 << CALL_LEGAL, ".....bF/....../..b5.../....../....../rF....rR blue");
    assert_int_equal(game.result, RESULT_RED);
    assert_int_equal(game.reason, REASON_IMMOBILE);
}

static void only_battles_that_depend_on_the_position_are_asked_about(void **state) {
    (void)state;
    kind_id stepper = rules_kind(rules, "stepper", 7);
    rules->outcome[stepper][stepper] = ASK_THE_VARIANT;
    script.answer[CALL_BATTLE].outcome = DEFENDER_WINS;
    start(1 << CALL_BATTLE, OPENING);
    play("d3xd4");
    assert_int_equal(script.count, 0);
    start(1 << CALL_BATTLE, OPENING);
    play("c3xc4");
    assert_int_equal(script.count, 1);
    assert_int_equal(script.play.kind, stepper);
    assert_int_equal(script.play.other, stepper);
    assert_board("bR....bF/....../..b5bB../...r5../....../rF....rR blue");
}

static void calls_come_in_order_each_with_what_those_before_it_have_left(void **state) {
    (void)state;
    static const enum call order[] = {CALL_ENDING, CALL_AFTER_BATTLE, CALL_AFTER_MOVE,
                                      CALL_TURN_START, CALL_ENDING};
    effect(CALL_AFTER_BATTLE, (struct deed){.type = DEED_REMOVE, .at = at("d4")});
    start((1 << CALL_COUNT) - 1, OPENING);
    play("c3xc4");
    assert_int_equal(script.count, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(script.asked[i], order[i]);
    assert_int_equal(script.play.outcome, BOTH_FALL);
    assert_int_equal(script.on_d4, CELL_EMPTY);
    assert_int_equal(script.to_move, BLUE);
}

static void effects_call_nobody(void **state) {
    (void)state;
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_SWAP, .at = at("c3"), .to = at("c4")});
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_REMOVE, .at = at("d4")});
    start(1 << CALL_AFTER_MOVE | 1 << CALL_AFTER_BATTLE, OPENING);
    play("f1-f2");
    assert_int_equal(script.count, 1);
    assert_board("bR....bF/....../..r5.../..b5r5../.....rR/rF..... blue");
}

static void nobody_is_asked_once_a_flag_has_fallen(void **state) {
    (void)state;
    start((1 << CALL_COUNT) - 1, ".....bF/....../..b5bB../..r5r5../....../rF....rR red");
    script.count = 0;
    play("f1xf6");
    assert_int_equal(script.count, 0);
    assert_int_equal(game.reason, REASON_FLAG);
}

static void a_flag_that_an_effect_removes_ends_the_game(void **state) {
    (void)state;
    effect(CALL_TURN_START, (struct deed){.type = DEED_REMOVE, .at = at("a1")});
    start(1 << CALL_TURN_START, OPENING);
    play("f1-f2");
    assert_int_equal(game.result, RESULT_BLUE);
    assert_int_equal(game.reason, REASON_FLAG);
    assert_int_equal(told(EVENT_REMOVE), 1);
    assert_int_equal(told(EVENT_END), 1);
}

static void an_effect_or_the_ending_call_decides_the_game(void **state) {
    (void)state;
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_WIN, .side = BLUE});
    start(1 << CALL_AFTER_MOVE, OPENING);
    play("f1-f2");
    assert_int_equal(game.result, RESULT_BLUE);
    assert_int_equal(game.reason, REASON_VARIANT);
    game_undo(&game);
    assert_false(game_over(&game));
    script.answer[CALL_ENDING].result = RESULT_DRAW;
    start(1 << CALL_ENDING, OPENING);
    assert_int_equal(game.result, RESULT_DRAW);
    assert_string_equal(reason_name((enum reason)game.reason), "variant");
}

static void undo_takes_effects_back(void **state) {
    (void)state;
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_REMOVE, .at = at("d4")});
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_PLACE,
                                          .at = at("a4"),
                                          .side = BLUE,
                                          .kind = rules_kind(rules, "bomb", 4)});
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_SWAP, .at = at("a4"), .to = at("b4")});
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_REMOVE, .at = at("b4")});
    start(1 << CALL_AFTER_MOVE, OPENING);
    struct game before;
    memcpy(&before, &game, sizeof game);
    play("f1-f2");
    assert_board("bR....bF/....../..b5.../..r5r5../.....rR/rF..... blue");
    assert_int_equal(game_returnable(&game, BLUE, rules_kind(rules, "bomb", 4)), 0);
    game_undo(&game);
    assert_memory_equal(&before, &game, sizeof game);
}

static void a_contradiction_names_the_call_the_effect_and_the_piece(void **state) {
    (void)state;
    kind_id bomb = rules_kind(rules, "bomb", 4);
    assert_contradiction((struct deed){.type = DEED_REMOVE, .at = at("e5")}, "f1-f2",
                         "after_move returned an effect that cannot be: remove: nothing stands on "
                         "e5 (ply 1)");
    assert_contradiction((struct deed){.type = DEED_REVEAL, .at = at("f1")}, "f1-f2",
                         "after_move returned an effect that cannot be: reveal: nothing stands on "
                         "f1 (ply 1)");
    assert_contradiction(
        (struct deed){.type = DEED_PLACE, .at = at("c3"), .side = BLUE, .kind = bomb}, "f1-f2",
        "after_move returned an effect that cannot be: place: blue's bomb cannot stand on c3, "
        "where red's stepper stands (ply 1)");
    assert_contradiction(
        (struct deed){.type = DEED_PLACE, .at = at("e5"), .side = BLUE, .kind = bomb}, "f1-f2",
        "after_move returned an effect that cannot be: place: blue's bomb has not fallen, or has "
        "returned once before (ply 1)");
    assert_contradiction((struct deed){.type = DEED_SWAP, .at = at("e5"), .to = at("e4")}, "f1-f2",
                         "after_move returned an effect that cannot be: swap: nothing to exchange "
                         "between e5 and e4 (ply 1)");
    assert_contradiction((struct deed){.type = DEED_CONCEAL, .at = 200}, "f1-f2",
                         "after_move returned an effect that cannot be: conceal: no square of the "
                         "board (ply 1)");
    assert_contradiction((struct deed){.type = DEED_REMOVE, .at = 255}, "f1-f2",
                         "after_move returned an effect that cannot be: remove: no square of the "
                         "board (ply 1)");
    assert_contradiction((struct deed){.type = DEED_PLACE, .at = 255, .kind = bomb}, "f1-f2",
                         "after_move returned an effect that cannot be: place: no square of the "
                         "board, or a lake (ply 1)");
    assert_contradiction((struct deed){.type = DEED_SWAP, .at = at("e5"), .to = 255}, "f1-f2",
                         "after_move returned an effect that cannot be: swap: no square of the "
                         "board, or a lake (ply 1)");
}

static void a_piece_cannot_be_revealed_and_concealed_at_once(void **state) {
    (void)state;
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_REVEAL, .at = at("d4")});
    assert_contradiction((struct deed){.type = DEED_CONCEAL, .at = at("e5")}, "f1-f2",
                         "after_move returned an effect that cannot be: conceal: nothing stands on "
                         "e5 (ply 1)");
    script.answer[CALL_AFTER_MOVE].count = 0;
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_REVEAL, .at = at("d4")});
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_CONCEAL, .at = at("d4")});
    start(1 << CALL_AFTER_MOVE, OPENING);
    play("f1-f2");
    struct fault fault = {0};
    assert_true(calls_take(&fault));
    assert_non_null(strstr(fault.text, "blue's bomb on d4 is revealed and concealed at once"));
}

static void the_game_cannot_end_in_two_ways(void **state) {
    (void)state;
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_WIN, .side = RED});
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_DRAW});
    start(1 << CALL_AFTER_MOVE, OPENING);
    play("f1-f2");
    struct fault fault = {0};
    assert_true(calls_take(&fault));
    assert_non_null(strstr(fault.text, "two ways"));
}

static void the_effects_of_one_turn_are_bounded(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_REVEAL, .at = at("d4")});
        effect(CALL_TURN_START, (struct deed){.type = DEED_REVEAL, .at = at("d4")});
    }
    start(1 << CALL_AFTER_MOVE | 1 << CALL_TURN_START, OPENING);
    play("f1-f2");
    struct fault fault = {0};
    assert_true(calls_take(&fault));
    assert_non_null(strstr(fault.text, "turn_start"));
    assert_non_null(strstr(fault.text, "more than 16 effects in one turn"));
    script.answer[CALL_TURN_START].count = 0;
    script.answer[CALL_AFTER_MOVE].count = 0;
    for (int i = 0; i < 10; i++)
        effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_SWAP, .at = at("d4"), .to = at("c4")});
    start(1 << CALL_AFTER_MOVE, OPENING);
    play("f1-f2");
    assert_true(calls_take(&fault));
    assert_non_null(strstr(fault.text, "change more than"));
}

static void a_piece_returns_once_only(void **state) {
    (void)state;
    kind_id bomb = rules_kind(rules, "bomb", 4);
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_REMOVE, .at = at("d4")});
    effect(CALL_AFTER_MOVE,
           (struct deed){.type = DEED_PLACE, .at = at("d4"), .side = BLUE, .kind = bomb});
    start(1 << CALL_AFTER_MOVE, OPENING);
    play("f1-f2");
    assert_false(calls_failed());
    assert_int_equal(told(EVENT_PLACE), 1);
    play("a6-a5");
    struct fault fault = {0};
    assert_true(calls_take(&fault));
    assert_non_null(strstr(fault.text, "blue's bomb has not fallen, or has returned once before"));
}

static void a_call_that_fails_ends_the_game_with_its_fault(void **state) {
    (void)state;
    static const enum call failing[] = {CALL_BATTLE, CALL_AFTER_BATTLE, CALL_AFTER_MOVE,
                                        CALL_TURN_START, CALL_ENDING};
    kind_id stepper = rules_kind(rules, "stepper", 7);
    rules->outcome[stepper][stepper] = ASK_THE_VARIANT;
    for (int i = 0; i < 5; i++) {
        struct fault fault = {0};
        start((1 << CALL_COUNT) - 1, OPENING);
        script.fails[failing[i]] = true;
        play("c3xc4");
        script.fails[failing[i]] = false;
        assert_int_equal(game.result, RESULT_DRAW);
        assert_int_equal(game.reason, REASON_FAULT);
        assert_true(calls_take(&fault));
        assert_int_equal(fault.status, STATUS_SCRIPT);
        assert_non_null(strstr(fault.text, call_name(failing[i])));
        assert_false(calls_take(&fault));
        game_undo(&game);
        assert_board(OPENING);
        assert_false(game_over(&game));
    }
}

static void a_failure_to_judge_forbids_nothing_and_ends_the_game_with_the_next_ply(void **state) {
    (void)state;
    struct move moves[64];
    start(1 << CALL_LEGAL, OPENING);
    size_t count = game_moves(&game, moves, 64);
    script.fails[CALL_LEGAL] = true;
    assert_int_equal(game_moves(&game, moves, 64), count);
    assert_true(calls_failed());
    script.fails[CALL_LEGAL] = false;
    play("f1-f2");
    assert_int_equal(game.reason, REASON_FAULT);
    assert_true(calls_take(NULL));
}

static void a_judge_that_changes_its_mind_is_found_out(void **state) {
    (void)state;
    struct move moves[64];
    start(1 << CALL_LEGAL, ".....bF/....../..b5.../....../....../rF....rR blue");
    assert_false(game_over(&game));
    script.forbidden_from = at("c4");
    assert_int_equal(game_moves(&game, moves, 64), 0);
    struct fault fault = {0};
    assert_true(calls_take(&fault));
    assert_non_null(strstr(fault.text, "depend on the position alone"));
}

static void pieces_are_marked_as_moved_only_for_variants_that_may_ask(void **state) {
    (void)state;
    start(1 << CALL_LEGAL, OPENING);
    play("f1-f2");
    assert_true(game.at[at("f2")] & CELL_WALKED);
    assert_false(game.at[at("c4")] & CELL_WALKED);
    rules->calls = NULL;
    start(0, OPENING);
    play("f1-f2");
    assert_int_equal(game.at[at("f2")], cell_of(RED, rules_kind(rules, "runner", 6)));
}

static void a_piece_that_an_effect_has_touched_may_go_to_and_fro_afresh(void **state) {
    (void)state;
    static const char *const shuttle[] = {"f1-f2", "a6-a5", "f2-f1", "a5-a6", "f1-f2", "a6-b6"};
    start(1 << CALL_AFTER_MOVE, OPENING);
    for (int i = 0; i < 6; i++) play(shuttle[i]);
    assert_int_equal(judge("f2-f1", NULL), ILLEGAL_TWO_SQUARES);
    game_undo(&game);
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_SWAP, .at = at("f2"), .to = at("e5")});
    effect(CALL_AFTER_MOVE, (struct deed){.type = DEED_SWAP, .at = at("e5"), .to = at("f2")});
    play("a6-b6");
    assert_int_equal(judge("f2-f1", NULL), LEGAL);
}

static void random_games_of_such_a_variant_are_played_by_listing(void **state) {
    (void)state;
    struct playout_result result;
    start(1 << CALL_TURN_START, OPENING);
    struct playouts *playouts = playouts_new(rules, 40);
    assert_non_null(playouts);
    assert_non_null(playouts_why_listed(playouts));
    playout_run(playouts, &game, random_stream(1, STREAM_PLAYOUT, 0), &result);
    assert_true(result.plies > 0);
    playouts_free(playouts);
}

/* An effect as a process may send it: mostly about a piece, else about any square, there or not. */
static struct deed any_deed(struct random *random) {
    static const enum deed_type types[] = {DEED_REMOVE, DEED_REVEAL, DEED_CONCEAL, DEED_PLACE,
                                           DEED_SWAP,   DEED_WIN,    DEED_DRAW};
    const uint32_t squares = random_below(random, 4) ? rules->board.squares : 256;
    square at = (square)random_below(random, squares);
    for (int i = 0; i < 16 && squares < 256 && !game.at[at]; i++)
        at = (square)random_below(random, squares);
    const uint32_t ends = random_below(random, 16) ? 2 : 0; /* those that end a game are rare */
    return (struct deed){
        .type = (uint8_t)types[random_below(random, sizeof types / sizeof *types - ends)],
        .side = (uint8_t)random_below(random, 2),
        .at = at,
        .to = (square)random_below(random, squares),
        .kind = (kind_id)(1 + random_below(random, rules->kinds))};
}

/* A compromised process of a variant can send any of these. */
static void any_effects_are_carried_out_or_end_the_game(void **state) {
    enum { GAMES = 3000, MOVES = 256 };
    (void)state;
    struct random random = random_stream(1, STREAM_PLAYOUT, 3);
    int failed = 0, plies_played = 0;
    for (int number = 0; number < GAMES; number++) {
        struct fault fault = {0};
        start(1 << CALL_TURN_START | 1 << CALL_AFTER_MOVE | 1 << CALL_AFTER_BATTLE, OPENING);
        while (!game_over(&game) && game.ply_count < PLIES - 1) {
            struct move moves[MOVES];
            struct game after;
            for (int call = 0; call < CALL_COUNT; call++) {
                const bool any = random_below(&random, 4) == 0 && call != CALL_LEGAL;
                script.answer[call].count = any ? (int)random_below(&random, 3) : 0;
                for (int i = 0; i < script.answer[call].count; i++)
                    script.answer[call].deed[i] = any_deed(&random);
            }
            const size_t count = game_moves(&game, moves, MOVES);
            assert_true(count > 0 && count <= MOVES);
            const struct move move = moves[random_below(&random, (uint32_t)count)];
            if (!integrity_undo(&game, move, &after, &fault)) fail_msg("%s", fault.text);
            if (calls_take(NULL)) break;
            game_play(&game, move, NULL);
            assert_false(calls_failed());
            plies_played++;
            if (!integrity_game(&game, &fault)) fail_msg("game %d: %s", number, fault.text);
        }
        failed += game.result == RESULT_NONE && game.ply_count < PLIES - 1;
    }
    assert_in_range(failed, GAMES / 4, GAMES);
    assert_in_range(plies_played, GAMES, PLIES * GAMES);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_rules, close_rules)
    const struct CMUnitTest tests[] = {
        TEST(a_move_that_the_variant_forbids_is_not_listed_and_its_words_are_told),
        TEST(a_side_whose_moves_the_variant_forbids_has_lost),
        TEST(only_battles_that_depend_on_the_position_are_asked_about),
        TEST(calls_come_in_order_each_with_what_those_before_it_have_left),
        TEST(effects_call_nobody),
        TEST(nobody_is_asked_once_a_flag_has_fallen),
        TEST(a_flag_that_an_effect_removes_ends_the_game),
        TEST(an_effect_or_the_ending_call_decides_the_game),
        TEST(undo_takes_effects_back),
        TEST(a_contradiction_names_the_call_the_effect_and_the_piece),
        TEST(a_piece_cannot_be_revealed_and_concealed_at_once),
        TEST(the_game_cannot_end_in_two_ways),
        TEST(the_effects_of_one_turn_are_bounded),
        TEST(a_piece_returns_once_only),
        TEST(a_call_that_fails_ends_the_game_with_its_fault),
        TEST(a_failure_to_judge_forbids_nothing_and_ends_the_game_with_the_next_ply),
        TEST(a_judge_that_changes_its_mind_is_found_out),
        TEST(pieces_are_marked_as_moved_only_for_variants_that_may_ask),
        TEST(a_piece_that_an_effect_has_touched_may_go_to_and_fro_afresh),
        TEST(random_games_of_such_a_variant_are_played_by_listing),
        TEST(any_effects_are_carried_out_or_end_the_game),
    };
    return cmocka_run_group_tests_name("core/calls", tests, NULL, NULL);
}
