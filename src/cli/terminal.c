/* terminal.c - boards drawn as text.
 *
 * A square is five columns wide: a mark of the last move, a bracket, two columns for the label, a
 * bracket. Everything that colours say is said by characters too, and with the colours taken away
 * the same characters remain. What is to be seen is decided by whoever fills the picture. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BESIDE_FILES_MAX = 11 }; /* beside a wider board notes would pass 80 columns */

struct terminal terminal_of(FILE *out) {
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    struct terminal terminal = {.out = out, .screen = isatty(fileno(out)) == 1};
    terminal.colour = terminal.screen && !(none && *none) && term && *term && strcmp(term, "dumb");
    return terminal;
}

void terminal_clear(const struct terminal *terminal) {
    fputs(terminal->screen ? "\033[H\033[2J\033[3J" : "\f\n", terminal->out);
}

/* Backgrounds, so that white on red and on blue can be read in light and in dark terminals. */
static const char *colour_of(const struct terminal_cell *shown) {
    switch ((enum terminal_cell_type)shown->type) {
    case CELL_LAKE:
        return "\033[36m";
    case CELL_ZONE:
        return shown->side == RED ? "\033[31m" : "\033[34m";
    case CELL_PIECE:
        return shown->side == RED ? "\033[1;97;41m" : "\033[1;97;44m";
    case CELL_BACK:
    case CELL_MOVED:
        return shown->side == RED ? "\033[97;41m" : "\033[97;44m";
    case CELL_FREE:
        break;
    }
    return "";
}

/* The label in exactly two columns; a longer one gives way to the kind's letter. */
static void label_write(const struct kind *kind, char out[LABEL_MAX + 2]) {
    int columns = 0;
    for (const char *byte = kind->label; *byte; byte++) columns += (*byte & 0xC0) != 0x80;
    if (columns == 2) {
        snprintf(out, LABEL_MAX + 2, "%s", kind->label);
    } else if (columns == 1) {
        snprintf(out, LABEL_MAX + 2, " %s", kind->label);
    } else {
        snprintf(out, LABEL_MAX + 2, " %c", kind->letter);
    }
}

static void cell_draw(const struct terminal *terminal, const struct terminal_picture *picture,
                      const struct terminal_cell *shown) {
    char face[4 + LABEL_MAX] = "  . ", label[LABEL_MAX + 2] = "##";
    if (shown->type == CELL_LAKE) {
        strcpy(face, "~~~~");
    } else if (shown->type == CELL_ZONE) {
        strcpy(face, shown->side == RED ? "  r " : "  b ");
    } else if (shown->type != CELL_FREE) {
        if (shown->type == CELL_MOVED) strcpy(label, "??");
        if (shown->type == CELL_PIECE) label_write(&picture->kind[shown->kind], label);
        char close = shown->side == RED ? ']' : ')';
        snprintf(face, sizeof face, "%c%s%c", shown->side == RED ? '[' : '(', label,
                 shown->betrayed ? '!' : close);
    }
    const char *colour = terminal->colour ? colour_of(shown) : "";
    fprintf(terminal->out, "%c%s%s%s", shown->marked ? '>' : ' ', colour, face,
            *colour ? "\033[0m" : "");
}

static void files_draw(const struct terminal *terminal, const struct terminal_picture *picture) {
    int files = picture->board->files;
    fputs(" ", terminal->out);
    for (int i = 0; i < files; i++) {
        int file = picture->below == RED ? i : files - 1 - i;
        fprintf(terminal->out, "    %c", 'a' + file);
    }
}

void terminal_draw(const struct terminal *terminal, const struct terminal_picture *picture) {
    const struct board *board = picture->board;
    int note = 0, beside = board->files <= BESIDE_FILES_MAX ? picture->note_count : 0;
    files_draw(terminal, picture);
    fputc('\n', terminal->out);
    for (int row = 0; row < board->ranks; row++) {
        int rank = picture->below == RED ? board->ranks - 1 - row : row;
        fprintf(terminal->out, "%2d", rank + 1);
        for (int i = 0; i < board->files; i++) {
            int file = picture->below == RED ? i : board->files - 1 - i;
            cell_draw(terminal, picture, &picture->cell[board_square(board, file, rank)]);
        }
        if (note < beside) {
            fprintf(terminal->out, " %-2d  %s\n", rank + 1, picture->notes[note++]);
        } else {
            fprintf(terminal->out, " %d\n", rank + 1);
        }
    }
    files_draw(terminal, picture);
    fputc('\n', terminal->out);
    while (note < picture->note_count) fprintf(terminal->out, "%s\n", picture->notes[note++]);
}

static void picture_start(struct terminal_picture *picture, const struct board *board,
                          const struct kind *kinds) {
    memset(picture, 0, sizeof *picture);
    picture->board = board;
    picture->kind = kinds;
    for (square at = 0; at < board->squares; at++) {
        if (squareset_has(board->lakes, at)) picture->cell[at].type = CELL_LAKE;
    }
}

void terminal_show_board(struct terminal_picture *picture, const struct board *board) {
    picture_start(picture, board, NULL);
    for (square at = 0; at < board->squares; at++) {
        for (int side = RED; side <= BLUE; side++) {
            if (!squareset_has(board->zone[side], at)) continue;
            picture->cell[at].type = CELL_ZONE;
            picture->cell[at].side = (uint8_t)side;
        }
    }
}

void terminal_show_view(struct terminal_picture *picture, const struct view *view) {
    picture_start(picture, &view->rules->board, view->rules->kind);
    picture->below = (enum side)view->side;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->at == SQUARE_NONE) continue;
        struct terminal_cell *shown = &picture->cell[piece->at];
        shown->side = piece->side;
        shown->kind = piece->kind;
        shown->betrayed = piece->side == view->side && piece->shown;
        shown->type = piece->kind != KIND_NONE ? CELL_PIECE : piece->moved ? CELL_MOVED : CELL_BACK;
    }
}

void terminal_show_cells(struct terminal_picture *picture, const struct rules *rules,
                         const cell *cells) {
    picture_start(picture, &rules->board, rules->kind);
    for (square at = 0; at < rules->board.squares; at++) {
        if (cells[at] == CELL_EMPTY) continue;
        picture->cell[at].type = CELL_PIECE;
        picture->cell[at].side = (uint8_t)cell_side(cells[at]);
        picture->cell[at].kind = cell_kind(cells[at]);
    }
}

void terminal_mark(struct terminal_picture *picture, square from, square to, square target) {
    const square squares[] = {from, to, target};
    for (int i = 0; i < 3; i++) {
        if (squares[i] != SQUARE_NONE) picture->cell[squares[i]].marked = true;
    }
}

void terminal_draw_game(const struct terminal *terminal, const struct game *game) {
    struct terminal_picture picture;
    terminal_show_cells(&picture, game->rules, game->at);
    if (game->ply_count) {
        struct move last = game->plies[game->ply_count - 1].move;
        terminal_mark(&picture, last.from, last.to, last.target);
    }
    terminal_draw(terminal, &picture);
}

size_t terminal_fallen(const struct rules *rules, const uint8_t *fallen, char *out, size_t size) {
    size_t length = 0;
    kindset told = 0;
    if (size) *out = 0;
    for (;;) {
        kind_id next = KIND_NONE;
        for (kind_id kind = 1; kind <= rules->kinds; kind++) {
            if (!fallen[kind] || (told & kindset_of(kind))) continue;
            if (next == KIND_NONE || rules->kind[kind].rank > rules->kind[next].rank) next = kind;
        }
        if (next == KIND_NONE) break;
        told |= kindset_of(next);
        char item[LABEL_MAX + 16];
        int bytes =
            snprintf(item, sizeof item, "%s%s", length ? ", " : "", rules->kind[next].label);
        if (fallen[next] > 1) {
            bytes += snprintf(item + bytes, sizeof item - (size_t)bytes, " x%d", fallen[next]);
        }
        if (length + (size_t)bytes < size) memcpy(out + length, item, (size_t)bytes + 1);
        length += (size_t)bytes;
    }
    if (!length) return (size_t)snprintf(out, size, "-");
    return length;
}
