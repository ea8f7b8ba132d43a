/* inspect.h - checks one file with the code that plays it: a variant, a bot, set-ups, a record; or
 * a program (compliance.h).
 *
 * Any thread may check files, while others play or check. */
#ifndef ENSIGN_HOST_CHECK_INSPECT_H
#define ENSIGN_HOST_CHECK_INSPECT_H

#include "balance.h"
#include "base/buffer.h"
#include "base/fault.h"
#include "host/records.h"
#include "jail/loader.h"
#include "trial.h"

#include <jansson.h>

struct inspect_terms {
    const char *variant; /* of set-ups and bots; NULL: one that they fit (fitting.h). Of records;
                            NULL: their own. Of programs; NULL: all */
    uint32_t games;      /* random games of a variant, fully checked; 0: none */
    uint32_t balance;    /* more random games, unchecked; 0: none */
    uint32_t positions;  /* of each variant in which a program is asked for a move, 1 to 100000 */
    int deadline;        /* ms for each answer of a program, from 1 */
    bool wall;           /* programs are locked up (program/external_wall.h) */
    uint64_t seed;
    int seconds; /* for all files, 1 to 86400; tests and games not begun by then are left out */
};

/* Initializer: the terms of `ensign check` without options. */
#define INSPECT_DEFAULTS                                                                           \
    {                                                                                              \
        .games = 200, .balance = 20000, .positions = 100, .deadline = PLAYER_DEADLINE, .seed = 1,  \
        .seconds = 60                                                                              \
    }

struct inspector {
    const struct folders *folders;
    struct inspect_terms terms;
    int64_t deadline;    /* end of the seconds by clock_ms(); set by the first file */
    struct rules *rules; /* of the terms' variant, loaded when first needed */
    struct records records;
};

struct inspection {
    const char *kind;        /* "variant", "bot", "setups", "record", "program"; "script" if it is
                                Lua that cannot be run, "file" if it is none of these */
    struct faults *faults;   /* by place */
    json_t *facts;           /* an object of facts about the file */
    struct profile *profile; /* set by the caller: gets the fuel of a variant's functions and calls;
                                NULL: it is not noted */
    struct buffer log; /* lines "WHEN: TEXT" of what the script printed; of a bot as red of the
                          first game, "PLY FUNCTION: TEXT" */
    bool whole;        /* of a bot, set-ups or a record: no errors, nothing left out */

    /* Of a variant that can be played, its figures beside the facts. */
    struct rules *rules; /* owned; NULL: it cannot */
    struct loader_trial trial;
    struct balance balance; /* no games: left out */
};

/* Checks the file, or the program of a text that player_is_program() takes; `inspection` is zeroed.
 * False only without memory. */
bool inspect_file(struct inspector *inspector, const char *path, struct inspection *inspection);

/* The same for a text that is not on the disk yet. `name` says by its ending what the text is, and
 * names it in faults. A script may extend the variants and require the modules of the search path;
 * it reads no other file, and names none by a path. */
bool inspect_text(struct inspector *inspector, const char *name, const char *text, size_t length,
                  struct inspection *inspection);

/* The exit code of the errors and, if `strict`, of the warnings: 0, 1, 2 or 3 (src/cli/README.md).
 */
int inspection_exit_code(const struct inspection *inspection, bool strict);

void inspection_clear(struct inspection *inspection);
void inspector_clear(struct inspector *inspector);

/* The intended kind of a Lua file, which may contain errors: decided by its folder, "bots" or
 * "variants", and elsewhere by the table it returns (script_kind.h). SCRIPT_BROKEN with a fault if
 * it cannot be run. */
enum script_kind inspect_script_kind(const struct folders *folders, const char *path,
                                     struct fault *fault);

#endif
