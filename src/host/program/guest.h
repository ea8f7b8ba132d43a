/* guest.h - what an external program is given, and what is taken from it before it runs.
 *
 * A guest may do almost all that the user may, but not look into the host. Processes that hold a
 * game are hidden (wall/cage.h), and the guest loses the capabilities that would get around that,
 * also as root. */
#ifndef ENSIGN_HOST_PROGRAM_GUEST_H
#define ENSIGN_HOST_PROGRAM_GUEST_H

#include <stdbool.h>

/* The variables of this process's environment that a guest gets: paths of programs, home and
 * temporary files, the language, search paths of the usual interpreters. NULL without memory. The
 * caller frees the list with free(); its texts belong to the environment. */
char **guest_environment(void);

/* To be called between fork and exec; calls only what a signal handler may. Gives the process a
 * session without a terminal and takes from it new privileges, the capabilities that read other
 * processes, the kernel or the machine, access to processes that are not its own (with Landlock,
 * where the kernel has it), and at exec all descriptors above 2. False with errno. */
bool guest_part(void);

#endif
