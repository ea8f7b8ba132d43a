/* opponent.h - a fixed opponent to learn against: what was learned before, weights and habits, with
 * its set-ups. It never learns. */
#ifndef ENSIGN_HOST_LEARN_OPPONENT_H
#define ENSIGN_HOST_LEARN_OPPONENT_H

#include "bot/learned_lua.h"

struct opponent {
    const char *name; /* its file, as the user named it */
    struct learned learned;
};

/* Draws a set-up as the bot of that file would: one of its own, mirrored half of the time where
 * left and right of the board are the same. False and nothing drawn if it has none. */
bool opponent_draw_setup(const struct opponent *opponent, const struct rules *rules,
                         struct random *random, struct setup *setup);

/* Tells opponents and their order apart; never 0. There is at least one. */
uint32_t opponents_mark(const struct opponent *opponents, int count);

#endif
