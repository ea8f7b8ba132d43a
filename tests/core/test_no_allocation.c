/* Nothing is allocated in play: the program's own malloc counts its calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/search/playout.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS 0 /* a sanitizer has a malloc of its own */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTS 0
#endif
#endif
#if !defined(COUNTS) && defined(__GLIBC__)
#define COUNTS 1
#elif !defined(COUNTS)
#define COUNTS 0
#endif

static unsigned long allocations;

#if COUNTS
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    allocations++;
    return __libc_realloc(old, size);
}
#endif

enum { CAP = 300, MOVES = 16384, BATCH = 128 };

static struct game game, starts[BATCH];
static struct ply plies[CAP];
static struct move moves[MOVES];
static struct view views[2];
static struct playout_result results[BATCH];

static void skip_unless_counting(void) {
    if (!COUNTS) skip();
}

static void the_counter_counts(void **state) {
    (void)state;
    skip_unless_counting();
    unsigned long before = allocations;
    void *volatile memory = malloc(100);
    free(memory);
    assert_int_equal(allocations, before + 1);
}

static void start_game(const struct rules *rules, struct random *random, struct game *start) {
    struct setup red, blue;
    struct position position;
    assert_true(setup_random(rules, RED, random, &red, NULL));
    assert_true(setup_random(rules, RED, random, &blue, NULL));
    position_from_setups(rules, &red, &blue, RED, &position);
    game_start(start, rules, &position, NULL, plies, CAP);
}

/* A game with its views, each ply played, taken back and played again. */
static void play_and_follow(const struct rules *rules, struct random *random) {
    start_game(rules, random, &game);
    views_start(views, &game);
    while (!game_over(&game)) {
        struct events events = {.count = 0};
        size_t count = game_moves(&game, moves, MOVES);
        struct move move = moves[random_below(random, (uint32_t)count)];
        assert_int_equal(game_judge(&game, move), LEGAL);
        game_play(&game, move, NULL);
        game_undo(&game);
        game_play(&game, move, &events);
        view_turn(&views[RED], &events);
        view_turn(&views[BLUE], &events);
    }
}

static void playing_a_game_allocates_nothing(void **state) {
    (void)state;
    skip_unless_counting();
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        struct random random = random_stream(81, STREAM_PLAYOUT, (uint64_t)i);
        unsigned long before = allocations;
        play_and_follow(rules, &random);
        assert_int_equal(allocations, before);
    }
}

static void playouts_allocate_nothing(void **state) {
    (void)state;
    skip_unless_counting();
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        struct random random = random_stream(82, STREAM_PLAYOUT, (uint64_t)i);
        struct playouts *playouts = playouts_new(rules, CAP);
        assert_non_null(playouts);
        unsigned long before = allocations;
        for (int j = 0; j < BATCH; j++) start_game(rules, &random, &starts[j]);
        playout_batch(playouts, starts, BATCH, 1, results);
        playout_run(playouts, &starts[0], random, &results[0]);
        assert_int_equal(allocations, before);
        playouts_free(playouts);
    }
}

static void a_game_is_flat_and_less_than_a_kilobyte(void **state) {
    (void)state;
    assert_true(sizeof(struct game) < 1024);
    const struct rules *rules = stock_rules("original");
    struct random random = random_stream(83, STREAM_PLAYOUT, 0);
    start_game(rules, &random, &game);
    struct game copy = game;
    size_t count = game_moves(&copy, moves, MOVES);
    game_play(&copy, moves[count - 1], NULL);
    assert_int_equal(game.ply_count, 0);
    assert_int_equal(game_moves(&game, moves, MOVES), count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_counter_counts),
        cmocka_unit_test(playing_a_game_allocates_nothing),
        cmocka_unit_test(playouts_allocate_nothing),
        cmocka_unit_test(a_game_is_flat_and_less_than_a_kilobyte),
    };
    return cmocka_run_group_tests_name("core/no_allocation", tests, NULL, stock_teardown);
}
