/* opponent.h - a fixed opponent to learn against: what was learned before, read from a file. */
#ifndef ENSIGN_HOST_LEARN_OPPONENT_H
#define ENSIGN_HOST_LEARN_OPPONENT_H

#include "roster.h"

enum { OPPONENTS_MAX = ROSTER_MAX / LEARNED_STYLES_MAX };

struct opponent {
    const char *name; /* its file, as the user named it */
    struct learned learned;
};

/* All styles of opponents, at most OPPONENTS_MAX. Each opponent is met as often as any other, its
 * styles by their shares. They must outlive the roster. */
void opponents_meet(struct roster *roster, const struct opponent *opponents, int count);

/* The style that an opponent plays most, the first of equal ones. */
const struct style *opponent_chief(const struct opponent *opponent);

/* Tells opponents and their order apart; never 0. There is at least one. */
uint32_t opponents_mark(const struct opponent *opponents, int count);

#endif
