/* panel.h - what is told beside the board: the fallen, limits, the piece under the cursor, moves.
 *
 * Everything comes from one side's view, and so holds nothing that the side may not know. */
#ifndef ENSIGN_CLI_SCREEN_PANEL_H
#define ENSIGN_CLI_SCREEN_PANEL_H

#include "cli/picture.h"
#include "lua/language.h"
#include "movelist.h"
#include "screen.h"

enum { PANEL_COLUMNS_MIN = 22, PANEL_COLUMNS_MAX = 40, PANEL_ROWS_MIN = 5 };

struct panel {
    const struct language *language;
    const struct rules *rules;
    const struct view *view;         /* NULL: before the game */
    const struct picture *picture;   /* what is shown of the square */
    square at;                       /* that is told about; SQUARE_NONE: none */
    const struct movelist *movelist; /* may be NULL */
    uint32_t shown;                  /* plies that the board shows; the last of them is marked */
    enum side first;                 /* who began */
};

/* Draws into a rectangle what there is room for. */
void panel_draw(struct screen *screen, const struct panel *panel, int row, int column, int rows,
                int columns);

#endif
