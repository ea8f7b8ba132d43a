/* The values of a search compared with those of plain minimax, and its budget. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/sanitized.h"
#include "support.h"

#include "core/play/legal.h"
#include "core/search/lookahead.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES = 1200, MOVES = 4096, ROOM = 1 << 16, ROOTS = 1024 };

struct bench {
    struct game game;
    struct ply plies[PLIES];
    struct values values;
    struct move moves[ROOM];
    struct lookahead memory;
    struct prospect prospects[ROOTS], others[ROOTS];
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
                           .far = lookahead_far(bench->game.rules),
                           .nodes_max = UINT64_MAX};
}

/* Values of pieces, good for their own side only; with a `spread` also another one on every square.
 */
static void draw_values(enum side own, struct random *random, uint32_t spread) {
    bench->values.win = (int32_t)random_below(random, 2) * 5000 * VALUE_UNIT;
    for (int piece = 0; piece < 2 * KINDS_MAX; piece++) {
        int32_t sign = cell_side((cell)piece) == own ? 1 : -1;
        int32_t worth = piece % KINDS_MAX * 1000;
        for (int at = 0; at < BOARD_SQUARES_MAX; at++) {
            int32_t here = spread ? (int32_t)random_below(random, spread) : 0;
            bench->values.at[piece][at] = sign * (worth + here);
        }
    }
}

/* Plays moves that go to and fro and run from each other, and often sets a limit close by. False if
 * that ends the game. */
static bool add_history(struct random *random) {
    struct game *game = &bench->game;
    for (uint32_t left = random_below(random, 12); left > 0 && !game_over(game); left--) {
        size_t count = game_moves(game, bench->moves, ROOM), same = 0;
        struct move chosen = bench->moves[random_below(random, (uint32_t)count)];
        for (size_t i = 0; i < count; i++) {
            struct move move = bench->moves[i];
            if (move.from != game->chaser[game->to_move].to || turn_attacks(game, move)) continue;
            if (random_below(random, (uint32_t)++same) == 0) chosen = move;
        }
        game_play(game, chosen, NULL);
    }
    if (random_below(random, 3) == 0) game->limits.no_attack = game->quiet + 2;
    if (random_below(random, 3) == 0) game->limits.plies = game->ply_count + 3;
    return !game_over(game);
}

/* Plays moves at random until about half of the pieces are left. */
static bool deal_game(const struct rules *rules, struct random *random) {
    struct game *game = &bench->game;
    int army = 2 * rules->start[RED].size, pieces = army < 30 ? army - 6 : army / 2 + 8;
    struct setup setup[2];
    struct position position;
    struct fault fault;
    for (int side = RED; side <= BLUE; side++)
        assert_true(setup_random(rules, RED, random, &setup[side], &fault));
    position_from_setups(rules, &setup[RED], &setup[BLUE], RED, &position);
    game_start(game, rules, &position, NULL, bench->plies, PLIES);
    struct search search = search_for(RED);
    while (squareset_count(game->pieces[RED] | game->pieces[BLUE]) > pieces) {
        if (game_over(game) || game->ply_count > 900) return false;
        search_playout(&search, game, random, 1, 128);
    }
    return true;
}

/* Puts a few pieces close to each other, where many ways lead to one position. */
static bool deal_ending(const struct rules *rules, struct random *random) {
    struct position position = {.to_move = RED};
    int files = rules->board.files;
    for (int i = 0; i < 10; i++) {
        square at = (square)((int)random_below(random, 4) * files + (int)random_below(random, 4));
        kind_id kind = (kind_id)(1 + random_below(random, rules->kinds));
        enum side side = i % 2 ? RED : BLUE;
        if (squareset_has(rules->board.land, at) && !position.at[at])
            position.at[at] = cell_of(side, kind);
    }
    struct fault fault;
    if (!position_check(rules, &position, &fault)) return false;
    game_start(&bench->game, rules, &position, NULL, bench->plies, PLIES);
    return true;
}

static size_t fill(struct prospect *prospects) {
    size_t count = game_moves(&bench->game, bench->moves, ROOTS);
    assert_in_range(count, 1, ROOTS);
    for (size_t i = 0; i < count; i++) prospects[i].move = bench->moves[i];
    return count;
}

/* The repetition rules do not apply to attacks beyond the depth. */
static size_t plain_attacks(struct game *game, struct move *moves) {
    struct chaser *own = &game->chaser[game->to_move], before = *own;
    own->run = 0;
    own->chase = 0;
    size_t count = game_moves(game, moves, MOVES), kept = 0;
    *own = before;
    for (size_t i = 0; i < count; i++) {
        struct move move = moves[i];
        if (move.ability != ABILITY_NONE || !turn_attacks(game, move)) continue;
        if (turn_pays(game, move)) moves[kept++] = move;
    }
    return kept;
}

/* The value for `own` by plain minimax: no window, no order, no incremental sums. */
static int32_t plain(const struct search *search, struct game *game, int depth) {
    bool mine = game->to_move == search->own;
    int32_t sum = search_evaluate(search, game->at, (enum result)game->result);
    if (game_over(game)) {
        if (game->result == RESULT_DRAW) return 0;
        int32_t sooner = (mine ? sum : -sum) > 0 ? depth : -depth;
        return sum + (mine ? sooner : -sooner);
    }
    int32_t best = depth <= 0 ? sum : mine ? INT32_MIN : INT32_MAX;
    if (depth <= -EXCHANGE_MAX) return best;
    struct move *moves = malloc(MOVES * sizeof *moves);
    assert_non_null(moves);
    size_t count = depth > 0 ? game_moves(game, moves, MOVES) : plain_attacks(game, moves);
    for (size_t i = 0; i < count; i++) {
        struct move move = moves[i];
        if (move.ability != ABILITY_NONE && game->rules->ability[move.ability].asks == ASKS_KIND)
            continue;
        game_play(game, move, NULL);
        int32_t value = plain(search, game, depth - 1);
        game_undo(game);
        if (mine ? value > best : value < best) best = value;
    }
    free(moves);
    return best == INT32_MIN || best == INT32_MAX ? sum : best;
}

/* Checks positions of all variants, with few pieces if `ending`. */
static void for_positions(int games, uint64_t seed, bool ending,
                          void (*check)(struct search *search)) {
    struct random random = random_stream(seed, STREAM_PLAYOUT, 0);
    int positions = 0;
    if (sanitized()) games /= 8;
    for (int i = 0; i < games; i++) {
        const struct rules *rules = stock_rules(STOCK[i % STOCK_COUNT]);
        bool dealt = ending ? deal_ending(rules, &random) : deal_game(rules, &random);
        if (!dealt || game_over(&bench->game) || !add_history(&random)) continue;
        enum side own = random_below(&random, 2) ? RED : BLUE;
        draw_values(own, &random, random_below(&random, 2) * 500);
        struct search search = search_for(own);
        struct game before = bench->game;
        check(&search);
        assert_memory_equal(&bench->game, &before, sizeof before);
        positions++;
    }
    assert_true(positions > games / 8);
}

static void check_plain(struct search *search) {
    struct game *game = &bench->game;
    size_t count = fill(bench->prospects);
    for (int depth = 1; depth <= 3; depth++) {
        assert_int_equal(
            lookahead_score(search, &bench->memory, game, bench->prospects, count, depth), depth);
        for (size_t i = 0; i < count; i += depth == 3 ? 7 : 1) {
            game_play(game, bench->prospects[i].move, NULL);
            assert_int_equal(bench->prospects[i].value, plain(search, game, depth - 1));
            game_undo(game);
        }
    }
}

static void search_finds_what_trying_everything_finds(void **state) {
    (void)state;
    for_positions(220, 1, false, check_plain);
    for_positions(200, 6, true, check_plain);
}

static void check_memory(struct search *search) {
    struct game *game = &bench->game;
    size_t count = fill(bench->prospects);
    memcpy(bench->others, bench->prospects, count * sizeof *bench->others);
    for (int depth = 4; depth <= 5; depth++) {
        lookahead_score(search, &bench->memory, game, bench->prospects, count, depth);
        lookahead_score(search, NULL, game, bench->others, count, depth);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(bench->prospects[i].value, bench->others[i].value);
    }
}

static void table_and_killers_change_no_value(void **state) {
    (void)state;
    for_positions(66, 2, false, check_memory);
    for_positions(2000, 5, true, check_memory);
}

/* With every budget, all values are those of one depth. */
static void check_budgets(struct search *search) {
    struct game *game = &bench->game;
    size_t count = fill(bench->prospects);
    memcpy(bench->others, bench->prospects, count * sizeof *bench->others);
    int last = 0;
    for (uint64_t budget = 1; budget < 4000; budget = budget * 3 / 2 + 1) {
        search->nodes = 0;
        search->nodes_max = budget;
        int done = lookahead_score(search, &bench->memory, game, bench->prospects, count, 4);
        assert_true(done >= last && search->nodes <= (budget > count ? budget : count));
        last = done;
        search->nodes_max = UINT64_MAX;
        lookahead_score(search, &bench->memory, game, bench->others, count, done);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(bench->prospects[i].value, bench->others[i].value);
    }
    assert_true(last > 0);
}

static void a_search_cut_by_its_budget_compares_moves_at_one_depth(void **state) {
    (void)state;
    for_positions(66, 3, false, check_budgets);
}

/* The same search after others takes the same nodes. */
static void check_forgetting(struct search *search) {
    struct game *game = &bench->game;
    size_t count = fill(bench->prospects);
    uint64_t nodes[2];
    for (int i = 0; i < 2; i++) {
        search->nodes = 0;
        lookahead_score(search, &bench->memory, game, bench->prospects, count, 3);
        nodes[i] = search->nodes;
    }
    assert_int_equal(nodes[0], nodes[1]);
}

static void a_search_finds_nothing_of_an_earlier_one(void **state) {
    (void)state;
    for_positions(66, 4, false, check_forgetting);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_finds_what_trying_everything_finds),
        cmocka_unit_test(table_and_killers_change_no_value),
        cmocka_unit_test(a_search_cut_by_its_budget_compares_moves_at_one_depth),
        cmocka_unit_test(a_search_finds_nothing_of_an_earlier_one),
    };
    return cmocka_run_group_tests(tests, bench_open, bench_close);
}
