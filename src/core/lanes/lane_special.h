/* lane_special.h - the moves of acting pieces, those with abilities or with ways of their own.
 *
 * They come after the moves of all other pieces and are counted piece by piece. Since few plies
 * touch a square that matters to them, a lane remembers the count of either side and which squares
 * it hangs on, and counts again only when one of those has changed:
 *
 *     . . w . . .     P a piece that may step and then guess what stands beside it,
 *     . w + w . .     + where it may go: it matters whether anybody enters or leaves,
 *     w + P + w .     w where else an enemy would be in reach: only enemies matter.
 *     . w + w . .     While there is no enemy on + or w there is nothing to guess, and own pieces
 *     . . w . . .     may come and go.
 *
 * Whoever moves a piece of a lane says so here. Reads rules and table, writes lanes; knows nothing
 * of the lines of bits. Inline so that it is compiled for the instruction set of its user. */
#ifndef ENSIGN_CORE_LANE_SPECIAL_H
#define ENSIGN_CORE_LANE_SPECIAL_H

#include "lanes.h"

enum { SPECIAL_UNKNOWN = UINT32_MAX };

/* The counts of both sides have to be made anew: after anything but a move without ability. */
static inline void special_forget(struct lane *lane) {
    lane->special[RED] = lane->special[BLUE] = SPECIAL_UNKNOWN;
}

/* The piece `actor` of `side`, which was to move, goes from one square to another: its sets follow,
 * and it is the other side's turn. */
static inline void special_step(const struct lanes_table *table, struct lane *lane, enum side side,
                                square from, square to, cell actor) {
    squareset moved = squareset_of(from) ^ squareset_of(to);
    lane->game.to_move = !side;
    lane->game.pieces[side] ^= moved;
    if (lane->watch[side][side] & moved) lane->special[side] = SPECIAL_UNKNOWN;
    if (lane->watch[side][!side] & moved) lane->special[!side] = SPECIAL_UNKNOWN;
    if (table->acting >> cell_kind(actor) & 1) {
        lane->acting[side] ^= moved;
        if (table->odd >> cell_kind(actor) & 1) lane->odd[side] ^= moved;
        if (table->scoped[side] & moved) lane->special[side] = SPECIAL_UNKNOWN;
    }
}

/* A piece of `side` that stood or just arrived on `at` has fallen in battle. */
static inline void special_fall(struct lane *lane, enum side side, square at) {
    squareset bit = squareset_of(at);
    lane->game.pieces[side] &= ~bit;
    lane->acting[side] &= ~bit;
    lane->odd[side] &= ~bit;
    if (lane->watch[side][side] & bit) lane->special[side] = SPECIAL_UNKNOWN;
    if (lane->watch[side][!side] & bit) lane->special[!side] = SPECIAL_UNKNOWN;
}

/* The acting pieces that may have moves on top of the destinations. */
static inline squareset special_pieces(const struct lanes_table *table, const struct lane *lane,
                                       enum side side) {
    return lane->odd[side] | (lane->may_use[side] ? lane->acting[side] & table->scoped[side] : 0);
}

/* Where a piece can go that makes two steps at most. */
static inline squareset special_two_steps(const struct lanes_table *table, const struct lane *lane,
                                          enum side side, square at) {
    const struct board *board = &table->rules->board;
    squareset mine = lane->game.pieces[side], free = board->land & ~mine;
    squareset first = board->neighbours[at] & free;
    return (first | board_beside(board, first & ~lane->game.pieces[!side])) & free;
}

struct special {
    bool walks; /* its moves without abilities are not among the destinations */
    bool acts;  /* it may have a use of an ability */
    bool turns; /* its moves are those of special_two_steps() and no others */
};

static inline struct special special_at(const struct lanes_table *table, const struct lane *lane,
                                        enum side side, square at) {
    bool acts = lane->may_use[side] && (table->scope[side][at] & lane->game.pieces[!side]);
    bool turner = table->turners >> cell_kind(lane->game.at[at]) & 1;
    return (struct special){squareset_has(lane->odd[side], at), acts, turner && !acts};
}

static inline uint32_t special_of(const struct lanes_table *table, const struct lane *lane,
                                  enum side side, square at) {
    struct special special = special_at(table, lane, side, at);
    if (special.turns) return (uint32_t)squareset_count(special_two_steps(table, lane, side, at));
    if (!special.walks && !special.acts) return 0;
    return game_piece_count(&lane->game, at, special.walks, special.acts);
}

/* Counts the moves of the side to move and notes what the count hangs on. */
static inline uint32_t special_count_anew(const struct lanes_table *table, struct lane *lane) {
    enum side side = (enum side)lane->game.to_move;
    squareset own = 0, enemy = 0; /* squares on which moves of either side matter */
    uint32_t count = 0;
    for (squareset left = special_pieces(table, lane, side); left;) {
        square at = squareset_pop(&left);
        struct special special = special_at(table, lane, side, at);
        if (lane->may_use[side]) enemy |= table->scope[side][at];
        if (!special.walks && !special.acts) continue;
        count += special_of(table, lane, side, at);
        own |= squareset_of(at) | table->walk[side][at];
        enemy |= squareset_of(at) | table->walk[side][at];
        if (special.acts && table->scope[side][at] == ~(squareset)0) own = ~(squareset)0;
    }
    lane->watch[side][side] = own;
    lane->watch[!side][side] = enemy;
    lane->special[side] = count;
    return count;
}

/* How many moves the acting pieces of the side to move have that are no destinations. */
static inline uint32_t special_count(const struct lanes_table *table, struct lane *lane) {
    uint32_t count = lane->special[lane->game.to_move];
    return __builtin_expect(count != SPECIAL_UNKNOWN, 1) ? count : special_count_anew(table, lane);
}

/* The one of them with that index. */
struct move special_move(const struct lanes_table *table, const struct lane *lane, uint32_t index);

#endif
