/* scene.h - a game on the screen: a title, the board, the panel beside it, a message, keys.
 *
 * Played and replayed games look alike: fill a scene and draw it. */
#ifndef ENSIGN_CLI_SCREEN_SCENE_H
#define ENSIGN_CLI_SCREEN_SCENE_H

#include "chart.h"
#include "panel.h"

enum { SCENE_TEXT_MAX = 1024, SCENE_MESSAGE_MAX = 5120 };

struct scene {
    const struct language *language;
    char title[SCENE_TEXT_MAX];  /* on the left of the first row */
    char status[SCENE_TEXT_MAX]; /* on its right */
    struct picture picture;
    struct chart_marks marks;
    struct panel panel; /* its picture and language are the scene's */
    /* Draws in the panel's place; NULL: the panel. */
    void (*draw_panel)(void *context, struct screen *screen, int row, int column, int rows,
                       int columns);
    void *context;
    char message[SCENE_MESSAGE_MAX];
    enum screen_style message_style;
    const char *brief; /* shown if the message does not fit; NULL: its end */
    const char *keys;  /* "Enter:select  ?:help": key, colon, action */

    /* Set by drawing. */
    struct chart chart;
    bool fits; /* the board is shown */
};

void scene_draw(struct scene *scene, struct screen *screen);

/* Draws the last row only: keys as in struct scene; NULL: none. */
void scene_draw_keys(struct screen *screen, const char *keys);

/* The square of a cell, or SQUARE_NONE. */
square scene_square(const struct scene *scene, int row, int column);

#endif
