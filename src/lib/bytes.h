/* bytes.h - sets of squares as boards of bytes, as fast as the machine allows. */
#ifndef ENSIGN_LIB_BYTES_H
#define ENSIGN_LIB_BYTES_H

#include "core/rules/rules.h"

struct bytes_writer {
    /* Writes `count` boards of `squares` bytes, one after the other: `value` where a set has the
     * square, else 0. Sets have no squares beyond the board. */
    void (*planes)(uint8_t *out, unsigned squares, const squareset *sets, int count, uint8_t value);
    /* Writes one board: each byte is the sum of the values of the sets that have the square; none
     * of them share bits. */
    void (*board)(uint8_t *out, unsigned squares, const squareset *sets, const uint8_t *values,
                  int count);
    /* Turns boards of `squares` squares, 1 … BOARD_SQUARES_MAX, round. */
    void (*turn)(squareset *sets, int count, unsigned squares);
    /* Writes for each kind from 1 its set (kind[1] …) among the `certain` squares and the groups
     * that have the kind, `kinds` sets. */
    void (*possible)(squareset *out, const squareset *kind, int kinds, squareset certain,
                     const squareset *group_at, const kindset *group_kinds, int groups);
};

/* Writes sets of `squares` bits, one behind the other, into words. */
void bits_pack(uint64_t *words, size_t size, unsigned squares, const squareset *sets, int count);

/* The one for this machine. */
const struct bytes_writer *bytes_writer(void);

/* Those that this machine can use, the fastest last; at most BYTES_WRITERS. Their number. */
enum { BYTES_WRITERS = 3 };
int bytes_writers(const struct bytes_writer *writers[BYTES_WRITERS]);

#endif
