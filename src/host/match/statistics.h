/* statistics.h - how much stronger one player is, from the results of paired games.
 *
 * Games come in pairs that share their set-ups and their chance, sides exchanged. What the set-ups
 * favour cancels within a pair, so a pair is one observation and its score (0, ½, 1, 1½ or 2
 * points) is what the spread is taken from: the "pentanomial" model of engine testing. */
#ifndef ENSIGN_HOST_MATCH_STATISTICS_H
#define ENSIGN_HOST_MATCH_STATISTICS_H

#include "core/play/game.h"

enum { PAIR_SCORES = 5 };

struct statistics {
    uint32_t wins, draws, losses;
    uint32_t pairs[PAIR_SCORES];     /* pairs by their half points, 0..4 */
    uint32_t forfeits[REASON_COUNT]; /* games lost by forfeit, by reason */
};

/* An Elo difference with its 95 % interval. -INFINITY and INFINITY where the score is, or may be,
 * 0 or 1; NAN without pairs. */
struct elo {
    double difference, low, high;
};

/* Counts one game as seen by the player who had `side`; returns its half points: 2, 1 or 0. */
int statistics_add(struct statistics *statistics, enum side side, enum result result,
                   enum reason reason);

/* Counts a pair whose two games gave `half_points` together, 0..4. */
void statistics_add_pair(struct statistics *statistics, int half_points);

/* Points a game, 0..1; NAN without games. */
double statistics_score(const struct statistics *statistics);

/* Points a game, 0..1, of games that are independent of one another, with their 95 % interval; a
 * half without games. */
struct points {
    double mean, low, high;
};

struct points statistics_points(uint32_t wins, uint32_t draws, uint32_t losses);

/* The logistic scale: the points a game (0..1) that a difference in Elo leads to, and back, which
 * is -INFINITY at 0 and INFINITY at 1. s = 1 / (1 + 10^(-difference / 400)) */
double elo_to_score(double difference);
double elo_from_score(double score);

/* Half the width of a 95 % interval in standard errors. */
#define NORMAL_95 1.959964

/* Mean of the pairs' scores (0..1) and their variance. So that a few equal pairs do not look like
 * certainty, the variance is taken with one more pair spread evenly over the five scores. */
struct pair_spread {
    double pairs, mean, variance;
};

/* `mean` is NAN without pairs. */
struct pair_spread statistics_spread(const uint32_t pairs[PAIR_SCORES]);

/* Strength against the opponents met, taken as one average opponent: the difference that belongs to
 * the pairs' mean score s, and those that belong to s ± 1.96 sqrt(v / n), v being the variance and
 * n the number of pairs. The pentanomial Elo of fishtest and fastchess, whose v lacks our one more
 * pair. */
struct elo statistics_elo(const struct statistics *statistics);

/* Normalized Elo, which measures the same against the spread of the results and so tells how many
 * games it takes to see the difference: (s - ½) / sqrt(2 v) * 800 / ln 10, as in fishtest (M. Van
 * den Bergh, "Normalized Elo"). */
struct elo statistics_normalized_elo(const struct statistics *statistics);

/* Likelihood of superiority: how sure it is, 0..1, that the player is the stronger one when nothing
 * else is known: Φ((s - ½) / sqrt(v / n)). NAN without pairs. */
double statistics_los(const struct statistics *statistics);

/* Draws among the games, 0..1; NAN without games. */
double statistics_draw_ratio(const struct statistics *statistics);

/* Everybody's results in a match: totals and the cross table, counted game by game in their order.
 */
struct standings {
    int players;
    struct statistics *total; /* by player; the caller's */
    struct statistics *cross; /* of i against j at [i * players + j]; the caller's */
    int red_points;           /* half points of red in the game counted last; starts as 0 */
};

/* Counts a game of the players of red and blue. `ends_pair`: it is the second of a pair, whose
 * first game, with the sides exchanged, was counted just before. Returns the half points of red. */
int standings_add(struct standings *standings, const uint8_t players[2], enum result result,
                  enum reason reason, bool ends_pair);

#endif
