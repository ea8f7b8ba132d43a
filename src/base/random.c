/* random.c - where streams begin: seed, stream and index through SplitMix64; shuffling. Drawing is
 * inline. */
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

bool random_picks_biased(uint64_t bound, uint64_t rest) {
    uint64_t product = 1;
    for (unsigned k = 0; k < RANDOM_PICKS; k++) product *= bound + k;
    return rest < -product % product;
}

static inline void exchange(uint8_t *things, uint64_t a, uint64_t b) {
    uint8_t thing = things[a];
    things[a] = things[b];
    things[b] = thing;
}

/* Each place in turn exchanges what it holds with itself or one before it, drawn evenly: if the
 * places before it held any order with the same chance, so do they with it now. What is alike has
 * but one order to begin with. */
void random_shuffle(struct random *random, uint8_t *things, unsigned alike, unsigned size) {
    unsigned at = alike;
    for (; at + RANDOM_PICKS <= size; at += RANDOM_PICKS) {
        uint64_t pick[RANDOM_PICKS]; /* all of it in registers */
        random_picks(random, at + 1, pick);
        for (unsigned k = 0; k < RANDOM_PICKS; k++) exchange(things, at + k, pick[k]);
    }
    if (at == size) return;
    uint64_t pick[RANDOM_PICKS];
    random_picks(random, at + 1, pick);
    for (unsigned k = 0; at + k < size; k++) exchange(things, at + k, pick[k]);
}
