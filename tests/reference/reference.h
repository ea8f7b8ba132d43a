/* reference.h - a second implementation of the rules: slow, plain, written from RULES.
 *
 * It judges the core. It keeps a two-dimensional board of pieces with ids and a copy of every
 * position of the game; no bit sets, no hashes, no counters where the history will do. From `struct
 * rules` it reads only the variant's data (board, army, reach and effects of abilities, limits).
 * Movement and battles of the stock variants, and of tests/data/lines.lua, are written out here;
 * for other variants it reads movements and outcomes too. It asks a variant's calls itself, with
 * its own state.
 *
 * Nothing of the core is linked: test_alone.c proves it. bench/compare.c measures against it. */
#ifndef ENSIGN_TESTS_REFERENCE_REFERENCE_H
#define ENSIGN_TESTS_REFERENCE_REFERENCE_H

#include "core/play/calls.h"
#include "core/play/legal.h"

struct place {
    int rank, file;
};

/* How a kind walks where that is written out here; for other variants only `mobile` is used. */
struct gait {
    bool mobile;
    bool steps;       /* one square */
    bool runs;        /* straight on, as far as the way is free */
    bool twice;       /* up to two steps, round a corner too */
    bool strikes;     /* a step, then an attack beside it in the same turn */
    bool returns;     /* after a won attack to where it came from */
    bool dry;         /* jungle: it does not enter the river */
    bool leaps;       /* jungle: over the river, to the first square behind it */
    squareset slides; /* straight on along these */
    squareset floods; /* any way along these */
};

/* A piece with an id for the whole game. */
struct token {
    uint16_t id; /* 0: no piece */
    uint8_t side;
    kind_id kind;
    bool returned; /* it was brought back */
    bool moved;
    uint8_t spent; /* uses of abilities with `each` */
    uint8_t held;  /* turns of its side in which it may not move */
    uint8_t stood; /* turns of its side that began while it stood on its square, up to 3 */
};

/* A whole position, and the turn that led to it. */
struct reference_state {
    struct token at[BOARD_LINES_MAX][BOARD_LINES_MAX]; /* by rank and file */
    enum side to_move;
    uint16_t last_id;
    uint32_t quiet;
    enum result result;
    enum reason reason;
    uint8_t fallen[2][KINDS_MAX]; /* pieces off the board */
    uint8_t spent[2][KINDS_MAX];  /* those that had been returned once */
    uint8_t uses[2][ABILITIES_MAX];
    int counter[2][COUNTERS_MAX];
    struct {
        bool any;
        square from, to;
        uint32_t chase;
    } isf[2]; /* RULES 5, word for word */
    struct move move;
    uint16_t mover;      /* id of the piece that made the turn */
    square stand;        /* where it was after its move, if it was still there */
    bool survived;       /* that piece is still there, unmoved by the variant's effects */
    bool other_survived; /* so is the piece that made the turn before */
    bool attacked;       /* it counts as an attack */
};

struct reference {
    const struct rules *rules;
    bool written;                          /* movement and battles are those written here */
    struct place place[BOARD_SQUARES_MAX]; /* rank and file of each square */
    struct gait gait[KINDS_MAX];
    enum outcome outcome[KINDS_MAX][KINDS_MAX];
    struct limits limits;
    uint32_t capacity;
    uint32_t plies;
    struct reference_state *states; /* capacity + 1; states[plies] is now */
    struct fault *fault;            /* the caller's, or NULL: set if a call of the variant failed */
};

/* Room for `capacity` plies; NULL without memory. */
struct reference *reference_new(const struct rules *rules, bool written, uint32_t capacity);
void reference_free(struct reference *reference);

/* As game_start(), whose `capacity` is that of reference_new(). */
void reference_start(struct reference *reference, const struct position *position,
                     const struct limits *limits);

static inline const struct reference_state *reference_now(const struct reference *reference) {
    return &reference->states[reference->plies];
}

enum verdict reference_judge(const struct reference *reference, struct move move);

/* All legal moves; never more than `capacity` are written. */
size_t reference_moves(const struct reference *reference, struct move *out, size_t capacity);

void reference_play(struct reference *reference, struct move move);
void reference_undo(struct reference *reference);

/* Carries out the move on the board; leaves side to move and endings alone. Reports which flags
 * fell, the effects of the ability used, and whether the turn counts as an attack. */
void reference_carry_out(const struct reference *reference, struct reference_state *state,
                         struct move move, bool flag_fell[2], uint16_t *effects, bool *attack);

uint64_t reference_perft(struct reference *reference, int depth);

#endif
