/* cells.h - sets of squares by content, sixteen cells at a time.
 *
 * For setting up from a whole board; a running game updates its sets ply by ply. Cells beyond the
 * board may hold anything and show up in the sets: mask them with the board's land or a side's
 * pieces. */
#ifndef ENSIGN_CORE_PLAY_CELLS_H
#define ENSIGN_CORE_PLAY_CELLS_H

#include "position.h"

#if defined(__SSE2__)
#include <emmintrin.h>

/* The cells at[0 … 63] that equal `value` under `mask`. */
static inline uint64_t cells_half(const cell *at, cell mask, cell value) {
    uint64_t set = 0;
    for (int i = 0; i < 4; i++) {
        __m128i cells = _mm_loadu_si128((const __m128i *)(const void *)(at + 16 * i));
        __m128i masked = _mm_and_si128(cells, _mm_set1_epi8((char)mask));
        __m128i equal = _mm_cmpeq_epi8(masked, _mm_set1_epi8((char)value));
        set |= (uint64_t)(uint32_t)_mm_movemask_epi8(equal) << (16 * i);
    }
    return set;
}
#else
static inline uint64_t cells_half(const cell *at, cell mask, cell value) {
    uint64_t set = 0;
    for (int i = 0; i < 64; i++) set |= (uint64_t)((at[i] & mask) == value) << i;
    return set;
}
#endif

static inline squareset cells_where(const cell at[BOARD_SQUARES_MAX], cell mask, cell value) {
    return cells_half(at, mask, value) | (squareset)cells_half(at + 64, mask, value) << 64;
}

static inline squareset cells_taken(const cell at[BOARD_SQUARES_MAX]) {
    return ~cells_where(at, UINT8_MAX, CELL_EMPTY);
}

static inline squareset cells_blue(const cell at[BOARD_SQUARES_MAX]) {
    return cells_where(at, CELL_BLUE, CELL_BLUE);
}

/* Of either side. */
static inline squareset cells_of_kinds(const cell at[BOARD_SQUARES_MAX], kindset kinds) {
    squareset set = 0;
    for (; kinds; kinds &= kinds - 1)
        set |= cells_where(at, KINDS_MAX - 1, (cell)__builtin_ctz(kinds));
    return set;
}

#endif
