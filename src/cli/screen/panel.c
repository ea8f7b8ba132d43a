/* panel.c - beside the board: fallen pieces, limits, the square under the cursor, moves.
 *
 * Parts are stacked, in two columns if the rectangle is wide and low; the moves get the rest. */
#include "panel.h"

#include "cli/columns.h"
#include "cli/lines/terminal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    PART_MAX = 512,
    COUNT_COLUMNS = 4, /* of a count of fallen pieces */
    LABEL_COLUMNS = 3,
    LABELS_WIDTH = 13, /* of labels and numbers without names */
    OTHER_ROWS = 13,   /* of the parts below a full list of kinds */
    WIDE_ROWS = 16,    /* with fewer rows, a wide panel has two columns */
    ABOUT_ROWS = 3
};

/* Where the next line goes. */
struct place {
    struct screen *screen;
    const struct panel *panel;
    int row, column, rows, columns; /* the rest of the rectangle */
};

static void take_rows(struct place *place, int rows) {
    place->row += rows;
    place->rows -= rows;
}

static void put_line(struct place *place, enum screen_style style, const char *text) {
    if (place->rows < 1) return;
    screen_put_in(place->screen, place->row, place->column, place->columns, style, text);
    take_rows(place, 1);
}

/* Kinds from the strongest down. */
static int sort_kinds(const struct rules *rules, kind_id kinds[KINDS_MAX]) {
    int count = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        int at = count++;
        while (at && rules->kind[kinds[at - 1]].rank < rules->kind[kind].rank) {
            kinds[at] = kinds[at - 1];
            at--;
        }
        kinds[at] = kind;
    }
    return count;
}

/* KIND_NONE: of unknown kinds. */
static void put_count(struct place *place, int row, int column, enum side side, kind_id kind) {
    const struct view *view = place->panel->view;
    int fallen = kind ? view->captured[side][kind] : view_fallen_unknown(view, side);
    int army = view->start[side][kind];
    enum screen_style style = !fallen ? STYLE_DIM : side == RED ? STYLE_RED : STYLE_BLUE;
    char text[16];
    if (!army && kind) return;
    snprintf(text, sizeof text, kind ? "%d/%d" : "%d", fallen, army);
    int columns = columns_of(text, SIZE_MAX);
    screen_put(place->screen, row, column + COUNT_COLUMNS - columns, style, text);
}

/* One line for each side, where a table does not fit. */
static void list_fallen(struct place *place) {
    const struct panel *panel = place->panel;
    for (int side = RED; side <= BLUE; side++) {
        char list[PART_MAX], line[PART_MAX];
        terminal_fallen(panel->view, (enum side)side, list, sizeof list);
        language_fill(line, sizeof line, "{1}: {2}",
                      language_text(panel->language,
                                    side == RED ? TEXT("Red has lost") : TEXT("Blue has lost")),
                      list);
        put_line(place, side == RED ? STYLE_RED : STYLE_BLUE, line);
    }
}

/* Do the names of all kinds fit? Else none is shown. */
static bool names_fit(const struct panel *panel, int columns) {
    for (kind_id kind = 1; kind <= panel->rules->kinds; kind++) {
        const char *name = language_kind(panel->language, panel->rules, kind);
        if (columns_of(name, SIZE_MAX) > columns) return false;
    }
    return true;
}

/* A table of fallen pieces by kind. */
static void put_fallen(struct place *place) {
    const struct panel *panel = place->panel;
    const struct language *language = panel->language;
    kind_id kinds[KINDS_MAX + 1];
    int count = sort_kinds(panel->rules, kinds);
    if (panel->rules->fallen_hidden) kinds[count++] = KIND_NONE;
    int sets = place->rows > count + OTHER_ROWS ? 1 : 2, lines = (count + sets - 1) / sets;
    int width = place->columns / sets, gap = sets > 1;
    bool named = names_fit(panel, width - gap - 2 * COUNT_COLUMNS - LABEL_COLUMNS);
    if (!named && width > LABELS_WIDTH) width = LABELS_WIDTH;
    int numbers = width - gap - 2 * COUNT_COLUMNS;
    if (place->rows < lines + 1) {
        list_fallen(place);
        return;
    }
    screen_put_in(place->screen, place->row, place->column, width, STYLE_TITLE,
                  language_text(language, TEXT("Fallen")));
    int heads = place->column + (sets - 1) * width + numbers;
    screen_put(place->screen, place->row, heads + COUNT_COLUMNS - 2, STYLE_RED, "[]");
    screen_put(place->screen, place->row, heads + 2 * COUNT_COLUMNS - 2, STYLE_BLUE, "()");
    for (int i = 0; i < count; i++) {
        int row = place->row + 1 + i % lines, column = place->column + i / lines * width;
        char label[LABEL_MAX + 2] = "?";
        if (kinds[i]) picture_label(&panel->rules->kind[kinds[i]], label);
        screen_put(place->screen, row, column, STYLE_PLAIN, label);
        if (named) {
            screen_put(place->screen, row, column + LABEL_COLUMNS, STYLE_PLAIN,
                       language_kind(language, panel->rules, kinds[i]));
        }
        put_count(place, row, column + numbers, RED, kinds[i]);
        put_count(place, row, column + numbers + COUNT_COLUMNS, BLUE, kinds[i]);
    }
    take_rows(place, lines + 1);
}

static void put_limit(struct place *place, const char *english, uint32_t count, uint32_t limit) {
    char text[LANGUAGE_TEXT_MAX], number[48];
    snprintf(number, sizeof number, limit ? "%u/%u" : "%u", count, limit);
    language_write(text, sizeof text, place->panel->language, english, number);
    bool near = limit && count + 20 >= limit;
    put_line(place, near ? STYLE_WARNING : STYLE_PLAIN, text);
}

static void put_limits(struct place *place) {
    const struct view *view = place->panel->view;
    put_limit(place, TEXT("Moves: {1}"), view->plies, view->limits.plies);
    if (view->limits.no_attack)
        put_limit(place, TEXT("Without an attack: {1}"), view->quiet, view->limits.no_attack);
    for (int i = 0; i < place->panel->rules->counters; i++) {
        char text[LANGUAGE_TEXT_MAX];
        terminal_counter(place->panel->language, view, i, text, sizeof text);
        put_line(place, STYLE_PLAIN, text);
    }
}

/* Labels of a set of kinds. */
static void list_kinds(const struct rules *rules, kindset set, char *out, size_t size) {
    kind_id kinds[KINDS_MAX];
    int count = sort_kinds(rules, kinds);
    size_t length = 0;
    *out = 0;
    for (int i = 0; i < count && length < size; i++) {
        if (!(set & kindset_of(kinds[i]))) continue;
        length += (size_t)snprintf(out + length, size - length, "%s%s", length ? " " : "",
                                   rules->kind[kinds[i]].label);
    }
}

static void tell_piece(const struct panel *panel, const char *at, char *out, size_t size) {
    const struct picture_square *shown = &panel->picture->at[panel->at];
    const struct language *language = panel->language;
    uint16_t number = panel->view->number[panel->at];
    const struct view_piece *piece = number == VIEW_EMPTY ? NULL : &panel->view->piece[number];
    const char *side = language_side(language, (enum side)shown->side);
    if (shown->type == PICTURE_PIECE) {
        const struct kind *kind = &panel->rules->kind[shown->kind];
        language_write(out, size, language,
                       shown->betrayed ? TEXT("{1}: {2}, {3} ({4}); the enemy knows it")
                                       : TEXT("{1}: {2}, {3} ({4})"),
                       at, side, language_kind(language, panel->rules, shown->kind), kind->label);
        return;
    }
    char kinds[128] = "?";
    if (piece) list_kinds(panel->rules, view_may_be(panel->view, number), kinds, sizeof kinds);
    if (shown->guess != KIND_NONE) { /* first: a long list of kinds would cover it */
        size_t length = language_write(out, size, language, "your mark: {1}",
                                       language_kind(language, panel->rules, shown->guess));
        length += (size_t)snprintf(out + length, size - length, "; ");
        out += length;
        size -= length;
    }
    language_write(out, size, language,
                   shown->type == PICTURE_MOVED ? TEXT("{1}: {2}, has moved; may be {3}")
                                                : TEXT("{1}: {2}, has never moved; may be {3}"),
                   at, side, kinds);
}

/* Describes the square under the cursor. */
static void put_about(struct place *place) {
    const struct panel *panel = place->panel;
    char at[SQUARE_TEXT_MAX], text[PART_MAX] = "";
    if (place->rows < ABOUT_ROWS) return;
    if (panel->at != SQUARE_NONE) {
        square_write(&panel->rules->board, panel->at, at);
        switch ((enum picture_type)panel->picture->at[panel->at].type) {
        case PICTURE_PIECE:
        case PICTURE_BACK:
        case PICTURE_MOVED:
            tell_piece(panel, at, text, sizeof text);
            break;
        case PICTURE_LAKE:
            language_write(text, sizeof text, panel->language, "{1}: a lake", at);
            break;
        case PICTURE_DARK:
            language_write(text, sizeof text, panel->language, "{1}: out of sight", at);
            break;
        case PICTURE_FREE:
        case PICTURE_ZONE:
            language_write(text, sizeof text, panel->language, "{1}: free", at);
            break;
        }
    }
    screen_wrap(place->screen, place->row, place->column, place->columns, ABOUT_ROWS, 0,
                STYLE_PLAIN, text);
    take_rows(place, ABOUT_ROWS);
}

/* What a side's bot, or (-1) a call of the variant, printed about a ply, under a title above the
 * first such lines. */
static void put_printed_of(struct place *place, int side, uint32_t ply, bool *titled) {
    enum { SHOWN_MAX = 16 };
    const struct panel *panel = place->panel;
    const char *texts[SHOWN_MAX];
    enum eyes_of of = side == RED ? EYES_RED : side == BLUE ? EYES_BLUE : EYES_BOTH;
    bool seen = panel->eyes == EYES_BOTH || panel->eyes == of;
    size_t count = seen ? printed_find(panel->printed, side, ply, texts, SHOWN_MAX) : 0;
    if (count && !*titled)
        put_line(place, STYLE_TITLE, language_text(panel->language, TEXT("Printed")));
    *titled = *titled || count;
    enum screen_style style = side < 0 ? STYLE_PLAIN : side == RED ? STYLE_RED : STYLE_BLUE;
    for (size_t i = 0; i < count && place->rows > 0; i++) {
        int rows = screen_wrap(place->screen, place->row, place->column, place->columns,
                               place->rows, 0, style, texts[i]);
        take_rows(place, rows < place->rows ? rows : place->rows);
    }
}

/* What bots printed about the last two plies, the later first. */
static void put_printed(struct place *place) {
    enum { MOVES_ROWS = 3 }; /* left for the list of moves */
    const struct panel *panel = place->panel;
    bool titled = false;
    if (!panel->printed || place->rows < MOVES_ROWS + 2) return;
    place->rows -= MOVES_ROWS;
    for (uint32_t back = 0; back < 2 && back <= panel->shown; back++)
        for (int side = -1; side <= BLUE; side++)
            put_printed_of(place, side, panel->shown - back, &titled);
    place->rows += MOVES_ROWS;
}

static const char *movelist_move(const struct panel *panel, uint32_t line, int side) {
    uint32_t blue_first = panel->first == BLUE;
    uint32_t ply = 2 * line + (uint32_t)side;
    if (ply < blue_first) return "…";
    return ply - blue_first < panel->movelist->count ? panel->movelist->move[ply - blue_first] : "";
}

/* The moves around the last one shown, two plies a line. */
static void put_moves(struct place *place) {
    const struct panel *panel = place->panel;
    if (!panel->movelist || place->rows < 2) return;
    put_line(place, STYLE_TITLE, language_text(panel->language, TEXT("The moves")));
    uint32_t blue_first = panel->first == BLUE, rows = (uint32_t)place->rows;
    uint32_t lines = (panel->movelist->count + blue_first + 1) / 2;
    uint32_t last = panel->shown ? (panel->shown - 1 + blue_first) / 2 : 0;
    uint32_t top = last + 1 > rows ? last + 1 - rows : 0;
    if (panel->shown < panel->movelist->count &&
        lines > rows) { /* more follow: keep it in the middle */
        top = last > rows / 2 ? last - rows / 2 : 0;
        if (top + rows > lines) top = lines - rows;
    }
    int width = (place->columns - 5) / 2;
    for (uint32_t line = top; line < lines && line < top + rows; line++) {
        int row = place->row + (int)(line - top);
        screen_print(place->screen, row, place->column, STYLE_DIM, "%3u.", line + 1);
        for (int side = 0; side < 2; side++) {
            bool here = panel->shown && 2 * line + (uint32_t)side == panel->shown - 1 + blue_first;
            bool later = 2 * line + (uint32_t)side > panel->shown - 1 + blue_first;
            const char *move = movelist_move(panel, line, side);
            int room = columns_of(move, SIZE_MAX) < width - 1 || side ? width : width - 1;
            screen_put_in(place->screen, row, place->column + 5 + side * width, room,
                          here                     ? STYLE_STRONG
                          : later || !panel->shown ? STYLE_DIM
                                                   : STYLE_PLAIN,
                          move);
        }
    }
    take_rows(place, place->rows);
}

void panel_draw(struct screen *screen, const struct panel *panel, int row, int column, int rows,
                int columns) {
    struct place place = {screen, panel, row, column, rows, columns};
    bool parted = rows < WIDE_ROWS && columns >= 2 * PANEL_COLUMNS_MIN;
    if (!panel->view) return;
    if (parted) place.columns = columns / 2 - 1;
    put_fallen(&place);
    if (!parted) take_rows(&place, place.rows > 12);
    put_limits(&place);
    if (!parted) take_rows(&place, place.rows > 12);
    put_about(&place);
    if (parted) place = (struct place){screen, panel, row, column + columns / 2, rows, columns / 2};
    put_printed(&place);
    put_moves(&place);
}
