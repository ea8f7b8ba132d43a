/* jail.h - locks a process up before it runs a script.
 *
 * The process gives up its descriptors, new privileges, core dumps, files, child processes, memory
 * beyond a cap, and every system call except the few that an interpreter needs: the filter kills
 * the process on any other. Nothing given up can be regained. */
#ifndef ENSIGN_JAIL_JAIL_H
#define ENSIGN_JAIL_JAIL_H

#include "base/fault.h"

#include <stddef.h>
#include <sys/types.h>

/* Whether the kernel filters system calls. Where it does not (some containers) only the other
 * limits hold, and the caller should warn the user. */
bool jail_filters(void);

/* Hides the calling process and its later children from other processes of the same user: they
 * cannot trace it or read its memory, descriptors and environment, and it leaves no core dump.
 * CAP_SYS_PTRACE and CAP_PERFMON override this. */
void jail_hide(void);

/* Closes all descriptors from `first` up. Async-signal-safe. */
void jail_close_from(unsigned first);

/* Separates a process just forked by `parent`: hidden, in its own process group, killed when the
 * parent dies, with default signal handlers and no descriptors but `in` and `out`, which become 0
 * and 1. Either may be -1. Sanitizer builds keep standard error for their reports. */
void jail_part(pid_t parent, int in, int out);

/* Forks a process, separated as by jail_part(), behind two pipes. Returns 0 in the child and its
 * process id in the parent, with the non-blocking pipe ends `to` and `from`, and `held`, the
 * child's own end of the first. All three are closed on exec and owned by the caller. Returns -1
 * with errno and nothing open if it fails. */
pid_t jail_fork(int *to, int *from, int *held);

struct sock_fprog;

/* Writes a filter of libseccomp (a scmp_filter_ctx) as code for the kernel, which stays for the
 * rest of the program. False if that fails. */
bool jail_export(void *filter, struct sock_fprog *out);

/* Compiles the system call filter and measures the address space on behalf of children forked soon
 * afterwards. Does not lock the calling process. Not thread-safe. False if it fails. */
bool jail_prepare(void);

/* Whether the system allows a process the `memory` bytes that jail_lock() would leave it beyond the
 * present address space. False with a STATUS_SYSTEM fault. */
bool jail_fits(size_t memory, struct fault *fault);

/* Gives up all capabilities, which root has. False if that fails. */
bool jail_drop_capabilities(void);

/* Locks the process: at most `memory` more bytes of address space, no files, no privileges, only
 * reading and writing open descriptors. False if a protection that the system supports could not be
 * set; then the process must not run any script. */
bool jail_lock(size_t memory);

/* Makes execve() fail in the calling process and its later children, whoever asks for it. False if
 * the system filters calls, but cannot do this. */
bool jail_refuse_programs(void);

/* Whether another process killed or stopped a locked process, by its status from waitpid(). A
 * locked process cannot send signals, not even to itself: abort() ends it by SIGSYS. So those that
 * it can cause otherwise, such as SIGSEGV, are left, and only if they come again each time are they
 * surely its own (jail_crashed()). */
bool jail_ended_from_outside(int status);

/* Whether a signal ended it that it can have caused. */
bool jail_crashed(int status);

/* Describes a status from waitpid(): "was killed by SIGSEGV". */
void jail_end_text(int status, char *out, size_t size);

#endif
