/* guest_wall.h - locks an external program up: --wall.
 *
 * The program can read files, compute and start threads. It has no network and no other sockets,
 * starts no processes, writes files in its own folder only, reaches no other process, and its
 * memory, descriptors and the size of its files have limits. */
#ifndef ENSIGN_HOST_PROGRAM_GUEST_WALL_H
#define ENSIGN_HOST_PROGRAM_GUEST_WALL_H

#include "base/fault.h"

struct guest_wall {
    int ruleset;   /* Landlock's, closed on exec */
    size_t memory; /* bytes that the program may write to */
};

/* Whether the kernel has all that the wall needs. False with a STATUS_SYSTEM fault. Thread-safe. */
bool guest_wall_check(struct fault *fault);

/* Prepares the wall for a program that may write to `folder`; guest_wall_check() must have
 * succeeded. False with a STATUS_SYSTEM fault and nothing to close. */
bool guest_wall_open(struct guest_wall *wall, const char *folder, size_t memory,
                     struct fault *fault);
void guest_wall_close(const struct guest_wall *wall);

/* To be called between guest_part() and exec, in the process that is to be locked up;
 * async-signal-safe. False with errno. */
bool guest_wall_enter(const struct guest_wall *wall);

#endif
