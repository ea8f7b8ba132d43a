/* lane_special.h - the moves of acting pieces, those with abilities or with ways of their own.
 *
 * They come after the moves of all other pieces and are counted piece by piece. Since few plies
 * touch a square that matters to them, a lane remembers the count of either side and on which
 * squares it hangs, and counts again only when one of those has changed:
 *
 *     . . w . . .     P a piece that may step and then guess what stands beside it,
 *     . w + w . .     + where it may go: it matters whether anybody enters or leaves,
 *     w + P + w .     w where else an enemy would be in reach: only enemies matter.
 *     . w + w . .     While there is no enemy on + or w there is nothing to guess, and own pieces
 *     . . w . . .     may come and go.
 *
 * Who moves a piece of a lane says so here. Reads rules and table, writes lanes; knows nothing of
 * the lines of bits. */
#ifndef ENSIGN_CORE_LANES_LANE_SPECIAL_H
#define ENSIGN_CORE_LANES_LANE_SPECIAL_H

#include "lanes.h"

#define SPECIAL_UNKNOWN UINT32_MAX

/* Finds the acting pieces of a lane whose cells and sets of pieces are right. */
void special_find(const struct lanes_table *table, struct lane *lane);

/* After anything but a move without ability: the counts of both sides have to be made anew. */
static inline void special_forget(struct lane *lane) {
    for (int side = RED; side <= BLUE; side++) {
        lane->special[side] = SPECIAL_UNKNOWN;
        lane->watch[side][RED] = lane->watch[side][BLUE] = 0;
        lane->alert[side] = lane->acting[side] | lane->gate[side];
    }
}

/* What special_step() leaves to do when a square was touched that is on the alert. */
void special_notice(const struct lanes_table *table, struct lane *lane, enum side side,
                    squareset moved, kind_id kind);

/* The piece `actor` of `side`, which was to move, goes from one square to another: sets follow, and
 * it is the other side's turn. */
static inline void special_step(const struct lanes_table *table, struct lane *lane, enum side side,
                                square from, square to, cell actor) {
    squareset moved = table->only[from] ^ table->only[to];
    lane->game.to_move = !side;
    lane->game.pieces[side] ^= moved;
    if (lane->alert[side] & moved) special_notice(table, lane, side, moved, cell_kind(actor));
}

/* A piece of `side` that stood or just arrived on `at` has fallen in battle. */
static inline void special_fall(const struct lanes_table *table, struct lane *lane, enum side side,
                                square at) {
    squareset bit = table->only[at];
    lane->game.pieces[side] &= ~bit;
    lane->acting[side] &= ~bit;
    if (lane->watch[side][side] & bit) lane->special[side] = SPECIAL_UNKNOWN;
    if (lane->watch[side][!side] & bit) lane->special[!side] = SPECIAL_UNKNOWN;
}

/* Counts the moves of the side to move and notes on what the count hangs. */
uint32_t special_count_anew(const struct lanes_table *table, struct lane *lane);

/* How many moves the acting pieces of the side to move have that are no destinations. */
static inline uint32_t special_count(const struct lanes_table *table, struct lane *lane) {
    uint32_t count = lane->special[lane->game.to_move];
    return __builtin_expect(count != SPECIAL_UNKNOWN, 1) ? count : special_count_anew(table, lane);
}

/* The one of them with that index. */
struct move special_move(const struct lanes_table *table, const struct lane *lane, uint32_t index);

#endif
