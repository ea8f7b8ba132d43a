/* screen_memory.h - a screen in memory, at which a script sits.
 *
 * The script is a list of steps. A step waits until the screen shows its words, then types its
 * keys, one each time somebody waits for an event. Keys are characters, or names in angle brackets:
 * <Enter> <Esc> <Up> <Down> <Left> <Right> <Home> <End> <PageUp> <PageDown> <Tab> <Back>, a click
 * <@row,column>, another size <=rows,columns>, the end of the terminal <Hangup>. After the last
 * step the terminal is gone. Where the words do not appear within half a minute the program ends
 * with the screen printed. */
#ifndef ENSIGN_TESTS_CLI_SCREEN_MEMORY_H
#define ENSIGN_TESTS_CLI_SCREEN_MEMORY_H

#include "cli/screen/screen.h"

struct memory_step {
    const char *shown;                   /* NULL: whatever is shown */
    const char *keys;                    /* NULL: none */
    void (*look)(struct screen *screen); /* called when the words are shown; may be NULL */
};

struct memory {
    const struct memory_step *step; /* ended by one of all NULL */
    const char *keys;               /* what is left of the step's; NULL: its words are awaited */
    char *picture;                  /* what was shown last; owned */
};

/* A screen of that size; colours and characters as a terminal of the best sort. */
void screen_memory_open(struct screen *screen, struct memory *memory, int rows, int columns,
                        const struct memory_step *steps);

/* What was shown last, as lines without trailing blanks; lives until the next screen_show(). */
const char *screen_memory_text(const struct screen *screen);

/* The words in a rectangle of one row of the grid. */
const char *screen_memory_part(const struct screen *screen, int row, int column, int columns);

/* Where a text is shown first; false if nowhere. */
bool screen_memory_find(const struct screen *screen, const char *text, int *row, int *column);

#endif
