/* visitor.h - a client of `ensign serve` that says and hears messages.
 *
 * Those that it hears are held against the schema. What is said is written with ' for ". Every
 * function fails the running test when the server does not answer within half a minute. */
#ifndef ENSIGN_TESTS_SERVE_VISITOR_H
#define ENSIGN_TESTS_SERVE_VISITOR_H

#include "websocket.h"

#include <jansson.h>

struct visitor {
    struct web *web;  /* owned */
    const char *line; /* the last message; valid until any visitor hears another */
    json_t *message;  /* the same; owned */
};

void visitor_open(struct visitor *visitor, int port);
void visitor_close(struct visitor *visitor);

__attribute__((format(printf, 2, 3))) void visitor_say(struct visitor *visitor, const char *form,
                                                       ...);

/* The next message if it is there, or, with `wait`, comes. NULL: none is there, or the connection
 * has ended. */
const json_t *visitor_hear(struct visitor *visitor, bool wait);

/* A text of the last message; NULL if there is none. */
const char *visitor_text(const struct visitor *visitor, const char *key);

#endif
