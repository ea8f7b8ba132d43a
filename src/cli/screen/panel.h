/* panel.h - beside the board: fallen pieces, limits, the square under the cursor, moves.
 *
 * Built from one side's view, so it holds nothing that the side may not know. */
#ifndef ENSIGN_CLI_SCREEN_PANEL_H
#define ENSIGN_CLI_SCREEN_PANEL_H

#include "cli/picture.h"
#include "game_log.h"
#include "lua/language.h"
#include "printed.h"
#include "screen.h"

enum { PANEL_COLUMNS_MIN = 22, PANEL_COLUMNS_MAX = 40, PANEL_ROWS_MIN = 5 };

struct panel {
    const struct language *language;
    const struct rules *rules;
    const struct view *view;         /* NULL: before the game */
    const struct picture *picture;   /* the board as shown */
    square at;                       /* to describe; SQUARE_NONE: none */
    const struct movelist *movelist; /* may be NULL */
    uint32_t shown;                  /* plies on the board; the last is marked in the list */
    enum side first;                 /* to move first */
    struct printed *printed;         /* by the bots; NULL: nothing */
    enum eyes_of eyes;               /* whose lines of it are shown */
};

/* Draws as much as fits into a rectangle. */
void panel_draw(struct screen *screen, const struct panel *panel, int row, int column, int rows,
                int columns);

#endif
