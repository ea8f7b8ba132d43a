/* background.h - requests that concern no game and take time: `list` and `check`, most of which
 * take a process of their own, and those of the workshop. */
#ifndef ENSIGN_SERVE_BACKGROUND_H
#define ENSIGN_SERVE_BACKGROUND_H

#include "client.h"
#include "lists.h"
#include "workers.h"
#include "workspace.h"

struct background {
    struct workers *workers;
    const struct folders *folders; /* of what is checked */
    struct lists *lists;
    struct workspace *workspace; /* NULL: none */
    bool one_check;              /* of a client at a time, the newest next; else all */
    /* The reply to a request that background_lists_games() says yes to. NULL with a fault. */
    json_t *(*games)(void *context, const json_t *request, struct fault *fault);
    void (*done)(void *context); /* called once for each background_run() that did not fail */
    void *context;
};

/* Runs the request, which it takes over unless it fails, in a worker's thread; replies to the
 * client and calls `done`. `background` must live until then. False with a fault if the request is
 * wrong. */
bool background_run(const struct background *background, struct client *client, json_t *request,
                    struct fault *fault);

/* Is this "what" of a `list` a list of games? They are made in a moment. */
bool background_lists_games(const struct background *background, const char *what);

/* Is this "type" of request background work? */
bool background_is(const char *type);

#endif
