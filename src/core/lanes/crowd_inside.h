/* crowd_inside.h - internals of a crowd, for the crowd files only.
 *
 * A slice holds one bit of every game. A plane is one slice a square: the games in which a piece of
 * a side's set stands there. All games have the same side to move: red at even times of the crowd's
 * clock, blue at odd. A byte of every game takes eight slices; a transposition converts between
 * eight slices of bits and eight of bytes:
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

/* A lane's sets, and one more. LANE_OTHERS only absorbs branch-free writes: never read it. */
enum { PLANE_GUESSERS = LANE_SETS, PLANES };

typedef uint64_t slice __attribute__((vector_size(32), aligned(32), may_alias));
typedef uint8_t bytes __attribute__((vector_size(32), aligned(32), may_alias));

enum {
    SLICE_WORDS = 4,
    EIGHTHS = 8,   /* of the seats: 32 to each */
    COPIES = 4,    /* directions of lines, as in lanes.c */
    LINE_BITS = 4, /* of the number of destinations on a line */
    COPY_BITS = 7, /* of the number on a copy */
    COUNT_BITS = 8,
    PLANE = BOARD_SQUARES_MAX +
            6, /* not a power of two: squares of several planes would share a cache set */
    COUNT_MAX = (1 << COUNT_BITS) - 1,
    REACH_MAX = (1 << LINE_BITS) - 1, /* squares in a guesser's reach */
    TURNS = 12,                       /* destinations of a turner */
    TURNERS_MAX = COUNT_MAX / TURNS,  /* turners of a side */
    MARGIN = 2,                       /* lines beyond the board within a turner's reach */
    NOBODY_CODE = 255,                /* the code of no square */
    NO_PLACE = UINT16_MAX,
    RUN_MAX = 127
};

/* A square from which a guesser can guess: its byte offset in a plane, those of the next squares
 * up, right, down and left, and those of the squares in reach, in groups of four, ended by
 * NO_PLACE. NOWHERE's offset stands for no square. */
struct stand {
    uint16_t at, way[4], reach[REACH_MAX + 2];
};

/* A set of squares as a list, for frequent loops. */
struct spots {
    uint8_t count;
    square at[BOARD_SQUARES_MAX];
};

/* A byte for every seat. */
struct each {
    slice eighth[EIGHTHS];
};

/* A ply of every game, for the repetition rules: squares by their codes. */
struct crowd_row {
    struct each from, to, placed;
    slice attack;
};

/* A turner (a piece that turns corners) in this ply: its rank and file, and its free ways. */
struct turner {
    slice rank[BOARD_LINES_MAX + 2 * MARGIN], file[BOARD_LINES_MAX + 2 * MARGIN];
    slice way[TURNS];
};

struct crowd {
    /* State of the games, by side. */
    slice plane[2][PLANES][PLANE]; /* lakes are in LANE_ALL of both */
    slice busy;                    /* seats that are taken */
    struct each last[2];           /* the last move's destination, a code */
    struct each came[2];           /* and its source */
    struct each run[2]; /* length of the run to and fro ending with that move, RUN_MAX at most; may
                           be too high at first */
    struct each ran[2]; /* whether the last three moves ran away, the latest in bit 0: lanes.c */
    struct each turner_at[2][TURNERS_MAX]; /* codes of the turners' squares, in any order;
                                              NOBODY_CODE for fallen ones */
    slice able[2];                         /* an ability other than guessing is available */
    slice random[4][EIGHTHS][8];           /* streams: see seat_number() */
    _Alignas(64) cell at[SEATS][BOARD_SQUARES_MAX]; /* square NOWHERE is always empty */
    uint32_t stop[SEATS];                           /* lane.stop; of free seats UINT32_MAX */
    struct lane lane[SEATS]; /* counts and limits are current; cells, ply, memo and side to move
                                only after crowd_lane_now(), sets of pieces after
                                crowd_lane_with_pieces(); lines and `random` never */
    struct lane shared; /* used by crowd_lane_with_pieces() if all abilities are guesses, since only
                           pieces matter then; else its rules are NULL */
    struct lane_ply last_ply[SEATS]; /* the lanes' `plies` */

    /* The ply being played. */
    slice empty[PLANE], enterable[PLANE];              /* by the side to move */
    slice arrive[COPIES][PLANE];                       /* destinations, in the order of the lines */
    slice on_line[COPIES][BOARD_LINES_MAX][LINE_BITS]; /* number of destinations */
    slice on_copy[COPIES][COPY_BITS];
    slice from_file[BOARD_LINES_MAX], from_rank[BOARD_LINES_MAX]; /* ends of the move */
    slice to_file[BOARD_LINES_MAX], to_rank[BOARD_LINES_MAX];
    struct turner turner[TURNERS_MAX];       /* of the side to move */
    slice way_count[TURNERS_MAX][LINE_BITS]; /* of each of them */
    slice stuck;                             /* no move */
    slice attack;                            /* the move goes to a taken square */
    slice turned;                            /* a turner's move, chosen on slices */
    slice acts;                              /* another special move, in `drawn` */
    slice idle;                              /* of those: changes nothing but perhaps a step */
    slice users;                             /* an ability other than guessing has a use */
    struct each count;                       /* destinations */
    struct each from, to, placed;            /* the move, in codes; `placed` as in a crowd_row */
    struct move drawn[SEATS];
    slice special[EIGHTHS][8]; /* number of special moves */
    slice whole[EIGHTHS][8];   /* the index drawn */
    slice low[EIGHTHS]
             [8]; /* draw times number of moves; its lower half tells whether to draw again */

    /* The rules. */
    const struct lanes_table *table;
    uint8_t square_of[256]; /* by code (rank in the upper half, file in the lower); else NOWHERE */
    uint8_t code_of[BOARD_SQUARES_MAX]; /* NOBODY_CODE of NOWHERE */
    bytes first_of;                     /* first square by rank; twice */
    uint8_t run_limit;                  /* of the two-squares rule */
    kindset guessing;                   /* kinds in PLANE_GUESSERS */
    slice acting[2]; /* for kinds below 16 and others: bit 7 odd movement, bit 6 other acting kinds;
                        twice */
    squareset sight[2]; /* where acting pieces that step or run are tracked, by side */
    uint8_t turners;    /* number of turners in an army */

    /* Guesses. */
    uint8_t guesses;                          /* kinds a guesser may name; 0: no guessers */
    uint8_t guesser;                          /* the guessing ability, or ABILITY_NONE */
    bool far;                                 /* more than four squares can be in its reach */
    struct stand stand[2][BOARD_SQUARES_MAX]; /* by side; the list ends with reach[0] == NO_PLACE */

    /* Other uses of abilities. */
    struct spots uses[2][LANE_SETS]; /* squares where one may be used, by side and set; immobile
                                        pieces use LANE_ALL */
    struct spots turner_uses[2];     /* the same for turners */
    kindset brings_back;             /* if not empty, one of these kinds must have fallen first */

    /* Time. */
    uint32_t cap;
    uint32_t clock;        /* plies */
    uint32_t next_stop;    /* time of the first game's limit, or earlier */
    uint32_t rows;         /* a power of two */
    struct crowd_row *row; /* that of time t is row[t % rows] */
};

#define NO_GAME ((slice){0})

/* The place of a seat's bit in a slice, and of its number in [EIGHTHS][8] slices of 64-bit
 * numbers. */
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

/* crowd_rules.c: fills in the rules and the lakes of an empty crowd whose table is set. */
void crowd_read_rules(struct crowd *crowd);

/* crowd_special.c: special moves. */

/* Counts them into `special` and clears `stuck` where there are any. */
void crowd_count_special(struct crowd *crowd);

/* A lane that special_move() can read for this seat. */
struct lane *crowd_lane_with_pieces(struct crowd *crowd, int seat);

/* crowd_turns.c: turners, in all games. */

/* Finds their ways and adds their number to a sum. */
void crowd_count_turns(struct crowd *crowd, slice sum[COUNT_BITS]);

/* In `turned` games, finds the ends of the way with this index, a byte of each game. */
void crowd_choose_turns(struct crowd *crowd, slice index[COUNT_BITS]);

/* Updates the list for the moves of these games. */
void crowd_move_turners(struct crowd *crowd, const slice *which);

/* crowd.c: rare cases, one game at a time. */

/* Brings the cells, the ply, the memo and the side to move of a seat's lane up to date. */
struct lane *crowd_lane_now(struct crowd *crowd, int seat);

/* Draws again in games with a biased draw. */
void crowd_draw_again(struct crowd *crowd);

/* Chooses a special move and writes `from`, `to`, `attack` and `idle`. False if the move is left to
 * crowd_play_slowly(). */
bool crowd_choose_special(struct crowd *crowd, int seat);

/* Does a repetition rule forbid the move in `from` and `to`? */
bool crowd_is_forbidden(struct crowd *crowd, int seat);

/* Plays a special move to an empty square, or an idle use. */
void crowd_play_special(struct crowd *crowd, int seat);

/* Plays the attack in `from` and `to`. False when the game is over. */
bool crowd_fight(struct crowd *crowd, int seat);

/* Plays the drawn move, or a legal one if it is forbidden; writes `from`, `to`, `placed` and
 * `attack`. False when the game is over. */
bool crowd_play_slowly(struct crowd *crowd, int seat);

/* Ends games that have reached a limit and adds them to `over`. */
void crowd_stop_games(struct crowd *crowd, uint8_t over[SEATS], int *count);

static inline void crowd_vacate(struct crowd *crowd, int seat) {
    slice_set(&crowd->busy, seat, false);
    crowd->stop[seat] = UINT32_MAX;
}

/* Frees the seat of a finished game and adds it to `over`. */
static inline void crowd_note_over(struct crowd *crowd, int seat, uint8_t over[SEATS], int *count) {
    crowd_vacate(crowd, seat);
    over[(*count)++] = (uint8_t)seat;
}

#endif
