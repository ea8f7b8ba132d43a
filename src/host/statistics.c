/* statistics.c - scores of paired games and what they say about strength.
 *
 * A game without a result (broken off) counts as a draw: each side has had half of it. */
#include "statistics.h"

#include <math.h>

int statistics_add(struct statistics *statistics, enum side side, enum result result,
                   enum reason reason) {
    if (result == result_win(side)) {
        statistics->wins++;
        return 2;
    }
    if (result != result_win(side_other(side))) {
        statistics->draws++;
        return 1;
    }
    statistics->losses++;
    if (reason_is_forfeit(reason)) statistics->forfeits[reason]++;
    return 0;
}

void statistics_add_pair(struct statistics *statistics, int half_points) {
    statistics->pairs[half_points]++;
}

double statistics_score(const struct statistics *statistics) {
    double games = (double)statistics->wins + statistics->draws + statistics->losses;
    return games > 0 ? (statistics->wins + 0.5 * statistics->draws) / games : NAN;
}

static double difference_at(double score) {
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return -400 * log10(1 / score - 1);
}

struct elo statistics_elo(const struct statistics *statistics) {
    const double spread = 1.0 / PAIR_SCORES; /* weight that the further pair adds to each score */
    double pairs = 0, weight = 0, sum = 0, squares = 0;
    for (int i = 0; i < PAIR_SCORES; i++) {
        double score = i / (double)(PAIR_SCORES - 1), count = statistics->pairs[i] + spread;
        pairs += statistics->pairs[i];
        weight += count;
        sum += count * score;
        squares += count * score * score;
    }
    if (pairs <= 0) return (struct elo){NAN, NAN, NAN};
    double mean = sum / weight, variance = squares / weight - mean * mean;
    double score = statistics_score(statistics), error = 1.96 * sqrt(variance / pairs);
    return (struct elo){difference_at(score), difference_at(score - error),
                        difference_at(score + error)};
}
