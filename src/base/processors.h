/* processors.h - how many processors there are, and binding the threads of a game to one.
 *
 * A host thread and the two bots of its game take turns: on one processor they wake each other in a
 * fraction of the time. Each such group claims a processor, so that the matches on a machine spread
 * out. Measured: 600 games of duel between two rookies in their own processes, on two processors
 * with other load (medians of six runs, with and without claims): 190 games a second and 61 at -j
 * 2, 95 and 22 at -j 1.
 *
 * Only speed depends on this module, so nothing here reports an error. */
#ifndef ENSIGN_BASE_PROCESSORS_H
#define ENSIGN_BASE_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The number of processors, 1 to `most`. */
int processors_count(int most);

struct processors {
    uint64_t set[16]; /* a bit each */
};

/* The affinity mask of a thread; 0 is the calling one. */
void processors_get(pid_t thread, struct processors *processors);
void processors_set(pid_t thread, const struct processors *processors);

/* A thread's hold on a processor; begins as PROCESSOR_UNCLAIMED. */
struct processor_claim {
    int socket; /* -1: none */
    int processor;
    int others; /* how many claimed it before */
};

#define PROCESSOR_UNCLAIMED ((struct processor_claim){.socket = -1})

/* Claims the processor of `allowed` with the fewest claims and binds the calling thread to it. A
 * claim already held is exchanged only for a better one. True if the claim changed. */
bool processors_claim(const struct processors *allowed, struct processor_claim *claim);

/* Drops the claim; the thread may run on all of `allowed` again. */
void processors_release(const struct processors *allowed, struct processor_claim *claim);

#endif
