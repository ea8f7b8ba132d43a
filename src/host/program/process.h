/* process.h - a foreign program that is spoken to in lines.
 *
 * The program runs in a session of its own, as a guest (guest.h) of a host that it cannot look
 * into, with pipes as standard input, output and error. Nothing that it does can stop or swell the
 * host: what it is told waits in a queue with a ceiling, what it says is read in small pieces, the
 * end of what it says on standard error is kept, and every wait has an end. It dies with the thread
 * that started it, which is the one that must stop it. */
#ifndef ENSIGN_HOST_PROGRAM_PROCESS_H
#define ENSIGN_HOST_PROGRAM_PROCESS_H

#include "base/fault.h"

struct process;

enum process_answer {
    PROCESS_LINE, /* a line is there */
    PROCESS_END,  /* the program is gone, or has closed its standard output */
    PROCESS_LATE, /* the time has passed */
    PROCESS_LONG  /* a line that does not fit, or too many empty ones */
};

enum { PROCESS_STATUS_MAX = 64 };

/* Starts the program at `path` in `folder`; both are read from the current folder. `words` are its
 * name and its arguments, ended by NULL. NULL with a fault: STATUS_CRASH if the program cannot be
 * run, STATUS_SYSTEM or STATUS_NO_MEMORY if the host fails. */
struct process *process_start(const char *path, const char *folder, char *const *words,
                              struct fault *fault);

/* Tells the program something, now or, if it does not read, during the next wait. When the queue
 * overflows, or the program is gone, this and all that follows is dropped. */
void process_send(struct process *process, const char *text, size_t length);

/* Waits up to so many milliseconds for the next line that is not blank, and puts it into `line`
 * without its end; bytes of value 0 become '?'. The n-th call gets the n-th line, no matter when
 * the program wrote it. */
enum process_answer process_line(struct process *process, char *line, size_t size,
                                 int milliseconds);

/* How a program ended that has given PROCESS_END: "exit code 3", "signal 11". */
void process_status(struct process *process, char out[PROCESS_STATUS_MAX]);

/* The end of what the program wrote on standard error so far, lines joined with " | "; whole lines
 * where they fit. Bytes are left as they are. Returns the length. */
size_t process_errors(struct process *process, char *out, size_t size);

/* Kills the program's process group and waits until the program is gone; nothing else changes. Also
 * for another thread than that which uses the process. */
void process_kill(const struct process *process);

/* Sends what is still queued, closes the program's standard input, gives it so many milliseconds
 * to leave, kills its process group, and frees. NULL is allowed. */
void process_stop(struct process *process, int milliseconds);

#endif
