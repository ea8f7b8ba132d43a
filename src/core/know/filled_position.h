/* filled_position.h - a position as one side knows it, for listing and judging its moves.
 *
 * Unknown pieces are given some mobile kind. That is enough: the text of a move has only squares
 * and the mover's own abilities, and no rule of movement depends on the enemy's kinds. Repetition
 * is judged by the plain moves that the view remembers (VIEW_RECENT); two unknown pieces that have
 * changed places count as the same position. Pieces out of sight are missing. */
#ifndef ENSIGN_CORE_KNOW_FILLED_POSITION_H
#define ENSIGN_CORE_KNOW_FILLED_POSITION_H

#include "core/play/game.h"
#include "view.h"

struct filled_position {
    struct game game;
    struct ply plies[VIEW_RECENT + 1];
    uint32_t before; /* plies played before those in the filled position */
};

/* The filled position must not be moved in memory: the game points into it. */
void filled_position_make(struct filled_position *filled, const struct view *view);

#endif
