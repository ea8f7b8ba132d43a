/* process.h - a foreign program with a line protocol.
 *
 * The program runs in its own session as an external program (external.h), with pipes for standard
 * input, output and error. It cannot block the host or grow its memory: input waits in a bounded
 * queue, output is read in small pieces, only the end of standard error is kept, and every wait has
 * a limit. When it ends or is stopped, or the host dies, everything that it started is ended too
 * (supervisor.h). For one thread at a time, except process_kill(). */
#ifndef ENSIGN_HOST_PROGRAM_PROCESS_H
#define ENSIGN_HOST_PROGRAM_PROCESS_H

#include "base/fault.h"

struct process;

enum process_answer {
    PROCESS_LINE, /* a line was read */
    PROCESS_END,  /* the program ended or closed its standard output */
    PROCESS_LATE, /* the time has passed */
    PROCESS_LONG  /* a line that does not fit, or too many empty ones */
};

enum {
    PROCESS_STATUS_MAX = 64,
    PROCESS_QUEUE_MAX = 32 << 20, /* bytes of input that may wait */
    PROCESS_LINE_MAX = 1 << 16    /* bytes of a line, without its end */
};

struct external_wall;

/* Starts the program at `path` in `folder`, both relative to the current folder. `words` are its
 * name and arguments, ended by NULL. `wall` locks it up (external_wall.h); NULL: none. NULL with a
 * fault: STATUS_START if the program cannot be run, STATUS_SYSTEM or STATUS_NO_MEMORY if the host
 * fails. */
struct process *process_start(const char *path, const char *folder, char *const *words,
                              const struct external_wall *wall, struct fault *fault);

/* From now on `heard` is called with what the program writes on standard error, as it is read. */
void process_hear(struct process *process,
                  void (*heard)(void *context, const char *bytes, size_t length), void *context);

/* Queues bytes for the program's standard input. They are written by process_flush(), as far as the
 * program reads, and during every wait. After more than PROCESS_QUEUE_MAX bytes wait or the program
 * ends, these and all later ones are dropped. */
void process_send(struct process *process, const void *bytes, size_t length);
void process_flush(struct process *process);

/* Waits up to `milliseconds` for the next line that is not blank, and puts it into `line` without
 * its end; `size` is at most PROCESS_LINE_MAX + 1; 0 bytes become '?'. The n-th call gets the n-th
 * line, whenever the program wrote it. */
enum process_answer process_line(struct process *process, char *line, size_t size,
                                 int milliseconds);

/* Describes the end of a program after PROCESS_END: "exit code 3", "signal 11". */
void process_status(struct process *process, char out[PROCESS_STATUS_MAX]);

/* The end of the program's standard error so far, its lines joined with " | "; whole lines where
 * they fit. Bytes are left as they are. Returns the length. */
size_t process_errors(struct process *process, char *out, size_t size);

/* Kills the program with everything that it started, and waits for their end. Any thread may call
 * it; the process stays valid. */
void process_kill(const struct process *process);

/* Sends the queue and closes the program's standard input, gives it `milliseconds` in all to exit,
 * kills it with everything that it started, and frees. NULL is allowed. Writes how it exited, as
 * process_status(); "" if it had to be killed. */
void process_stop(struct process *process, int milliseconds, char out[PROCESS_STATUS_MAX]);

#endif
