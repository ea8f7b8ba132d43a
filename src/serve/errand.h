/* errand.h - requests that take a process of their own and concern no game: `list` and `check`. */
#ifndef ENSIGN_SERVE_ERRAND_H
#define ENSIGN_SERVE_ERRAND_H

#include "client.h"
#include "workers.h"

#include "host/wall/stem.h"

/* Runs the request, which it takes over unless it fails, in a worker's thread; replies to the
 * client and calls `done`. False with a fault if the request is wrong. */
bool errand_run(struct workers *workers, struct stem *stem, struct client *client, json_t *request,
                void (*done)(void *context), void *context, struct fault *fault);

/* Is this "type" of request an errand? */
bool errand_is(const char *type);

#endif
