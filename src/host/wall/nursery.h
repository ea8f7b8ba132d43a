/* nursery.h - a small process whose children run the bots.
 *
 * It is forked once, by one thread, before there is a game, so that neither a hidden rank nor the
 * key of a match can lie in the memory of its children; a seed that was given (host/seed.h) is
 * wiped from its memory before it has any. From then on any thread may ask it for one. Those for
 * the next game are forked while this one is played. All die with the nursery, and it ends with the
 * host, however that ends. */
#ifndef ENSIGN_HOST_WALL_NURSERY_H
#define ENSIGN_HOST_WALL_NURSERY_H

#include "base/fault.h"

#include <sys/types.h>

struct nursery;

/* What a child does with the two ends of its pipes, as descriptors 0 and 1, and a copy of
 * `context`; when it returns the process exits with 0. It has an own process group and no other
 * descriptor; what more it gives up is its own business. */
struct nursery_work {
    void (*run)(const void *context, int in, int out);
    const void *context;
};

/* One child as the host sees it. All descriptors are non-blocking and closed on exec. */
struct nursery_child {
    pid_t pid;
    int to, from;
    int held; /* the child's end of `to`: while it is open, a dead child is no SIGPIPE */
};

/* NULL with a STATUS_SYSTEM fault. */
struct nursery *nursery_open(struct nursery_work work, struct fault *fault);

/* Another one like it, for a thread that does not want to wait for others; forked by the first one,
 * so that it has never seen a game either. To be closed before the first one. NULL with a
 * STATUS_SYSTEM fault. */
struct nursery *nursery_twin(struct nursery *nursery, struct fault *fault);

/* How long the nursery may take for an answer, in ms from 1 (10000 unless this is called); one that
 * takes longer, since somebody has stopped it, counts as gone and is killed when it is closed. */
void nursery_patience(struct nursery *nursery, int milliseconds);

/* Ends all children, those that were not given back too. */
void nursery_close(struct nursery *nursery);

/* A child that has not been used; it may run on the processors of the thread that takes it. False
 * with a STATUS_SYSTEM fault. */
bool nursery_take(struct nursery *nursery, struct nursery_child *child, struct fault *fault);

/* Kills the child's process group if it still lives, closes its descriptors and returns how it
 * ended, as waitpid() says; a child that ended by itself keeps its own end, and one that somebody
 * had stopped, even if it was continued since, is returned as stopped. -1 if the nursery is gone.
 */
int nursery_end(struct nursery *nursery, struct nursery_child *child);

/* The nursery's own process, for those who bind it to a processor or watch that it ends. */
pid_t nursery_process(const struct nursery *nursery);

#endif
