/* external_wall.h - locks an external program up: --wall.
 *
 * The program can read files, compute and start threads. It has no network and no other sockets,
 * starts no processes, writes files in its own folder only, reaches no other process, and its
 * memory, descriptors and the size of its files have limits. */
#ifndef ENSIGN_HOST_PROGRAM_EXTERNAL_WALL_H
#define ENSIGN_HOST_PROGRAM_EXTERNAL_WALL_H

#include "base/fault.h"

struct external_wall {
    int ruleset;   /* Landlock's, closed on exec */
    size_t memory; /* bytes that the program may write to */
};

/* Whether the kernel has all that the wall needs. False with a STATUS_SYSTEM fault. Thread-safe. */
bool external_wall_check(struct fault *fault);

/* Prepares the wall for a program that may write to `folder`; external_wall_check() must have
 * succeeded. False with a STATUS_SYSTEM fault and nothing to close. */
bool external_wall_open(struct external_wall *wall, const char *folder, size_t memory,
                        struct fault *fault);
void external_wall_close(const struct external_wall *wall);

/* To be called between external_part() and exec, in the process that is to be locked up;
 * async-signal-safe. False with errno. */
bool external_wall_enter(const struct external_wall *wall);

#endif
