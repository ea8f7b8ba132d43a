/* chart.h - a board drawn on the screen, with squares as large as fit.
 *
 * A square holds a card: red's has square corners, blue's round ones, so that sides differ where
 * there are no colours. On a card stands the label, "##" on the back of an enemy that has never
 * moved, "??" on one that has. At its foot '!' says of an own piece that the enemy knows it, '?' of
 * an enemy's that nobody has shown it but that it can be nothing else. In front of a card or in the
 * middle of a free square stand marks: '+' a target, '@' one of an ability, '>' who moved last and
 * an arrow whence, 'x' where they fought. */
#ifndef ENSIGN_CLI_SCREEN_CHART_H
#define ENSIGN_CLI_SCREEN_CHART_H

#include "cli/picture.h"
#include "lua/language.h"
#include "screen.h"

/* Where a board lies: the first cell of its first square, and the size of squares in cells. */
struct chart {
    const struct board *board;
    enum side below;
    int row, column;
    int square_rows, square_columns;
};

/* What is pointed at. */
struct chart_marks {
    square cursor, selected; /* SQUARE_NONE: none */
    squareset targets;       /* where the selected piece may go */
    squareset aims;          /* what its abilities may be aimed at */
    square from, to, target; /* the last move, SQUARE_NONE where it had none */
    bool battle;             /* on `to`, or on `target` */
    bool flash;              /* it has just been fought */
};

extern const struct chart_marks CHART_NO_MARKS;

/* The largest chart with names of files and ranks around it that fits into a rectangle. False if
 * none does; then `least_rows` and `least_columns` (may be NULL) say what would be needed. */
bool chart_fit(struct chart *chart, const struct board *board, enum side below, int row, int column,
               int rows, int columns, int *least_rows, int *least_columns);

/* Rows and columns of a chart with what is written around it. */
int chart_rows(const struct chart *chart);
int chart_columns(const struct chart *chart);

void chart_draw(struct screen *screen, const struct language *language, const struct chart *chart,
                const struct picture *picture, const struct chart_marks *marks);

/* The first cell of a square; the square of a cell, SQUARE_NONE where there is none. */
void chart_place(const struct chart *chart, square at, int *row, int *column);
square chart_square(const struct chart *chart, int row, int column);

/* The neighbour of a square as it is seen: files to the right, ranks up. `at` at the border. */
square chart_step(const struct chart *chart, square at, int right, int up);

#endif
