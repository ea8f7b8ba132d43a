/* screen_memory.h - a screen in memory, driven by a script.
 *
 * The script is a list of steps. A step waits until the screen shows its words, then types its
 * keys, one each time the program waits for an event. Keys are characters, or names in angle
 * brackets: <Enter> <Esc> <Up> <Down> <Left> <Right> <Home> <End> <PageUp> <PageDown> <Tab> <Back>
 * <Delete> <F2>, a click <@row,column>, another size <=rows,columns>, the end of the terminal
 * <Hangup>. After the last step the terminal hangs up. If the words do not appear within half a
 * minute the program prints the screen and aborts. */
#ifndef ENSIGN_TESTS_CLI_SCREEN_MEMORY_H
#define ENSIGN_TESTS_CLI_SCREEN_MEMORY_H

#include "cli/screen/screen.h"

struct memory_step {
    const char *shown;                   /* NULL: any screen */
    const char *keys;                    /* NULL: none */
    void (*look)(struct screen *screen); /* called when the words are shown; may be NULL */
};

struct memory {
    const struct memory_step *step; /* ended by one of all NULL */
    const char *keys; /* the step's remaining ones; NULL: still waiting for its words */
    char *picture;    /* shown last; owned */
};

/* A screen of that size with all colours and characters. */
void screen_memory_open(struct screen *screen, struct memory *memory, int rows, int columns,
                        const struct memory_step *steps);

/* The last screen, as lines without trailing blanks; lives until the next screen_show(). */
const char *screen_memory_text(const struct screen *screen);

/* The words in a rectangle of one row of the grid. */
const char *screen_memory_part(const struct screen *screen, int row, int column, int columns);

/* Finds the first place of a text; false if it is not shown. */
bool screen_memory_find(const struct screen *screen, const char *text, int *row, int *column);

#endif
