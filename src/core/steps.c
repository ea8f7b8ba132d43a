/* steps.c - lays the tables of steps.h out, and follows runs. */
#include "steps.h"

#include "game.h"

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
    for (int from = 0; from < BOARD_SQUARES_MAX; from++) {
        memset(moves, 0, sizeof moves);
        for (int way = 0; way < WAYS; way++) moves[way].from = moves[way].to = (square)from;
        memcpy(steps->from[from], moves, sizeof steps->from[from]);
    }
}

size_t runs_write(const struct steps *steps, char *out, square from, unsigned near, unsigned far,
                  const struct stepping *stepping, const uint8_t *at) {
    struct move *next = (struct move *)out;
    for (int way = 0; way < WAYS; way++) {
        struct move move = {from, (square)(from + steps->by[way]), SQUARE_NONE, ABILITY_NONE,
                            KIND_NONE};
        *next = move;
        next += near >> way & 1;
        if (!(far >> way & 1)) continue;
        do {
            move.to = (square)(move.to + steps->by[way]);
            *next++ = move;
        } while (!at[move.to] && squareset_has(stepping->from[way], move.to));
    }
    return (size_t)((char *)next - out);
}
