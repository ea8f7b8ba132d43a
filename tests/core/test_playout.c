/* Random playouts: the drawable moves compared with the listed ones over a million positions
 * (100,000 under a sanitizer, ten million with ENSIGN_LONG=1, any number with
 * ENSIGN_POSITIONS), every legal move equally likely, batches, and what does not fit lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/lanes/lane_judge.h"
#include "core/search/playout.h"
#include "custom.h"
#include "manners.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CAP = 400, MOVES = 16384, BATCH = 23 };

static struct lanes_table lanes;
static struct lane lane;
static struct lane_ply lane_plies[LANE_PAST_MAX + CAP];
static struct game game;
static struct ply plies[CAP];
static struct move listed[MOVES], drawn[MOVES];

static int compare_moves(const void *left, const void *right) {
    return memcmp(left, right, sizeof(struct move));
}

/* Asserts that the moves which can be drawn and are not forbidden are those that are listed. */
static size_t compare_lists(void) {
    size_t count = game_moves(&game, listed, MOVES), legal = 0;
    uint32_t all = lane_count(&lanes, &lane);
    assert_in_range(count, 1, MOVES);
    for (uint32_t i = 0; i < all; i++) {
        struct move move = lane_move(&lanes, &lane, i);
        if (lane_judge(&lanes, &lane, move) != LEGAL) continue;
        assert_true(legal < count);
        drawn[legal++] = move;
    }
    assert_int_equal(legal, count);
    qsort(listed, count, sizeof listed[0], compare_moves);
    qsort(drawn, count, sizeof drawn[0], compare_moves);
    assert_memory_equal(listed, drawn, count * sizeof drawn[0]);
    return count;
}

/* Plays one game both ways; returns the positions compared. */
static uint64_t play_both_ways(const struct rules *rules, struct random *random) {
    const struct manner *manner = manner_draw(random);
    struct position position;
    uint64_t positions = 0;
    assert_true(manner_position(manner, rules, random, &position));
    game_start(&game, rules, &position, NULL, plies, CAP);
    if (game_over(&game)) return 1;
    lane_start(&lanes, &lane, &game, CAP, *random, lane_plies);
    while (!game_over(&game)) {
        size_t count = compare_lists();
        struct move move = manner_choose(manner, &game, listed, count, random);
        game_play(&game, move, NULL);
        lane_play(&lanes, &lane, move);
        assert_memory_equal(game.at, lane.game.at, sizeof game.at);
        positions++;
    }
    if (!game_over(&lane.game)) lane_run(&lanes, &lane); /* finds that it cannot move */
    assert_int_equal(lane.game.result, game.result);
    assert_int_equal(lane.game.reason, game.reason);
    return positions;
}

static void the_moves_that_can_be_drawn_are_those_that_are_listed(void **state) {
    (void)state;
    uint64_t wanted = positions_wanted() / STOCK_LANES;
    for (int i = 0; i < STOCK_LANES; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        assert_null(lanes_table_build(&lanes, rules));
        struct random random = random_stream(31, STREAM_PLAYOUT, (uint64_t)i);
        for (uint64_t seen = 0; seen < wanted;) seen += play_both_ways(rules, &random);
    }
}

static size_t index_of(const struct move *moves, size_t count, square from, square to) {
    for (size_t i = 0; i < count; i++)
        if (moves[i].from == from && moves[i].to == to) return i;
    fail_msg("a move from %d to %d was drawn and is not legal", from, to);
    return 0;
}

/* Draws the next ply of `from` many times, alone and together, and holds how often each move came
 * against what it should: moves of the same two squares count as one with their number for weight.
 * Chance exceeds the bound once in some ten thousand tests; the seed is fixed. */
static void expect_even_draws(const struct rules *rules, const struct game *from, uint64_t seed) {
    enum { DRAWS_EACH = 400 };
    static struct lane several[LANES_TOGETHER];
    static struct lane_ply past[LANES_TOGETHER][LANE_PAST_MAX + 1];
    struct lane *together[LANES_TOGETHER];
    assert_null(lanes_table_build(&lanes, rules));
    size_t count = game_moves(from, listed, MOVES), kinds = 0;
    uint64_t *seen = calloc(count, sizeof *seen), *weight = calloc(count, sizeof *weight);
    assert_non_null(seen);
    assert_non_null(weight);
    for (size_t i = 0; i < count; i++)
        weight[index_of(listed, count, listed[i].from, listed[i].to)]++;

    uint64_t draws = 0;
    while (draws < DRAWS_EACH * count) {
        for (int i = 0; i < LANES_TOGETHER; i++) {
            together[i] = &several[i];
            lane_start(&lanes, together[i], from, 1,
                       random_stream(seed, STREAM_PLAYOUT, draws + (uint64_t)i), past[i]);
        }
        unsigned over = draws / LANES_TOGETHER % 2 ? lanes_run(&lanes, together) : 0;
        for (int i = 0; i < LANES_TOGETHER; i++) {
            if (!(over >> i & 1)) lane_run(&lanes, together[i]);
            assert_int_equal(together[i]->ply, together[i]->started + 1);
            const struct lane_ply *ply = &together[i]->plies[together[i]->started];
            seen[index_of(listed, count, ply->from, ply->to)]++;
            draws++;
        }
    }
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (!weight[i]) continue;
        double expected = (double)draws * (double)weight[i] / (double)count;
        sum += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
        kinds++;
    }
    double freedom = (double)kinds - 1;
    if (sum > freedom + 4 * sqrt(2 * freedom) + 8)
        fail_msg("chi-squared %.1f with %.0f degrees of freedom", sum, freedom);
    free(seen);
    free(weight);
}

static void expect_even_draws_in(const char *variant, const char *pieces, const char *moves,
                                 uint64_t seed) {
    static struct table table;
    table_set(&table, variant, pieces);
    table_play(&table, moves);
    assert_false(game_over(&table.game));
    expect_even_draws(table.rules, &table.game, seed);
}

static void few_moves_are_equally_likely(void **state) {
    (void)state;
    expect_even_draws_in("original", "rFa1 rMb4 bFj10 b9j9 red", "", 41);
    expect_even_draws_in("original", "rFa1 rMa2 rBb2 bFj10 b9j9 red", "", 42);
}

static void many_moves_are_equally_likely(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        const struct rules *rules = stock_rules("original");
        struct random random = random_stream(43, STREAM_PLAYOUT, i);
        struct setup red, blue;
        struct position position;
        assert_true(setup_random(rules, RED, &random, &red, NULL));
        assert_true(setup_random(rules, RED, &random, &blue, NULL));
        position_from_setups(rules, &red, &blue, RED, &position);
        game_start(&game, rules, &position, NULL, plies, CAP);
        for (int ply = 0; ply < 150 && !game_over(&game); ply++) {
            size_t count = game_moves(&game, listed, MOVES);
            game_play(&game, listed[random_below(&random, (uint32_t)count)], NULL);
        }
        if (!game_over(&game)) expect_even_draws(rules, &game, i);
    }
}

static void runs_of_scouts_are_equally_likely(void **state) {
    (void)state;
    expect_even_draws_in("original", "rFa1 r2b1 r2e4 r2e8 r2j3 r2j5 bFj10 b9e9 bMb9 red", "", 44);
}

static void what_the_two_squares_rule_leaves_is_equally_likely(void **state) {
    (void)state;
    expect_even_draws_in("original", "rFa1 rMb4 r3h1 bFj10 b9j9 b2i8 red",
                         "b4-b5 i8-h8 b5-b4 h8-g8 b4-b5 g8-f8", 45);
}

static void what_the_chase_rule_leaves_is_equally_likely(void **state) {
    (void)state;
    expect_even_draws_in("original", "rMa3 rFj1 r2h2 bFj10 b9b2 b4h9 red",
                         "a3-a2 b2-b1 a2-b2 b1-a1 b2-b1 a1-a2 b1-a1 a2-b2", 46);
}

/* The forbidden moves are not those of the piece that moved last, so that only the chase itself can
 * make them suspect. */
static void a_chase_by_two_pieces_is_seen(void **state) {
    (void)state;
    static struct table table;
    static const char pieces[] = "rFa1 r5b3 r6i5 bFj10 b4a4 b3j4 red";
    static const char moves[] = "b3-b4 a4-a5 i5-i4 j4-j5 b4-b5 a5-a4 i4-i5 j5-j4";
    table_set(&table, "original", pieces);
    table_play(&table, moves);
    assert_int_equal(table_judge(&table, "b5-b4"), ILLEGAL_CHASE);
    expect_even_draws_in("original", pieces, moves, 52);

    static const char russian[] = "rFa1 r6e3 r7f6 bFj10 b3e5 b9j9 red";
    static const char chase[] = "e3-e4 e5-e6 e4-e5 e6-e7";
    table_set(&table, "russian", russian);
    table_play(&table, chase);
    assert_int_equal(table_judge(&table, "f6-f7"), ILLEGAL_CHASE);
    expect_even_draws_in("russian", russian, chase, 53);
}

/* What has fallen as it came threatens nobody, though the piece that follows stands on its square.
 */
static void a_chase_does_not_begin_with_a_fallen_piece(void **state) {
    (void)state;
    static struct table table;
    static const char pieces[] = "rFa1 r4j6 r2j7 bFa10 b4i6 b2j8 blue";
    static const char moves[] = "i6xj6 j7-j5 j8-j6 j5-j4";
    table_set(&table, "russian", pieces);
    table_play(&table, moves);
    assert_int_equal(table_judge(&table, "j6-j5"), LEGAL);
    expect_even_draws_in("russian", pieces, moves, 54);
}

static void uses_of_abilities_are_equally_likely(void **state) {
    (void)state;
    expect_even_draws_in("infiltrator", "rFa1 rXe8 rMb2 bFj10 b9e9 bBe10 b4f8 b5h7 red", "", 47);
    expect_even_draws_in("galaxy", "rFa1 rPe6 rPb2 bFj8 b9e7 b4f6 b5h7 red", "", 48);
}

static void draw_starts(const struct rules *rules, struct game starts[BATCH]) {
    struct random random = random_stream(51, STREAM_PLAYOUT, 0);
    for (int i = 0; i < BATCH; i++) {
        struct position position;
        assert_true(manner_position(manner_draw(&random), rules, &random, &position));
        game_start(&starts[i], rules, &position, NULL, plies, CAP);
    }
}

static void a_batch_plays_what_its_games_play_alone(void **state) {
    (void)state;
    static const char *const variants[] = {"original", "infiltrator", "lightning", "russian"};
    static struct game starts[BATCH];
    for (int i = 0; i < 4; i++) {
        const struct rules *rules = stock_rules(variants[i]);
        struct playouts *playouts = playouts_new(rules, CAP);
        struct playout_result together[BATCH], alone;
        assert_non_null(playouts);
        draw_starts(rules, starts);
        memset(together, 0, sizeof together);
        playout_batch(playouts, starts, BATCH, 5, together);
        for (int j = 0; j < BATCH; j++) {
            memset(&alone, 0, sizeof alone);
            playout_run(playouts, &starts[j], random_stream(5, STREAM_PLAYOUT, (uint64_t)j),
                        &alone);
            assert_memory_equal(&alone, &together[j], sizeof alone);
            assert_int_not_equal(alone.result, RESULT_NONE);
            assert_in_range(alone.plies, 0, CAP);
        }
        playouts_free(playouts);
    }
}

static int count_cells(const struct playout_result *result, enum side side, kind_id kind) {
    int count = 0;
    for (int at = 0; at < BOARD_SQUARES_MAX; at++)
        count += cell_plain(result->at[at]) == cell_of(side, kind);
    return count;
}

static void a_playout_ends_at_its_cap_in_a_draw(void **state) {
    (void)state;
    static struct table table;
    struct playout_result result;
    table_set(&table, "original", "rFa1 rBa2 rBb1 rMd8 bFj10 bBj9 bBi10 b9d2 red");
    struct playouts *playouts = playouts_new(table.rules, 3);
    assert_non_null(playouts);
    playout_run(playouts, &table.game, random_stream(71, STREAM_PLAYOUT, 0), &result);
    assert_int_equal(result.plies, 3);
    assert_int_equal(result.result, RESULT_DRAW);
    assert_int_equal(result.reason, REASON_PLY_LIMIT);
    assert_int_equal(count_cells(&result, RED, table_kind(&table, "bomb")), 2);
    assert_int_equal(count_cells(&result, BLUE, table_kind(&table, "marshal")), 0);
    playouts_free(playouts);
}

/* From one start, as many games are won and drawn whichever way they are played. */
static void listed_playouts_have_the_same_law(void **state) {
    (void)state;
    enum { GAMES = 4000 };
    const struct rules *rules = stock_rules("duel");
    struct playouts *playouts = playouts_new(rules, CAP);
    struct random random = random_stream(61, STREAM_PLAYOUT, 0);
    struct setup red, blue;
    struct position position;
    struct game start;
    assert_non_null(playouts);
    assert_true(setup_random(rules, RED, &random, &red, NULL));
    assert_true(setup_random(rules, RED, &random, &blue, NULL));
    position_from_setups(rules, &red, &blue, RED, &position);
    game_start(&start, rules, &position, NULL, plies, CAP);
    double drawn_sum[3] = {0}, listed_sum[3] = {0};
    for (uint64_t i = 0; i < GAMES; i++) {
        struct playout_result result;
        playout_run(playouts, &start, random_stream(62, STREAM_PLAYOUT, i), &result);
        drawn_sum[result.result - RESULT_RED]++;
        game_start(&game, rules, &position, NULL, plies, CAP);
        while (!game_over(&game)) {
            size_t count = game_moves(&game, listed, MOVES);
            game_play(&game, listed[random_below(&random, (uint32_t)count)], NULL);
        }
        listed_sum[game.result - RESULT_RED]++;
    }
    for (int i = 0; i < 3; i++) {
        double spread = sqrt(drawn_sum[i] + listed_sum[i] + 1);
        assert_true(fabs(drawn_sum[i] - listed_sum[i]) < 4 * spread);
    }
    playouts_free(playouts);
}

static void a_board_too_long_for_lanes_is_played_by_listing(void **state) {
    (void)state;
    static const uint8_t count[CUSTOM_KINDS + 1] = {0, 1, 2, 3, 4, 1, 1};
    struct fault fault = {0};
    struct rules *rules = custom_rules(16, 8, 3, 0, count, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    struct playouts *playouts = playouts_new(rules, CAP);
    static struct game starts[BATCH];
    struct playout_result results[BATCH];
    assert_non_null(playouts);
    assert_non_null(playouts_why_listed(playouts));
    draw_starts(rules, starts);
    playout_batch(playouts, starts, BATCH, 7, results);
    for (int i = 0; i < BATCH; i++) assert_int_not_equal(results[i].result, RESULT_NONE);
    playouts_free(playouts);
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_moves_that_can_be_drawn_are_those_that_are_listed),
        cmocka_unit_test(few_moves_are_equally_likely),
        cmocka_unit_test(many_moves_are_equally_likely),
        cmocka_unit_test(runs_of_scouts_are_equally_likely),
        cmocka_unit_test(what_the_two_squares_rule_leaves_is_equally_likely),
        cmocka_unit_test(what_the_chase_rule_leaves_is_equally_likely),
        cmocka_unit_test(a_chase_by_two_pieces_is_seen),
        cmocka_unit_test(a_chase_does_not_begin_with_a_fallen_piece),
        cmocka_unit_test(uses_of_abilities_are_equally_likely),
        cmocka_unit_test(a_batch_plays_what_its_games_play_alone),
        cmocka_unit_test(a_playout_ends_at_its_cap_in_a_draw),
        cmocka_unit_test(listed_playouts_have_the_same_law),
        cmocka_unit_test(a_board_too_long_for_lanes_is_played_by_listing),
    };
    return cmocka_run_group_tests_name("core/playout", tests, NULL, stock_teardown);
}
