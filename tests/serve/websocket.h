/* websocket.h - a plain client of the server, which can also misbehave.
 *
 * Whatever is waited for fails the test after half a minute. */
#ifndef ENSIGN_TESTS_SERVE_WEBSOCKET_H
#define ENSIGN_TESTS_SERVE_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>

enum { WEB_INPUT_MAX = 1 << 20 };

struct web {
    int socket;
    size_t length; /* of the input */
    bool ended;    /* the server hung up */
    char input[WEB_INPUT_MAX + 1];
};

/* Connects to 127.0.0.1, or takes over a socket; free with web_close(). */
int web_connect(int port);
struct web *web_open(int port);
struct web *web_over(int socket);
void web_close(struct web *web);
void web_send(struct web *web, const void *bytes, size_t length);

/* Sends a request with these further headers ("Name: value\r\n"), and waits for all of the answer,
 * which ends with its body. Returns its status; 0 if the server hung up without an answer. */
int web_ask(struct web *web, const char *method, const char *path, const char *headers);

/* The same on a connection of its own, which it closes. */
int web_status(int port, const char *method, const char *path, const char *headers);

/* Opens a WebSocket at /ws. The answer's status; 101 if it is open. */
int web_upgrade(struct web *web, const char *path, const char *headers);
struct web *web_socket(int port);

enum web_opcode {
    WEB_CONTINUED = 0,
    WEB_TEXT = 1,
    WEB_BINARY = 2,
    WEB_CLOSE = 8,
    WEB_PING = 9,
    WEB_PONG = 10
};

void web_frame(struct web *web, enum web_opcode opcode, bool final, const void *bytes,
               size_t length);
void web_say(struct web *web, const char *text);

/* Waits for the next text, which is valid until the next call. NULL once the server has closed,
 * with `*why` its reason (0: none said). Pings are answered. */
const char *web_hear(struct web *web, int *why);

/* The same if it is there; NULL: it is not, or the server has closed. */
const char *web_overhear(struct web *web);

/* Waits until the server has closed, and returns its reason. */
int web_hear_end(struct web *web);

#endif
