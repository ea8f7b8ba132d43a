/* descriptors.h - checks before a game that there are enough file descriptors.
 *
 * During a game a file that cannot be opened looks missing and a process without pipes looks
 * crashed; the bot would be blamed. */
#ifndef ENSIGN_BASE_DESCRIPTORS_H
#define ENSIGN_BASE_DESCRIPTORS_H

#include "fault.h"

enum {
    DESCRIPTORS_OF_PLAY = 24, /* for one game, at its peak */
    DESCRIPTORS_OF_GAME = 14  /* for each further game at the same time */
};

/* Raises the limit as far as possible and checks that `count` more files can be opened. False with
 * a STATUS_SYSTEM fault. */
bool descriptors_reserve(int count, struct fault *fault);

#endif
