/* diagram.c - a board as a picture in text. */
#include "diagram.h"

#include <stdio.h>
#include <string.h>

void diagram_clear(struct diagram *diagram, const struct board *board) {
    for (square at = 0; at < board->squares; at++)
        memcpy(diagram->at[at], squareset_has(board->lakes, at) ? " ~" : " .", 2);
}

void diagram_piece(struct diagram *diagram, square at, enum side side, char letter) {
    diagram->at[at][0] = side == RED ? 'r' : 'b';
    diagram->at[at][1] = letter;
}

static int file_at(const struct board *board, enum side below, int column) {
    return below == RED ? column : board->files - 1 - column;
}

static char *write_files(const struct board *board, enum side below, char *end) {
    end += sprintf(end, "  ");
    for (int i = 0; i < board->files; i++)
        end += sprintf(end, "  %c", 'a' + file_at(board, below, i));
    return end;
}

size_t diagram_write(const struct diagram *diagram, const struct board *board, enum side below,
                     char *out) {
    char *end = write_files(board, below, out);
    for (int row = 0; row < board->ranks; row++) {
        int rank = below == RED ? board->ranks - 1 - row : row;
        end += sprintf(end, "\n%2d", rank + 1);
        for (int i = 0; i < board->files; i++)
            end += sprintf(end, " %.2s",
                           diagram->at[board_square(board, file_at(board, below, i), rank)]);
        end += sprintf(end, " %d", rank + 1);
    }
    *end++ = '\n';
    return (size_t)(write_files(board, below, end) - out);
}
