/* league.h - the styles that a school has learned one after the other, each by playing against
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

#include "roster.h"

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

#endif
