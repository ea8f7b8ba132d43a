/* Perft: leaves of the tree of legal moves from fixed positions, pinned, and counted by the core
 * and by the reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/search/search.h"
#include "reference/reference.h"
#include "support.h"

#include <string.h>

#define FULL                                                                                       \
    "bFbBb2b3b4b5b6b7b8b9/bBb2b3b4b5b6b7bBb2b2/b3bMb4b2bSbBb6b8b5b7/"                              \
    "b2b3b2b6b4b5b2bBb3bB/........../........../r2r5r2r9r4r2r6rMr2r3/"                             \
    "r7r2r8r6rSr3r4r5rBr7/r3r5rBr4r6rBr2r3r8r5/r6r2rBrFrBr7r4rBr2r3 red"
#define FEW "bFa10 bBb10 b2c9 b3f9 bMe8 b2b7 b9f7 r2a4 rMe4 r3c3 r2f3 r9i2 rFa1 rBb1 rSf1 red"

static const struct {
    const char *variant, *position;
    int depth;
    uint64_t leaves;
} PINS[] = {
    {"original", FULL, 4, 10782},
    {"classic", FULL, 3, 1102},
    {"original", FEW, 3, 39504},
    {"russian", FEW, 3, 39504},
    {"original", "r9a3 b8a2 rFa1 bFg1 b5h1 red", 8, 53300},
    {"infiltrator", "rXe9 b7e10 bXc2 " FEW, 2, 4651},
    {"galaxy", "bFa8 bBb8 b3g8 bPd7 b4g7 rPe6 rMe4 bMd3 r2g3 rFa1 rBb1 rSf1 red", 3, 42455},
    {"galaxy-duel", "bFa8 bBb8 b3g8 bPd7 r9e6 rPe5 bMd3 r2g3 rFa1 rBb1 rSf1 red", 3, 6951},
    {"lightning", "bFa10 b6g10 r6c9 b3f9 bMe8 b2b7 b9f7 r2a4 rMe4 r3c3 r9i2 rFa1 rSf1 red", 3,
     40974},
    {"quick", "bFa8 bBb8 b2c8 bMd7 b9g7 r2a3 r9d3 rMb2 rSe2 rFa1 rBb1 r3d1 blue", 3, 4453},
    {"milton-bradley", "bFa10 bBb10 b9c9 b8f9 b1e8 b2f7 r9a4 r1e4 r8c3 rFa1 rSf1 blue", 3, 7380},
    {"lattaque", "bFa10 bBb10 b2c9 b3f9 bMe8 b9f7 r2a4 rMe4 r3c3 r2f3 rFa1 rSf1 red", 3, 17396},
    {"luzhanqi", "bFb12 bLa11 b1c9 b9e7 bBd10 b3a8 r1a2 r9a6 rBb3 r4c6 rFd1 rLd2 red", 3, 24443},
    {"jungle", "bNd9 bLc8 bRc5 bTg5 bEd7 bCb2 rNd1 rRb5 rLa5 rTd4 rEg4 rDd8 rPa2 red", 4, 51123},
    {"salpakan", "bFe7 bSd6 bPf6 b5a5 bCb5 rFe3 rSd4 rPf5 r1a4 r2b4 rPh7 red", 4, 110096},
};
enum { PIN_COUNT = sizeof PINS / sizeof *PINS };

static struct table table;
static struct move moves[1 << 16];

static void start(int pin) {
    if (strchr(PINS[pin].position, '/'))
        table_start(&table, PINS[pin].variant, PINS[pin].position, NULL);
    else
        table_set(&table, PINS[pin].variant, PINS[pin].position);
}

static void compare_count(int pin, uint64_t leaves) {
    if (leaves != PINS[pin].leaves)
        fail_msg("pin %d: %llu leaves", pin, (unsigned long long)leaves);
}

static void the_core_counts_the_pinned_leaves(void **state) {
    (void)state;
    for (int i = 0; i < PIN_COUNT; i++) {
        struct game before;
        memset(&table.game, 0, sizeof table.game);
        start(i);
        memcpy(&before, &table.game, sizeof before);
        assert_true((size_t)PINS[i].depth * table.rules->moves_max <= sizeof moves / sizeof *moves);
        compare_count(i, perft_count(&table.game, PINS[i].depth, moves));
        assert_memory_equal(&before, &table.game, sizeof before);
        assert_int_equal(perft_count(&table.game, 0, moves), 1);
    }
}

static void the_reference_counts_the_pinned_leaves(void **state) {
    (void)state;
    static const struct limits none = {0, 0};
    for (int i = 0; i < PIN_COUNT; i++) {
        struct position position;
        start(i);
        memcpy(position.at, table.game.at, sizeof position.at);
        position.to_move = (enum side)table.game.to_move;
        struct reference *reference = reference_new(table.rules, true, 16);
        assert_non_null(reference);
        reference_start(reference, &position, &none);
        uint64_t leaves = reference_perft(reference, PINS[i].depth);
        reference_free(reference);
        compare_count(i, leaves);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_core_counts_the_pinned_leaves),
        cmocka_unit_test(the_reference_counts_the_pinned_leaves),
    };
    return cmocka_run_group_tests_name("core/perft", tests, NULL, stock_teardown);
}
