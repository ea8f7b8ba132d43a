/* survey_inside.h - what the files of a survey share: survey.c reads the view and finds what
 * reaches whom, survey_terms.c adds up terms, survey_moves.c values moves. */
#ifndef ENSIGN_CORE_VALUE_SURVEY_INSIDE_H
#define ENSIGN_CORE_VALUE_SURVEY_INSIDE_H

#include "survey.h"

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
void survey_enemy_columns(struct survey *survey, int enemy, bool known);

/* Is an influence of this enemy on an own piece, from this square, among the greatest, or greater?
 */
bool survey_reach_has(const struct survey *survey, int number, int enemy, square at);

/* Finds what an own piece may lose to, and gain from, its neighbours. */
void survey_engage(struct survey *survey, int number);

/* Adds up the terms of an own piece anew; with `reach` what influences it is found first. */
void survey_settle_piece(struct survey *survey, int number, bool reach);

/* The sum of the terms of one piece alone, and of those that only count. */
int64_t survey_piece_sum(const struct survey *survey, kind_id kind, square at, int state,
                         const struct reach *reach);
int64_t survey_counted_sum(const struct survey *survey);

/* survey_sum(), and the peril that goes with it. */
int64_t survey_sum_peril(const struct survey *survey, struct terms *terms, int32_t *peril);

/* The chance to win that both stand for while the game goes on. */
int32_t survey_chance_of(const struct survey *survey, int64_t sum, int32_t peril);

/* The greatest chance of any of these own kinds to beat an enemy by attacking it, in CHANCE_ONE; a
 * tie counts half. */
int32_t survey_chance_beaten(const struct survey *survey, kindset kinds, int enemy);

#endif
