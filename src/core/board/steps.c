/* steps.c - builds the tables of steps.h, and writes runs. */
#include "steps.h"

#include "move.h"

/* The next square on a way, or SQUARE_NONE where the board ends. */
static square beside(const struct board *board, square at, int way) {
    static const int file[WAYS] = {0, -1, 1, 0}, rank[WAYS] = {-1, 0, 0, 1};
    return board_square(board, board_file(board, at) + file[way],
                        board_rank(board, at) + rank[way]);
}

void steps_derive(struct steps *steps, const struct board *board) {
    const int8_t by[WAYS] = {(int8_t)-board->files, -1, 1, (int8_t)board->files};
    struct move moves[WAYS_ROOM];
    memset(steps, 0, sizeof *steps);
    memcpy(steps->by, by, sizeof by);
    for (unsigned ways = 0; ways < 1u << WAYS; ways++) {
        memset(moves, 0, sizeof moves);
        size_t count = 0;
        for (int way = 0; way < WAYS; way++)
            if (ways >> way & 1)
                moves[count++] =
                    (struct move){0, (square)by[way], SQUARE_NONE, ABILITY_NONE, KIND_NONE};
        memcpy(steps->of[ways].move, moves, sizeof steps->of[ways].move);
        steps->of[ways].bytes = count * sizeof *moves;
    }
    for (int way = 0; way < WAYS; way++) {
        memset(moves, 0, sizeof moves);
        for (int i = 0; i < RUN_MOVES; i++)
            moves[i] =
                (struct move){0, (square)(by[way] * (i + 1)), SQUARE_NONE, ABILITY_NONE, KIND_NONE};
        memcpy(steps->run[way], moves, sizeof steps->run[way]);
    }
    for (int from = 0; from < BOARD_SQUARES_MAX; from++) {
        for (int i = 0; i < WAYS_ROOM; i++)
            moves[i] = (struct move){(square)from, (square)from, 0, 0, 0};
        memcpy(&steps->from[from], moves, sizeof steps->from[from]);
        steps->lines[from] = (uint8_t)(from / board->files);
        for (int way = 0; way < WAYS && from < board->squares; way++)
            for (square at = (square)from, next; (next = beside(board, at, way)) != SQUARE_NONE;
                 at = next)
                steps->ray[from][way] |= pair_of(squareset_of(next));
    }
}

/* Writes the moves of a run from RUN_MOVES on. */
static __attribute__((noinline)) void run_on(char *out, unsigned from, int by, unsigned length) {
    struct move move = {(square)from, (square)((int)from + by * RUN_MOVES), SQUARE_NONE,
                        ABILITY_NONE, KIND_NONE};
    for (unsigned i = RUN_MOVES; i < length; i++) {
        move.to = (square)(move.to + by);
        memcpy(out + i * sizeof move, &move, sizeof move);
    }
}

/* The lowest and highest square of a set; 127 and 0 if it is empty. */
static inline unsigned lowest(steps_pair set) {
    uint64_t low = set[0], high = set[1] | (uint64_t)1 << 63;
    return lowest_bit(low ? low : high) + (low ? 0 : 64);
}

static inline unsigned highest(steps_pair set) {
    uint64_t low = set[0] | 1, high = set[1];
    return 63 - (unsigned)__builtin_clzll(high ? high : low) + (high ? 64 : 0);
}

/* Writes the moves along one way; a run ends on the first square of `ends`. */
static inline __attribute__((always_inline)) size_t run_write(const struct steps *steps, char *out,
                                                              unsigned from, int way, unsigned ways,
                                                              steps_pair ends) {
    ends &= steps->ray[from][way];
    unsigned length = way < WAYS / 2 ? from - highest(ends) : lowest(ends) - from;
    if (way == 0 || way == WAYS - 1) length = steps->lines[length];
    length &= -(ways >> way & 1);
    for (size_t i = 0; i < RUN_VECTORS; i++) {
        steps_vector moves = steps->run[way][i] + steps->from[from];
        memcpy(out + i * sizeof moves, &moves, sizeof moves);
    }
    if (__builtin_expect(length > RUN_MOVES, 0)) run_on(out, from, steps->by[way], length);
    return length * sizeof(struct move);
}

size_t runs_write(const struct steps *steps, char *out, unsigned from, unsigned ways,
                  const struct stepping *stepping, steps_pair taken) {
    char *next = out;
    next += run_write(steps, next, from, 0, ways, ~stepping->from[0] | taken);
    next += run_write(steps, next, from, 1, ways, ~stepping->from[1] | taken);
    next += run_write(steps, next, from, 2, ways, ~stepping->from[2] | taken);
    next += run_write(steps, next, from, 3, ways, ~stepping->from[3] | taken);
    return (size_t)(next - out);
}
