/* nursery.h - a small process whose children run the bots.
 *
 * It is forked once, by one thread, before there is a game (or by a stem, stem.h), so that its
 * children's memory cannot contain a hidden rank or the key of a match; it wipes a given seed
 * (host/seed.h) before it forks any. From then on any thread may ask it for a child. Children for
 * the next game are forked during the current one. They die with the nursery, and it dies with the
 * host. A thread that asks a nursery stands by (base/standby.h). */
#ifndef ENSIGN_HOST_WALL_NURSERY_H
#define ENSIGN_HOST_WALL_NURSERY_H

#include "base/fault.h"

#include <sys/types.h>

struct nursery;

/* How often work that depends on a process is tried while others keep killing that process. */
enum { NURSERY_TRIES = 3 };

/* The work of a child: `run` gets a copy of `context` and the child's pipe ends, descriptors 0 and
 * 1; when it returns, the process exits with 0. The child has its own process group and no other
 * descriptors; further limits are up to `run`. */
struct nursery_work {
    void (*run)(const void *context, int in, int out);
    const void *context;
};

/* One child as the host sees it. All descriptors are non-blocking and closed on exec. */
struct nursery_child {
    pid_t pid;
    int to, from;
    int held; /* the child's end of `to`: while it is open, writing raises no SIGPIPE */
};

/* NULL with a STATUS_SYSTEM fault. */
struct nursery *nursery_open(struct nursery_work work, struct fault *fault);

/* Another nursery for the same work, so that threads need not wait for each other. The first one
 * forks it, so it has never held a game either. To be closed before the first one. NULL with a
 * STATUS_SYSTEM fault. */
struct nursery *nursery_twin(struct nursery *nursery, struct fault *fault);

/* Sets the time limit for the nursery's answers, in ms, at least 1; the default is 10000. A nursery
 * that takes longer (another process has stopped it) counts as gone and is killed when closed. */
void nursery_patience(struct nursery *nursery, int milliseconds);

/* Ends all children, including those not given back. NULL is allowed. */
void nursery_close(struct nursery *nursery);

/* Takes a fresh child, allowed to run on the processors of the calling thread. False with a
 * STATUS_SYSTEM fault. */
bool nursery_take(struct nursery *nursery, struct nursery_child *child, struct fault *fault);

/* Gives a child back: kills its process group, closes its descriptors and returns its status from
 * waitpid(), which is its own if it had already ended, and "stopped" if another process had stopped
 * it, even if continued since. -1 if the nursery is gone. */
int nursery_end(struct nursery *nursery, struct nursery_child *child);

/* Parts of the above, where the host's end is not in the process that forks the nursery (stem.h).
 * nursery_fork() returns an errno, or 0, the host's end of the socket and the process.
 * nursery_serve() makes a nursery of the calling process, after post_settle(). nursery_join() makes
 * the host's end from the socket, the process and a pidfd of it (-1: it opens one), which it owns;
 * NULL without memory. */
int nursery_fork(struct nursery_work work, int *socket, pid_t *pid);
_Noreturn void nursery_serve(struct nursery_work work, int socket);
struct nursery *nursery_join(int socket, pid_t pid, int handle);

/* Whether it has ended, or did not answer in time: it gives no more children. */
bool nursery_is_gone(struct nursery *nursery);

/* The nursery's own process, to bind it to a processor or to watch for its end. */
pid_t nursery_process(const struct nursery *nursery);

#endif
