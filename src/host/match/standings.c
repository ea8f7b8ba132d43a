/* standings.c - counts games for both players at once. */
#include "standings.h"

static int count(struct standings *standings, int self, int other, enum side side,
                 enum result result, enum reason reason) {
    statistics_add(&standings->cross[self * standings->players + other], side, result, reason);
    return statistics_add(&standings->total[self], side, result, reason);
}

static void count_pair(struct standings *standings, int self, int other, int half_points) {
    statistics_add_pair(&standings->total[self], half_points);
    statistics_add_pair(&standings->cross[self * standings->players + other], half_points);
}

int standings_add(struct standings *standings, const uint8_t players[2], enum result result,
                  enum reason reason, bool ends_pair) {
    int red = players[RED], blue = players[BLUE], before = standings->red_points;
    int points = count(standings, red, blue, RED, result, reason);
    count(standings, blue, red, BLUE, result, reason);
    if (ends_pair) {
        int pair = points + 2 - before; /* red was blue before */
        count_pair(standings, red, blue, pair);
        count_pair(standings, blue, red, PAIR_SCORES - 1 - pair);
    }
    standings->red_points = points;
    return points;
}
