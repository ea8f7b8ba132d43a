/* vt.h - the terminal of a test: libvterm reads the program's output and encodes keys and clicks.
 *
 * An xterm with UTF-8. An unknown control sequence, or a query to the terminal, aborts the test. */
#ifndef ENSIGN_TESTS_CLI_VT_H
#define ENSIGN_TESTS_CLI_VT_H

#include "console.h"

#include <stdbool.h>
#include <stddef.h>

#include <vterm.h>

enum { VT_COLUMNS_MAX = 200, VT_SENT_MAX = 64 };

struct vt {
    VTerm *term; /* owned */
    VTermScreen *screen;
    int rows, columns;
    bool other; /* the alternate screen is shown */
    bool hides_cursor;
    int mouse;              /* VTERM_PROP_MOUSE_... */
    size_t used;            /* bytes of the output that have been read */
    bool in_modes;          /* the last of them is inside "\033[?1;2h" */
    char sent[VT_SENT_MAX]; /* the bytes of the last key or click */
};

void vt_open(struct vt *vt, int rows, int columns); /* columns: at most VT_COLUMNS_MAX */
void vt_close(struct vt *vt);                       /* also of one that is zero or closed */
void vt_resize(struct vt *vt, int rows, int columns);

/* Reads the new bytes of the output, which is passed whole and ends with a 0; an incomplete escape
 * sequence or character waits for its rest. */
void vt_read(struct vt *vt, const char *output, size_t length);

/* The text of a row without trailing blanks; lives until the next call. */
const char *vt_row(const struct vt *vt, int row);

/* Whether the text is somewhere on one row. */
bool vt_shows(const struct vt *vt, const char *text);

/* Reads the output of a session until one of the words, ended by NULL, is shown; returns which. */
int vt_await_any(struct vt *vt, struct console *console, const char *const *words);

/* Reads on while the text is shown: a picture may arrive in pieces, the first row first. */
void vt_await_gone(struct vt *vt, struct console *console, const char *text);

/* The first character of an unwritten cell is 0. */
VTermScreenCell vt_cell(const struct vt *vt, int row, int column);

VTermPos vt_cursor(const struct vt *vt);

/* The bytes that a key or a click of the left button sends in the modes that the program has set;
 * a click sends none while the mouse is not reported. They live until the next call. */
const char *vt_key(struct vt *vt, VTermKey key);
const char *vt_click(struct vt *vt, int row, int column);

/* Whether the terminal is in its initial modes: main screen, visible cursor, no mouse, plain arrow
 * keys. */
bool vt_is_given_back(struct vt *vt);

#endif
