/* variant_tests.h - the texts and places of the `tests` in a variant's file.
 *
 * Tests are not inherited. host/check/claim.h plays them. */
#ifndef ENSIGN_VARIANT_VARIANT_TESTS_H
#define ENSIGN_VARIANT_VARIANT_TESTS_H

#include "lua/folders.h"
#include "lua/source_map.h"

struct variant_source;

/* The keys of a test; described in variants/REFERENCE.md, "Tests". */
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
    CLAIM_COUNTERS,
    CLAIM_RESULT,
    CLAIM_REASON,
    CLAIM_ENDING,
    CLAIM_KEY_COUNT
};

struct claim_text {
    char *text;   /* owned; NULL if the test does not have the key */
    bool squares; /* from a table: "a4=rM a5= ", squares and their pieces; for counters
                     "points.red=2 round=3 " */
};

struct claim {
    struct claim_text key[CLAIM_KEY_COUNT];
    int number; /* in the list, from 1 */
};

struct claims {
    char file[FOLDER_PATH_MAX];
    char *text; /* of the file; owned */
    size_t length;
    int count;
    struct claim *list; /* owned */
};

/* The key in the file: "title", … */
const char *claim_key_name(enum claim_key key);

/* Writes "tests[3].move" into `path`, which has `room` bytes. */
void claim_path(const struct claim *claim, enum claim_key key, char *path, size_t room);

/* Reads the checked `tests` of the merged table. May raise. */
void variant_tests_read(struct variant_source *source, struct claims *claims);

/* Where the file has `key` of a test; that of the test if it does not have it. Searches the file,
 * since few tests fail. */
struct source_place claims_place(const struct claims *claims, const struct claim *claim,
                                 enum claim_key key);

void claims_clear(struct claims *claims);

#endif
