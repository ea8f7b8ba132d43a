/* diagram.h - a board as a picture in text. */
#ifndef ENSIGN_CORE_TEXT_DIAGRAM_H
#define ENSIGN_CORE_TEXT_DIAGRAM_H

#include "core/rules/rules.h"

/* Two characters for each square, such as "rM"; the picture leaves one between them. */
struct diagram {
    char at[BOARD_SQUARES_MAX][2];
};

enum { DIAGRAM_MAX = (BOARD_LINES_MAX + 2) * (3 * BOARD_LINES_MAX + 8) };

/* Lakes "~", else '.'. */
void diagram_clear(struct diagram *diagram, const struct board *board);

/* A piece; '?' or '!' may stand for its letter. */
void diagram_piece(struct diagram *diagram, square at, enum side side, char letter);

/* Lines of the ranks, with the back rank of `below` at the bottom, between lines of the files. The
 * last one has no line end. `out` holds DIAGRAM_MAX bytes. Returns the length. */
size_t diagram_write(const struct diagram *diagram, const struct board *board, enum side below,
                     char *out);

#endif
