/* steps.h - the moves of pieces that step or run, listed without looking at one square after the
 * other.
 *
 * Which of the four ways are free for a piece is a number of four bits. For each such number the
 * moves are kept as they lie in a list, with the way in place of the square; when the square is
 * added to each byte that stands for one, they are the moves from there:
 *
 *      0  -10   255  255  0     0   +1   255  255  0     down and right are free, on ten files
 *   + 34   34     0    0  0    34   34     0    0  0     the square
 *   = 34   24   255  255  0    34   35   255  255  0     two moves without an ability
 *
 * All four ways are written whatever is free, so that nothing has to be foreseen; what lies behind
 * the last move does not count, and the moves of the next piece go over it. */
#ifndef ENSIGN_CORE_STEPS_H
#define ENSIGN_CORE_STEPS_H

#include "board.h"

#include <string.h>

enum {
    WAYS = 4,       /* 0 down, 1 left, 2 right, 3 up: in the order of the squares they lead to */
    WAYS_ROOM = 32, /* room for moves that steps_write() and runs_write() may ask for */
    STEPS_VECTORS = 2
};

typedef uint8_t steps_vector __attribute__((vector_size(16)));
typedef uint64_t steps_pair __attribute__((vector_size(16)));
typedef double steps_doubles __attribute__((vector_size(16)));

struct steps {
    struct {
        steps_vector move[STEPS_VECTORS];
        size_t bytes; /* of the moves that count */
    } of[1 << WAYS];  /* by the set of ways that are free */
    steps_vector from[BOARD_SQUARES_MAX][STEPS_VECTORS];
    int8_t by[WAYS];
};

void steps_derive(struct steps *steps, const struct board *board);

/* From which squares each way leads to a square that may be entered. */
struct stepping {
    squareset from[WAYS];
};

static inline struct stepping stepping_of(const struct board *board, squareset free) {
    return (struct stepping){{board_up(board, free), (free & ~board->last_file) << 1,
                              (free & ~board->first_file) >> 1, board_down(board, free)}};
}

/* From which squares it leads on to a second one. */
static inline struct stepping stepping_far(const struct stepping *stepping,
                                           const struct board *board, squareset taken) {
    const squareset *from = stepping->from;
    return (struct stepping){{from[0] & board_up(board, from[0] & ~taken),
                              from[1] & (from[1] & ~taken) << 1, from[2] & (from[2] & ~taken) >> 1,
                              from[3] & board_down(board, from[3] & ~taken)}};
}

/* From which squares some way does. */
static inline squareset stepping_any(const struct stepping *stepping) {
    return stepping->from[0] | stepping->from[1] | stepping->from[2] | stepping->from[3];
}

/* The same for half a board, whose squares count from 0. */
struct stepping_half {
    steps_pair from[WAYS / 2];
};

static inline struct stepping_half stepping_half(const struct stepping *stepping, int half) {
    struct stepping_half of;
    for (int i = 0; i < WAYS / 2; i++)
        of.from[i] = (steps_pair){squareset_half(stepping->from[2 * i], half),
                                  squareset_half(stepping->from[2 * i + 1], half)};
    return of;
}

/* The set of ways for a piece on one of them: its bit is brought to the top of each word, where
 * vectors have an instruction to collect it. */
static inline unsigned stepping_ways(const struct stepping_half *half, unsigned number) {
    unsigned ways = 0;
    for (int i = 0; i < WAYS / 2; i++) {
        steps_pair top = half->from[i] << (63 - number);
#ifdef __SSE2__
        ways |= (unsigned)__builtin_ia32_movmskpd((steps_doubles)top) << (2 * i);
#else
        ways |= (unsigned)(top[0] >> 63 | top[1] >> 63 << 1) << (2 * i);
#endif
    }
    return ways;
}

/* Writes the moves of a piece on `from` that steps; returns how many bytes of them count. */
static inline size_t steps_write(const struct steps *steps, char *out, square from, unsigned ways) {
    for (size_t i = 0; i < STEPS_VECTORS; i++) {
        steps_vector moves = steps->of[ways].move[i] + steps->from[from][i];
        memcpy(out + i * sizeof moves, &moves, sizeof moves);
    }
    return steps->of[ways].bytes;
}

/* The same for one that runs. `near` are the ways that are free, `far` those that lead on; `at` the
 * cells. */
size_t runs_write(const struct steps *steps, char *out, square from, unsigned near, unsigned far,
                  const struct stepping *stepping, const uint8_t *at);

#endif
