/* chart.c - a board drawn on the screen, with squares as large as fit.
 *
 * A square is a column for marks and a card beside it. The smallest squares have no such column: a
 * target replaces the card's left border, the last move only colours the card's borders. The
 * cursor, targets and battles colour the border only, so the side's colour stays visible inside. */
#include "chart.h"

#include "cli/columns.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_COLUMNS = 2, FILE_ROWS = 1, LEAST_COLUMNS = 4, LEAST_ROWS = 1, NAME_ROWS = 4 };

static const struct {
    int rows, columns;
} SIZES[] = {{5, 11}, {4, 9}, {3, 7}, {2, 5}, {1, 5}, {LEAST_ROWS, LEAST_COLUMNS}};

const struct chart_marks CHART_NO_MARKS = {.cursor = SQUARE_NONE,
                                           .selected = SQUARE_NONE,
                                           .from = SQUARE_NONE,
                                           .to = SQUARE_NONE,
                                           .target = SQUARE_NONE};

bool chart_fit(struct chart *chart, const struct board *board, enum side below, int row, int column,
               int rows, int columns, int *least_rows, int *least_columns) {
    *chart = (struct chart){.board = board, .below = below, .row = row};
    chart->column = column + RANK_COLUMNS;
    if (least_rows) *least_rows = board->ranks * LEAST_ROWS + FILE_ROWS;
    if (least_columns) *least_columns = board->files * LEAST_COLUMNS + RANK_COLUMNS;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        chart->square_rows = SIZES[i].rows;
        chart->square_columns = SIZES[i].columns;
        if (chart_rows(chart) <= rows && chart_columns(chart) <= columns) return true;
    }
    return false;
}

int chart_rows(const struct chart *chart) {
    return chart->board->ranks * chart->square_rows + FILE_ROWS;
}

int chart_columns(const struct chart *chart) {
    return chart->board->files * chart->square_columns + RANK_COLUMNS;
}

/* Converts to file from the left and rank from the top as shown; its own inverse. */
static void chart_turn(const struct chart *chart, int *file, int *rank) {
    if (chart->below == RED)
        *rank = chart->board->ranks - 1 - *rank;
    else
        *file = chart->board->files - 1 - *file;
}

void chart_place(const struct chart *chart, square at, int *row, int *column) {
    int file = board_file(chart->board, at), rank = board_rank(chart->board, at);
    chart_turn(chart, &file, &rank);
    *row = chart->row + rank * chart->square_rows;
    *column = chart->column + file * chart->square_columns;
}

square chart_square(const struct chart *chart, int row, int column) {
    if (row < chart->row || column < chart->column) return SQUARE_NONE;
    int file = (column - chart->column) / chart->square_columns;
    int rank = (row - chart->row) / chart->square_rows;
    if (file >= chart->board->files || rank >= chart->board->ranks) return SQUARE_NONE;
    chart_turn(chart, &file, &rank);
    return board_square(chart->board, file, rank);
}

square chart_step(const struct chart *chart, square at, int right, int up) {
    int sign = chart->below == RED ? 1 : -1;
    int file = board_file(chart->board, at) + sign * right;
    int rank = board_rank(chart->board, at) + sign * up;
    if (file < 0 || rank < 0 || file >= chart->board->files || rank >= chart->board->ranks)
        return at;
    return board_square(chart->board, file, rank);
}

/* The square being drawn. */
struct chart_spot {
    struct screen *screen;
    const struct language *language;
    const struct chart *chart;
    const struct picture *picture;
    const struct chart_marks *marks;
    square at;
    const struct picture_square *shown;
    int row, column, rows, columns;
};

static bool is_piece(const struct picture_square *shown) {
    return shown->type == PICTURE_PIECE || shown->type == PICTURE_BACK ||
           shown->type == PICTURE_MOVED;
}

/* Is it a hidden piece that the person has marked? */
static bool is_guess(const struct picture_square *shown) {
    return shown->guess != KIND_NONE && shown->type != PICTURE_PIECE && !shown->deduced;
}

/* Was the last battle fought on this square? */
static bool is_battle(const struct chart_spot *spot) {
    square where = spot->marks->target != SQUARE_NONE ? spot->marks->target : spot->marks->to;
    return spot->marks->battle && spot->at == where;
}

static bool is_target(const struct chart_spot *spot) {
    const struct chart_marks *marks = spot->marks;
    return squareset_has(marks->targets | marks->aims | marks->advised, spot->at);
}

/* The style of a marked square's border; false if it has no mark. */
static bool border_style(const struct chart_spot *spot, enum screen_style *style) {
    const struct chart_marks *marks = spot->marks;
    if (spot->at == marks->cursor)
        *style = STYLE_CURSOR;
    else if (spot->at == marks->selected)
        *style = STYLE_SELECTED;
    else if (squareset_has(marks->advised, spot->at))
        *style = STYLE_ADVISED;
    else if (is_target(spot))
        *style = STYLE_TARGET;
    else if (marks->flash && is_battle(spot))
        *style = STYLE_BATTLE;
    else
        return false;
    return true;
}

/* The direction of the last move. */
static const char *last_move_arrow(const struct chart_spot *spot) {
    const struct board *board = spot->chart->board;
    int files = board_file(board, spot->marks->to) - board_file(board, spot->marks->from);
    int ranks = board_rank(board, spot->marks->to) - board_rank(board, spot->marks->from);
    if (spot->chart->below == BLUE) files = -files, ranks = -ranks;
    if (abs(files) > abs(ranks)) return files > 0 ? "→" : "←";
    return ranks > 0 ? "↑" : "↓";
}

/* The mark of a square and its style; NULL if none. */
static const char *mark_of(const struct chart_spot *spot, enum screen_style *style) {
    const struct chart_marks *marks = spot->marks;
    *style = STYLE_ADVISED;
    if (squareset_has(marks->advised, spot->at)) return "*";
    *style = STYLE_TARGET;
    if (squareset_has(marks->aims, spot->at)) return "@"; /* it may be attacked, too */
    if (squareset_has(marks->targets, spot->at)) return "+";
    *style = STYLE_LAST;
    if (is_battle(spot)) {
        *style = STYLE_BATTLE;
        return "x";
    }
    if (spot->at == marks->from && marks->from != marks->to) return last_move_arrow(spot);
    return spot->at == marks->to && is_piece(spot->shown) ? ">" : NULL;
}

/* The sign of a square's ground as text, empty without one. */
static void ground_text(const struct chart_spot *spot, char sign[2]) {
    const int ground = board_shown_ground(spot->chart->board, spot->at);
    sign[0] = ground < 0 ? 0 : ground_sign(ground);
    sign[1] = 0;
}

static void draw_free(const struct chart_spot *spot) {
    enum screen_style style = STYLE_FREE, marked;
    const char *mark = mark_of(spot, &marked);
    int middle_row = spot->row + (spot->rows - 1) / 2;
    int middle = spot->column + spot->columns / 2;
    wchar_t ground = L' ';
    const char *face = NULL;
    char sign[2];
    ground_text(spot, sign);
    if (spot->shown->type == PICTURE_LAKE) {
        style = STYLE_LAKE;
        ground = L'~';
    } else if (spot->shown->type == PICTURE_DARK) {
        ground = L'▒';
    } else if (spot->shown->type == PICTURE_ZONE) {
        face = spot->shown->side == RED ? "r" : "b";
    } else {
        face = sign[0] ? sign : "·";
    }
    screen_fill(spot->screen, spot->row, spot->column, spot->rows, spot->columns, style, ground);
    if (face) screen_put(spot->screen, middle_row, middle, style, face);
    if (spot->shown->type == PICTURE_ZONE && !mark)
        screen_put(spot->screen, middle_row, spot->column, STYLE_DIM, sign);
    if (mark) {
        screen_put(spot->screen, middle_row, middle, marked, mark);
        screen_fill(spot->screen, middle_row, middle - 1, 1, 3, marked, 0);
    }
    if (border_style(spot, &marked) && !is_target(spot))
        screen_fill(spot->screen, spot->row, spot->column, spot->rows, spot->columns, marked, 0);
}

/* The border of a card of two or more rows, with '!' or '?' in its foot. */
static void draw_border(const struct chart_spot *spot, int left, enum screen_style style) {
    static const char *const CORNERS[2][4] = {{"┌", "┐", "└", "┘"}, {"╭", "╮", "╰", "╯"}};
    const char *const *corner = CORNERS[spot->shown->side];
    int right = spot->column + spot->columns - 1, foot = spot->row + spot->rows - 1;
    struct screen *screen = spot->screen;
    screen_fill(screen, foot, left, 1, right - left + 1, style, L'─');
    screen_put(screen, foot, left, style, corner[2]);
    screen_put(screen, foot, right, style, corner[3]);
    if (spot->shown->betrayed) screen_put(screen, foot, left + 1, style, "!");
    if (spot->shown->deduced) screen_put(screen, foot, left + 1, style, "?");
    if (is_guess(spot->shown)) screen_put(screen, foot, left + 1, style, "m");
    if (spot->rows < 3) return;
    screen_fill(screen, spot->row, left, 1, right - left + 1, style, L'─');
    screen_put(screen, spot->row, left, style, corner[0]);
    screen_put(screen, spot->row, right, style, corner[1]);
    for (int row = spot->row + 1; row < foot; row++) {
        screen_put(screen, row, left, style, "│");
        screen_put(screen, row, right, style, "│");
    }
}

static void draw_card(const struct chart_spot *spot) {
    const struct picture_square *shown = spot->shown;
    bool red = shown->side == RED, known = shown->type == PICTURE_PIECE || shown->deduced;
    bool face = shown->type == PICTURE_PIECE;
    enum screen_style inside = red ? (face ? STYLE_RED_PIECE : STYLE_RED_BACK)
                                   : (face ? STYLE_BLUE_PIECE : STYLE_BLUE_BACK);
    enum screen_style border = inside, marked;
    const char *mark = mark_of(spot, &marked);
    bool tight = spot->columns == LEAST_COLUMNS;
    int left = spot->column + !tight, right = spot->column + spot->columns - 1;
    int middle_row = spot->row + (spot->rows - 1) / 2;
    char label[LABEL_MAX + 2] = "##";
    bool bordered = border_style(spot, &border);
    if (tight && mark && !is_target(spot)) {
        if (!bordered) border = marked;
        mark = NULL;
    }
    if (shown->type == PICTURE_MOVED) strcpy(label, "??");
    if (known) picture_label(&spot->picture->rules->kind[shown->kind], label);
    if (is_guess(shown)) picture_label(&spot->picture->rules->kind[shown->guess], label);

    screen_fill(spot->screen, spot->row, spot->column, spot->rows, spot->columns, STYLE_PLAIN,
                L' ');
    screen_fill(spot->screen, spot->row, left, spot->rows, right - left + 1, inside, L' ');
    if (spot->rows > 1) draw_border(spot, left, border);
    if (spot->rows < 3) {
        const char *close = red ? "]" : ")";
        if (spot->rows == 1 && shown->betrayed) close = "!";
        if (spot->rows == 1 && shown->deduced) close = "?";
        if (spot->rows == 1 && is_guess(shown)) close = "m";
        screen_put(spot->screen, spot->row, left, border, red ? "[" : "(");
        screen_put(spot->screen, spot->row, right, border, close);
    }
    int label_column = left + (right - left) / 2;
    screen_put(spot->screen, middle_row, label_column, is_guess(shown) ? STYLE_GUESS : inside,
               label);
    if (spot->rows >= NAME_ROWS && known) {
        const char *name = language_kind(spot->language, spot->picture->rules, shown->kind);
        int room = right - left - 1, width = columns_of(name, SIZE_MAX);
        if (width > room) width = room;
        screen_put_in(spot->screen, middle_row + 1, left + 1 + (room - width) / 2, width, inside,
                      name);
    }
    char sign[2];
    ground_text(spot, sign);
    if (mark)
        screen_put(spot->screen, middle_row, spot->column, marked, mark);
    else if (!tight)
        screen_put(spot->screen, middle_row, spot->column, STYLE_DIM, sign);
    if (border != inside && !tight) {
        enum screen_style column = mark && border != STYLE_CURSOR ? marked : border;
        screen_fill(spot->screen, middle_row, spot->column, 1, 1, column, 0);
    }
}

static void draw_names(struct screen *screen, const struct chart *chart) {
    const struct board *board = chart->board;
    int foot = chart->row + board->ranks * chart->square_rows;
    for (int i = 0; i < board->ranks; i++) {
        int file = 0, rank = i;
        chart_turn(chart, &file, &rank);
        screen_print(screen, chart->row + i * chart->square_rows + (chart->square_rows - 1) / 2,
                     chart->column - RANK_COLUMNS, STYLE_DIM, "%2d", rank + 1);
    }
    for (int i = 0; i < board->files; i++) {
        int file = i, rank = 0;
        chart_turn(chart, &file, &rank);
        screen_print(screen, foot,
                     chart->column + i * chart->square_columns + chart->square_columns / 2,
                     STYLE_DIM, "%c", 'a' + file);
    }
}

void chart_draw(struct screen *screen, const struct language *language, const struct chart *chart,
                const struct picture *picture, const struct chart_marks *marks) {
    draw_names(screen, chart);
    for (square at = 0; at < chart->board->squares; at++) {
        struct chart_spot spot = {
            screen, language, chart, picture, marks, .at = at, .shown = &picture->at[at]};
        spot.rows = chart->square_rows;
        spot.columns = chart->square_columns;
        chart_place(chart, at, &spot.row, &spot.column);
        if (is_piece(spot.shown))
            draw_card(&spot);
        else
            draw_free(&spot);
    }
}
