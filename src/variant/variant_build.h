/* variant_build.h - shared by the parts of the compiler: the variant's table, the rules to fill,
 * and calls of the variant's functions. */
#ifndef ENSIGN_VARIANT_VARIANT_BUILD_H
#define ENSIGN_VARIANT_VARIANT_BUILD_H

#include "core/rules/rules.h"
#include "variant_source.h"

struct variant_build {
    struct variant_source *source;
    lua_State *lua;
    int table; /* absolute index of the merged and checked table */
    int board; /* absolute index of the board that is passed to functions */
    struct rules *rules;
};

/* The checked value at `key`, or `fallback` if it is missing. `false` reads as a missing text and
 * as the number 0. The text lives as long as the table. */
const char *variant_text(const struct variant_build *build, const char *key, const char *fallback);
int variant_number(const struct variant_build *build, const char *key, int fallback);
bool variant_boolean(const struct variant_build *build, const char *key, bool fallback);

/* Formats a key. A key that is too long is cut: a fault is then placed less exactly. */
const char *variant_key(char out[VARIANT_KEY_MAX], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Refuses a name that is not in `pieces`; `key` is the place of the name. */
bool variant_piece_known(const struct variant_build *build, const char *key, const char *name);

/* Reads a list of pieces into `set`; the word "all" sets `all`. Skips pieces that are not in the
 * army and refuses names that are not in `pieces`. */
bool variant_kinds(const struct variant_build *build, const char *key, kindset *set, bool *all);

/* A word or a list of words as a set of bits: 1 << n for words[n]. */
unsigned variant_words(const struct variant_build *build, const char *key, const char *const *words,
                       unsigned fallback);

/* Calls the function at `key` with board, side and square and adds the squares it lists to `set`;
 * refuses lakes. */
bool variant_squares(const struct variant_build *build, const char *key, enum side side,
                     square from, squareset *set);

/* Calls the function below `arguments` values on the stack and leaves one result. Faults name
 * `key`.
 */
bool variant_call(const struct variant_build *build, const char *key, int arguments);

/* variant_call() of the function at `key` with board, side and square. */
bool variant_call_at(const struct variant_build *build, const char *key, enum side side,
                     square from);

/* Refuses a result of the function at `key`; the fault is placed at the function. */
bool variant_refuse_result(const struct variant_build *build, const char *key, const char *format,
                           ...) __attribute__((format(printf, 3, 4)));

#endif
