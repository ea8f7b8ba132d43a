/* bytes.h - sets of squares as boards of bytes, as fast as the machine allows. */
#ifndef ENSIGN_LIB_BYTES_H
#define ENSIGN_LIB_BYTES_H

#include "core/rules/rules.h"

enum { BOARD_SETS = 4 };

struct bytes_writer {
    /* Writes `count` boards of `squares` bytes, one after the other: `value` where a set has the
     * square, else 0. Sets have no squares beyond the board. */
    void (*planes)(uint8_t *out, unsigned squares, const squareset *sets, int count, uint8_t value);
    /* Writes one board: where `certain` has the square the low five bits of its byte of `kinds`
     * (BOARD_SQUARES_MAX of them), else 0; with 32, 64, 128 and 255 where the first, second, third
     * and fourth set have it. `turned`: from the last square to the first. */
    void (*board)(uint8_t *out, unsigned squares, const uint8_t *kinds, squareset certain,
                  const squareset sets[BOARD_SETS], bool turned);
    /* Turns boards of `squares` squares, 1 … BOARD_SQUARES_MAX, round. */
    void (*turn)(squareset *sets, int count, unsigned squares);
    /* Writes for each kind from 1 its set (kind[1] …) among the `certain` squares and the groups
     * that have the kind, `kinds` sets. */
    void (*possible)(squareset *out, const squareset *kind, int kinds, squareset certain,
                     const squareset *group_at, const kindset *group_kinds, int groups);
    /* Writes sets of `squares` bits, one behind the other, into `size` words that have room for
     * them; the rest are 0. Sets have no squares beyond the board. */
    void (*pack)(uint64_t *words, size_t size, unsigned squares, const squareset *sets, int count);
};

/* The one for this machine. */
const struct bytes_writer *bytes_writer(void);

/* Those that this machine can use, the fastest last; at most BYTES_WRITERS. Their number. */
enum { BYTES_WRITERS = 3 };
int bytes_writers(const struct bytes_writer *writers[BYTES_WRITERS]);

#endif
