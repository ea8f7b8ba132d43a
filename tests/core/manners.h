/* manners.h - random games with a bias.
 *
 * Uniform play hardly ever repeats, chases or uses an ability. A manner mixes wishes (take the last
 * move back, hunt, flee, circle, use abilities and guess rightly, run forward) so that games reach
 * the corners of the rules. Reads the game of the core and nothing else. */
#ifndef ENSIGN_TESTS_CORE_MANNERS_H
#define ENSIGN_TESTS_CORE_MANNERS_H

#include "core/play/game.h"

struct manner;

const struct manner *manner_draw(struct random *random);

/* A start that suits the manner: both armies laid out, or few pieces anywhere. False when no
 * set-up can be drawn. */
bool manner_position(const struct manner *manner, const struct rules *rules, struct random *random,
                     struct position *position);

/* One of `count` legal moves, at least one. */
struct move manner_choose(const struct manner *manner, const struct game *game,
                          const struct move *moves, size_t count, struct random *random);

#endif
