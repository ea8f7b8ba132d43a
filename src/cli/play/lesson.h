/* lesson.h - plays a lesson at the terminal, one step after another. */
#ifndef ENSIGN_CLI_PLAY_LESSON_H
#define ENSIGN_CLI_PLAY_LESSON_H

#include "cli/front.h"

/* Plays the lesson in the file at `path` (NULL: the stock one) from a step on; 0: from the first,
 * or from the one that the user chooses where questions are asked. Nothing is saved and no record
 * is kept. Returns the exit code. */
int lesson_run(struct front *front, const struct folders *folders, const struct language *language,
               const char *path, int step);

#endif
