/* The seed: taken out of the arguments, kept until it is used, stretched to a key. */
#include "host/seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int forget(void **state) {
    (void)state;
    seed_forget();
    return 0;
}

static uint64_t take(uint64_t most) {
    struct fault fault = {0};
    uint64_t seed;
    assert_true(seed_take(most, &seed, &fault));
    return seed;
}

static void a_seed_is_taken_out_of_its_text(void **state) {
    (void)state;
    static const struct {
        const char *text, *left;
        uint64_t seed;
    } cases[] = {
        {"0", "*", 0},
        {"42", "**", 42},
        {"000000000000000000000000000000000007", "************************************", 7},
        {"18446744073709551615", "********************", UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        strcpy(text, cases[i].text);
        assert_false(seed_given());
        assert_true(seed_give(text, UINT64_MAX));
        assert_true(seed_given());
        assert_string_equal(text, cases[i].left);
        assert_true(take(UINT64_MAX) == cases[i].seed);
    }
}

static void the_last_of_several_seeds_counts(void **state) {
    (void)state;
    char one[] = "123456789", other[] = "77";
    assert_true(seed_give(one, UINT64_MAX));
    assert_true(seed_give(other, UINT64_MAX));
    assert_true(take(UINT64_MAX) == 77);
}

static void what_is_no_seed_stays_as_it_is(void **state) {
    (void)state;
    static const char *const wrong[] = {"",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 ",
                                        "0x10",
                                        "1e3",
                                        "seven",
                                        "9223372036854775808",
                                        "18446744073709551616",
                                        "99999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64];
        strcpy(text, wrong[i]);
        if (seed_give(text, INT64_MAX)) fail_msg("\"%s\" was taken", wrong[i]);
        assert_string_equal(text, wrong[i]);
        assert_false(seed_given());
    }
    char most[] = "9223372036854775807";
    assert_true(seed_give(most, INT64_MAX));
}

static void a_seed_is_given_once_and_the_next_is_the_systems(void **state) {
    (void)state;
    char text[] = "5";
    uint64_t drawn[8];
    assert_true(seed_give(text, UINT64_MAX));
    assert_true(take(UINT64_MAX) == 5);
    for (int i = 0; i < 8; i++) {
        assert_false(seed_given());
        drawn[i] = take(INT64_MAX);
        assert_true(drawn[i] <= INT64_MAX);
        for (int j = 0; j < i; j++) assert_true(drawn[i] != drawn[j]);
    }
}

static void neighbouring_seeds_have_keys_that_share_nothing(void **state) {
    (void)state;
    static const uint64_t seeds[] = {0, 1, 2, 3, UINT64_C(1) << 32, UINT64_MAX};
    enum { SEEDS = sizeof seeds / sizeof *seeds };
    struct chance key[SEEDS];
    for (int i = 0; i < SEEDS; i++) {
        struct fault fault = {0};
        assert_true(seed_stretch(seeds[i], &key[i], &fault));
        for (int j = 0; j < i; j++) {
            int common = 0;
            for (int b = 0; b < CHANCE_BYTES; b++)
                common += 8 - __builtin_popcount(key[i].bytes[b] ^ key[j].bytes[b]);
            assert_in_range(common, 56, 200); /* 128 ± 8 by chance */
        }
    }
}

/* Another value would change every game of every seed. */
static void the_key_of_a_seed_is_the_same_everywhere(void **state) {
    (void)state;
    struct chance key;
    struct fault fault = {0};
    char hex[2 * CHANCE_BYTES + 1];
    assert_true(seed_stretch(42, &key, &fault));
    for (int i = 0; i < CHANCE_BYTES; i++) snprintf(hex + 2 * i, 3, "%02x", key.bytes[i]);
    assert_string_equal(hex, "9fdad84fa16a2d67341018ac8aa9adb4d9168f245ec994531e3585303d59f50d");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_seed_is_taken_out_of_its_text, forget),
        cmocka_unit_test_setup(the_last_of_several_seeds_counts, forget),
        cmocka_unit_test_setup(what_is_no_seed_stays_as_it_is, forget),
        cmocka_unit_test_setup(a_seed_is_given_once_and_the_next_is_the_systems, forget),
        cmocka_unit_test(neighbouring_seeds_have_keys_that_share_nothing),
        cmocka_unit_test(the_key_of_a_seed_is_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
