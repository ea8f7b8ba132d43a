/* talker.h - a client of `ensign serve` that says and hears messages.
 *
 * Those that it hears are held against the schema. What is said is written with ' for ". Every
 * function fails the running test when the server does not answer within half a minute. */
#ifndef ENSIGN_TESTS_SERVE_TALKER_H
#define ENSIGN_TESTS_SERVE_TALKER_H

#include "websocket.h"

#include <jansson.h>

struct talker {
    struct web *web;  /* owned */
    const char *line; /* the last message; valid until any talker hears another */
    json_t *message;  /* the same; owned */
};

void talker_open(struct talker *talker, int port);
void talker_close(struct talker *talker);

__attribute__((format(printf, 2, 3))) void talker_say(struct talker *talker, const char *form, ...);

/* The next message if it is there, or, with `wait`, comes. NULL: none is there, or the connection
 * has ended. */
const json_t *talker_hear(struct talker *talker, bool wait);

/* A text of the last message; NULL if there is none. */
const char *talker_text(const struct talker *talker, const char *key);

#endif
