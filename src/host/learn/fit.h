/* fit.h - fits weights to what games have shown, by least squares.
 *
 * A turn's value is drawn to what came after it. How far each weight goes follows from all of them
 * together (Gauss and Newton's step for a logistic value), so that a term which only goes along
 * with another gets no weight for it. Few games say little about a seldom term: so a weight is a
 * sum of where it began, a number that all kinds share for the term, one that goes with their
 * worth, and a part of its own, and each part is held back towards 0, the own parts the most. */
#ifndef ENSIGN_HOST_LEARN_FIT_H
#define ENSIGN_HOST_LEARN_FIT_H

#include "selfplay.h"

enum { FIT_SHARED = 2 * (OWN_TERMS + ENEMY_TERMS) };

struct fit {
    uint64_t steps;
    double first[TERMS], own[TERMS], shared[FIT_SHARED]; /* parts of the weights, in logits */
    double weight[TERMS];
    double mean[TERMS];        /* of the weights of late */
    double bend[TERMS][TERMS]; /* mean products of terms, times how much a chance bends there; the
                                  lower half */
    double surprise;           /* squared difference of a turn's value and what came, of late */
};

/* Begins with these weights. */
void fit_begin(struct fit *fit, const struct terms *weights);

/* Goes on from the mean of late with steps as large as at first; the parts are still held back
 * towards where it began. */
void fit_resume(struct fit *fit);

/* Takes a step by what some games have shown. Without turns only `steps` changes; without memory
 * the weights stay. */
void fit_step(struct fit *fit, const struct measure *measure,
              const struct lesson_taken *const *taken, int games);

/* As weights of a value. */
void fit_read(const double weight[TERMS], struct terms *weights);

#endif
