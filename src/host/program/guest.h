/* guest.h - the environment and privileges of an external program.
 *
 * A guest may do almost everything the user may, except look into the host. Processes that hold a
 * game are hidden (jail/jail.h), and the guest loses the capabilities that would bypass that, even
 * as root. */
#ifndef ENSIGN_HOST_PROGRAM_GUEST_H
#define ENSIGN_HOST_PROGRAM_GUEST_H

#include <stdbool.h>

/* The part of this process's environment that a guest gets: PATH, home and temporary folders,
 * language, search paths of common interpreters. NULL without memory. The caller frees the list
 * with free(); its texts belong to the environment. */
char **guest_environment(void);

/* To be called between fork and exec; async-signal-safe. Gives the process a session without a
 * terminal. Takes away new privileges, capabilities that read other processes, the kernel or the
 * machine, access to processes other than its own (by Landlock, where the kernel has it), and, at
 * exec, all descriptors above 2. False with errno. */
bool guest_part(void);

#endif
