/* sprt.c - the generalized sequential probability ratio test on pairs.
 *
 * It depends on the empirical shares alone, so it can be resumed from counts. The equation for x
 * falls from +infinity to -infinity between its two poles, so a bracketed Newton iteration always
 * finds its root. */
#include "sprt.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The root of Σ share * offset / (1 + x * offset). Offsets have both signs, and no share is 0. */
static double sprt_tilt(const double share[PAIR_SCORES], const double offset[PAIR_SCORES]) {
    double low = -1 / offset[PAIR_SCORES - 1], high = -1 / offset[0], x = 0;
    for (int round = 0; round < 200; round++) {
        double value = 0, slope = 0;
        for (int i = 0; i < PAIR_SCORES; i++) {
            double part = offset[i] / (1 + x * offset[i]);
            value += share[i] * part;
            slope -= share[i] * part * part;
        }
        if (value > 0)
            low = x;
        else
            high = x;
        double next = x - value / slope;
        if (!(next > low && next < high)) next = (low + high) / 2;
        if (fabs(next - x) <= 1e-13 * (1 + fabs(x))) return next;
        x = next;
    }
    return x;
}

double sprt_llr(const struct sprt *sprt, const uint32_t pairs[PAIR_SCORES]) {
    const double unseen = 1e-3;
    const double mean[2] = {elo_to_score(sprt->elo0), elo_to_score(sprt->elo1)};
    double share[PAIR_SCORES], total = 0, ratio = 0;
    bool any = false;
    for (int i = 0; i < PAIR_SCORES; i++) {
        any = any || pairs[i] > 0;
        share[i] = pairs[i] > 0 ? pairs[i] : unseen;
        total += share[i];
    }
    if (!any) return 0;
    for (int i = 0; i < PAIR_SCORES; i++) share[i] /= total;
    for (int h = 0; h < 2; h++) {
        double offset[PAIR_SCORES];
        for (int i = 0; i < PAIR_SCORES; i++) offset[i] = i / (double)(PAIR_SCORES - 1) - mean[h];
        double x = sprt_tilt(share, offset);
        for (int i = 0; i < PAIR_SCORES; i++) {
            double likelihood = share[i] * -log1p(x * offset[i]);
            ratio += h ? likelihood : -likelihood;
        }
    }
    return total * ratio;
}

double sprt_lower(const struct sprt *sprt) {
    return log(sprt->beta / (1 - sprt->alpha));
}

double sprt_upper(const struct sprt *sprt) {
    return log((1 - sprt->beta) / sprt->alpha);
}

enum sprt_decision sprt_decide(const struct sprt *sprt, const uint32_t pairs[PAIR_SCORES]) {
    double llr = sprt_llr(sprt, pairs);
    if (llr >= sprt_upper(sprt)) return SPRT_H1;
    if (llr <= sprt_lower(sprt)) return SPRT_H0;
    return SPRT_UNDECIDED;
}

const char *sprt_decision_name(enum sprt_decision decision) {
    static const char *const names[] = {"undecided", "H0", "H1"};
    return names[decision];
}

/* Reads the next number of the list, which must be followed by `end`. */
static bool sprt_read_number(const char **text, char end, double *number) {
    char *after;
    errno = 0;
    *number = strtod(*text, &after);
    if (after == *text || errno || !isfinite(*number) || *after != end) return false;
    *text = after + (end != 0);
    return true;
}

bool sprt_read(const char *text, struct sprt *sprt, struct fault *fault) {
    const char *rest = text;
    bool rates = strchr(text, ',') != strrchr(text, ',');
    *sprt = (struct sprt){.alpha = 0.05, .beta = 0.05};
    if (!sprt_read_number(&rest, ',', &sprt->elo0) ||
        !sprt_read_number(&rest, rates ? ',' : 0, &sprt->elo1) ||
        (rates && !(sprt_read_number(&rest, ',', &sprt->alpha) &&
                    sprt_read_number(&rest, 0, &sprt->beta)))) {
        return fault_set(fault, STATUS_USAGE,
                         "\"%s\": ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA is expected, such as 0,10",
                         text);
    }
    if (!(sprt->elo0 < sprt->elo1) || sprt->elo0 < -SPRT_ELO_MAX || sprt->elo1 > SPRT_ELO_MAX) {
        return fault_set(fault, STATUS_USAGE,
                         "\"%s\": ELO0 must be below ELO1, and both between -%d and %d", text,
                         SPRT_ELO_MAX, SPRT_ELO_MAX);
    }
    if (!(sprt->alpha > 0 && sprt->alpha < 0.5 && sprt->beta > 0 && sprt->beta < 0.5)) {
        return fault_set(fault, STATUS_USAGE,
                         "\"%s\": ALPHA and BETA must be above 0 and below 0.5", text);
    }
    return true;
}
