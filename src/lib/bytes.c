/* bytes.c - one bit becomes one byte.
 *
 * With AVX-512 a set is a mask of a store; everywhere else eight bits at a time are spread by a
 * multiplication: the byte is copied eight times, each copy keeps one bit, and an addition carries
 * it to the top of its byte. */
#include "bytes.h"

#include <string.h>

static uint64_t byte_spread(unsigned bits) {
    uint64_t kept = bits * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
    uint64_t top = (kept + UINT64_C(0x7f7f7f7f7f7f7f7f)) | kept;
    return (top >> 7 & UINT64_C(0x0101010101010101)) * 255;
}

static void board_plain(uint8_t *out, unsigned squares, const squareset *sets,
                        const uint8_t *values, int count) {
    for (unsigned first = 0; first < squares; first += 8) {
        uint64_t sum = 0;
        for (int i = 0; i < count; i++) {
            unsigned bits = (unsigned)(squareset_half(sets[i], first & 64) >> (first & 63)) & 255;
            if (bits) sum |= byte_spread(bits) & values[i] * UINT64_C(0x0101010101010101);
        }
        const size_t room = squares - first;
        for (size_t i = 0; i < 8 && i < room; i++) out[first + i] = (uint8_t)(sum >> 8 * i);
    }
}

static void planes_plain(uint8_t *out, unsigned squares, const squareset *sets, int count,
                         uint8_t value) {
    for (int i = 0; i < count; i++)
        board_plain(out + (size_t)i * squares, squares, &sets[i], &value, 1);
}

static uint64_t word_reverse(uint64_t word) {
    word = (word >> 1 & UINT64_C(0x5555555555555555)) | (word & UINT64_C(0x5555555555555555)) << 1;
    word = (word >> 2 & UINT64_C(0x3333333333333333)) | (word & UINT64_C(0x3333333333333333)) << 2;
    word = (word >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(word);
}

static void turn_plain(squareset *sets, int count, unsigned squares) {
    const unsigned beyond = BOARD_SQUARES_MAX - squares;
    for (int i = 0; i < count; i++) {
        squareset turned = (squareset)word_reverse(squareset_half(sets[i], 0)) << 64 |
                           word_reverse(squareset_half(sets[i], 1));
        sets[i] = turned >> beyond;
    }
}

void bits_pack(uint64_t *words, size_t size, unsigned squares, const squareset *sets, int count) {
    memset(words, 0, size * sizeof *words);
    for (unsigned at = 0; count--; sets++, at += squares) {
        uint64_t *word = words + at / 64;
        const unsigned by = at % 64;
        const uint64_t low = (uint64_t)*sets, high = (uint64_t)(*sets >> 64);
        word[0] |= low << by;
        const uint64_t next = high << by | (by ? low >> (64 - by) : 0);
        const uint64_t last = by ? high >> (64 - by) : 0;
        if (next) word[1] |= next;
        if (last) word[2] |= last;
    }
}

static const struct bytes_writer plain = {planes_plain, board_plain, turn_plain};

#if defined(__x86_64__)
#include <immintrin.h>

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,gfni")))

/* The squares of a half that lie on the board, as a mask. */
static uint64_t half_mask(unsigned squares, int half) {
    unsigned from = half ? 64 : 0;
    if (squares <= from) return 0;
    return squares - from >= 64 ? UINT64_MAX : ((uint64_t)1 << (squares - from)) - 1;
}

WITH_AVX512 static void planes_avx512(uint8_t *out, unsigned squares, const squareset *sets,
                                      int count, uint8_t value) {
    const uint64_t low = half_mask(squares, 0), high = half_mask(squares, 1);
    const __m512i all = _mm512_set1_epi8((char)value);
    for (int i = 0; i < count; i++, out += squares) {
        _mm512_mask_storeu_epi8(out, low, _mm512_maskz_mov_epi8((uint64_t)sets[i], all));
        if (high)
            _mm512_mask_storeu_epi8(out + 64, high,
                                    _mm512_maskz_mov_epi8((uint64_t)(sets[i] >> 64), all));
    }
}

WITH_AVX512 static void board_avx512(uint8_t *out, unsigned squares, const squareset *sets,
                                     const uint8_t *values, int count) {
    __m512i low = _mm512_setzero_si512(), high = low;
    for (int i = 0; i < count; i++) {
        const __m512i value = _mm512_set1_epi8((char)values[i]);
        low = _mm512_or_si512(low, _mm512_maskz_mov_epi8((uint64_t)sets[i], value));
        high = _mm512_or_si512(high, _mm512_maskz_mov_epi8((uint64_t)(sets[i] >> 64), value));
    }
    _mm512_mask_storeu_epi8(out, half_mask(squares, 0), low);
    if (squares > 64) _mm512_mask_storeu_epi8(out + 64, half_mask(squares, 1), high);
}

/* Bytes are reversed by a shuffle, the bits of each byte by a multiplication of matrices. */
WITH_AVX512 static void turn_avx512(squareset *sets, int count, unsigned squares) {
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m128i mirror = _mm_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    const unsigned beyond = BOARD_SQUARES_MAX - squares;
    for (int i = 0; i < count; i++) {
        __m128i set = _mm_loadu_si128((const __m128i *)(const void *)&sets[i]);
        set = _mm_gf2p8affine_epi64_epi8(_mm_shuffle_epi8(set, order), mirror, 0);
        squareset turned;
        _mm_storeu_si128((__m128i *)(void *)&turned, set);
        sets[i] = turned >> beyond;
    }
}

static const struct bytes_writer avx512 = {planes_avx512, board_avx512, turn_avx512};

/* Thirty-two bits at a time: each byte of a vector gets the byte of the set that holds its bit, and
 * keeps that bit. */
#define WITH_AVX2 __attribute__((target("avx2")))

WITH_AVX2 static __m256i spread_avx2(uint32_t bits) {
    const __m256i which =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit = _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    const __m256i bytes = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), which);
    return _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
}

WITH_AVX2 static void board_avx2(uint8_t *out, unsigned squares, const squareset *sets,
                                 const uint8_t *values, int count) {
    for (unsigned first = 0; first < squares; first += 32) {
        __m256i sum = _mm256_setzero_si256();
        for (int i = 0; i < count; i++) {
            const __m256i value = _mm256_set1_epi8((char)values[i]);
            sum = _mm256_or_si256(
                sum, _mm256_and_si256(spread_avx2((uint32_t)(sets[i] >> first)), value));
        }
        if (squares - first >= 32) {
            _mm256_storeu_si256((__m256i *)(void *)(out + first), sum);
        } else {
            uint8_t tail[32];
            _mm256_storeu_si256((__m256i *)(void *)tail, sum);
            memcpy(out + first, tail, squares - first);
        }
    }
}

WITH_AVX2 static void planes_avx2(uint8_t *out, unsigned squares, const squareset *sets, int count,
                                  uint8_t value) {
    const __m256i values = _mm256_set1_epi8((char)value);
    for (int i = 0; i < count; i++, out += squares) {
        unsigned first = 0;
        for (; first + 32 <= squares; first += 32)
            _mm256_storeu_si256(
                (__m256i *)(void *)(out + first),
                _mm256_and_si256(values, spread_avx2((uint32_t)(sets[i] >> first))));
        if (first == squares) continue;
        /* The next plane overwrites what is too much. */
        if (i + 1 < count && squares >= 32) {
            _mm256_storeu_si256(
                (__m256i *)(void *)(out + first),
                _mm256_and_si256(values, spread_avx2((uint32_t)(sets[i] >> first))));
        } else {
            uint8_t tail[32];
            _mm256_storeu_si256(
                (__m256i *)(void *)tail,
                _mm256_and_si256(values, spread_avx2((uint32_t)(sets[i] >> first))));
            memcpy(out + first, tail, squares - first);
        }
    }
}

static const struct bytes_writer avx2 = {planes_avx2, board_avx2, turn_plain};

const struct bytes_writer *bytes_writer(void) {
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("gfni"))
        return &avx512;
    return __builtin_cpu_supports("avx2") ? &avx2 : &plain;
}
#else
const struct bytes_writer *bytes_writer(void) {
    return &plain;
}
#endif
