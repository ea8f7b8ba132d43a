/* store_inside.h - a store as store.c and store_rows.c see it. */
#ifndef ENSIGN_HOST_MATCH_STORE_INSIDE_H
#define ENSIGN_HOST_MATCH_STORE_INSIDE_H

#include "store.h"

#include <sqlite3.h>

/* Versions of the format. The former one has no table `usage`. */
enum { STORE_FORMAT = 2, STORE_FORMER = 1 };

enum statement {
    PUT_META,
    PUT_PLAYER,
    PUT_SOURCE,
    PUT_GAME,
    PUT_USAGE,
    DROP_GAMES,
    DROP_USAGE,
    GET_META,
    STATEMENTS
};

struct store {
    sqlite3 *database;
    sqlite3_stmt *statement[STATEMENTS]; /* prepared when first needed */
    enum store_mode mode;
    bool in_memory; /* new, and not committed yet */
    int format;     /* of the file */
    int lock;       /* the folder, locked; -1 for readers */
    char folder[STORE_PATH_MAX];
    char path[STORE_PATH_MAX + sizeof STORE_FILE];
};

/* Fills the fault with SQLite's error, or with what is wrong in the file. Both return false. */
bool store_fail(const struct store *store, struct fault *fault);
bool store_malformed(const struct store *store, struct fault *fault, const char *what);

#endif
