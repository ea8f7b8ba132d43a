/* statistics.h - how much stronger one player is, from the results of paired games.
 *
 * Games come in pairs that share set-ups and chance, with sides exchanged. The bias of the set-ups
 * cancels within a pair, so a pair is one observation; its score (0, ½, 1, 1½ or 2 points) gives
 * the spread: the "pentanomial" model of engine testing. */
#ifndef ENSIGN_HOST_MATCH_STATISTICS_H
#define ENSIGN_HOST_MATCH_STATISTICS_H

#include "core/play/game.h"

enum { PAIR_SCORES = 5 };

struct statistics {
    uint32_t wins, draws, losses;
    uint32_t pairs[PAIR_SCORES];     /* pairs by their half points, 0..4 */
    uint32_t forfeits[REASON_COUNT]; /* games lost by forfeit, by reason */
};

/* An Elo difference with its 95 % interval. Infinite where the score is, or may be, 0 or 1; NAN
 * without pairs. */
struct elo {
    double difference, low, high;
};

/* Counts a game for the player of `side`; returns the player's half points: 2, 1 or 0. */
int statistics_add(struct statistics *statistics, enum side side, enum result result,
                   enum reason reason);

/* Counts a pair with `half_points` in its two games together, 0..4. */
void statistics_add_pair(struct statistics *statistics, int half_points);

/* Points per game, 0..1; NAN without games. */
double statistics_score(const struct statistics *statistics);

/* Points per game, 0..1, of independent games, with a 95 % interval; a half without games. */
struct points {
    double mean, low, high;
};

struct points statistics_points(uint32_t wins, uint32_t draws, uint32_t losses);

/* The logistic scale: expected points per game (0..1) for an Elo difference, and back, which is
 * -INFINITY at 0 and INFINITY at 1. s = 1 / (1 + 10^(-difference / 400)) */
double elo_to_score(double difference);
double elo_from_score(double score);

/* Half the width of a 95 % interval in standard errors. */
#define NORMAL_95 1.959964

/* Mean (0..1) and variance of the pairs' scores. The variance includes one extra pair, spread
 * evenly over the five scores, so that a few equal pairs do not look like certainty. */
struct pair_spread {
    double pairs, mean, variance;
};

/* `mean` is NAN without pairs. */
struct pair_spread statistics_spread(const uint32_t pairs[PAIR_SCORES]);

/* Strength relative to the average opponent met: the Elo difference of the pairs' mean score s,
 * with those of s ± 1.96 sqrt(v / n), for variance v and n pairs. The pentanomial Elo of fishtest
 * and fastchess, except that their v lacks the extra pair. */
struct elo statistics_elo(const struct statistics *statistics);

/* Normalized Elo: the difference relative to the spread of the results, which tells how many games
 * are needed to detect it: (s - ½) / sqrt(2 v) * 800 / ln 10, as in fishtest (M. Van den Bergh,
 * "Normalized Elo"). */
struct elo statistics_normalized_elo(const struct statistics *statistics);

/* Likelihood of superiority: the probability, 0..1, that the player is the stronger one, given
 * these results alone: Φ((s - ½) / sqrt(v / n)). NAN without pairs. */
double statistics_los(const struct statistics *statistics);

/* Share of draws, 0..1; NAN without games. */
double statistics_draw_ratio(const struct statistics *statistics);

/* All results of a match: totals and the cross table, counted game by game, in order. */
struct standings {
    int players;
    struct statistics *total; /* by player; the caller's */
    struct statistics *cross; /* of i against j at [i * players + j]; the caller's */
    int red_points;           /* red's half points in the last game; starts as 0 */
};

/* Counts a game of the players of red and blue. `ends_pair`: it completes a pair whose first game,
 * with the sides exchanged, was counted just before. Returns red's half points. */
int standings_add(struct standings *standings, const uint8_t players[2], enum result result,
                  enum reason reason, bool ends_pair);

#endif
