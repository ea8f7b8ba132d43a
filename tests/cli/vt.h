/* vt.h - what a terminal would show of the bytes that a program has written to it.
 *
 * Knows what ncurses sends to an xterm: moving, erasing, inserting, deleting, scrolling, repeating.
 * Colours and the other screen are passed over, except that it is known which screen is shown. */
#ifndef ENSIGN_TESTS_CLI_VT_H
#define ENSIGN_TESTS_CLI_VT_H

#include <stdbool.h>
#include <stddef.h>

enum { VT_ROWS_MAX = 64, VT_COLUMNS_MAX = 200, VT_GLYPH_MAX = 8 };

struct vt {
    int rows, columns, row, column;
    int top, bottom; /* of what scrolls */
    bool wraps;      /* the last column was written, and the next character goes to the next line */
    bool other;      /* the screen of full-screen programs is shown */
    bool hides_cursor;
    size_t used; /* bytes that have been read */
    char last[VT_GLYPH_MAX];
    char glyph[VT_ROWS_MAX][VT_COLUMNS_MAX][VT_GLYPH_MAX]; /* UTF-8 */
};

void vt_open(struct vt *vt, int rows, int columns);
void vt_resize(struct vt *vt, int rows, int columns);

/* Reads what has been added to the output, which always begins at its first byte; an escape
 * sequence or character that is not complete yet waits for its rest. */
void vt_read(struct vt *vt, const char *output, size_t length);

/* The text of a row without trailing blanks; lives until the next call. */
const char *vt_row(const struct vt *vt, int row);

/* Is the text somewhere on one row? */
bool vt_shows(const struct vt *vt, const char *text);

/* All rows, for a failure's message; the caller frees. */
char *vt_text(const struct vt *vt);

#endif
