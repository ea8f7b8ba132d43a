/* A ply without events takes a shorter path through the core, and so does a list with enough room:
 * both are compared with the full path. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/know/integrity.h"
#include "manners.h"
#include "support.h"

#include <string.h>

enum { GAMES = 30, CAP = 300, MOVES = 1 << 14 };

static struct ply plies[CAP + 1], told_plies[CAP + 1];
static struct move moves[MOVES], few[MOVES];

static void assert_same(const struct game *a, const struct game *b) {
    struct fault fault = {0};
    if (!integrity_game(a, &fault) || !integrity_same(a, b, &fault)) fail_msg("%s", fault.text);
}

/* Plays a game of the variant, calling `look` at each position and `play` for each move. */
static void play_games(const char *variant, uint64_t stream,
                       void (*look)(const struct game *, size_t count),
                       void (*play)(struct game *, struct move)) {
    const struct rules *rules = stock_rules(variant);
    struct random random = random_stream(84, STREAM_PLAYOUT, stream);
    for (int i = 0; i < GAMES; i++) {
        const struct manner *manner = manner_draw(&random);
        struct position position;
        struct game game;
        assert_true(manner_position(manner, rules, &random, &position));
        game_start(&game, rules, &position, NULL, plies, CAP);
        while (!game_over(&game)) {
            size_t count = game_moves(&game, moves, MOVES);
            look(&game, count);
            play(&game, manner_choose(manner, &game, moves, count, &random));
        }
    }
}

static void look_away(const struct game *game, size_t count) {
    (void)game;
    (void)count;
}

/* Plays the move with and without events. */
static void play_both_ways(struct game *game, struct move move) {
    struct events events = {.count = 0};
    struct game before = *game, told = *game;
    memcpy(told_plies, plies, game->ply_count * sizeof *plies);
    told.plies = told_plies;
    game_play(game, move, NULL);
    game_play(&told, move, &events);
    assert_same(game, &told);
    struct game back = *game;
    game_undo(&back);
    game_undo(&told);
    assert_same(&back, &before);
    assert_same(&back, &told);
}

static void a_ply_that_nobody_is_told_of_leaves_the_same_game(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++)
        play_games(STOCK[i], (uint64_t)i, look_away, play_both_ways);
}

/* A list is cut off at any length and says how long it would be. */
static void list_with_less_room(const struct game *game, size_t count) {
    static const size_t shorter[] = {0, 1, 2, 7, 31, 33, 40};
    for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++) {
        size_t room = shorter[i] < count ? count - shorter[i] : shorter[i];
        memset(few, 0xEE, sizeof *few * (room + 8));
        assert_int_equal(game_moves(game, few, room), count);
        assert_memory_equal(few, moves, (room < count ? room : count) * sizeof *few);
        for (size_t j = room; j < room + 8; j++) assert_int_equal(few[j].from, 0xEE);
    }
}

static void play_quietly(struct game *game, struct move move) {
    game_play(game, move, NULL);
}

static void a_list_without_room_is_cut_off(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++)
        play_games(STOCK[i], (uint64_t)(STOCK_COUNT + i), list_with_less_room, play_quietly);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ply_that_nobody_is_told_of_leaves_the_same_game),
        cmocka_unit_test(a_list_without_room_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, stock_teardown);
}
