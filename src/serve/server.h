/* server.h - games for browsers: net, lobby and pages together. */
#ifndef ENSIGN_SERVE_SERVER_H
#define ENSIGN_SERVE_SERVER_H

#include "lobby.h"
#include "pages.h"
#include "serve/net/net.h"

struct server_options {
    struct lobby_options lobby; /* `wake` and `context` are the server's */
    const char *address;        /* as net_options */
    int port;
    const char *const *origins; /* each as origin_check_is_origin() says */
    int origin_count;
    bool proxied;     /* as struct origin_check */
    const char *page; /* folder of other files for the page; NULL: the program's own */
    pages_sheet *sheet;
    const char *version; /* of the program, for `hello` */
    int sockets;
    struct visitor_terms visitors;
    int heartbeat; /* ms, for `hello`; 0: the usual */
};

struct server;

/* Listens and loads what pages_open() loads: before there are threads. NULL with
 * a fault. */
struct server *server_open(const struct server_options *options, struct fault *fault);

/* "http://127.0.0.1:8080/". */
const char *server_address(const struct server *server);

/* Serves until SIGINT or SIGTERM, whose handlers it sets and restores: a second signal kills. False
 * with a fault if the games cannot begin. `*tidy` as lobby_close() returns it; if false, the
 * process must exit without server_close(). */
bool server_run(struct server *server, bool *tidy, struct fault *fault);
void server_close(struct server *server); /* NULL is allowed */

#endif
