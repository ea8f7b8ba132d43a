/* processors.c - the scheduler's affinity masks. */
#define _GNU_SOURCE
#include "processors.h"

#include <sched.h>
#include <string.h>

_Static_assert(sizeof(cpu_set_t) == sizeof((struct processors){0}.set), "a set of processors");

void processors_get(pid_t thread, struct processors *processors) {
    memset(processors, 0, sizeof *processors);
    sched_getaffinity(thread, sizeof processors->set, (cpu_set_t *)processors->set);
    processors->here = sched_getcpu();
}

void processors_set(pid_t thread, const struct processors *processors) {
    sched_setaffinity(thread, sizeof processors->set, (const cpu_set_t *)processors->set);
}

void processors_bind(const struct processors *processors, int index, int count) {
    cpu_set_t allowed, one;
    memcpy(&allowed, processors->set, sizeof allowed);
    if (processors->here < 0 || CPU_COUNT(&allowed) < count) return;
    size_t chosen = (size_t)processors->here;
    for (int i = 0; i < index;) {
        chosen = (chosen + 1) % CPU_SETSIZE;
        if (CPU_ISSET(chosen, &allowed)) i++;
    }
    CPU_ZERO(&one);
    CPU_SET(chosen, &one);
    sched_setaffinity(0, sizeof one, &one);
}
