/* random.h - the one source of chance: xoshiro256**, seeded through SplitMix64 (both by Blackman
 * and Vigna, public domain).
 *
 * Every purpose draws from a stream of its own, so that drawing more for one never changes another:
 * the same seed gives the same game on every machine and for any number of jobs. Not for secrets.
 */
#ifndef ENSIGN_CORE_RANDOM_H
#define ENSIGN_CORE_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state[4];
};

enum random_stream {
    STREAM_RED_SETUP,
    STREAM_BLUE_SETUP,
    STREAM_FIRST,
    STREAM_RED_BOT,
    STREAM_BLUE_BOT,
    STREAM_PLAYOUT
};

/* The stream `stream` of game or pair number `index` of the run with this seed. */
struct random random_stream(uint64_t seed, enum random_stream stream, uint64_t index);

/* A stream of its own for each `number` that branches off `trunk` as it stands. */
struct random random_branch(const struct random *trunk, uint64_t number);

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

/* Uniform over 0 … bound - 1, without bias; bound at least 1. Lemire's multiplication: values of
 * the low half below 2^32 mod bound come up once too often and are drawn again. */
static inline uint32_t random_below(struct random *random, uint32_t bound) {
    uint64_t product = (random_next(random) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t biased = -bound % bound;
        while ((uint32_t)product < biased) product = (random_next(random) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}

#endif
