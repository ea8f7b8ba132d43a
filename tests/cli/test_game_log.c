/* test_game_log.c - the screen's account of a turn: the move's notation, and sentences. */
#include "cli/screen/game_log.h"
#include "core/text/layout.h"
#include "core/text/notation.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct rules *rules;
static struct game game;
static struct ply plies[4];
static struct game_log told;

static kind_id kind(const char *name) {
    return rules_kind(rules, name, strlen(name));
}

/* Galaxy's spotter has a second ability of its own, and shares the first with the miner. Their
 * tally is no index of an ability. */
static int open(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    rules = variant_load(&folders, "galaxy", &fault);
    if (!rules) fail_msg("%s", fault.text);
    assert_int_equal(rules->abilities, 1);
    rules->ability[0].tally.n = 9;
    rules->ability[0].attacks = true;
    rules->ability[1] = rules->ability[2] = rules->ability[0];
    rules->ability[1].actor = kind("miner");
    rules->ability[2].tally.n = 2;
    strcpy(rules->ability[2].name, "wink");
    rules->abilities = 3;
    rules->kind[kind("spotter")].abilities |= 1 << 2;
    rules->kind[kind("miner")].abilities |= 1 << 1;
    rules->odd |= kindset_of(kind("miner"));
    return 0;
}

static int close(void **state) {
    (void)state;
    game_log_clear(&told);
    rules_free(rules);
    return 0;
}

/* Plays one move and passes it to the told. */
static void play(const char *pieces, const char *text) {
    struct position position;
    struct fault fault = {0};
    struct move move;
    struct events events = {0};
    if (!position_read(rules, pieces, strlen(pieces), &position, &fault))
        fail_msg("%s", fault.text);
    game_start(&game, rules, &position, NULL, plies, 4);
    if (move_read(&game, text, strlen(text), &move, &fault) != LEGAL) fail_msg("%s", fault.text);
    game_play(&game, move, &events);
    game_log_clear(&told);
    game_log_add(&told, NULL, rules, &events);
}

static const char MINER[] = ".........bF/........../....bM...../........../....r3...../........../"
                            "........../rF......... red";

static void a_shared_ability_is_named_where_one_of_its_users_has_several(void **state) {
    (void)state;
    play(MINER, "e4-e5@spot:e6=marshal");
    assert_string_equal(told.movelist.move[0], "e4-e5@spot:e6=10");
}

static void a_shared_ability_that_attacks_is_marked_as_a_battle(void **state) {
    (void)state;
    struct chart_marks marks = CHART_NO_MARKS;
    play(MINER, "e4-e5@spot:e6=marshal");
    game_log_mark(&told, &marks);
    assert_true(marks.battle);
}

static void a_shared_ability_is_not_told_of_one_kind(void **state) {
    (void)state;
    char text[STORY_MAX];
    play(MINER, "e4-e5@spot:e6=spy");
    game_log_tell(&told, text, sizeof text);
    assert_string_equal(text, "Red e4-e5.\nRed: Piece on e5 uses spot on e6, naming Spy: wrong.\n"
                              "Red: the piece on e5 is Miner.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_shared_ability_is_named_where_one_of_its_users_has_several, open, close),
        cmocka_unit_test_setup_teardown(a_shared_ability_that_attacks_is_marked_as_a_battle, open,
                                        close),
        cmocka_unit_test_setup_teardown(a_shared_ability_is_not_told_of_one_kind, open, close),
    };
    return cmocka_run_group_tests_name("told", tests, NULL, NULL);
}
