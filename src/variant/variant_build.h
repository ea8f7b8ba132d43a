/* variant_build.h - what the parts of the compiler share: the table they read, the rules they fill,
 * and how they ask a variant's functions. */
#ifndef ENSIGN_VARIANT_VARIANT_BUILD_H
#define ENSIGN_VARIANT_VARIANT_BUILD_H

#include "core/rules/rules.h"
#include "variant_source.h"

struct variant_build {
    struct variant_source *source;
    lua_State *lua;
    int table; /* absolute index of the merged and checked table */
    int board; /* absolute index of the board that functions are handed */
    struct rules *rules;
};

/* Readers of a checked value at `key`; `fallback` where there is none. `false` counts as none for
 * text and as 0 for numbers. The text lives as long as the table. */
const char *variant_text(const struct variant_build *build, const char *key, const char *fallback);
int variant_number(const struct variant_build *build, const char *key, int fallback);
bool variant_boolean(const struct variant_build *build, const char *key, bool fallback);

/* Writes a key from parts; keys too long to be written are cut, which only blurs a place. */
const char *variant_key(char out[VARIANT_KEY_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Refuses a name that `pieces` does not have; `key` is where it stands. */
bool variant_piece_known(const struct variant_build *build, const char *key, const char *name);

/* Reads a list of names of pieces. `all` becomes true for the word "all". Names that `pieces` has
 * but the army lacks are passed over, others refused. */
bool variant_kinds(const struct variant_build *build, const char *key, kindset *set, bool *all);

/* Words of a list, or a single word, as bits: the n-th of `words` is 1 << n. */
unsigned variant_words(const struct variant_build *build, const char *key, const char *const *words,
                       unsigned fallback);

/* Asks the function at `key` with board, side and square for a list of squares and reads it into
 * `set`; no lakes. */
bool variant_squares(const struct variant_build *build, const char *key, enum side side,
                     square from, squareset *set);

/* Calls the function under `arguments` values on the stack; one result is left. `key` is what
 * faults call it. */
bool variant_call(const struct variant_build *build, const char *key, int arguments);

/* Calls the function at `key` with board, side and square, as variant_call(). */
bool variant_call_at(const struct variant_build *build, const char *key, enum side side,
                     square from);

/* Refuses what the function at `key` returned, at the place where that function is written. */
bool variant_refuse_result(const struct variant_build *build, const char *key, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));

#endif
