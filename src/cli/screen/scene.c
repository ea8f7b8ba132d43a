/* scene.c - a game on the screen: a title, the board, the panel beside it, a message, keys.
 *
 * The board gets the largest squares that leave room for the panel beside it, else for the panel
 * below it, else without a panel. */
#include "scene.h"

#include "cli/columns.h"
#include "pin.h"

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
static void scene_lay_out(struct scene *scene, struct area all, struct area *panel) {
    const struct board *board = scene->picture.board;
    enum side below = scene->picture.below;
    struct chart *chart = &scene->chart;
    *panel = (struct area){0};
    scene->fits = chart_fit(chart, board, below, all.row, all.column, all.rows,
                            all.columns - PANEL_COLUMNS_MIN - GAP, NULL, NULL);
    if (scene->fits) {
        int column = all.column + chart_columns(chart) + GAP;
        *panel = (struct area){all.row, column, all.rows, all.columns - column};
        if (panel->columns > PANEL_COLUMNS_MAX) panel->columns = PANEL_COLUMNS_MAX;
        return;
    }
    scene->fits = chart_fit(chart, board, below, all.row, all.column, all.rows - PANEL_ROWS_MIN - 1,
                            all.columns, NULL, NULL);
    if (scene->fits) {
        int row = all.row + chart_rows(chart) + 1;
        *panel = (struct area){row, all.column, all.row + all.rows - row, all.columns};
        return;
    }
    scene->fits =
        chart_fit(chart, board, below, all.row, all.column, all.rows, all.columns, NULL, NULL);
}

static void draw_title(const struct scene *scene, struct screen *screen) {
    int status = columns_of(scene->status, SIZE_MAX);
    int room = screen->columns - status - (status > 0);
    if (room > 0) screen_put_in(screen, 0, 0, room, STYLE_TITLE, scene->title);
    screen_put(screen, 0, room > 0 ? room + (status > 0) : 0, STYLE_STRONG, scene->status);
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

void scene_draw_keys(struct screen *screen, const char *keys) {
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

static void draw_too_small(const struct scene *scene, struct screen *screen) {
    int rows, columns;
    char text[SCENE_TEXT_MAX];
    chart_fit(&(struct chart){0}, scene->picture.board, RED, 0, 0, 0, 0, &rows, &columns);
    rows += TITLE_ROWS + MESSAGE_ROWS + KEYS_ROWS;
    language_write(text, sizeof text, scene->language,
                   "The window is too small: this board takes {1} columns and {2} rows.",
                   NUMBER_TEXT(columns), NUMBER_TEXT(rows));
    screen_wrap(screen, 0, 0, screen->columns, screen->rows, 0, STYLE_WARNING, text);
    screen_fill(screen, screen->rows - KEYS_ROWS, 0, KEYS_ROWS, screen->columns, STYLE_PLAIN, ' ');
    scene_draw_keys(screen, scene->keys);
}

/* The message stands above the keys and may use the rows that the board leaves free, unless the
 * panel lies there. */
static void draw_message(const struct scene *scene, struct screen *screen, int free_rows,
                         const struct area *panel) {
    bool beside = panel->column > 0;
    int rows = MESSAGE_ROWS + (beside || !panel->rows ? free_rows : 0);
    if (rows > MESSAGE_ROWS_MAX) rows = MESSAGE_ROWS_MAX;
    int width = rows > MESSAGE_ROWS && beside ? panel->column - GAP : screen->columns;
    char line[SCENE_MESSAGE_MAX];
    const char *text = scene->message;
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
    if (lines > rows && scene->brief && scene->message_style != STYLE_WARNING) {
        text = scene->brief;
        lines = screen_wrap(screen, 0, 0, width, 0, 0, STYLE_PLAIN, text);
    }
    /* A story keeps its end, a warning its beginning. */
    if (lines < rows) rows = lines;
    screen_wrap(screen, screen->rows - KEYS_ROWS - rows, 0, width, rows,
                scene->message_style == STYLE_WARNING ? 0 : lines - rows, scene->message_style,
                text);
}

/* Rows for what is pinned, as far as the smallest board leaves them. */
static int rows_to_pin(const struct scene *scene, struct screen *screen, int rows) {
    int least, columns;
    if (!screen->pin) return 0;
    chart_fit(&(struct chart){0}, scene->picture.board, RED, 0, 0, 0, 0, &least, &columns);
    return pin_rows(screen->pin, screen, screen->columns, rows - least);
}

void scene_draw(struct scene *scene, struct screen *screen) {
    struct area all = {TITLE_ROWS, 0, 0, screen->columns}, panel;
    all.rows = screen->rows - TITLE_ROWS - MESSAGE_ROWS - KEYS_ROWS;
    int pinned = rows_to_pin(scene, screen, all.rows);
    all.rows -= pinned;
    scene_lay_out(scene, all, &panel);
    if (!scene->fits) {
        draw_too_small(scene, screen);
        return;
    }
    draw_title(scene, screen);
    chart_draw(screen, scene->language, &scene->chart, &scene->picture, &scene->marks);
    scene->panel.language = scene->language;
    scene->panel.picture = &scene->picture;
    scene->panel.at = scene->marks.cursor;
    if (panel.rows > 0 && scene->draw_panel) {
        scene->draw_panel(scene->context, screen, panel.row, panel.column, panel.rows,
                          panel.columns);
    } else if (panel.rows > 0) {
        panel_draw(screen, &scene->panel, panel.row, panel.column, panel.rows, panel.columns);
    }
    if (pinned) pin_draw(screen->pin, screen, all.row + all.rows, pinned, screen->columns);
    draw_message(scene, screen, pinned ? 0 : all.rows - chart_rows(&scene->chart), &panel);
    scene_draw_keys(screen, scene->keys);
    if (scene->marks.cursor != SQUARE_NONE) {
        chart_place(&scene->chart, scene->marks.cursor, &screen->cursor_row,
                    &screen->cursor_column);
    }
}

square scene_square(const struct scene *scene, int row, int column) {
    return scene->fits ? chart_square(&scene->chart, row, column) : SQUARE_NONE;
}
