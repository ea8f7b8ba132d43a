/* descriptors.h - whether there are enough of them, before anything depends on it.
 *
 * In the middle of a game a file that cannot be opened looks like one that is not there, and a
 * process without pipes like one that crashed; a bot would be blamed for it. */
#ifndef ENSIGN_HOST_DESCRIPTORS_H
#define ENSIGN_HOST_DESCRIPTORS_H

#include "core/fault.h"

enum {
    DESCRIPTORS_OF_PLAY = 24, /* for one game at a time, with all that it needs for a moment */
    DESCRIPTORS_OF_GAME = 12  /* for each further one */
};

/* Raises the limit as far as it goes and tries whether `count` more files can be open at once.
 * False with a STATUS_SYSTEM fault. */
bool descriptors_reserve(int count, struct fault *fault);

#endif
