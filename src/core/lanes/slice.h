/* slice.h - arithmetic on slices (crowd_inside.h), for code compiled for AVX2; included after
 * avx2_begin.h. */
#ifndef ENSIGN_CORE_LANES_SLICE_H
#define ENSIGN_CORE_LANES_SLICE_H

#include "crowd_inside.h"

/* Functions on slices are always inlined, except under clang's sanitizers, where that takes a
 * minute to compile. */
#if defined(__clang__)
#if __has_feature(address_sanitizer)
#define INLINE static inline
#pragma clang diagnostic ignored "-Wpass-failed" /* loops cannot all be unrolled then */
#endif
#endif
#ifndef INLINE
#define INLINE static ALWAYS_INLINE
#endif

/* Calls f(…, files, ranks), with constants on the stock boards, so that loops have constant
 * length. */
#define ON_BOARD(board, f, ...)                                                                    \
    do {                                                                                           \
        if ((board)->files == 10 && (board)->ranks == 10)                                          \
            f(__VA_ARGS__, 10, 10);                                                                \
        else if ((board)->files == 10 && (board)->ranks == 8)                                      \
            f(__VA_ARGS__, 10, 8);                                                                 \
        else if ((board)->files == 8 && (board)->ranks == 8)                                       \
            f(__VA_ARGS__, 8, 8);                                                                  \
        else                                                                                       \
            f(__VA_ARGS__, (board)->files, (board)->ranks);                                        \
    } while (0)

INLINE void swap_bits(slice *a, slice *b, int by, uint64_t mask) {
    slice differ = ((*a >> by) ^ *b) & mask;
    *b ^= differ;
    *a ^= differ << by;
}

/* Between eight slices of bits and eight of bytes; its own inverse. */
INLINE void transpose(slice slices[8]) {
    for (int i = 0; i < 4; i++)
        swap_bits(&slices[i], &slices[i + 4], 4, UINT64_C(0x0F0F0F0F0F0F0F0F));
    for (int i = 0; i < 8; i++)
        if (!(i & 2)) swap_bits(&slices[i], &slices[i + 2], 2, UINT64_C(0x3333333333333333));
    for (int i = 0; i < 8; i += 2)
        swap_bits(&slices[i], &slices[i + 1], 1, UINT64_C(0x5555555555555555));
}

/* The games of this eighth whose byte is set; bytes must be 0 or 255. */
INLINE slice bits_of(bytes eighth, int number) {
    return (slice)(eighth & (uint8_t)(1 << number));
}

/* The inverse: 255 in the bytes of these games. */
INLINE bytes bytes_of(slice games, int number) {
    return (bytes)(((bytes)games & (uint8_t)(1 << number)) != 0);
}

/* The sum of three bits, and its carry. */
INLINE slice sum_of(slice a, slice b, slice c, slice *carry) {
    slice differ = a ^ b;
    *carry = (a & b) | (differ & c);
    return differ ^ c;
}

/* Adds four bits to a number; the sum must be below 16. */
INLINE void add_four(slice number[LINE_BITS], slice a, slice b, slice c, slice d) {
    slice two, other_two, four;
    number[0] = sum_of(number[0], a, b, &two);
    number[0] = sum_of(number[0], c, d, &other_two);
    number[1] = sum_of(number[1], two, other_two, &four);
    number[3] |= number[2] & four;
    number[2] ^= four;
}

/* The number of set bits among nine. */
INLINE void count_nine(slice number[LINE_BITS], const slice bit[9]) {
    slice one[3], two[3], carry, four;
    for (int i = 0; i < 3; i++)
        one[i] = sum_of(bit[3 * i], bit[3 * i + 1], bit[3 * i + 2], &two[i]);
    number[0] = sum_of(one[0], one[1], one[2], &carry);
    slice pair = sum_of(two[0], two[1], two[2], &four);
    number[1] = pair ^ carry;
    carry &= pair;
    number[2] = four ^ carry;
    number[3] = four & carry;
}

/* Adds a number of `width` bits to one of `bits` bits, without overflow. */
INLINE void add_number(slice *sum, int bits, const slice *number, int width) {
    slice carry = {0};
    for (int k = 0; k < width; k++) sum[k] = sum_of(sum[k], number[k], carry, &carry);
    for (int k = width; k < bits; k++) {
        slice next = sum[k] & carry;
        sum[k] ^= carry;
        carry = next;
    }
}

/* Subtracts a bit. */
INLINE void subtract_bit(slice *number, int bits, slice borrow) {
    for (int k = 0; k < bits; k++) {
        slice next = ~number[k] & borrow;
        number[k] ^= borrow;
        borrow = next;
    }
}

/* Subtracts the numbers of `things` from the index in turn until one exceeds the rest: that thing
 * is hot. Nothing is hot in games outside `searching`. */
INLINE void descend(slice searching, slice *index, int bits, const slice *numbers, int width,
                    int things, slice *hot) {
#pragma GCC unroll 1
    for (int i = 0; i < things; i++, numbers += width) {
        slice rest[COUNT_BITS], borrow = {0};
        for (int k = 0; k < bits; k++) {
            slice minus = k < width ? numbers[k] : NO_GAME, differ = index[k] ^ minus;
            rest[k] = differ ^ borrow;
            borrow = (~index[k] & minus) | (~differ & borrow);
        }
        hot[i] = searching & borrow;
        searching &= ~borrow;
        for (int k = 0; k < bits; k++) index[k] ^= (index[k] ^ rest[k]) & searching;
    }
}

#endif
