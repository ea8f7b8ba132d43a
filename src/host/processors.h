/* processors.h - which processors a thread may run on.
 *
 * A host's thread and the two bots of its game take turns: on one processor they wake each other in
 * a fraction of the time. Nothing but speed depends on what is done here, so nothing here fails. */
#ifndef ENSIGN_HOST_PROCESSORS_H
#define ENSIGN_HOST_PROCESSORS_H

#include <stdint.h>
#include <sys/types.h>

struct processors {
    uint64_t set[16]; /* a bit each */
    int here;         /* where the calling thread ran when it asked */
};

/* Those of a thread, 0 being the calling one. */
void processors_get(pid_t thread, struct processors *processors);
void processors_set(pid_t thread, const struct processors *processors);

/* Binds the calling thread, number `index` of `count`, to one of them, unless there are fewer than
 * `count`. The first thread stays `here`, the others get the next ones. */
void processors_bind(const struct processors *processors, int index, int count);

#endif
