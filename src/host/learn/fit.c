#include "fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 40 }; /* steps that the products are means of */

/* How strongly parts are held back, as a part of what the turns say of them. */
static const double HOLD_OWN = 1, HOLD_SHARED = 0.1, HOLD_WHOLE = 0.05;

/* Keeps a chance near 0 or 1 from bending not at all. */
static const double BEND_LEAST = 0.002;

void fit_begin(struct fit *fit, const struct terms *weights) {
    memset(fit, 0, sizeof *fit);
    for (int i = 0; i < TERMS; i++) fit->first[i] = (double)(&weights->own[0][0])[i] / VALUE_LOGIT;
    memcpy(fit->weight, fit->first, sizeof fit->weight);
    memcpy(fit->mean, fit->first, sizeof fit->mean);
}

void fit_resume(struct fit *fit) {
    fit->steps = 0;
    memcpy(fit->weight, fit->mean, sizeof fit->weight);
}

void fit_read(const double weight[TERMS], struct terms *weights) {
    for (int i = 0; i < TERMS; i++) {
        double rounded = floor(weight[i] * VALUE_LOGIT + 0.5);
        if (!(rounded <= WEIGHT_MAX)) rounded = WEIGHT_MAX;
        if (!(rounded >= -WEIGHT_MAX)) rounded = -WEIGHT_MAX;
        (&weights->own[0][0])[i] = (int32_t)rounded;
    }
}

/* Adds what the kept turns show of how terms go together. */
static void add_bends(struct fit *fit, const struct lesson_taken *const *taken, int games) {
    double kept = 0;
    for (int i = 0; i < games; i++) kept += taken[i]->kept;
    if (kept <= 0) return;
    const double part = fit->steps < WINDOW ? 1 / ((double)fit->steps + 1) : 1.0 / WINDOW;
    for (int i = 0; i < TERMS; i++)
        for (int j = 0; j <= i; j++) fit->bend[i][j] *= 1 - part;
    for (int i = 0; i < games; i++) {
        const struct lesson_taken *of = taken[i];
        for (uint32_t k = 0; k < of->kept; k++) {
            double by = part / kept * (of->turn[k].bend + BEND_LEAST) / TERM_UNIT / TERM_UNIT;
            for (uint32_t a = of->turn[k].from; a < of->turn[k].to; a++) {
                double *row = fit->bend[of->parts[a].term];
                double amount = by * of->parts[a].amount;
                for (uint32_t b = of->turn[k].from; b <= a; b++)
                    row[of->parts[b].term] += amount * of->parts[b].amount;
            }
        }
    }
}

/* Solves matrix * x = right, in place, by Cholesky's factors. */
static void solve(double *matrix, double *right, int count) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i * count + j];
            for (int k = 0; k < j; k++) sum -= matrix[i * count + k] * matrix[j * count + k];
            matrix[i * count + j] =
                i == j ? sqrt(sum > 1e-12 ? sum : 1e-12) : sum / matrix[j * count + j];
        }
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) right[i] -= matrix[i * count + k] * right[k];
        right[i] /= matrix[i * count + i];
    }
    for (int i = count; i-- > 0;) {
        for (int k = i + 1; k < count; k++) right[i] -= matrix[k * count + i] * right[k];
        right[i] /= matrix[i * count + i];
    }
}

/* How much shared number `shared` counts in a weight: kinds share a base for each of their terms,
 * and a part that goes with their worth. */
static double share_of(const struct measure *measure, int term, int shared) {
    int sort = shared / 2, of = term / OWN_TERMS < KINDS_MAX ? term % OWN_TERMS : -1;
    int kind = term / OWN_TERMS;
    if (term >= KINDS_MAX * OWN_TERMS) {
        int rest = term - KINDS_MAX * OWN_TERMS;
        kind = rest / ENEMY_TERMS;
        of = kind < KINDS_MAX ? OWN_TERMS + rest % ENEMY_TERMS : -1;
    }
    if (of != sort) return 0;
    if (shared % 2 == 0) return 1;
    double worth = measure->worth[kind] / (double)WORTH_UNIT;
    return measure->rules->kind[kind].flag ? 0 : worth / 5 - 1;
}

/* A step of all numbers that are learned: the weights' own parts, then the shared ones. They are
 * drawn to what explains the turns, and a little to where they began. */
static void move_parts(struct fit *fit, const struct measure *measure, const double slope[TERMS],
                       double rate) {
    int used[TERMS + FIT_SHARED], count = 0;
    for (int i = 0; i < TERMS; i++)
        if (fit->bend[i][i] > 1e-9) used[count++] = i;
    const int terms = count;
    const int all = terms + FIT_SHARED;
    double *matrix = calloc((size_t)all * (size_t)all, sizeof *matrix);
    double *right = calloc((size_t)all, sizeof *right);
    double *half = calloc((size_t)terms * FIT_SHARED + 1, sizeof *half); /* bend times share */
    if (!matrix || !right || !half) goto done;
    for (int i = 0; i < terms; i++) {
        for (int j = 0; j <= i; j++) {
            double bend = fit->bend[used[i]][used[j]];
            matrix[i * all + j] = bend;
            if (bend == 0) continue;
            for (int s = 0; s < FIT_SHARED; s++) {
                half[i * FIT_SHARED + s] += bend * share_of(measure, used[j], s);
                if (i != j) half[j * FIT_SHARED + s] += bend * share_of(measure, used[i], s);
            }
        }
        right[i] = slope[used[i]];
    }
    for (int s = 0; s < FIT_SHARED; s++) {
        for (int i = 0; i < terms; i++) {
            double share = share_of(measure, used[i], s);
            matrix[(terms + s) * all + i] = half[i * FIT_SHARED + s];
            if (share == 0) continue;
            right[terms + s] += share * slope[used[i]];
            for (int t = 0; t <= s; t++)
                matrix[(terms + s) * all + terms + t] += share * half[i * FIT_SHARED + t];
        }
    }
    for (int i = 0; i < all; i++) {
        bool is_whole = i < terms && used[i] >= TERMS - WHOLE_TERMS;
        double ridge = i >= terms ? HOLD_SHARED : is_whole ? HOLD_WHOLE : HOLD_OWN;
        double held = i >= terms ? fit->shared[i - terms] : fit->own[used[i]];
        ridge *= matrix[i * all + i];
        right[i] -= ridge * held;
        matrix[i * all + i] += ridge + 1e-6;
    }
    solve(matrix, right, all);
    for (int i = 0; i < all; i++)
        if (!isfinite(right[i])) goto done; /* terms that cannot be told apart: no step */
    for (int i = 0; i < terms; i++) fit->own[used[i]] += rate * right[i];
    for (int s = 0; s < FIT_SHARED; s++) fit->shared[s] += rate * right[terms + s];
    for (int term = 0; term < TERMS; term++) {
        fit->weight[term] = fit->first[term] + fit->own[term];
        for (int s = 0; s < FIT_SHARED; s++)
            fit->weight[term] += share_of(measure, term, s) * fit->shared[s];
    }
done:
    free(matrix);
    free(right);
    free(half);
}

void fit_step(struct fit *fit, const struct measure *measure,
              const struct lesson_taken *const *taken, int games) {
    double slope[TERMS] = {0}, turns = 0, surprise = 0;
    for (int i = 0; i < games; i++) {
        turns += taken[i]->turns;
        surprise += taken[i]->surprise;
        for (int term = 0; term < TERMS; term++) slope[term] += taken[i]->slope[term];
    }
    const double n = (double)fit->steps;
    if (turns > 0) {
        for (int term = 0; term < TERMS; term++) slope[term] /= turns;
        add_bends(fit, taken, games);
        fit->surprise += 0.02 * (surprise / turns - fit->surprise);
    }
    fit->steps++;
    if (turns <= 0 || fit->steps < 3) return; /* two steps show too few turns for all terms */
    /* The steps grow smaller, the mean takes in the later quarter of them, or 200. */
    const double rate = 0.15 / (1 + n / 50) + 0.015;
    const double keep = n < 796 ? 1 / (1 + n / 4) : 0.005;
    move_parts(fit, measure, slope, rate);
    for (int term = 0; term < TERMS; term++)
        fit->mean[term] += keep * (fit->weight[term] - fit->mean[term]);
}
