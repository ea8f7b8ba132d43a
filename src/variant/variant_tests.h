/* variant_tests.h - what the `tests` of a variant's file claim about its games.
 *
 * A test stands in the variant's own file; those of the variants that it extends say nothing about
 * it. Here the texts are only collected, each with its place; whether a claim holds is found out by
 * playing it (host/check/claim.h). */
#ifndef ENSIGN_VARIANT_VARIANT_TESTS_H
#define ENSIGN_VARIANT_VARIANT_TESTS_H

#include "lua/folders.h"

struct variant_source;

/* The keys of a test; described in variants/README.md, "Tests". */
enum claim_key {
    CLAIM_TITLE,
    CLAIM_POSITION,
    CLAIM_RED,
    CLAIM_BLUE,
    CLAIM_FIRST,
    CLAIM_MOVES,
    CLAIM_MOVE,
    CLAIM_ILLEGAL,
    CLAIM_AFTER,
    CLAIM_FALLS,
    CLAIM_KNOWN,
    CLAIM_SEEN,
    CLAIM_RESULT,
    CLAIM_REASON,
    CLAIM_KEY_COUNT
};

struct claim_text {
    char *text;   /* owned; NULL where the test does not have the key */
    bool squares; /* it was a table: "a4=rM a5= ", a square and what stands there */
    int line, column;
};

struct claim {
    struct claim_text key[CLAIM_KEY_COUNT];
    int number;       /* in the list, from 1 */
    int line, column; /* of the whole test */
};

struct claims {
    char file[FOLDER_PATH_MAX];
    int count;
    struct claim *list; /* owned */
};

/* As in the files: "title", … */
const char *claim_key_name(enum claim_key key);

/* Reads the checked `tests` of the merged table. Raises Lua's errors only. */
void variant_tests_read(struct variant_source *source, struct claims *claims);

/* Frees what the list holds. */
void claims_clear(struct claims *claims);

#endif
