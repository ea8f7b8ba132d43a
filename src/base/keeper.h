/* keeper.h - a reader that caches files, so that a script can be run again from exactly the same
 * texts, even in a process without file access. */
#ifndef ENSIGN_BASE_KEEPER_H
#define ENSIGN_BASE_KEEPER_H

#include "reader.h"

#include <stdbool.h>

struct keeper {
    struct reader reader; /* its context is the keeper, which must not be moved */
    const struct reader *from;
    bool closed;           /* read no new files: those not in the list do not exist */
    size_t count, missing; /* missing files asked for, kept or not */
    struct kept {
        char *path, *text;
        long size; /* -1: no such file */
    } * list;
};

/* Starts empty. `from`, through which it reads, must last until `closed` is set. */
void keeper_open(struct keeper *keeper, const struct reader *from);

/* The file at `path`, read if it is asked for the first time. NULL if it cannot be kept: without
 * memory, once the keeper is closed, or if too many others are missing. It may move when another is
 * read. */
const struct kept *keeper_get(struct keeper *keeper, const char *path);

/* Frees the texts. */
void keeper_clear(struct keeper *keeper);

#endif
