/* screen.h - a grid of cells to draw on, and the user's events.
 *
 * Fill the grid, call screen_show(), and take events one at a time from screen_wait(). The device
 * behind it is the terminal (screen_curses.h) or a test's memory. A cell's style names the meaning
 * of the cell; the device chooses its look. No meaning rests on style alone, since a device may
 * have no colours.
 *
 * One thread owns a screen; other threads may call screen_wake() only. Texts are UTF-8; a character
 * that the device cannot show becomes '?', and drawing is clipped to the grid. */
#ifndef ENSIGN_CLI_SCREEN_SCREEN_H
#define ENSIGN_CLI_SCREEN_SCREEN_H

#include "cli/keyboard.h"
#include "host/changes.h"

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

enum screen_style {
    STYLE_PLAIN,
    STYLE_DIM,     /* less important */
    STYLE_TITLE,   /* headings */
    STYLE_STRONG,  /* more important */
    STYLE_KEY,     /* names of keys in a line of hints */
    STYLE_WARNING, /* why something is refused */
    STYLE_FRAME,   /* borders of dialogs */
    STYLE_CHOSEN,  /* the item of a list that Enter takes */
    STYLE_FIELD,   /* text input */
    STYLE_RED,     /* words about red, about blue */
    STYLE_BLUE,
    STYLE_FREE, /* squares of a board */
    STYLE_LAKE,
    STYLE_RED_PIECE, /* a known kind */
    STYLE_BLUE_PIECE,
    STYLE_RED_BACK, /* an unknown kind */
    STYLE_BLUE_BACK,
    STYLE_GUESS,    /* the person's own mark on an unknown one */
    STYLE_CURSOR,   /* the square that Enter takes */
    STYLE_SELECTED, /* the piece picked up */
    STYLE_TARGET,   /* where it can go */
    STYLE_ADVISED,  /* the move of a hint */
    STYLE_LAST,     /* the last move */
    STYLE_BATTLE,   /* the battle just fought */
    STYLE_COUNT
};

enum {
    SCREEN_GLYPH_MAX = 3, /* a character and its combining ones */
    SCREEN_LINES_MAX = 1000
};

struct screen_cell {
    wchar_t glyph[SCREEN_GLYPH_MAX]; /* 0-padded; empty in the right half of a wide one */
    unsigned char style;             /* enum screen_style */
};

enum screen_event_type {
    SCREEN_TIMEOUT,
    SCREEN_WOKEN,  /* by screen_wake() */
    SCREEN_KEY,    /* `key` */
    SCREEN_MOUSE,  /* the first button was pressed at `row` and `column` */
    SCREEN_WHEEL,  /* `key`: SCREEN_UP or SCREEN_DOWN; at `row` and `column` */
    SCREEN_RESIZE, /* the grid has its new size and is empty */
    SCREEN_CLOSED  /* hang-up, end of input, SIGINT or SIGTERM, or interrupted; final */
};

/* Keys without a character lie above Unicode. */
enum {
    SCREEN_ENTER = '\n',
    SCREEN_ESCAPE = 27,
    SCREEN_TAB = '\t',
    SCREEN_BACKSPACE = 8,
    SCREEN_DELETE = 0x200000,
    SCREEN_UP,
    SCREEN_DOWN,
    SCREEN_LEFT,
    SCREEN_RIGHT,
    SCREEN_HOME,
    SCREEN_END,
    SCREEN_PAGE_UP,
    SCREEN_PAGE_DOWN,
    SCREEN_BACK_TAB,
    SCREEN_F1,
    SCREEN_F2
};

struct screen_event {
    enum screen_event_type type;
    int key;     /* a character, or one of the above */
    int command; /* the same, a Cyrillic letter as the Latin one on its key */
    int row, column;
};

struct screen;
struct error_banner; /* error_banner.h */

struct screen_device {
    void (*show)(struct screen *screen);
    /* Waits for an event or a byte on screen->wake; a negative timeout waits for ever. */
    struct screen_event (*wait)(struct screen *screen, int timeout_ms);
    void (*close)(struct screen *screen);
};

struct screen {
    int rows, columns;
    bool ascii;                        /* the device shows ASCII only */
    bool closed;                       /* from now on every wait returns SCREEN_CLOSED */
    enum keyboard keyboard;            /* of `command` */
    int64_t alarm;                     /* time of clock_ms() at which any wait ends; 0: none */
    int signal;                        /* that closed the screen; 0: none */
    struct changes *changes;           /* close the screen; NULL: none */
    bool interrupted;                  /* it was closed by a change */
    const struct error_banner *banner; /* stays under every board; NULL: none */
    int cursor_row, cursor_column;     /* of the terminal's own cursor; -1: hidden */
    struct screen_cell *cells;         /* row by row; owned */
    const struct screen_device *device;
    void *self;  /* the device's */
    int wake[2]; /* a pipe */
};

/* For devices: makes an empty screen; changes its size and clears it. False without memory or
 * descriptors. */
bool screen_start(struct screen *screen, const struct screen_device *device, void *self, int rows,
                  int columns);
bool screen_resize(struct screen *screen, int rows, int columns);

/* Restores the terminal. A screen that was never opened (all zero) may be closed too. */
void screen_close(struct screen *screen);

void screen_clear(struct screen *screen);
void screen_show(struct screen *screen);

/* Waits at most `timeout_ms` (negative: for ever), and not beyond `alarm`. A closed screen returns
 * at once. */
struct screen_event screen_wait(struct screen *screen, int timeout_ms);

/* Makes the current or the next screen_wait() return SCREEN_WOKEN; several calls may merge into
 * one. Safe in any thread and in a signal handler. */
void screen_wake(struct screen *screen);

/* Writes a text and returns its width in columns. */
int screen_put(struct screen *screen, int row, int column, enum screen_style style,
               const char *text);
int screen_print(struct screen *screen, int row, int column, enum screen_style style,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Writes a text into exactly `width` columns: padded with blanks, or cut and ended with '…'. */
void screen_put_in(struct screen *screen, int row, int column, int width, enum screen_style style,
                   const char *text);

/* Wraps a text to `width` columns and writes at most `rows` of its lines, from line `skip` on.
 * Returns the line count of the whole text; with `rows` 0 nothing is written. */
int screen_wrap(struct screen *screen, int row, int column, int width, int rows, int skip,
                enum screen_style style, const char *text);

/* Fills a rectangle with a character; 0 keeps the characters and changes the style only. */
void screen_fill(struct screen *screen, int row, int column, int rows, int columns,
                 enum screen_style style, wchar_t glyph);

/* A border around a blank rectangle; `title` may be NULL. */
void screen_box(struct screen *screen, int row, int column, int rows, int columns,
                const char *title);

/* The cell, or NULL outside of the grid. */
const struct screen_cell *screen_cell(const struct screen *screen, int row, int column);

#endif
