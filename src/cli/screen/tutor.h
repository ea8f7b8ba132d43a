/* tutor.h - beside the board of a lesson: what a step explains, asks for, and shows at its end. */
#ifndef ENSIGN_CLI_SCREEN_TUTOR_H
#define ENSIGN_CLI_SCREEN_TUTOR_H

#include "cli/front.h"
#include "dialog.h"

struct tutor {
    const struct language *language;
    struct front_lesson *lesson;
    bool done; /* the task is */

    /* Set by drawing: all words had room. */
    bool whole;
};

/* Draws the words into the rectangle of the panel: for struct scene. */
void tutor_draw(void *tutor, struct screen *screen, int row, int column, int rows, int columns);

/* Shows the words in a window if they had no room when they were last drawn. */
void tutor_read(struct tutor *tutor, struct screen *screen, const struct backdrop *behind);

/* Waits until the user goes on or leaves (lesson->leaves). */
void tutor_wait(struct tutor *tutor, struct screen *screen, const struct backdrop *behind);

#endif
