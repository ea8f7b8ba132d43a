/* variant.h - from a variant's Lua file to compiled rules.
 *
 * For processes that may run scripts: host/wall/loader.h locks one up for it.
 *
 * Runs the file and those it extends in a sandbox of its own, merges, checks every key and value,
 * asks the pure functions for all arguments, fills `struct rules` and lets the core finish it. The
 * Lua state is gone when this returns, unless the variant is to be asked during play
 * (variant_calls.h): then it belongs to the rules. The format is described in variants/README.md.
 */
#ifndef ENSIGN_VARIANT_VARIANT_H
#define ENSIGN_VARIANT_VARIANT_H

#include "base/faults.h"
#include "core/rules/rules.h"
#include "lua/folders.h"
#include "variant_tests.h"

/* The rules of the variant of that name or path, or NULL with a fault (STATUS_NOT_FOUND,
 * STATUS_SCRIPT, STATUS_FUEL, STATUS_MEMORY, STATUS_RULES) that names file, line, key, value and
 * what was expected; of several the first in the file. The caller frees with rules_free(). */
struct rules *variant_load(const struct folders *folders, const char *name, struct fault *fault);

/* The same from Lua text that is already in memory; `path` is what faults call it and where
 * `require` and `extends` start. */
struct rules *variant_load_text(const struct folders *folders, const char *path, const char *text,
                                size_t length, struct fault *fault);

/* Both with all that is wrong, by place, the variant's own file first, and with the tests that it
 * carries; `claims` may be NULL, else free what it holds with claims_clear() in every case. */
struct rules *variant_examine(const struct folders *folders, const char *name,
                              struct faults *faults, struct claims *claims);
struct rules *variant_examine_text(const struct folders *folders, const char *path,
                                   const char *text, size_t length, struct faults *faults,
                                   struct claims *claims);

#endif
