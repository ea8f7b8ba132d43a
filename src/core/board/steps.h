/* steps.h - lists the moves of pieces that step or run, without scanning squares.
 *
 * The free ways of a piece, out of four, are a number of four bits. For each such number a table
 * holds the moves as they lie in a list, with offsets in place of squares. Adding the piece's
 * square to each of these bytes gives its moves:
 *
 *      0  -10   255  255   0...      0   +1   255  255   0...     down and right are free
 *   + 34   34     0    0   0...     34   34     0    0   0...     the square
 *   = 34   24   255  255   0...     34   35   255  255   0...     two moves without an ability
 *
 * The whole table row is always written, so that there is no branch to predict; bytes after the
 * last move do not count and are overwritten by the next piece.
 *
 * A run ends on the first square of its ray that is taken or from which the way leads no further:
 *
 *     . s . . e . o #     a runner s, an enemy e, an own piece o, the end of the board
 *     1 1 1 1 1 0 0       the way to the right leads to a square that may be entered
 *     0 1 0 0 1 0 1       taken
 *     0 0 0 0 1 1 1       the ray of s without squares that are free and lead on: the first is e
 *
 * so this run is three moves long: the first three of its way's table row count. */
#ifndef ENSIGN_CORE_BOARD_STEPS_H
#define ENSIGN_CORE_BOARD_STEPS_H

#include "board.h"

#include <string.h>

enum {
    WAYS = 4,          /* 0 down, 1 left, 2 right, 3 up: in the order of the squares they lead to */
    WAYS_ROOM = 40,    /* moves that steps_write() and runs_write() may overwrite */
    STEPS_VECTORS = 2, /* two moves each, for up to four ways */
    RUN_VECTORS = 3,   /* longer runs take a loop */
    RUN_MOVES = 2 * RUN_VECTORS
};

typedef uint8_t steps_vector __attribute__((vector_size(16)));
typedef uint64_t steps_pair __attribute__((vector_size(16)));
typedef double steps_doubles __attribute__((vector_size(16)));

struct steps {
    struct {
        steps_vector move[STEPS_VECTORS];
        size_t bytes;     /* of the moves that count */
        size_t unused[3]; /* pads to 64 bytes, so that a shift finds the entry */
    } of[1 << WAYS];      /* by the set of ways that are free */
    steps_vector from[BOARD_SQUARES_MAX];
    steps_vector run[WAYS][RUN_VECTORS];     /* the first RUN_MOVES moves each way */
    steps_pair ray[BOARD_SQUARES_MAX][WAYS]; /* all squares each way */
    uint8_t lines[BOARD_SQUARES_MAX];        /* ranks crossed by a difference of squares */
    int8_t by[WAYS];
};

void steps_derive(struct steps *steps, const struct board *board);

/* A set of squares as a vector of its halves, which takes half the instructions of two words. */
static inline steps_pair pair_of(squareset set) {
    return (steps_pair){(uint64_t)set, (uint64_t)(set >> 64)};
}

/* pair_of() of a set in memory, which is one load where the lower half comes first. */
static inline steps_pair pair_read(const squareset *set) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    steps_pair pair;
    memcpy(&pair, set, sizeof pair);
    return pair;
#else
    return pair_of(*set);
#endif
}

/* The highest bits of both halves, as a number of two bits. */
static inline unsigned pair_tops(steps_pair pair) {
#ifdef __SSE2__
    return (unsigned)__builtin_ia32_movmskpd((steps_doubles)pair);
#else
    return (unsigned)(pair[0] >> 63 | pair[1] >> 63 << 1);
#endif
}

/* Moved `by` squares up or down, 1 to 63. */
static inline steps_pair pair_up(steps_pair set, int by) {
    return set << by | (steps_pair){0, set[0]} >> (64 - by);
}

static inline steps_pair pair_down(steps_pair set, int by) {
    return set >> by | (steps_pair){set[1], 0} << (64 - by);
}

/* For each way, the squares from which it leads to a square that may be entered. */
struct stepping {
    steps_pair from[WAYS];
};

static inline struct stepping stepping_of(const struct board *board, steps_pair free) {
    return (struct stepping){
        {pair_up(free, board->files), pair_up(free & ~pair_of(board->last_file), 1),
         pair_down(free & ~pair_of(board->first_file), 1), pair_down(free, board->files)}};
}

/* Squares with any free way. */
static inline steps_pair stepping_any(const struct stepping *stepping) {
    return stepping->from[0] | stepping->from[1] | stepping->from[2] | stepping->from[3];
}

/* Squares from which some way leads on to a second square. */
static inline steps_pair stepping_far(const struct stepping *stepping, const struct board *board,
                                      steps_pair taken) {
    const steps_pair *from = stepping->from;
    return (from[0] & pair_up(from[0] & ~taken, board->files)) |
           (from[1] & pair_up(from[1] & ~taken, 1)) | (from[2] & pair_down(from[2] & ~taken, 1)) |
           (from[3] & pair_down(from[3] & ~taken, board->files));
}

/* The same for half a board, with its squares numbered from 0. */
struct stepping_half {
    steps_pair from[WAYS / 2];
};

static inline struct stepping_half stepping_half(const struct stepping *stepping, int half) {
    struct stepping_half of;
    for (int i = 0; i < WAYS / 2; i++)
        of.from[i] = (steps_pair){stepping->from[2 * i][half], stepping->from[2 * i + 1][half]};
    return of;
}

/* The free ways of a piece on a square of the half: its bit is shifted to the top of each word,
 * where one vector instruction collects it. */
static inline unsigned stepping_ways(const struct stepping_half *half, unsigned number) {
    unsigned ways = 0;
    for (int i = 0; i < WAYS / 2; i++) ways += pair_tops(half->from[i] << (63 - number)) << (2 * i);
    return ways;
}

/* Writes the moves of a stepping piece on `from`. Returns the number of bytes that count. */
static inline size_t steps_write(const struct steps *steps, char *out, unsigned from,
                                 unsigned ways) {
    for (size_t i = 0; i < STEPS_VECTORS; i++) {
        steps_vector moves = steps->of[ways].move[i] + steps->from[from];
        memcpy(out + i * sizeof moves, &moves, sizeof moves);
    }
    return steps->of[ways].bytes;
}

/* The same for a running piece with these free ways; `stepping` are the ways of all squares,
 * `taken` the squares where a run ends. */
size_t runs_write(const struct steps *steps, char *out, unsigned from, unsigned ways,
                  const struct stepping *stepping, steps_pair taken);

#endif
