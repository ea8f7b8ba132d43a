/* game.h - a position with its history: plays moves, takes them back, ends games.
 *
 * A `struct game` is flat and small. The history for undo and the repetition rules is an array of
 * plies that the caller owns and that must outlive the game. Nothing is allocated. A game holds
 * true kinds; what a side knows is built from events (view.h). */
#ifndef ENSIGN_CORE_PLAY_GAME_H
#define ENSIGN_CORE_PLAY_GAME_H

#include "event.h"
#include "marks.h"

enum result { RESULT_NONE, RESULT_RED, RESULT_BLUE, RESULT_DRAW, RESULT_COUNT };

enum reason {
    REASON_NONE,
    REASON_FLAG,
    REASON_IMMOBILE,
    REASON_BOTH_IMMOBILE,
    REASON_NO_MINERS,
    REASON_NO_ATTACK_LIMIT,
    REASON_PLY_LIMIT,
    REASON_ABILITY, /* decided by an ability */
    REASON_GOAL,    /* a goal of the variant was reached */
    REASON_VARIANT, /* decided by a call of the variant (calls.h) */
    REASON_REPETITION,
    REASON_AGREED,
    REASON_RESIGNED,
    REASON_FORFEIT_ILLEGAL,
    REASON_FORFEIT_FUEL,
    REASON_FORFEIT_TIME,
    REASON_FORFEIT_MEMORY,
    REASON_FORFEIT_ERROR,
    REASON_FORFEIT_CRASH,
    REASON_UNFINISHED, /* in records of games broken off; result RESULT_NONE */
    REASON_FAULT,      /* a call of the variant failed; never recorded (calls.h) */
    REASON_COUNT
};

const char *result_name(enum result result); /* "*", "red", "blue", "draw" */
const char *reason_name(enum reason reason); /* as in records: "flag", "both-immobile", … */

/* The result or reason of that name; RESULT_COUNT or REASON_COUNT if there is none. */
enum result result_named(const char *name);
enum reason reason_named(const char *name);

static inline bool reason_is_forfeit(enum reason reason) {
    return reason >= REASON_FORFEIT_ILLEGAL && reason <= REASON_FORFEIT_CRASH;
}

static inline enum result result_win(enum side winner) {
    return winner == RED ? RESULT_RED : RESULT_BLUE;
}

/* A side's counters for the repetition rules. */
struct chaser {
    square from, to; /* its last move; SQUARE_NONE before the first */
    uint8_t run;     /* consecutive last moves made by the piece on `to`, at most 255 */
    square quarry;   /* Russian: square of the chased piece that has just fled, or SQUARE_NONE */
    uint16_t chase;  /* length of the current chase; ISF: in plies, Russian: in moves */
};

enum {
    MOVE_CHANGES_MAX = 4, /* squares that a move with its battle and ability changes */
    DEEDS_MAX = 16,       /* effects of a variant's calls in one ply */
    CHANGES_MAX = MOVE_CHANGES_MAX + DEEDS_MAX /* squares that a ply changes in all */
};

/* The state needed to take one ply back. */
struct ply {
    uint64_t hash; /* of the position before it */
    struct move move;
    struct chaser chaser[2];
    uint32_t quiet;
    uint32_t placed; /* set of the changes that brought a piece back */
    bool used;       /* an ability was carried out */
    uint8_t changes;
    struct {
        square at;
        cell was;
    } change[CHANGES_MAX];
    struct marks marks;       /* before it; only with rules.marks */
    struct counters counters; /* before it; only with rules.counters */
};

struct game {
    const struct rules *rules;
    struct calls *calls;   /* those of the rules, or NULL to make none */
    struct ply *plies;     /* the caller's */
    uint32_t ply_capacity; /* size of `plies` */
    uint32_t ply_count;    /* plies played */
    uint32_t earlier;      /* plies played before the history begins */
    struct limits limits;  /* those of the rules, or none */
    uint32_t quiet;        /* plies in a row without an attack */
    uint64_t hash;       /* Zobrist hash of the changes since the start, without the side to move */
    squareset pieces[2]; /* squares of each side */
    squareset mobile[2]; /* those of pieces that can move */
    squareset runners[2]; /* those of rules.runners */
    squareset odd[2];     /* those of rules.odd */
    struct chaser chaser[2];
    uint8_t to_move;        /* enum side */
    uint8_t result, reason; /* RESULT_NONE, REASON_NONE during the game */
    cell at[BOARD_SQUARES_MAX];
    uint8_t start[2][KINDS_MAX];    /* pieces at the start */
    uint8_t count[2][KINDS_MAX];    /* pieces on the board */
    uint8_t placed[2][KINDS_MAX];   /* pieces brought back */
    uint8_t returned[2][KINDS_MAX]; /* those of them still on the board */
    uint8_t uses[2][ABILITIES_MAX]; /* by tally */
    struct marks marks;             /* none unless rules.marks */
    struct counters counters;       /* none unless rules.counters */
};

/* Starts a game in a position that position_check() accepts. `limits` NULL means those of the
 * rules. After `capacity` plies the game is drawn by the ply limit. It may be over at once (a side
 * without mobile pieces). */
void game_start(struct game *game, const struct rules *rules, const struct position *position,
                const struct limits *limits, struct ply *plies, uint32_t capacity);

/* Plays a move that game_judge() allows. Appends its public events to `events` unless NULL. */
void game_play(struct game *game, struct move move, struct events *events);

/* Writes a square in the ply being played, so that undo restores it. For calls.c alone. False if
 * the ply has CHANGES_MAX changes already. */
bool game_change(struct game *game, square at, cell now);

/* Changes a counter in the ply being played, and appends the event unless NULL. For calls.c alone.
 */
void game_count(struct game *game, enum side side, struct counting counting, struct events *events);

/* Stands for the value of a counter in the hash. */
uint64_t game_counter_key(int counter, enum side side, int value);

/* The value of a counter: of this side, unless both share it. */
static inline int16_t *counters_of(struct counters *counters, const struct rules *rules,
                                   enum side side, int counter) {
    return &counters->of[rules->counter[counter].each ? side : RED][counter];
}

static inline int counters_get(const struct counters *counters, const struct rules *rules,
                               enum side side, int counter) {
    return counters->of[rules->counter[counter].each ? side : RED][counter];
}

/* Those at the start of a game. */
static inline struct counters counters_start(const struct rules *rules) {
    struct counters counters = {0};
    for (int i = 0; i < rules->counters; i++)
        for (int side = RED; side <= (rules->counter[i].each ? BLUE : RED); side++)
            counters.of[side][i] = rules->counter[i].start;
    return counters;
}

/* Takes back the last ply; there must be one. */
void game_undo(struct game *game);

/* Ends a game: by its rules, or by agreement, resignation or forfeit. */
static inline void game_stop(struct game *game, enum result result, enum reason reason) {
    game->result = (uint8_t)result;
    game->reason = (uint8_t)reason;
}

/* Fallen pieces of `side` that are off the board, by kind. */
static inline uint8_t game_captured(const struct game *game, enum side side, kind_id kind) {
    return (uint8_t)(game->start[side][kind] - game->count[side][kind]);
}

/* Fallen pieces of `side` that can still be brought back. Each piece returns at most once. */
static inline uint8_t game_returnable(const struct game *game, enum side side, kind_id kind) {
    int fallen_again = game->placed[side][kind] - game->returned[side][kind];
    return (uint8_t)(game_captured(game, side, kind) - fallen_again);
}

/* May the piece on this square not move or act for now? */
static inline bool game_holds(const struct game *game, square at) {
    return game->rules->marks && squareset_has(marks_held(&game->marks), at);
}

static inline bool game_over(const struct game *game) {
    return game->result != RESULT_NONE;
}

#endif
