/* game_layout.h - a game on the screen: a title, the board, the panel beside it, a message, keys.
 *
 * Played and replayed games look alike: fill a layout and draw it. */
#ifndef ENSIGN_CLI_SCREEN_GAME_LAYOUT_H
#define ENSIGN_CLI_SCREEN_GAME_LAYOUT_H

#include "chart.h"
#include "panel.h"

enum { GAME_LAYOUT_TEXT_MAX = 1024, GAME_LAYOUT_MESSAGE_MAX = 5120 };

struct game_layout {
    const struct language *language;
    char title[GAME_LAYOUT_TEXT_MAX];  /* on the left of the first row */
    char status[GAME_LAYOUT_TEXT_MAX]; /* on its right */
    struct picture picture;
    struct chart_marks marks;
    struct panel panel; /* its picture and language are the layout's */
    /* Draws in the panel's place; NULL: the panel. */
    void (*draw_panel)(void *context, struct screen *screen, int row, int column, int rows,
                       int columns);
    void *context;
    char message[GAME_LAYOUT_MESSAGE_MAX];
    enum screen_style message_style;
    const char *brief; /* shown if the message does not fit; NULL: its end */
    const char *keys;  /* "Enter:select  ?:help": key, colon, action */

    /* Set by drawing. */
    struct chart chart;
    bool fits; /* the board is shown */
};

void game_layout_draw(struct game_layout *layout, struct screen *screen);

/* Draws the last row only: keys as in struct game_layout; NULL: none. */
void game_layout_draw_keys(struct screen *screen, const char *keys);

/* The square of a cell, or SQUARE_NONE. */
square game_layout_square(const struct game_layout *layout, int row, int column);

#endif
