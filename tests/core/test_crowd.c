/* Crowds: 256 games at once play ply for ply what each plays in a lane of its own, whose draws
 * test_playout.c judges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/manners.h"
#include "core/playout.h"
#include "core/support.h"

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

static void expect_same_games(const struct rules *rules, struct playouts *playouts, uint64_t seed,
                              size_t count) {
    memset(together, 0, sizeof together);
    playout_batch(playouts, starts, count, seed, together);
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

static void a_crowd_plays_what_its_games_play_alone(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        struct random random = random_stream(17, STREAM_PLAYOUT, (uint64_t)i);
        struct playouts *playouts = playouts_new(rules, CAP);
        assert_non_null(playouts);
        for (int j = 0; j < GAMES; j++) draw_start(rules, &random, j);
        expect_same_games(rules, playouts, 3, GAMES);
        playouts_free(playouts);
    }
}

/* Seats that are left over from an earlier batch, few games, games that are over already. */
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
        cmocka_unit_test(a_crowd_plays_what_its_games_play_alone),
        cmocka_unit_test(a_crowd_is_fit_for_the_next_batch),
    };
    return cmocka_run_group_tests_name("core/crowd", tests, NULL, stock_teardown);
}
