/* socket.h - a client of `ensign serve` that says and hears messages.
 *
 * Those that it hears are held against the schema. What is said is written with ' for ". Every
 * function fails the running test when the server does not answer within half a minute. */
#ifndef ENSIGN_TESTS_SERVE_SOCKET_H
#define ENSIGN_TESTS_SERVE_SOCKET_H

#include "websocket.h"

#include <jansson.h>

struct socket {
    struct web *web;  /* owned */
    const char *line; /* the last message; valid until any socket hears another */
    json_t *message;  /* the same; owned */
};

void socket_open(struct socket *socket, int port);
void socket_close(struct socket *socket);

__attribute__((format(printf, 2, 3))) void socket_say(struct socket *socket, const char *form, ...);

/* The next message if it is there, or, with `wait`, comes. NULL: none is there, or the connection
 * has ended. */
const json_t *socket_hear(struct socket *socket, bool wait);

/* A text of the last message; NULL if there is none. */
const char *socket_text(const struct socket *socket, const char *key);

#endif
