/* learner.h - a batch with arrays for everything that can be asked. */
#ifndef ENSIGN_TESTS_LIB_LEARNER_H
#define ENSIGN_TESTS_LIB_LEARNER_H

#include "lib/ensign.h"

struct learner {
    ensign_rules *rules;
    ensign_batch *batch;
    ensign_options options;
    ensign_shape shape;
    ensign_out out;
};

/* Fails the test if the variant cannot be loaded. `options` may be NULL. */
void learner_open(struct learner *learner, const char *variant, const ensign_options *options);
void learner_close(struct learner *learner);

/* Is this action in the mask of a game? */
int learner_allows(const struct learner *learner, uint32_t game, uint32_t action);

/* A legal action of a game, the n-th modulo their number; -1: none. */
int32_t learner_action(const struct learner *learner, uint32_t game, uint64_t n);

#endif
