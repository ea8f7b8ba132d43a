/* The reference without the core. This program links nothing else, so it would not build if the
 * reference called the core. Its rules are written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference.h"

enum { FLAG = 1, SCOUT, MARSHAL, FILES = 4, RANKS = 4, PLIES = 8, MOVES = 64 };

static const struct rules rules = {
    .name = "tiny",
    .board = {.files = FILES, .ranks = RANKS, .squares = FILES * RANKS},
    .kinds = 3,
    .kind = {[FLAG] = {.name = "flag", .flag = true},
             [SCOUT] = {.name = "scout"},
             [MARSHAL] = {.name = "marshal"}},
};

static struct move walk(int from, int to) {
    return (struct move){(square)from, (square)to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
}

/* 4 F . . M
 * 3 . . . .
 * 2 . . . .
 * 1 F . . 2
 *   a b c d */
static void the_reference_plays_a_game_without_the_core(void **state) {
    (void)state;
    enum { A1 = 0, D1 = 3, D3 = 11, A4 = 12, D4 = 15 };
    struct position position = {.to_move = RED};
    struct move moves[MOVES];
    position.at[A1] = cell_of(RED, FLAG);
    position.at[D1] = cell_of(RED, SCOUT);
    position.at[A4] = cell_of(BLUE, FLAG);
    position.at[D4] = cell_of(BLUE, MARSHAL);
    struct reference *reference = reference_new(&rules, true, PLIES);
    assert_non_null(reference);
    reference_start(reference, &position, NULL);
    assert_int_equal(reference_moves(reference, moves, MOVES), 5);
    /* d1xd4 ends the game; after each other move the marshal has two. */
    assert_int_equal(reference_perft(reference, 2), 4 * 2);
    reference_play(reference, walk(D1, D3));
    assert_int_equal(reference_moves(reference, moves, MOVES), 2);
    assert_int_equal(reference_judge(reference, walk(D4, A4)), ILLEGAL_MOVEMENT);
    reference_play(reference, walk(D4, D3));
    assert_int_equal(reference_now(reference)->result, RESULT_BLUE);
    assert_int_equal(reference_now(reference)->reason, REASON_IMMOBILE);
    reference_free(reference);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_plays_a_game_without_the_core)};
    return cmocka_run_group_tests_name("reference/alone", tests, NULL, NULL);
}
