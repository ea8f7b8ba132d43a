/* sprt.h - the sequential probability ratio test: play until a decision, no longer.
 *
 * Two hypotheses about the Elo difference of two players, H0: elo0 and H1: elo1, are weighed after
 * every pair. The test ends with H1 once the log-likelihood ratio (LLR) reaches ln((1 - beta) /
 * alpha), with H0 once it falls to ln(beta / (1 - alpha)) (A. Wald, "Sequential Analysis", 1947):
 * the probability of taking H1 although elo0 is true is about alpha, of H0 although elo1 is true
 * about beta.
 *
 * The LLR is that of the generalized test on pentanomial results with logistic Elo, as fishtest and
 * fastchess compute it: H0 (H1) is represented by the distribution over the five scores of a pair
 * that has the mean expected for elo0 (elo1) and makes the observed pairs most likely. So neither
 * the draw rate nor the luck of the set-ups need be known beforehand. With p_i the observed
 * share of score a_i, and s the mean demanded, that distribution is p_i / (1 + x (a_i - s)), where
 * x solves Σ p_i (a_i - s) / (1 + x (a_i - s)) = 0 (M. Van den Bergh, "Comments on maximum
 * likelihood estimation for multinomial distributions", proposition 1.1). A score not seen yet
 * counts as a thousandth of a pair, as in those. */
#ifndef ENSIGN_HOST_MATCH_SPRT_H
#define ENSIGN_HOST_MATCH_SPRT_H

#include "base/fault.h"
#include "statistics.h"

struct sprt {
    double elo0, elo1;  /* elo0 < elo1, both within ±SPRT_ELO_MAX */
    double alpha, beta; /* above 0, below 0.5 */
};

enum { SPRT_ELO_MAX = 1000 };

enum sprt_decision { SPRT_UNDECIDED, SPRT_H0, SPRT_H1 };

/* Reads "ELO0,ELO1" or "ELO0,ELO1,ALPHA,BETA"; alpha and beta default to 0.05. False
 * with a STATUS_USAGE fault. */
bool sprt_read(const char *text, struct sprt *sprt, struct fault *fault);

/* The LLR of the first player's pairs, 0 without any. */
double sprt_llr(const struct sprt *sprt, const uint32_t pairs[PAIR_SCORES]);

/* The LLR at which H0 and H1 are taken. */
double sprt_lower(const struct sprt *sprt);
double sprt_upper(const struct sprt *sprt);

/* To be called after every pair; the first answer other than SPRT_UNDECIDED is final. */
enum sprt_decision sprt_decide(const struct sprt *sprt, const uint32_t pairs[PAIR_SCORES]);

/* "undecided", "H0", "H1". */
const char *sprt_decision_name(enum sprt_decision decision);

#endif
