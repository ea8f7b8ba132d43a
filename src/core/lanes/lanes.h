/* lanes.h - one game laid out as lines of bits, so that random moves are drawn without listing any.
 *
 * This folder is the only place that knows the bit tricks of playouts; lanes.c and crowd_ply.c
 * explain them. Others see a struct lane as an opaque game that is started from a struct game and
 * then plays random legal moves, uniformly drawn, until it is over. What can be counted and chosen
 * one by one is for tests. */
#ifndef ENSIGN_CORE_LANES_LANES_H
#define ENSIGN_CORE_LANES_LANES_H

#include "core/play/legal.h"
#include "lanes_table.h"

enum { LANES_TOGETHER = 4, LANE_PAST_MAX = 1024 };

/* One ply as the repetition rules remember it. */
struct lane_ply {
    square from, to;
    square placed; /* where an ability put a piece, else SQUARE_NONE */
    bool attack;
};

struct lane {
    struct lane_lines set[2][LANE_SETS]; /* by side; LANE_OTHERS is written only */
    uint64_t memo;                       /* see lanes.c */
    uint32_t ply;                        /* index of the next ply in `plies` */
    uint32_t stop;                       /* the lesser of the next two */
    uint32_t quiet_stop;                 /* where the no-attack limit stands if nobody attacks */
    uint32_t end;                        /* where the ply limit stands */
    uint32_t started;                    /* index of the first ply of its own */
    uint16_t attacks[KINDS_MAX];         /* made since it started, by the attacker's kind */
    uint8_t mobile[2];                   /* pieces that can move */
    bool may_use[2];                     /* an ability is not used up */
    squareset acting[2];       /* pieces with moves that are no destinations: lane_special.h */
    squareset watch[2][2];     /* by who moves and whose moves of that sort it may change */
    squareset gate[2];         /* by who moves: squares that acting pieces may enter unseen */
    squareset alert[2];        /* by who moves: all that, its acting pieces and their gate */
    uint32_t special[2];       /* how many those are, or SPECIAL_UNKNOWN */
    struct random random;      /* for draws */
    struct random again;       /* for those that had to be repeated */
    struct lane_ply *plies;    /* the caller's; of a lane in a crowd its last one only */
    uint32_t known;            /* index of the first ply that is known */
    uint32_t mask;             /* ply i is plies[i & mask] */
    const struct crowd *crowd; /* where it sits, and has its history; or NULL */
    squareset changed;         /* squares that slow plies have changed; for the crowd */
    struct game game; /* rules, at and count are kept up to date, and if some kind acts also
                         to_move, pieces and what abilities count; nothing else */
};

/* How many plies of the past a lane needs to follow `game`, LANE_PAST_MAX at most: a chase that is
 * longer still is taken to have begun then. */
uint32_t lane_past(const struct game *game);

/* Sets a lane to a running game. It is drawn by the ply limit after `cap` more plies. `plies` must
 * hold lane_past() + cap of them. */
void lane_start(const struct lanes_table *table, struct lane *lane, const struct game *game,
                uint32_t cap, struct random random, struct lane_ply *plies);

/* Plays random moves until the game is over: lane->game.result and reason, lane->ply -
 * lane->started plies. */
void lane_run(const struct lanes_table *table, struct lane *lane);

/* Plays LANES_TOGETHER running lanes in turns until one or more are over; returns their set, lane i
 * being bit i. Faster than one after the other, because while one waits the processor works at
 * another. Each plays the same moves as it would alone. */
unsigned lanes_run(const struct lanes_table *table, struct lane *const lanes[LANES_TOGETHER]);

/* The instruction set in use, for people to read. */
const char *lanes_instructions(void);

/* The same in single steps: how many moves there are whatever the repetition rules say, the move
 * with an index below that, and playing one. */
uint32_t lane_count(const struct lanes_table *table, struct lane *lane);
struct move lane_move(const struct lanes_table *table, const struct lane *lane, uint32_t index);
void lane_play(const struct lanes_table *table, struct lane *lane, struct move move);

static inline enum side lane_to_move(const struct lane *lane) {
    return (enum side)(lane->memo >> SIDE_BIT & 1);
}

#endif
