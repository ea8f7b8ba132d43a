/* sketch.h - a position as one side knows it, in which moves are looked up and judged.
 *
 * Unknown pieces are of any kind that moves, which is enough, since the text of a move shows
 * nothing but squares and the mover's own abilities, and since no rule of moving asks for the
 * enemy's kinds. What is forbidden as a repetition is known as far back as the view remembers plain
 * moves (VIEW_RECENT); chases take two unknown pieces that changed places for the same. Pieces out
 * of sight are missing. */
#ifndef ENSIGN_CORE_KNOW_SKETCH_H
#define ENSIGN_CORE_KNOW_SKETCH_H

#include "core/play/game.h"
#include "view.h"

struct sketch {
    struct game game;
    struct ply plies[VIEW_RECENT + 1];
    uint32_t before; /* plies that were played before those that the sketch has */
};

/* `sketch` must stay where it is. */
void sketch_make(struct sketch *sketch, const struct view *view);

#endif
