/* move.h - a move: squares and what it names. */
#ifndef ENSIGN_CORE_BOARD_MOVE_H
#define ENSIGN_CORE_BOARD_MOVE_H

#include "board.h"

typedef uint8_t kind_id; /* 1 … KINDS_MAX - 1 (rules.h) */

enum { KIND_NONE = 0 };
enum { ABILITY_NONE = 255 };

/* Eight bytes without padding, so that compilers pass it in a register. */
struct move {
    square from;     /* the piece's square */
    square to;       /* its destination; `from` if it stays */
    square target;   /* of an ability, else SQUARE_NONE */
    uint8_t ability; /* index into rules.ability, else ABILITY_NONE */
    uint32_t choice; /* kind named, else KIND_NONE */
};

static inline bool move_equal(struct move a, struct move b) {
    return a.from == b.from && a.to == b.to && a.target == b.target && a.ability == b.ability &&
           a.choice == b.choice;
}

#endif
