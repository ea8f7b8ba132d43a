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

uint64_t random_next(struct random *random);

/* Uniform over 0 … bound - 1, without bias; bound at least 1. */
uint32_t random_below(struct random *random, uint32_t bound);

#endif
