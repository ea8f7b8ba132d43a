/* board.h - squares, sets of squares, the two sides, and the shape of a board.
 *
 * Squares are numbered rank by rank from red's corner: a1 = 0, b1 = 1, …; a board has up to 16
 * files and 16 ranks and at most 128 squares, so that a set of squares is one 128-bit word. Nothing
 * stands on a lake or crosses it. */
#ifndef ENSIGN_CORE_BOARD_BOARD_H
#define ENSIGN_CORE_BOARD_BOARD_H

#include "base/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_LINES_MAX = 16, BOARD_SQUARES_MAX = 128 };

typedef uint8_t square;
enum { SQUARE_NONE = 255, SQUARE_TEXT_MAX = 4 };

__extension__ typedef unsigned __int128 squareset;

enum side { RED, BLUE };

static inline enum side side_other(enum side side) {
    return side == RED ? BLUE : RED;
}

const char *side_name(enum side side); /* "red", "blue" */

/* Number of the lowest bit; `word` must not be 0. */
static inline unsigned lowest_bit(uint64_t word) {
#if defined(__clang__) && defined(__x86_64__)
    /* The `bsf` that clang chooses is slow on some processors. With this prefix, processors with
     * `tzcnt` execute that; others ignore the prefix. */
    uint64_t number;
    __asm__("rep bsf %1, %0" : "=r"(number) : "r"(word) : "cc");
    return (unsigned)number;
#else
    return (unsigned)__builtin_ctzll(word);
#endif
}

/* Squares 0 to 63, or 64 to 127. */
static inline uint64_t squareset_half(squareset set, int half) {
    return (uint64_t)(half ? set >> 64 : set);
}

/* These pick the half first: compilers are slow at shifting 128 bits by a variable. */
static inline squareset squareset_of(square at) {
    uint64_t bit = (uint64_t)1 << (at & 63);
    return at & 64 ? (squareset)bit << 64 : bit;
}

static inline bool squareset_has(squareset set, square at) {
    return squareset_half(set, at & 64) >> (at & 63) & 1;
}

static inline int squareset_count(squareset set) {
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

/* Removes and returns the lowest square; `set` must not be empty. */
static inline square squareset_pop(squareset *set) {
    uint64_t low = (uint64_t)*set;
    square at = (square)(low ? lowest_bit(low) : 64 + lowest_bit((uint64_t)(*set >> 64)));
    *set &= *set - 1;
    return at;
}

enum { GROUNDS_MAX = 16 };

/* Named squares, which a variant gives a meaning. */
struct ground {
    char name[WORD_MAX];
    bool sided;           /* it belongs to sides */
    squareset squares[2]; /* of each side; the same set if it belongs to none */
};

struct board {
    uint8_t files, ranks;   /* 1..16 each, files * ranks <= 128 */
    uint8_t squares;        /* files * ranks, lakes included */
    uint8_t zone_ranks[2];  /* back ranks of each side that its set-up may use, at least 1 */
    squareset zone_only[2]; /* unless empty: those of their squares that belong to the zone */
    squareset lakes;
    squareset shelter; /* squares on which no piece can be attacked */
    squareset stays;   /* squares that no piece leaves by a move */
    uint8_t grounds;
    struct ground ground[GROUNDS_MAX];
    squareset linked[BOARD_SQUARES_MAX]; /* squares joined with one though not next to it */
    squareset walled[BOARD_SQUARES_MAX]; /* squares next to one and parted from it */

    /* Derived by board_derive(). */
    bool plain;                              /* no links, walls or shelter */
    squareset land;                          /* every square except lakes */
    squareset zone[2];                       /* set-up zone of each side, without lakes */
    squareset first_file, last_file;         /* land of the outer files */
    squareset neighbours[BOARD_SQUARES_MAX]; /* joined with it and land: orthogonal neighbours
                                                without a wall between, and links */
    square around[BOARD_SQUARES_MAX][4];     /* without links, in ascending order, padded with
                                                the square itself */
};

/* Derives the lower fields from the others. False when one of those is out of range, the zones
 * meet, a link or wall is no link or wall in both directions, or a ground lies on a lake. */
bool board_derive(struct board *board);

static inline int board_file(const struct board *board, square at) {
    return at % board->files;
}

static inline int board_rank(const struct board *board, square at) {
    return at / board->files;
}

/* The square (or lake) at file and rank, both counted from 0; SQUARE_NONE off the board. */
square board_square(const struct board *board, int file, int rank);

/* Writes a square's name, "a1"; returns its length. */
size_t square_write(const struct board *board, square at, char out[SQUARE_TEXT_MAX]);

/* The name, written to `out`; "…" for SQUARE_NONE. */
const char *square_text(const struct board *board, square at, char out[SQUARE_TEXT_MAX]);

/* Reads a square's name, in either case, at the start of `text`. Returns the bytes used, 0 if there
 * is none. A square off the board reads as SQUARE_NONE. */
size_t square_read(const struct board *board, const char *text, size_t length, square *at);

/* The squares one rank above those of `set`, and one below; bits off the board may be set. Half by
 * half: see squareset_of(). */
static inline squareset board_up(const struct board *board, squareset set) {
    uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);
    return (squareset)(high << board->files | low >> (64 - board->files)) << 64 |
           low << board->files;
}

static inline squareset board_down(const struct board *board, squareset set) {
    uint64_t low = (uint64_t)set, high = (uint64_t)(set >> 64);
    return (squareset)(high >> board->files) << 64 |
           (low >> board->files | high << (64 - board->files));
}

/* Every square next to one of `set`, which is land, by its place alone: links and walls are not
 * minded. The result may contain lakes. */
static inline squareset board_beside(const struct board *board, squareset set) {
    return board_up(board, set) | board_down(board, set) | (set & ~board->first_file) >> 1 |
           (set & ~board->last_file) << 1;
}

/* Every square joined with one of `set`, which is land: as board_beside(), but minds links and
 * walls and contains no lakes. */
static inline squareset board_joined(const struct board *board, squareset set) {
    if (board->plain) return board_beside(board, set) & board->land;
    squareset joined = 0;
    while (set) joined |= board->neighbours[squareset_pop(&set)];
    return joined;
}

/* All squares of a ground. */
static inline squareset ground_squares(const struct ground *ground) {
    return ground->squares[RED] | ground->squares[BLUE];
}

/* The number of the ground of that name; `grounds` if there is none. */
int board_ground(const struct board *board, const char *name);

/* The sign by which boards without colours show a ground, by its number. */
char ground_sign(int number);

/* The number of the ground whose sign a square shows, of several the one with the fewest squares;
 * -1 if it is of none. */
int board_shown_ground(const struct board *board, square at);

enum { STEPS_NONE = 255 };

/* The steps to each square from the nearest of `from` across `land`; STEPS_NONE without a way. */
void board_steps(const struct board *board, squareset land, squareset from,
                 uint8_t steps[BOARD_SQUARES_MAX]);

/* The back ranks of a side, counted by its own eyes; 0 to `ranks`. */
squareset board_back(const struct board *board, enum side side, int ranks);

/* The same square as the other side sees it, with the board turned round. */
static inline square board_turn(const struct board *board, square at) {
    return (square)(board->squares - 1 - at);
}

/* A square of the board as its owner counts it, red's as it is and blue's turned; its own inverse.
 */
static inline square board_own(const struct board *board, enum side side, square at) {
    return side == RED ? at : board_turn(board, at);
}

/* The same of a set. */
squareset board_own_set(const struct board *board, enum side side, squareset set);

#endif
