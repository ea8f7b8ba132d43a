/* One game between two players: the questions, forfeits, and hidden information. */
#include "host/referee.h"

#include "scripted.h"
#include "support.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct setup setups[2]; /* of duel */
static struct scripted red, blue;

static int load(void **state) {
    (void)state;
    struct random random = random_stream(7, STREAM_RED_SETUP, 0);
    duel = support_rules("duel");
    for (int side = RED; side <= BLUE; side++)
        if (!setup_random(duel, RED, &random, &setups[side], NULL)) return -1;
    return 0;
}

static int unload(void **state) {
    (void)state;
    rules_free(duel);
    return 0;
}

static int seat(void **state) {
    (void)state;
    scripted_start(&red, "alice", &setups[RED], 1);
    scripted_start(&blue, "bob", &setups[BLUE], 2);
    return 0;
}

/* Plays red against blue, and checks that the record replays to the same end. */
static struct referee_report play(const struct rules *rules,
                                  const struct referee_options *options) {
    struct player *const players[2] = {&red.player, &blue.player};
    struct record *record = record_new();
    struct referee_report report;
    struct fault fault = {0};
    if (!referee_play(rules, players, options, record, &report, &fault)) fail_msg("%s", fault.text);
    assert_int_equal(record->move_count, report.plies);
    char *text = record_write(record);
    struct record *again = support_record(text);
    struct playback replay;
    if (!playback_open(&replay, again, rules, &fault) || !playback_run(&replay, UINT32_MAX, &fault))
        fail_msg("%s:\n%s", fault.text, text);
    assert_int_equal(replay.result, report.result);
    assert_int_equal(replay.reason, report.reason);
    assert_string_equal(record_tag(again, "Red"), "alice");
    assert_string_equal(record_tag(again, "Blue"), "bob");
    playback_close(&replay);
    record_free(again);
    record_free(record);
    free(text);
    return report;
}

static void a_game_of_random_moves_is_played_to_the_end_and_both_are_told(void **state) {
    (void)state;
    struct referee_report report = play(duel, &(struct referee_options){.seed = 5});
    assert_int_not_equal(report.result, RESULT_NONE);
    assert_int_equal(report.forfeit.status, STATUS_OK);
    assert_true(red.finished && blue.finished);
    assert_int_equal(red.last_result, report.result);
    assert_int_equal(blue.last_result, report.result);
    assert_int_equal(red.told, blue.told);
    assert_true(red.told > (int)report.plies);
}

static void set_ups_that_are_given_are_not_asked_for(void **state) {
    (void)state;
    play(duel, &(struct referee_options){.setups = {&setups[RED], NULL}});
    assert_int_equal(red.asked_for_setup, 0);
    assert_int_equal(blue.asked_for_setup, 1);
}

static void a_given_setup_replaces_the_answer_of_who_is_asked_anyway(void **state) {
    (void)state;
    struct referee_report report =
        play(duel, &(struct referee_options){.setups = {&setups[BLUE], NULL}, .ask_anyway = true});
    assert_int_equal(red.asked_for_setup, 1);
    assert_memory_equal(&report.setups[RED], &setups[BLUE], sizeof setups[BLUE]);
}

static void blue_begins_when_told_so(void **state) {
    (void)state;
    red.quit_after = 1;
    struct referee_report report = play(duel, &(struct referee_options){.first = BLUE});
    assert_int_equal(report.plies, 3);
    assert_int_equal(blue.made, 2);
}

static void other_limits_hold_and_are_recorded(void **state) {
    (void)state;
    struct limits limits = {.no_attack = 0, .plies = 10};
    struct referee_report report = play(duel, &(struct referee_options){.limits = &limits});
    assert_int_equal(report.reason, REASON_PLY_LIMIT);
    assert_int_equal(report.plies, 10);
    limits = (struct limits){0};
    seat(state);
    play(duel, &(struct referee_options){.limits = &limits});
}

static void breaking_a_game_off_leaves_it_without_result(void **state) {
    (void)state;
    blue.quit_after = 2;
    struct referee_report report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.result, RESULT_NONE);
    assert_int_equal(report.reason, REASON_UNFINISHED);
    assert_int_equal(report.plies, 5);
    assert_true(red.finished && blue.finished);
}

/* Players that do one odd thing. */

static struct answer odd_answer;
static int odd_count; /* times that the odd answer was given */
static int refusals;
static struct fault odd_fault;

static bool odd_move(void *self, const struct view *view, const struct move *moves, size_t count,
                     struct answer *answer, struct fault *fault) {
    (void)self, (void)view, (void)fault;
    *answer = odd_answer;
    if (odd_count++) *answer = (struct answer){.type = ANSWER_MOVE, .move = moves[count - 1]};
    return true;
}

static bool stubborn_move(void *self, const struct view *view, const struct move *moves,
                          size_t count, struct answer *answer, struct fault *fault) {
    (void)self, (void)view, (void)fault, (void)moves, (void)count;
    *answer = odd_answer;
    odd_count++;
    return true;
}

static void refused(void *self, enum verdict verdict, const struct fault *why) {
    (void)verdict;
    (void)self;
    assert_int_not_equal(why->status, STATUS_OK);
    assert_int_not_equal(why->text[0], 0);
    refusals++;
}

static bool agrees(void *self, const struct view *view) {
    (void)self;
    assert_int_equal(view->side, BLUE);
    return true;
}

static bool fails_to_move(void *self, const struct view *view, const struct move *moves,
                          size_t count, struct answer *answer, struct fault *fault) {
    (void)self, (void)view, (void)moves, (void)count, (void)answer;
    *fault = odd_fault;
    return false;
}

static bool fails(void *self, const struct view *view, struct fault *fault) {
    (void)self, (void)view;
    *fault = odd_fault;
    return false;
}

static bool fails_to_observe(void *self, const struct view *view, const struct events *events,
                             struct fault *fault) {
    (void)events;
    return fails(self, view, fault);
}

static bool fails_to_set_up(void *self, const struct view *view, struct setup *setup,
                            struct fault *fault) {
    (void)setup;
    assert_int_equal(view->count, 0);
    return fails(self, view, fault);
}

static struct setup wrong_setup;

static bool wrong_setup_first(void *self, const struct view *view, struct setup *setup,
                              struct fault *fault) {
    (void)view, (void)fault;
    *setup = odd_count++ ? ((struct scripted *)self)->setup : wrong_setup;
    return true;
}

static int seat_oddly(void **state) {
    odd_count = refusals = 0;
    odd_answer = (struct answer){0};
    odd_fault = (struct fault){0};
    memset(&wrong_setup, 0, sizeof wrong_setup);
    return seat(state);
}

static void who_resigns_has_lost(void **state) {
    (void)state;
    odd_answer.type = ANSWER_RESIGN;
    blue.player.move = odd_move;
    struct referee_report report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.result, RESULT_RED);
    assert_int_equal(report.reason, REASON_RESIGNED);
    assert_int_equal(red.last_result, RESULT_RED);
}

static void a_draw_that_is_accepted_ends_the_game(void **state) {
    (void)state;
    odd_answer.type = ANSWER_DRAW;
    red.player.move = odd_move;
    blue.player.accepts_draw = agrees;
    struct referee_report report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.result, RESULT_DRAW);
    assert_int_equal(report.reason, REASON_AGREED);
}

static void a_draw_that_is_declined_costs_nothing_but_once_a_turn_only(void **state) {
    (void)state;
    odd_answer.type = ANSWER_DRAW;
    red.player.move = odd_move;
    blue.quit_after = 1;
    struct referee_report report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.reason, REASON_UNFINISHED);
    assert_int_equal(report.plies, 3);

    seat_oddly(state);
    odd_answer.type = ANSWER_DRAW;
    red.player.move = stubborn_move;
    report = play(duel, &(struct referee_options){0});
    assert_int_equal(odd_count, 2);
    assert_int_equal(report.result, RESULT_BLUE);
    assert_int_equal(report.reason, REASON_FORFEIT_ILLEGAL);
}

static void every_kind_of_wrong_answer_forfeits(void **state) {
    static const struct answer answers[] = {
        {.type = ANSWER_MOVE, .move = {0, 99, SQUARE_NONE, ABILITY_NONE, KIND_NONE}},
        {.type = ANSWER_MOVE, .move = {255, 255, 255, 255, 255}},
        {.type = ANSWER_MOVE, .move = {200, 3, 77, 9, 31}},
        {.type = ANSWER_TEXT, .text = "a1-a2"},
        {.type = ANSWER_TEXT, .text = "what?"},
        {.type = ANSWER_TEXT, .text = ""},
        {.type = (enum answer_type)77},
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        seat_oddly(state);
        odd_answer = answers[i];
        red.player.move = stubborn_move;
        struct referee_report report = play(duel, &(struct referee_options){0});
        assert_int_equal(report.result, RESULT_BLUE);
        assert_int_equal(report.reason, REASON_FORFEIT_ILLEGAL);
        assert_int_equal(report.plies, 0);
        assert_int_not_equal(report.forfeit.status, STATUS_OK);
        assert_true(blue.finished);
    }
}

static void a_text_without_its_end_is_no_harm(void **state) {
    (void)state;
    odd_answer.type = ANSWER_TEXT;
    memset(odd_answer.text, 'a', sizeof odd_answer.text);
    red.player.move = stubborn_move;
    assert_int_equal(play(duel, &(struct referee_options){0}).reason, REASON_FORFEIT_ILLEGAL);
}

static void who_takes_refusals_is_asked_again(void **state) {
    (void)state;
    odd_answer = (struct answer){.type = ANSWER_TEXT, .text = "a1-a9"};
    red.player.move = odd_move;
    red.player.refused = refused;
    blue.quit_after = 1;
    struct referee_report report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.reason, REASON_UNFINISHED);
    assert_int_equal(refusals, 1);
}

static void a_wrong_setup_forfeits_or_is_asked_for_again(void **state) {
    (void)state;
    red.player.setup = wrong_setup_first;
    struct referee_report report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.result, RESULT_BLUE);
    assert_int_equal(report.reason, REASON_FORFEIT_ILLEGAL);
    assert_int_equal(report.forfeit.status, STATUS_SETUP);

    seat_oddly(state);
    red.player.setup = wrong_setup_first;
    red.player.refused = refused;
    red.quit_after = 1;
    report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.reason, REASON_UNFINISHED);
    assert_int_equal(refusals, 1);
}

static void each_way_to_break_has_its_own_reason(void **state) {
    static const struct {
        enum status status;
        enum reason reason;
    } cases[] = {
        {STATUS_FUEL, REASON_FORFEIT_FUEL},     {STATUS_TIME, REASON_FORFEIT_TIME},
        {STATUS_MEMORY, REASON_FORFEIT_MEMORY}, {STATUS_CRASH, REASON_FORFEIT_CRASH},
        {STATUS_SCRIPT, REASON_FORFEIT_ERROR},  {STATUS_TEXT, REASON_FORFEIT_ILLEGAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int callback = 0; callback < 4; callback++) {
            seat_oddly(state);
            fault_set(&odd_fault, cases[i].status, "broken");
            if (callback == 0) blue.player.setup = fails_to_set_up;
            if (callback == 1) blue.player.start = fails;
            if (callback == 2) blue.player.move = fails_to_move;
            if (callback == 3) blue.player.observe = fails_to_observe;
            struct referee_report report = play(duel, &(struct referee_options){0});
            assert_int_equal(report.result, RESULT_RED);
            assert_int_equal(report.reason, cases[i].reason);
            static const char *const texts[] = {"broken (ply 0)", "broken (ply 1)",
                                                "broken (ply 2)", "broken (ply 2)"};
            assert_string_equal(report.forfeit.text, texts[callback]);
            assert_int_equal(report.plies, callback < 2 ? 0 : 1);
        }
    }
}

static void the_record_of_a_forfeit_says_why_without_naming_folders(void **state) {
    (void)state;
    struct player *const players[2] = {&red.player, &blue.player};
    struct record *record = record_new();
    struct referee_report report;
    struct fault fault = {0};
    fault_set(&odd_fault, STATUS_SCRIPT, "in move: broken");
    fault_place(&odd_fault, "/some/where/bot.lua", 3, 0);
    red.player.move = fails_to_move;
    assert_true(referee_play(duel, players, &(struct referee_options){0}, record, &report, &fault));
    assert_string_equal(record_tag(record, "Forfeit"), "bot.lua:3: in move: broken");
    assert_string_equal(report.forfeit.file, "/some/where/bot.lua");
    record_free(record);
}

static void who_breaks_after_the_end_has_not_lost_by_it(void **state) {
    (void)state;
    enum result result = play(duel, &(struct referee_options){0}).result;
    seat_oddly(state);
    fault_set(&odd_fault, STATUS_SCRIPT, "broken");
    red.player.finish = blue.player.finish = fails;
    struct referee_report report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.result, result);
    assert_int_equal(report.forfeit.status, STATUS_OK);
    assert_int_equal(report.late.status, STATUS_SCRIPT);
    assert_string_equal(report.late.text, "broken");
    assert_int_equal(report.late_side, RED);
    red.player.finish = NULL;
    report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.late_side, BLUE);
}

static void who_has_forfeited_is_not_blamed_again(void **state) {
    seat_oddly(state);
    fault_set(&odd_fault, STATUS_SCRIPT, "broken");
    red.player.move = fails_to_move;
    red.player.finish = fails;
    struct referee_report report = play(duel, &(struct referee_options){0});
    assert_int_equal(report.forfeit.status, STATUS_SCRIPT);
    assert_int_equal(report.late.status, STATUS_OK);
}

static void a_fault_of_the_host_is_nobodys_forfeit(void **state) {
    (void)state;
    struct player *const players[2] = {&red.player, &blue.player};
    struct referee_report report;
    struct fault fault = {0};
    fault_set(&odd_fault, STATUS_SYSTEM, "no more processes");
    red.player.move = fails_to_move;
    assert_false(referee_play(duel, players, &(struct referee_options){0}, NULL, &report, &fault));
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_string_equal(fault.text, "no more processes");
}

/* Hidden ranks. */

/* Exchanges kinds among the pieces of blue that stand on `untouched` squares (of the board), as
 * far as the set-up stays legal. Returns how many pieces have another kind now. */
static int permute(const struct rules *rules, struct setup *setup, squareset untouched,
                   struct random *random) {
    square squares[BOARD_SQUARES_MAX];
    struct setup before = *setup;
    int count = 0, changed = 0;
    while (untouched) {
        square at = board_turn(&rules->board, squareset_pop(&untouched));
        if (setup->at[at] != KIND_NONE) squares[count++] = at;
    }
    for (int i = count - 1; i > 0; i--) {
        square a = squares[i], b = squares[random_below(random, (uint32_t)i + 1)];
        kind_id kind = setup->at[a];
        setup->at[a] = setup->at[b];
        setup->at[b] = kind;
    }
    if (!setup_check(rules, RED, setup, NULL)) *setup = before;
    for (int i = 0; i < count; i++) changed += setup->at[squares[i]] != before.at[squares[i]];
    return changed;
}

/* Plays a game twice, the second time with other hidden ranks; true when red received the same
 * bytes. With `leak` red's log holds what it must not know. `*changed` grows by the pieces whose
 * rank was another. */
static bool twice_the_same(const struct rules *rules, uint64_t seed, bool leak, int *changed) {
    struct random random = random_stream(seed, STREAM_BLUE_SETUP, 0);
    struct setup own, hidden;
    struct position position;
    assert_true(setup_random(rules, RED, &random, &own, NULL));
    assert_true(setup_random(rules, RED, &random, &hidden, NULL));
    scripted_start(&red, "alice", &own, seed);
    scripted_start(&blue, "bob", &hidden, seed + 1000);
    red.quit_after = 10 + 15 * (int)(seed % 8);
    scripted_log(&red);
    if (leak) {
        position_from_setups(rules, &own, &hidden, RED, &position);
        red.peek = position.at;
    }
    struct referee_report first = play(rules, &(struct referee_options){0});
    char *received = red.log;
    size_t length = red.log_length;
    squareset untouched = rules->board.zone[BLUE] & ~red.seen;
    static struct move script[SCRIPTED_MOVES_MAX];
    int made = blue.made;
    memcpy(script, blue.script, sizeof script);

    struct setup other = hidden;
    *changed += permute(rules, &other, untouched, &random);
    scripted_start(&red, "alice", &own, seed);
    scripted_start(&blue, "bob", &other, seed + 1000);
    red.quit_after = 10 + 15 * (int)(seed % 8);
    memcpy(blue.script, script, sizeof script);
    blue.scripted = made;
    scripted_log(&red);
    if (leak) {
        position_from_setups(rules, &own, &other, RED, &position);
        red.peek = position.at;
    }
    struct referee_report second = play(rules, &(struct referee_options){0});
    assert_int_equal(second.forfeit.status, STATUS_OK);
    assert_int_equal(first.plies, second.plies);
    bool same = length == red.log_length && !memcmp(received, red.log, length);
    assert_true(length > 100000);
    free(received);
    scripted_clear(&red);
    return same;
}

static void a_hidden_rank_never_reaches_the_other_side(void **state) {
    (void)state;
    static const char *const variants[] = {"original", "duel",    "infiltrator", "galaxy",
                                           "russian",  "barrage", "lightning",   "milton-bradley"};
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        struct rules *rules = support_rules(variants[v]);
        int changed = 0;
        for (uint64_t seed = 0; seed < 8 || (changed < 8 && seed < 40); seed++)
            if (!twice_the_same(rules, seed, false, &changed))
                fail_msg("%s, seed %d: a hidden rank shows", variants[v], (int)seed);
        if (changed < 8) fail_msg("%s: only %d ranks were exchanged", variants[v], changed);
        rules_free(rules);
    }
}

static void the_comparison_would_notice_a_leak(void **state) {
    (void)state;
    struct rules *rules = support_rules("original");
    int changed = 0;
    assert_false(twice_the_same(rules, 3, true, &changed));
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_game_of_random_moves_is_played_to_the_end_and_both_are_told, seat),
        cmocka_unit_test_setup(set_ups_that_are_given_are_not_asked_for, seat),
        cmocka_unit_test_setup(a_given_setup_replaces_the_answer_of_who_is_asked_anyway, seat),
        cmocka_unit_test_setup(blue_begins_when_told_so, seat),
        cmocka_unit_test_setup(other_limits_hold_and_are_recorded, seat),
        cmocka_unit_test_setup(breaking_a_game_off_leaves_it_without_result, seat),
        cmocka_unit_test_setup(who_resigns_has_lost, seat_oddly),
        cmocka_unit_test_setup(a_draw_that_is_accepted_ends_the_game, seat_oddly),
        cmocka_unit_test_setup(a_draw_that_is_declined_costs_nothing_but_once_a_turn_only,
                               seat_oddly),
        cmocka_unit_test(every_kind_of_wrong_answer_forfeits),
        cmocka_unit_test_setup(a_text_without_its_end_is_no_harm, seat_oddly),
        cmocka_unit_test_setup(who_takes_refusals_is_asked_again, seat_oddly),
        cmocka_unit_test_setup(a_wrong_setup_forfeits_or_is_asked_for_again, seat_oddly),
        cmocka_unit_test(each_way_to_break_has_its_own_reason),
        cmocka_unit_test_setup(the_record_of_a_forfeit_says_why_without_naming_folders, seat_oddly),
        cmocka_unit_test_setup(who_breaks_after_the_end_has_not_lost_by_it, seat_oddly),
        cmocka_unit_test_setup(who_has_forfeited_is_not_blamed_again, seat_oddly),
        cmocka_unit_test_setup(a_fault_of_the_host_is_nobodys_forfeit, seat_oddly),
        cmocka_unit_test(a_hidden_rank_never_reaches_the_other_side),
        cmocka_unit_test(the_comparison_would_notice_a_leak),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
