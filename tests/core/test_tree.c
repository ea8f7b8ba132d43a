/* The tree of our later turns: what is in it, and what it tries next. */
#include "core/value/tree.h"

#include "base/random.h"
#include "core/value/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOVES = 30 };

static struct tree tree;

static struct move any_move(struct random *random) {
    return (struct move){.from = (square)random_below(random, 100),
                         .to = (square)random_below(random, 100),
                         .target = (square)random_below(random, 100),
                         .ability = (uint8_t)random_below(random, 8),
                         .choice = random_below(random, 12)};
}

static int by_chance_falling(const void *a, const void *b) {
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

static void a_node_holds_the_best_moves_in_order(void **state) {
    (void)state;
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    for (int round = 0; round < 1000; round++) {
        struct move moves[MOVES];
        int32_t chances[MOVES] = {0}, sorted[MOVES];
        const size_t count = 1 + random_below(&random, MOVES);
        for (size_t i = 0; i < count; i++) {
            moves[i] = (struct move){.from = (square)i};
            chances[i] = (int32_t)random_below(&random, round % 2 ? 10 : CHANCE_CERTAIN);
        }
        memcpy(sorted, chances, sizeof sorted);
        qsort(sorted, count, sizeof *sorted, by_chance_falling);
        tree_clear(&tree);
        const struct tree_node *node = tree_add(&tree, (uint64_t)round, moves, chances, count);
        assert_non_null(node);
        assert_int_equal(node->count, count < TREE_CHOICES ? count : TREE_CHOICES);
        for (int i = 0; i < node->count; i++) {
            assert_int_equal(node->choice[i].chance, sorted[i]);
            assert_int_equal(chances[node->choice[i].move.from], sorted[i]);
            for (int j = 0; j < i; j++)
                assert_int_not_equal(node->choice[j].move.from, node->choice[i].move.from);
        }
    }
}

static void nodes_are_found_until_they_are_forgotten(void **state) {
    (void)state;
    const struct move move = {.from = 1};
    const int32_t chance = CHANCE_CERTAIN / 2;
    static uint64_t ways[TREE_NODES];
    for (int round = 0; round < 3; round++) {
        struct random random = random_stream(5, STREAM_PLAYOUT, (uint64_t)round);
        int added = 0;
        tree_clear(&tree);
        /* ways that meet in few places too */
        do ways[added] = random_next(&random) << (round == 2 ? 9 : 0);
        while (tree_add(&tree, ways[added], &move, &chance, 1) && ++added < TREE_NODES);
        assert_in_range(added, TREE_NODES / 2, TREE_NODES - 1); /* there are always empty places */
        for (int i = 0; i < added; i++) assert_int_equal(tree_find(&tree, ways[i])->way, ways[i]);
        for (int i = 0; i < 1000; i++) assert_null(tree_find(&tree, random_next(&random) | 1));
        tree_clear(&tree);
        for (int i = 0; i < added; i++) assert_null(tree_find(&tree, ways[i]));
    }
}

static void a_way_depends_on_all_that_was_played_and_told(void **state) {
    (void)state;
    struct random random = random_stream(7, STREAM_PLAYOUT, 0);
    for (int round = 0; round < 2000; round++) {
        const struct move move = any_move(&random), other = any_move(&random);
        struct events told = {.count = 1 + (int)random_below(&random, 3)};
        for (int i = 0; i < told.count; i++)
            told.list[i] = (struct event){.type = (uint8_t)random_below(&random, EVENT_END),
                                          .from = (square)random_below(&random, 100),
                                          .kind = (kind_id)random_below(&random, 12)};
        struct events changed = told;
        uint8_t *byte = (uint8_t *)&changed.list[random_below(&random, (uint32_t)told.count)];
        byte[random_below(&random, sizeof(struct event))] ^=
            (uint8_t)(1 << random_below(&random, 8));
        const uint64_t way = tree_way_on(tree_way(move), &told);
        assert_int_equal(way, tree_way_on(tree_way(move), &told));
        assert_int_not_equal(way, tree_way_on(tree_way(move), &changed));
        if (!move_equal(move, other))
            assert_int_not_equal(way, tree_way_on(tree_way(other), &told));
        changed = told;
        changed.count--;
        assert_int_not_equal(way, tree_way_on(tree_way(move), &changed));
    }
}

/* Of moves that the mind thinks alike the one that does best is tried most, and few tries go to the
 * worst. */
static void what_does_well_is_tried_again(void **state) {
    (void)state;
    enum { TRIES = 4000 };
    struct random random = random_stream(11, STREAM_PLAYOUT, 0);
    for (int round = 0; round < 40; round++) {
        struct move moves[TREE_CHOICES];
        int32_t chances[TREE_CHOICES];
        for (int i = 0; i < TREE_CHOICES; i++) {
            moves[i] = (struct move){.from = (square)i};
            chances[i] = CHANCE_CERTAIN / 2 + (int32_t)random_below(&random, CHANCE_CERTAIN / 200);
        }
        tree_clear(&tree);
        struct tree_node *node = tree_add(&tree, 1, moves, chances, TREE_CHOICES);
        for (int i = 0; i < TRIES; i++) {
            struct tree_choice *choice = tree_choose(node);
            /* the higher its square the better, with much of chance */
            const uint32_t points = 40 + 3U * choice->move.from + random_below(&random, 20);
            choice->tried++;
            choice->sum += (int64_t)CHANCE_CERTAIN / 100 * points;
            node->tried++;
        }
        uint32_t tried[TREE_CHOICES];
        for (int i = 0; i < TREE_CHOICES; i++)
            tried[node->choice[i].move.from] = node->choice[i].tried;
        assert_true(tried[TREE_CHOICES - 1] > TRIES / 2);
        assert_true(tried[0] < TRIES / 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_holds_the_best_moves_in_order),
        cmocka_unit_test(nodes_are_found_until_they_are_forgotten),
        cmocka_unit_test(a_way_depends_on_all_that_was_played_and_told),
        cmocka_unit_test(what_does_well_is_tried_again),
    };
    return cmocka_run_group_tests_name("core/tree", tests, NULL, NULL);
}
