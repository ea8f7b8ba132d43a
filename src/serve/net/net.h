/* net.h - HTTP and WebSocket: sockets in, lines and requests for pages out.
 *
 * The only place that knows libwebsockets and libuv. One thread calls net_run(), and there every
 * callback is called. A WebSocket on /ws is a client (client.h): each message is a line, in both
 * directions. Any other path is a page. Plain HTTP/1.1; TLS is for a proxy in front.
 *
 * Who wants too much is turned away without harm to others: sockets in all and of one visitor,
 * connections and requests a second, bytes of a message, bytes left unread and for how long,
 * seconds of silence. The closing frame of a client that leaves is its goodbye (client.h): without
 * it the connection was lost. */
#ifndef ENSIGN_SERVE_NET_H
#define ENSIGN_SERVE_NET_H

#include "serve/client.h"
#include "serve/origin_check.h"

#include "base/fault.h"

struct net;

enum {
    NET_PATH_MAX = 256, /* bytes of a page's path, with the final 0 */
    NET_ETAG_MAX = 24,
    NET_SOCKETS = 20000,
    NET_UNREAD = 4 << 20, /* bytes: all turns of the longest game fit */
    NET_UNREAD_SECONDS = 60,
    NET_HEARTBEAT = 1500, /* ms between two of a page that somebody looks at */
    NET_HEARTBEAT_LEAST = 500,
    NET_HEARTBEAT_MOST = 60000,
    NET_HEADER_SECONDS = 10 /* for a whole request, and for a page's reader to go on */
};

/* An answer to GET. */
struct net_page {
    const char *type; /* of its content */
    const void *bytes;
    size_t length;
    const void *gzip; /* the same, compressed, for who takes that; NULL: it is not; as long-lived */
    size_t gzip_length;
    void *owned;             /* freed once it is sent; NULL: `bytes` live as long as the net */
    char etag[NET_ETAG_MAX]; /* without quotes; "": the page must not be kept */
    unsigned status;         /* of HTTP; 0: 200 */
    bool later;              /* it is being made, and is asked for again in a moment */
};

struct net_options {
    const char *address;         /* numeric, IPv4 or IPv6, without brackets */
    int port;                    /* 0: any */
    struct origin_check origins; /* lives as long as the net */
    int sockets;
    struct visitors *visitors; /* outlive the net */
    size_t unread;
    int unread_seconds; /* in which a client takes some of what waits for it, or is cut off */
    int header_seconds;
    int ping_seconds; /* of silence before a client that says no heartbeats is asked whether it
                         lives; it has half as long to answer */

    /* The page of a path that starts with '/', decoded and without a query, for a visitor. False:
     * there is none. */
    bool (*page)(void *context, struct visitor *visitor, const char *path, struct net_page *page);
    void (*opened)(void *context, struct client *client);
    void (*closed)(void *context, struct client *client); /* must call client_hang_up() */
    /* Returns the seconds for which the client is not to be heard, mostly 0. */
    int (*said)(void *context, struct client *client, const char *text, size_t length);
    int (*due)(
        void *context); /* before each wait; ms until it wants to be called again, -1: none */
    void *context;
};

struct net_figures {
    uint64_t sockets, clients; /* now */
    uint64_t accepted,
        refused;          /* since the start; refused by a ceiling or by the check of origins */
    uint64_t heard, told; /* messages */
    uint64_t cut_off;     /* clients whose messages are too long, or that read too little */
};

/* Listens. NULL with a fault of one line: STATUS_USAGE for an address or port that is not ours to
 * have, else STATUS_SYSTEM. Raises the process's limit of file descriptors. */
struct net *net_open(const struct net_options *options, struct fault *fault);

/* The port. */
int net_port(const struct net *net);

/* Serves until net_stop(); then takes nothing more, sends what is queued, and says goodbye to all
 * clients, for two seconds at most. `closed` has then been called for each. */
void net_run(struct net *net);

/* Any thread, and a signal's handler, may call these. net_wake() has `due` called soon. */
void net_stop(struct net *net);
void net_wake(struct net *net);

/* For the thread of net_run(). */
struct net_figures net_figures(const struct net *net);

/* Closes descriptors, some of them twice (libwebsockets does): when no other thread opens any. NULL
 * is allowed. */
void net_close(struct net *net);

#endif
