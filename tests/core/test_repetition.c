/* The two-squares rule and both chase rules on small positions: RULES 5. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/play/legal.h"
#include "core/play/repetition.h"
#include "core/rules/refusal.h"
#include "custom.h"
#include "support.h"

#include <string.h>

static struct table table;

static void assert_verdict(const char *move, enum verdict verdict) {
    assert_string_equal(verdict_name(table_judge(&table, move)), verdict_name(verdict));
}

static void three_moves_to_and_fro_are_the_most(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9j9 red");
    table_play(&table, "e3-e4 j9-j8 e4-e3 j8-j7");
    assert_verdict("e3-e4", LEGAL);
    table_play(&table, "e3-e4 j7-j6");
    assert_verdict("e4-e3", ILLEGAL_TWO_SQUARES);
    assert_verdict("e4-e5", LEGAL);
    assert_verdict("e4-d4", LEGAL);
}

static void the_classic_limit_is_five(void **state) {
    (void)state;
    table_set(&table, "classic", "rFa1 rMe3 bFj10 b9j9 red");
    table_play(&table, "e3-e4 j9-j8 e4-e3 j8-j7 e3-e4 j7-j6 e4-e3 j6-j5 e3-e4 j5-j4");
    assert_verdict("e4-e3", ILLEGAL_TWO_SQUARES);
    assert_verdict("e4-f4", LEGAL);
}

static void milton_bradley_knows_no_limit(void **state) {
    (void)state;
    table_set(&table, "milton-bradley", "rFa1 r1e3 bFj10 b2j9 red");
    for (int i = 0; i < 8; i++) table_play(&table, "e3-e4 j9-j8 e4-e3 j8-j9");
}

static void both_sides_are_counted_apart(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9j9 red");
    table_play(&table, "e3-e4 j9-j8 e4-e3 j8-j9 e3-e4 j9-j8 e4-d4");
    assert_verdict("j8-j9", ILLEGAL_TWO_SQUARES);
    assert_verdict("j8-j7", LEGAL);
}

static void attacks_count_as_moves_to_and_fro(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9f3 red");
    table_play(&table, "e3-e4 f3-f2 e4-e3 f2-f3 e3-e4 f3-e3");
    assert_verdict("e4xe3", ILLEGAL_TWO_SQUARES);
}

static void another_pieces_move_starts_the_count_afresh(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 r4a3 bFj10 b9j9 red");
    table_play(&table, "e3-e4 j9-j8 e4-e3 j8-j7 e3-e4 j7-j6 a3-a4 j6-j5");
    assert_verdict("e4-e3", LEGAL);
}

static void a_capture_starts_the_count_afresh(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r8e3 rMf4 bFj10 b9d4 b4j9 red");
    table_play(&table, "e3-e4 j9-j8 e4-e3 j8-j7 e3-e4 d4xe4 f4xe4 j7-j6");
    assert_verdict("e4-e3", LEGAL);
}

static void the_other_sides_doings_do_not_matter(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9j9 bSd2 red");
    table_play(&table, "e3-e4 d2-e2 e4-e3 e2-d2 e3-e4 d2-d3");
    assert_verdict("e4-e3", ILLEGAL_TWO_SQUARES);
}

static void a_run_counts_for_every_border_it_crosses(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r2b4 bFj10 b9j9 red");
    table_play(&table, "b4-b8 j9-j8 b8-b5 j8-j7 b5-b7 j7-j6");
    assert_verdict("b7-b6", ILLEGAL_TWO_SQUARES);
    assert_verdict("b7-b5", ILLEGAL_TWO_SQUARES);
    assert_verdict("b7-b2", ILLEGAL_TWO_SQUARES);
    assert_verdict("b7-b8", LEGAL); /* crossed by the first two only */
    assert_verdict("b7-b10", LEGAL);
    assert_verdict("b7-c7", LEGAL);
}

static void runs_without_a_common_border_are_free(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r2b2 bFj10 b9j9 red");
    table_play(&table, "b2-b6 j9-j8 b6-b5 j8-j7 b5-b8 j7-j6");
    assert_verdict("b8-b7", LEGAL);
    assert_verdict("b8-b6", LEGAL);
    assert_verdict("b8-b5", ILLEGAL_TWO_SQUARES);
}

static void a_captains_corner_counts_its_own_two_squares(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r6e3 bFj10 b9j9 red");
    table_play(&table, "e3-f4 j9-j8 f4-e3 j8-j7 e3-f4 j7-j6");
    assert_verdict("f4-e3", ILLEGAL_TWO_SQUARES);
    assert_verdict("f4-e4", LEGAL);
    assert_verdict("f4-g3", LEGAL);
}

/* A marshal hunts a general round four squares; after eight plies it could close the circle. */
static void hunt_in_a_circle(const char *variant) {
    table_set(&table, variant, "rMa3 rFj1 bFj10 b9b2 b4h9 red");
    table_play(&table, "a3-a2 b2-b1 a2-b2 b1-a1 b2-b1 a1-a2 b1-a1 a2-b2");
}

static void a_chase_may_not_come_back_to_a_position(void **state) {
    (void)state;
    hunt_in_a_circle("original");
    assert_verdict("a1-a2", ILLEGAL_CHASE);
    assert_verdict("a1-b1", LEGAL);
}

static void without_the_chase_rule_the_circle_may_be_closed(void **state) {
    (void)state;
    hunt_in_a_circle("classic");
    assert_verdict("a1-a2", LEGAL);
}

static void the_exact_reverse_is_allowed(void **state) {
    (void)state;
    table_set(&table, "original", "rMa3 rFj1 bFj10 b9b2 red");
    table_play(&table, "a3-a2 b2-b1 a2-a1 b1-b2");
    assert_verdict("a1-a2", LEGAL);
    table_play(&table, "a1-a2");
}

static void a_pause_ends_a_chase(void **state) {
    (void)state;
    table_set(&table, "original", "rMa3 rFj1 bFj10 b9b2 r4h2 b4h9 red");
    table_play(&table, "a3-a2 b2-b1 a2-b2 b1-a1 h2-h3 h9-h8");
    table_play(&table, "b2-b1 a1-a2 b1-a1 a2-b2 h3-h2 h8-h9");
    assert_verdict("a1-a2", LEGAL);
}

static void an_evader_that_does_not_run_ends_a_chase(void **state) {
    (void)state;
    hunt_in_a_circle("original");
    table_play(&table, "a1-b1 h9-h8");
    assert_int_equal(table.game.chaser[RED].chase, 0);
}

static void an_attack_is_never_a_chase(void **state) {
    (void)state;
    hunt_in_a_circle("original");
    table_play(&table, "a1-b1 h9-h8");
    assert_verdict("b1xb2", LEGAL);
}

static void an_attack_ends_both_chases(void **state) {
    (void)state;
    table_set(&table, "original", "rMa3 rFj1 r8h3 bFj10 b9b2 b4h4 b6i4 b5c9 red");
    table_play(&table, "a3-a2 b2-b1 a2-b2 b1-a1 b2-b1 a1-a2");
    assert_true(table.game.chaser[RED].chase > 4);
    table_play(&table, "h3xh4");
    /* The colonel now stands next to i4, which begins another. */
    assert_int_equal(table.game.chaser[RED].chase, 1);
    assert_int_equal(table.game.chaser[BLUE].chase, 0);
}

static void a_third_russian_chase_move_is_illegal(void **state) {
    (void)state;
    table_set(&table, "russian", "rMa3 rFj1 r3h1 bFj10 b9b2 b3h9 red");
    table_play(&table, "a3-a2 b2-b1");
    assert_verdict("a2-a1", LEGAL);
    table_play(&table, "a2-a1 b1-c1");
    assert_verdict("a1-b1", ILLEGAL_CHASE);
    assert_verdict("a1-a2", LEGAL);
}

static void a_russian_quarry_that_stays_may_be_attacked(void **state) {
    (void)state;
    table_set(&table, "russian", "rMa3 rFj1 r3h1 bFj10 b9b2 b3h9 red");
    table_play(&table, "a3-a2 b2-b1 a2-a1 h9-h8");
    assert_verdict("a1xb1", LEGAL);
}

static void a_russian_chase_of_another_piece_is_another_chase(void **state) {
    (void)state;
    table_set(&table, "russian", "rMa3 rFj1 r3h1 bFj10 b9b2 b8c2 b3h9 red");
    table_play(&table, "a3-a2 b2-b3 a2-b2 c2-d2");
    assert_verdict("b2-c2", LEGAL);
}

static void a_russian_quarry_that_attacks_does_not_flee(void **state) {
    (void)state;
    table_set(&table, "russian", "rMa3 rFj1 r3h1 r4c1 bFj10 b9b2 b3h9 red");
    table_play(&table, "a3-a2 b2-b1 a2-a1 b1xc1");
    assert_verdict("a1-b1", LEGAL);
}

static void an_attack_is_a_move_of_a_russian_chase(void **state) {
    (void)state;
    table_set(&table, "russian", "rFj1 rSb4 r5a4 r3h1 bFj10 b7b5 b3h9 blue");
    table_play(&table, "b5xb4 a4-a5 b4-b5 a5-a4");
    assert_verdict("b5-b4", ILLEGAL_CHASE);
}

static void a_russian_pause_starts_the_count_afresh(void **state) {
    (void)state;
    table_set(&table, "russian", "rMa3 rFj1 r3h1 bFj10 b9b2 b3h9 red");
    table_play(&table, "a3-a2 b2-b1 a2-a1 b1-c1 h1-h2 h9-h8");
    assert_verdict("a1-b1", LEGAL);
}

static struct evidence explain(const char *text) {
    struct move move = {0};
    struct evidence evidence;
    move_read(&table.game, text, strlen(text), &move, NULL);
    repetition_explain(&table.game, move, &evidence);
    return evidence;
}

static void moves_to_and_fro_are_explained_by_those_before_over_the_same_border(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r2b4 bFj10 b9j9 red");
    table_play(&table, "b4-b7 j9-j8 b7-b5 j8-j7");
    struct evidence evidence = explain("b5-b9");
    assert_int_equal(evidence.verdict, LEGAL);
    assert_int_equal(evidence.count, 2);
    assert_int_equal(evidence.ply[0], 1);
    assert_int_equal(evidence.ply[1], 3);
    assert_int_equal(evidence.border[0], table_square(&table, "b5"));
    assert_int_equal(evidence.border[1], table_square(&table, "b6"));
    table_play(&table, "b5-b9 j7-j6");
    evidence = explain("b9-b2");
    assert_int_equal(evidence.verdict, ILLEGAL_TWO_SQUARES);
    assert_int_equal(evidence.count, 3);
    assert_int_equal(evidence.ply[0], 1);
    assert_int_equal(evidence.ply[2], 5);
    assert_int_equal(explain("b9-c9").count, 0);
}

static void a_russian_chase_is_explained_by_the_two_moves_before(void **state) {
    (void)state;
    table_set(&table, "russian", "rFa1 rMe2 bFj10 b9e4 red");
    table_play(&table, "e2-e3 e4-f4 e3-f3 f4-e4");
    struct evidence evidence = explain("f3-e3");
    assert_int_equal(evidence.verdict, ILLEGAL_CHASE);
    assert_int_equal(evidence.count, 2);
    assert_int_equal(evidence.ply[0], 1);
    assert_int_equal(evidence.ply[1], 3);
}

/* "The position after N plies" is compared with the board. */
static void an_isf_chase_is_explained_by_the_position_that_would_come_back(void **state) {
    (void)state;
    struct random random = random_stream(4, STREAM_PLAYOUT, 0);
    static struct move moves[4096];
    int refused = 0;
    for (int g = 0; g < 2000; g++) {
        table_set(&table, "quick", "rFa1 rBa2 rBb1 rMd3 bFh8 bBh7 bBg8 b9d5 red");
        while (!game_over(&table.game) && table.game.ply_count < TABLE_PLIES / 2) {
            size_t count = game_moves(&table.game, moves, 4096);
            for (square from = 0; from < table.rules->board.squares; from++) {
                for (squareset near = table.rules->board.neighbours[from]; near;) {
                    struct move move = {from, squareset_pop(&near), SQUARE_NONE, ABILITY_NONE,
                                        KIND_NONE};
                    if (game_judge(&table.game, move) != ILLEGAL_CHASE) continue;
                    struct evidence evidence;
                    cell after[BOARD_SQUARES_MAX];
                    struct game game = table.game;
                    repetition_explain(&game, move, &evidence);
                    game_play(&game, move, NULL);
                    memcpy(after, game.at, sizeof after);
                    while (game.ply_count > evidence.position) game_undo(&game);
                    assert_memory_equal(game.at, after, sizeof after);
                    assert_in_range(evidence.position, evidence.since, table.game.ply_count - 1);
                    refused++;
                }
            }
            /* Red likes to threaten. */
            struct move move = moves[random_below(&random, (uint32_t)count)];
            for (int tries = 0; table.game.to_move == RED && tries < 8; tries++) {
                if (table.rules->board.neighbours[move.to] & table.game.pieces[BLUE]) break;
                move = moves[random_below(&random, (uint32_t)count)];
            }
            game_play(&table.game, move, NULL);
        }
    }
    assert_true(refused > 20);
}

static void a_limit_lies_where_variants_may_set_it(void **state) {
    (void)state;
    static const uint8_t count[CUSTOM_KINDS + 1] = {[CUSTOM_FLAG] = 1, [CUSTOM_RUNNER] = 2};
    static const struct {
        uint8_t limit;
        bool allowed;
    } cases[] = {
        {0, true}, {1, false}, {2, true}, {TWO_SQUARES_MAX, true}, {TWO_SQUARES_MAX + 1, false}};
    struct fault fault = {0};
    struct rules *rules = custom_rules(6, 6, 2, 0, count, false, &fault);
    assert_non_null(rules);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rules->two_squares = cases[i].limit;
        struct refusals refusals;
        assert_int_equal(rules_finish(rules, &refusals), cases[i].allowed);
        if (cases[i].allowed) continue;
        assert_int_equal(refusals.count, 1);
        assert_int_equal(refusals.list[0].code, REFUSED_TWO_SQUARES);
        assert_int_equal(refusals.list[0].value, cases[i].limit);
        refusal_fault(&refusals.list[0], rules, &fault);
        assert_non_null(strstr(fault.text, "expected 2 to 16"));
    }
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_moves_to_and_fro_are_the_most),
        cmocka_unit_test(the_classic_limit_is_five),
        cmocka_unit_test(milton_bradley_knows_no_limit),
        cmocka_unit_test(both_sides_are_counted_apart),
        cmocka_unit_test(attacks_count_as_moves_to_and_fro),
        cmocka_unit_test(another_pieces_move_starts_the_count_afresh),
        cmocka_unit_test(a_capture_starts_the_count_afresh),
        cmocka_unit_test(the_other_sides_doings_do_not_matter),
        cmocka_unit_test(a_run_counts_for_every_border_it_crosses),
        cmocka_unit_test(runs_without_a_common_border_are_free),
        cmocka_unit_test(a_captains_corner_counts_its_own_two_squares),
        cmocka_unit_test(a_chase_may_not_come_back_to_a_position),
        cmocka_unit_test(without_the_chase_rule_the_circle_may_be_closed),
        cmocka_unit_test(the_exact_reverse_is_allowed),
        cmocka_unit_test(a_pause_ends_a_chase),
        cmocka_unit_test(an_evader_that_does_not_run_ends_a_chase),
        cmocka_unit_test(an_attack_is_never_a_chase),
        cmocka_unit_test(an_attack_ends_both_chases),
        cmocka_unit_test(a_third_russian_chase_move_is_illegal),
        cmocka_unit_test(a_russian_quarry_that_stays_may_be_attacked),
        cmocka_unit_test(a_russian_chase_of_another_piece_is_another_chase),
        cmocka_unit_test(a_russian_quarry_that_attacks_does_not_flee),
        cmocka_unit_test(an_attack_is_a_move_of_a_russian_chase),
        cmocka_unit_test(a_russian_pause_starts_the_count_afresh),
        cmocka_unit_test(moves_to_and_fro_are_explained_by_those_before_over_the_same_border),
        cmocka_unit_test(a_russian_chase_is_explained_by_the_two_moves_before),
        cmocka_unit_test(an_isf_chase_is_explained_by_the_position_that_would_come_back),
        cmocka_unit_test(a_limit_lies_where_variants_may_set_it),
    };
    return cmocka_run_group_tests_name("core/repetition", tests, NULL, stock_teardown);
}
