/* random.c - xoshiro256** with SplitMix64 seeding; bounded draws by Lemire's multiplication with
 * rejection. */
#include "random.h"

static uint64_t splitmix(uint64_t *state) {
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

struct random random_stream(uint64_t seed, enum random_stream stream, uint64_t index) {
    /* Seed, stream and index each pass through the mixer, so that neighbouring ones share nothing.
     */
    uint64_t state = seed;
    state = splitmix(&state) ^ (uint64_t)stream;
    state = splitmix(&state) ^ index;
    struct random random;
    for (int i = 0; i < 4; i++) random.state[i] = splitmix(&state);
    return random;
}

static uint64_t rotate(uint64_t value, int by) {
    return (value << by) | (value >> (64 - by));
}

uint64_t random_next(struct random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

uint32_t random_below(struct random *random, uint32_t bound) {
    uint64_t product = (random_next(random) >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t biased =
            -bound % bound; /* values of the low half below this come up once too often */
        while ((uint32_t)product < biased) product = (random_next(random) >> 32) * bound;
    }
    return (uint32_t)(product >> 32);
}
