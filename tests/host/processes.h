/* processes.h - lists processes, for tests that none stays behind. */
#ifndef ENSIGN_TESTS_HOST_PROCESSES_H
#define ENSIGN_TESTS_HOST_PROCESSES_H

#include <stdbool.h>
#include <sys/types.h>

/* The living children of a process; at most `room` ids are written. Returns how many there are. */
int processes_of(pid_t parent, pid_t *children, int room);

/* Waits up to ten seconds until the process is gone or only waits for its parent to take note. */
bool process_ends(pid_t pid);

/* The same for all children but the zygote, and for those that come to this process meanwhile. */
bool processes_end(void);

/* Waits up to ten seconds until a process that was sent SIGSTOP has stopped. */
bool process_stops(pid_t pid);

/* The number in the line of /proc/PID/status that begins with `name`, -1 if there is none. */
long process_status_line(pid_t pid, const char *name);

#endif
