/* supervisor.h - the parent of an external program, which ends everything that the program started.
 *
 * A program can leave its process group and session, and children whose parents end. The supervisor
 * is the process to which the kernel hands all of these (PR_SET_CHILD_SUBREAPER). It runs no
 * foreign code, is hidden like the host (jail/jail.h), and outlives the host just long enough to
 * end its program. */
#ifndef ENSIGN_HOST_PROGRAM_SUPERVISOR_H
#define ENSIGN_HOST_PROGRAM_SUPERVISOR_H

#include <stdbool.h>
#include <sys/types.h>

/* What is to be started. */
struct supervisor_task {
    const char *path, *folder;
    char *const *words, *const *environment;
    const struct external_wall *wall; /* NULL: none */
    int ends[3]; /* that become standard input, output and error; all above 2 */
};

/* What the supervisor says through its socket, one message each: at first whether the program could
 * be started, and when the program has ended, with everything that it started, how. */
struct supervisor_message {
    int code;   /* 0: started; SUPERVISOR_FAILED; or as in siginfo_t: CLD_EXITED, … */
    int status; /* errno, the exit code or the signal */
};

enum { SUPERVISOR_FAILED = -1 };

/* Forks the supervisor, which starts the task. Returns its process id, -1 with errno; `*link` is
 * the host's end of the socket, closed on exec and above 2. When the other half of it is closed
 * (shutdown(), or the end of the host), the supervisor kills the program and exits. Nothing else
 * ends it but SIGKILL. */
pid_t supervisor_fork(const struct supervisor_task *task, int *link);

/* A pipe whose ends are closed on exec and above the standard descriptors, which a program's own
 * replace. False with errno and nothing open. */
bool supervisor_pipe(int ends[2]);

#endif
