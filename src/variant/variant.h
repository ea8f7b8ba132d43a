/* variant.h - from a variant's Lua file to compiled rules.
 *
 * Runs the file and those it extends in a sandbox, merges their tables, checks every key and value,
 * tabulates the pure functions, fills `struct rules` and lets the core finish it. The Lua state is
 * closed before the functions here return, unless the variant has calls (variant_calls.h): then
 * the rules own it. The format is described in variants/REFERENCE.md.
 *
 * For processes that may run scripts; jail/loader.h starts one. */
#ifndef ENSIGN_VARIANT_VARIANT_H
#define ENSIGN_VARIANT_VARIANT_H

#include "base/fault.h"
#include "core/rules/rules.h"
#include "lua/folders.h"
#include "variant_tests.h"

/* The rules of the variant with this name or path, or NULL with the first fault of the file
 * (STATUS_NOT_FOUND, STATUS_SCRIPT, STATUS_FUEL, STATUS_MEMORY, STATUS_RULES): its place, the key,
 * the value and what was expected. The caller frees with rules_free(). */
struct rules *variant_load(const struct folders *folders, const char *name, struct fault *fault);

/* The same for Lua text in memory; faults name `path`, and `require` and `extends` start there. */
struct rules *variant_load_text(const struct folders *folders, const char *path, const char *text,
                                size_t length, struct fault *fault);

/* The same two with all faults, sorted by place with those of the variant's file first, and the
 * variant's tests. `claims` may be NULL; otherwise the caller clears it with claims_clear(), after
 * a failure too. */
struct rules *variant_examine(const struct folders *folders, const char *name,
                              struct faults *faults, struct claims *claims);
struct rules *variant_examine_text(const struct folders *folders, const char *path,
                                   const char *text, size_t length, struct faults *faults,
                                   struct claims *claims);

#endif
