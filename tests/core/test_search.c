/* Playouts keep to the rules. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"

#include "core/play/legal.h"
#include "core/search/search.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES = 1200, ROOM = 1 << 16 };

struct bench {
    struct game game;
    struct ply plies[PLIES];
    struct move moves[ROOM];
};

static struct bench *bench;

static int bench_open(void **state) {
    (void)state;
    bench = calloc(1, sizeof *bench);
    return bench ? 0 : -1;
}

static int bench_close(void **state) {
    free(bench);
    return stock_teardown(state);
}

static struct search search_for(enum side own) {
    return (struct search){
        .own = own, .moves = bench->moves, .room = ROOM, .nodes_max = UINT64_MAX};
}

/* Plays at random until the side `own` is to move with few pieces left; false if it ends before. */
static bool deal_ending(const char *variant, enum side own, struct random *random) {
    const struct rules *rules = stock_rules(variant);
    struct setup setup[2];
    struct position position;
    struct fault fault;
    for (int side = RED; side <= BLUE; side++)
        assert_true(setup_random(rules, RED, random, &setup[side], &fault));
    position_from_setups(rules, &setup[RED], &setup[BLUE], RED, &position);
    game_start(&bench->game, rules, &position, NULL, bench->plies, PLIES);
    struct search search = search_for(own);
    for (;;) {
        if (game_over(&bench->game) || bench->game.ply_count > 900) return false;
        squareset all = bench->game.pieces[RED] | bench->game.pieces[BLUE];
        if (squareset_count(all) <= 52 && bench->game.to_move == own) return true;
        search_playout(&search, &bench->game, random, 1, 128);
    }
}

static void playouts_make_legal_moves(void **state) {
    (void)state;
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    for (int i = 0; i < STOCK_COUNT; i++) {
        deal_ending(STOCK[i], RED, &random);
        struct game *game = &bench->game;
        while (game->ply_count) game_undo(game);
        struct search search = search_for(RED);
        uint32_t guided = (uint32_t)i * 25;
        while (!game_over(game) && game->ply_count < PLIES - 1) {
            struct game before = *game;
            search_playout(&search, game, &random, 1, guided);
            assert_int_equal(game->ply_count, before.ply_count + 1);
            assert_int_equal(game_judge(&before, bench->plies[before.ply_count].move), LEGAL);
        }
    }
}

/* Red's general stands beside a bomb and a scout. */
static void a_guided_playout_attacks_where_it_wins(void **state) {
    (void)state;
    struct table table;
    struct random random = random_stream(4, STREAM_PLAYOUT, 0);
    for (int i = 0; i < 50; i++) {
        table_set(&table, "original", "rFa1 r9e4 bBe5 b2f4 bFj10 b5j9 red");
        bench->game = table.game;
        struct search search = search_for(RED);
        search_playout(&search, &table.game, &random, 1, 256);
        assert_int_equal(table_at(&table, "f4"), table_kind(&table, "general"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(playouts_make_legal_moves),
        cmocka_unit_test(a_guided_playout_attacks_where_it_wins),
    };
    return cmocka_run_group_tests(tests, bench_open, bench_close);
}
