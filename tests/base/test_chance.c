/* Derivation of keys, compared with a slow HChaCha20; derived keys share nothing; a stream's state
 * leads to no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/chance.h"

/* HChaCha20 as in draft-irtf-cfrg-xchacha-03, on a square of sixteen words. */

static void quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
    static const int turns[] = {16, 12, 8, 7};
    for (int i = 0; i < 4; i++) {
        uint32_t *sum = i % 2 ? c : a, *addend = i % 2 ? d : b, *turned = i % 2 ? b : d;
        *sum += *addend;
        uint32_t word = *turned ^ *sum;
        *turned = word << turns[i] | word >> (32 - turns[i]);
    }
}

static void slow_function(const uint8_t key[32], const uint8_t input[16], uint8_t out[32]) {
    uint32_t square[4][4];
    memcpy(square[0], "expand 32-byte k", 16);
    memcpy(square[1], key, 32);
    memcpy(square[3], input, 16);
    for (int round = 0; round < 20; round++) {
        int lean = round % 2; /* columns, then diagonals */
        for (int i = 0; i < 4; i++) {
            quarter(&square[0][i], &square[1][(i + lean) % 4], &square[2][(i + 2 * lean) % 4],
                    &square[3][(i + 3 * lean) % 4]);
        }
    }
    memcpy(out, square[0], 16);
    memcpy(out + 16, square[3], 16);
}

static struct chance counted(uint8_t first) {
    struct chance key;
    for (int i = 0; i < CHANCE_BYTES; i++) key.bytes[i] = (uint8_t)(first + i);
    return key;
}

static void the_slow_function_is_the_published_one(void **state) {
    (void)state;
    static const uint8_t input[16] = {0, 0, 0, 9, 0,    0,    0,    0x4a,
                                      0, 0, 0, 0, 0x31, 0x41, 0x59, 0x27};
    static const uint8_t expected[32] = {0x82, 0x41, 0x3b, 0x42, 0x27, 0xb2, 0x7b, 0xfe,
                                         0xd3, 0x0e, 0x42, 0x50, 0x8a, 0x87, 0x7d, 0x73,
                                         0xa0, 0xf9, 0xe4, 0xd5, 0x8a, 0x74, 0xa8, 0x53,
                                         0xc1, 0x2e, 0xc4, 0x13, 0x26, 0xd3, 0xec, 0xdc};
    uint8_t out[32];
    struct chance key = counted(0);
    slow_function(key.bytes, input, out);
    assert_memory_equal(out, expected, sizeof out);
}

enum form { A_KEY, A_STREAM, A_NUMBER };

static void keys_streams_and_numbers_are_derived_by_that_function(void **state) {
    (void)state;
    static const uint64_t indices[] = {0, 1, 2, 255, 256, UINT64_C(1) << 32, UINT64_MAX};
    for (int first = 0; first < 256; first += 51) {
        const struct chance parent = counted((uint8_t)first);
        for (int purpose = 0; purpose < CHANCE_PURPOSES; purpose++) {
            for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
                uint8_t input[16] = {0}, expected[3][32];
                memcpy(input, &indices[i], 8);
                input[8] = (uint8_t)purpose;
                for (int form = A_KEY; form <= A_NUMBER; form++) {
                    input[12] = (uint8_t)form;
                    slow_function(parent.bytes, input, expected[form]);
                }
                enum chance_purpose of = (enum chance_purpose)purpose;
                struct chance key = chance_derive(&parent, of, indices[i]);
                struct random random = chance_random(&parent, of, indices[i]);
                uint64_t number = chance_number(&parent, of, indices[i]);
                assert_memory_equal(&key, expected[A_KEY], 32);
                assert_memory_equal(&random, expected[A_STREAM], 32);
                assert_memory_equal(&number, expected[A_NUMBER], 8);
            }
        }
    }
}

static int bits_in_common(const uint8_t *a, const uint8_t *b) {
    int common = 0;
    for (int i = 0; i < CHANCE_BYTES; i++) common += 8 - __builtin_popcount(a[i] ^ b[i]);
    return common;
}

/* Two random 256-bit words share 128 ± 8 bits; nine standard deviations exclude chance. */
static void assert_nothing_shared(const struct chance *list, int count) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            assert_in_range(bits_in_common(list[i].bytes, list[j].bytes), 56, 200);
}

static void neighbours_share_nothing(void **state) {
    (void)state;
    struct chance list[4 * CHANCE_PURPOSES * 8 * 2];
    int count = 0;
    for (uint8_t p = 0; p < 4; p++) {
        struct chance parent = {{0}};
        parent.bytes[p ? 31 : 0] = p; /* they differ in one bit or two */
        for (int purpose = 0; purpose < CHANCE_PURPOSES; purpose++) {
            for (uint64_t index = 0; index < 8; index++) {
                struct random random = chance_random(&parent, (enum chance_purpose)purpose, index);
                memcpy(&list[count++], &random, sizeof random);
                list[count++] = chance_derive(&parent, (enum chance_purpose)purpose, index);
            }
        }
    }
    assert_nothing_shared(list, count);
}

/* A script that reads four words of its stream knows the stream's state. */
static void nothing_is_derived_from_what_a_stream_shows(void **state) {
    (void)state;
    const struct chance game = counted(3);
    struct chance list[40];
    int count = 0;
    for (uint64_t seat = 0; seat < 2; seat++) {
        const struct chance key = chance_derive(&game, CHANCE_SEAT, seat);
        list[count++] = key;
        for (uint64_t moment = 0; moment < 9; moment++) {
            struct random turn = chance_random(&key, CHANCE_TURN, moment);
            struct chance shown;
            memcpy(&shown, &turn, sizeof turn);
            list[count++] = shown;
            list[count++] = chance_derive(&shown, CHANCE_TURN, moment + 1);
        }
    }
    list[count++] = game;
    assert_nothing_shared(list, count);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_slow_function_is_the_published_one),
        cmocka_unit_test(keys_streams_and_numbers_are_derived_by_that_function),
        cmocka_unit_test(neighbours_share_nothing),
        cmocka_unit_test(nothing_is_derived_from_what_a_stream_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
