/* position.h - the placement of pieces: a side's set-up, and a whole board.
 *
 * A cell is a piece in one byte. A set-up uses red's squares; blue's is turned round. */
#ifndef ENSIGN_CORE_PLAY_POSITION_H
#define ENSIGN_CORE_PLAY_POSITION_H

#include "base/random.h"
#include "core/rules/rules.h"

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
    kind_id at[BOARD_SQUARES_MAX]; /* by red's squares; KIND_NONE where empty */
};

struct position {
    cell at[BOARD_SQUARES_MAX]; /* CELL_EMPTY on lakes and beyond the board */
    enum side to_move;
};

/* Is this a valid set-up of a side: its whole army inside the zone, each piece where it may start,
 * with at least one able to move? False with a STATUS_SETUP fault that names the missing, surplus
 * or misplaced piece. */
bool setup_check(const struct rules *rules, enum side side, const struct setup *setup,
                 struct fault *fault);

/* Draws uniformly from all set-ups that setup_check() accepts; false (STATUS_RULES) if 100,000
 * tries find none. */
bool setup_random(const struct rules *rules, enum side side, struct random *random,
                  struct setup *setup, struct fault *fault);

/* The only set-up of a side, where the rules give it (ARMIES_GIVEN). */
void setup_given(const struct rules *rules, enum side side, struct setup *setup);

/* The kinds of a side that may start on a square of the board. A side that has its whole army in
 * its zone has laid it out by the rules: position_check(). */
kindset setup_kinds(const struct rules *rules, enum side side, square at);

/* Do these pieces of a side, by their squares, look like a set-up? */
bool setup_stands(const struct rules *rules, enum side side, squareset pieces);

/* Swaps left and right. */
void setup_mirror(const struct rules *rules, const struct setup *setup, struct setup *mirrored);

/* The starting position of two valid set-ups. */
void position_from_setups(const struct rules *rules, const struct setup *red,
                          const struct setup *blue, enum side first, struct position *position);

/* Is the position valid: at most the army's number of each kind, none on lakes, and a whole army in
 * its zone where its pieces may start? False with a STATUS_SETUP fault. */
bool position_check(const struct rules *rules, const struct position *position,
                    struct fault *fault);

#endif
