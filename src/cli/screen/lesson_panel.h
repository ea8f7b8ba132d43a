/* lesson_panel.h - beside the board of a lesson: what a step explains, asks for, and shows at its
 * end. */
#ifndef ENSIGN_CLI_SCREEN_LESSON_PANEL_H
#define ENSIGN_CLI_SCREEN_LESSON_PANEL_H

#include "cli/ui.h"
#include "dialog.h"

struct lesson_panel {
    const struct language *language;
    struct ui_lesson *lesson;
    bool done; /* the task is */

    /* Set by drawing: all words had room. */
    bool whole;
};

/* Draws the words into the rectangle of the panel: for struct game_layout. */
void lesson_panel_draw(void *lesson_panel, struct screen *screen, int row, int column, int rows,
                       int columns);

/* Shows the words in a window if they had no room when they were last drawn. */
void lesson_panel_read(struct lesson_panel *lesson_panel, struct screen *screen,
                       const struct backdrop *behind);

/* Waits until the user goes on or leaves (lesson->leaves). */
void lesson_panel_wait(struct lesson_panel *lesson_panel, struct screen *screen,
                       const struct backdrop *behind);

#endif
