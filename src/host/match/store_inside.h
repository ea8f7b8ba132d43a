/* store_inside.h - a store as store.c and store_rows.c see it. */
#ifndef ENSIGN_HOST_MATCH_STORE_INSIDE_H
#define ENSIGN_HOST_MATCH_STORE_INSIDE_H

#include <sys/types.h>

#include "host/database.h"
#include "store.h"

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
    struct database database;
    sqlite3_stmt *statement[STATEMENTS]; /* prepared when first needed */
    enum store_mode mode;
    bool in_memory; /* new, and not committed yet */
    int lock;       /* the folder, locked; -1 for readers */
    dev_t device;   /* with `inode`, the file that is written, in place or not */
    ino_t inode;
    char folder[STORE_PATH_MAX];
    char path[STORE_PATH_MAX]; /* of the file */
};

#endif
