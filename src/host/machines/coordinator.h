/* coordinator.h - the executor that has pairs played by other machines.
 *
 * It gives out jobs and takes games through a NATS server (jetstream.h), answers the workers'
 * questions for scripts, and is the only one to count and store. Whatever a worker sends is
 * checked: each must first show a pair that the coordinator has played itself, in some jobs a pair
 * is hidden that is known, some records are replayed (verify.h), and some pairs played again
 * (audit.h). Who is caught is not trusted any more, and its games are played again. The games are
 * those that threads of this process would have played. */
#ifndef ENSIGN_HOST_MACHINES_COORDINATOR_H
#define ENSIGN_HOST_MACHINES_COORDINATOR_H

#include "host/match/executor.h"
#include "jetstream.h"
#include "messages.h"

struct coordinator_options {
    struct jetstream_options server;
    struct seal_secret secret; /* that workers must know, if it is given */
    const char *variant;       /* as it was given */
    const char *version;       /* of this program */
    bool trust;                /* bots run in the workers' own process */
    /* Called about once a second with one line on who plays and how fast; may be NULL. */
    void (*report)(void *context, const struct tournament *match, const char *line);
    /* Called when a worker is found out, or the server fails, with one line; may be NULL. */
    void (*warn)(void *context, const char *line);
    void *context;
};

struct coordinator;

/* Connects. The options must last as long. NULL with a fault of jetstream_open(). */
struct coordinator *coordinator_open(const struct coordinator_options *options,
                                     struct fault *fault);
void coordinator_close(struct coordinator *coordinator); /* NULL is allowed */

/* The executor of a match, once for each coordinator. `former` is the id under which another
 * process has played a part of it before; NULL: none has. */
const struct executor *coordinator_carrier(struct coordinator *coordinator, const char *former);

/* The id of the match at the server. */
const char *coordinator_match(const struct coordinator *coordinator);

#endif
