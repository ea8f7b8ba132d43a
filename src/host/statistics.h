/* statistics.h - how much stronger one player is, from the results of paired games.
 *
 * Games come in pairs that share their set-ups and their chance, sides exchanged. What the set-ups
 * favour cancels within a pair, so a pair is one observation and its score (0, ½, 1, 1½ or 2
 * points) is what the spread is taken from: the "pentanomial" model of engine testing. */
#ifndef ENSIGN_HOST_STATISTICS_H
#define ENSIGN_HOST_STATISTICS_H

#include "core/game.h"

enum { PAIR_SCORES = 5 };

struct statistics {
    uint32_t wins, draws, losses;
    uint32_t pairs[PAIR_SCORES];     /* pairs by their half points, 0..4 */
    uint32_t forfeits[REASON_COUNT]; /* games lost by forfeit, by reason */
};

/* An Elo difference with its 95 % interval. -INFINITY and INFINITY where the score is, or may be,
 * 0 or 1; NAN without games. */
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

/* Strength against the opponents met, taken as one average opponent:
 *   score s = points / games        difference = -400 log10(1/s - 1)
 * and the ends of the interval are the differences that belong to s ± 1.96 sqrt(v / n), v being
 * the variance of a pair's score (0..1) and n the number of pairs. So that a few equal pairs do not
 * look like certainty, v is taken with one more pair spread evenly over the five scores. */
struct elo statistics_elo(const struct statistics *statistics);

#endif
