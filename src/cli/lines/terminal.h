/* terminal.h - boards drawn as lines of text.
 *
 * Sides differ in shape as well as in colour: red stands in [square] brackets, blue in (round)
 * ones. Colours are used only where the terminal has them. */
#ifndef ENSIGN_CLI_LINES_TERMINAL_H
#define ENSIGN_CLI_LINES_TERMINAL_H

#include "cli/picture.h"

#include <stdio.h>

struct terminal {
    FILE *out;
    bool screen; /* somebody looks at it: no file and no pipe */
    bool colour;
};

/* `out` as it is; colours unless NO_COLOR is set or TERM is "dumb" or missing. */
struct terminal terminal_of(FILE *out);

/* Wipes the screen and what was scrolled away; a form feed where there is no screen. */
void terminal_clear(const struct terminal *terminal);

/* Notes are lines to the right of the board, or below a wide one. */
enum { TERMINAL_NOTE_COLUMNS = 20 };

void terminal_draw(const struct terminal *terminal, const struct picture *picture,
                   const char *const *notes, int note_count);

/* "10, 8 x2, S": the label of each fallen kind of a side, strongest first, with "x2" where
 * there are several; "-" if none. Returns the length that was needed. */
size_t terminal_fallen(const struct rules *rules, const uint8_t *fallen, char *out, size_t size);

#endif
