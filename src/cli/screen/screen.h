/* screen.h - a grid of cells that somebody looks at, and what that person does.
 *
 * Whoever draws fills the grid and calls screen_show(); whoever waits gets events, one at a time.
 * Behind it stands a device: the terminal (screen_curses.h) or a test's memory. Cells carry styles,
 * names of what a thing is; how a style looks is the device's business, and whatever a style says
 * is said by characters too, since a device may know no colours.
 *
 * One thread owns a screen. Any other may call screen_wake(), and nothing else. Texts are UTF-8;
 * what a device cannot show becomes '?', and drawing outside of the grid is cut off. */
#ifndef ENSIGN_CLI_SCREEN_SCREEN_H
#define ENSIGN_CLI_SCREEN_SCREEN_H

#include <stdbool.h>
#include <wchar.h>

enum screen_style {
    STYLE_PLAIN,
    STYLE_DIM,     /* what matters less */
    STYLE_TITLE,   /* headings */
    STYLE_STRONG,  /* what matters more */
    STYLE_KEY,     /* names of keys in a line of hints */
    STYLE_WARNING, /* why something cannot be */
    STYLE_FRAME,   /* borders of dialogs */
    STYLE_CHOSEN,  /* the item of a list that Enter takes */
    STYLE_FIELD,   /* where text is typed */
    STYLE_RED,     /* words about red, about blue */
    STYLE_BLUE,
    STYLE_FREE, /* squares of a board */
    STYLE_LAKE,
    STYLE_RED_PIECE, /* a known kind */
    STYLE_BLUE_PIECE,
    STYLE_RED_BACK, /* an unknown one */
    STYLE_BLUE_BACK,
    STYLE_CURSOR,   /* the square that Enter takes */
    STYLE_SELECTED, /* the piece that is to move */
    STYLE_TARGET,   /* where it may go */
    STYLE_LAST,     /* the last move */
    STYLE_BATTLE,   /* the battle just fought */
    STYLE_COUNT
};

enum {
    SCREEN_GLYPH_MAX = 3, /* a character and what combines with it */
    SCREEN_LINES_MAX = 1000
};

struct screen_cell {
    wchar_t glyph[SCREEN_GLYPH_MAX]; /* filled up with 0; the right half of a wide one is empty */
    unsigned char style;             /* enum screen_style */
};

enum screen_event_type {
    SCREEN_TIMEOUT,
    SCREEN_WOKEN,  /* by screen_wake() */
    SCREEN_KEY,    /* `key` */
    SCREEN_MOUSE,  /* the first button was pressed at `row` and `column` */
    SCREEN_WHEEL,  /* `key`: SCREEN_UP or SCREEN_DOWN; at `row` and `column` */
    SCREEN_RESIZE, /* the grid has its new size and is empty */
    SCREEN_CLOSED  /* nobody looks any more: hang-up, end of input, SIGINT, SIGTERM; for good */
};

/* Keys that are no characters; above all of Unicode. */
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
    SCREEN_F1
};

struct screen_event {
    enum screen_event_type type;
    int key; /* a character, or one of the above */
    int row, column;
};

struct screen;

struct screen_device {
    void (*show)(struct screen *screen);
    /* Waits for an event, also for a byte on screen->wake; a negative timeout is none. */
    struct screen_event (*wait)(struct screen *screen, int timeout_ms);
    void (*close)(struct screen *screen);
};

struct screen {
    int rows, columns;
    bool ascii;  /* the device shows nothing else */
    bool closed; /* SCREEN_CLOSED has come, and comes again whenever somebody waits */
    int signal;  /* that closed it; 0: none */
    int cursor_row, cursor_column; /* where the terminal's own cursor goes; -1: nowhere */
    struct screen_cell *cells;     /* row by row; owned */
    const struct screen_device *device;
    void *self;  /* the device's */
    int wake[2]; /* a pipe */
};

/* For devices: a screen of that size, empty; and another size for it. False without memory or
 * descriptors. */
bool screen_start(struct screen *screen, const struct screen_device *device, void *self, int rows,
                  int columns);
bool screen_resize(struct screen *screen, int rows, int columns);

/* Gives the terminal back. A screen that was not opened (all zero) may be closed too. */
void screen_close(struct screen *screen);

void screen_clear(struct screen *screen);
void screen_show(struct screen *screen);

/* Waits, at most so many ms (negative: for ever). Once closed it returns at once. */
struct screen_event screen_wait(struct screen *screen, int timeout_ms);

/* Makes screen_wait() return SCREEN_WOKEN, if it waits or when it is called next; several calls may
 * become one. From any thread, and from a handler of a signal. */
void screen_wake(struct screen *screen);

/* Writes a text and returns the columns it took. */
int screen_put(struct screen *screen, int row, int column, enum screen_style style,
               const char *text);
int screen_print(struct screen *screen, int row, int column, enum screen_style style,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Writes a text into exactly `width` columns: filled up with blanks, or cut and ended with '…'. */
void screen_put_in(struct screen *screen, int row, int column, int width, enum screen_style style,
                   const char *text);

/* Writes a text into lines of `width` columns, broken at blanks and at line ends, at most `rows` of
 * them, passing over the first `skip`. Returns how many lines the whole text has; with `rows` 0
 * nothing is written. */
int screen_wrap(struct screen *screen, int row, int column, int width, int rows, int skip,
                enum screen_style style, const char *text);

/* A character everywhere in a rectangle; 0 keeps what stands there and changes the style alone. */
void screen_fill(struct screen *screen, int row, int column, int rows, int columns,
                 enum screen_style style, wchar_t glyph);

/* A border with a blank inside; `title` may be NULL. */
void screen_box(struct screen *screen, int row, int column, int rows, int columns,
                const char *title);

/* The cell, or NULL outside of the grid. */
const struct screen_cell *screen_cell(const struct screen *screen, int row, int column);

#endif
