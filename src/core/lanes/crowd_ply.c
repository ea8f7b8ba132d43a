/* crowd_ply.c - one ply of 256 games at once, by logic on slices.
 *
 * A slice holds one bit of every game (crowd_inside.h), so one instruction does the same for all
 * 256, without a branch. A line of the board is walked in one direction, square by square:
 *
 *     . . s . . e . o . .     a scout s, an enemy e, an own piece o
 *           r r r             run: there is a runner behind, and nothing between
 *     . . . 1 1 1 . . . .     arrive: run, or a stepper right behind, and the square is enterable
 *
 * In each of the four directions a destination stands for one move, as in lanes.c and in the same
 * order. Full adders count the destinations, one slice for each binary digit: on each line, in each
 * copy of the board, and in all. A transposition turns the sums into bytes, each game's own stream
 * draws an index below its sum, and a second transposition turns the indices back into slices. Then
 * all games descend together, from copy to line to square, subtracting each count until the index
 * is less: `hot` slices mark the games that choose this copy, line or square. Nothing is listed,
 * and no game waits for another.
 *
 * Turners have an index and a file of their own (crowd_turns.c). Moves to empty squares are then
 * played by exclusive or in all games at once. Attacks, uses of abilities, moves of turners in
 * games with such uses, and suspect moves (the piece has gone to and fro as often as allowed, or
 * the enemy has run three times) are left to crowd.c, game by game.
 *
 * Compiled for AVX2 alone; other processors play lanes. */
#include "crowd_inside.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#include "avx2_begin.h"

#include "slice.h"

/* The lines of a copy of the board; constant if copy and board are. */
struct way {
    int lines, length; /* their number, squares on each */
    int first;         /* square of the first line */
    int across, along; /* from line to line, from square to square */
};

INLINE struct way way_of(int copy, int files, int ranks) {
    struct way way = copy % 2 ? (struct way){files, ranks, 0, 1, files}
                              : (struct way){ranks, files, 0, files, 1};
    if (copy < 2) return way;
    way.first = (way.length - 1) * way.along;
    way.along = -way.along;
    return way;
}

/* Finds the destinations on one line and counts them. */
INLINE void scan_line(struct crowd *crowd, struct way way, int at, slice *arrive,
                      slice number[LINE_BITS]) {
    const slice *runners = crowd->plane[crowd->clock & 1][LANE_RUNNERS];
    const slice *steppers = crowd->plane[crowd->clock & 1][LANE_STEPPERS];
    enum { NINE = 9 }; /* destinations that count_nine() adds; a line has up to 15 */
    slice run = {0}, bit[2 * NINE] = {{0}}, more[LINE_BITS];
#pragma GCC unroll 16
    for (int i = 1; i < way.length; i++, at += way.along) {
        run = runners[at] | (run & crowd->empty[at]);
        bit[i - 1] = arrive[i] = (run | steppers[at]) & crowd->enterable[at + way.along];
    }
    count_nine(number, bit);
    if (way.length - 1 <= NINE) return;
    count_nine(more, bit + NINE);
    add_number(number, LINE_BITS, more, LINE_BITS);
}

/* The same on all lines of a copy; adds to the total. */
INLINE void scan_copy(struct crowd *crowd, int copy, int files, int ranks, slice all[COUNT_BITS]) {
    const struct way way = way_of(copy, files, ranks);
    slice sum[COPY_BITS] = {{0}};
#pragma GCC unroll 1
    for (int line = 0; line < way.lines; line++) {
        slice number[LINE_BITS];
        scan_line(crowd, way, way.first + line * way.across,
                  &crowd->arrive[copy][line * way.length], number);
        for (int k = 0; k < LINE_BITS; k++) crowd->on_line[copy][line][k] = number[k];
        add_number(sum, COPY_BITS, number, LINE_BITS);
    }
    for (int k = 0; k < COPY_BITS; k++) crowd->on_copy[copy][k] = sum[k];
    add_number(all, COUNT_BITS, sum, COPY_BITS);
}

/* Finds and counts all destinations. */
INLINE void look(struct crowd *crowd, int files, int ranks) {
    const slice *own = crowd->plane[crowd->clock & 1][LANE_ALL];
    const slice *enemy = crowd->plane[~crowd->clock & 1][LANE_ALL];
    slice all[COUNT_BITS] = {{0}}, some = {0};
    for (int at = 0; at < files * ranks; at++) {
        crowd->enterable[at] = ~own[at];
        crowd->empty[at] = ~(own[at] | enemy[at]);
    }
#pragma GCC unroll 4
    for (int copy = 0; copy < COPIES; copy++) scan_copy(crowd, copy, files, ranks, all);
    for (int k = 0; k < COUNT_BITS; k++) some |= all[k];
    crowd->stuck = ~some;
    transpose(all);
    memcpy(&crowd->count, all, sizeof all);
}

/* Draws an index for every game; `index` gets its lowest eight bits. */
INLINE void draw(struct crowd *crowd, slice index[COUNT_BITS], bool special) {
    slice biased = {0}, acts = {0};
#pragma GCC unroll 1
    for (int k = 0; k < EIGHTHS; k++) {
        slice counts = crowd->count.eighth[k], indices = {0};
        for (int j = 0; j < 8; j++) {
            slice *state[4];
            for (int i = 0; i < 4; i++) state[i] = &crowd->random[i][k][j];
            slice times5 = *state[1] + (*state[1] << 2), turned = times5 << 7 | times5 >> 57;
            slice drawn = (turned + (turned << 3)) >> 32, shifted = *state[1] << 17;
            slice two = *state[2] ^ *state[0], three = *state[3] ^ *state[1];
            *state[1] ^= two;
            *state[0] ^= three;
            *state[2] = two ^ shifted;
            *state[3] = three << 45 | three >> 19;

            slice plain = counts >> (8 * j) & 255, count = plain;
            if (special) count += crowd->special[k][j];
            slice product = (slice)_mm256_mul_epu32((__m256i)drawn, (__m256i)count);
            slice whole = product >> 32;
            crowd->low[k][j] = product;
            crowd->whole[k][j] = whole;
            biased |= (product & UINT32_MAX) - count;
            if (special) { /* a bit each, by the sign of a difference */
                acts |= (plain - whole - 1) >> 63 << (8 * j + k);
                whole &= 255;
            }
            indices |= whole << (8 * j);
        }
        index[k] = indices;
    }
    if (special) crowd->acts = acts & ~crowd->stuck;
    biased >>= 63;
    if (__builtin_expect((biased[0] | biased[1] | biased[2] | biased[3]) == 0, 1)) return;
    crowd_draw_again(crowd);
    for (int seat = 0; seat < SEATS; seat++)
        ((uint8_t *)index)[seat] = (uint8_t)*seat_number(crowd->whole, seat);
}

/* Collects the counts on the lines of this copy for the games that chose it. */
INLINE void gather_numbers(struct crowd *crowd, int copy, int lines, slice hot,
                           slice (*number)[LINE_BITS]) {
#pragma GCC unroll 1
    for (int line = 0; line < lines; line++)
        for (int k = 0; k < LINE_BITS; k++) number[line][k] |= hot & crowd->on_line[copy][line][k];
}

/* Collects the chosen line for the games that chose this copy. */
INLINE void gather_line(struct crowd *crowd, int copy, struct way way, slice hot,
                        const slice *line_hot, slice *arrive, slice *empty) {
#pragma GCC unroll 1
    for (int line = 0; line < way.lines; line++) {
        slice here = hot & line_hot[line];
        const slice *arriving = &crowd->arrive[copy][line * way.length];
        const slice *board = &crowd->empty[way.first + line * way.across];
#pragma GCC unroll 16
        for (int i = 0; i < way.length; i++) {
            if (i) arrive[i] |= here & arriving[i];
            empty[i] |= here & board[i * way.along];
        }
    }
}

/* The files or ranks of one end of the moves. For moves along them: the square `on` the line,
 * counted from the far end in the third and fourth copies; for the others: the line. */
INLINE void find_ends(const slice *copy_hot, int copy, const slice *line_hot, const slice *on,
                      int length, slice *hot) {
    slice others = copy_hot[!copy] | copy_hot[2 + !copy];
#pragma GCC unroll 16
    for (int i = 0; i < length; i++)
        hot[i] = (others & line_hot[i]) | (copy_hot[copy] & on[i]) |
                 (copy_hot[2 + copy] & on[length - 1 - i]);
}

/* Turns every game's index into the two ends of its move; no ends if it is a special move. */
INLINE void choose(struct crowd *crowd, slice index[COUNT_BITS], int files, int ranks) {
    const int most = files > ranks ? files : ranks;
    slice copy_hot[COPIES], line_hot[BOARD_LINES_MAX];
    slice number[BOARD_LINES_MAX][LINE_BITS] = {{{0}}};
    transpose(index);
    descend(~(crowd->acts | crowd->turned), index, COUNT_BITS, crowd->on_copy[0], COPY_BITS, COPIES,
            copy_hot);
#pragma GCC unroll 4
    for (int copy = 0; copy < COPIES; copy++)
        gather_numbers(crowd, copy, way_of(copy, files, ranks).lines, copy_hot[copy], number);
    descend(~NO_GAME, index, COPY_BITS, number[0], LINE_BITS, most, line_hot);

    slice arrive[BOARD_LINES_MAX] = {{0}}, empty[BOARD_LINES_MAX] = {{0}};
#pragma GCC unroll 4
    for (int copy = 0; copy < COPIES; copy++)
        gather_line(crowd, copy, way_of(copy, files, ranks), copy_hot[copy], line_hot, arrive,
                    empty);

    /* The destination is where the index reaches 0, its source the first taken square behind. */
    slice to[BOARD_LINES_MAX] = {{0}}, from[BOARD_LINES_MAX], attack = {0}, open = {0};
#pragma GCC unroll 16
    for (int i = 1; i < most; i++) {
        to[i] = arrive[i] & ~(index[0] | index[1] | index[2] | index[3]);
        attack |= to[i] & ~empty[i];
        subtract_bit(index, LINE_BITS, arrive[i]);
    }
#pragma GCC unroll 16
    for (int i = most; i-- > 0;) {
        from[i] = open & ~empty[i];
        open = to[i] | (open & empty[i]);
    }
    crowd->attack = attack;

    find_ends(copy_hot, 0, line_hot, from, files, crowd->from_file);
    find_ends(copy_hot, 1, line_hot, from, ranks, crowd->from_rank);
    find_ends(copy_hot, 0, line_hot, to, files, crowd->to_file);
    find_ends(copy_hot, 1, line_hot, to, ranks, crowd->to_rank);
}

/* Turns files and ranks into codes. Lines beyond the board are always empty. */
INLINE void write_codes(struct each *each, const slice file[BOARD_LINES_MAX],
                        const slice rank[BOARD_LINES_MAX]) {
    slice code[8] = {{0}};
#pragma GCC unroll 16
    for (int i = 0; i < BOARD_LINES_MAX; i++)
        for (int k = 0; k < 4; k++)
            if (i >> k & 1) code[k] |= file[i], code[4 + k] |= rank[i];
    transpose(code);
    memcpy(each, code, sizeof code);
}

/* 255 for seats whose piece goes back along its last line, or to its last source: only such moves
 * go to and fro. */
INLINE bytes going_back(const struct crowd *crowd, int k) {
    const int mine = crowd->clock & 1;
    bytes from = (bytes)crowd->from.eighth[k], to = (bytes)crowd->to.eighth[k];
    bytes came = (bytes)crowd->came[mine].eighth[k], last = (bytes)crowd->last[mine].eighth[k];
    bytes off = (from ^ to) | (came ^ last);
    bytes one_line = (bytes)((off & 0xF0) == 0) | (bytes)((off & 0x0F) == 0);
    bytes opposite = (bytes)(to > from) ^ (bytes)(last > came);
    return (bytes)(from == last) & ((one_line & opposite) | (bytes)(to == came));
}

/* The games whose drawn move a repetition rule forbids. */
INLINE slice find_forbidden(struct crowd *crowd, slice asked) {
    const int mine = crowd->clock & 1;
    const uint8_t enough = (uint8_t)(crowd->table->chase_bits >> RAN_BIT);
    const uint8_t limit = crowd->run_limit;
    slice forbidden = {0}, suspect = {0};
    for (int k = 0; k < EIGHTHS; k++) {
        bytes run = (bytes)crowd->run[mine].eighth[k], ran = (bytes)crowd->ran[!mine].eighth[k];
        bytes again = going_back(crowd, k) & (bytes)(run >= limit);
        suspect |= bits_of(again | (bytes)((ran & enough) == enough), k);
    }
    suspect &= asked;
    for (int word = 0; word < SLICE_WORDS; word++)
        for (uint64_t left = suspect[word]; left; left &= left - 1)
            if (crowd_is_forbidden(crowd, seat_of(word, __builtin_ctzll(left))))
                forbidden[word] |= left & -left;
    return forbidden;
}

/* Moves pieces to empty squares in these games, on the planes. */
INLINE void shift_planes(struct crowd *crowd, slice which, bool guessers, int files, int ranks) {
    slice(*own)[PLANE] = crowd->plane[crowd->clock & 1];
    slice runs = {0}, guesses = {0};
#pragma GCC unroll 1
    for (int rank = 0; rank < ranks; rank++) {
        for (int file = 0; file < files; file++) {
            slice from = crowd->from_rank[rank] & crowd->from_file[file];
            runs |= from & own[LANE_RUNNERS][rank * files + file];
            if (guessers) guesses |= from & own[PLANE_GUESSERS][rank * files + file];
        }
    }
    slice walker = which & ~runs & ~crowd->turned, runner = which & runs;
    slice guesser = which & guesses;
#pragma GCC unroll 1
    for (int rank = 0; rank < ranks; rank++) {
        for (int file = 0; file < files; file++) {
            int at = rank * files + file;
            slice ends = (crowd->from_rank[rank] & crowd->from_file[file]) |
                         (crowd->to_rank[rank] & crowd->to_file[file]);
            own[LANE_ALL][at] ^= ends & which;
            own[LANE_STEPPERS][at] ^= ends & walker;
            own[LANE_RUNNERS][at] ^= ends & runner;
            if (guessers) own[PLANE_GUESSERS][at] ^= ends & guesser;
        }
    }
}

/* Squares by their codes; NOWHERE where `moves` is 0. */
INLINE bytes squares_of(const struct crowd *crowd, slice codes, bytes moves) {
    bytes rank = (bytes)(codes >> 4) & 15, file = (bytes)codes & 15;
    bytes first = (bytes)_mm256_shuffle_epi8((__m256i)crowd->first_of, (__m256i)rank);
    return ((first + file) & moves) | (~moves & NOWHERE);
}

/* The same on the cells; in other games an empty cell moves from NOWHERE to NOWHERE. */
INLINE void shift_cells(struct crowd *crowd, slice which) {
    struct each from, to;
    for (int k = 0; k < EIGHTHS; k++) {
        bytes moves = bytes_of(which, k);
        from.eighth[k] = (slice)squares_of(crowd, crowd->from.eighth[k], moves);
        to.eighth[k] = (slice)squares_of(crowd, crowd->to.eighth[k], moves);
    }
#pragma GCC unroll 8
    for (int seat = 0; seat < SEATS; seat++) {
        cell *at = crowd->at[seat], *leave = &at[each_of(&from, seat)], actor = *leave;
        *leave = CELL_EMPTY;
        at[each_of(&to, seat)] = actor;
    }
}

/* Records every game's move. */
INLINE void note_moves(struct crowd *crowd) {
    const int mine = crowd->clock & 1;
    struct crowd_row *row = &crowd->row[crowd->clock & (crowd->rows - 1)];
    row->attack = crowd->attack;
    for (int k = 0; k < EIGHTHS; k++) {
        slice *last = &crowd->last[mine].eighth[k], *run = &crowd->run[mine].eighth[k];
        slice *ran = &crowd->ran[mine].eighth[k];
        bytes back = going_back(crowd, k);
        bytes from = (bytes)crowd->from.eighth[k], to = (bytes)crowd->to.eighth[k];
        row->from.eighth[k] = (slice)from;
        row->to.eighth[k] = (slice)to;
        row->placed.eighth[k] = crowd->placed.eighth[k];
        crowd->placed.eighth[k] = ~NO_GAME;
        bytes moves = (bytes)*run & back;
        *run = (slice)(moves - (bytes)(moves < RUN_MAX));
        *last = (slice)to;
        crowd->came[mine].eighth[k] = (slice)from;
        /* One file or rank away from the enemy's last destination? False positives occur, since
         * codes wrap from line to line; they only make a move suspect. */
        bytes off = from - (bytes)crowd->last[!mine].eighth[k];
        bytes away =
            (bytes)(off == 1) | (bytes)(off == 255) | (bytes)(off == 16) | (bytes)(off == 240);
        *ran = (slice)((((bytes)*ran + (bytes)*ran) & 7) | (away & 1));
    }
}

static void look_at_board(struct crowd *crowd, const struct board *board) {
    ON_BOARD(board, look, crowd);
}

static void choose_on_board(struct crowd *crowd, const struct board *board,
                            slice index[COUNT_BITS]) {
    ON_BOARD(board, choose, crowd, index);
}

static void shift_on_board(struct crowd *crowd, const struct board *board, const slice *which) {
    if (crowd->guesses)
        ON_BOARD(board, shift_planes, crowd, *which, true);
    else
        ON_BOARD(board, shift_planes, crowd, *which, false);
}

/* Finds every game's `from` and `to`. Returns the games that use an ability, which have none
 * yet. */
INLINE slice find_moves(struct crowd *crowd) {
    const struct board *board = &crowd->table->rules->board;
    /* Special moves are numbered by the pieces' squares. An index among the turners' moves is found
     * on slices, unless guesses or other uses lie in between: then special_move() finds it, seat by
     * seat. */
    bool special = crowd->table->acting != 0, on_slices = crowd->turners && !crowd->guesses;
    slice index[COUNT_BITS], turn[COUNT_BITS], abilities = {0};
    look_at_board(crowd, board);
    if (special) crowd_count_special(crowd);
    draw(crowd, index, special);
    if (on_slices) {
        crowd->turned = crowd->acts & ~crowd->users;
        crowd->acts &= crowd->users;
        for (int k = 0; k < EIGHTHS; k++)
            turn[k] = (slice)((bytes)index[k] - (bytes)crowd->count.eighth[k]);
    }
    choose_on_board(crowd, board, index);
    if (on_slices) crowd_choose_turns(crowd, turn);
    write_codes(&crowd->from, crowd->from_file, crowd->from_rank);
    write_codes(&crowd->to, crowd->to_file, crowd->to_rank);
    slice acts = crowd->acts & crowd->busy;
    crowd->idle = NO_GAME;
    for (int word = 0; word < SLICE_WORDS; word++)
        for (uint64_t left = acts[word]; left; left &= left - 1)
            if (!crowd_choose_special(crowd, seat_of(word, __builtin_ctzll(left))))
                abilities[word] |= left & -left;
    return abilities;
}

int crowd_ply(struct crowd *crowd, uint8_t over[SEATS]) {
    const struct board *board = &crowd->table->rules->board;
    int count = 0;
    slice slow = find_moves(crowd), stuck = crowd->stuck & crowd->busy;
    slice playing = crowd->busy & ~stuck;
    slow |= find_forbidden(crowd, playing & ~slow);
    slice quick = playing & ~slow, attack = quick & crowd->attack & ~crowd->idle;
    slice special = quick & ~attack & crowd->acts, quiet = quick & ~attack & ~special;
    shift_on_board(crowd, board, &quiet);
    slice turned = quiet & crowd->turned;
    if (crowd->turners) crowd_move_turners(crowd, &turned);
    shift_cells(crowd, quiet);
    for (int word = 0; word < SLICE_WORDS; word++) {
        for (uint64_t left = special[word]; left; left &= left - 1)
            crowd_play_special(crowd, seat_of(word, __builtin_ctzll(left)));
        for (uint64_t left = attack[word]; left; left &= left - 1) {
            int seat = seat_of(word, __builtin_ctzll(left));
            if (!crowd_fight(crowd, seat)) crowd_note_over(crowd, seat, over, &count);
        }
        for (uint64_t left = slow[word]; left; left &= left - 1) {
            int seat = seat_of(word, __builtin_ctzll(left));
            if (!crowd_play_slowly(crowd, seat)) crowd_note_over(crowd, seat, over, &count);
        }
        for (uint64_t left = stuck[word]; left; left &= left - 1) {
            int seat = seat_of(word, __builtin_ctzll(left));
            lane_stop_immobile(crowd_lane_now(crowd, seat));
            crowd_note_over(crowd, seat, over, &count);
        }
    }
    note_moves(crowd);
    if (++crowd->clock >= crowd->next_stop) crowd_stop_games(crowd, over, &count);
    return count;
}

#include "avx2_end.h"

#else /* never called: see crowd_why_not() */
int crowd_ply(struct crowd *crowd, uint8_t over[SEATS]) {
    (void)over;
    crowd->clock++;
    return 0;
}
#endif
