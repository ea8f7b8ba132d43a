/* reference_repetition.c - judges repetition from the history: the two-squares rule by the side's
 * last turns, the ISF chase rule by whole positions, the Russian one by the chased piece's id. */
#include "reference_repetition.h"

#include "reference_walk.h"

#include <stdlib.h>

/* Borders between neighbouring squares; a move that is not straight crosses its own pair. */
struct border {
    square a, b;
};

static int borders_crossed(const struct reference *ref, struct move move, struct border *out) {
    struct place p = reference_place(ref, move.from), q = reference_place(ref, move.to);
    if (move.from == move.to) return 0;
    if (p.rank != q.rank && p.file != q.file) {
        out[0] = (struct border){move.from, move.to};
        return 1;
    }
    int count = 0;
    while (p.rank != q.rank || p.file != q.file) {
        struct place n = {p.rank + (q.rank > p.rank) - (q.rank < p.rank),
                          p.file + (q.file > p.file) - (q.file < p.file)};
        out[count++] = (struct border){reference_square(ref, p.rank, p.file),
                                       reference_square(ref, n.rank, n.file)};
        p = n;
    }
    return count;
}

static bool crosses(const struct reference *ref, struct move move, struct border border) {
    struct border list[BOARD_LINES_MAX];
    int count = borders_crossed(ref, move, list);
    for (int i = 0; i < count; i++)
        if ((list[i].a == border.a && list[i].b == border.b) ||
            (list[i].a == border.b && list[i].b == border.a))
            return true;
    return false;
}

/* The turn that the side to move made `back` of its own turns ago (1: its last), or NULL. */
static const struct reference_state *own_turn(const struct reference *ref, uint32_t back) {
    return ref->plies < 2 * back ? NULL : &ref->states[ref->plies - 2 * back + 1];
}

/* The same for the other side (1: the ply just played). */
static const struct reference_state *other_turn(const struct reference *ref, uint32_t back) {
    return ref->plies < 2 * back - 1 ? NULL : &ref->states[ref->plies - 2 * back + 2];
}

static bool two_squares_forbids(const struct reference *ref, struct move move) {
    uint32_t limit = ref->rules->two_squares;
    uint16_t id = reference_on(ref, reference_now(ref), move.from).id;
    const struct reference_state *last = own_turn(ref, 1);
    if (limit == 0 || !last || last->mover != id) return false;
    struct border list[BOARD_LINES_MAX];
    int count = borders_crossed(ref, move, list);
    for (int i = 0; i < count; i++) {
        uint32_t back = 1;
        while (back <= limit) {
            const struct reference_state *turn = own_turn(ref, back);
            if (!turn || turn->mover != id || !crosses(ref, turn->move, list[i])) break;
            back++;
        }
        if (back > limit) return true;
    }
    return false;
}

static bool enemy_next_to(const struct reference *ref, const struct reference_state *state,
                          enum side side, square at) {
    square beside[BOARD_SQUARES_MAX];
    int count = reference_neighbours(ref, at, beside);
    for (int i = 0; i < count; i++) {
        struct token token = reference_on(ref, state, beside[i]);
        if (token.id && token.side != side) return true;
    }
    return false;
}

bool reference_same_position(const struct reference *ref, const struct reference_state *a,
                             const struct reference_state *b) {
    for (int i = 0; i < COUNTERS_MAX; i++)
        if (a->counter[RED][i] != b->counter[RED][i] || a->counter[BLUE][i] != b->counter[BLUE][i])
            return false;
    for (int rank = 0; rank < ref->rules->board.ranks; rank++) {
        for (int file = 0; file < ref->rules->board.files; file++) {
            struct token p = a->at[rank][file], q = b->at[rank][file];
            if ((p.id != 0) != (q.id != 0)) return false;
            if (p.id &&
                (p.side != q.side || p.kind != q.kind || p.spent != q.spent || p.held != q.held))
                return false;
        }
    }
    return true;
}

static bool counts_as_attack(const struct reference *ref, struct move move) {
    if (reference_on(ref, reference_now(ref), move.to).id && move.to != move.from) return true;
    return move.ability != ABILITY_NONE && ref->rules->ability[move.ability].attacks;
}

static bool isf_forbids(const struct reference *ref, struct move move) {
    const struct reference_state *state = reference_now(ref);
    enum side side = state->to_move;
    if (move.from == move.to || counts_as_attack(ref, move)) return false;
    if (state->isf[side].chase < 2) return false; /* no earlier position to compare */
    if (!enemy_next_to(ref, state, side, move.to)) return false;
    if (state->isf[side].any && move.from == state->isf[side].to &&
        move.to == state->isf[side].from)
        return false;
    struct reference_state after = *state;
    bool fell[2] = {false, false}, attack;
    uint16_t effects;
    reference_carry_out(ref, &after, move, fell, &effects, &attack);
    for (uint32_t d = 1; d < state->isf[side].chase && d <= ref->plies; d++)
        if (reference_same_position(ref, &after, &ref->states[ref->plies - d])) return true;
    return false;
}

/* Did the hunter's turn end next to the quarry that then fled with `flight`? An attack is no
 * flight. */
static bool chased_away(const struct reference *ref, const struct reference_state *hunt,
                        const struct reference_state *flight, uint16_t quarry) {
    return hunt && flight && hunt->survived && flight->other_survived &&
           hunt->move.from != hunt->move.to && flight->survived && !flight->attacked &&
           flight->mover == quarry && flight->move.from != flight->move.to &&
           reference_next_to(ref, hunt->stand, flight->move.from);
}

static bool russian_forbids(const struct reference *ref, struct move move) {
    if (move.from == move.to || counts_as_attack(ref, move)) return false;
    square beside[BOARD_SQUARES_MAX];
    int count = reference_neighbours(ref, move.to, beside);
    for (int i = 0; i < count; i++) {
        struct token token = reference_on(ref, reference_now(ref), beside[i]);
        if (!token.id || token.side == reference_now(ref)->to_move) continue;
        if (chased_away(ref, own_turn(ref, 1), other_turn(ref, 1), token.id) &&
            chased_away(ref, own_turn(ref, 2), other_turn(ref, 2), token.id))
            return true;
    }
    return false;
}

enum verdict reference_repetition(const struct reference *ref, struct move move) {
    if (two_squares_forbids(ref, move)) return ILLEGAL_TWO_SQUARES;
    if (ref->rules->chase == CHASE_ISF && isf_forbids(ref, move)) return ILLEGAL_CHASE;
    if (ref->rules->chase == CHASE_RUSSIAN && russian_forbids(ref, move)) return ILLEGAL_CHASE;
    return LEGAL;
}

/* RULES 5, the numbered list. */
void reference_note(const struct reference *ref, struct reference_state *state, struct move move,
                    bool attack) {
    enum side p = state->to_move, o = side_other(p);
    state->isf[p].any = true;
    state->isf[p].from = move.from;
    state->isf[p].to = state->stand;
    if (state->isf[o].any && reference_next_to(ref, move.from, state->isf[o].to))
        state->isf[o].chase++;
    else
        state->isf[o].chase = 0;
    if (attack) state->isf[RED].chase = state->isf[BLUE].chase = 0;
    if (enemy_next_to(ref, state, p, state->stand))
        state->isf[p].chase++;
    else
        state->isf[p].chase = 0;
}
