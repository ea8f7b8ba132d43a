/* random.h - random numbers: xoshiro256** (Blackman and Vigna, public domain).
 *
 * Every purpose draws from its own stream, so that extra draws for one never change another: the
 * same seed gives the same game on every machine and for any number of jobs. Four words of a stream
 * reveal all of it. Where chance hides something, seed the stream from a key (chance.h), which
 * gives away no other stream. */
#ifndef ENSIGN_BASE_RANDOM_H
#define ENSIGN_BASE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* The numbers are part of the streams, whose values are pinned. */
enum random_stream { STREAM_RED_SETUP = 0, STREAM_BLUE_SETUP = 1, STREAM_PLAYOUT = 5 };

/* Stream `stream` number `index` of this seed, through SplitMix64 (by the same authors). That can
 * be inverted: one stream reveals the seed and all others. Use it only where there is nothing to
 * hide: random games without players, playouts, hash keys, measurements. */
struct random random_stream(uint64_t seed, enum random_stream stream, uint64_t index);

static inline uint64_t random_rotate(uint64_t value, int by) {
    return (value << by) | (value >> (64 - by));
}

static inline uint64_t random_next(struct random *random) {
    uint64_t *s = random->state;
    uint64_t result = random_rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = random_rotate(s[3], 45);
    return result;
}

/* Uniform over 0 … bound - 1, without bias; bound at least 1. Lemire's multiplication: low halves
 * below 2^32 mod bound would come up once too often and are drawn again. */
static inline uint32_t random_below(struct random *random, uint32_t bound) {
    uint64_t product = (random_next(random) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t biased = -bound % bound;
        while ((uint32_t)product < biased) product = (random_next(random) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* Uniform over [0, 1). */
static inline double random_part(struct random *random) {
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

enum { RANDOM_PICKS = 8, RANDOM_PICK_BOUND = 128 };
__extension__ typedef unsigned __int128 random_product;

/* For random_picks() alone: must the draw be repeated, and one draw. Inlined twice there, so that
 * the common path does not prepare for the loop. */
bool random_picks_biased(uint64_t bound, uint64_t rest);

static inline uint64_t random_picks_once(struct random *random, uint64_t bound,
                                         uint64_t pick[RANDOM_PICKS]) {
    uint64_t rest = random_next(random);
    for (unsigned k = 0; k < RANDOM_PICKS; k++) {
        random_product spilt = (random_product)rest * (bound + k);
        pick[k] = (uint64_t)(spilt >> 64);
        rest = (uint64_t)spilt;
    }
    return rest;
}

/* Draws eight independent numbers at once: pick[k] is uniform over 0 … bound + k - 1, without bias;
 * `bound` is 1 … RANDOM_PICK_BOUND.
 *
 * One word is multiplied by all bounds in turn; the high half of each product is the number:
 *
 *     word  * b0 = n0 * 2^64 + rest0
 *     rest0 * b1 = n1 * 2^64 + rest1      so  word * (b0 * b1) = (n0 * b1 + n1) * 2^64 + rest1
 *
 * and so on: in effect a single Lemire multiplication by the product of the bounds, with n0, n1, …
 * as the digits of its result. Again rests below 2^64 mod product would come up once too often. The
 * product is below 2^57, so only one rest in 128 needs that comparison. */
static inline void random_picks(struct random *random, uint64_t bound,
                                uint64_t pick[RANDOM_PICKS]) {
    uint64_t rest = random_picks_once(random, bound, pick);
    while (__builtin_expect(rest >> 57 == 0, 0) && random_picks_biased(bound, rest))
        rest = random_picks_once(random, bound, pick);
}

/* Shuffles `size` things, at most RANDOM_PICK_BOUND, uniformly. The first `alike` of them are
 * equal, which saves draws. */
void random_shuffle(struct random *random, uint8_t *things, unsigned alike, unsigned size);

#endif
