/* The saboteur, the spotter and the rules of lightning: RULES 4 and 6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rules/refusal.h"
#include "custom.h"
#include "support.h"
#include "variant/variant.h"

#include <string.h>

static struct table table;

static void assert_verdict(const char *move, enum verdict verdict) {
    assert_string_equal(verdict_name(table_judge(&table, move)), verdict_name(verdict));
}

static void assert_kind(const char *at, const char *name) {
    kind_id kind = table_at(&table, at);
    assert_string_equal(kind ? table.rules->kind[kind].name : "", name);
}

static void assert_over(enum result result, enum reason reason) {
    assert_string_equal(result_name((enum result)table.game.result), result_name(result));
    assert_string_equal(reason_name((enum reason)table.game.reason), reason_name(reason));
}

static void a_saboteur_reaches_two_squares_along_rank_and_file(void **state) {
    (void)state;
    table_set(&table, "infiltrator",
              "rFa1 rXe8 bFj10 b7e9 b8e10 b9f8 bMg8 b4h8 b5f9 b6e7 b2e6 red");
    assert_verdict("e8@e9=major", LEGAL);
    assert_verdict("e8@e10=major", LEGAL);
    assert_verdict("e8@f8=7", LEGAL);
    assert_verdict("e8@g8=bomb", LEGAL);
    assert_verdict("e8@e7=scout", LEGAL);
    assert_verdict("e8@e6=scout", LEGAL);
    assert_verdict("e8@h8=sergeant", ILLEGAL_ABILITY);
    assert_verdict("e8@f9=lieutenant", ILLEGAL_ABILITY);
}

static void a_saboteur_works_only_in_the_enemys_territory(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe6 bFj10 b7e7 red");
    assert_verdict("e6@e7=major", ILLEGAL_ABILITY);
    table_set(&table, "infiltrator", "rFa1 rXe7 bFj10 b7e8 red");
    assert_verdict("e7@e8=major", LEGAL);
    table_set(&table, "infiltrator", "rFa1 r7e3 bFj10 bXe4 b4j9 blue");
    assert_verdict("e4@e3=major", LEGAL);
    table_set(&table, "infiltrator", "rFa1 r7e4 bFj10 bXe5 b4j9 blue");
    assert_verdict("e5@e4=major", ILLEGAL_ABILITY);
}

static void a_saboteur_aims_only_at_enemies_and_only_when_it_stays(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe7 r4e8 bFj10 b7f7 red");
    assert_verdict("e7@e8=sergeant", ILLEGAL_ABILITY);
    assert_verdict("e7@d7=sergeant", ILLEGAL_ABILITY);
    assert_verdict("e7-d7@d8=sergeant", ILLEGAL_ABILITY);
    assert_verdict("e7-e6@f6=major", ILLEGAL_ABILITY);
    assert_verdict("e7-d7@f7=major", ILLEGAL_ABILITY);
    assert_verdict("e8@f7=major", ILLEGAL_ABILITY);
}

static void a_saboteurs_aim_passes_over_pieces(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe8 r4f8 bFj10 b7e9 b8e10 b9g8 red");
    table_play(&table, "e8@e10=colonel");
    assert_kind("e10", "");
    assert_kind("e9", "major");
}

static void a_saboteurs_aim_does_not_pass_over_lakes(void **state) {
    (void)state;
    static const char text[] = "return { api = 1, extends = \"infiltrator\", title = \"Ponds\",\n"
                               "  army = { scout = 6 }, board = { lakes = { \"e8\", \"f3\" } } }\n";
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    struct rules *rules = variant_load_text(&folders, "ponds.lua", text, sizeof text - 1, &fault);
    if (!rules) fail_msg("%s", fault.text);
    const struct board *board = &rules->board;
    square e7 = board_square(board, 4, 6), e8 = board_square(board, 4, 7);
    assert_true(squareset_has(board->lakes, e8));
    squareset aims = 0;
    for (int a = 0; a < rules->abilities; a++) aims |= rules->ability[a].targets[RED][e7];
    assert_true(squareset_has(aims, board_square(board, 5, 6)));
    assert_true(squareset_has(aims, board_square(board, 6, 6)));
    assert_false(squareset_has(aims, e8));
    assert_false(squareset_has(aims, board_square(board, 4, 8)));
    rules_free(rules);
}

static void a_right_sabotage_removes_the_piece_and_leaves_the_saboteur(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe8 bFj10 bMe9 b4j9 red");
    table_play(&table, "e8@e9=marshal");
    assert_kind("e9", "");
    assert_kind("e8", "saboteur");
    assert_int_equal(game_captured(&table.game, BLUE, table_kind(&table, "marshal")), 1);
    assert_int_equal(table_events(&table, EVENT_REMOVE), 1);
}

static void a_wrong_sabotage_leaves_both(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe8 bFj10 bMe9 b4j9 red");
    table_play(&table, "e8@e9=general");
    assert_kind("e9", "marshal");
    assert_kind("e8", "saboteur");
    assert_int_equal(table_events(&table, EVENT_REMOVE), 0);
}

static void a_sabotage_removes_bombs_and_the_flag_too(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe8 bFj10 bBe9 b4j9 red");
    table_play(&table, "e8@e9=bomb");
    assert_kind("e9", "");
    table_set(&table, "infiltrator", "rFa1 rXj8 bFj10 b4j9 red");
    table_play(&table, "j8@j10=flag");
    assert_over(RESULT_RED, REASON_FLAG);
}

static void a_sabotage_reveals_the_saboteur_and_no_target(void **state) {
    (void)state;
    static const char *const guesses[] = {"e8@e9=general", "e8@e9=marshal"};
    for (int i = 0; i < 2; i++) {
        table_set(&table, "infiltrator", "rFa1 rXe8 bFj10 bMe9 b4j9 red");
        assert_int_equal(table_seen(&table, BLUE, "e8")->kind, KIND_NONE);
        table_play(&table, guesses[i]);
        assert_int_equal(table_seen(&table, BLUE, "e8")->kind, table_kind(&table, "saboteur"));
        assert_true(table_seen(&table, RED, "e8")->shown);
        if (i == 0) {
            assert_int_equal(table_seen(&table, RED, "e9")->kind, KIND_NONE);
            assert_false(table_seen(&table, BLUE, "e9")->shown);
            assert_false(table_seen(&table, RED, "e9")->may_be &
                         kindset_of(table_kind(&table, "general")));
        }
    }
}

static void saboteur_and_spy_both_fall(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe6 r4a2 bFj10 bSe7 b4j9 red");
    table_play(&table, "e6xe7");
    assert_kind("e6", "");
    assert_kind("e7", "");
    table_set(&table, "infiltrator", "rFa1 rXe6 r4a2 bFj10 bSe7 b4j9 blue");
    table_play(&table, "e7xe6");
    assert_kind("e6", "");
    assert_kind("e7", "");
}

static void a_sabotage_counts_as_an_attack(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe8 r4a2 bFj10 bMe9 b4j9 red");
    table_play(&table, "a2-a3 j9-j8");
    assert_int_equal(table.game.quiet, 2);
    table_play(&table, "e8@e9=general");
    assert_int_equal(table.game.quiet, 0);
    assert_int_equal(table.view[BLUE].quiet, 0);
}

static void a_spotter_spots_a_neighbour_from_where_it_stands(void **state) {
    (void)state;
    table_set(&table, "galaxy", "rFa1 rPe4 r4a2 bFj8 bMe5 b9f4 b4e6 b5f5 red");
    assert_verdict("e4@e5=general", LEGAL);
    assert_verdict("e4@f4=general", LEGAL);
    assert_verdict("e4@e6=sergeant", ILLEGAL_ABILITY);
    assert_verdict("e4@f5=lieutenant", ILLEGAL_ABILITY);
    assert_verdict("e4@e3=scout", ILLEGAL_ABILITY);
}

static void a_spotter_may_step_to_an_empty_square_first(void **state) {
    (void)state;
    table_set(&table, "galaxy", "rFa1 rPe3 r4a2 bFj8 bMe5 b4j7 red");
    assert_verdict("e3@e5=marshal", ILLEGAL_ABILITY);
    assert_verdict("e3-d3@e5=marshal", ILLEGAL_ABILITY);
    table_play(&table, "e3-e4@e5=marshal");
    assert_kind("e4", "spotter");
    assert_kind("e5", "");
    assert_kind("e3", "");
}

static void a_spotter_does_not_spot_after_an_attack(void **state) {
    (void)state;
    table_set(&table, "galaxy", "rFa1 rPe3 r4a2 bFj8 bSe4 bMe5 b4j7 red");
    assert_verdict("e3xe4", LEGAL);
    assert_verdict("e3xe4@e5=marshal", ILLEGAL_ABILITY);
}

static void a_wrong_spot_does_nothing_but_reveal_the_spotter(void **state) {
    (void)state;
    table_set(&table, "galaxy", "rFa1 rPe4 r4a2 bFj8 bMe5 b4j7 red");
    table_play(&table, "e4@e5=general");
    assert_kind("e5", "marshal");
    assert_kind("e4", "spotter");
    assert_int_equal(table_seen(&table, BLUE, "e4")->kind, table_kind(&table, "spotter"));
    assert_int_equal(table_seen(&table, RED, "e5")->kind, KIND_NONE);
}

static void a_spot_removes_bombs_and_the_flag_too(void **state) {
    (void)state;
    table_set(&table, "galaxy", "rFa1 rPe4 r4a2 bFj8 bBe5 b4j7 red");
    table_play(&table, "e4@e5=bomb");
    assert_kind("e5", "");
    table_set(&table, "galaxy-duel", "rFa1 rPi7 bFj8 bMj7 red");
    table_play(&table, "i7-i8@j8=flag");
    assert_over(RESULT_RED, REASON_FLAG);
}

static void a_turn_with_a_spot_counts_as_an_attack_and_one_without_does_not(void **state) {
    (void)state;
    table_set(&table, "galaxy", "rFa1 rPe3 r4a2 bFj8 bMe5 b4j7 red");
    table_play(&table, "e3-e4 j7-j6");
    assert_int_equal(table.game.quiet, 2);
    assert_int_equal(table_seen(&table, BLUE, "e4")->kind, KIND_NONE);
    table_play(&table, "e4@e5=general");
    assert_int_equal(table.game.quiet, 0);
}

static void a_step_with_a_spot_still_obeys_the_two_squares_rule(void **state) {
    (void)state;
    table_set(&table, "galaxy", "rFa1 rPe3 r4a2 bFj8 bMe5 b4j7 red");
    table_play(&table, "e3-e4 j7-j6 e4-e3 j6-j5 e3-e4 j5-j4");
    assert_verdict("e4-e3", ILLEGAL_TWO_SQUARES);
    assert_verdict("e4@e5=general", LEGAL);
}

static void a_galactic_spy_falls_to_a_spotters_attack(void **state) {
    (void)state;
    table_set(&table, "galaxy", "rFa1 rPe4 r4a2 bFj8 bSe5 b4j7 red");
    table_play(&table, "e4xe5");
    assert_kind("e5", "spotter");
}

static void in_lightning_equals_leave_the_attacker_on_the_square(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r7e3 bFj10 b7e4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_kind("e4", "major");
    assert_int_equal(cell_side(table.game.at[table_square(&table, "e4")]), RED);
    assert_kind("e3", "");
}

static void in_lightning_a_bomb_leaves_with_its_first_attacker(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r7e3 r4a2 bFj10 bBe4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_kind("e4", "");
    assert_kind("e3", "");
    table_set(&table, "lightning", "rFa1 r3e3 r4a2 bFj10 bBe4 b4j9 red");
    table_play(&table, "e3xe4");
    assert_kind("e4", "miner");
}

static void in_lightning_a_captain_moves_up_to_two_squares(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r6e2 r4e3 r5f2 bFj10 b9f3 b4j9 red");
    assert_verdict("e2-d2", LEGAL);
    assert_verdict("e2-c2", LEGAL);
    assert_verdict("e2-d3", LEGAL);
    assert_verdict("e2-d1", LEGAL);
    assert_verdict("e2-e4", ILLEGAL_BLOCKED);
    assert_verdict("e2xf3", ILLEGAL_BLOCKED); /* both corners are taken */
    assert_verdict("e2-b2", ILLEGAL_MOVEMENT);
    table_set(&table, "lightning", "rFa1 r6e2 r4e3 bFj10 b9f3 b4j9 red");
    assert_verdict("e2xf3", LEGAL);
}

static void a_stock_captain_takes_one_step(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r6e2 bFj10 b9f3 red");
    assert_verdict("e2-e4", ILLEGAL_MOVEMENT);
}

/* Red has lost a general and a bomb, and stands before blue's back rank. */
static void before_a_rescue(void) {
    table_set(&table, "lightning",
              "rFa1 r9h2 r8e9 r7d9 r6c9 r2b9 rBc1 r4g3 bFj10 bMh3 b3c2 b5f10 b2j8 red");
    table_play(&table, "h2xh3 c2xc1");
}

static void a_piece_on_the_last_rank_brings_one_back(void **state) {
    (void)state;
    before_a_rescue();
    assert_verdict("e9-e10@b4=general", LEGAL);
    assert_verdict("e9-e10", LEGAL);
    table_play(&table, "e9-e10@b4=general");
    assert_kind("b4", "general");
    assert_kind("e10", "colonel");
    assert_int_equal(table.game.to_move, BLUE);
    assert_int_equal(game_captured(&table.game, RED, table_kind(&table, "general")), 0);
}

static void a_rescue_may_follow_an_attack(void **state) {
    (void)state;
    before_a_rescue();
    table_play(&table, "g3-f3 j8-j7 f3-f4 j7-j6 e9-f9 j6-j5");
    table_play(&table, "f9xf10@b4=general");
    assert_kind("f10", "colonel");
    assert_kind("b4", "general");
}

static void a_rescue_is_lost_with_the_attacker_and_not_counted(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r9h2 r4e9 r8d9 r7c9 bFj10 bMh3 b5e10 b3c2 b2j8 red");
    table_play(&table, "h2xh3 j8-j7");
    assert_verdict("e9xe10@b4=general", LEGAL);
    table_play(&table, "e9xe10@b4=general j7-j6");
    assert_kind("b4", "");
    assert_int_equal(table_events(&table, EVENT_PLACE), 0);
    table_play(&table, "d9-d10@b4=general j6-j5 c9-c10@b3=sergeant");
    assert_kind("b4", "general");
    assert_kind("b3", "sergeant");
}

static void a_rescue_needs_the_last_rank_and_a_free_square_of_the_own_zone(void **state) {
    (void)state;
    before_a_rescue();
    assert_verdict("g3-g4@b4=general", ILLEGAL_ABILITY);
    assert_verdict("e9@b4=general", ILLEGAL_ABILITY);
    assert_verdict("e9-e10@b5=general", ILLEGAL_ABILITY);
    assert_verdict("e9-e10@g3=general", ILLEGAL_ABILITY);
    assert_verdict("e9-e10@a1=general", ILLEGAL_ABILITY);
    assert_verdict("e9-e10@a4=general", LEGAL);
    assert_verdict("e9-e10@h3=general", ILLEGAL_ABILITY);
}

static void a_rescue_brings_back_no_bomb_and_only_what_has_fallen(void **state) {
    (void)state;
    before_a_rescue();
    assert_verdict("e9-e10@b4=bomb", ILLEGAL_ABILITY);
    assert_verdict("e9-e10@b4=marshal", ILLEGAL_ABILITY);
    assert_verdict("e9-e10@b4=major", ILLEGAL_ABILITY);
}

static void a_scout_rescues_nobody(void **state) {
    (void)state;
    before_a_rescue();
    assert_verdict("b9-b10", LEGAL);
    assert_verdict("b9-b10@b4=general", ILLEGAL_ABILITY);
}

static void two_rescues_a_game_are_the_most(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r9h2 r8e9 r7d9 r6c9 r4g3 r5g2 bFj10 bMh3 b9i2 b2j8 red");
    table_play(&table, "h2xh3 j8-j7 g3-h3 j7-j6");
    table_set(&table, "lightning", "rFa1 r9h2 r8h4 r7d9 r6c9 r4i3 r5b8 bFj10 bMh3 b2j8 red");
    table_play(&table, "h2xh3 j8-j7 h4xh3 j7-j6 i3xh3 j6-j5");
    table_play(&table, "d9-d10@a4=general j5-j4");
    table_play(&table, "c9-c10@b4=colonel j4-j3 b8-b9 j3-j2");
    assert_verdict("b9-b10", LEGAL);
    assert_verdict("b9-b10@c4=sergeant", ILLEGAL_ABILITY);
}

static void each_piece_returns_once(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r9h2 r7d9 r6c9 bFj10 bMh3 b2j8 red");
    table_play(&table, "h2xh3 j8-j7 d9-d10@g3=general h3xg3");
    assert_int_equal(game_captured(&table.game, RED, table_kind(&table, "general")), 1);
    assert_int_equal(game_returnable(&table.game, RED, table_kind(&table, "general")), 0);
    assert_verdict("c9-c10@a4=general", ILLEGAL_ABILITY);
}

static void a_returned_piece_is_hidden_again(void **state) {
    (void)state;
    before_a_rescue();
    table_play(&table, "e9-e10@b4=general");
    assert_false(table_seen(&table, RED, "b4")->shown);
    assert_int_equal(table_seen(&table, RED, "b4")->kind, table_kind(&table, "general"));
    assert_int_equal(table_seen(&table, BLUE, "b4")->kind, KIND_NONE);
    assert_int_equal(table.view[BLUE].captured[RED][table_kind(&table, "general")], 0);
    game_undo(&table.game);
    assert_kind("b4", "");
    assert_int_equal(game_returnable(&table.game, RED, table_kind(&table, "general")), 1);
}

/* Rules of two abilities that share a tally and its terms. The caller frees. */
static struct rules *counted_together(void) {
    static const uint8_t count[CUSTOM_KINDS + 1] = {
        [CUSTOM_FLAG] = 1, [CUSTOM_RUNNER] = 2, [CUSTOM_TURNER] = 2};
    struct fault fault;
    struct rules *rules = custom_rules(6, 6, 2, 0, count, true, &fault);
    assert_non_null(rules);
    assert_int_equal(rules->abilities, 2);
    rules->ability[1].tally = rules->ability[0].tally;
    rules->ability[1].limit = rules->ability[0].limit;
    rules->ability[1].attacks = rules->ability[0].attacks;
    struct refusals refusals;
    assert_true(rules_finish(rules, &refusals));
    return rules;
}

static void who_is_counted_together_has_one_limit(void **state) {
    (void)state;
    struct rules *rules = counted_together();
    struct refusals refusals;
    rules->ability[1].limit++;
    assert_false(rules_finish(rules, &refusals));
    assert_int_equal(refusals.list[0].code, REFUSED_SHARED_LIMIT);
    assert_int_equal(refusals.list[0].ability, 1);
    assert_int_equal(refusals.list[0].value, rules->ability[1].limit);
    assert_int_equal(refusals.list[0].expected, rules->ability[0].limit);
    rules_free(rules);
}

static void abilities_counted_together_all_count_as_attacks_or_none_does(void **state) {
    (void)state;
    struct rules *rules = counted_together();
    struct refusals refusals;
    struct fault fault = {0};
    rules->ability[1].attacks = !rules->ability[0].attacks;
    assert_false(rules_finish(rules, &refusals));
    assert_int_equal(refusals.count, 1);
    assert_int_equal(refusals.list[0].code, REFUSED_SHARED_ATTACKS);
    assert_int_equal(refusals.list[0].ability, 1);
    assert_false(refusal_fault(&refusals.list[0], rules, &fault));
    assert_non_null(strstr(fault.text, "differs in \"attacks\""));
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saboteur_reaches_two_squares_along_rank_and_file),
        cmocka_unit_test(a_saboteur_works_only_in_the_enemys_territory),
        cmocka_unit_test(a_saboteur_aims_only_at_enemies_and_only_when_it_stays),
        cmocka_unit_test(a_saboteurs_aim_passes_over_pieces),
        cmocka_unit_test(a_saboteurs_aim_does_not_pass_over_lakes),
        cmocka_unit_test(a_right_sabotage_removes_the_piece_and_leaves_the_saboteur),
        cmocka_unit_test(a_wrong_sabotage_leaves_both),
        cmocka_unit_test(a_sabotage_removes_bombs_and_the_flag_too),
        cmocka_unit_test(a_sabotage_reveals_the_saboteur_and_no_target),
        cmocka_unit_test(saboteur_and_spy_both_fall),
        cmocka_unit_test(a_sabotage_counts_as_an_attack),
        cmocka_unit_test(a_spotter_spots_a_neighbour_from_where_it_stands),
        cmocka_unit_test(a_spotter_may_step_to_an_empty_square_first),
        cmocka_unit_test(a_spotter_does_not_spot_after_an_attack),
        cmocka_unit_test(a_wrong_spot_does_nothing_but_reveal_the_spotter),
        cmocka_unit_test(a_spot_removes_bombs_and_the_flag_too),
        cmocka_unit_test(a_turn_with_a_spot_counts_as_an_attack_and_one_without_does_not),
        cmocka_unit_test(a_step_with_a_spot_still_obeys_the_two_squares_rule),
        cmocka_unit_test(a_galactic_spy_falls_to_a_spotters_attack),
        cmocka_unit_test(in_lightning_equals_leave_the_attacker_on_the_square),
        cmocka_unit_test(in_lightning_a_bomb_leaves_with_its_first_attacker),
        cmocka_unit_test(in_lightning_a_captain_moves_up_to_two_squares),
        cmocka_unit_test(a_stock_captain_takes_one_step),
        cmocka_unit_test(a_piece_on_the_last_rank_brings_one_back),
        cmocka_unit_test(a_rescue_may_follow_an_attack),
        cmocka_unit_test(a_rescue_is_lost_with_the_attacker_and_not_counted),
        cmocka_unit_test(a_rescue_needs_the_last_rank_and_a_free_square_of_the_own_zone),
        cmocka_unit_test(a_rescue_brings_back_no_bomb_and_only_what_has_fallen),
        cmocka_unit_test(a_scout_rescues_nobody),
        cmocka_unit_test(two_rescues_a_game_are_the_most),
        cmocka_unit_test(each_piece_returns_once),
        cmocka_unit_test(a_returned_piece_is_hidden_again),
        cmocka_unit_test(who_is_counted_together_has_one_limit),
        cmocka_unit_test(abilities_counted_together_all_count_as_attacks_or_none_does),
    };
    return cmocka_run_group_tests_name("core/abilities", tests, NULL, stock_teardown);
}
