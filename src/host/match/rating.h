/* rating.h - joint ratings of several players from all their pairs.
 *
 * The model is Bradley and Terry's on the logistic scale of Elo: the player with rating r scores
 * against one with rating q
 *   s(r - q) = 1 / (1 + 10^(-(r - q) / 400))
 * points a game on average, a draw being half a win and half a loss ("Rank analysis of incomplete
 * block designs", Biometrika 1952; the same estimate as Ordo's). The ratings maximize the
 * likelihood, which is where each player's points are those expected; only differences matter, so
 * their mean is 0.
 *
 * A pair of games is one observation. The spread of a rating comes from the Fisher information H
 * and from J, the variance of the points that was observed between the pairs of each meeting
 * (statistics_spread()), as H⁻¹ J H⁻¹ (the sandwich estimator): what the two games of a pair have
 * in common neither widens nor narrows it wrongly. Its interval ends where, all strengths moving
 * the way that costs the likelihood least, the points are 1.96 of their standard errors from those
 * expected (a score interval): for two players that is half the interval of statistics_elo(), and
 * like that it has no end where no points could be so far off.
 *
 * There is a maximum if and only if the players cannot be parted into two groups such that one has
 * taken every point from the other (L. R. Ford, "Solution of a ranking problem from binary
 * comparisons", 1957): not with a player who has won or lost everything. Then, and only then, each
 * player is given one drawn pair against an imagined one in their middle, as a prior. */
#ifndef ENSIGN_HOST_MATCH_RATING_H
#define ENSIGN_HOST_MATCH_RATING_H

#include "statistics.h"

enum { RATING_PLAYERS_MAX = 64 };

struct rating {
    double elo, low, high; /* with its 95 % interval, whose ends may be infinite; all NAN for a
                              player without pairs */
};

enum rating_kind {
    RATING_NONE,   /* nobody has played a pair: all ratings are NAN */
    RATING_LIKELY, /* the maximum of the likelihood */
    RATING_PRIOR   /* with one drawn pair a player as a prior */
};

/* Rates `players` (2..RATING_PLAYERS_MAX) of them. `cross` is their cross table: the pairs of i
 * against j, as i sees them, are in cross[i * players + j].pairs, those of j in
 * cross[j * players + i].pairs and the mirror of these. Nothing else is read. */
enum rating_kind rating_estimate(const struct statistics *cross, int players,
                                 struct rating *ratings);

#endif
