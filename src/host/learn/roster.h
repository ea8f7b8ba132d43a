/* roster.h - the styles that are met in learning, and how often. They never learn. */
#ifndef ENSIGN_HOST_LEARN_ROSTER_H
#define ENSIGN_HOST_LEARN_ROSTER_H

#include "bot/learned_lua.h"

enum { ROSTER_MAX = 128 };

struct roster {
    int count; /* 0: nobody is met */
    const struct style *style[ROSTER_MAX];
    double share[ROSTER_MAX]; /* next to one another */
};

/* Adds one that is met the more often the greater its share, above 0. There is room. */
void roster_add(struct roster *roster, const struct style *style, double share);

/* Who is met in this turn. Any stretch of turns meets all by their shares, as evenly as it can: one
 * of 64 turns that begins at a multiple of 64 meets each of 64 alike once. There is one at least.
 */
const struct style *roster_turn(const struct roster *roster, uint64_t turn);

/* Half of the time makes it its mirror image, where left and right of the board are the same. */
void setup_perhaps_mirror(const struct rules *rules, struct random *random, struct setup *setup);

/* Draws a set-up as a bot of that style does: one of its own, mirrored half of the time where left
 * and right of the board are the same. False and nothing drawn if it has none. */
bool style_draw_setup(const struct style *style, const struct rules *rules, struct random *random,
                      struct setup *setup);

#endif
