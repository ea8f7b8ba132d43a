/* evaluation_inside.h - what the files of an evaluation share: evaluation.c reads the view and
 * finds what reaches whom, evaluation_terms.c adds up terms, evaluation_moves.c values moves. */
#ifndef ENSIGN_CORE_VALUE_EVALUATION_INSIDE_H
#define ENSIGN_CORE_VALUE_EVALUATION_INSIDE_H

#include "evaluation.h"

enum { WIDE = INT16_MAX };

static inline int32_t most(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static inline int16_t wider(int16_t a, int16_t b) {
    return a > b ? a : b;
}

/* Half of an influence, faded. */
static inline int16_t faded(int16_t one, int16_t fade) {
    return (int16_t)((int32_t)one * fade >> 16);
}

/* What follows from the chances of an enemy, which is known or not. */
void evaluation_enemy_columns(struct evaluation *evaluation, int enemy, bool known);

/* Is an influence of this enemy on an own piece, from this square, among the greatest, or greater?
 */
bool evaluation_reach_has(const struct evaluation *evaluation, int number, int enemy, square at);

/* Finds what an own piece may lose to, and gain from, its neighbours. */
void evaluation_engage(struct evaluation *evaluation, int number);

/* Adds up the terms of an own piece anew; with `reach` what influences it is found first. */
void evaluation_settle_piece(struct evaluation *evaluation, int number, bool reach);

/* The sum of the terms of one piece alone, and of those that only count. */
int64_t evaluation_piece_sum(const struct evaluation *evaluation, kind_id kind, square at,
                             int state, const struct reach *reach);
int64_t evaluation_counted_sum(const struct evaluation *evaluation);

/* evaluation_sum(), and the peril that goes with it. */
int64_t evaluation_sum_peril(const struct evaluation *evaluation, struct terms *terms,
                             int32_t *peril);

/* The chance to win that both stand for while the game goes on. */
int32_t evaluation_chance_of(const struct evaluation *evaluation, int64_t sum, int32_t peril);

/* The greatest chance of any of these own kinds to beat an enemy by attacking it, in CHANCE_ONE; a
 * tie counts half. */
int32_t evaluation_chance_beaten(const struct evaluation *evaluation, kindset kinds, int enemy);

#endif
