/* Crowds: 256 games at once play ply for ply as each does in a lane of its own; test_playout.c
 * checks the lanes' draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/lanes/crowd.h"
#include "core/search/playout.h"
#include "custom.h"
#include "manners.h"
#include "support.h"
#include "variant/variant.h"

#include <stdlib.h>
#include <string.h>

enum { CAP = 400, GAMES = 500, PAST = 60, MOVES = 16384 };

static struct game starts[GAMES];
static struct ply pasts[GAMES][PAST + CAP];
static struct playout_result together[GAMES], alone;
static struct move moves[MOVES];

/* A game of any manner, from its beginning or with a past that the repetition rules remember; some
 * are over. */
static void draw_start(const struct rules *rules, struct random *random, int index) {
    const struct manner *manner = manner_draw(random);
    struct game *game = &starts[index];
    struct position position;
    assert_true(manner_position(manner, rules, random, &position));
    game_start(game, rules, &position, NULL, pasts[index], PAST + CAP);
    uint32_t plies = random_below(random, 3) ? random_below(random, PAST) : 0;
    while (!game_over(game) && game->ply_count < plies) {
        size_t count = game_moves(game, moves, MOVES);
        game_play(game, manner_choose(manner, game, moves, count, random), NULL);
    }
}

static void expect_results_alone(const struct rules *rules, struct playouts *playouts,
                                 uint64_t seed, size_t count) {
    for (size_t i = 0; i < count; i++) {
        memset(&alone, 0, sizeof alone);
        playout_run(playouts, &starts[i], random_stream(seed, STREAM_PLAYOUT, i), &alone);
        if (memcmp(&alone, &together[i], sizeof alone) == 0) continue;
        fail_msg("%s, game %zu: alone it ended as %s by %s after %u plies, together %s by %s "
                 "after %u",
                 rules->name, i, result_name(alone.result), reason_name(alone.reason), alone.plies,
                 result_name(together[i].result), reason_name(together[i].reason),
                 together[i].plies);
    }
}

static void expect_same_games(const struct rules *rules, struct playouts *playouts, uint64_t seed,
                              size_t count) {
    memset(together, 0, sizeof together);
    playout_batch(playouts, starts, count, seed, together);
    expect_results_alone(rules, playouts, seed, count);
}

static struct rules *load(const char *variant) {
    struct folders folders;
    struct fault fault;
    assert_true(folders_find(&folders, &fault));
    struct rules *rules = variant_load(&folders, variant, &fault);
    if (!rules) fail_msg("%s: %s", variant, fault.text);
    return rules;
}

/* True if the variant was played in a crowd. */
static bool expect_same_games_in(const struct rules *rules, uint64_t seed) {
    struct random random = random_stream(17, STREAM_PLAYOUT, seed);
    struct playouts *playouts = playouts_new(rules, CAP);
    assert_non_null(playouts);
    bool crowd = playouts_at_once(playouts, NULL) == SEATS;
    for (int i = 0; i < GAMES; i++) draw_start(rules, &random, i);
    expect_same_games(rules, playouts, seed, GAMES);
    playouts_free(playouts);
    return crowd;
}

/* Whether this machine plays games in crowds. */
static bool have_crowds(void) {
    static struct lanes_table table;
    assert_null(lanes_table_build(&table, stock_rules("original")));
    return crowd_why_not(&table) == NULL;
}

static void skip_without_crowds(void) {
    if (!have_crowds()) skip();
}

static void all_stock_variants_are_played_in_crowds_as_alone(void **state) {
    (void)state;
    skip_without_crowds();
    for (int i = 0; i < STOCK_LANES; i++)
        assert_true(expect_same_games_in(stock_rules(STOCK[i]), (uint64_t)i));
}

static void other_boards_and_abilities_are_played_as_alone(void **state) {
    (void)state;
    static const struct {
        int files, ranks, zone;
        bool acting, crowd;
        uint8_t count[CUSTOM_KINDS + 1];
    } boards[] = {
        {14, 8, 3, false, false, {0, 1, 9, 9, 4, 4, 0}},
        {3, 9, 2, false, true, {0, 1, 1, 2, 1, 0, 0}},
        {10, 8, 3, false, true, {0, 1, 6, 6, 9, 0, 0}},
        {7, 6, 2, true, false, {0, 1, 1, 0, 0, 3, 3}},
        {8, 8, 2, true, false, {0, 1, 2, 2, 0, 2, 3}},
        {6, 5, 1, true, false, {0, 1, 0, 1, 0, 4, 0}},
        /* Pieces that turn corners: alone, with abilities, as many as there may be, one more. */
        {4, 16, 3, false, true, {0, 1, 1, 2, 2, 0, 6}},
        {5, 5, 1, false, true, {0, 1, 0, 0, 0, 0, 4}},
        {10, 8, 2, false, true, {0, 1, 2, 3, 3, 0, 5}},
        {6, 9, 2, true, true, {0, 1, 1, 2, 0, 0, 5}},
        {8, 8, 2, true, true, {0, 1, 2, 3, 0, 0, 9}},
        {14, 8, 2, true, true, {0, 1, 2, 4, 0, 0, 21}},
        {14, 8, 2, false, false, {0, 1, 2, 3, 0, 0, 22}},
    };
    bool crowds = have_crowds();
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        struct fault fault;
        struct rules *rules = custom_rules(boards[i].files, boards[i].ranks, boards[i].zone, 0,
                                           boards[i].count, boards[i].acting, &fault);
        if (!rules) fail_msg("board %zu: %s", i, fault.text);
        assert_int_equal(expect_same_games_in(rules, 100 + i), crowds && boards[i].crowd);
        rules_free(rules);
    }
    static const struct {
        const char *path;
        bool crowd;
    } files[] = {
        {"variants/examples/airborne.lua", false},   {"variants/examples/fog.lua", true},
        {"variants/examples/rescue.lua", true},      {"variants/examples/silent_defence.lua", true},
        {"variants/examples/three_lakes.lua", true}, {"tests/data/hospital.lua", true},
        {"tests/data/wanderers.lua", true},          {"tests/data/roundabout.lua", true},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct rules *rules = load(files[i].path);
        assert_int_equal(expect_same_games_in(rules, 200 + i), crowds && files[i].crowd);
        rules_free(rules);
    }
}

/* Red's runners and pieces that turn corners stand so far apart that it has 302 moves, more than a
 * byte can number. Of blue a flag (f) and a runner (r). */
static const char *const APART[] = {
    "R.........R.rf", "..TT.T..T..T..", ".R...........R", ".T..T.T..T..T.",
    "...T..T..T..T.", "..T..T..R..T..", "R............R", "FT..T..R.T..T.",
};

static void more_moves_than_255_are_told_apart(void **state) {
    (void)state;
    static const uint8_t count[CUSTOM_KINDS + 1] = {
        [CUSTOM_FLAG] = 1, [CUSTOM_RUNNER] = 8, [CUSTOM_TURNER] = 21};
    enum { FLAG = 1, RUNNER, TURNER, FILES = 14, RANKS = 8 }; /* as they are numbered there */
    struct fault fault;
    struct rules *rules = custom_rules(FILES, RANKS, 3, 0, count, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    struct position position = {.at = {CELL_EMPTY}};
    for (int at = 0; at < FILES * RANKS; at++) {
        char piece = APART[RANKS - 1 - at / FILES][at % FILES];
        if (piece == 'F') position.at[at] = cell_of(RED, FLAG);
        if (piece == 'R') position.at[at] = cell_of(RED, RUNNER);
        if (piece == 'T') position.at[at] = cell_of(RED, TURNER);
        if (piece == 'f') position.at[at] = cell_of(BLUE, FLAG);
        if (piece == 'r') position.at[at] = cell_of(BLUE, RUNNER);
    }
    for (int i = 0; i < GAMES; i++) game_start(&starts[i], rules, &position, NULL, pasts[i], CAP);
    assert_int_equal(game_moves(&starts[0], moves, MOVES), 302);
    struct playouts *playouts = playouts_new(rules, CAP);
    assert_non_null(playouts);
    expect_same_games(rules, playouts, 500, GAMES);
    playouts_free(playouts);
    rules_free(rules);
}

/* Random boards and armies, so that no feature is chosen by hand. */
static void any_small_board_is_played_as_alone(void **state) {
    (void)state;
    struct random random = random_stream(20, STREAM_PLAYOUT, 0);
    int tries = getenv("ENSIGN_LONG") ? 4000 : 80, crowds = 0;
    for (int i = 0; i < tries; i++) {
        int files = 4 + (int)random_below(&random, 11), ranks = 4 + (int)random_below(&random, 10);
        int zone = 1 + (int)random_below(&random, (uint32_t)(ranks - 1) / 2);
        bool acting = random_below(&random, 2);
        uint8_t count[CUSTOM_KINDS + 1] = {[CUSTOM_FLAG] = 1};
        for (int left = files * zone - 1; left > 0 && random_below(&random, 20); left--)
            count[CUSTOM_BOMB + random_below(&random, CUSTOM_TURNER - 1)]++;
        if (random_below(&random, 4)) count[CUSTOM_LEAPER] = 0;
        if (acting) count[CUSTOM_STEPPER] = 0; /* lanes do not swap */
        squareset lakes = 0;
        for (int lake = (int)random_below(&random, 4); lake > 0; lake--)
            lakes |= squareset_of((square)random_below(&random, (uint32_t)(files * ranks)));
        struct fault fault;
        struct rules *rules = custom_rules(files, ranks, zone, lakes, count, acting, &fault);
        if (!rules) continue; /* a lake in a zone, say */
        crowds += expect_same_games_in(rules, 1000 + (uint64_t)i);
        rules_free(rules);
    }
    if (have_crowds()) assert_true(crowds > tries / 4);
}

/* A variant's targets may lie on lakes, where a crowd's planes are never empty. */
static void nobody_guesses_what_stands_on_a_lake(void **state) {
    (void)state;
    struct rules *rules = load("galaxy");
    assert_int_equal(rules->abilities, 1);
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            if (rules->ability[0].targets[side][at])
                rules->ability[0].targets[side][at] |= rules->board.lakes;
    expect_same_games_in(rules, 300);
    rules_free(rules);
}

/* From 11 squares to as many as crowds can hold: every remainder when they are added up four at a
 * time. */
static void a_guess_may_reach_far(void **state) {
    (void)state;
    for (int reach = 11; reach <= 15; reach++) {
        struct rules *rules = load("galaxy");
        for (int side = RED; side <= BLUE; side++) {
            for (square at = 0; at < rules->board.squares; at++) {
                squareset *targets = &rules->ability[0].targets[side][at];
                for (int far = 0; *targets && squareset_count(*targets) < reach; far++)
                    *targets |= squareset_of((square)((at + 7 * far) % rules->board.squares)) &
                                rules->board.land & ~squareset_of(at);
            }
        }
        assert_int_equal(expect_same_games_in(rules, 400 + (uint64_t)reach), have_crowds());
        rules_free(rules);
    }
}

/* One step of xoshiro256 back. */
static void step_back(struct random *random) {
    uint64_t *s = random->state, last = random_rotate(s[3], 64 - 45), mixed = s[1] ^ s[2];
    uint64_t first = s[0] ^ last;
    uint64_t second = mixed ^ mixed << 17 ^ mixed << 34 ^ mixed << 51;
    s[2] = s[1] ^ second ^ first;
    s[3] = last ^ second;
    s[0] = first;
    s[1] = second;
}

/* A draw of 0 would favour the first moves wherever the number of moves does not divide 2 to the
 * 32nd; in a crowd as in a lane another one is taken for it. A stream that gives 0 has 0 for its
 * second word; those before it belong to the lane's other stream. */
static void a_draw_that_favours_some_moves_is_repeated(void **state) {
    (void)state;
    skip_without_crowds();
    static struct lanes_table table;
    static struct lane lane;
    static struct lane_ply plies[LANE_PAST_MAX + CAP];
    const struct rules *rules = stock_rules("original");
    struct random random = random_stream(19, STREAM_PLAYOUT, 0), zero = random;
    struct position position;
    struct crowd *crowd;
    uint8_t over[SEATS];
    assert_null(lanes_table_build(&table, rules));
    assert_non_null(crowd = crowd_new(&table, CAP));
    assert_true(manner_position(manner_draw(&random), rules, &random, &position));
    game_start(&starts[0], rules, &position, NULL, pasts[0], CAP);
    size_t count = game_moves(&starts[0], moves, MOVES);
    assert_int_not_equal(count & (count - 1), 0);
    zero.state[1] = 0;
    for (int i = 0; i < 4; i++) step_back(&zero);
    struct random check = zero;
    for (int i = 0; i < 4; i++) random_next(&check);
    assert_int_equal(random_next(&check), 0);

    lane_start(&table, &lane, &starts[0], CAP, zero, plies);
    lane_run(&table, &lane);
    while (crowd_to_move(crowd) != (enum side)starts[0].to_move) crowd_ply(crowd, over);
    crowd_enter(crowd, 77, &starts[0], zero);
    while (crowd_ply(crowd, over) == 0) continue;
    const struct lane *seat = crowd_lane(crowd, 77);
    assert_int_equal(over[0], 77);
    assert_int_equal(seat->ply - seat->started, lane.ply - lane.started);
    assert_int_equal(seat->game.result, lane.game.result);
    assert_memory_equal(seat->game.count, lane.game.count, sizeof lane.game.count);
    crowd_free(crowd);
}

/* Pinned, so that a processor without AVX2, which plays lanes alone, has to play the same. */
static void many_games_of_one_start_are_played_as_alone_on_every_machine(void **state) {
    (void)state;
    static const struct {
        const char *variant;
        uint64_t digest;
    } pinned[] = {{"original", UINT64_C(0x39135dbabea19003)},
                  {"russian", UINT64_C(0xacd42da3082f883d)},
                  {"galaxy", UINT64_C(0xaa20924f4ee4bd34)},
                  {"lightning", UINT64_C(0x42b5154be5e8aa77)}};
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++) {
        const struct rules *rules = stock_rules(pinned[i].variant);
        struct random random = random_stream(21, STREAM_PLAYOUT, i);
        struct playouts *playouts = playouts_new(rules, CAP);
        uint64_t digest = 0;
        assert_non_null(playouts);
        draw_start(rules, &random, 0);
        memset(together, 0, sizeof together);
        playout_repeat(playouts, &starts[0], GAMES, i, together);
        for (int game = 1; game < GAMES; game++) starts[game] = starts[0];
        expect_results_alone(rules, playouts, i, GAMES);
        for (int game = 0; game < GAMES; game++)
            digest = digest * 31 + together[game].plies * 4 + together[game].result;
        assert_int_equal(digest, pinned[i].digest);
        playouts_free(playouts);
    }
}

/* Seats left over from an earlier batch, few games, games that are already over. */
static void a_crowd_is_fit_for_the_next_batch(void **state) {
    (void)state;
    const struct rules *rules = stock_rules("original");
    struct random random = random_stream(18, STREAM_PLAYOUT, 0);
    struct playouts *playouts = playouts_new(rules, CAP);
    assert_non_null(playouts);
    static const size_t counts[] = {GAMES, 1, 97, 255, 256, 257, 0, 100};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t j = 0; j < counts[i]; j++) draw_start(rules, &random, (int)j);
        expect_same_games(rules, playouts, i, counts[i]);
    }
    playouts_free(playouts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_stock_variants_are_played_in_crowds_as_alone),
        cmocka_unit_test(other_boards_and_abilities_are_played_as_alone),
        cmocka_unit_test(more_moves_than_255_are_told_apart),
        cmocka_unit_test(any_small_board_is_played_as_alone),
        cmocka_unit_test(nobody_guesses_what_stands_on_a_lake),
        cmocka_unit_test(a_guess_may_reach_far),
        cmocka_unit_test(a_draw_that_favours_some_moves_is_repeated),
        cmocka_unit_test(many_games_of_one_start_are_played_as_alone_on_every_machine),
        cmocka_unit_test(a_crowd_is_fit_for_the_next_batch),
    };
    return cmocka_run_group_tests_name("core/crowd", tests, NULL, stock_teardown);
}
