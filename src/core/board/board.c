/* board.c - derives the shape of a board from its size, lakes and set-up zones; names its squares.
 */
#include "board.h"

#include <string.h>

const char *side_name(enum side side) {
    return side == RED ? "red" : "blue";
}

square board_square(const struct board *board, int file, int rank) {
    if (file < 0 || file >= board->files || rank < 0 || rank >= board->ranks) return SQUARE_NONE;
    return (square)(rank * board->files + file);
}

size_t square_write(const struct board *board, square at, char out[SQUARE_TEXT_MAX]) {
    const int rank = (board_rank(board, at) + 1) % 100;
    char *end = out;
    *end++ = (char)('a' + board_file(board, at));
    if (rank >= 10) *end++ = (char)('0' + rank / 10);
    *end++ = (char)('0' + rank % 10);
    *end = 0;
    return (size_t)(end - out);
}

const char *square_text(const struct board *board, square at, char out[SQUARE_TEXT_MAX]) {
    if (at == SQUARE_NONE) return "…";
    square_write(board, at, out);
    return out;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

size_t square_read(const struct board *board, const char *text, size_t length, square *at) {
    if (length < 2 || !is_digit(text[1])) return 0;
    char file = text[0] >= 'A' && text[0] <= 'Z' ? (char)(text[0] - 'A' + 'a') : text[0];
    if (file < 'a' || file > 'z') return 0;
    int rank = text[1] - '0';
    size_t used = 2;
    if (length > 2 && is_digit(text[2])) {
        rank = 10 * rank + text[2] - '0';
        used = 3;
    }
    *at = board_square(board, file - 'a', rank - 1);
    return used;
}

squareset board_back(const struct board *board, enum side side, int ranks) {
    const int squares = ranks * board->files;
    if (!squares) return 0;
    squareset back = ~(squareset)0 >> (BOARD_SQUARES_MAX - squares);
    return side == RED ? back : back << (board->squares - squares);
}

squareset board_own_set(const struct board *board, enum side side, squareset set) {
    squareset own = 0;
    while (set) own |= squareset_of(board_own(board, side, squareset_pop(&set)));
    return own;
}

/* Derives a side's zone; false if it is out of range. */
static bool derive_zone(struct board *board, enum side side) {
    const int ranks = board->zone_ranks[side];
    if (ranks < 1 || ranks > board->ranks) return false;
    const squareset back = board_back(board, side, ranks), only = board->zone_only[side];
    board->zone[side] = (only ? only : back) & board->land;
    return !(only & ~back);
}

int board_ground(const struct board *board, const char *name) {
    int ground = 0;
    while (ground < board->grounds && strcmp(board->ground[ground].name, name) != 0) ground++;
    return ground;
}

char ground_sign(int number) {
    static const char signs[GROUNDS_MAX] = {'=', '^', '%', '&', ';', '$', '_', '/',
                                            '|', '{', '}', '"', '-', ',', '`', '!'};
    return signs[number];
}

int board_shown_ground(const struct board *board, square at) {
    int shown = -1, least = 0;
    for (int i = 0; i < board->grounds; i++) {
        const squareset squares = ground_squares(&board->ground[i]);
        const int count = squareset_count(squares);
        if (!squareset_has(squares, at) || (shown >= 0 && count >= least)) continue;
        shown = i;
        least = count;
    }
    return shown;
}

/* Are links and walls of a square good, and those of the other end the same? */
static bool lines_good(const struct board *board, square at) {
    const squareset linked = board->linked[at], walled = board->walled[at];
    if (at >= board->squares) return !linked && !walled;
    if ((linked & ~board->land) || (linked && !squareset_has(board->land, at)) ||
        squareset_has(linked, at) || (walled & ~board_back(board, RED, board->ranks)))
        return false;
    for (squareset left = linked; left;)
        if (!squareset_has(board->linked[squareset_pop(&left)], at)) return false;
    for (squareset left = walled; left;) {
        const square other = squareset_pop(&left);
        const int across = board_file(board, at) - board_file(board, other);
        const int along = board_rank(board, at) - board_rank(board, other);
        if (!squareset_has(board->walled[other], at) || across * across + along * along != 1)
            return false;
    }
    return true;
}

/* Joins the squares by lines. False if lines or grounds are out of range. */
static bool derive_lines(struct board *board) {
    board->plain = !board->shelter;
    if (board->grounds > GROUNDS_MAX || ((board->shelter | board->stays) & ~board->land))
        return false;
    for (int i = 0; i < board->grounds; i++)
        if (ground_squares(&board->ground[i]) & ~board->land) return false;
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) {
        if (!lines_good(board, (square)at)) return false;
        if (board->linked[at] || board->walled[at]) board->plain = false;
    }
    return true;
}

bool board_derive(struct board *board) {
    if (board->files < 1 || board->files > BOARD_LINES_MAX || board->ranks < 1 ||
        board->ranks > BOARD_LINES_MAX || board->files * board->ranks > BOARD_SQUARES_MAX)
        return false;
    board->squares = (uint8_t)(board->files * board->ranks);
    squareset all = ~(squareset)0 >> (BOARD_SQUARES_MAX - board->squares);
    if (board->lakes & ~all) return false;
    board->land = all & ~board->lakes;
    if (!derive_zone(board, RED) || !derive_zone(board, BLUE) ||
        (board->zone[RED] & board->zone[BLUE]) || !derive_lines(board))
        return false;
    board->first_file = board->last_file = 0;
    for (square at = 0; at < board->squares; at++) {
        if (board_file(board, at) == 0) board->first_file |= squareset_of(at) & board->land;
        if (board_file(board, at) == board->files - 1)
            board->last_file |= squareset_of(at) & board->land;
        static const int step[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
        board->neighbours[at] = board->linked[at];
        for (int i = 0; i < 4; i++) {
            square next = board_square(board, board_file(board, at) + step[i][0],
                                       board_rank(board, at) + step[i][1]);
            bool land = next != SQUARE_NONE && squareset_has(board->land, next) &&
                        !squareset_has(board->walled[at], next);
            if (land) board->neighbours[at] |= squareset_of(next);
            board->around[at][i] = land ? next : at;
        }
    }
    return true;
}

void board_steps(const struct board *board, squareset land, squareset from,
                 uint8_t steps[BOARD_SQUARES_MAX]) {
    squareset seen = from, edge = from;
    memset(steps, STEPS_NONE, BOARD_SQUARES_MAX);
    for (uint8_t step = 0; edge; step++) {
        for (squareset left = edge; left;) steps[squareset_pop(&left)] = step;
        edge = board_joined(board, edge) & land & ~seen;
        seen |= edge;
    }
}
