/* crowd_inside.h - what a crowd is made of, for the files of that name alone.
 *
 * A slice holds one bit of every game. Slices of the squares (planes) say for each square in which
 * games a piece stands there, for some sets of either side. All games have the same side to move:
 * red at even times of the crowd's clock, blue at odd. What is one byte of every game is kept as
 * eight slices, and to turn eight slices of bits into such bytes or back is one transposition:
 *
 *     slice k          bits of games          0  1  2 … 7 | 8 …        bit k of their bytes
 *     after it, k      bytes of games         k           | 8 + k …    one byte each
 *
 * so that bit 8 b + k of a slice belongs to the same game as byte b of the k-th slice of bytes.
 * Seats are numbered in the order of the bytes, 32 k + b. */
#ifndef ENSIGN_CORE_LANES_CROWD_INSIDE_H
#define ENSIGN_CORE_LANES_CROWD_INSIDE_H

#include "crowd.h"
#include "lane_inside.h"

/* A lane's sets, and one more. LANE_OTHERS takes what is written without a branch: nobody reads it,
 * and it is wrong. */
enum { PLANE_GUESSERS = LANE_SETS, PLANES };

typedef uint64_t slice __attribute__((vector_size(32), aligned(32), may_alias));
typedef uint8_t bytes __attribute__((vector_size(32), aligned(32), may_alias));

enum {
    SLICE_WORDS = 4,
    EIGHTHS = 8,   /* of the seats: 32 to each */
    COPIES = 4,    /* directions of lines, as in lanes.c */
    LINE_BITS = 4, /* of the number of destinations on a line */
    COPY_BITS = 7, /* likewise in a copy */
    COUNT_BITS = 8,
    PLANE = BOARD_SQUARES_MAX + 6, /* not a power of two: the squares of several planes would fall
                                      on one line of the cache */
    COUNT_MAX = (1 << COUNT_BITS) - 1,
    REACH_MAX = (1 << LINE_BITS) - 1, /* squares in a guesser's reach */
    TURNS = 12,                       /* ways of a piece that turns corners */
    TURNERS_MAX = COUNT_MAX / TURNS,  /* such pieces of a side */
    MARGIN = 2,                       /* lines beyond the board that they might go to */
    NOBODY_CODE = 255,                /* no square's code */
    NO_PLACE = UINT16_MAX,
    RUN_MAX = 127
};

/* A square from which a guesser reaches others: its place in a plane, in bytes, those of the next
 * squares up, right, down and left, and those of the squares in reach, four by four; then NO_PLACE.
 * The place of NOWHERE stands for none. */
struct stand {
    uint16_t at, way[4], reach[REACH_MAX + 2];
};

/* A set of squares, to be gone through often. */
struct spots {
    uint8_t count;
    square at[BOARD_SQUARES_MAX];
};

/* Of every seat, a byte each. */
struct each {
    slice eighth[EIGHTHS];
};

/* A ply of every game, for the repetition rules: squares by their codes. */
struct crowd_row {
    struct each from, to, placed;
    slice attack;
};

/* What is found out about a piece that turns corners: on which rank and file it stands, and which
 * of its ways are free. */
struct turner {
    slice rank[BOARD_LINES_MAX + 2 * MARGIN], file[BOARD_LINES_MAX + 2 * MARGIN];
    slice way[TURNS];
};

struct crowd {
    /* The games, by side. */
    slice plane[2][PLANES][PLANE]; /* lakes are in LANE_ALL of both */
    slice busy;                    /* seats that are taken */
    struct each last[2];           /* where the last move went, a code */
    struct each came[2];           /* and where it came from */
    struct each run[2]; /* how many moves a piece has made to and fro up to that one, RUN_MAX at
                           most, perhaps too many at first */
    struct each ran[2]; /* whether the last three moves ran away, the latest in bit 0: lanes.c */
    struct each turner_at[2][TURNERS_MAX]; /* codes of the squares of those that turn corners, in
                                           any order; NOBODY_CODE of those that have fallen */
    slice able[2]; /* may have a use of an ability that is no guess, if a piece stands for it */
    slice random[4][EIGHTHS][8];                    /* streams: see seat_number() */
    _Alignas(64) cell at[SEATS][BOARD_SQUARES_MAX]; /* square NOWHERE is always empty */
    uint32_t stop[SEATS];                           /* lane.stop; of free seats UINT32_MAX */
    struct lane lane[SEATS]; /* counts and limits are kept; cells, ply, memo and side to move are
                                as crowd_lane_now() left them last, sets of pieces as
                                crowd_lane_with_pieces() did; lines and `random` are never right */
    struct lane shared;      /* in place of those for crowd_lane_with_pieces(), if all abilities are
                                guesses, for which only pieces matter; else without rules */
    struct lane_ply last_ply[SEATS]; /* where lanes write theirs */

    /* What is found out about the moves to be made. */
    slice empty[PLANE], enterable[PLANE];              /* by the side to move */
    slice arrive[COPIES][PLANE];                       /* destinations, in the order of the lines */
    slice on_line[COPIES][BOARD_LINES_MAX][LINE_BITS]; /* their numbers */
    slice on_copy[COPIES][COPY_BITS];
    slice from_file[BOARD_LINES_MAX], from_rank[BOARD_LINES_MAX]; /* the move's ends */
    slice to_file[BOARD_LINES_MAX], to_rank[BOARD_LINES_MAX];
    struct turner turner[TURNERS_MAX];       /* of the side to move */
    slice way_count[TURNERS_MAX][LINE_BITS]; /* of each of them */
    slice stuck;                             /* there is no move */
    slice attack;                            /* the move goes to a taken square */
    slice turned;      /* it is of a piece that turns corners, and was chosen on slices */
    slice acts;        /* it is another move of an acting piece, and in `drawn` */
    slice idle;        /* of those: changes nothing, or no more than a step */
    slice users;       /* there are uses of abilities that are no guesses */
    struct each count; /* destinations */
    struct each from, to, placed; /* the move, in codes; `placed` as in a row */
    struct move drawn[SEATS];
    slice special[EIGHTHS][8]; /* moves of acting pieces */
    slice whole[EIGHTHS][8];   /* the index drawn */
    slice low[EIGHTHS][8];     /* what was drawn times how many there are: its lower half tells
                                  whether to draw again */

    /* The rules, as a crowd needs them. */
    const struct lanes_table *table;
    uint8_t
        square_of[256]; /* by code: its rank in the upper half, its file in the lower; NOWHERE */
    uint8_t code_of[BOARD_SQUARES_MAX]; /* NOBODY_CODE of NOWHERE */
    bytes first_of;                     /* by rank, twice: its first square */
    uint8_t run_limit;                  /* of the two-squares rule */
    kindset guessing;                   /* kinds that are in PLANE_GUESSERS too */
    slice acting[2];                    /* for kinds below 16 and the others: bit 7 those with ways
                                           of their own, bit 6 other acting ones; twice */
    squareset sight[2]; /* where acting pieces that step or run are kept in sight, by side */
    uint8_t turners;    /* how many pieces of a side's army turn corners */

    /* Guesses. */
    uint8_t guesses; /* how many kinds a guesser may name; 0: nobody guesses */
    uint8_t guesser; /* its ability, or ABILITY_NONE */
    bool far;        /* more than four squares can be in its reach */
    struct stand stand[2][BOARD_SQUARES_MAX]; /* by side; then one that reaches NO_PLACE */

    /* Other uses of abilities. */
    struct spots uses[2][LANE_SETS]; /* where there may be any, by side and set: a piece that never
                                        moves counts with all */
    struct spots turner_uses[2];     /* where one that turns corners may have any */
    kindset brings_back;             /* if not empty, a piece of these must have fallen first */

    /* Time. */
    uint32_t cap;
    uint32_t clock;        /* plies */
    uint32_t next_stop;    /* when the first game reaches a limit, or earlier */
    uint32_t rows;         /* a power of two */
    struct crowd_row *row; /* that of time t is row[t % rows] */
};

#define NO_GAME ((slice){0})

/* Where a seat's bit is in a slice, and its number in [EIGHTHS][8] slices of 64-bit numbers. */
static inline int seat_word(int seat) {
    return seat >> 3 & 3;
}

static inline int seat_bit(int seat) {
    return (seat & 7) * 8 + (seat >> 5);
}

static inline int seat_of(int word, int bit) {
    return (bit & 7) * 32 + word * 8 + (bit >> 3);
}

static inline uint64_t *slice_word(slice *slices, int seat) {
    return (uint64_t *)slices + seat_word(seat);
}

static inline bool slice_has(const slice *slices, int seat) {
    return (*slices)[seat_word(seat)] >> seat_bit(seat) & 1;
}

static inline void slice_set(slice *slices, int seat, bool value) {
    uint64_t *word = slice_word(slices, seat), bit = (uint64_t)1 << seat_bit(seat);
    *word = value ? *word | bit : *word & ~bit;
}

static inline uint8_t *each_byte(struct each *each, int seat) {
    return (uint8_t *)each + seat;
}

static inline uint8_t each_of(const struct each *each, int seat) {
    return ((const uint8_t *)each)[seat];
}

static inline uint64_t *seat_number(slice numbers[EIGHTHS][8], int seat) {
    return slice_word(&numbers[seat >> 5][seat & 7], seat);
}

/* crowd_rules.c: fills in the rules and lays out the lakes of an empty crowd that has its table. */
void crowd_read_rules(struct crowd *crowd);

/* crowd_special.c: moves of acting pieces. */

/* Counts them, into `special`; where there are any is not `stuck`. */
void crowd_count_special(struct crowd *crowd);

/* A lane of which all that special_move() reads is as on that seat. */
struct lane *crowd_lane_with_pieces(struct crowd *crowd, int seat);

/* crowd_turns.c: pieces that turn corners, in all games. */

/* Finds and counts their ways; adds to a sum. */
void crowd_count_turns(struct crowd *crowd, slice sum[COUNT_BITS]);

/* In games that are `turned`, finds the ends of the way with this index, a byte of each game. */
void crowd_choose_turns(struct crowd *crowd, slice index[COUNT_BITS]);

/* In these games, the list follows the move in `from` and `to`. */
void crowd_move_turners(struct crowd *crowd, const slice *which);

/* crowd.c: what is rare or concerns one game at a time. */

/* Brings the cells, the ply, the memo and the side to move of a seat's lane up to date. */
struct lane *crowd_lane_now(struct crowd *crowd, int seat);

/* Draws again where the first draw would favour some moves. */
void crowd_draw_again(struct crowd *crowd);

/* Chooses among the moves of acting pieces and writes `from`, `to`, `attack` and `idle`. False if
 * the move is left to crowd_play_slowly(). */
bool crowd_choose_special(struct crowd *crowd, int seat);

/* Does a repetition rule forbid the move in `from` and `to`? */
bool crowd_is_forbidden(struct crowd *crowd, int seat);

/* Plays the move in `from` and `to`, of an acting piece: to an empty square, or an idle use. */
void crowd_play_special(struct crowd *crowd, int seat);

/* Plays the attack in `from` and `to`. False when the game is over. */
bool crowd_fight(struct crowd *crowd, int seat);

/* Plays the move that was drawn, or another if that is forbidden; writes `from`, `to`, `placed` and
 * `attack`. False when the game is over. */
bool crowd_play_slowly(struct crowd *crowd, int seat);

/* Ends the games whose limits are reached; adds them to `over`. */
void crowd_stop_games(struct crowd *crowd, uint8_t over[SEATS], int *count);

static inline void crowd_vacate(struct crowd *crowd, int seat) {
    slice_set(&crowd->busy, seat, false);
    crowd->stop[seat] = UINT32_MAX;
}

/* The game on this seat is over: adds it to `over`. */
static inline void crowd_note_over(struct crowd *crowd, int seat, uint8_t over[SEATS], int *count) {
    crowd_vacate(crowd, seat);
    over[(*count)++] = (uint8_t)seat;
}

#endif
