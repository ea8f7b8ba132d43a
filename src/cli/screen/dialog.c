/* dialog.c - questions and texts in a window over the screen.
 *
 * Windows are laid out for every redraw, since the screen may change its size meanwhile. */
#include "dialog.h"

#include "base/utf8.h"
#include "cli/columns.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    MARGIN = 2,
    READ_COLUMNS = 96,
    FRINGE = 12,
    ITEMS_SHOWN = 20,
    GLYPH_BYTES = 5,
    TYPED_MAX = 64
};

struct window {
    int row, column;   /* of the first cell inside */
    int rows, columns; /* inside */
};

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* A window in the middle with the given room inside, less on a small screen. */
static struct window open_window(struct screen *screen, const struct backdrop *behind,
                                 const char *title, int rows, int columns) {
    columns = larger(columns, title ? columns_of(title, SIZE_MAX) + 4 : 0);
    struct window window = {.rows = larger(1, smaller(rows, screen->rows - 2)),
                            .columns = larger(1, smaller(columns, screen->columns - 2 * MARGIN))};
    window.row = larger(1, (screen->rows - window.rows) / 2);
    window.column = larger(MARGIN, (screen->columns - window.columns) / 2);
    screen_clear(screen);
    if (behind) behind->draw(behind->context, screen);
    screen->cursor_row = screen->cursor_column = -1;
    screen_box(screen, window.row - 1, window.column - MARGIN, window.rows + 2,
               window.columns + 2 * MARGIN, title);
    return window;
}

static int item_columns(const struct dialog_item *items, int count, int *hint_column) {
    int widest = 0, hint = 0;
    for (int i = 0; i < count; i++) {
        widest = larger(widest, columns_of(items[i].text, SIZE_MAX));
        if (items[i].hint) hint = larger(hint, columns_of(items[i].hint, SIZE_MAX));
    }
    *hint_column = widest + 2;
    return hint ? widest + 2 + hint : widest;
}

/* Adds a character at the end of a line, as UTF-8, if there is room. */
static void type_glyph(char *text, size_t size, int key) {
    char bytes[GLYPH_BYTES] = "";
    int more = key < 0x80 ? 0 : key < 0x800 ? 1 : key < 0x10000 ? 2 : 3;
    if (key < ' ' || key == 0x7F || key >= SCREEN_DELETE) return;
    for (int i = more; i > 0; i--, key >>= 6) bytes[i] = (char)(0x80 | (key & 0x3F));
    static const int LEADS[] = {0, 0xC0, 0xE0, 0xF0};
    bytes[0] = (char)(LEADS[more] | key);
    if (strlen(text) + (size_t)more + 2 <= size) strcat(text, bytes);
}

/* How well a typed text fits an item, "10  Marshal": 2 if it is the whole first word, 1 if the item
 * or its second column begins with it. */
static int typed_fits(const char *item, const char *typed) {
    size_t length = strlen(typed), begins = utf8_begins(item, typed, length);
    const char *column = strstr(item, "  ");
    if (begins && begins == strcspn(item, " ")) return 2;
    return begins || (column && utf8_begins(column + strspn(column, " "), typed, length));
}

/* The item that the typed text means, beginning after `from`; -1: none. */
static int typed_item(const struct dialog_item *items, int count, int from, const char *typed) {
    int best = -1, fits = 0;
    for (int step = 1; *typed && step <= count; step++) {
        int i = (from + step) % count, now = typed_fits(items[i].text, typed);
        if (now > fits) best = i, fits = now;
    }
    return best;
}

/* Adds a key to the text typed so far, or begins it anew. Returns the item meant; -1: none. */
static int type_ahead(const struct dialog_item *items, int count, int chosen, char *typed,
                      const struct screen_event *event) {
    size_t length = strlen(typed);
    type_glyph(typed, TYPED_MAX, event->key);
    int item = strlen(typed) > length ? typed_item(items, count, chosen - 1, typed) : -1;
    if (item >= 0) return item;
    *typed = 0;
    type_glyph(typed, TYPED_MAX, event->key);
    item = typed_item(items, count, chosen, typed);
    if (item >= 0) return item;
    *typed = 0;
    type_glyph(typed, TYPED_MAX, event->command);
    item = typed_item(items, count, chosen, typed);
    if (item < 0) *typed = 0;
    return item;
}

/* The chosen item after a key; -1: cancelled; `count` is added when an item is taken. `typed`
 * holds TYPED_MAX bytes; NULL: letters choose nothing. */
static int list_key(const struct dialog_item *items, int count, int page, int chosen, char *typed,
                    const struct screen_event *event) {
    int key = event->key;
    int lettered = typed && key > ' ' ? type_ahead(items, count, chosen, typed, event) : -1;
    if (typed && lettered < 0) *typed = 0;
    switch (key) {
    case SCREEN_ENTER:
    case ' ':
        return chosen + count;
    case SCREEN_ESCAPE:
        return -1;
    case SCREEN_UP:
        return chosen ? chosen - 1 : count - 1;
    case SCREEN_DOWN:
        return chosen + 1 < count ? chosen + 1 : 0;
    case SCREEN_HOME:
        return 0;
    case SCREEN_END:
        return count - 1;
    case SCREEN_PAGE_UP:
        return larger(0, chosen - page);
    case SCREEN_PAGE_DOWN:
        return smaller(count - 1, chosen + page);
    default:
        if (lettered < 0 && event->command == 'q') return -1;
        return lettered < 0 ? chosen : lettered;
    }
}

/* Writes a title that is too long for a window's frame in lines, with a blank one behind them, if
 * `row` is not negative. Returns how many lines that takes, 0 for a title that fits the frame. */
static int put_long_title(struct screen *screen, const char *title, int row, int column) {
    int room = screen->columns - 2 * MARGIN, lines = 0;
    if (!title || columns_of(title, SIZE_MAX) + 4 <= room) return 0;
    for (size_t length; (length = columns_break(title, room)); title += length, lines++) {
        char line[SCREEN_LINES_MAX];
        size_t shown = length; /* the blanks at its end may be beyond the window */
        while (shown && title[shown - 1] == ' ') shown--;
        snprintf(line, sizeof line, "%.*s", (int)shown, title);
        if (row >= 0) screen_put_in(screen, row + lines, column, room, STYLE_TITLE, line);
    }
    return lines + 1;
}

static int choose_item(struct screen *screen, const struct backdrop *behind, const char *title,
                       const struct dialog_item *items, int count, int chosen, bool letters,
                       const int *keys, int *key) {
    int hint_column, columns = item_columns(items, count, &hint_column), top = 0;
    char text[TYPED_MAX] = "", *typed = letters ? text : NULL;
    if (count < 1) return -1;
    if (chosen < 0 || chosen >= count) chosen = 0;
    for (;;) {
        int above = put_long_title(screen, title, -1, 0);
        struct window window =
            open_window(screen, behind, above ? NULL : title, smaller(count, ITEMS_SHOWN) + above,
                        above ? screen->columns : columns + 2);
        above = smaller(above, window.rows - 1);
        if (above) put_long_title(screen, title, window.row, window.column);
        window.row += above;
        window.rows -= above;
        top = larger(smaller(top, chosen), chosen - window.rows + 1);
        for (int row = 0; row < window.rows && top + row < count; row++) {
            const struct dialog_item *item = &items[top + row];
            bool here = top + row == chosen;
            enum screen_style style = here ? STYLE_CHOSEN : STYLE_PLAIN;
            screen_put_in(screen, window.row + row, window.column, window.columns, style,
                          here ? ">" : "");
            screen_put_in(screen, window.row + row, window.column + 2,
                          smaller(hint_column, window.columns - 2), style, item->text);
            if (!item->hint) continue;
            screen_put_in(screen, window.row + row, window.column + 2 + hint_column,
                          window.columns - 2 - hint_column, here ? style : STYLE_DIM, item->hint);
        }
        if (top) screen_put(screen, window.row - 1, window.column, STYLE_FRAME, "▲");
        if (top + window.rows < count)
            screen_put(screen, window.row + window.rows, window.column, STYLE_FRAME, "▼");
        screen_show(screen);
        struct screen_event event = screen_wait(screen, -1);
        int row = event.row - window.row;
        if (event.type == SCREEN_CLOSED) return -1;
        if (event.type == SCREEN_MOUSE) {
            bool inside = event.column >= window.column &&
                          event.column < window.column + window.columns && row >= 0 &&
                          row < window.rows;
            return inside ? top + row : -1;
        }
        if (event.type == SCREEN_WHEEL) chosen = list_key(items, count, 1, chosen, typed, &event);
        if (event.type != SCREEN_KEY) continue;
        for (const int *other = keys; other && *other; other++) {
            if (event.key != *other) continue;
            *key = event.key;
            return chosen;
        }
        int next = list_key(items, count, window.rows, chosen, typed, &event);
        if (next < 0) return -1;
        if (next >= count) return next - count;
        chosen = next;
    }
}

int dialog_choose(struct screen *screen, const struct backdrop *behind, const char *title,
                  const struct dialog_item *items, int count, int chosen) {
    return choose_item(screen, behind, title, items, count, chosen, true, NULL, NULL);
}

int dialog_pick(struct screen *screen, const struct backdrop *behind, const char *title,
                const struct dialog_item *items, int count, int chosen, const int *keys, int *key) {
    *key = SCREEN_ENTER;
    return choose_item(screen, behind, title, items, count, chosen, true, keys, key);
}

/* Letters choose nothing: the key that asked, pressed twice, would choose "resign". */
bool dialog_confirm(struct screen *screen, const struct backdrop *behind, const char *question,
                    const char *yes, const char *no) {
    const struct dialog_item items[] = {{yes, NULL}, {no, NULL}};
    return choose_item(screen, behind, question, items, 2, 1, false, NULL, NULL) == 0;
}

static void untype_glyph(char *text) {
    size_t length = strlen(text);
    if (length) text[utf8_cut(text, length - 1)] = 0;
}

bool dialog_type(struct screen *screen, const struct backdrop *behind, const char *title,
                 const char *question, char *text, size_t size) {
    for (;;) {
        int wanted = larger(columns_of(question, SIZE_MAX), 40);
        struct window window = open_window(screen, behind, title, 3, wanted);
        screen_put_in(screen, window.row, window.column, window.columns, STYLE_PLAIN, question);
        const char *shown = text; /* the end of it, if longer than the field */
        while (columns_of(shown, SIZE_MAX) > window.columns - 1) do
                shown++;
            while (utf8_continues(*shown));
        screen_put_in(screen, window.row + 1, window.column, window.columns, STYLE_FIELD, shown);
        screen->cursor_row = window.row + 1;
        screen->cursor_column = window.column + columns_of(shown, SIZE_MAX);
        screen_show(screen);
        struct screen_event event = screen_wait(screen, -1);
        if (event.type == SCREEN_CLOSED) return false;
        if (event.type != SCREEN_KEY) continue;
        if (event.key == SCREEN_ESCAPE) return false;
        if (event.key == SCREEN_ENTER) return true;
        if (event.key == SCREEN_BACKSPACE)
            untype_glyph(text);
        else
            type_glyph(text, size, event.key);
    }
}

/* On a narrow screen the window takes the whole width. */
int dialog_columns(const struct screen *screen) {
    int most = screen->columns - 2 * MARGIN;
    return larger(1, most < READ_COLUMNS + FRINGE ? most : READ_COLUMNS);
}

void dialog_read(struct screen *screen, const struct backdrop *behind, const char *title,
                 const char *text) {
    int top = 0;
    for (;;) {
        int width = dialog_columns(screen);
        int lines = screen_wrap(screen, 0, 0, width, 0, 0, STYLE_PLAIN, text);
        struct window window = open_window(screen, behind, title, lines, width);
        top = larger(0, smaller(top, lines - window.rows));
        screen_wrap(screen, window.row, window.column, window.columns, window.rows, top,
                    STYLE_PLAIN, text);
        if (top) screen_put(screen, window.row - 1, window.column, STYLE_FRAME, "▲");
        if (top + window.rows < lines)
            screen_put(screen, window.row + window.rows, window.column, STYLE_FRAME, "▼");
        screen_show(screen);
        struct screen_event event = screen_wait(screen, -1);
        int step = 0;
        if (event.type == SCREEN_CLOSED || event.type == SCREEN_MOUSE) return;
        if (event.type != SCREEN_KEY && event.type != SCREEN_WHEEL) continue;
        switch (event.command) {
        case SCREEN_UP:
        case 'k':
            step = -1;
            break;
        case SCREEN_DOWN:
        case 'j':
            step = 1;
            break;
        case SCREEN_PAGE_UP:
            step = -window.rows;
            break;
        case SCREEN_PAGE_DOWN:
        case ' ':
            step = window.rows;
            break;
        case SCREEN_HOME:
            step = -top;
            break;
        case SCREEN_END:
            step = lines;
            break;
        default:
            return;
        }
        top += step;
    }
}
