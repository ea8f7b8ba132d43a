/* aside.h - work in a process of its own, for what must not stay in this one's memory. */
#ifndef ENSIGN_BASE_ASIDE_H
#define ENSIGN_BASE_ASIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct aside {
    pid_t process;
    int from; /* reads what the work writes; its end once the work has returned */
};

/* Forks a process that calls `work` with a descriptor to write to, and exits. False, with errno, if
 * that is not possible. */
bool aside_begin(struct aside *aside, void (*work)(const void *context, int out),
                 const void *context);

/* Closes `from` and waits for the process. */
void aside_end(struct aside *aside);

/* All of it in one call: reads up to `size` bytes that the work writes and returns how many. */
size_t aside_read(void (*work)(const void *context, int out), const void *context, void *bytes,
                  size_t size);

#endif
