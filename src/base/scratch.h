/* scratch.h - an empty folder for temporary use by somebody who may leave anything in it. */
#ifndef ENSIGN_BASE_SCRATCH_H
#define ENSIGN_BASE_SCRATCH_H

#include "fault.h"

#include <sys/types.h>

enum { SCRATCH_PATH_MAX = 256 };

struct scratch {
    char path[SCRATCH_PATH_MAX]; /* absolute; empty: there is none */
    dev_t device;                /* with `file`, tells it from another folder of that path */
    ino_t file;
};

/* Makes a folder that only this user may enter, in $TMPDIR or /tmp. False with a STATUS_SYSTEM
 * fault. */
bool scratch_make(struct scratch *scratch, struct fault *fault);

/* Removes the folder and everything in it, at any depth; follows no links. What cannot be removed
 * stays. Does nothing if there is none, or if the path leads elsewhere now. */
void scratch_remove(struct scratch *scratch);

#endif
