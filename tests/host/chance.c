#include "chance.h"

#include <math.h>

const double CHANCE_SHAPE[CHANCE_SHAPES][PAIR_SCORES] = {
    {0.10, 0.20, 0.40, 0.20, 0.10},
    {0.30, 0.00, 0.40, 0.00, 0.30},
    {0.01, 0.10, 0.78, 0.10, 0.01},
};

void chance_tilt(const double shares[PAIR_SCORES], double score, double tilted[PAIR_SCORES]) {
    double low = -100, high = 100;
    for (int round = 0; round < 100; round++) {
        double power = (low + high) / 2, sum = 0, mean = 0;
        for (int i = 0; i < PAIR_SCORES; i++) {
            tilted[i] = shares[i] * exp(power * (i / 4.0 - score));
            sum += tilted[i];
            mean += tilted[i] * i / 4.0;
        }
        for (int i = 0; i < PAIR_SCORES; i++) tilted[i] /= sum;
        if (mean / sum < score)
            low = power;
        else
            high = power;
    }
}

int chance_draw(const double shares[PAIR_SCORES], struct random *random) {
    double ticket = random_part(random);
    int last = 0;
    for (int i = 0; i < PAIR_SCORES; i++) {
        if (shares[i] <= 0) continue;
        last = i;
        ticket -= shares[i];
        if (ticket < 0) return i;
    }
    return last;
}
