/* processors.c - affinity masks, and claims on processors.
 *
 * A claim is a socket bound to an abstract name, one for each processor and each place among those
 * that share it. All processes of the machine see it, and it ends with the process that holds it.
 * The scheduler moves unbound threads to other processors. */
#define _GNU_SOURCE
#include "processors.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { SHARERS_MAX = 8 };

_Static_assert(sizeof(cpu_set_t) == sizeof((struct processors){0}.set),
               "struct processors holds a cpu_set_t");

int processors_count(int most) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > most ? most : (int)count;
}

void processors_get(pid_t thread, struct processors *processors) {
    memset(processors, 0, sizeof *processors);
    sched_getaffinity(thread, sizeof processors->set, (cpu_set_t *)processors->set);
}

void processors_set(pid_t thread, const struct processors *processors) {
    sched_setaffinity(thread, sizeof processors->set, (const cpu_set_t *)processors->set);
}

/* The socket of the claim, -1 if it is taken. */
static int claim_socket(int processor, int others) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int socket_of_claim = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_of_claim < 0) return -1;
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "ensign/processor/%d/%d",
                          processor, others);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    if (bind(socket_of_claim, (const struct sockaddr *)&name, size) == 0) return socket_of_claim;
    close(socket_of_claim);
    return -1;
}

static void bind_thread(int processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)processor, &one);
    sched_setaffinity(0, sizeof one, &one);
}

bool processors_claim(const struct processors *allowed, struct processor_claim *claim) {
    const cpu_set_t *set = (const cpu_set_t *)allowed->set;
    int start = sched_getcpu(), most = claim->socket >= 0 ? claim->others : SHARERS_MAX;
    if (start < 0) return false;
    for (int others = 0; others < most; others++) {
        for (int i = 0; i < CPU_SETSIZE; i++) {
            int processor = (start + i) % CPU_SETSIZE;
            if (!CPU_ISSET((size_t)processor, set)) continue;
            int held = claim_socket(processor, others);
            if (held < 0) continue;
            if (claim->socket >= 0) close(claim->socket);
            *claim = (struct processor_claim){held, processor, others};
            bind_thread(processor);
            return true;
        }
    }
    return false;
}

void processors_release(const struct processors *allowed, struct processor_claim *claim) {
    if (claim->socket < 0) return;
    close(claim->socket);
    *claim = PROCESSOR_UNCLAIMED;
    processors_set(0, allowed);
}
