/* Sets of squares found sixteen at a time are those found one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/play/cells.h"

static void sets_hold_the_squares_that_fit_and_no_others(void **state) {
    (void)state;
    struct random random = random_stream(15, STREAM_PLAYOUT, 0);
    for (int round = 0; round < 1000; round++) {
        cell at[BOARD_SQUARES_MAX];
        int lowest = round % 3 ? 0 : 200; /* many of one kind; cells of all bits */
        for (int s = 0; s < BOARD_SQUARES_MAX; s++) {
            int drawn = (int)random_below(&random, 456) - lowest;
            at[s] = (cell)(drawn > 0 && drawn < 256 ? drawn : 0);
        }
        kindset kinds = (kindset)random_next(&random);
        if (round % 2) kinds &= (kindset)random_next(&random) & (kindset)random_next(&random);
        squareset taken = cells_taken(at), blue = cells_blue(at), held = cells_of_kinds(at, kinds);
        squareset returned = cells_where(at, CELL_RETURNED, CELL_RETURNED);
        for (square s = 0; s < BOARD_SQUARES_MAX; s++) {
            assert_int_equal(squareset_has(taken, s), at[s] != CELL_EMPTY);
            assert_int_equal(squareset_has(blue, s), (at[s] & CELL_BLUE) != 0);
            assert_int_equal(squareset_has(returned, s), (at[s] & CELL_RETURNED) != 0);
            assert_int_equal(squareset_has(held, s), kinds >> cell_kind(at[s]) & 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_hold_the_squares_that_fit_and_no_others),
    };
    return cmocka_run_group_tests_name("core/cells", tests, NULL, NULL);
}
