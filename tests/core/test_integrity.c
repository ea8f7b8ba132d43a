/* An inconsistent game is detected: each part of the core's state is corrupted once. */
#include "core/know/integrity.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct table table;
static struct fault fault;

static int begin(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rMb4 rXe7 r2h1 bFj10 b9b5 bBe9 b2j9 red");
    table_play(&table, "b4xb5 j9-i9");
    return 0;
}

static void a_game_agrees_with_itself(void **state) {
    (void)state;
    struct move moves[512];
    size_t count = game_moves(&table.game, moves, 512);
    assert_true(integrity_game(&table.game, &fault));
    for (size_t i = 0; i < count; i++)
        assert_true(integrity_moves(&table.game, moves, count, moves[i].from, &fault));
    assert_true(integrity_view(&table.view[RED], &table.game, &fault));
    assert_true(integrity_view(&table.view[BLUE], &table.game, &fault));
    assert_true(integrity_same(&table.game, &table.game, &fault));
}

static void bent_sets_counts_and_hash_are_found(void **state) {
    (void)state;
    struct game game = table.game;
    game.pieces[RED] ^= 1;
    assert_false(integrity_game(&game, &fault));
    game = table.game;
    game.mobile[BLUE] = 0;
    assert_false(integrity_game(&game, &fault));
    game = table.game;
    game.count[RED][table_kind(&table, "marshal")]++;
    assert_false(integrity_game(&game, &fault));
    game = table.game;
    game.hash++;
    assert_false(integrity_game(&game, &fault));
    assert_string_equal(fault.text, "the hash is not that of the position");
}

static void a_list_that_lacks_a_move_or_has_one_too_many_is_found(void **state) {
    (void)state;
    struct move moves[512];
    size_t count = game_moves(&table.game, moves, 512);
    struct move last = moves[count - 1];
    assert_false(integrity_moves(&table.game, moves, count - 1, last.from, &fault));
    assert_non_null(strstr(fault.text, "is not listed, and judged legal"));
    moves[0].to = table_square(&table, "j10");
    assert_false(integrity_moves(&table.game, moves, count, last.from, &fault));
    assert_non_null(strstr(fault.text, "is listed, and judged "));
}

static void a_view_that_errs_or_overlooks_something_is_found(void **state) {
    (void)state;
    struct view view = table.view[BLUE];
    int marshal = view.number[table_square(&table, "b5")];
    view.piece[marshal].kind = table_kind(&table, "scout");
    assert_false(integrity_view(&view, &table.game, &fault));
    view = table.view[BLUE];
    view.piece[marshal].at = table_square(&table, "c5");
    assert_false(integrity_view(&view, &table.game, &fault));
    view = table.view[BLUE];
    view.piece[view.number[table_square(&table, "h1")]].at = SQUARE_NONE;
    assert_false(integrity_view(&view, &table.game, &fault));
    assert_non_null(strstr(fault.text, "overlooks"));
    view = table.view[BLUE];
    view.piece[view.number[table_square(&table, "h1")]].may_be =
        kindset_of(table_kind(&table, "miner"));
    assert_false(integrity_view(&view, &table.game, &fault));
    view = table.view[RED];
    view.captured[BLUE][table_kind(&table, "general")] = 0;
    assert_false(integrity_view(&view, &table.game, &fault));
    view = table.view[RED];
    view.plies++;
    assert_false(integrity_view(&view, &table.game, &fault));
}

static void games_that_differ_are_told_apart(void **state) {
    (void)state;
    struct game game = table.game;
    game.quiet++;
    assert_false(integrity_same(&game, &table.game, &fault));
    game = table.game;
    game.chaser[RED].run++;
    assert_false(integrity_same(&game, &table.game, &fault));
    game = table.game;
    game.uses[RED][0]++;
    assert_false(integrity_same(&game, &table.game, &fault));
}

/* game_start() sets field by field; only padding between fields keeps its old
 * content. */
static void a_game_begins_the_same_in_whatever_memory(void **state) {
    (void)state;
    enum { GAPS = 12 };
    struct position position = {.to_move = BLUE};
    memcpy(position.at, table.game.at, sizeof position.at);
    struct game clean, used;
    memset(&clean, 0, sizeof clean);
    memset(&used, 0xFF, sizeof used);
    game_start(&clean, table.game.rules, &position, NULL, table.plies, 100);
    game_start(&used, table.game.rules, &position, NULL, table.plies, 100);
    assert_true(integrity_game(&used, &fault) && integrity_same(&clean, &used, &fault));
    int left = 0;
    for (size_t i = 0; i < sizeof used; i++)
        left += ((const uint8_t *)&clean)[i] != ((const uint8_t *)&used)[i];
    assert_true(left < GAPS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_game_agrees_with_itself, begin),
        cmocka_unit_test_setup(bent_sets_counts_and_hash_are_found, begin),
        cmocka_unit_test_setup(a_list_that_lacks_a_move_or_has_one_too_many_is_found, begin),
        cmocka_unit_test_setup(a_view_that_errs_or_overlooks_something_is_found, begin),
        cmocka_unit_test_setup(games_that_differ_are_told_apart, begin),
        cmocka_unit_test_setup(a_game_begins_the_same_in_whatever_memory, begin),
    };
    return cmocka_run_group_tests(tests, NULL, stock_teardown);
}
