/* layout.c - reads and writes set-ups and positions, rank by rank. */
#include "layout.h"

#include "base/lines.h"
#include "base/utf8.h"

#include <string.h>

size_t setup_write(const struct rules *rules, enum side side, const struct setup *setup,
                   char *out) {
    size_t used = 0;
    for (int rank = rules->board.zone_ranks[side] - 1; rank >= 0; rank--) {
        for (int file = 0; file < rules->board.files; file++) {
            kind_id kind = setup->at[board_square(&rules->board, file, rank)];
            out[used++] = kind ? rules->kind[kind].letter : '.';
        }
        out[used++] = rank ? '/' : '\0';
    }
    return used - 1;
}

/* Scanner of a text of ranks: skips blanks and comments, counts lines and columns for faults. */
struct grid {
    const char *text;
    size_t length, at;
    int line, column;
    struct fault *fault;
};

static struct grid grid_of(const char *text, size_t length, struct fault *fault) {
    return (struct grid){text, length, lines_mark(text, length), 1, 1, fault};
}

static bool grid_ends_line(char c) {
    return c == '\n' || c == '\r';
}

static void grid_next(struct grid *grid) {
    const size_t end = lines_break(grid->text + grid->at, grid->text + grid->length);
    grid->column++;
    grid->at += end ? end : 1;
    if (end) {
        grid->line++;
        grid->column = 1;
    }
}

static void grid_skip_blanks(struct grid *grid) {
    while (grid->at < grid->length) {
        char c = grid->text[grid->at];
        if (c == '#')
            while (grid->at < grid->length && !grid_ends_line(grid->text[grid->at]))
                grid_next(grid);
        else if (c == ' ' || c == '\t' || grid_ends_line(c))
            grid_next(grid);
        else
            return;
    }
}

/* Reports the character at the current position; `expected` ends the sentence: ", expected …". */
__attribute__((format(printf, 2, 3))) static bool grid_fail(struct grid *grid, const char *expected,
                                                            ...) {
    const char *here = grid->text + grid->at;
    const size_t left = grid->length - grid->at, shown = utf8_safe_length(here, left);
    uint32_t odd;
    if (!left)
        fault_set(grid->fault, STATUS_TEXT, "the text ends");
    else if (grid_ends_line(*here))
        fault_set(grid->fault, STATUS_TEXT, "the line ends");
    else if (shown && *here != ' ')
        fault_set(grid->fault, STATUS_TEXT, "\"%.*s\"", (int)shown, here);
    else if (shown)
        fault_set(grid->fault, STATUS_TEXT, "a blank");
    else if (!utf8_read_part(here, left, &odd))
        fault_set(grid->fault, STATUS_TEXT, "byte 0x%02x", (unsigned char)*here);
    else
        fault_set(grid->fault, STATUS_TEXT,
                  odd < 0xA0 ? "control character U+%04X" : "invisible character U+%04X", odd);
    va_list args;
    va_start(args, expected);
    fault_addv(grid->fault, expected, args);
    va_end(args);
    fault_place(grid->fault, NULL, grid->line, grid->column);
    return false;
}

/* Between two ranks: a '/', a line end, or both. */
static bool grid_next_rank(struct grid *grid, int ranks_left) {
    bool line_end = false;
    while (grid->at < grid->length &&
           (strchr(" \t\r\n", grid->text[grid->at]) || grid->text[grid->at] == '#')) {
        if (!grid->text[grid->at]) break;
        line_end |= grid_ends_line(grid->text[grid->at]) || grid->text[grid->at] == '#';
        size_t before = grid->at;
        if (grid->text[grid->at] == '#')
            grid_skip_blanks(grid);
        else
            grid_next(grid);
        if (grid->at == before) break;
    }
    if (grid->at < grid->length && grid->text[grid->at] == '/') {
        grid_next(grid);
        grid_skip_blanks(grid);
        return true;
    }
    if (line_end && grid->at < grid->length) return true;
    return grid_fail(grid,
                     ranks_left == 1 ? ", expected \"/\" or a new line and %d more rank"
                                     : ", expected \"/\" or a new line and %d more ranks",
                     ranks_left);
}

/* The kind whose letter, or else label, stands here; `*length` receives its bytes. */
static kind_id kind_here(const struct grid *grid, const struct rules *rules, size_t *length) {
    const char *text = grid->text + grid->at;
    size_t left = grid->length - grid->at;
    *length = 1;
    kind_id kind = left ? rules_kind_of_letter(rules, *text) : KIND_NONE;
    if (kind != KIND_NONE) return kind;
    for (*length = left < LABEL_MAX ? left : LABEL_MAX - 1; *length; --*length)
        for (kind = 1; kind <= rules->kinds; kind++)
            if (strlen(rules->kind[kind].label) == *length &&
                !memcmp(rules->kind[kind].label, text, *length))
                return kind;
    return KIND_NONE;
}

/* Says that a row, counted from the first, has too few or too many squares, if it has. */
static bool refuse_length(struct grid *grid, const struct rules *rules, enum side side, int rank,
                          int file) {
    const int number = rules->board.zone_ranks[side] - rank, files = rules->board.files;
    const char c = grid->at < grid->length ? grid->text[grid->at] : '\n';
    size_t length;
    if (file && file < files && strchr("/\n\r#", c) && c)
        fault_set(grid->fault, STATUS_TEXT, "row %d has %d squares, expected %d", number, file,
                  files);
    else if (file == files && c && (c == '.' || kind_here(grid, rules, &length) != KIND_NONE))
        fault_set(grid->fault, STATUS_TEXT, "row %d has more than %d squares", number, files);
    else
        return false;
    fault_place(grid->fault, NULL, grid->line, grid->column);
    return true;
}

static bool read_letter(struct grid *grid, const struct rules *rules, kind_id *kind) {
    char c = grid->at < grid->length ? grid->text[grid->at] : '\0';
    size_t length = 1;
    *kind = c == '.' ? KIND_NONE : kind_here(grid, rules, &length);
    if (c != '.' && *kind == KIND_NONE) {
        char letters[KINDS_MAX] = "";
        for (kind_id i = 1; i <= rules->kinds; i++) letters[i - 1] = rules->kind[i].letter;
        return grid_fail(grid, ", expected \".\" or one of %s", letters);
    }
    while (length--) grid_next(grid);
    return true;
}

bool setup_read(const struct rules *rules, enum side side, const char *text, size_t length,
                struct setup *setup, struct fault *fault) {
    struct grid grid = grid_of(text, length, fault);
    memset(setup, 0, sizeof *setup);
    grid_skip_blanks(&grid);
    for (int rank = rules->board.zone_ranks[side] - 1; rank >= 0; rank--) {
        for (int file = 0; file < rules->board.files; file++)
            if (refuse_length(&grid, rules, side, rank, file) ||
                !read_letter(&grid, rules, &setup->at[board_square(&rules->board, file, rank)]))
                return false;
        if (refuse_length(&grid, rules, side, rank, rules->board.files)) return false;
        if (rank && !grid_next_rank(&grid, rank)) return false;
    }
    grid_skip_blanks(&grid);
    if (grid.at < grid.length) return grid_fail(&grid, ", expected the end of the set-up");
    return true;
}

size_t position_write(const struct rules *rules, const struct position *position, char *out) {
    size_t used = 0;
    for (int rank = rules->board.ranks - 1; rank >= 0; rank--) {
        for (int file = 0; file < rules->board.files; file++) {
            cell piece = position->at[board_square(&rules->board, file, rank)];
            if (piece == CELL_EMPTY) {
                out[used++] = '.';
                continue;
            }
            out[used++] = cell_side(piece) == RED ? 'r' : 'b';
            out[used++] = rules->kind[cell_kind(piece)].letter;
        }
        out[used++] = rank ? '/' : ' ';
    }
    strcpy(out + used, side_name(position->to_move));
    return used + strlen(out + used);
}

static bool read_cell(struct grid *grid, const struct rules *rules, cell *piece) {
    char c = grid->at < grid->length ? grid->text[grid->at] : '\0';
    if (c != '.' && c != 'r' && c != 'b')
        return grid_fail(grid, ", expected \".\", \"r\" or \"b\"");
    *piece = CELL_EMPTY;
    grid_next(grid);
    if (c == '.') return true;
    kind_id kind;
    if (grid->at < grid->length && grid->text[grid->at] == '.')
        return grid_fail(grid, ", expected the letter of a kind");
    if (!read_letter(grid, rules, &kind)) return false;
    *piece = cell_of(c == 'r' ? RED : BLUE, kind);
    return true;
}

bool position_read(const struct rules *rules, const char *text, size_t length,
                   struct position *position, struct fault *fault) {
    struct grid grid = grid_of(text, length, fault);
    memset(position, 0, sizeof *position);
    grid_skip_blanks(&grid);
    for (int rank = rules->board.ranks - 1; rank >= 0; rank--) {
        for (int file = 0; file < rules->board.files; file++) {
            square at = board_square(&rules->board, file, rank);
            if (!read_cell(&grid, rules, &position->at[at])) return false;
        }
        if (rank && !grid_next_rank(&grid, rank)) return false;
    }
    grid_skip_blanks(&grid);
    const char *word = text + grid.at;
    size_t left = length - grid.at;
    while (left && strchr(" \t\r\n", word[left - 1]) && word[left - 1]) left--;
    if (left == 3 && !memcmp(word, "red", 3))
        position->to_move = RED;
    else if (left == 4 && !memcmp(word, "blue", 4))
        position->to_move = BLUE;
    else
        return grid_fail(&grid, ", expected the side to move, \"red\" or \"blue\"");
    return true;
}
