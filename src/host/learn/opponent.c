#include "opponent.h"

#include <xxhash.h>

void opponents_meet(struct roster *roster, const struct opponent *opponents, int count) {
    roster->count = 0;
    for (int i = 0; i < count; i++) {
        const struct learned *learned = &opponents[i].learned;
        double whole = 0;
        for (uint32_t s = 0; s < learned->styles; s++) whole += learned->style[s].share;
        for (uint32_t s = 0; s < learned->styles; s++)
            roster_add(roster, &learned->style[s], learned->style[s].share / whole);
    }
}

const struct style *opponent_chief(const struct opponent *opponent) {
    const struct learned *learned = &opponent->learned;
    const struct style *chief = &learned->style[0];
    for (uint32_t s = 1; s < learned->styles; s++)
        if (learned->style[s].share > chief->share) chief = &learned->style[s];
    return chief;
}

static uint64_t add_mark(const struct style *style, uint64_t hash) {
    hash = XXH3_64bits_withSeed(&style->share, sizeof style->share, hash);
    hash = XXH3_64bits_withSeed(&style->value.weights, sizeof style->value.weights, hash);
    hash = XXH3_64bits_withSeed(&style->value.habits, sizeof style->value.habits, hash);
    return XXH3_64bits_withSeed(style->setup, style->setups * sizeof *style->setup, hash);
}

uint32_t opponents_mark(const struct opponent *opponents, int count) {
    uint64_t hash = 0;
    for (int i = 0; i < count; i++) {
        const struct learned *learned = &opponents[i].learned;
        hash = XXH3_64bits_withSeed(&learned->styles, sizeof learned->styles, hash);
        for (uint32_t s = 0; s < learned->styles; s++) hash = add_mark(&learned->style[s], hash);
    }
    return (uint32_t)hash | 1;
}
