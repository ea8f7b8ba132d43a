/* screen.c - the grid of every screen, and writing text into it.
 *
 * Invariants: `cells` holds rows * columns cells; every cell but the right half of a wide character
 * holds a printable one. Widths are those of wcwidth() in the current locale. */
#include "screen.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "cli/columns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PRINT_MAX = 1024 };

/* ASCII for the characters that the program itself draws with. */
static const struct {
    wchar_t glyph;
    char plain;
} PLAIN[] = {
    {L'─', '-'}, {L'│', '|'}, {L'┌', '+'},  {L'┐', '+'},  {L'└', '+'}, {L'┘', '+'},
    {L'╭', '.'}, {L'╮', '.'}, {L'╰', '\''}, {L'╯', '\''}, {L'·', '.'}, {L'•', 'o'},
    {L'…', '.'}, {L'←', '<'}, {L'→', '>'},  {L'↑', '^'},  {L'↓', 'v'}, {L'×', 'x'},
    {L'≈', '~'}, {L'▒', '#'}, {L'▲', '^'},  {L'▼', 'v'},
};

bool screen_resize(struct screen *screen, int rows, int columns) {
    if (rows < 1) rows = 1;
    if (columns < 1) columns = 1;
    if (rows > SCREEN_LINES_MAX) rows = SCREEN_LINES_MAX;
    if (columns > SCREEN_LINES_MAX) columns = SCREEN_LINES_MAX;
    size_t count = (size_t)rows * (size_t)columns;
    struct screen_cell *cells = malloc(count * sizeof *cells);
    if (!cells) return false;
    free(screen->cells);
    screen->cells = cells;
    screen->rows = rows;
    screen->columns = columns;
    screen_clear(screen);
    return true;
}

bool screen_start(struct screen *screen, const struct screen_device *device, void *self, int rows,
                  int columns) {
    *screen = (struct screen){.device = device, .self = self, .wake = {-1, -1}};
    if (!screen_resize(screen, rows, columns) || pipe(screen->wake) < 0) {
        free(screen->cells);
        *screen = (struct screen){0};
        return false;
    }
    for (int end = 0; end < 2; end++) {
        fcntl(screen->wake[end], F_SETFD, FD_CLOEXEC);
        fcntl(screen->wake[end], F_SETFL, O_NONBLOCK);
    }
    return true;
}

void screen_close(struct screen *screen) {
    if (!screen->device) return;
    screen->device->close(screen);
    close(screen->wake[0]);
    close(screen->wake[1]);
    free(screen->cells);
    *screen = (struct screen){0};
}

void screen_clear(struct screen *screen) {
    screen->cursor_row = screen->cursor_column = -1;
    screen_fill(screen, 0, 0, screen->rows, screen->columns, STYLE_PLAIN, L' ');
}

void screen_show(struct screen *screen) {
    if (!screen->closed) screen->device->show(screen);
}

struct screen_event screen_wait(struct screen *screen, int timeout_ms) {
    struct screen_event event = {.type = SCREEN_CLOSED};
    int left = screen->alarm ? clock_left(screen->alarm) : -1;
    if (left >= 0 && (timeout_ms < 0 || left < timeout_ms)) timeout_ms = left;
    if (!screen->closed) event = screen->device->wait(screen, timeout_ms);
    if (event.type == SCREEN_CLOSED) screen->closed = true;
    event.command = keyboard_latin(screen->keyboard, event.key);
    return event;
}

void screen_wake(struct screen *screen) {
    int before = errno;
    ssize_t written = write(screen->wake[1], "", 1); /* if the pipe is full, it wakes anyway */
    (void)written;
    errno = before;
}

static struct screen_cell *cell_at(const struct screen *screen, int row, int column) {
    if (row < 0 || column < 0 || row >= screen->rows || column >= screen->columns) return NULL;
    return &screen->cells[row * screen->columns + column];
}

const struct screen_cell *screen_cell(const struct screen *screen, int row, int column) {
    return cell_at(screen, row, column);
}

/* Reads a character and advances; '?' if it is not safe to show (base/utf8.h). Selectors and
 * joiners are left out: terminals do not agree on their columns. */
static wchar_t next_glyph(const char **text) {
    uint32_t glyph = 0;
    const size_t used = utf8_read(*text, &glyph), safe = utf8_safe_length(*text, SIZE_MAX);
    *text += safe ? safe : used ? used : 1;
    return safe ? (wchar_t)glyph : L'?';
}

/* Columns of a character, or of the '?' shown in its place. */
static int glyph_columns(wchar_t glyph) {
    int columns = wcwidth(glyph);
    return columns < 0 ? 1 : columns;
}

static wchar_t shown_glyph(const struct screen *screen, wchar_t glyph) {
    if (glyph >= 0x20 && glyph < 0x7F) return glyph;
    if (screen->ascii) {
        for (size_t i = 0; i < sizeof PLAIN / sizeof PLAIN[0]; i++)
            if (PLAIN[i].glyph == glyph) return (wchar_t)PLAIN[i].plain;
        return wcwidth(glyph) ? L'?' : 0;
    }
    return wcwidth(glyph) < 0 ? L'?' : glyph;
}

/* Writes a character and returns its columns. */
static int put_glyph(struct screen *screen, int row, int column, enum screen_style style,
                     wchar_t glyph) {
    wchar_t shown = shown_glyph(screen, glyph);
    int columns = shown ? glyph_columns(shown) : 0;
    struct screen_cell *cell = cell_at(screen, row, column - (columns == 0));
    if (columns == 0) {
        for (int i = 1; shown && cell && i < SCREEN_GLYPH_MAX; i++) {
            if (cell->glyph[i]) continue;
            cell->glyph[i] = shown;
            break;
        }
        return 0;
    }
    struct screen_cell *half = columns == 2 ? cell_at(screen, row, column + 1) : NULL;
    if (columns == 2 && !half) shown = L' ';
    if (half) *half = (struct screen_cell){.style = (unsigned char)style};
    if (cell) *cell = (struct screen_cell){{shown}, (unsigned char)style};
    return columns;
}

int screen_put(struct screen *screen, int row, int column, enum screen_style style,
               const char *text) {
    int at = column;
    while (*text) at += put_glyph(screen, row, at, style, next_glyph(&text));
    return at - column;
}

int screen_print(struct screen *screen, int row, int column, enum screen_style style,
                 const char *format, ...) {
    char text[PRINT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return screen_put(screen, row, column, style, text);
}

void screen_put_in(struct screen *screen, int row, int column, int width, enum screen_style style,
                   const char *text) {
    bool fits = columns_of(text, SIZE_MAX) <= width;
    if (width < 1) return;
    int used = 0;
    while (*text) {
        const char *next = text;
        wchar_t glyph = next_glyph(&next);
        if (used + glyph_columns(glyph) > width - !fits) break;
        used += put_glyph(screen, row, column + used, style, glyph);
        text = next;
    }
    if (!fits) used += put_glyph(screen, row, column + used, style, L'…');
    while (used < width) used += put_glyph(screen, row, column + used, style, L' ');
}

int screen_wrap(struct screen *screen, int row, int column, int width, int rows, int skip,
                enum screen_style style, const char *text) {
    int lines = 0;
    if (width < 1) return 0;
    while (*text) {
        const char *end = text + columns_break(text, width);
        const char *next = *end == '\n' ? end + 1 : end;
        if (lines >= skip && lines < skip + rows) {
            int at = column;
            while (text < end)
                at += put_glyph(screen, row + lines - skip, at, style, next_glyph(&text));
        }
        lines++;
        text = next;
    }
    return lines;
}

void screen_fill(struct screen *screen, int row, int column, int rows, int columns,
                 enum screen_style style, wchar_t glyph) {
    for (int y = row; y < row + rows; y++) {
        for (int x = column; x < column + columns; x++) {
            struct screen_cell *cell = cell_at(screen, y, x);
            if (glyph) put_glyph(screen, y, x, style, glyph);
            if (cell) cell->style = (unsigned char)style;
        }
    }
}

void screen_box(struct screen *screen, int row, int column, int rows, int columns,
                const char *title) {
    int bottom = row + rows - 1, right = column + columns - 1;
    screen_fill(screen, row, column, rows, columns, STYLE_FRAME, L' ');
    screen_fill(screen, row, column, 1, columns, STYLE_FRAME, L'─');
    screen_fill(screen, bottom, column, 1, columns, STYLE_FRAME, L'─');
    screen_fill(screen, row, column, rows, 1, STYLE_FRAME, L'│');
    screen_fill(screen, row, right, rows, 1, STYLE_FRAME, L'│');
    put_glyph(screen, row, column, STYLE_FRAME, L'┌');
    put_glyph(screen, row, right, STYLE_FRAME, L'┐');
    put_glyph(screen, bottom, column, STYLE_FRAME, L'└');
    put_glyph(screen, bottom, right, STYLE_FRAME, L'┘');
    if (!title || !*title || columns < 7) return;
    int width = columns_of(title, SIZE_MAX);
    if (width > columns - 6) width = columns - 6;
    put_glyph(screen, row, column + 2, STYLE_FRAME, L' ');
    screen_put_in(screen, row, column + 3, width, STYLE_TITLE, title);
    put_glyph(screen, row, column + 3 + width, STYLE_FRAME, L' ');
}
