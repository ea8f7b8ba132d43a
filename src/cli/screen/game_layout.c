/* game_layout.c - a game on the screen: a title, the board, the panel beside it, a message, keys.
 *
 * The board gets the largest squares that leave room for the panel beside it, else for the panel
 * below it, else without a panel. */
#include "game_layout.h"

#include "cli/columns.h"
#include "error_banner.h"

#include <stdio.h>
#include <string.h>

enum {
    TITLE_ROWS = 1,
    KEYS_ROWS = 1,
    MESSAGE_ROWS = 1,
    MESSAGE_ROWS_MAX = 3,
    GAP = 2,
    KEYS_MAX = 16
};

/* A rectangle of the screen. */
struct area {
    int row, column, rows, columns;
};

/* Places the board and the panel in an area; a panel without room has no rows. */
static void game_layout_lay_out(struct game_layout *layout, struct area all, struct area *panel) {
    const struct board *board = layout->picture.board;
    enum side below = layout->picture.below;
    struct chart *chart = &layout->chart;
    *panel = (struct area){0};
    layout->fits = chart_fit(chart, board, below, all.row, all.column, all.rows,
                             all.columns - PANEL_COLUMNS_MIN - GAP, NULL, NULL);
    if (layout->fits) {
        int column = all.column + chart_columns(chart) + GAP;
        *panel = (struct area){all.row, column, all.rows, all.columns - column};
        if (panel->columns > PANEL_COLUMNS_MAX) panel->columns = PANEL_COLUMNS_MAX;
        return;
    }
    layout->fits = chart_fit(chart, board, below, all.row, all.column,
                             all.rows - PANEL_ROWS_MIN - 1, all.columns, NULL, NULL);
    if (layout->fits) {
        int row = all.row + chart_rows(chart) + 1;
        *panel = (struct area){row, all.column, all.row + all.rows - row, all.columns};
        return;
    }
    layout->fits =
        chart_fit(chart, board, below, all.row, all.column, all.rows, all.columns, NULL, NULL);
}

static void draw_title(const struct game_layout *layout, struct screen *screen) {
    int status = columns_of(layout->status, SIZE_MAX);
    int room = screen->columns - status - (status > 0);
    if (room > 0) screen_put_in(screen, 0, 0, room, STYLE_TITLE, layout->title);
    screen_put(screen, 0, room > 0 ? room + (status > 0) : 0, STYLE_STRONG, layout->status);
}

/* Bytes of a word's key, which a colon ends ("Enter:", ":" in "::"); 0: it belongs to the key
 * before it. */
static size_t key_length(const char *word) {
    size_t length = strcspn(word, " ");
    const char *colon = memchr(word, ':', length);
    size_t key = colon == word ? 1 : colon ? (size_t)(colon - word) : 0;
    return key && word[key] == ':' ? key : 0;
}

/* A key and its words. */
struct key_entry {
    const char *text;
    size_t key, length; /* bytes; the length without blanks at the end */
    int columns;
    bool kept;
};

static size_t split_keys(const char *text, struct key_entry entries[KEYS_MAX]) {
    size_t count = 0;
    while (*text && count < KEYS_MAX) {
        struct key_entry *entry = &entries[count++];
        *entry = (struct key_entry){.text = text, .key = key_length(text)};
        do {
            text += strcspn(text, " ");
            entry->length = (size_t)(text - entry->text);
            text += strspn(text, " ");
        } while (*text && !key_length(text));
        entry->columns = columns_of(entry->text, entry->length);
    }
    return count;
}

/* Help and the way out are always told; of the others those that still have room. */
static void keep_keys(struct key_entry *entries, size_t count, int room) {
    static const char first[] = {'q', '?', 0};
    for (size_t turn = 0; turn < sizeof first; turn++)
        for (size_t i = 0; i < count; i++) {
            struct key_entry *entry = &entries[i];
            bool wanted = !first[turn] || (entry->key == 1 && entry->text[0] == first[turn]);
            if (!wanted || entry->kept || entry->columns > room) continue;
            entry->kept = true;
            room -= entry->columns + 1;
        }
}

void game_layout_draw_keys(struct screen *screen, const char *keys) {
    struct key_entry entries[KEYS_MAX];
    size_t count = split_keys(keys ? keys : "", entries);
    int row = screen->rows - 1, column = 0;
    keep_keys(entries, count, screen->columns);
    for (size_t i = 0; i < count; i++) {
        const struct key_entry *entry = &entries[i];
        size_t after = entry->key ? entry->key + 1 : 0;
        char word[128];
        if (!entry->kept) continue;
        snprintf(word, sizeof word, "%.*s", (int)entry->key, entry->text);
        column += screen_put(screen, row, column, STYLE_KEY, word) + (after > 0);
        snprintf(word, sizeof word, "%.*s", (int)(entry->length - after), entry->text + after);
        column += screen_put(screen, row, column, STYLE_DIM, word) + 1;
    }
}

static void draw_too_small(const struct game_layout *layout, struct screen *screen) {
    int rows, columns;
    char text[GAME_LAYOUT_TEXT_MAX];
    chart_fit(&(struct chart){0}, layout->picture.board, RED, 0, 0, 0, 0, &rows, &columns);
    rows += TITLE_ROWS + MESSAGE_ROWS + KEYS_ROWS;
    language_write(text, sizeof text, layout->language,
                   "The window is too small: this board takes {1} columns and {2} rows.",
                   NUMBER_TEXT(columns), NUMBER_TEXT(rows));
    screen_wrap(screen, 0, 0, screen->columns, screen->rows, 0, STYLE_WARNING, text);
    screen_fill(screen, screen->rows - KEYS_ROWS, 0, KEYS_ROWS, screen->columns, STYLE_PLAIN, ' ');
    game_layout_draw_keys(screen, layout->keys);
}

/* The message stands above the keys and may use the rows that the board leaves free, unless the
 * panel lies there. */
static void draw_message(const struct game_layout *layout, struct screen *screen, int free_rows,
                         const struct area *panel) {
    bool beside = panel->column > 0;
    int rows = MESSAGE_ROWS + (beside || !panel->rows ? free_rows : 0);
    if (rows > MESSAGE_ROWS_MAX) rows = MESSAGE_ROWS_MAX;
    int width = rows > MESSAGE_ROWS && beside ? panel->column - GAP : screen->columns;
    char line[GAME_LAYOUT_MESSAGE_MAX];
    const char *text = layout->message;
    /* A message that fits into one full row is not wrapped beside the panel. */
    if (screen_wrap(screen, 0, 0, screen->columns, 0, 0, STYLE_PLAIN, text) <= MESSAGE_ROWS) {
        rows = MESSAGE_ROWS;
        width = screen->columns;
    }
    if (rows == MESSAGE_ROWS && columns_of(text, SIZE_MAX) <= width) {
        snprintf(line, sizeof line, "%s", text);
        for (char *end = line; (end = strchr(end, '\n'));) *end = ' ';
        text = line;
    }
    int lines = screen_wrap(screen, 0, 0, width, 0, 0, STYLE_PLAIN, text);
    if (lines > rows && layout->brief && layout->message_style != STYLE_WARNING) {
        text = layout->brief;
        lines = screen_wrap(screen, 0, 0, width, 0, 0, STYLE_PLAIN, text);
    }
    /* A story keeps its end, a warning its beginning. */
    if (lines < rows) rows = lines;
    screen_wrap(screen, screen->rows - KEYS_ROWS - rows, 0, width, rows,
                layout->message_style == STYLE_WARNING ? 0 : lines - rows, layout->message_style,
                text);
}

/* Rows for what is pinned, as far as the smallest board leaves them. */
static int rows_to_pin(const struct game_layout *layout, struct screen *screen, int rows) {
    int least, columns;
    if (!screen->banner) return 0;
    chart_fit(&(struct chart){0}, layout->picture.board, RED, 0, 0, 0, 0, &least, &columns);
    return error_banner_rows(screen->banner, screen, screen->columns, rows - least);
}

void game_layout_draw(struct game_layout *layout, struct screen *screen) {
    struct area all = {TITLE_ROWS, 0, 0, screen->columns}, panel;
    all.rows = screen->rows - TITLE_ROWS - MESSAGE_ROWS - KEYS_ROWS;
    int pinned = rows_to_pin(layout, screen, all.rows);
    all.rows -= pinned;
    game_layout_lay_out(layout, all, &panel);
    if (!layout->fits) {
        draw_too_small(layout, screen);
        return;
    }
    draw_title(layout, screen);
    chart_draw(screen, layout->language, &layout->chart, &layout->picture, &layout->marks);
    layout->panel.language = layout->language;
    layout->panel.picture = &layout->picture;
    layout->panel.at = layout->marks.cursor;
    if (panel.rows > 0 && layout->draw_panel) {
        layout->draw_panel(layout->context, screen, panel.row, panel.column, panel.rows,
                           panel.columns);
    } else if (panel.rows > 0) {
        panel_draw(screen, &layout->panel, panel.row, panel.column, panel.rows, panel.columns);
    }
    if (pinned)
        error_banner_draw(screen->banner, screen, all.row + all.rows, pinned, screen->columns);
    draw_message(layout, screen, pinned ? 0 : all.rows - chart_rows(&layout->chart), &panel);
    game_layout_draw_keys(screen, layout->keys);
    if (layout->marks.cursor != SQUARE_NONE) {
        chart_place(&layout->chart, layout->marks.cursor, &screen->cursor_row,
                    &screen->cursor_column);
    }
}

square game_layout_square(const struct game_layout *layout, int row, int column) {
    return layout->fits ? chart_square(&layout->chart, row, column) : SQUARE_NONE;
}
