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

static void bytes_copy(uint8_t *out, const uint8_t *board, unsigned squares, bool turned) {
    if (!turned) {
        memcpy(out, board, squares);
        return;
    }
    for (unsigned i = 0; i < squares; i++) out[i] = board[squares - 1 - i];
}

static const uint8_t SET_VALUE[BOARD_SETS] = {32, 64, 128, 255};
enum { KIND_BITS = 31 };
#define EACH_BYTE UINT64_C(0x0101010101010101)

static unsigned bits_at(squareset set, unsigned first) {
    return (unsigned)(squareset_half(set, first & 64) >> (first & 63)) & 255;
}

static void board_plain(uint8_t *out, unsigned squares, const uint8_t *kinds, squareset certain,
                        const squareset sets[BOARD_SETS], bool turned) {
    uint8_t board[BOARD_SQUARES_MAX];
    for (unsigned first = 0; first < squares; first += 8) {
        const uint64_t known = byte_spread(bits_at(certain, first)) & KIND_BITS * EACH_BYTE;
        uint64_t sum = 0;
        for (int i = 0; i < BOARD_SETS; i++)
            sum |= byte_spread(bits_at(sets[i], first)) & SET_VALUE[i] * EACH_BYTE;
        for (unsigned i = 0; i < 8; i++)
            board[first + i] = (uint8_t)((kinds[first + i] & known >> 8 * i) | sum >> 8 * i);
    }
    bytes_copy(out, board, squares, turned);
}

/* Writes at most eight bytes of a word, the lowest first. */
static void word_put(uint8_t *out, uint64_t word, size_t room) {
    if (room >= sizeof word) {
        const uint64_t ordered =
            __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(word) : word;
        memcpy(out, &ordered, sizeof ordered);
        return;
    }
    for (size_t i = 0; i < room; i++) out[i] = (uint8_t)(word >> 8 * i);
}

static void planes_plain(uint8_t *out, unsigned squares, const squareset *sets, int count,
                         uint8_t value) {
    for (int i = 0; i < count; i++, out += squares)
        for (unsigned first = 0; first < squares; first += 8)
            word_put(out + first, byte_spread(bits_at(sets[i], first)) & value * EACH_BYTE,
                     squares - first);
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

static void possible_plain(squareset *out, const squareset *kind, int kinds, squareset certain,
                           const squareset *group_at, const kindset *group_kinds, int groups) {
    for (int i = 0; i < kinds; i++) {
        squareset set = kind[i + 1] & certain;
        for (int group = 0; group < groups; group++)
            set |= group_at[group] & -(squareset)(group_kinds[group] >> (i + 1) & 1);
        out[i] = set;
    }
}

static void pack_plain(uint64_t *words, size_t size, unsigned squares, const squareset *sets,
                       int count) {
    uint64_t *const end = words + size;
    uint64_t rest = 0; /* bits that fill no word yet, `filled` of them */
    unsigned filled = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t low = (uint64_t)sets[i], high = (uint64_t)(sets[i] >> 64);
        const uint64_t spilt[2] = {low >> 1 >> (63 - filled), high >> 1 >> (63 - filled)};
        rest |= low << filled;
        filled += squares;
        if (filled < 64) continue;
        *words++ = rest;
        rest = spilt[0] | high << (filled - squares);
        filled -= 64;
        if (filled < 64) continue;
        *words++ = rest;
        rest = spilt[1];
        filled -= 64;
    }
    while (words < end) {
        *words++ = rest;
        rest = 0;
    }
}

static const struct bytes_writer plain = {planes_plain, board_plain, turn_plain, possible_plain,
                                          pack_plain};

#if defined(__x86_64__)
#include <immintrin.h>

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,gfni")))

/* The squares of a half that lie on the board, as a mask. */
static uint64_t half_mask(unsigned squares, int half) {
    unsigned from = half ? 64 : 0;
    if (squares <= from) return 0;
    return squares - from >= 64 ? UINT64_MAX : ((uint64_t)1 << (squares - from)) - 1;
}

/* The second half of a larger board overlaps the first: whole vectors are written faster. */
WITH_AVX512 static void planes_avx512(uint8_t *out, unsigned squares, const squareset *sets,
                                      int count, uint8_t value) {
    const __m512i all = _mm512_set1_epi8((char)value);
    if (squares < 64) {
        for (int i = 0; i < count; i++, out += squares)
            _mm512_mask_storeu_epi8(out, half_mask(squares, 0),
                                    _mm512_maskz_mov_epi8((uint64_t)sets[i], all));
        return;
    }
    const unsigned second = squares - 64;
    for (int i = 0; i < count; i++, out += squares) {
        _mm512_storeu_si512(out, _mm512_maskz_mov_epi8((uint64_t)sets[i], all));
        _mm512_storeu_si512(out + second,
                            _mm512_maskz_mov_epi8((uint64_t)(sets[i] >> second), all));
    }
}

/* 0 … 63. */
WITH_AVX512 static __m512i bytes_count(void) {
    const __m512i units =
        _mm512_broadcast_i32x4(_mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    const __m512i tens =
        _mm512_set_epi64(0x3030303030303030, 0x3030303030303030, 0x2020202020202020,
                         0x2020202020202020, 0x1010101010101010, 0x1010101010101010, 0, 0);
    return _mm512_or_si512(units, tens);
}

/* A turned half takes bytes of both, by their numbers modulo 128. */
WITH_AVX512 static void board_avx512(uint8_t *out, unsigned squares, const uint8_t *kinds,
                                     squareset certain, const squareset sets[BOARD_SETS],
                                     bool turned) {
    const __m512i bits = _mm512_set1_epi8(KIND_BITS);
    __m512i low = _mm512_maskz_mov_epi8((uint64_t)certain, bits);
    __m512i high = _mm512_maskz_mov_epi8((uint64_t)(certain >> 64), bits);
    low = _mm512_and_si512(low, _mm512_loadu_si512(kinds));
    high = _mm512_and_si512(high, _mm512_loadu_si512(kinds + 64));
    for (int i = 0; i < BOARD_SETS; i++) {
        const __m512i value = _mm512_set1_epi8((char)SET_VALUE[i]);
        low = _mm512_or_si512(low, _mm512_maskz_mov_epi8((uint64_t)sets[i], value));
        high = _mm512_or_si512(high, _mm512_maskz_mov_epi8((uint64_t)(sets[i] >> 64), value));
    }
    if (turned) {
        const __m512i from = _mm512_sub_epi8(_mm512_set1_epi8((char)(squares - 1)), bytes_count());
        const __m512i below = low;
        low = _mm512_permutex2var_epi8(below, from, high);
        high = _mm512_permutex2var_epi8(below, _mm512_add_epi8(from, _mm512_set1_epi8(64)), high);
    }
    _mm512_mask_storeu_epi8(out, half_mask(squares, 0), low);
    if (squares > 64) _mm512_mask_storeu_epi8(out + 64, half_mask(squares, 1), high);
}

/* Bytes are reversed by a shuffle, the bits of each byte by a multiplication of matrices; then the
 * sets move down to the first bit. Four sets at a time. */
WITH_AVX512 static void turn_avx512(squareset *sets, int count, unsigned squares) {
    const __m512i order =
        _mm512_broadcast_i32x4(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m512i mirror = _mm512_set1_epi64((long long)UINT64_C(0x8040201008040201));
    const unsigned beyond = BOARD_SQUARES_MAX - squares;
    const __m128i down = _mm_cvtsi32_si128((int)(beyond % 64));
    const __m128i up = _mm_cvtsi32_si128((int)(64 - beyond % 64));
    for (; count > 0; count -= 4, sets += 4) {
        const __mmask8 some = (__mmask8)(count < 4 ? (1u << 2 * count) - 1 : 255);
        __m512i set = _mm512_maskz_loadu_epi64(some, sets);
        set = _mm512_gf2p8affine_epi64_epi8(_mm512_shuffle_epi8(set, order), mirror, 0);
        if (beyond >= 64) set = _mm512_bsrli_epi128(set, 8);
        const __m512i upper = _mm512_bsrli_epi128(set, 8);
        set = _mm512_or_si512(_mm512_srl_epi64(set, down), _mm512_sll_epi64(upper, up));
        _mm512_mask_storeu_epi64(sets, some, set);
    }
}

/* Two bits of a mask for each of four kinds. */
static const uint8_t PAIRS[16] = {0x00, 0x03, 0x0c, 0x0f, 0x30, 0x33, 0x3c, 0x3f,
                                  0xc0, 0xc3, 0xcc, 0xcf, 0xf0, 0xf3, 0xfc, 0xff};

WITH_AVX512 static __m512i set_four(squareset set) {
    return _mm512_broadcast_i32x4(
        _mm_set_epi64x((long long)(uint64_t)(set >> 64), (long long)(uint64_t)set));
}

WITH_AVX512 static void possible_avx512(squareset *out, const squareset *kind, int kinds,
                                        squareset certain, const squareset *group_at,
                                        const kindset *group_kinds, int groups) {
    const __m512i among = set_four(certain);
    for (int i = 0; i < kinds; i += 4) {
        const int left = kinds - i;
        const __mmask8 some = (__mmask8)(left < 4 ? (1u << 2 * left) - 1 : 255);
        __m512i set = _mm512_and_si512(_mm512_maskz_loadu_epi64(some, kind + i + 1), among);
        for (int group = 0; group < groups; group++) {
            const __mmask8 have = PAIRS[group_kinds[group] >> (i + 1) & 15];
            set = _mm512_mask_or_epi64(set, have, set, set_four(group_at[group]));
        }
        _mm512_mask_storeu_epi64(out + i, some, set);
    }
}

/* Four sets as qwords; 0 for those beyond `count`. */
WITH_AVX512 static __m512i sets_load(const squareset *sets, int count) {
    const __mmask8 some = (__mmask8)(count >= 4 ? 255 : count > 0 ? (1u << 2 * count) - 1 : 0);
    return _mm512_maskz_loadu_epi64(some, sets);
}

/* Eight words at a time. Each takes bits of at most two sets of at least 64 squares, and eight
 * words of at most eight sets of 75. */
WITH_AVX512 static void pack_avx512(uint64_t *words, size_t size, unsigned squares,
                                    const squareset *sets, int count) {
    enum { SQUARES_LEAST = 75, SHIFT = 20 }; /* numbers of bits below 2^13 are divided exactly */
    if (squares < SQUARES_LEAST) {
        pack_plain(words, size, squares, sets, count);
        return;
    }
    const __m512i board = _mm512_set1_epi64(squares), one = _mm512_set1_epi64(1);
    const __m512i part = _mm512_set1_epi64(((1 << SHIFT) + squares - 1) / squares);
    __m512i bit = _mm512_set_epi64(448, 384, 320, 256, 192, 128, 64, 0);
    for (size_t at = 0; at < size; at += 8) {
        const int first = (int)(64 * at / squares), left = first < count ? count - first : 0;
        const squareset *from = sets + count - left;
        const __m512i early = sets_load(from, left), late = sets_load(from + 4, left - 4);
        const __m512i set = _mm512_srli_epi64(_mm512_mul_epu32(bit, part), SHIFT);
        const __m512i past = _mm512_sub_epi64(bit, _mm512_mul_epu32(set, board));
        const __m512i low = _mm512_slli_epi64(_mm512_sub_epi64(set, _mm512_set1_epi64(first)), 1);
        const __m512i high = _mm512_add_epi64(low, one), next = _mm512_add_epi64(high, one);
        const __mmask8 upper = _mm512_cmpge_epu64_mask(past, _mm512_set1_epi64(64));
        const __m512i by = _mm512_and_si512(past, _mm512_set1_epi64(63));
        const __m512i here = _mm512_srlv_epi64(
            _mm512_permutex2var_epi64(early, _mm512_mask_mov_epi64(low, upper, high), late), by);
        const __m512i above =
            _mm512_sllv_epi64(_mm512_maskz_permutex2var_epi64((__mmask8)~upper, early, high, late),
                              _mm512_sub_epi64(_mm512_set1_epi64(64), by));
        const __m512i then = _mm512_sllv_epi64(_mm512_permutex2var_epi64(early, next, late),
                                               _mm512_sub_epi64(board, past));
        const __mmask8 some = (__mmask8)(size - at < 8 ? (1u << (size - at)) - 1 : 255);
        _mm512_mask_storeu_epi64(words + at, some,
                                 _mm512_or_si512(_mm512_or_si512(here, above), then));
        bit = _mm512_add_epi64(bit, _mm512_set1_epi64(512));
    }
}

static const struct bytes_writer avx512 = {planes_avx512, board_avx512, turn_avx512,
                                           possible_avx512, pack_avx512};

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

WITH_AVX2 static void board_avx2(uint8_t *out, unsigned squares, const uint8_t *kinds,
                                 squareset certain, const squareset sets[BOARD_SETS], bool turned) {
    uint8_t board[BOARD_SQUARES_MAX];
    const __m256i bits = _mm256_set1_epi8(KIND_BITS);
    for (unsigned first = 0; first < squares; first += 32) {
        const __m256i known = _mm256_and_si256(spread_avx2((uint32_t)(certain >> first)), bits);
        __m256i sum = _mm256_and_si256(
            known, _mm256_loadu_si256((const __m256i *)(const void *)(kinds + first)));
        for (int i = 0; i < BOARD_SETS; i++)
            sum = _mm256_or_si256(sum, _mm256_and_si256(spread_avx2((uint32_t)(sets[i] >> first)),
                                                        _mm256_set1_epi8((char)SET_VALUE[i])));
        _mm256_storeu_si256((__m256i *)(void *)(board + first), sum);
    }
    bytes_copy(out, board, squares, turned);
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

/* Bytes are reversed by a shuffle, the halves of each byte by two more. Two sets at a time. */
WITH_AVX2 static void turn_avx2(squareset *sets, int count, unsigned squares) {
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m256i high = _mm256_broadcastsi128_si256(
        _mm_set_epi8(15, 7, 11, 3, 13, 5, 9, 1, 14, 6, 10, 2, 12, 4, 8, 0));
    const __m256i half = _mm256_set1_epi8(15), mirrored = _mm256_slli_epi16(high, 4);
    const unsigned beyond = BOARD_SQUARES_MAX - squares;
    const __m128i down = _mm_cvtsi32_si128((int)(beyond % 64));
    const __m128i up = _mm_cvtsi32_si128((int)(64 - beyond % 64));
    if (count % 2) turn_plain(sets++, 1, squares);
    for (count /= 2; count--; sets += 2) {
        __m256i set = _mm256_loadu_si256((const __m256i *)(const void *)sets);
        set = _mm256_shuffle_epi8(set, order);
        const __m256i lower = _mm256_and_si256(set, half);
        const __m256i higher = _mm256_and_si256(_mm256_srli_epi16(set, 4), half);
        set = _mm256_or_si256(_mm256_shuffle_epi8(mirrored, lower),
                              _mm256_shuffle_epi8(high, higher));
        if (beyond >= 64) set = _mm256_bsrli_epi128(set, 8);
        const __m256i upper = _mm256_bsrli_epi128(set, 8);
        set = _mm256_or_si256(_mm256_srl_epi64(set, down), _mm256_sll_epi64(upper, up));
        _mm256_storeu_si256((__m256i *)(void *)sets, set);
    }
}

static const struct bytes_writer avx2 = {planes_avx2, board_avx2, turn_avx2, possible_plain,
                                         pack_plain};
#endif

int bytes_writers(const struct bytes_writer *writers[BYTES_WRITERS]) {
    int count = 0;
    writers[count++] = &plain;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) writers[count++] = &avx2;
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("gfni"))
        writers[count++] = &avx512;
#endif
    return count;
}

const struct bytes_writer *bytes_writer(void) {
    const struct bytes_writer *writers[BYTES_WRITERS];
    return writers[bytes_writers(writers) - 1];
}
