/* socket.h - a WebSocket client of `ensign serve`.
 *
 * What is said is written with ' for ". Every function fails the running test when the server does
 * not answer within a minute. */
#ifndef ENSIGN_TESTS_CLI_SOCKET_H
#define ENSIGN_TESTS_CLI_SOCKET_H

#include "host/served.h"

#include <jansson.h>
#include <stdbool.h>

struct socket {
    int fd;
    unsigned char *bytes; /* read and not looked at yet; owned */
    size_t length;
    json_t *message; /* the last one; owned */
};

void socket_open(struct socket *socket, const struct served *served);
void socket_close(struct socket *socket);

__attribute__((format(printf, 2, 3))) void socket_say(struct socket *socket, const char *form, ...);

/* The next message if it is there, or, with `wait`, comes. NULL: none is there, or the connection
 * has ended. */
const json_t *socket_hear(struct socket *socket, bool wait);

/* A text of the last message; NULL if there is none. */
const char *socket_text(const struct socket *socket, const char *key);

#endif
