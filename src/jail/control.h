/* control.h - a process behind a socket: one packet asks, one packet answers and may bring
 * descriptors.
 *
 * Both sides run the same program, so requests and answers are structs as they lie in memory. */
#ifndef ENSIGN_JAIL_CONTROL_H
#define ENSIGN_JAIL_CONTROL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CONTROL_DESCRIPTORS_MAX = 3 };

/* Sends a packet with up to CONTROL_DESCRIPTORS_MAX descriptors. Raises no signal. */
bool packet_send(int socket, const void *data, size_t size, const int *descriptors, size_t count);

/* Receives a packet of exactly this size, and `*carried` descriptors, closed on exec: fewer than
 * were sent if this process may not open so many. */
bool packet_receive(int socket, void *data, size_t size, int descriptors[CONTROL_DESCRIPTORS_MAX],
                    size_t *carried);
void packet_close(const int *descriptors, size_t count); /* those that are not -1 */

/* Time limit of sending and receiving a packet, in ms, at least 1; without it there is none. */
void packet_patience(int socket, int milliseconds);

/* Separates this process, a child of `parent`, by jail_part(), with the socket as descriptor 0,
 * calls `serve` and exits. It outlives its parent: the closed socket shows it that it is no longer
 * needed, so it has time to end and reap its children. */
_Noreturn void control_serve(pid_t parent, int socket,
                             void (*serve)(const void *context, int socket), const void *context);

/* Forks a process that does so. Returns an errno, or 0 and the other end of its socket, closed on
 * exec. */
int control_fork(void (*serve)(const void *context, int socket), const void *context, int *socket,
                 pid_t *pid);

/* Starts this program anew, under that name alone, without an environment, and with a socket as
 * descriptor 0. Returns the same. */
int control_start(const char *name, int *socket, pid_t *pid);

/* The asking side of such a process. Any thread may use it. */
struct control {
    pthread_mutex_t lock; /* guards socket and silent */
    int socket;
    bool silent; /* it missed an answer and is not asked again */
    pid_t pid;
    int handle; /* a pidfd: the process id may be reused before it is killed; -1: none */
};

/* Owns the socket from now on. */
void control_open(struct control *post, int socket, pid_t pid);

/* Ends the process by closing the socket, waits for its end, and reaps it if it is a child of this
 * process. One that takes longer than the patience is killed. */
void control_close(struct control *post);

/* Time limit of an answer in ms, at least 1; 10000 at first. */
void control_patience(struct control *post, int milliseconds);

/* Whether the process has ended, or did not answer. Does not wait for one that is being asked. */
bool control_is_gone(struct control *post);

/* False if the process is gone or does not answer; then it is not asked again. */
bool control_ask(struct control *post, const void *request, size_t request_size, void *answer,
                 size_t answer_size, int descriptors[CONTROL_DESCRIPTORS_MAX], size_t *carried);

#endif
