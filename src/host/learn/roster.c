#include "roster.h"

void roster_add(struct roster *roster, const struct style *style, double share) {
    roster->style[roster->count] = style;
    roster->share[roster->count++] = share;
}

/* The turn's bits behind the point, the lowest first: van der Corput's sequence, which fills 0 … 1
 * as evenly as any. */
static double place_of(uint64_t turn) {
    double place = 0, half = 0.5;
    for (int bit = 0; bit < 32; bit++, half /= 2) place += half * (double)(turn >> bit & 1);
    return place;
}

const struct style *roster_turn(const struct roster *roster, uint64_t turn) {
    double whole = 0, passed = 0;
    for (int i = 0; i < roster->count; i++) whole += roster->share[i];
    const double place = place_of(turn) * whole;
    for (int i = 0; i < roster->count - 1; i++) {
        passed += roster->share[i];
        if (place < passed) return roster->style[i];
    }
    return roster->style[roster->count - 1];
}

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

void setup_perhaps_mirror(const struct rules *rules, struct random *random, struct setup *setup) {
    if (random_below(random, 2) || !is_even(&rules->board)) return;
    struct setup mirrored;
    setup_mirror(rules, setup, &mirrored);
    if (setup_check(rules, &mirrored, NULL)) *setup = mirrored;
}

bool style_draw_setup(const struct style *style, const struct rules *rules, struct random *random,
                      struct setup *setup) {
    if (!style->setups) return false;
    *setup = style->setup[random_below(random, style->setups)];
    setup_perhaps_mirror(rules, random, setup);
    return true;
}
