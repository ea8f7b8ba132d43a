/* rating.h - joint ratings of several players from all their pairs.
 *
 * The model is Bradley and Terry's on the logistic scale of Elo: the player with rating r scores
 * against one with rating q
 *   s(r - q) = 1 / (1 + 10^(-(r - q) / 400))
 * points a game on average, a draw being half a win and half a loss ("Rank analysis of incomplete
 * block designs", Biometrika 1952; the same estimate as Ordo's). The ratings maximize the
 * likelihood: each player's points equal the points expected. Only differences matter, so their
 * mean is 0.
 *
 * A pair of games is one observation. The variance of a rating is H⁻¹ J H⁻¹ (the sandwich
 * estimator) with the Fisher information H and J, the observed variance of the points among the
 * pairs of each meeting (statistics_spread()); so the correlation within pairs does not distort it.
 * The interval is a score interval: all strengths move in the direction that costs the least
 * likelihood until the points are 1.96 standard errors from those expected. For two players it is
 * half the interval of statistics_elo(), and it too is infinite where points cannot be so far off.
 *
 * A maximum exists unless the players can be split into two groups of which one has taken every
 * point from the other (L. R. Ford, "Solution of a ranking problem from binary comparisons", 1957),
 * as with a player who won or lost everything. Only then, as a prior, each player gets one drawn
 * pair against an imaginary average player. */
#ifndef ENSIGN_HOST_MATCH_RATING_H
#define ENSIGN_HOST_MATCH_RATING_H

#include "statistics.h"

enum { RATING_PLAYERS_MAX = 64 };

struct rating {
    double elo, low, high; /* with a 95 % interval, perhaps infinite; all NAN without pairs */
};

enum rating_kind {
    RATING_NONE,   /* no pairs: all ratings are NAN */
    RATING_LIKELY, /* maximum likelihood */
    RATING_PRIOR   /* with the prior */
};

/* Rates `players` players (2..RATING_PLAYERS_MAX). `cross` is their cross table: the pairs of i
 * against j, from i's side, are in cross[i * players + j].pairs, mirrored in
 * cross[j * players + i].pairs. Nothing else of it is read. */
enum rating_kind rating_estimate(const struct statistics *cross, int players,
                                 struct rating *ratings);

#endif
