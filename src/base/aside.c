/* aside.c - one pipe and one fork. */
#include "aside.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

bool aside_begin(struct aside *aside, void (*work)(const void *context, int out),
                 const void *context) {
    int ends[2];
    if (pipe(ends)) return false;
    fflush(stdout); /* or the child would hold a second copy of what is not written yet */
    aside->process = fork();
    aside->from = ends[0];
    if (aside->process == 0) {
        close(ends[0]);
        work(context, ends[1]);
        _exit(0);
    }
    int error = errno;
    close(ends[1]);
    if (aside->process < 0) close(ends[0]);
    errno = error;
    return aside->process > 0;
}

void aside_end(struct aside *aside) {
    close(aside->from);
    while (waitpid(aside->process, NULL, 0) < 0 && errno == EINTR) {}
}

size_t aside_read(void (*work)(const void *context, int out), const void *context, void *bytes,
                  size_t size) {
    struct aside aside;
    size_t used = 0;
    if (!aside_begin(&aside, work, context)) return 0;
    while (used < size) {
        ssize_t got = read(aside.from, (char *)bytes + used, size - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += (size_t)got;
    }
    aside_end(&aside);
    return used;
}
