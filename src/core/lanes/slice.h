/* slice.h - sums and bytes made of slices (crowd_inside.h), for files that are compiled for AVX2;
 * included where that begins. */
#ifndef ENSIGN_CORE_LANES_SLICE_H
#define ENSIGN_CORE_LANES_SLICE_H

#include "crowd_inside.h"

#define INLINE static inline __attribute__((always_inline))

INLINE void swap_bits(slice *a, slice *b, int by, uint64_t mask) {
    slice differ = ((*a >> by) ^ *b) & mask;
    *b ^= differ;
    *a ^= differ << by;
}

/* From eight slices of bits to bytes and back. */
INLINE void transpose(slice slices[8]) {
    for (int i = 0; i < 4; i++)
        swap_bits(&slices[i], &slices[i + 4], 4, UINT64_C(0x0F0F0F0F0F0F0F0F));
    for (int i = 0; i < 8; i++)
        if (!(i & 2)) swap_bits(&slices[i], &slices[i + 2], 2, UINT64_C(0x3333333333333333));
    for (int i = 0; i < 8; i += 2)
        swap_bits(&slices[i], &slices[i + 1], 1, UINT64_C(0x5555555555555555));
}

/* The games in whose byte of this eighth is anything, given that it is 0 or 255. */
INLINE slice bits_of(bytes eighth, int number) {
    return (slice)(eighth & (uint8_t)(1 << number));
}

/* The sum of three bits, and its carry. */
INLINE slice sum_of(slice a, slice b, slice c, slice *carry) {
    slice differ = a ^ b;
    *carry = (a & b) | (differ & c);
    return differ ^ c;
}

/* Adds four bits to a number below 16. */
INLINE void add_four(slice number[LINE_BITS], slice a, slice b, slice c, slice d) {
    slice two, other_two, four;
    number[0] = sum_of(number[0], a, b, &two);
    number[0] = sum_of(number[0], c, d, &other_two);
    number[1] = sum_of(number[1], two, other_two, &four);
    number[3] |= number[2] & four;
    number[2] ^= four;
}

/* Adds a number of `width` bits to one of `bits`, which must be able to hold the sum. */
INLINE void add_number(slice *sum, int bits, const slice *number, int width) {
    slice carry = {0};
    for (int k = 0; k < width; k++) sum[k] = sum_of(sum[k], number[k], carry, &carry);
    for (int k = width; k < bits; k++) {
        slice next = sum[k] & carry;
        sum[k] ^= carry;
        carry = next;
    }
}

#endif
