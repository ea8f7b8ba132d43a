/* inspect.h - one file looked at by the very code that plays it: a variant, a bot, set-ups, a
 * record. */
#ifndef ENSIGN_CLI_CHECK_INSPECT_H
#define ENSIGN_CLI_CHECK_INSPECT_H

#include "base/faults.h"
#include "cli/records.h"

#include <jansson.h>
#include <stdio.h>

struct inspector {
    const struct folders *folders;
    const char *variant; /* what set-ups and bots are looked at for; NULL: original */
    uint32_t games;      /* random games of a variant; 0: none */
    uint32_t balance;    /* and more of them, unchecked; 0: none */
    uint64_t seed;
    int seconds;      /* for all files together, 1 to 86400; what has not begun then is left out */
    int64_t deadline; /* the end of that, a time of clock_ms(); set by the first file */
    struct rules *rules; /* of that variant; loaded when first needed */
    struct records records;
};

struct inspection {
    const char *kind;      /* "variant", "bot", "setups", "record"; "script" if it is Lua that
                              cannot be run, "file" if it is none of these */
    struct faults *faults; /* by place */
    json_t *facts;         /* what was found, as an object */
};

/* Looks at the file and writes to `out` what it is, in lines; `inspection` is new. False only
 * without memory. */
bool inspect_file(struct inspector *inspector, const char *path, FILE *out,
                  struct inspection *inspection);
void inspection_clear(struct inspection *inspection);

void inspector_clear(struct inspector *inspector);

#endif
