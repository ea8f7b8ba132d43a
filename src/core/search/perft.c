/* perft.c - the tree is walked by playing and taking back; the last ply is counted, not played. */
#include "perft.h"

uint64_t perft_count(struct game *game, int depth, struct move *moves) {
    if (depth == 0) return 1;
    size_t count = game_moves(game, moves, game->rules->moves_max);
    if (depth == 1) return count;
    uint64_t leaves = 0;
    for (size_t i = 0; i < count; i++) {
        game_play(game, moves[i], NULL);
        leaves += perft_count(game, depth - 1, moves + game->rules->moves_max);
        game_undo(game);
    }
    return leaves;
}
