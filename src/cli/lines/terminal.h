/* terminal.h - draws boards as text.
 *
 * Sides differ in shape as well as in colour: red is in [square] brackets, blue in (round) ones.
 * Colours are used only where the terminal supports them. */
#ifndef ENSIGN_CLI_LINES_TERMINAL_H
#define ENSIGN_CLI_LINES_TERMINAL_H

#include "cli/picture.h"
#include "lua/language.h"

#include <stdio.h>

struct terminal {
    FILE *out;
    bool screen; /* `out` is a terminal */
    bool colour;
};

/* Colours unless `out` is no terminal, NO_COLOR is set, or TERM is "dumb" or missing. */
struct terminal terminal_of(FILE *out);

/* Wipes the screen and its scrollback; prints a form feed if `out` is no terminal. */
void terminal_clear(const struct terminal *terminal);

/* Notes are printed to the right of the board, or below a wide one. */
enum { TERMINAL_NOTE_COLUMNS = 20 };

void terminal_draw(const struct terminal *terminal, const struct picture *picture,
                   const char *const *notes, int note_count);

/* A counter with its value, or with both sides': "Points: Red 2, Blue 0". */
void terminal_counter(const struct language *language, const struct view *view, int counter,
                      char *out, size_t size);

/* Writes the labels of the fallen kinds of a side, strongest first: "10, 8 x2, S"; "-" if none.
 * Returns the length of the whole list. */
size_t terminal_fallen(const struct view *view, enum side side, char *out, size_t size);

#endif
