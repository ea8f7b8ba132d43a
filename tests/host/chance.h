/* chance.h - random pairs of games, for tests of statistics. */
#ifndef ENSIGN_TESTS_HOST_CHANCE_H
#define ENSIGN_TESTS_HOST_CHANCE_H

#include "base/random.h"
#include "host/match/statistics.h"

enum { CHANCE_SHAPES = 3 };

/* Shares of the five scores between equals: with some draws, with none, with hardly anything else;
 * none of them the product of two independent games. */
extern const double CHANCE_SHAPE[CHANCE_SHAPES][PAIR_SCORES];

/* The shares bent so that their mean is `score`, by a power of the score. */
void chance_tilt(const double shares[PAIR_SCORES], double score, double tilted[PAIR_SCORES]);

/* The half points of a pair. */
int chance_draw(const double shares[PAIR_SCORES], struct random *random);

#endif
