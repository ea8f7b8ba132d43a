/* served.h - `ensign serve` as a process, on a free port of 127.0.0.1. */
#ifndef ENSIGN_TESTS_HOST_SERVED_H
#define ENSIGN_TESTS_HOST_SERVED_H

#include <stdio.h>
#include <sys/types.h>

struct served {
    pid_t process; /* 0: it does not run */
    int port;
    char url[64]; /* "http://127.0.0.1:PORT/" */
    FILE *lines;  /* what it goes on to say on standard error */
};

/* Starts it in `folder` (NULL: the current one), with its games in the folder `data`, a fixed seed
 * and these further options, up to a NULL. It does not outlive a test that fails. */
void served_open(struct served *served, const char *folder, const char *data,
                 const char *const *options);
#define SERVED_OPEN(served, folder, data, ...)                                                     \
    served_open(served, folder, data, (const char *const[]){__VA_ARGS__, NULL})

/* Ends it by a signal (0: it was sent one). Returns the status of waitpid(). */
int served_end(struct served *served, int number);

#endif
