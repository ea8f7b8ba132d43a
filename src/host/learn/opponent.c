#include "opponent.h"

#include "host/setups/setup_pool.h"

#include <xxhash.h>

/* Is the board the same with left and right exchanged? */
static bool is_even(const struct board *board) {
    for (squareset left = board->lakes; left;) {
        square at = squareset_pop(&left);
        int file = board->files - 1 - board_file(board, at);
        if (!squareset_has(board->lakes, board_square(board, file, board_rank(board, at))))
            return false;
    }
    return true;
}

bool opponent_draw_setup(const struct opponent *opponent, const struct rules *rules,
                         struct random *random, struct setup *setup) {
    const struct learned *learned = &opponent->learned;
    if (!learned->setups) return false;
    *setup = learned->setup[random_below(random, learned->setups)];
    if (random_below(random, 2) || !is_even(&rules->board)) return true;
    struct setup mirrored;
    setup_mirror(rules, setup, &mirrored);
    if (setup_check(rules, &mirrored, NULL)) *setup = mirrored;
    return true;
}

static uint32_t opponent_mark(const struct opponent *opponent) {
    const struct learned *learned = &opponent->learned;
    const struct value *value = &learned->value;
    uint64_t hash = XXH3_64bits(&value->weights, sizeof value->weights);
    hash = XXH3_64bits_withSeed(&value->habits, sizeof value->habits, hash);
    hash = XXH3_64bits_withSeed(learned->setup, learned->setups * sizeof *learned->setup, hash);
    return (uint32_t)hash | 1;
}

uint32_t opponents_mark(const struct opponent *opponents, int count) {
    uint32_t mark = opponent_mark(&opponents[0]);
    for (int i = 1; i < count; i++) {
        const uint32_t both[] = {mark, opponent_mark(&opponents[i])};
        mark = (uint32_t)XXH3_64bits(both, sizeof both) | 1;
    }
    return mark;
}
