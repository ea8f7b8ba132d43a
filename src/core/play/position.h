/* position.h - where pieces stand: one side's set-up, and a whole board.
 *
 * A cell holds a piece in one byte. A set-up is kept in red's squares; blue's is the same turned by
 * half a board. */
#ifndef ENSIGN_CORE_PLAY_POSITION_H
#define ENSIGN_CORE_PLAY_POSITION_H

#include "base/random.h"
#include "core/rules/rules.h"

/* Bits 0-4 the kind, 5 the side, 6 set when the piece was brought back after it had fallen, 7 set
 * once it has moved (only where rules.moved says so). 0 is an empty square. */
typedef uint8_t cell;
enum { CELL_EMPTY = 0, CELL_BLUE = 32, CELL_RETURNED = 64, CELL_WALKED = 128 };

static inline cell cell_of(enum side side, kind_id kind) {
    return (cell)(kind | (side == BLUE ? CELL_BLUE : 0));
}

static inline kind_id cell_kind(cell piece) {
    return piece & 31;
}

/* Of a cell that is not empty. */
static inline enum side cell_side(cell piece) {
    return piece & CELL_BLUE ? BLUE : RED;
}

/* Kind and side alone. */
static inline cell cell_plain(cell piece) {
    return piece & (31 | CELL_BLUE);
}

struct setup {
    kind_id at[BOARD_SQUARES_MAX]; /* as red would stand; KIND_NONE where nothing stands */
};

struct position {
    cell at[BOARD_SQUARES_MAX]; /* CELL_EMPTY on lakes and beyond the board */
    enum side to_move;
};

/* Is this a set-up of the variant: the whole army, inside the zone, filling it if it must, and
 * something able to move? False with a STATUS_SETUP fault that names what is missing, surplus or
 * misplaced. */
bool setup_check(const struct rules *rules, const struct setup *setup, struct fault *fault);

/* Draws uniformly from all set-ups that setup_check() accepts; false (STATUS_RULES) when 100,000
 * tries find none. */
bool setup_random(const struct rules *rules, struct random *random, struct setup *setup,
                  struct fault *fault);

/* The position in which both armies have just been laid out. The set-ups were checked before. */
void position_from_setups(const struct rules *rules, const struct setup *red,
                          const struct setup *blue, enum side first, struct position *position);

/* No more pieces of any kind than the army has, none on lakes. False with a STATUS_SETUP fault. */
bool position_check(const struct rules *rules, const struct position *position,
                    struct fault *fault);

#endif
