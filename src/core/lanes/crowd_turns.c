/* crowd_turns.c - pieces that make two steps, round a corner too, in 256 games at once.
 *
 *     . . 11 . .      T such a piece and its ways, numbered in the order of their squares:
 *     . 8  9 10 .     0, 4, 7 and 11 lead straight on over 2, 5, 6 and 9, if those are empty;
 *     4 5  T  6 7     1, 3, 8 and 10 round a corner, over either of the two beside them
 *     . 1  2  3 .
 *     . .  0  . .
 *
 * They are few. So not every square is looked at, as for plain pieces, but those around them: the
 * crowd keeps a list of where they stand, a byte of each game for each of them. From that byte come
 * slices that say in which games the piece is on which rank and on which file. Those pick, from the
 * planes of the board, its rank, the two beside it and its file, and of these the squares around
 * it:
 *
 *     planes     rank 3 in these games, rank 4 in those …     the rank above it
 *     that rank  file a in these games, file b in those …     one up, one to the left
 *
 * so that each of its ways is one slice, wherever in each game it leads. */
#include "crowd_inside.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "avx2_begin.h"

#include "slice.h"

/* What is around a piece: on the rank below it, its own and the one above; on its file. */
struct around {
    slice enterable[3][BOARD_LINES_MAX], empty[BOARD_LINES_MAX];
    slice file_enterable[BOARD_LINES_MAX], file_empty[BOARD_LINES_MAX];
};

/* Moves come in the order of squares. Those that have fallen come last. */
INLINE void sort(struct each *turner, int turners) {
    for (int last = turners - 1; last > 0; last--) {
        for (int i = 0; i < last; i++) {
            for (int k = 0; k < EIGHTHS; k++) {
                __m256i a = (__m256i)turner[i].eighth[k], b = (__m256i)turner[i + 1].eighth[k];
                turner[i].eighth[k] = (slice)_mm256_min_epu8(a, b);
                turner[i + 1].eighth[k] = (slice)_mm256_max_epu8(a, b);
            }
        }
    }
}

/* In which games does a number of four bits say which line? The margins stay empty. */
INLINE void find_line(const slice code[4], int lines, slice *line) {
    slice low[4], high[4];
    for (int i = 0; i < 4; i++) {
        low[i] = (i & 1 ? code[0] : ~code[0]) & (i & 2 ? code[1] : ~code[1]);
        high[i] = (i & 1 ? code[2] : ~code[2]) & (i & 2 ? code[3] : ~code[3]);
    }
    for (int i = 0; i < lines; i++) line[MARGIN + i] = low[i & 3] & high[i >> 2];
}

INLINE void look_around(const struct crowd *crowd, const struct turner *turner, int files,
                        int ranks, struct around *around) {
    const slice *rank = turner->rank, *file = turner->file;
#pragma GCC unroll 1
    for (int j = 0; j < files; j++) {
        const slice *enterable = &crowd->enterable[j], *empty = &crowd->empty[j];
        slice below = {0}, here = {0}, above = {0}, empty_here = {0};
#pragma GCC unroll 16
        for (int i = 0; i < ranks; i++) {
            below |= rank[MARGIN + i + 1] & enterable[i * files];
            here |= rank[MARGIN + i] & enterable[i * files];
            above |= rank[MARGIN + i - 1] & enterable[i * files];
            empty_here |= rank[MARGIN + i] & empty[i * files];
        }
        around->enterable[0][j] = below;
        around->enterable[1][j] = here;
        around->enterable[2][j] = above;
        around->empty[j] = empty_here;
    }
#pragma GCC unroll 1
    for (int i = 0; i < ranks; i++) {
        const slice *enterable = &crowd->enterable[i * files], *empty = &crowd->empty[i * files];
        slice enterable_here = {0}, empty_here = {0};
#pragma GCC unroll 16
        for (int j = 0; j < files; j++) {
            enterable_here |= file[MARGIN + j] & enterable[j];
            empty_here |= file[MARGIN + j] & empty[j];
        }
        around->file_enterable[i] = enterable_here;
        around->file_empty[i] = empty_here;
    }
}

/* Of the squares on a line, the one so far up or right of the piece; below 0, down or left. */
INLINE slice pick(const slice *squares, int length, const slice *piece, int off) {
    slice picked = {0};
#pragma GCC unroll 16
    for (int i = 0; i < length; i++) picked |= squares[i] & piece[MARGIN + i - off];
    return picked;
}

INLINE void find_ways(const struct crowd *crowd, struct turner *turner, int files, int ranks) {
    const slice *rank = turner->rank, *file = turner->file;
    slice *way = turner->way;
    struct around around;
    look_around(crowd, turner, files, ranks, &around);
    slice down = pick(around.file_empty, ranks, rank, -1);
    slice up = pick(around.file_empty, ranks, rank, 1);
    slice left = pick(around.empty, files, file, -1), right = pick(around.empty, files, file, 1);
    way[0] = pick(around.file_enterable, ranks, rank, -2) & down;
    way[1] = pick(around.enterable[0], files, file, -1) & (down | left);
    way[2] = pick(around.file_enterable, ranks, rank, -1);
    way[3] = pick(around.enterable[0], files, file, 1) & (down | right);
    way[4] = pick(around.enterable[1], files, file, -2) & left;
    way[5] = pick(around.enterable[1], files, file, -1);
    way[6] = pick(around.enterable[1], files, file, 1);
    way[7] = pick(around.enterable[1], files, file, 2) & right;
    way[8] = pick(around.enterable[2], files, file, -1) & (left | up);
    way[9] = pick(around.file_enterable, ranks, rank, 1);
    way[10] = pick(around.enterable[2], files, file, 1) & (right | up);
    way[11] = pick(around.file_enterable, ranks, rank, 2) & up;
}

void crowd_count_turns(struct crowd *crowd, slice sum[COUNT_BITS]) {
    const struct board *board = &crowd->table->rules->board;
    struct each *list = crowd->turner_at[crowd_to_move(crowd)];
    sort(list, crowd->turners);
    for (int i = 0; i < crowd->turners; i++) {
        struct turner *turner = &crowd->turner[i];
        slice code[8], *number = crowd->way_count[i];
        for (int k = 0; k < EIGHTHS; k++) code[k] = list[i].eighth[k];
        transpose(code);
        find_line(code, board->files, turner->file);
        find_line(code + 4, board->ranks, turner->rank);
        ON_BOARD(board, find_ways, crowd, turner);
        for (int k = 0; k < LINE_BITS; k++) number[k] = NO_GAME;
        for (const slice *way = turner->way; way < turner->way + TURNS; way += 4)
            add_four(number, way[0], way[1], way[2], way[3]);
        add_number(sum, COUNT_BITS, number, LINE_BITS);
    }
}

/* Of the games that have chosen a piece, where it is and its free ways. */
INLINE void gather(struct turner *chosen, const struct turner *turner, slice hot, int files,
                   int ranks) {
    for (int i = MARGIN; i < MARGIN + files; i++) chosen->file[i] |= hot & turner->file[i];
    for (int i = MARGIN; i < MARGIN + ranks; i++) chosen->rank[i] |= hot & turner->rank[i];
    for (int i = 0; i < TURNS; i++) chosen->way[i] |= hot & turner->way[i];
}

/* Adds the lines from which pieces go, and those to which they go that are `off` lines away, from
 * two down or left to two up or right. */
INLINE void add_ends(const slice *line, int lines, const slice off[5], slice *from, slice *to) {
    for (int i = 0; i < lines; i++) {
        from[i] |= line[MARGIN + i];
        for (int d = 0; d < 5; d++) to[i] |= off[d] & line[i + 4 - d];
    }
}

/* The games in which something stands where the move goes. */
INLINE slice find_attacks(const struct crowd *crowd, int files, int ranks) {
    slice attack = {0};
    for (int rank = 0; rank < ranks; rank++) {
        slice taken = {0};
        for (int file = 0; file < files; file++)
            taken |= crowd->to_file[file] & ~crowd->empty[rank * files + file];
        attack |= crowd->to_rank[rank] & taken;
    }
    return attack;
}

void crowd_choose_turns(struct crowd *crowd, slice index[COUNT_BITS]) {
    const int files = crowd->table->rules->board.files, ranks = crowd->table->rules->board.ranks;
    struct turner chosen = {.way = {{0}}};
    slice hot[TURNERS_MAX], go[TURNS];
    transpose(index);
    descend(crowd->turned, index, COUNT_BITS, crowd->way_count[0], LINE_BITS, crowd->turners, hot);
    for (int i = 0; i < crowd->turners; i++)
        gather(&chosen, &crowd->turner[i], hot[i], files, ranks);
    for (int i = 0; i < TURNS; i++) {
        go[i] = chosen.way[i] & ~(index[0] | index[1] | index[2] | index[3]);
        subtract_bit(index, LINE_BITS, chosen.way[i]);
    }
    slice up[5] = {go[0], go[1] | go[2] | go[3], go[4] | go[5] | go[6] | go[7],
                   go[8] | go[9] | go[10], go[11]};
    slice right[5] = {go[4], go[1] | go[5] | go[8], go[0] | go[2] | go[9] | go[11],
                      go[3] | go[6] | go[10], go[7]};
    add_ends(chosen.rank, ranks, up, crowd->from_rank, crowd->to_rank);
    add_ends(chosen.file, files, right, crowd->from_file, crowd->to_file);
    crowd->attack |= crowd->turned & find_attacks(crowd, files, ranks);
}

void crowd_move_turners(struct crowd *crowd, const slice *which) {
    struct each *list = crowd->turner_at[crowd_to_move(crowd)];
    for (int i = 0; i < crowd->turners; i++) {
        for (int k = 0; k < EIGHTHS; k++) {
            bytes at = (bytes)list[i].eighth[k];
            bytes goes = (bytes)(at == (bytes)crowd->from.eighth[k]) & bytes_of(*which, k);
            list[i].eighth[k] ^= (slice)goes & (list[i].eighth[k] ^ crowd->to.eighth[k]);
        }
    }
}

#include "avx2_end.h"
#endif
