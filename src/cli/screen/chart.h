/* chart.h - a board drawn on the screen, with squares as large as fit.
 *
 * A piece is a card: red's has square corners, blue's round ones, so that sides differ without
 * colours. It shows the label, or "##" for a hidden enemy that has never moved, "??" for one that
 * has. At its foot, '!' marks an own piece that the enemy knows, '?' an enemy piece that was never
 * revealed but can be one kind only, 'm' one with the person's own mark, shown as its label. Before
 * a card, or in the middle of a free square, stand marks:
 * '*' the move of a hint, '+' a target, '@' an ability's target, '>' the piece that moved last, an
 * arrow where it came from, 'x' a battle. */
#ifndef ENSIGN_CLI_SCREEN_CHART_H
#define ENSIGN_CLI_SCREEN_CHART_H

#include "cli/picture.h"
#include "lua/language.h"
#include "screen.h"

/* Placement of a board: the cell of its top left square, and the size of squares in cells. */
struct chart {
    const struct board *board;
    enum side below;
    int row, column;
    int square_rows, square_columns;
};

/* Marked squares. */
struct chart_marks {
    square cursor, selected; /* SQUARE_NONE: none */
    squareset targets;       /* where the selected piece may go */
    squareset aims;          /* what its abilities may be aimed at */
    squareset advised;       /* the move of a hint */
    square from, to, target; /* the last move, SQUARE_NONE where it had none */
    bool battle;             /* on `to`, or on `target` */
    bool flash;              /* the battle was just fought */
};

extern const struct chart_marks CHART_NO_MARKS;

/* The largest chart, with file and rank names, that fits into a rectangle. False if none does.
 * `least_rows` and `least_columns` (may be NULL) receive the smallest size. */
bool chart_fit(struct chart *chart, const struct board *board, enum side below, int row, int column,
               int rows, int columns, int *least_rows, int *least_columns);

/* Rows and columns of a chart with its file and rank names. */
int chart_rows(const struct chart *chart);
int chart_columns(const struct chart *chart);

void chart_draw(struct screen *screen, const struct language *language, const struct chart *chart,
                const struct picture *picture, const struct chart_marks *marks);

/* The first cell of a square; the square of a cell, or SQUARE_NONE. */
void chart_place(const struct chart *chart, square at, int *row, int *column);
square chart_square(const struct chart *chart, int row, int column);

/* The square some columns to the right and rows up as shown; `at` itself if off the board. */
square chart_step(const struct chart *chart, square at, int right, int up);

#endif
