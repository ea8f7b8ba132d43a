/* The search compared with an exhaustive one, and playouts that keep to the rules. */
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

enum { PLIES = 1200, MOVES = 4096, ROOM = 1 << 16 };

struct bench {
    struct game game;
    struct ply plies[PLIES];
    struct values values;
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
    return (struct search){.values = &bench->values,
                           .own = own,
                           .moves = bench->moves,
                           .room = ROOM,
                           .far = search_far(bench->game.rules),
                           .nodes_max = UINT64_MAX};
}

/* Every piece has another value on every square, good for its own side only. */
static void draw_values(enum side own, struct random *random) {
    bench->values.win = 5000 * VALUE_UNIT;
    for (int piece = 0; piece < 2 * KINDS_MAX; piece++) {
        int32_t sign = cell_side((cell)piece) == own ? 1 : -1;
        for (int at = 0; at < BOARD_SQUARES_MAX; at++) {
            bench->values.at[piece][at] =
                sign * (int32_t)(piece % KINDS_MAX * 1000 + (int)random_below(random, 500));
        }
    }
}

/* Plays at random until the side `own` is to move with few pieces left; false if it ends before. */
static bool deal_ending(const char *variant, enum side own, struct random *random) {
    const struct rules *rules = stock_rules(variant);
    struct setup setup[2];
    struct position position;
    struct fault fault;
    for (int side = RED; side <= BLUE; side++)
        assert_true(setup_random(rules, random, &setup[side], &fault));
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

/* The value for `own` by exhaustive search: no window, no ordering, no incremental sums. */
static int32_t plain(const struct search *search, struct game *game, int depth) {
    bool mine = game->to_move == search->own;
    if (game_over(game)) {
        int32_t value = search_evaluate(search, game->at, (enum result)game->result);
        if (game->result == RESULT_DRAW) return 0;
        int32_t sooner = (mine ? value : -value) > 0 ? depth : -depth;
        return value + (mine ? sooner : -sooner);
    }
    int32_t best = depth <= 0 ? search_evaluate(search, game->at, (enum result)game->result)
                   : mine     ? INT32_MIN
                              : INT32_MAX;
    if (depth <= -EXCHANGE_MAX) return best;
    struct move *moves = malloc(MOVES * sizeof *moves);
    assert_non_null(moves);
    size_t count = game_moves(game, moves, MOVES);
    for (size_t i = 0; i < count; i++) {
        struct move move = moves[i];
        if (depth <= 0) {
            if (!game->at[move.to] || move.to == move.from) continue;
            if (rules_outcome(game->rules, cell_kind(game->at[move.from]),
                              cell_kind(game->at[move.to])) == DEFENDER_WINS)
                continue;
        }
        game_play(game, move, NULL);
        int32_t value = plain(search, game, depth - 1);
        game_undo(game);
        if (mine ? value > best : value < best) best = value;
    }
    free(moves);
    return best;
}

static void search_finds_what_trying_everything_finds(void **state) {
    (void)state;
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    int positions = 0;
    for (int games = 0; games < 120; games++) {
        enum side own = games % 2 ? RED : BLUE;
        draw_values(own, &random);
        /* A variant without repetition rules, which the search does not ask about attacks. */
        if (!deal_ending("milton-bradley", own, &random)) continue;
        struct game before = bench->game;
        for (int depth = 0; depth <= 2; depth++) {
            struct search search = search_for(own);
            int32_t value = search_run(&search, &bench->game, depth);
            assert_memory_equal(&bench->game, &before, sizeof before);
            assert_int_equal(value, plain(&search, &bench->game, depth));
        }
        positions++;
    }
    assert_true(positions > 30);
}

static void a_search_stops_where_it_is_told(void **state) {
    (void)state;
    struct random random = random_stream(2, STREAM_PLAYOUT, 0);
    draw_values(RED, &random);
    while (!deal_ending("original", RED, &random)) continue;
    struct game before = bench->game;
    struct search search = search_for(RED);
    search.nodes_max = 100;
    search_run(&search, &bench->game, 6);
    assert_int_equal(search.nodes, 100);
    assert_memory_equal(&bench->game, &before, sizeof before);
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
        cmocka_unit_test(search_finds_what_trying_everything_finds),
        cmocka_unit_test(a_search_stops_where_it_is_told),
        cmocka_unit_test(playouts_make_legal_moves),
        cmocka_unit_test(a_guided_playout_attacks_where_it_wins),
    };
    return cmocka_run_group_tests(tests, bench_open, bench_close);
}
