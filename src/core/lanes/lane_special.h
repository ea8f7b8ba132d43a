/* lane_special.h - special moves: those of acting pieces that are no destinations.
 *
 * Acting pieces have abilities or odd movement. Their special moves come after all other moves and
 * are counted piece by piece. Few plies touch a square that matters to them, so a lane caches each
 * side's count with the squares it depends on, and recounts only when one of those has changed:
 *
 *     . . w . . .     P a piece that may step and then guess what stands beside it,
 *     . w + w . .     + where it may go: it matters whether anybody enters or leaves,
 *     w + P + w .     w where else an enemy would be in reach: only enemies matter.
 *     . w + w . .     While there is no enemy on + or w there is nothing to guess, and own pieces
 *     . . w . . .     may come and go.
 *
 * Every move of a piece in a lane must be reported here. Reads rules and table, writes lanes; does
 * not use the lines. */
#ifndef ENSIGN_CORE_LANES_LANE_SPECIAL_H
#define ENSIGN_CORE_LANES_LANE_SPECIAL_H

#include "lanes.h"

#define SPECIAL_UNKNOWN UINT32_MAX

/* Finds the acting pieces of a lane whose cells and sets of pieces are right. */
void special_find(const struct lanes_table *table, struct lane *lane);

/* Drops both counts: after every turn but a plain move. */
static inline void special_forget(struct lane *lane) {
    for (int side = RED; side <= BLUE; side++) {
        lane->special[side] = SPECIAL_UNKNOWN;
        lane->watch[side][RED] = lane->watch[side][BLUE] = 0;
        lane->alert[side] = lane->acting[side] | lane->gate[side];
    }
}

/* The rest of special_step() if the move touched a square in alert[side]. */
void special_notice(const struct lanes_table *table, struct lane *lane, enum side side,
                    squareset moved, kind_id kind);

/* `actor` of `side`, which was to move, has moved: updates the sets and the side to move. */
static inline void special_step(const struct lanes_table *table, struct lane *lane, enum side side,
                                square from, square to, cell actor) {
    squareset moved = table->only[from] ^ table->only[to];
    lane->game.to_move = !side;
    lane->game.pieces[side] ^= moved;
    if (lane->alert[side] & moved) special_notice(table, lane, side, moved, cell_kind(actor));
}

/* A piece of `side` on `at`, perhaps just arrived, has fallen in battle. */
static inline void special_fall(const struct lanes_table *table, struct lane *lane, enum side side,
                                square at) {
    squareset bit = table->only[at];
    lane->game.pieces[side] &= ~bit;
    lane->acting[side] &= ~bit;
    if (lane->watch[side][side] & bit) lane->special[side] = SPECIAL_UNKNOWN;
    if (lane->watch[side][!side] & bit) lane->special[!side] = SPECIAL_UNKNOWN;
}

/* Counts the special moves of the side to move and notes the squares the count depends on. */
uint32_t special_count_anew(const struct lanes_table *table, struct lane *lane);

/* Number of special moves of the side to move. */
static inline uint32_t special_count(const struct lanes_table *table, struct lane *lane) {
    uint32_t count = lane->special[lane->game.to_move];
    return __builtin_expect(count != SPECIAL_UNKNOWN, 1) ? count : special_count_anew(table, lane);
}

/* The special move with this index. */
struct move special_move(const struct lanes_table *table, const struct lane *lane, uint32_t index);

#endif
