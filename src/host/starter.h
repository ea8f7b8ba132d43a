/* starter.h - the text of a working file to start from: a variant, a bot, a set-up.
 *
 * The texts are templates in scripts/starters/ whose @WORDS@ are filled in. */
#ifndef ENSIGN_HOST_STARTER_H
#define ENSIGN_HOST_STARTER_H

#include "core/rules/rules.h"
#include "lua/folders.h"

#include <stdint.h>

/* Each returns a text, which the caller frees, or NULL with a fault. `name` is that of the new
 * file: word_is_new_name(). */

/* A variant that extends `base`, whose rules are given. */
char *starter_variant(const struct folders *folders, const char *name, const struct rules *rules,
                      const char *base, struct fault *fault);

char *starter_bot(const struct folders *folders, const char *name, struct fault *fault);

/* A set-up of `variant` with an army by chance. */
char *starter_setup(const struct folders *folders, const char *name, const struct rules *rules,
                    const char *variant, uint64_t seed, struct fault *fault);

#endif
