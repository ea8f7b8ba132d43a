/* lanes.h - one game as lines of bits, for drawing random moves without listing them.
 *
 * The bit tricks of playouts stay in this folder; lanes.c and crowd_ply.c explain them. To the rest
 * of the program a struct lane is an opaque game: started from a struct game, it plays uniformly
 * random legal moves until it is over. The single-step functions are for tests. */
#ifndef ENSIGN_CORE_LANES_LANES_H
#define ENSIGN_CORE_LANES_LANES_H

#include "core/play/legal.h"
#include "lanes_table.h"

enum { LANES_TOGETHER = 4, LANE_PAST_MAX = 1024 };

/* One ply as the repetition rules remember it. */
struct lane_ply {
    square from, to;
    square placed; /* target of an ability that placed a piece, else SQUARE_NONE */
    bool attack;
};

struct lane {
    struct lane_lines set[2][LANE_SETS]; /* by side; LANE_OTHERS is written only */
    uint64_t memo;                       /* see lanes.c */
    uint32_t ply;                        /* index of the next ply in `plies` */
    uint32_t stop;                       /* the lesser of quiet_stop and end */
    uint32_t quiet_stop;                 /* ply of the no-attack limit unless there is an attack */
    uint32_t end;                        /* ply of the ply limit */
    uint32_t started;                    /* index of the lane's first own ply */
    uint16_t attacks[KINDS_MAX];         /* since it started, by the attacker's kind */
    uint8_t mobile[2];                   /* pieces of mobile kinds */
    bool may_use[2];                     /* some ability is not used up */
    squareset acting[2];                 /* tracked acting pieces: lane_special.h */
    squareset watch[2][2]; /* squares: a move of [side] there may change special[side] */
    squareset gate[2];     /* squares where an untracked acting piece of the side becomes tracked */
    squareset alert[2];    /* union of watch[side][*], acting[side] and gate[side] */
    uint32_t special[2];   /* number of special moves, or SPECIAL_UNKNOWN */
    struct random random;  /* for draws */
    struct random again;   /* for redraws */
    struct lane_ply *plies;    /* the caller's; in a crowd the last ply only */
    uint32_t known;            /* index of the first known ply */
    uint32_t mask;             /* ply i is plies[i & mask] */
    const struct crowd *crowd; /* the crowd that holds its history, or NULL */
    squareset changed;         /* by slow plies, for the crowd */
    struct game game; /* kept up to date: rules, at, count; with acting kinds also to_move, pieces
                         and the counters of abilities */
};

/* Number of past plies that a lane of `game` needs, LANE_PAST_MAX at most: a longer chase counts as
 * begun there. */
uint32_t lane_past(const struct game *game);

/* Starts a lane from a running game, drawn by the ply limit after `cap` more plies. `plies` must
 * hold lane_past() + cap plies. */
void lane_start(const struct lanes_table *table, struct lane *lane, const struct game *game,
                uint32_t cap, struct random random, struct lane_ply *plies);

/* Plays random moves until the game is over: lane->game.result and reason, lane->ply -
 * lane->started plies. */
void lane_run(const struct lanes_table *table, struct lane *lane);

/* Plays LANES_TOGETHER running lanes in turns until one or more are over; returns the set of those,
 * bit i for lane i. Faster than one after the other, since the lanes' waits overlap. Each plays the
 * same moves as it would alone. */
unsigned lanes_run(const struct lanes_table *table, struct lane *const lanes[LANES_TOGETHER]);

/* The instruction set in use, for people to read. */
const char *lanes_instructions(void);

/* Single steps: the number of moves before the repetition rules, the move with a given index, and
 * playing a move. */
uint32_t lane_count(const struct lanes_table *table, struct lane *lane);
struct move lane_move(const struct lanes_table *table, const struct lane *lane, uint32_t index);
void lane_play(const struct lanes_table *table, struct lane *lane, struct move move);

static inline enum side lane_to_move(const struct lane *lane) {
    return (enum side)(lane->memo >> SIDE_BIT & 1);
}

#endif
