/* external_sight.h - which files a program behind the wall can read.
 *
 * Everything but devices and what is hidden: the folders in which this process keeps games and
 * results, and the user's folder of running and finished games. They hold the armies of other
 * games, secrets of seats, and databases that a reader could lock. */
#ifndef ENSIGN_HOST_PROGRAM_EXTERNAL_SIGHT_H
#define ENSIGN_HOST_PROGRAM_EXTERNAL_SIGHT_H

#include <stdbool.h>
#include <stdint.h>

enum { SIGHT_HIDDEN_MAX = 8 };

/* Hides a folder from every walled program that is started later. Not from several threads at a
 * time. False if there are too many or the path is too long. */
bool external_sight_hide(const char *folder);

/* Adds what may be read to a ruleset of Landlock. */
void external_sight_allow(int ruleset);

/* Adds these accesses (Landlock's) to what lies beneath a path of an open folder; links are not
 * followed. */
bool external_sight_add(int ruleset, int folder, const char *path, uint64_t accesses);

#endif
