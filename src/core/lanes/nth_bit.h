/* nth_bit.h - the n-th set bit of a word, counted from 0; the word has more than n. */
#ifndef ENSIGN_CORE_LANES_NTH_BIT_H
#define ENSIGN_CORE_LANES_NTH_BIT_H

#include <stdint.h>

static inline uint64_t nth_bit_plain(uint64_t word, unsigned n) {
    while (n--) word &= word - 1;
    return word & -word;
}

#if defined(__x86_64__)
/* Inline assembly, since an intrinsic could not be inlined into both kernels. */
static inline uint64_t nth_bit_pdep(uint64_t word, unsigned n) {
    uint64_t bit;
    __asm__("pdep %2, %1, %0" : "=r"(bit) : "r"((uint64_t)1 << n), "r"(word));
    return bit;
}
#else
#define nth_bit_pdep nth_bit_plain
#endif

#endif
