/* terminal.c - draws boards as text.
 *
 * A square is five columns wide: a mark of the last move, a bracket, two columns for the label, a
 * bracket. The sign of its ground stands in the middle of a free square, else where the mark would.
 * Colours repeat what the characters say; without colours the characters are the same. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BESIDE_FILES_MAX = 11 }; /* notes beside a wider board would exceed 80 columns */

struct terminal terminal_of(FILE *out) {
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    struct terminal terminal = {.out = out, .screen = isatty(fileno(out)) == 1};
    terminal.colour = terminal.screen && !(none && *none) && term && *term && strcmp(term, "dumb");
    return terminal;
}

void terminal_clear(const struct terminal *terminal) {
    fputs(terminal->screen ? "\033[H\033[2J\033[3J" : "\f\n", terminal->out);
}

/* Coloured backgrounds: white on red and on blue is readable in light and dark terminals. */
static const char *colour_of(const struct picture_square *shown) {
    switch ((enum picture_type)shown->type) {
    case PICTURE_LAKE:
        return "\033[36m";
    case PICTURE_DARK:
        return "\033[2m";
    case PICTURE_ZONE:
        return shown->side == RED ? "\033[31m" : "\033[34m";
    case PICTURE_PIECE:
        return shown->side == RED ? "\033[1;97;41m" : "\033[1;97;44m";
    case PICTURE_BACK:
    case PICTURE_MOVED:
        return shown->side == RED ? "\033[97;41m" : "\033[97;44m";
    case PICTURE_FREE:
        break;
    }
    return "";
}

static void cell_draw(const struct terminal *terminal, const struct picture *picture,
                      const struct picture_square *shown) {
    char face[4 + LABEL_MAX] = "  . ", label[LABEL_MAX + 2] = "##";
    const int ground = board_shown_ground(picture->board, (square)(shown - picture->at));
    const char sign = ground < 0 ? ' ' : ground_sign(ground);
    char before = sign;
    if (shown->type == PICTURE_LAKE) {
        strcpy(face, "~~~~");
    } else if (shown->type == PICTURE_DARK) {
        strcpy(face, " :: ");
    } else if (shown->type == PICTURE_ZONE) {
        snprintf(face, sizeof face, "  %c%c", shown->side == RED ? 'r' : 'b', sign);
        before = ' ';
    } else if (shown->type == PICTURE_FREE) {
        if (ground >= 0) face[2] = sign;
        before = ' ';
    } else {
        if (shown->type == PICTURE_MOVED) strcpy(label, "??");
        kind_id kind = shown->type == PICTURE_PIECE ? shown->kind : shown->guess;
        if (kind != KIND_NONE) picture_label(&picture->rules->kind[kind], label);
        char close = shown->side == RED ? ']' : ')';
        if (shown->type != PICTURE_PIECE && shown->guess != KIND_NONE) close = 'm';
        snprintf(face, sizeof face, "%c%s%c", shown->side == RED ? '[' : '(', label,
                 shown->betrayed ? '!' : close);
    }
    const char *colour = terminal->colour ? colour_of(shown) : "";
    fprintf(terminal->out, "%c%s%s%s", shown->marked ? '>' : before, colour, face,
            *colour ? "\033[0m" : "");
}

static void files_draw(const struct terminal *terminal, const struct picture *picture) {
    int files = picture->board->files;
    fputs(" ", terminal->out);
    for (int i = 0; i < files; i++) {
        int file = picture->below == RED ? i : files - 1 - i;
        fprintf(terminal->out, "    %c", 'a' + file);
    }
}

void terminal_draw(const struct terminal *terminal, const struct picture *picture,
                   const char *const *notes, int note_count) {
    const struct board *board = picture->board;
    int note = 0, beside = board->files <= BESIDE_FILES_MAX ? note_count : 0;
    files_draw(terminal, picture);
    fputc('\n', terminal->out);
    for (int row = 0; row < board->ranks; row++) {
        int rank = picture->below == RED ? board->ranks - 1 - row : row;
        fprintf(terminal->out, "%2d", rank + 1);
        for (int i = 0; i < board->files; i++) {
            int file = picture->below == RED ? i : board->files - 1 - i;
            cell_draw(terminal, picture, &picture->at[board_square(board, file, rank)]);
        }
        if (note < beside)
            fprintf(terminal->out, " %-2d  %s\n", rank + 1, notes[note++]);
        else
            fprintf(terminal->out, " %d\n", rank + 1);
    }
    files_draw(terminal, picture);
    fputc('\n', terminal->out);
    while (note < note_count) fprintf(terminal->out, "%s\n", notes[note++]);
}

void terminal_counter(const struct language *language, const struct view *view, int counter,
                      char *out, size_t size) {
    const struct rules *rules = view->rules;
    const char *name = language_counter(language, rules, counter);
    int red = view->counters.of[RED][counter], blue = view->counters.of[BLUE][counter];
    if (rules->counter[counter].each)
        snprintf(out, size, "%s: %s %d, %s %d", name, language_side(language, RED), red,
                 language_side(language, BLUE), blue);
    else
        snprintf(out, size, "%s: %d", name, red);
}

size_t terminal_fallen(const struct view *view, enum side side, char *out, size_t size) {
    const struct rules *rules = view->rules;
    const uint8_t *fallen = view->captured[side];
    const int unknown = view_fallen_unknown(view, side);
    size_t length = 0;
    kindset told = 0;
    if (size) *out = 0;
    if (unknown) length = (size_t)snprintf(out, size, unknown > 1 ? "? x%d" : "?", unknown);
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
        if (fallen[next] > 1)
            bytes += snprintf(item + bytes, sizeof item - (size_t)bytes, " x%d", fallen[next]);
        if (length + (size_t)bytes < size) memcpy(out + length, item, (size_t)bytes + 1);
        length += (size_t)bytes;
    }
    if (!length) return (size_t)snprintf(out, size, "-");
    return length;
}
