/* lanes_table.h - what lanes.h reads of a variant: where each square lies in four copies of the
 * board, and how each kind moves there.
 *
 * Boards fit whose lines, each with a wall behind it, fill at most two words of 64 bits a
 * direction: 10 x 10 and smaller, 14 x 8, not 16 x 8. */
#ifndef ENSIGN_CORE_LANES_LANES_TABLE_H
#define ENSIGN_CORE_LANES_LANES_TABLE_H

#include "core/play/position.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { LINE_WORDS = 8, DUTIES_MAX = 4 };

/* A set of squares in four copies of the board, two words each; in every copy another direction is
 * "towards the next bit". */
struct lane_lines {
    _Alignas(64) uint64_t word[LINE_WORDS];
};

/* The pieces of a side, and some of them again: those that step, those that run, the rest. */
enum { LANE_ALL, LANE_STEPPERS, LANE_RUNNERS, LANE_OTHERS, LANE_SETS };

/* On what the moves of a piece on a square hang, by side and square; of kinds that share it. */
struct duty {
    squareset scope[2][BOARD_SQUARES_MAX]; /* one must hold an enemy for any use of an ability */
    squareset walk[2][BOARD_SQUARES_MAX];  /* its own, and where it may go if that is no destination
                                              or an ability comes after it */
};

/* What of a variant a lane reads; never changes once built, shared by any number of lanes. */
struct lanes_table {
    struct lane_lines place[BOARD_SQUARES_MAX]; /* a square in each copy */
    struct lane_lines solid;                    /* walls and lakes */
    squareset only[BOARD_SQUARES_MAX];          /* of one square */
    squareset sight[2][KINDS_MAX];         /* where pieces of a kind are kept in sight, by side */
    squareset gate[2];                     /* where acting pieces may come into it */
    squareset uses[2][KINDS_MAX];          /* where a kind may have a use of an ability */
    squareset scoped[2];                   /* where any may */
    struct duty duty[DUTIES_MAX];          /* what matters to acting pieces */
    squareset once[BOARD_SQUARES_MAX];     /* a square and one step around it */
    squareset twice[BOARD_SQUARES_MAX];    /* a square and two steps */
    uint64_t diamond[BOARD_SQUARES_MAX];   /* two steps in one word: see lane_special.c */
    uint64_t beside_centre;                /* and one */
    uint8_t duty_of[KINDS_MAX];            /* of acting kinds */
    uint8_t guess[KINDS_MAX];              /* the ability of kinds that guess, or ABILITY_NONE */
    uint8_t guesses[KINDS_MAX];            /* how many kinds it may name, by who guesses */
    uint64_t beside[BOARD_SQUARES_MAX][2]; /* neighbours, in two halves */
    uint8_t square_at[LINE_WORDS * 64];    /* of each bit of each word */
    uint8_t set_of[2 * BOARD_SQUARES_MAX]; /* by cell: which of a side's sets has the piece too */
    const struct rules *rules;
    kindset kinds[LANE_SETS]; /* which kinds those sets have, but for all */
    kindset acting;           /* kinds with abilities, and those that walk in ways of their own */
    kindset odd;              /* the latter: neither steps nor runs */
    kindset open;             /* acting kinds that are in sight everywhere */
    kindset turners;          /* of those: two steps at most, round a corner too */
    uint32_t chase_bits;      /* see lanes.c */
};

enum {
    DESTINATIONS_MAX = 255, /* of all pieces that step or run */
    NOWHERE = 127,          /* a square that no board of lanes has */
    RAN_BIT = 16,           /* in the memo of a lane: the last three moves that ran away */
    RAN_BITS = 7 << RAN_BIT,
    SIDE_BIT = 20 /* in the memo: whose half it is */
};

/* Fills the table. NULL, or why these rules do not fit lanes: then it must not be used. */
const char *lanes_table_build(struct lanes_table *table, const struct rules *rules);

/* Are these squares neighbours? Either may be NOWHERE. */
static inline bool lanes_beside(const struct lanes_table *table, square a, square b) {
    return table->beside[a][b >> 6] >> (b & 63) & 1;
}

#endif
