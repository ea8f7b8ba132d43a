/* processors.h - which processors a thread may run on.
 *
 * A host's thread and the two bots of its game take turns: on one processor they wake each other in
 * a fraction of the time. Such threads claim a processor for themselves, so that those of several
 * matches on one machine do not meet on it. 600 games of duel between two rookies in their own
 * processes, on two processors that other work kept busy too (medians of six runs each, with and
 * without the claims in turn): 190 games a second and 61 at -j 2, 95 and 22 at -j 1.
 *
 * Nothing but speed depends on what is done here, so nothing here fails. */
#ifndef ENSIGN_HOST_PROCESSORS_H
#define ENSIGN_HOST_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct processors {
    uint64_t set[16]; /* a bit each */
};

/* Those of a thread, 0 being the calling one. */
void processors_get(pid_t thread, struct processors *processors);
void processors_set(pid_t thread, const struct processors *processors);

/* A thread's hold on a processor; begins as PROCESSOR_UNCLAIMED. */
struct processor_claim {
    int socket; /* -1: none */
    int processor;
    int others; /* how many claimed it before */
};

#define PROCESSOR_UNCLAIMED ((struct processor_claim){.socket = -1})

/* Claims that one of `allowed` which the fewest have claimed, and binds the calling thread to it.
 * One that holds a claim already changes it only for a better one. True if it changed. */
bool processors_claim(const struct processors *allowed, struct processor_claim *claim);

/* Gives the claim back; the thread may run on all of `allowed` again. */
void processors_release(const struct processors *allowed, struct processor_claim *claim);

#endif
