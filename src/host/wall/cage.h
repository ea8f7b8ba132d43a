/* cage.h - what a process gives up before it runs a bot.
 *
 * Descriptors, new privileges, core dumps, files, processes, memory beyond a cap, and every system
 * call but the few that an interpreter needs: the filter kills the process at any other. What is
 * given up never comes back. */
#ifndef ENSIGN_HOST_WALL_CAGE_H
#define ENSIGN_HOST_WALL_CAGE_H

#include "base/fault.h"

#include <stddef.h>
#include <sys/types.h>

/* Does this system filter system calls? Where it does not (some containers) a cage consists of the
 * rest; whoever starts it should say so to people. */
bool cage_filters(void);

/* Closes the calling process, and what it forks from now on, to other processes of its user: its
 * memory, descriptors and environment cannot be read, it cannot be traced, and it leaves no core
 * dump. A process with CAP_SYS_PTRACE or CAP_PERFMON can read it all the same. */
void cage_hide(void);

/* For a process that was just forked by `parent`: hidden, an own process group, death with the
 * parent, no handler of a signal, and of all descriptors only `in` and `out`, which become 0 and 1.
 * Either may be -1. In builds with a sanitizer standard error stays too, for its reports. */
void cage_part(pid_t parent, int in, int out);

/* Forks a process that is parted so, behind two pipes: 0 in the child; in the parent its process
 * id, with the pipes' ends `to` and `from`, which do not block, and `held`, the child's own end of
 * the first. All are closed on exec and the caller's to close. -1 with errno and nothing open. */
pid_t cage_fork(int *to, int *from, int *held);

/* Compiles the list of allowed calls and takes the measure of the address space, so that children
 * which are forked soon afterwards need not; the calling process is not locked. For one thread.
 * False if it cannot be done. */
bool cage_prepare(void);

/* May processes have as much address space as cage_lock() is to leave them, beyond what this one
 * has? False with a STATUS_SYSTEM fault. */
bool cage_fits(size_t memory, struct fault *fault);

/* Locks: `memory` bytes of address space beyond what the process has now, no files, no privileges,
 * only reading and writing what is open. False if a part that the system offers could not be had;
 * then nothing may run here. */
bool cage_lock(size_t memory);

/* Was a locked process ended, or stopped, by somebody else? `status` is that of waitpid(). True for
 * every signal but those that a process which cannot send any brings upon itself. */
bool cage_ended_from_outside(int status);

/* How a process ended, from the status that waitpid() gave: "was killed by SIGSEGV". */
void cage_end_text(int status, char *out, size_t size);

#endif
