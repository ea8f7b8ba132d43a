/* league.h - the styles that a trainer has learned one after the other, each by playing against
 * those before it, and how often each of them should be played.
 *
 * The shares are those of an equilibrium (Nash's) of the game in which either side chooses one of
 * the styles: whoever draws by them scores, against any of them, half of the points at least. A new
 * style is learned against that mixture and joins ("double oracle", McMahan, Gordon and Blum 2003;
 * for learned answers "policy-space response oracles", Lanctot and others 2017). Only what is
 * played often costs a little more there, so that styles which are about as good are all played,
 * and a few games by chance do not decide between them. */
#ifndef ENSIGN_HOST_LEARN_LEAGUE_H
#define ENSIGN_HOST_LEARN_LEAGUE_H

#include "bot/learned_lua.h"

/* The styles that are met in learning, and how often. They never learn. */

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

enum { LEAGUE_MAX = 32 };

/* Points that a style loses when it is always played, next to never. */
static const double LEAGUE_CROWDING = 0.1;

struct league {
    int count;
    double points[LEAGUE_MAX][LEAGUE_MAX]; /* 0 … 1, of the first against the second; those of the
                                              second are the rest */
    double share[LEAGUE_MAX];              /* 1 in all; 0: not played now */
    struct style style[LEAGUE_MAX];
};

/* Adds a style, with 0.5 points against all. If there is no room, the one that is played least
 * leaves, of equal ones the oldest. Returns its number, the last one. */
int league_join(struct league *league, const struct style *style);

/* Sets the points of one style against another one, and so those of the other one. */
void league_note(struct league *league, int one, int other, double points);

/* Finds the shares. What would be played less than once in a hundred games is not, nor are more
 * than LEARNED_STYLES_MAX. */
void league_balance(struct league *league);

/* The number of the style that is played most, the first of equal ones. */
int league_chief(const struct league *league);

/* Those that are played. The league must outlive the roster. */
void league_meet(struct roster *roster, const struct league *league);

/* A fixed opponent to learn against: what was learned before, read from a file. */

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
