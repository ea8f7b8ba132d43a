/* random.c - seeding of streams, and shuffling. Drawing is inline. */
#include "random.h"

static uint64_t splitmix(uint64_t *state) {
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

struct random random_stream(uint64_t seed, enum random_stream stream, uint64_t index) {
    /* Each passes through the mixer, so that neighbouring values give unrelated streams. */
    uint64_t state = seed;
    state = splitmix(&state) ^ (uint64_t)stream;
    state = splitmix(&state) ^ index;
    struct random random;
    for (int i = 0; i < 4; i++) random.state[i] = splitmix(&state);
    return random;
}

bool random_picks_biased(uint64_t bound, uint64_t rest) {
    uint64_t product = 1;
    for (unsigned k = 0; k < RANDOM_PICKS; k++) product *= bound + k;
    return rest < -product % product;
}

static inline void things_exchange(uint8_t *things, uint64_t a, uint64_t b) {
    uint8_t thing = things[a];
    things[a] = things[b];
    things[b] = thing;
}

/* Fisher-Yates from the front: each place in turn is swapped with a uniformly drawn place up to and
 * including itself. Equal things at the front are shuffled already. */
void random_shuffle(struct random *random, uint8_t *things, unsigned alike, unsigned size) {
    unsigned at = alike;
    for (; at + RANDOM_PICKS <= size; at += RANDOM_PICKS) {
        uint64_t pick[RANDOM_PICKS]; /* all of it in registers */
        random_picks(random, at + 1, pick);
        for (unsigned k = 0; k < RANDOM_PICKS; k++) things_exchange(things, at + k, pick[k]);
    }
    if (at == size) return;
    uint64_t pick[RANDOM_PICKS];
    random_picks(random, at + 1, pick);
    for (unsigned k = 0; at + k < size; k++) things_exchange(things, at + k, pick[k]);
}
