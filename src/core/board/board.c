/* board.c - the shape of a board, derived once from its size, its lakes and the depth of its set-up
 * zones. */
#include "board.h"

const char *side_name(enum side side) {
    return side == RED ? "red" : "blue";
}

square board_square(const struct board *board, int file, int rank) {
    if (file < 0 || file >= board->files || rank < 0 || rank >= board->ranks) return SQUARE_NONE;
    return (square)(rank * board->files + file);
}

bool board_derive(struct board *board) {
    if (board->files < 1 || board->files > BOARD_LINES_MAX || board->ranks < 1 ||
        board->ranks > BOARD_LINES_MAX || board->files * board->ranks > BOARD_SQUARES_MAX ||
        board->zone_ranks < 1 || board->zone_ranks > board->ranks / 2)
        return false;
    board->squares = (uint8_t)(board->files * board->ranks);
    squareset all = ~(squareset)0 >> (BOARD_SQUARES_MAX - board->squares);
    if (board->lakes & ~all) return false;
    board->land = all & ~board->lakes;
    squareset back = ~(squareset)0 >> (BOARD_SQUARES_MAX - board->zone_ranks * board->files);
    board->zone[RED] = back & board->land;
    board->zone[BLUE] = (back << (board->squares - board->zone_ranks * board->files)) & board->land;
    board->first_file = board->last_file = 0;
    for (square at = 0; at < board->squares; at++) {
        if (board_file(board, at) == 0) board->first_file |= squareset_of(at) & board->land;
        if (board_file(board, at) == board->files - 1)
            board->last_file |= squareset_of(at) & board->land;
        static const int step[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
        board->neighbours[at] = 0;
        for (int i = 0; i < 4; i++) {
            square next = board_square(board, board_file(board, at) + step[i][0],
                                       board_rank(board, at) + step[i][1]);
            bool land = next != SQUARE_NONE && squareset_has(board->land, next);
            if (land) board->neighbours[at] |= squareset_of(next);
            board->around[at][i] = land ? next : at;
        }
    }
    return true;
}
