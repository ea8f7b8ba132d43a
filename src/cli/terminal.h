/* terminal.h - boards drawn as text.
 *
 * A board is drawn from cells that say what is to be seen on each square, so that the same drawing
 * serves a side's view, an uncovered game and an empty board. Sides differ in shape as well as in
 * colour: red stands in [square] brackets, blue in (round) ones. Colours are used only where the
 * terminal has them. */
#ifndef ENSIGN_CLI_TERMINAL_H
#define ENSIGN_CLI_TERMINAL_H

#include "core/game.h"
#include "core/view.h"

#include <stdio.h>

struct terminal {
    FILE *out;
    bool screen; /* somebody looks at it: no file and no pipe */
    bool colour;
};

/* `out` as it is; colours unless NO_COLOR is set or TERM is "dumb" or missing. */
struct terminal terminal_of(FILE *out);

/* Wipes the screen and what was scrolled away; a form feed where there is no screen. */
void terminal_clear(const struct terminal *terminal);

enum terminal_cell_type {
    CELL_FREE,
    CELL_LAKE,
    CELL_ZONE,  /* free, in the set-up zone of `side` */
    CELL_PIECE, /* of a known kind */
    CELL_BACK,  /* a piece of unknown kind that has not moved */
    CELL_MOVED  /* a piece of unknown kind that has moved */
};

struct terminal_cell {
    uint8_t type; /* enum terminal_cell_type */
    uint8_t side;
    kind_id kind;
    bool betrayed; /* own piece whose kind the other side knows */
    bool marked;   /* part of the last move */
};

enum { TERMINAL_NOTE_COLUMNS = 20 };

struct terminal_picture {
    const struct board *board;
    const struct kind *kind;  /* as in rules; NULL where no piece is shown */
    enum side below;          /* whose back rank is drawn at the bottom */
    const char *const *notes; /* lines to the right of the board, or below a wide one */
    int note_count;
    struct terminal_cell cell[BOARD_SQUARES_MAX];
};

void terminal_draw(const struct terminal *terminal, const struct terminal_picture *picture);

/* Fill a picture without notes and marks. */
void terminal_show_board(struct terminal_picture *picture, const struct board *board);
void terminal_show_view(struct terminal_picture *picture, const struct view *view);
void terminal_show_cells(struct terminal_picture *picture, const struct rules *rules,
                         const cell *cells);

/* Marks the squares of a move; SQUARE_NONE is passed over. */
void terminal_mark(struct terminal_picture *picture, square from, square to, square target);

/* An uncovered game with its last move marked. */
void terminal_draw_game(const struct terminal *terminal, const struct game *game);

/* "10, 8 x2, S": the label of each fallen kind of a side, strongest first, with "x2" where
 * there are several; "-" if none. Returns the length that was needed. */
size_t terminal_fallen(const struct rules *rules, const uint8_t *fallen, char *out, size_t size);

#endif
