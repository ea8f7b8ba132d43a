/* measure.h - what a value measures with, from the rules alone: the worth of kinds, how an
 * influence fades with distance.
 *
 * Made once for compiled rules and never changed. Integers throughout, so that a value is the same
 * on every machine. */
#ifndef ENSIGN_CORE_VALUE_MEASURE_H
#define ENSIGN_CORE_VALUE_MEASURE_H

#include "core/rules/rules.h"

enum {
    WORTH_UNIT = 256,                  /* a worth of 1 */
    FADE_UNIT = (1 << 15) - 1,         /* an influence at its source */
    OFF_BOARD = BOARD_SQUARES_MAX,     /* a place that nothing reaches */
    FADE_ROW = BOARD_SQUARES_MAX + 16, /* entries of a row; OFF_BOARD and beyond are 0 */
    LOGISTIC_RANGE = 16,               /* logits */
    LOGISTIC_STEPS = 64,               /* entries for one */
    LOGISTIC_ENTRIES = 2 * LOGISTIC_RANGE * LOGISTIC_STEPS + 2,
    CHANCE_CERTAIN = 1 << 30 /* of a win */
};

struct measure {
    const struct rules *rules;
    uint16_t worth[KINDS_MAX];                           /* in WORTH_UNIT; 0 for no kind */
    uint8_t steps[BOARD_SQUARES_MAX][BOARD_SQUARES_MAX]; /* around lakes, without pieces */
    int16_t pull[BOARD_SQUARES_MAX][FADE_ROW];           /* in FADE_UNIT: 0.85 a step */
    int16_t fear[BOARD_SQUARES_MAX][FADE_ROW];           /* 0.6 a step */

    /* Of an attack on the second kind by the first. A battle that the variant decides counts as a
     * tie. */
    int16_t gain[KINDS_MAX][KINDS_MAX]; /* worth of what falls, minus that of one's own; WORTH_UNIT
                                         */
    int16_t sure[KINDS_MAX][KINDS_MAX]; /* the same, but 0 if it is a loss, or the kind is immobile
                                         */
    int16_t half[KINDS_MAX][KINDS_MAX]; /* 2 for a win, 1 for a tie */

    /* Of an attack on the first kind by the second, 0 if that is immobile. */
    int16_t bite[KINDS_MAX][KINDS_MAX]; /* as `sure` */
    int16_t fall[KINDS_MAX][KINDS_MAX]; /* 2 for a loss, 1 for a tie */
    kindset foes[KINDS_MAX];            /* mobile kinds that beat or tie this kind by attacking */

    /* By the side that moves. */
    squareset strikes[2][BOARD_SQUARES_MAX]; /* squares from which a piece may move to this one */
    int16_t landing[2][FADE_ROW]; /* nearness of squares where an ability returns fallen pieces; in
                                     FADE_UNIT, 0.85 a step */
    uint16_t returning;           /* set of indices of such abilities, */
    kindset returners, returned;  /* the kinds that have one, and those that return */
    bool steady;                  /* every way of a piece leads from neighbour to neighbour */
    int32_t logistic[LOGISTIC_ENTRIES]; /* from -LOGISTIC_RANGE up, in CHANCE_CERTAIN */
};

/* Fills `measure` for rules that must outlive it. */
void measure_make(struct measure *measure, const struct rules *rules);

#endif
