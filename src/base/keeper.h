/* keeper.h - a reader that remembers what it has read, so that a script can be run again later from
 * the very same texts, in a process that may open no files too. */
#ifndef ENSIGN_BASE_KEEPER_H
#define ENSIGN_BASE_KEEPER_H

#include "reader.h"

#include <stdbool.h>

struct keeper {
    struct reader reader; /* its context is the keeper, which must not be moved */
    const struct reader *from;
    bool closed; /* nothing new is read any more: what was not read is not there */
    size_t count;
    struct kept {
        char *path, *text;
        long size; /* -1: nothing was there */
    } * list;
};

/* Begins with nothing, reading through `from`, which must last until the keeper is closed. */
void keeper_open(struct keeper *keeper, const struct reader *from);

/* Frees what was kept. */
void keeper_clear(struct keeper *keeper);

#endif
