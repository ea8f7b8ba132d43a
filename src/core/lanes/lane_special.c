/* lane_special.c - chooses among the moves of acting pieces: piece by piece, in the order of their
 * squares; what a piece can do is legal.c's business. */
#include "lane_special.h"

struct move special_move(const struct lanes_table *table, const struct lane *lane, uint32_t index) {
    enum side side = (enum side)lane->game.to_move;
    squareset left = special_pieces(table, lane, side);
    for (;;) {
        square at = squareset_pop(&left);
        uint32_t count = special_of(table, lane, side, at);
        if (index >= count) {
            index -= count;
            continue;
        }
        struct special special = special_at(table, lane, side, at);
        if (!special.turns) return game_piece_move(&lane->game, at, special.walks, index);
        squareset to_set = special_two_steps(table, lane, side, at);
        while (index--) to_set &= to_set - 1;
        return (struct move){at, squareset_pop(&to_set), SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    }
}
