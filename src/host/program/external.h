/* external.h - the environment and privileges of an external program.
 *
 * An external program may do almost everything the user may, except look into the host. Processes
 * that hold a game are hidden (jail/jail.h), and the program loses the capabilities that would
 * bypass that, even as root. */
#ifndef ENSIGN_HOST_PROGRAM_EXTERNAL_H
#define ENSIGN_HOST_PROGRAM_EXTERNAL_H

#include <stdbool.h>

/* The part of this process's environment that an external program gets: PATH, home and temporary
 * folders, language, search paths of common interpreters. NULL without memory. The caller frees the
 * list with free(); its texts belong to the environment. */
char **external_environment(void);

/* To be called between fork and exec; async-signal-safe. Gives the process a session without a
 * terminal. Takes away new privileges, capabilities that read other processes, the kernel or the
 * machine, access to processes other than its own (by Landlock, where the kernel has it), and, at
 * exec, all descriptors above 2. False with errno. */
bool external_part(void);

#endif
