/* statistics.c - scores of paired games, and strength estimated from them.
 *
 * A game without a result (broken off) counts as a draw. */
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

struct points statistics_points(uint32_t wins, uint32_t draws, uint32_t losses) {
    double games = (double)wins + draws + losses;
    double score = games > 0 ? (wins + 0.5 * draws) / games : 0.5;
    /* The variance includes one extra game, spread evenly, so that a few equal games do not look
     * like certainty. */
    double mean = (score * games + 0.5) / (games + 1);
    double squares = (wins + 0.25 * draws + 5.0 / 12) / (games + 1);
    double half = NORMAL_95 * sqrt((squares - mean * mean) / (games > 0 ? games : 1));
    return (struct points){score, fmax(0, score - half), fmin(1, score + half)};
}

double elo_to_score(double difference) {
    return 1 / (1 + pow(10, -difference / 400));
}

double elo_from_score(double score) {
    if (score <= 0) return -INFINITY;
    if (score >= 1) return INFINITY;
    return -400 * log10(1 / score - 1);
}

struct pair_spread statistics_spread(const uint32_t pairs[PAIR_SCORES]) {
    const double extra = 1.0 / PAIR_SCORES; /* the extra pair's share of each score */
    double count = 0, points = 0, sum = 0, squares = 0;
    for (int i = 0; i < PAIR_SCORES; i++) {
        double score = i / (double)(PAIR_SCORES - 1), weight = pairs[i] + extra;
        count += pairs[i];
        points += pairs[i] * score;
        sum += weight * score;
        squares += weight * score * score;
    }
    double middle = sum / (count + 1);
    return (struct pair_spread){.pairs = count,
                                .mean = count > 0 ? points / count : NAN,
                                .variance = squares / (count + 1) - middle * middle};
}

struct elo statistics_elo(const struct statistics *statistics) {
    struct pair_spread spread = statistics_spread(statistics->pairs);
    if (spread.pairs <= 0) return (struct elo){NAN, NAN, NAN};
    double error = NORMAL_95 * sqrt(spread.variance / spread.pairs);
    return (struct elo){elo_from_score(spread.mean), elo_from_score(spread.mean - error),
                        elo_from_score(spread.mean + error)};
}

struct elo statistics_normalized_elo(const struct statistics *statistics) {
    struct pair_spread spread = statistics_spread(statistics->pairs);
    if (spread.pairs <= 0) return (struct elo){NAN, NAN, NAN};
    const double scale = 800 / log(10);
    double difference = (spread.mean - 0.5) / sqrt(2 * spread.variance) * scale;
    double error = NORMAL_95 * scale / sqrt(2 * spread.pairs);
    return (struct elo){difference, difference - error, difference + error};
}

double statistics_los(const struct statistics *statistics) {
    struct pair_spread spread = statistics_spread(statistics->pairs);
    return 0.5 * erfc((0.5 - spread.mean) / sqrt(2 * spread.variance / spread.pairs));
}

double statistics_draw_ratio(const struct statistics *statistics) {
    double games = (double)statistics->wins + statistics->draws + statistics->losses;
    return games > 0 ? statistics->draws / games : NAN;
}

static int standings_count(struct standings *standings, int self, int other, enum side side,
                           enum result result, enum reason reason) {
    statistics_add(&standings->cross[self * standings->players + other], side, result, reason);
    return statistics_add(&standings->total[self], side, result, reason);
}

static void standings_count_pair(struct standings *standings, int self, int other,
                                 int half_points) {
    statistics_add_pair(&standings->total[self], half_points);
    statistics_add_pair(&standings->cross[self * standings->players + other], half_points);
}

int standings_add(struct standings *standings, const uint8_t players[2], enum result result,
                  enum reason reason, bool ends_pair) {
    int red = players[RED], blue = players[BLUE], before = standings->red_points;
    int points = standings_count(standings, red, blue, RED, result, reason);
    standings_count(standings, blue, red, BLUE, result, reason);
    if (ends_pair) {
        int pair = points + 2 - before; /* red was blue before */
        standings_count_pair(standings, red, blue, pair);
        standings_count_pair(standings, blue, red, PAIR_SCORES - 1 - pair);
    }
    standings->red_points = points;
    return points;
}
