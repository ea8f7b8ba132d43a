/* Sets of squares as bytes and words: every implementation that this machine can run does what its
 * header says, for boards of all sizes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/random.h"
#include "lib/bytes.h"

enum { SETS = 11, KINDS = 9, GUARD = 64 };

static squareset draw_set(struct random *random, unsigned squares) {
    const squareset set = (squareset)random_next(random) << 64 | random_next(random);
    return set >> (BOARD_SQUARES_MAX - squares);
}

static void each_board(void (*check)(const struct bytes_writer *, unsigned, struct random *)) {
    const struct bytes_writer *writers[BYTES_WRITERS];
    const int count = bytes_writers(writers);
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    assert_ptr_equal(writers[count - 1], bytes_writer());
    for (int i = 0; i < count; i++)
        for (unsigned squares = 1; squares <= BOARD_SQUARES_MAX; squares++)
            check(writers[i], squares, &random);
}

static void check_planes(const struct bytes_writer *writer, unsigned squares,
                         struct random *random) {
    squareset sets[SETS];
    uint8_t out[SETS * BOARD_SQUARES_MAX + GUARD];
    const size_t size = SETS * (size_t)squares;
    for (int i = 0; i < SETS; i++) sets[i] = draw_set(random, squares);
    memset(out, 7, sizeof out);
    writer->planes(out, squares, sets, SETS, 200);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(out[i], squareset_has(sets[i / squares], (square)(i % squares)) ? 200 : 0);
    for (size_t i = size; i < size + GUARD; i++) assert_int_equal(out[i], 7);
}

static void a_plane_has_a_byte_for_each_square(void **state) {
    (void)state;
    each_board(check_planes);
}

static void check_board(const struct bytes_writer *writer, unsigned squares,
                        struct random *random) {
    static const uint8_t values[BOARD_SETS] = {32, 64, 128, 255};
    squareset sets[BOARD_SETS], certain = draw_set(random, squares);
    uint8_t out[BOARD_SQUARES_MAX + GUARD], kinds[BOARD_SQUARES_MAX];
    for (int i = 0; i < BOARD_SQUARES_MAX; i++) kinds[i] = (uint8_t)random_next(random);
    for (int i = 0; i < BOARD_SETS; i++) sets[i] = draw_set(random, squares);
    for (int turned = 0; turned <= 1; turned++) {
        memset(out, 7, sizeof out);
        writer->board(out, squares, kinds, certain, sets, turned);
        for (unsigned i = 0; i < squares; i++) {
            const square at = (square)(turned ? squares - 1 - i : i);
            int byte = squareset_has(certain, at) ? kinds[at] & 31 : 0;
            for (int j = 0; j < BOARD_SETS; j++)
                if (squareset_has(sets[j], at)) byte |= values[j];
            assert_int_equal(out[i], byte);
        }
        for (unsigned at = squares; at < squares + GUARD; at++) assert_int_equal(out[at], 7);
    }
}

static void a_board_has_the_kinds_that_are_certain_and_what_the_sets_add(void **state) {
    (void)state;
    each_board(check_board);
}

static void check_turn(const struct bytes_writer *writer, unsigned squares, struct random *random) {
    squareset sets[SETS + 1], turned[SETS + 1];
    for (int i = 0; i <= SETS; i++) turned[i] = sets[i] = draw_set(random, squares);
    writer->turn(turned, SETS, squares);
    for (int i = 0; i < SETS; i++)
        for (unsigned at = 0; at < BOARD_SQUARES_MAX; at++)
            assert_int_equal(squareset_has(turned[i], (square)at),
                             at < squares && squareset_has(sets[i], (square)(squares - 1 - at)));
    assert_true(turned[SETS] == sets[SETS]);
}

static void a_turned_board_begins_with_its_last_square(void **state) {
    (void)state;
    each_board(check_turn);
}

static void check_possible(const struct bytes_writer *writer, unsigned squares,
                           struct random *random) {
    squareset kind[KINDS + 1], group[3], out[KINDS + 1];
    kindset kinds[3];
    const squareset certain = draw_set(random, squares);
    for (int i = 0; i <= KINDS; i++) kind[i] = draw_set(random, squares);
    for (int i = 0; i < 3; i++) {
        group[i] = draw_set(random, squares);
        kinds[i] = (kindset)random_next(random);
    }
    for (int count = 0; count <= KINDS; count++) {
        out[count] = 7;
        writer->possible(out, kind, count, certain, group, kinds, 3);
        for (int i = 0; i < count; i++) {
            squareset expected = kind[i + 1] & certain;
            for (int j = 0; j < 3; j++)
                if (kinds[j] >> (i + 1) & 1) expected |= group[j];
            assert_true(out[i] == expected);
        }
        assert_true(out[count] == 7);
    }
}

static void a_kind_is_possible_where_it_is_certain_or_its_groups_are(void **state) {
    (void)state;
    each_board(check_possible);
}

static void check_pack(const struct bytes_writer *writer, unsigned squares, struct random *random) {
    squareset sets[2 * SETS];
    uint64_t words[2 * (2 * SETS + 3)];
    for (int i = 0; i < 2 * SETS; i++) sets[i] = draw_set(random, squares);
    for (int count = 1; count <= 2 * SETS; count += 7) {
        const size_t bits = (size_t)count * squares;
        for (size_t size = (bits + 63) / 64; size < (bits + 63) / 64 + 3; size++) {
            words[size] = 7;
            writer->pack(words, size, squares, sets, count);
            for (size_t i = 0; i < 64 * size; i++)
                assert_int_equal(words[i / 64] >> i % 64 & 1,
                                 i < bits &&
                                     squareset_has(sets[i / squares], (square)(i % squares)));
            assert_int_equal(words[size], 7);
        }
    }
}

static void packed_sets_follow_each_other_bit_by_bit(void **state) {
    (void)state;
    each_board(check_pack);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_has_a_byte_for_each_square),
        cmocka_unit_test(a_board_has_the_kinds_that_are_certain_and_what_the_sets_add),
        cmocka_unit_test(a_turned_board_begins_with_its_last_square),
        cmocka_unit_test(a_kind_is_possible_where_it_is_certain_or_its_groups_are),
        cmocka_unit_test(packed_sets_follow_each_other_bit_by_bit),
    };
    return cmocka_run_group_tests_name("lib/bytes", tests, NULL, NULL);
}
