/* The common game and its endings, one ruling a test: RULES 1 and 7. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/reference_walk.h"
#include "support.h"

#include <string.h>

static struct table table;

static void assert_over(enum result result, enum reason reason) {
    assert_string_equal(result_name((enum result)table.game.result), result_name(result));
    assert_string_equal(reason_name((enum reason)table.game.reason), reason_name(reason));
}

static void assert_running(void) {
    assert_over(RESULT_NONE, REASON_NONE);
}

static void assert_verdict(const char *move, enum verdict verdict) {
    assert_string_equal(verdict_name(table_judge(&table, move)), verdict_name(verdict));
}

static void a_piece_steps_forward_back_and_sideways(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9j9 red");
    assert_verdict("e3-e4", LEGAL);
    assert_verdict("e3-e2", LEGAL);
    assert_verdict("e3-d3", LEGAL);
    assert_verdict("e3-f3", LEGAL);
}

static void a_piece_does_not_move_diagonally_or_two_squares(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9j9 red");
    assert_verdict("e3-f4", ILLEGAL_MOVEMENT);
    assert_verdict("e3-d2", ILLEGAL_MOVEMENT);
    assert_verdict("e3-e5", ILLEGAL_MOVEMENT);
    assert_verdict("e3-e3", ILLEGAL_MOVEMENT);
}

static void a_board_edge_is_no_way_round(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMj3 r2j5 bFj10 b9j9 red");
    assert_verdict("j3-a4", ILLEGAL_MOVEMENT);
    assert_verdict("j5-a6", ILLEGAL_MOVEMENT);
    assert_verdict("j5-a5", ILLEGAL_MOVEMENT);
}

static void lakes_are_no_squares(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMc4 r2d4 bFj10 b9j9 red");
    assert_verdict("c4-c5", ILLEGAL_LAKE);
    assert_verdict("d4-d7", ILLEGAL_MOVEMENT);
}

static void a_square_holds_one_piece(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 r9e4 bFj10 b9j9 red");
    assert_verdict("e3-e4", ILLEGAL_OWN_PIECE);
}

static void only_the_side_to_move_moves_its_own_pieces(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9j9 red");
    assert_verdict("j9-j8", ILLEGAL_NOT_YOURS);
    assert_verdict("f3-f4", ILLEGAL_NOT_YOURS);
}

static void bombs_and_flag_never_move(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rBc1 rMe3 bFj10 b9j9 red");
    assert_verdict("a1-a2", ILLEGAL_IMMOBILE_KIND);
    assert_verdict("c1-c2", ILLEGAL_IMMOBILE_KIND);
}

static void a_scout_runs_any_number_of_empty_squares(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r2b1 bFj10 b9j9 red");
    assert_verdict("b1-b2", LEGAL);
    assert_verdict("b1-b10", LEGAL);
    assert_verdict("b1-j1", LEGAL);
    table_play(&table, "b1-b10");
    assert_int_equal(table_at(&table, "b10"), table_kind(&table, "scout"));
}

static void a_scout_may_attack_at_the_end_of_its_run(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r2b1 bFj10 bSb8 b9j9 red");
    table_play(&table, "b1xb8");
    assert_int_equal(table_at(&table, "b8"), table_kind(&table, "scout"));
    assert_int_equal(table_events(&table, EVENT_BATTLE), 1);
}

static void nothing_jumps(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r2b1 r4e1 bFj10 bSb8 b9j9 red");
    assert_verdict("b1-b9", ILLEGAL_BLOCKED);
    assert_verdict("b1-f1", ILLEGAL_BLOCKED);
}

static void attacking_is_never_compulsory(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9e4 red");
    assert_verdict("e3xe4", LEGAL);
    assert_verdict("e3-d3", LEGAL);
}

static void a_winning_attacker_takes_the_square(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9e4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_int_equal(table_at(&table, "e3"), KIND_NONE);
    assert_int_equal(table_at(&table, "e4"), table_kind(&table, "marshal"));
    assert_int_equal(game_captured(&table.game, BLUE, table_kind(&table, "general")), 1);
}

static void a_winning_defender_stays(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r8e3 r4a2 bFj10 b9e4 red");
    table_play(&table, "e3xe4");
    assert_int_equal(table_at(&table, "e3"), KIND_NONE);
    assert_int_equal(table_at(&table, "e4"), table_kind(&table, "general"));
    assert_int_equal(game_captured(&table.game, RED, table_kind(&table, "colonel")), 1);
}

static void equals_both_fall(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r8e3 r4a2 bFj10 b8e4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_int_equal(table_at(&table, "e3"), KIND_NONE);
    assert_int_equal(table_at(&table, "e4"), KIND_NONE);
}

static void a_battle_shows_both_ranks(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r8e3 r4a2 bFj10 b9e4 red");
    table_play(&table, "e3xe4");
    const struct event *battle = &table.events.list[0];
    assert_int_equal(battle->type, EVENT_BATTLE);
    assert_int_equal(battle->kind, table_kind(&table, "colonel"));
    assert_int_equal(battle->other, table_kind(&table, "general"));
    assert_int_equal(battle->outcome, DEFENDER_WINS);
}

static void a_bomb_beats_every_attacker_and_stays(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 r4a2 bFj10 bBe4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_int_equal(table_at(&table, "e3"), KIND_NONE);
    assert_int_equal(table_at(&table, "e4"), table_kind(&table, "bomb"));
}

static void a_miner_removes_a_bomb_and_takes_its_square(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r3e3 bFj10 bBe4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_int_equal(table_at(&table, "e4"), table_kind(&table, "miner"));
}

static void a_spy_wins_only_when_it_attacks_the_marshal(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rSe3 r4a2 bFj10 bMe4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_int_equal(table_at(&table, "e4"), table_kind(&table, "spy"));
    table_set(&table, "original", "rFa1 rSe3 r4a2 bFj10 bMe4 b4j9 blue");
    table_play(&table, "e4xe3");
    assert_int_equal(table_at(&table, "e3"), table_kind(&table, "marshal"));
    table_set(&table, "original", "rFa1 rSe3 r4a2 bFj10 b9e4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_int_equal(table_at(&table, "e4"), table_kind(&table, "general"));
}

static void the_flag_falls_to_any_attacker_and_ends_the_game(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rSj9 bFj10 b4c9 red");
    table_play(&table, "j9xj10");
    assert_over(RESULT_RED, REASON_FLAG);
    assert_int_equal(table_events(&table, EVENT_END), 1);
    assert_verdict("c9-c8", ILLEGAL_GAME_OVER);
    assert_int_equal(game_moves(&table.game, NULL, 0), 0);
}

static void every_battle_of_every_variant_ends_as_the_sheets_say(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        for (kind_id a = 1; a <= rules->kinds; a++) {
            if (rules->kind[a].movement == MOVEMENT_NONE) continue;
            for (kind_id d = 1; d <= rules->kinds; d++) {
                if (rules_outcome(rules, a, d) != reference_outcome(rules, a, d)) {
                    fail_msg("%s: %s attacks %s", STOCK[i], rules->kind[a].name,
                             rules->kind[d].name);
                }
            }
        }
    }
}

static void losing_the_last_mobile_piece_loses_whoever_moved(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r4e3 bFj10 b9e4 red");
    table_play(&table, "e3xe4");
    assert_over(RESULT_BLUE, REASON_IMMOBILE);
    table_set(&table, "original", "rFa1 r9e3 bFj10 b4e4 red");
    table_play(&table, "e3xe4");
    assert_over(RESULT_RED, REASON_IMMOBILE);
}

static void losing_the_last_mobile_pieces_together_is_a_draw(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r4e3 bFj10 b4e4 red");
    table_play(&table, "e3xe4");
    assert_over(RESULT_DRAW, REASON_BOTH_IMMOBILE);
}

static void a_game_may_be_over_when_it_starts(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rBb1 bFj10 b9e4 red");
    assert_over(RESULT_BLUE, REASON_IMMOBILE);
    table_set(&table, "original", "rFa1 rBb1 bFj10 red");
    assert_over(RESULT_DRAW, REASON_BOTH_IMMOBILE);
    table_set(&table, "original", "rFb2 rBb1 rMa1 rBa2 bFj10 b9e4 red");
    assert_over(RESULT_BLUE, REASON_IMMOBILE);
}

static void a_side_walled_in_on_its_turn_loses(void **state) {
    (void)state;
    table_set(&table, "original", "rFb2 rBb1 rMa1 rBa2 bFj10 b9e4 blue");
    assert_running();
    table_play(&table, "e4-e5");
    assert_over(RESULT_BLUE, REASON_IMMOBILE);
}

static void a_side_with_only_forbidden_moves_loses(void **state) {
    (void)state;
    table_set(&table, "original", "rFc1 rBb2 rMa1 rBa2 bFj10 b9e10 red");
    table_play(&table, "a1-b1 e10-e9 b1-a1 e9-f9 a1-b1");
    assert_running();
    table_play(&table, "f9-f10");
    assert_over(RESULT_BLUE, REASON_IMMOBILE);
}

static void plies_without_an_attack_end_in_a_draw(void **state) {
    (void)state;
    const struct limits limits = {4, 0};
    const char *start = "........bFb4/........../........../........../........../"
                        "........../........../........../rM.b2......./rF......... red";
    table_start(&table, "original", start, &limits);
    table_play(&table, "a2-a3 j10-j9 a3-a4");
    assert_running();
    table_play(&table, "j9-j8");
    assert_over(RESULT_DRAW, REASON_NO_ATTACK_LIMIT);
    table_start(&table, "original", start, &limits);
    table_play(&table, "a2-b2 j10-j9 b2xc2 j9-j8 c2-c3 j8-j7");
    assert_running();
    table_play(&table, "c3-c4");
    assert_over(RESULT_DRAW, REASON_NO_ATTACK_LIMIT);
}

static void the_ply_limit_draws(void **state) {
    (void)state;
    const struct limits limits = {0, 3};
    const char *start = "........bFb4/........../........../........../........../"
                        "........../........../........../rM.b2......./rF......... red";
    table_start(&table, "original", start, &limits);
    table_play(&table, "a2-b2 j10-j9");
    assert_running();
    table_play(&table, "b2xc2");
    assert_over(RESULT_DRAW, REASON_PLY_LIMIT);
}

static void a_flag_on_the_last_ply_wins_before_the_limit_draws(void **state) {
    (void)state;
    const struct limits limits = {1, 1};
    table_start(&table, "original",
                ".......rMbFb4/........../........../........../........../"
                "........../........../........../........../rF......... red",
                &limits);
    table_play(&table, "h10xi10");
    assert_over(RESULT_RED, REASON_FLAG);
}

static void the_limits_default_to_200_and_4000(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++) {
        bool land = strcmp(STOCK[i], "luzhanqi") == 0, animals = strcmp(STOCK[i], "jungle") == 0;
        assert_int_equal(stock_rules(STOCK[i])->limits.no_attack, land ? 70 : animals ? 100 : 200);
        assert_int_equal(stock_rules(STOCK[i])->limits.plies, land || animals ? 1000 : 4000);
    }
}

static void russian_games_without_miners_and_ways_are_drawn(void **state) {
    (void)state;
    table_set(&table, "russian", "rFa1 rBa2 rBb1 r4e3 bFj10 bBj9 bBi10 b4e7 red");
    assert_over(RESULT_DRAW, REASON_NO_MINERS);
    table_set(&table, "russian", "rFa1 rBa2 rBb1 r4e3 bFj10 bBj9 bBi10 b4e7 b3e4 red");
    assert_running();
    table_play(&table, "e3xe4");
    assert_over(RESULT_DRAW, REASON_NO_MINERS);
}

static void a_miner_or_an_open_flag_keeps_a_russian_game_going(void **state) {
    (void)state;
    table_set(&table, "russian", "rFa1 rBa2 rBb1 r4e3 r3h3 bFj10 bBj9 bBi10 b4e7 red");
    assert_running();
    table_set(&table, "russian", "rFa1 rBa2 r4e3 bFj10 bBj9 bBi10 b4e7 red");
    assert_running();
    /* A mobile piece is no wall. */
    table_set(&table, "russian", "rFa1 rBa2 r5b1 r4e3 bFj10 bBj9 bBi10 b4e7 red");
    assert_running();
    table_set(&table, "original", "rFa1 rBa2 rBb1 r4e3 bFj10 bBj9 bBi10 b4e7 red");
    assert_running();
}

static void the_side_itself_behind_the_wall_does_not_open_it(void **state) {
    (void)state;
    table_set(&table, "russian", "rFa1 r5b1 rBa2 rBb2 rBc1 r4e3 bFj10 bBj9 bBi10 b4e7 red");
    assert_over(RESULT_DRAW, REASON_NO_MINERS);
}

static void the_first_side_is_red_or_chosen(void **state) {
    (void)state;
    static const char *const CHOSEN[] = {"milton-bradley", "lattaque", "salpakan"};
    for (int i = 0; i < STOCK_COUNT; i++) {
        bool chosen = false;
        for (int j = 0; j < 3; j++) chosen |= strcmp(STOCK[i], CHOSEN[j]) == 0;
        assert_int_equal(stock_rules(STOCK[i])->first, chosen ? FIRST_CHOSEN : FIRST_RED);
    }
}

static void a_game_can_be_stopped_from_outside(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe3 bFj10 b9e4 red");
    game_stop(&table.game, RESULT_BLUE, REASON_RESIGNED);
    assert_over(RESULT_BLUE, REASON_RESIGNED);
    assert_verdict("e3-e2", ILLEGAL_GAME_OVER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piece_steps_forward_back_and_sideways),
        cmocka_unit_test(a_piece_does_not_move_diagonally_or_two_squares),
        cmocka_unit_test(a_board_edge_is_no_way_round),
        cmocka_unit_test(lakes_are_no_squares),
        cmocka_unit_test(a_square_holds_one_piece),
        cmocka_unit_test(only_the_side_to_move_moves_its_own_pieces),
        cmocka_unit_test(bombs_and_flag_never_move),
        cmocka_unit_test(a_scout_runs_any_number_of_empty_squares),
        cmocka_unit_test(a_scout_may_attack_at_the_end_of_its_run),
        cmocka_unit_test(nothing_jumps),
        cmocka_unit_test(attacking_is_never_compulsory),
        cmocka_unit_test(a_winning_attacker_takes_the_square),
        cmocka_unit_test(a_winning_defender_stays),
        cmocka_unit_test(equals_both_fall),
        cmocka_unit_test(a_battle_shows_both_ranks),
        cmocka_unit_test(a_bomb_beats_every_attacker_and_stays),
        cmocka_unit_test(a_miner_removes_a_bomb_and_takes_its_square),
        cmocka_unit_test(a_spy_wins_only_when_it_attacks_the_marshal),
        cmocka_unit_test(the_flag_falls_to_any_attacker_and_ends_the_game),
        cmocka_unit_test(every_battle_of_every_variant_ends_as_the_sheets_say),
        cmocka_unit_test(losing_the_last_mobile_piece_loses_whoever_moved),
        cmocka_unit_test(losing_the_last_mobile_pieces_together_is_a_draw),
        cmocka_unit_test(a_game_may_be_over_when_it_starts),
        cmocka_unit_test(a_side_walled_in_on_its_turn_loses),
        cmocka_unit_test(a_side_with_only_forbidden_moves_loses),
        cmocka_unit_test(plies_without_an_attack_end_in_a_draw),
        cmocka_unit_test(the_ply_limit_draws),
        cmocka_unit_test(a_flag_on_the_last_ply_wins_before_the_limit_draws),
        cmocka_unit_test(the_limits_default_to_200_and_4000),
        cmocka_unit_test(russian_games_without_miners_and_ways_are_drawn),
        cmocka_unit_test(a_miner_or_an_open_flag_keeps_a_russian_game_going),
        cmocka_unit_test(the_side_itself_behind_the_wall_does_not_open_it),
        cmocka_unit_test(the_first_side_is_red_or_chosen),
        cmocka_unit_test(a_game_can_be_stopped_from_outside),
    };
    return cmocka_run_group_tests_name("core/rulings", tests, NULL, stock_teardown);
}
