/* sketch.h - a position as one side knows it, in which moves are looked up.
 *
 * Unknown pieces are of any kind that moves, which is enough, since the text of a move shows
 * nothing but squares and the mover's own abilities. A sketch has no history, so what the
 * repetition rules forbid it allows. */
#ifndef ENSIGN_CLI_SKETCH_H
#define ENSIGN_CLI_SKETCH_H

#include "core/notation.h"
#include "core/view.h"

struct sketch {
    struct game game;
    struct ply plies[1];
};

/* `sketch` must stay where it is. */
void sketch_make(struct sketch *sketch, const struct view *view);

/* Brings what people type, "a4a5" and "a4 a5", into the form "a4-a5"; other texts stay as they are.
 * False if a line does not begin with two squares or a square and an ability. */
bool sketch_tidy(const struct board *board, const char *line, char tidy[MOVE_TEXT_MAX]);

#endif
