/* inspect.h - checks one file with the code that plays it: a variant, a bot, set-ups, a record. */
#ifndef ENSIGN_CLI_CHECK_INSPECT_H
#define ENSIGN_CLI_CHECK_INSPECT_H

#include "base/faults.h"
#include "cli/records.h"

#include <jansson.h>
#include <stdio.h>

struct inspector {
    const struct folders *folders;
    const char *variant; /* of set-ups and bots; NULL: original. Of records; NULL: their own */
    uint32_t games;      /* random games of a variant, fully checked; 0: none */
    uint32_t balance;    /* more random games, unchecked; 0: none */
    uint64_t seed;
    int seconds; /* for all files, 1 to 86400; tests and games not begun by then are left out */
    int64_t deadline;    /* end of `seconds` by clock_ms(); set by the first file */
    struct rules *rules; /* of `variant`, loaded when first needed */
    struct records records;
};

struct inspection {
    const char *kind;      /* "variant", "bot", "setups", "record"; "script" if it is Lua that
                              cannot be run, "file" if it is none of these */
    struct faults *faults; /* by place */
    json_t *facts;         /* an object of facts about the file */
};

/* Checks the file and writes lines of facts about it to `out`; `inspection` is zeroed. False only
 * without memory. */
bool inspect_file(struct inspector *inspector, const char *path, FILE *out,
                  struct inspection *inspection);
void inspection_clear(struct inspection *inspection);

void inspector_clear(struct inspector *inspector);

#endif
