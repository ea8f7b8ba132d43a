/* Chance: pinned values, so that a seed means the same game everywhere; streams that differ; no
 * bias. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"

/* The generator as its authors publish it. */
static uint64_t rotated(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

static uint64_t published_next(uint64_t s[4]) {
    uint64_t result = rotated(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotated(s[3], 45);
    return result;
}

static void the_generator_is_the_published_one(void **state) {
    (void)state;
    struct random random = {{1, 2, 3, 4}};
    uint64_t mirror[4] = {1, 2, 3, 4};
    static const uint64_t first[4] = {11520, 0, 1509978240, 1215971899390074240};
    for (int i = 0; i < 1000; i++) {
        uint64_t next = random_next(&random);
        if (i < 4) assert_true(next == first[i]);
        assert_true(next == published_next(mirror));
    }
}

static void a_stream_is_the_same_on_every_run(void **state) {
    (void)state;
    struct random a = random_stream(42, STREAM_RED_SETUP, 0);
    struct random b = random_stream(42, STREAM_RED_SETUP, 0);
    for (int i = 0; i < 100; i++) assert_true(random_next(&a) == random_next(&b));
    struct random pinned = random_stream(42, STREAM_RED_SETUP, 0);
    assert_true(random_next(&pinned) == UINT64_C(14521572776820312757));
    pinned = random_stream(42, STREAM_PLAYOUT, 7);
    assert_true(random_next(&pinned) == UINT64_C(16970064995998809891));
}

static void streams_seeds_and_indices_differ(void **state) {
    (void)state;
    static const enum random_stream streams[] = {STREAM_RED_SETUP, STREAM_BLUE_SETUP,
                                                 STREAM_PLAYOUT};
    uint64_t first[3 * 3 * 20];
    int count = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        for (int s = 0; s < 3; s++) {
            for (uint64_t index = 0; index < 20; index++) {
                struct random random = random_stream(seed, streams[s], index);
                first[count++] = random_next(&random);
            }
        }
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) assert_true(first[i] != first[j]);
}

static void draws_stay_below_the_bound(void **state) {
    (void)state;
    static const uint32_t bounds[] = {1, 2, 3, 10, 1000, 1u << 31, (1u << 31) + 1, UINT32_MAX};
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++)
        for (int i = 0; i < 2000; i++) assert_true(random_below(&random, bounds[b]) < bounds[b]);
}

/* Chi-squared of `count` cells that should be equally full. */
static double chi_squared(const uint32_t *cells, int count, uint32_t draws) {
    double expected = (double)draws / count, sum = 0;
    for (int i = 0; i < count; i++) {
        double off = cells[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

static void draws_are_not_biased(void **state) {
    (void)state;
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    uint32_t cells[25] = {0};
    for (int i = 0; i < 250000; i++) cells[random_below(&random, 25)]++;
    assert_true(chi_squared(cells, 25, 250000) < 51.2); /* 24 degrees of freedom, p = 0.001 */
}

static void picks_are_not_biased_and_know_nothing_of_each_other(void **state) {
    (void)state;
    struct random random = random_stream(4, STREAM_PLAYOUT, 0);
    uint32_t first[3 * 4 * 5] = {0}, last[8 * 9 * 10] = {0};
    for (int i = 0; i < 300000; i++) {
        uint64_t pick[RANDOM_PICKS];
        random_picks(&random, 3, pick);
        for (unsigned k = 0; k < RANDOM_PICKS; k++) assert_true(pick[k] < 3 + k);
        first[(pick[0] * 4 + pick[1]) * 5 + pick[2]]++;
        last[(pick[5] * 9 + pick[6]) * 10 + pick[7]]++;
    }
    assert_true(chi_squared(first, 60, 300000) < 98.3);  /* 59 degrees of freedom, p = 0.001 */
    assert_true(chi_squared(last, 720, 300000) < 841.2); /* 719 degrees of freedom, p = 0.001 */
}

/* A generator whose next word is this one: its steps, turned back. */
static struct random about_to_give(uint64_t word) {
    const uint64_t fifth = UINT64_C(0xCCCCCCCCCCCCCCCD), ninth = UINT64_C(0x8E38E38E38E38E39);
    return (struct random){{1, rotated(word * ninth, 64 - 7) * fifth, 3, 4}};
}

/* A word too close to the start of its interval of equal picks must be rejected. */
static void the_words_that_would_bias_picks_are_drawn_again(void **state) {
    (void)state;
    static const uint64_t bounds[] = {1, 3, 33, 57, 121, RANDOM_PICK_BOUND};
    int again = 0, kept = 0;
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        uint64_t product = 1;
        for (unsigned k = 0; k < RANDOM_PICKS; k++) product *= bounds[b] + k;
        for (uint64_t i = 0; i < 100; i++) {
            uint64_t number = i * (product / 100);
            random_product start = (random_product)number << 64;
            uint64_t word = (uint64_t)((start + product - 1) / product);
            struct random random = about_to_give(word), next = random, twice;
            assert_true(random_next(&next) == word);
            twice = next;
            random_next(&twice);
            uint64_t pick[RANDOM_PICKS];
            random_picks(&random, bounds[b], pick);
            if ((uint64_t)(word * (random_product)product - start) < -product % product) {
                assert_memory_equal(&random, &twice, sizeof random);
                again++;
                continue;
            }
            assert_memory_equal(&random, &next, sizeof random);
            for (unsigned k = RANDOM_PICKS; k-- > 0; number /= bounds[b] + k)
                assert_true(pick[k] == number % (bounds[b] + k));
            kept++;
        }
    }
    assert_true(again > 50 && kept > 50);
}

/* A bound of three quarters of the range: without rejection the lower third would be drawn twice as
 * often as the rest. */
static void large_bounds_are_not_biased(void **state) {
    (void)state;
    const uint32_t bound = 3u << 30;
    struct random random = random_stream(4, STREAM_PLAYOUT, 0);
    uint32_t cells[3] = {0};
    for (int i = 0; i < 90000; i++) cells[random_below(&random, bound) / (1u << 30)]++;
    assert_true(chi_squared(cells, 3, 90000) < 13.8); /* 2 degrees of freedom, p = 0.001 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_is_the_published_one),
        cmocka_unit_test(a_stream_is_the_same_on_every_run),
        cmocka_unit_test(streams_seeds_and_indices_differ),
        cmocka_unit_test(draws_stay_below_the_bound),
        cmocka_unit_test(draws_are_not_biased),
        cmocka_unit_test(picks_are_not_biased_and_know_nothing_of_each_other),
        cmocka_unit_test(the_words_that_would_bias_picks_are_drawn_again),
        cmocka_unit_test(large_bounds_are_not_biased),
    };
    return cmocka_run_group_tests_name("core/random", tests, NULL, NULL);
}
