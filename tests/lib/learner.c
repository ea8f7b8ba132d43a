/* learner.c - opens a batch and makes its arrays. */
#include "learner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void learner_open(struct learner *learner, const char *variant, const ensign_options *options) {
    ensign_error error = {.size = sizeof error};
    memset(learner, 0, sizeof *learner);
    if (options) learner->options = *options;
    learner->options.size = sizeof learner->options;
    if (!learner->options.games) learner->options.games = 1;
    learner->rules = ensign_rules_load(variant, 0, &error);
    if (!learner->rules) print_error("%s: %s\n", error.file, error.text);
    assert_non_null(learner->rules);
    learner->shape.size = sizeof learner->shape;
    assert_int_equal(ensign_shape_of(learner->rules, &learner->options, &learner->shape),
                     ENSIGN_OK);
    learner->batch = ensign_batch_new(learner->rules, &learner->options, &error);
    assert_non_null(learner->batch);
    const ensign_shape *shape = &learner->shape;
    const size_t games = learner->options.games;
    learner->out = (ensign_out){
        .size = sizeof learner->out,
        .planes = calloc(games * shape->planes, shape->squares),
        .mask_bits = calloc(games * shape->mask_words, sizeof(uint64_t)),
        .mask = calloc(games, shape->actions),
        .cells = calloc(games, shape->squares),
        .scalars = calloc(games * shape->scalars, sizeof(float)),
        .reward = calloc(games, 2 * sizeof(float)),
        .to_move = calloc(games, 1),
        .terminated = calloc(games, 1),
        .truncated = calloc(games, 1),
        .reason = calloc(games, 1),
        .episode = calloc(games, sizeof(uint64_t)),
        .ply = calloc(games, sizeof(uint32_t)),
        .info_hash = calloc(games, sizeof(uint64_t)),
    };
}

void learner_close(struct learner *learner) {
    ensign_out *out = &learner->out;
    void *arrays[] = {out->planes,     out->mask_bits, out->mask,     out->cells,   out->scalars,
                      out->reward,     out->to_move,   out->reason,   out->episode, out->ply,
                      out->terminated, out->truncated, out->info_hash};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
    ensign_batch_free(learner->batch);
    ensign_rules_free(learner->rules);
}

int learner_allows(const struct learner *learner, uint32_t game, uint32_t action) {
    const uint64_t *bits = learner->out.mask_bits + (size_t)game * learner->shape.mask_words;
    const int bit = (int)(bits[action / 64] >> action % 64 & 1);
    assert_int_equal(learner->out.mask[(size_t)game * learner->shape.actions + action], bit);
    return bit;
}

int32_t learner_action(const struct learner *learner, uint32_t game, uint64_t n) {
    uint32_t count = 0;
    const uint8_t *mask = learner->out.mask + (size_t)game * learner->shape.actions;
    for (uint32_t i = 0; i < learner->shape.actions; i++) count += mask[i];
    if (!count) return -1;
    n %= count;
    for (uint32_t i = 0;; i++)
        if (mask[i] && n-- == 0) return (int32_t)i;
}
