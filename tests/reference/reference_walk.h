/* reference_walk.h - squares, movement and battles in the second implementation. */
#ifndef ENSIGN_TESTS_REFERENCE_REFERENCE_WALK_H
#define ENSIGN_TESTS_REFERENCE_REFERENCE_WALK_H

#include "reference.h"

/* The squares that a piece can enter, and the same as a list. */
struct reach {
    bool struck; /* on an empty board: those that it could attack, rather than go to */
    bool to[BOARD_SQUARES_MAX];
    bool barred[BOARD_SQUARES_MAX]; /* an enemy stands there that it may not attack */
    int count;
    square list[BOARD_SQUARES_MAX];
};

static inline struct place reference_place(const struct reference *reference, square at) {
    return reference->place[at];
}

square reference_square(const struct reference *reference, int rank, int file);
bool reference_lake(const struct reference *reference, square at);
/* Are these squares neighbours without a wall between them, or linked? */
bool reference_next_to(const struct reference *reference, square a, square b);
/* Writes all such squares of one, lakes included; returns their number. */
int reference_neighbours(const struct reference *reference, square at,
                         square out[BOARD_SQUARES_MAX]);

/* The piece on a square, to change and to read. */
static inline struct token *reference_token(const struct reference *reference,
                                            struct reference_state *state, square at) {
    struct place place = reference->place[at];
    return &state->at[place.rank][place.file];
}

static inline struct token reference_on(const struct reference *reference,
                                        const struct reference_state *state, square at) {
    struct place place = reference->place[at];
    return state->at[place.rank][place.file];
}

static inline bool reference_mobile(const struct reference *reference, kind_id kind) {
    return reference->gait[kind].mobile;
}

/* How a kind walks; only whether it moves unless that is `written` out here. */
struct gait reference_gait(const struct rules *rules, bool written, kind_id kind);

/* Where a piece can go; `state` NULL means a board without other pieces. */
void reference_walk(const struct reference *reference, const struct reference_state *state,
                    enum side side, kind_id kind, square from, struct reach *reach);

/* RULES 1 and 3; on squares that do not matter. */
enum outcome reference_outcome(const struct rules *rules, kind_id attacker, kind_id defender);

/* The same for a piece of `side` on `from` that attacks one on `to`. */
enum outcome reference_fight(const struct reference *reference, enum side side, square from,
                             square to, kind_id attacker, kind_id defender);

#endif
