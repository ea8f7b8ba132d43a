/* net_inside.h - the inside of the net, for net*.c alone. */
#ifndef ENSIGN_SERVE_NET_INSIDE_H
#define ENSIGN_SERVE_NET_INSIDE_H

#include "net.h"

#include <libwebsockets.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <uv.h>

enum { NET_HEADER_BYTES = 8192 /* of all headers of a request */ };

/* A connection, from accept() to its end; libwebsockets carries the pointer. */
struct socket {
    struct net *net;
    struct lws *wsi;
    struct socket *previous, *next; /* of all */
    struct socket *next_woken;      /* under the lock */
    bool woken;                     /* under the lock: waits in the list of those with news */
    struct visitor *visitor;        /* whose it is; held; NULL: not known yet, behind a proxy */
    char address[INET6_ADDRSTRLEN]; /* of the other end */

    char *awaited;        /* the path of a page that is being made; owned; NULL: none is */
    struct net_page page; /* being sent */
    size_t sent;
    bool sending;

    struct client *client; /* of a WebSocket */
    struct buffer heard;   /* an unfinished message */
    struct buffer telling; /* lines taken from the client's queue */
    size_t told;           /* bytes of them */
    int64_t paused_until;  /* clock_ms() before which it is not heard; 0: it is heard */
    int64_t alive_at;      /* clock_ms() of the last sign of life */
    bool pinging, pinged;  /* a ping is to be sent; it was sent since then */
    int heartbeat;         /* ms within which the client says again that it lives; 0: it does not */
    int64_t heartbeat_at;  /* clock_ms() of its last one */
    int64_t beat_at;       /* clock_ms() of the last one that it was told */
    bool beating;          /* one is to be told */
    bool blocked;          /* the system did not take all that was sent */
    int64_t weighed_at;    /* clock_ms() when it was last looked how much has come and gone */
    int64_t weighed;       /* bytes that came and are counted already */
    int64_t taken_at;      /* clock_ms() when the other end last had taken enough, or all */
    int64_t taken;         /* bytes that it had taken then */
};

struct net {
    struct net_options options;
    uv_loop_t loop;
    uv_poll_t door;      /* of the listening socket */
    uv_async_t news;     /* from other threads */
    uv_timer_t timer;    /* until `due` wants to be called */
    uv_timer_t patience; /* before accepting again, or before the end */
    uv_timer_t pulse;    /* looks for silent clients, and for those to be heard again */
    int64_t pulse_at;    /* clock_ms() when it did last */
    uv_prepare_t prepare;
    int listening, spare; /* descriptors; the spare one makes room to turn somebody away */
    int port;
    struct lws_context *context;
    struct lws_vhost *vhost;
    struct socket *sockets; /* all */
    struct net_figures figures;
    struct buffer frames; /* LWS_PRE bytes, and what is sent at once */
    bool leaving, left;
    atomic_bool stopped;
    pthread_mutex_t lock;
    struct socket *woken; /* under the lock */
};

/* net_web.c: the callback of libwebsockets' one protocol, for HTTP, and of WebSockets. */
int net_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                 size_t length);

/* net_socket.c: a WebSocket's messages. These return what the callback is to return. */
int socket_open_client(struct socket *socket);
int socket_hear(struct socket *socket, const char *bytes, size_t length);
int socket_tell(struct socket *socket);
void socket_pause(struct socket *socket, int seconds);      /* is not heard, nor while it is busy */
void socket_hear_again(struct socket *socket, int64_t now); /* that was paused; if it is time */
void socket_kill(struct socket *socket);        /* soon, whether or not it can be written */
void socket_drop_client(struct socket *socket); /* if it has one */
void socket_close(struct socket *socket);       /* frees it */

/* Counts the socket as one of the visitor at this address. False if that is no address, or the
 * visitor has too many already. */
bool socket_belongs(struct socket *socket, const char *address);
void socket_leaves(struct socket *socket); /* it is nobody's again */

/* net_pulse.c */
enum heartbeat {
    HEARTBEAT_NONE, /* another message */
    HEARTBEAT_IN_TIME,
    HEARTBEAT_TOO_SOON /* obeyed, but it counts as a message */
};
enum heartbeat socket_hear_heartbeat(struct socket *socket, const char *text, size_t length);
void socket_lives(struct socket *socket); /* gives a sign of life */
/* Has its visitor sent and got too much? Then it is paused. */
bool socket_owes(struct socket *socket);
void socket_feel_pulse(struct socket *socket, int64_t now); /* asks or closes one that is silent */

#endif
