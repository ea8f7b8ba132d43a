/* mind.h - values the moves of a side from its view: memory for beliefs and an evaluation, and the
 * value that they serve. */
#ifndef ENSIGN_CORE_VALUE_MIND_H
#define ENSIGN_CORE_VALUE_MIND_H

#include "evaluation.h"

struct mind {
    const struct measure *measure;
    const struct value *value;
    struct belief belief;
    struct evaluation evaluation;
};

/* Reads the view: from now on the others of these functions answer for it. */
void mind_read(struct mind *mind, const struct view *view);

/* The chance to win after each of the side's moves, in CHANCE_CERTAIN. */
void mind_moves(struct mind *mind, const struct move *moves, size_t count, int32_t *chances);

/* The sum of the terms as they stand, as if the side had just moved; see evaluation_sum(). */
int64_t mind_sum(const struct mind *mind, struct terms *terms);

#endif
