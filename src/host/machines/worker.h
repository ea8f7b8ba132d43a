/* worker.h - plays pairs for the matches of other machines.
 *
 * It listens for matches at a NATS server and plays for up to WORKER_MATCHES of them at once, each
 * on threads of its own. The scripts come from the match and run behind the wall. */
#ifndef ENSIGN_HOST_MACHINES_WORKER_H
#define ENSIGN_HOST_MACHINES_WORKER_H

#include "jetstream.h"
#include "messages.h"

enum { WORKER_MATCHES = 4 };

struct worker_options {
    struct jetstream_options server;
    struct seal_secret secret;         /* that matches must know, if it is given */
    struct messages_greeting greeting; /* who it is */
    struct permits permits;
    int threads; /* for each match */
    const atomic_bool *stop;
    void (*say)(void *context, const char *line); /* from any thread, one at a time */
    void *context;
};

/* Plays until `*stop`. False with a fault if the connection cannot be opened. */
bool worker_run(const struct worker_options *options, struct fault *fault);

/* A name for this process: the host's and the process's number. */
void worker_name(char name[MESSAGES_WORKER_MAX]);

#endif
