/* two_steps.h - where a piece can go that makes up to two steps, round a corner too, in one word.
 */
#ifndef ENSIGN_CORE_LANES_TWO_STEPS_H
#define ENSIGN_CORE_LANES_TWO_STEPS_H

#include "lanes_table.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* One half of a set, picked without a branch. */
static ALWAYS_INLINE uint64_t half_of(const squareset *set, unsigned high) {
    typedef uint64_t half __attribute__((may_alias));
    enum { BIG_ENDIAN_SETS = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };
    return ((const half *)set)[high ^ BIG_ENDIAN_SETS];
}

/* Five ranks of the board around a square in one word, the square at bit 2 * files + 2:
 *
 *     . . x . .       x  where two steps lead: diamond[at]
 *     . x + x .       +  where the first leads
 *     x + T + x
 *     . x + x .       The ends of ranks meet, and so do the first rank and the last; but no
 *     . . x . .       diamond has squares there that are not on the board. */
static ALWAYS_INLINE uint64_t around(const struct board *board, const squareset *set, square at) {
    unsigned shift = (unsigned)at - 2u * board->files - 2u, high = shift >> 6 & 1;
    uint64_t first = half_of(set, high), next = half_of(set, !high);
    return first >> (shift & 63) | next << 1 << (~shift & 63);
}

/* Where a piece can go that makes two steps at most, on the squares around it. */
static ALWAYS_INLINE uint64_t two_steps(const struct lanes_table *table, const squareset *own,
                                        const squareset *enemy, square at) {
    const struct board *board = &table->rules->board;
    unsigned files = board->files;
    uint64_t free = table->diamond[at] & ~around(board, own, at);
    uint64_t first = table->beside_centre & free, past = first & ~around(board, enemy, at);
    return (first | past << 1 | past >> 1 | past << files | past >> files) & free;
}

/* The square that the bit with this number stands for. */
static ALWAYS_INLINE square two_steps_square(const struct lanes_table *table, square at,
                                             unsigned bit) {
    return (square)(at + bit - 2u * table->rules->board.files - 2u);
}

#endif
