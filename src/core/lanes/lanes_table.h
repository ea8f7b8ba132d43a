/* lanes_table.h - a variant's tables for lanes.h: the place of each square in four copies of the
 * board, and how each kind moves there.
 *
 * A board fits if its lines, each with a wall bit, take at most two words of 64 bits a direction:
 * up to 10 x 10, 14 x 8, but not 16 x 8. */
#ifndef ENSIGN_CORE_LANES_LANES_TABLE_H
#define ENSIGN_CORE_LANES_LANES_TABLE_H

#include "core/play/position.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

enum { LINE_WORDS = 8, DUTIES_MAX = 4 };

/* A set of squares in four copies of the board, two words each; the direction of the next bit
 * differs by copy. */
struct lane_lines {
    _Alignas(64) uint64_t word[LINE_WORDS];
};

/* A side's pieces, and its subsets: steppers, runners, the rest. */
enum { LANE_ALL, LANE_STEPPERS, LANE_RUNNERS, LANE_OTHERS, LANE_SETS };

/* The squares on which the moves of an acting piece depend, by side and its square. Kinds may share
 * one. */
struct duty {
    squareset scope[2][BOARD_SQUARES_MAX]; /* an enemy here is needed for any use of an ability */
    squareset walk[2][BOARD_SQUARES_MAX];  /* its own square, and its reach if that is counted here
                                              or followed by an ability */
};

/* Read-only once built; shared by any number of lanes. */
struct lanes_table {
    struct lane_lines place[BOARD_SQUARES_MAX]; /* a square in each copy */
    struct lane_lines solid;                    /* walls and lakes */
    squareset only[BOARD_SQUARES_MAX];          /* the set of one square */
    squareset sight[2][KINDS_MAX];         /* where acting pieces of a kind are tracked, by side */
    squareset gate[2];                     /* where acting pieces may become tracked */
    squareset uses[2][KINDS_MAX];          /* where a kind may have a use of an ability */
    squareset scoped[2];                   /* the union over all kinds */
    struct duty duty[DUTIES_MAX];          /* of acting kinds */
    squareset once[BOARD_SQUARES_MAX];     /* a square and one step around it */
    squareset twice[BOARD_SQUARES_MAX];    /* a square and two steps */
    uint64_t diamond[BOARD_SQUARES_MAX];   /* two steps, in one word: lane_special.c */
    uint64_t beside_centre;                /* one step, likewise */
    uint8_t duty_of[KINDS_MAX];            /* of acting kinds */
    uint8_t guess[KINDS_MAX];              /* the ability of kinds that guess, or ABILITY_NONE */
    uint8_t guesses[KINDS_MAX];            /* number of kinds it may name, by the guesser's kind */
    uint64_t beside[BOARD_SQUARES_MAX][2]; /* neighbours, in two halves */
    uint8_t square_at[LINE_WORDS * 64];    /* of each bit of each word */
    uint8_t set_of[2 * BOARD_SQUARES_MAX]; /* by cell: the subset that holds the piece */
    const struct rules *rules;
    kindset kinds[LANE_SETS]; /* kinds in each subset; none for LANE_ALL */
    kindset acting;           /* kinds with abilities or odd movement */
    kindset odd;              /* kinds that neither step nor run */
    kindset open;             /* acting kinds tracked everywhere */
    kindset turners;          /* odd kinds that make up to two steps, round corners too */
    uint32_t chase_bits;      /* see lanes.c */
};

enum {
    DESTINATIONS_MAX = 255, /* of all pieces that step or run */
    NOWHERE = 127,          /* beyond every board that fits */
    RAN_BIT = 16,           /* in a lane's memo: lowest of the three bits for moves that ran away */
    RAN_BITS = 7 << RAN_BIT,
    SIDE_BIT = 20 /* in the memo: the side of the half */
};

/* Fills the table. Returns NULL, or the reason why these rules do not fit lanes; the table must not
 * be used then. */
const char *lanes_table_build(struct lanes_table *table, const struct rules *rules);

/* Are these squares neighbours? Either may be NOWHERE. */
static inline bool lanes_beside(const struct lanes_table *table, square a, square b) {
    return table->beside[a][b >> 6] >> (b & 63) & 1;
}

#endif
