/* crowd_turns.c - turners: pieces that make up to two steps, round a corner too, in 256 games at
 * once.
 *
 *     . . 11 . .      T such a piece and its ways, numbered in the order of their squares:
 *     . 8  9 10 .     0, 4, 7 and 11 lead straight on over 2, 5, 6 and 9, if those are empty;
 *     4 5  T  6 7     1, 3, 8 and 10 round a corner, over either of the two beside them
 *     . 1  2  3 .
 *     . .  0  . .
 *
 * Turners are few, so only the squares around them are examined. The crowd keeps a list of their
 * squares, a byte of each game for each turner. Slices made from that byte tell in which games the
 * piece is on which rank and file; they select its rank, the two ranks beside it and its file from
 * the planes of the board, and the squares around it from those:
 *
 *     planes     rank 3 in these games, rank 4 in those …     the rank above it
 *     that rank  file a in these games, file b in those …     one up, one to the left
 *
 * Each way is then one slice, wherever it leads in each game. */
#include "crowd_inside.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "avx2_begin.h"

#include "slice.h"

/* The lines around a piece: the rank below, its own and the one above; its file. */
struct around {
    slice enterable[3][BOARD_LINES_MAX], empty[BOARD_LINES_MAX];
    slice file_enterable[BOARD_LINES_MAX], file_empty[BOARD_LINES_MAX];
};

/* Sorts the turners by square, as moves are numbered. Fallen ones come last. */
INLINE void sort_turners(struct each *turner, int turners) {
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

/* For each line, the games whose code of four bits names it. The margins stay empty. */
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

/* The square on a line that is `off` squares up or right of the piece; negative: down or left. */
INLINE slice pick_square(const slice *squares, int length, const slice *piece, int off) {
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
    slice down = pick_square(around.file_empty, ranks, rank, -1);
    slice up = pick_square(around.file_empty, ranks, rank, 1);
    slice left = pick_square(around.empty, files, file, -1),
          right = pick_square(around.empty, files, file, 1);
    way[0] = pick_square(around.file_enterable, ranks, rank, -2) & down;
    way[1] = pick_square(around.enterable[0], files, file, -1) & (down | left);
    way[2] = pick_square(around.file_enterable, ranks, rank, -1);
    way[3] = pick_square(around.enterable[0], files, file, 1) & (down | right);
    way[4] = pick_square(around.enterable[1], files, file, -2) & left;
    way[5] = pick_square(around.enterable[1], files, file, -1);
    way[6] = pick_square(around.enterable[1], files, file, 1);
    way[7] = pick_square(around.enterable[1], files, file, 2) & right;
    way[8] = pick_square(around.enterable[2], files, file, -1) & (left | up);
    way[9] = pick_square(around.file_enterable, ranks, rank, 1);
    way[10] = pick_square(around.enterable[2], files, file, 1) & (right | up);
    way[11] = pick_square(around.file_enterable, ranks, rank, 2) & up;
}

void crowd_count_turns(struct crowd *crowd, slice sum[COUNT_BITS]) {
    const struct board *board = &crowd->table->rules->board;
    struct each *list = crowd->turner_at[crowd_to_move(crowd)];
    sort_turners(list, crowd->turners);
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

/* Collects rank, file and free ways of this piece for the games that chose it. */
INLINE void gather_chosen(struct turner *chosen, const struct turner *turner, slice hot, int files,
                          int ranks) {
    for (int i = MARGIN; i < MARGIN + files; i++) chosen->file[i] |= hot & turner->file[i];
    for (int i = MARGIN; i < MARGIN + ranks; i++) chosen->rank[i] |= hot & turner->rank[i];
    for (int i = 0; i < TURNS; i++) chosen->way[i] |= hot & turner->way[i];
}

/* Adds the source lines, and the destination lines by distance `off`, from two down or left to two
 * up or right. */
INLINE void add_ends(const slice *line, int lines, const slice off[5], slice *from, slice *to) {
    for (int i = 0; i < lines; i++) {
        from[i] |= line[MARGIN + i];
        for (int d = 0; d < 5; d++) to[i] |= off[d] & line[i + 4 - d];
    }
}

/* The games whose destination is taken. */
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
        gather_chosen(&chosen, &crowd->turner[i], hot[i], files, ranks);
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
