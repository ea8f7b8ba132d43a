/* perft.h - counts the tree of legal moves, to hold a move generator against known numbers. */
#ifndef ENSIGN_CORE_SEARCH_PERFT_H
#define ENSIGN_CORE_SEARCH_PERFT_H

#include "core/play/legal.h"

/* Leaves of the tree of legal moves `depth` plies deep; 1 for depth 0. The game is as it was
 * afterwards. Needs history for `depth` more plies, and in `moves` room for depth * rules.moves_max
 * moves. */
uint64_t perft_count(struct game *game, int depth, struct move *moves);

#endif
