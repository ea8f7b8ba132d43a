/* reference.h - the games a second time: slow, plain, and written from the rules as people read
 * them.
 *
 * The core is judged by it. It keeps a two-dimensional board of pieces that have names of their own
 * and a copy of every whole position that ever stood; it has no bit sets, no hashes and no counters
 * where the history can be asked. Of `struct rules` it reads what only a variant can say (the
 * board, the army, reach and effects of abilities, limits). For the stock variants it knows by
 * itself how pieces walk and who wins a battle; for others it reads movements and outcomes too.
 * Where the rules have calls it asks them itself, and shows them what it holds.
 *
 * Nothing of the core is linked: test_alone.c holds the reference by itself. bench/compare.c
 * compares speeds with it. */
#ifndef ENSIGN_TESTS_REFERENCE_REFERENCE_H
#define ENSIGN_TESTS_REFERENCE_REFERENCE_H

#include "core/play/calls.h"
#include "core/play/legal.h"

struct place {
    int rank, file;
};

/* How a kind of a stock variant walks; of others only whether it does is looked at here. */
struct gait {
    bool mobile;
    bool runs;  /* straight on, as far as the way is free */
    bool twice; /* up to two steps, round a corner too */
};

/* One piece with an identity that it keeps for the whole game. */
struct token {
    uint16_t id; /* 0: no piece */
    uint8_t side;
    kind_id kind;
    bool returned; /* it was brought back */
    bool moved;
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
    uint8_t spent[2][KINDS_MAX];  /* those of them that had been returned once */
    uint8_t uses[2][ABILITIES_MAX];
    struct {
        bool any;
        square from, to;
        uint32_t chase;
    } isf[2]; /* RULES 5, word for word */
    struct move move;
    uint16_t mover;      /* id of the piece that made the turn */
    bool survived;       /* it is still there, untouched by the variant's effects */
    bool other_survived; /* so is the piece that made the turn before */
    bool attacked;       /* it counts as an attack */
};

struct reference {
    const struct rules *rules;
    bool stock; /* walks and battles are known here and not read from the rules */
    struct place place[BOARD_SQUARES_MAX]; /* rank and file of each square */
    struct gait gait[KINDS_MAX];
    enum outcome outcome[KINDS_MAX][KINDS_MAX];
    struct limits limits;
    uint32_t capacity;
    uint32_t plies;
    struct reference_state *states; /* capacity + 1; states[plies] is now */
    struct fault *fault; /* the caller's, or NULL: receives why a call of the variant failed */
};

/* Room for `capacity` plies; NULL without memory. */
struct reference *reference_new(const struct rules *rules, bool stock, uint32_t capacity);
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

/* Changes the board as the turn says; whose turn it is and the endings are left alone. Tells which
 * flags fell, the effects of an ability that was carried out, and whether the turn counts as an
 * attack. */
void reference_carry_out(const struct reference *reference, struct reference_state *state,
                         struct move move, bool flag_fell[2], uint16_t *effects, bool *attack);

uint64_t reference_perft(struct reference *reference, int depth);

#endif
