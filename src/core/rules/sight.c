/* sight.c - the union of what a side's pieces see, read from the table of the rules. */
#include "sight.h"

squareset sight_of(const struct rules *rules, enum side side, const cell *at) {
    if (!rules->sight) return rules->board.land;
    squareset seen = 0;
    for (square from = 0; from < rules->board.squares; from++) {
        if (!at[from] || cell_side(at[from]) != side) continue;
        seen |= squareset_of(from) | rules->sight->from[side][cell_kind(at[from])][from];
    }
    return seen;
}
