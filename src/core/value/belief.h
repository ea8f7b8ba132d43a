/* belief.h - how likely each kind is for the pieces of the enemy.
 *
 * Counts say what is left; habits say what a start, a move, an approach, a stay or what began
 * beside it tells of a piece. Habits are learned: for each sign and kind, how many times as often a
 * piece of the kind shows the sign as any piece does. The chances of a piece sum to one, and those
 * of a kind to the number that is hidden, nearly: rows and columns are scaled in turn. */
#ifndef ENSIGN_CORE_VALUE_BELIEF_H
#define ENSIGN_CORE_VALUE_BELIEF_H

#include "core/know/view.h"

/* A sign is a number. A piece shows one of each sort. */
enum sign {
    SIGN_START = 0, /* row of its start (0: the front) and place in it: the
                       outer two files, the next two, the middle */
    SIGN_START_PLACES = 3,
    SIGN_START_ROWS = BOARD_LINES_MAX / 2, /* those behind count as the last */
    SIGN_START_COUNT = SIGN_START_ROWS * SIGN_START_PLACES,
    SIGN_MOVES = SIGN_START + SIGN_START_COUNT, /* how far the game is, how often it has moved */
    SIGN_MOVES_TIMES = 5,                       /* never, once, 2-3, 4-7, 8 times or more */
    SIGN_MOVES_COUNT = 4 * SIGN_MOVES_TIMES,    /* from plies 0, 24, 72, 180 */
    SIGN_DARED = SIGN_MOVES + SIGN_MOVES_COUNT, /* kind that it has dared, or none */
    SIGN_FLED = SIGN_DARED + KINDS_MAX,         /* kind that it has fled, or none */
    SIGN_STOOD = SIGN_FLED + KINDS_MAX, /* turns beside a known piece: 0, 1, 2-3, 4 or more */
    SIGN_STOOD_COUNT = 4,
    SIGN_ALOOF = SIGN_STOOD + SIGN_STOOD_COUNT, /* it has moved, or sight is limited: what began
                                                   beside it tells nothing */
    SIGN_BESIDE = SIGN_ALOOF + 1, /* of those that began beside it, how many are known and cannot
                                     move: 0, 1, 2 or more; and how many have moved or are known and
                                     can: 0, 1, 2, 3 or more */
    SIGN_BESIDE_MOBILE = 4,
    SIGN_BESIDE_COUNT = 3 * SIGN_BESIDE_MOBILE,
    SIGNS = SIGN_BESIDE + SIGN_BESIDE_COUNT,
    SIGN_SORTS = 6
};

enum { HABIT_UNIT = 256, CHANCE_ONE = 1 << 14 };

struct habits {
    uint16_t ratio[SIGNS][KINDS_MAX]; /* in HABIT_UNIT; HABIT_UNIT tells nothing, 0 is taken as the
                                         least there is, 1 */
};

/* Tells nothing: counts alone. */
void habits_even(struct habits *habits);

/* What a piece of that side shows by its start, a square of the board. */
int sign_of_start(const struct board *board, enum side side, square start);

/* The rows that a side's starts show. */
static inline int sign_start_rows(const struct board *board, enum side side) {
    return board->zone_ranks[side] < SIGN_START_ROWS ? board->zone_ranks[side] : SIGN_START_ROWS;
}

/* Where enemies of the view's side began, standing or fallen: those of known kinds that cannot
 * move, and those that have moved or are of known kinds that can. */
struct origins {
    squareset immobile, mobile;
};
void origins_read(const struct view *view, struct origins *origins);

/* The signs that an enemy shows, one of each sort, to the view's side, which does not know its
 * kind. */
void signs_of(const struct view *view, const struct origins *origins,
              const struct view_piece *piece, uint8_t signs[SIGN_SORTS]);

enum { BELIEF_GROUPS_MAX = 2 * BOARD_SQUARES_MAX };

struct belief {
    int groups;
    uint8_t group_of[2 * BOARD_SQUARES_MAX]; /* by the view's number, of enemies on the board */
    bool known[BELIEF_GROUPS_MAX];           /* its pieces' kind is certain */
    int16_t chance[BELIEF_GROUPS_MAX][KINDS_MAX]; /* of each kind, in CHANCE_ONE */

    /* Private to belief.c. */
    kindset may_be[BELIEF_GROUPS_MAX];
    uint8_t signs[BELIEF_GROUPS_MAX][SIGN_SORTS];
    uint16_t size[BELIEF_GROUPS_MAX];
    float weight[BELIEF_GROUPS_MAX][KINDS_MAX];
};

/* Beliefs about all enemies of the view's side that may be on the board. */
void belief_make(struct belief *belief, const struct view *view, const struct habits *habits);

#endif
