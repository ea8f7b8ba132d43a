/* guest.h - what is given to an external program, and what is taken from it before it runs.
 *
 * A guest is a program of the user's and may do almost all that the user may. What it must not is
 * look into the host: processes that hold a game are hidden (wall/cage.h), and a guest is without
 * the means to look all the same, also where it runs as root. */
#ifndef ENSIGN_HOST_PROGRAM_GUEST_H
#define ENSIGN_HOST_PROGRAM_GUEST_H

#include <stdbool.h>

/* The variables of this process's environment that a guest gets: where programs, homes and
 * temporary files are, the language, and where the usual interpreters look. NULL without memory; to
 * be freed with free(), what it points to is the environment's. */
char **guest_environment(void);

/* Between fork and exec, with nothing but what signal handlers may call: an own session without a
 * terminal, no new privileges, none of the capabilities that read other processes, the kernel or
 * the machine, no way to processes that are not its own where the kernel offers that, and no
 * descriptor above 2 over exec. False with errno. */
bool guest_part(void);

#endif
