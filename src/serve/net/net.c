/* net.c - the loop: accepts sockets, hands them to libwebsockets, and ends.
 *
 * The loop and the listening socket are our own, so that ceilings hold before anything is read and
 * a shortage of descriptors is answered; libwebsockets works on the loop as a guest. What other
 * threads have to say comes through one uv_async: sockets with news stand in a list. */
#define _GNU_SOURCE
#include "net_inside.h"

#include "base/clock.h"
#include "base/descriptors.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    BACKLOG = 4096,
    ACCEPTED_AT_ONCE = 64,
    RECEIVED_AT_ONCE = 512, /* bytes that each WebSocket has a buffer for */
    READ_AT_ONCE = 1 << 12, /* of one connection, before others have their turn */
    UNREAD_BYTES = 1 << 16, /* that the system keeps of one */
    UNSENT_BYTES = 1 << 17, /* that it keeps for one; it doubles the number */
    SENT_AT_ONCE = 1 << 18,
    GOODBYE_MS = 2000,
    PULSE_MS = 100,          /* few heartbeats at a time: others wait for them */
    STALL_MS = 1000,         /* between two looks: this process stood still */
    BREATH_MS = 200,         /* before accepting again, where the system is short of something */
    OTHER_DESCRIPTORS = 512, /* of the limit, for bots and files */
};

static void refuse_socket(struct net *net, int descriptor) {
    static const char busy[] = "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n"
                               "Retry-After: 10\r\nContent-Length: 0\r\n\r\n";
    ssize_t sent = send(descriptor, busy, sizeof busy - 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)sent; /* it is closed anyway */
    close(descriptor);
    net->figures.refused++;
}

static void adopt(struct net *net, int descriptor, const char *address) {
    struct socket *socket = calloc(1, sizeof *socket);
    if (!socket) {
        refuse_socket(net, descriptor);
        return;
    }
    socket->net = net;
    const bool kept = descriptor_is_kept(descriptor, DESCRIPTORS_NOT_FOR_SOCKETS);
    const bool proxied = net->options.origins.proxied && origin_check_is_loopback(address);
    snprintf(socket->address, sizeof socket->address, "%s", address);
    if (kept || net->figures.sockets >= (uint64_t)net->options.sockets ||
        (!proxied && !(socket_belongs(socket, address) &&
                       visitor_spend(socket->visitor, RATE_PAGES, 1, NULL)))) {
        refuse_socket(net, descriptor);
        socket_leaves(socket);
        free(socket);
        return;
    }
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    socket->next = net->sockets;
    if (socket->next) socket->next->previous = socket;
    net->sockets = socket;
    net->figures.sockets++;
    net->figures.accepted++;
    const lws_adopt_desc_t adopted = {.vh = net->vhost,
                                      .type = LWS_ADOPT_HTTP | LWS_ADOPT_SOCKET,
                                      .fd.sockfd = descriptor,
                                      .opaque = socket};
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&adopted);
    if (!wsi && net->sockets == socket && !socket->wsi) socket_close(socket); /* never bound */
    lws_cancel_service(net->context); /* looks at the new socket's timeout */
}

static void take_breath(uv_timer_t *timer);

/* Makes room with the spare descriptor to turn away who waits; those who come then wait a while. */
static void accept_without_descriptors(struct net *net) {
    int descriptor = 0;
    close(net->spare);
    for (int i = 0; i < ACCEPTED_AT_ONCE && descriptor >= 0; i++) {
        descriptor = accept4(net->listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor >= 0) refuse_socket(net, descriptor);
    }
    net->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    uv_poll_stop(&net->door);
    uv_timer_start(&net->patience, take_breath, BREATH_MS, 0);
}

static void accept_some(uv_poll_t *door, int status, int events) {
    struct net *net = door->data;
    (void)events;
    if (status < 0) return;
    for (int i = 0; i < ACCEPTED_AT_ONCE; i++) {
        union {
            struct sockaddr any;
            struct sockaddr_in four;
            struct sockaddr_in6 six;
        } from = {0};
        socklen_t size = sizeof from;
        char address[INET6_ADDRSTRLEN];
        int descriptor = accept4(net->listening, &from.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                accept_without_descriptors(net);
            return;
        }
        const void *bytes = from.any.sa_family == AF_INET6 ? (const void *)&from.six.sin6_addr
                                                           : &from.four.sin_addr;
        inet_ntop(from.any.sa_family, bytes, address, sizeof address);
        adopt(net, descriptor, address);
    }
}

static void take_breath(uv_timer_t *timer) {
    struct net *net = timer->data;
    uv_poll_start(&net->door, UV_READABLE, accept_some);
}

static void end_patience(uv_timer_t *timer) {
    struct net *net = timer->data;
    net->left = true;
    uv_stop(&net->loop);
}

static void leave(struct net *net) {
    net->leaving = true;
    uv_poll_stop(&net->door);
    uv_timer_start(&net->patience, end_patience, GOODBYE_MS, 0);
    for (struct socket *socket = net->sockets; socket; socket = socket->next)
        if (socket->client) lws_callback_on_writable(socket->wsi);
}

/* Takes a socket with news out of the list; NULL if there is none. One at a time: as soon as it is
 * out, another thread may put it in again, so no list can be walked outside the lock. */
static struct socket *next_woken(struct net *net) {
    pthread_mutex_lock(&net->lock);
    struct socket *socket = net->woken;
    if (socket) {
        net->woken = socket->next_woken;
        socket->woken = false;
    }
    pthread_mutex_unlock(&net->lock);
    return socket;
}

/* Sockets whose clients have lines to be sent, or are cut off: those are closed at once, since they
 * may never be writable again. */
static void hear_news(uv_async_t *news) {
    struct net *net = news->data;
    for (struct socket *socket; (socket = next_woken(net));)
        if (client_is_gone(socket->client))
            socket_kill(socket);
        else
            lws_callback_on_writable(socket->wsi);
    if (atomic_load(&net->stopped) && !net->leaving) leave(net);
}

static void wake_up(uv_timer_t *timer) {
    (void)timer; /* the loop then asks `due` again */
}

static void ask_due(uv_prepare_t *prepare) {
    struct net *net = prepare->data;
    int ms = net->options.due ? net->options.due(net->options.context) : -1;
    if (ms < 0)
        uv_timer_stop(&net->timer);
    else
        uv_timer_start(&net->timer, wake_up, (uint64_t)ms, 0);
    if (!net->leaving) return;
    for (const struct socket *socket = net->sockets; socket; socket = socket->next)
        if (socket->client) return;
    end_patience(&net->patience);
}

static bool listen_at(struct net *net, struct fault *fault) {
    const struct net_options *options = &net->options;
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } at = {0};
    socklen_t size;
    const int on = 1, unread = UNREAD_BYTES, unsent = UNSENT_BYTES;
    if (inet_pton(AF_INET, options->address, &at.four.sin_addr) == 1) {
        at.four.sin_family = AF_INET;
        at.four.sin_port = htons((uint16_t)options->port);
        size = sizeof at.four;
    } else if (inet_pton(AF_INET6, options->address, &at.six.sin6_addr) == 1) {
        at.six.sin6_family = AF_INET6;
        at.six.sin6_port = htons((uint16_t)options->port);
        size = sizeof at.six;
    } else {
        return fault_set(fault, STATUS_USAGE, "\"%s\" is not an IPv4 or IPv6 address",
                         options->address);
    }
    net->listening = socket(at.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (net->listening < 0)
        return fault_set(fault, STATUS_SYSTEM, "no socket to listen with: %s", strerror(errno));
    setsockopt(net->listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(net->listening, SOL_SOCKET, SO_RCVBUF, &unread, sizeof unread); /* of all accepted */
    setsockopt(net->listening, SOL_SOCKET, SO_SNDBUF, &unsent, sizeof unsent);
    if (bind(net->listening, &at.any, size) || listen(net->listening, BACKLOG) ||
        getsockname(net->listening, &at.any, &size)) {
        const int error = errno;
        const bool ours = error == EADDRINUSE || error == EACCES || error == EADDRNOTAVAIL;
        return fault_set(fault, ours ? STATUS_USAGE : STATUS_SYSTEM,
                         "cannot listen on %s port %d: %s", options->address, options->port,
                         strerror(error));
    }
    net->port = ntohs(at.any.sa_family == AF_INET ? at.four.sin_port : at.six.sin6_port);
    return true;
}

/* libwebsockets sizes its tables by the limit of descriptors. */
static bool raise_limit(struct net *net, struct fault *fault) {
    struct rlimit limit;
    if (!descriptors_reserve(OTHER_DESCRIPTORS + 16, fault)) return false;
    if (getrlimit(RLIMIT_NOFILE, &limit))
        return fault_set(fault, STATUS_SYSTEM, "no limit of descriptors: %s", strerror(errno));
    if (limit.rlim_cur < (rlim_t)net->options.sockets + OTHER_DESCRIPTORS)
        net->options.sockets = (int)limit.rlim_cur - OTHER_DESCRIPTORS;
    return true;
}

static bool open_context(struct net *net, struct fault *fault) {
    static const struct lws_protocols protocols[] = {{.name = "ensign",
                                                      .callback = net_callback,
                                                      .rx_buffer_size = RECEIVED_AT_ONCE,
                                                      .tx_packet_size = SENT_AT_ONCE},
                                                     {0}};
    void *loops[] = {&net->loop};
    const struct net_options *options = &net->options;
    static const lws_retry_bo_t no_pings = {0}; /* it would keep all sockets in one sorted list */
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_VALIDATE_UTF8,
        .foreign_loops = loops,
        .timeout_secs = (unsigned)options->header_seconds,
        .timeout_secs_ah_idle = (unsigned)options->header_seconds,
        .keepalive_timeout = options->header_seconds,
        .max_http_header_data = NET_HEADER_BYTES,
        .max_http_header_pool2 = (unsigned)options->sockets,
        .pt_serv_buf_size = READ_AT_ONCE,
        .retry_and_idle_policy = &no_pings,
        .gid = -1,
        .uid = -1};
    lws_set_log_level(0, NULL);
    net->context = lws_create_context(&info);
    if (!net->context)
        return fault_set(fault, STATUS_SYSTEM,
                         "libwebsockets does not start; is its libuv plugin installed "
                         "(libwebsockets-evlib-uv)?");
    net->vhost = lws_create_vhost(net->context, &info);
    return net->vhost || fault_set(fault, STATUS_NO_MEMORY, "no memory to serve");
}

static void feel_pulses(uv_timer_t *timer) {
    struct net *net = timer->data;
    const int64_t now = clock_ms(), since = now - net->pulse_at;
    net->pulse_at = now;
    for (struct socket *socket = net->sockets; socket; socket = socket->next) {
        if (!socket->client) continue;
        /* Whoever spoke while this process stood still is not heard yet. */
        if (since > STALL_MS) {
            socket->alive_at += since;
            socket->taken_at += since;
        }
        socket_feel_pulse(socket, now);
    }
}

static void open_loop(struct net *net) {
    uv_loop_init(&net->loop);
    uv_async_init(&net->loop, &net->news, hear_news);
    uv_timer_init(&net->loop, &net->timer);
    uv_timer_init(&net->loop, &net->patience);
    uv_timer_init(&net->loop, &net->pulse);
    uv_prepare_init(&net->loop, &net->prepare);
    net->news.data = net->timer.data = net->patience.data = net->pulse.data = net->prepare.data =
        net;
    net->pulse_at = clock_ms();
    uv_timer_start(&net->pulse, feel_pulses, PULSE_MS, PULSE_MS);
    uv_prepare_start(&net->prepare, ask_due);
}

struct net *net_open(const struct net_options *options, struct fault *fault) {
    struct net *net = calloc(1, sizeof *net);
    if (!net) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory to serve");
        return NULL;
    }
    net->options = *options;
    net->listening = net->spare = -1;
    net->frames = buffer_of(CLIENT_QUEUE_MAX);
    pthread_mutex_init(&net->lock, NULL);
    open_loop(net);
    bool opened = listen_at(net, fault) && raise_limit(net, fault) && open_context(net, fault);
    if (opened) {
        net->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
        uv_poll_init(&net->loop, &net->door, net->listening);
        net->door.data = net;
        uv_poll_start(&net->door, UV_READABLE, accept_some);
        return net;
    }
    net_close(net);
    return NULL;
}

int net_port(const struct net *net) {
    return net->port;
}

void net_run(struct net *net) {
    while (!net->left) uv_run(&net->loop, UV_RUN_DEFAULT);
    for (struct socket *socket = net->sockets; socket; socket = socket->next)
        socket_drop_client(socket);
}

void net_wake(struct net *net) {
    uv_async_send(&net->news);
}

void net_stop(struct net *net) {
    atomic_store(&net->stopped, true);
    uv_async_send(&net->news);
}

struct net_figures net_figures(const struct net *net) {
    return net->figures;
}

static void close_handle(uv_handle_t *handle, void *context) {
    (void)context;
    if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

void net_close(struct net *net) {
    if (!net) return;
    if (net->context) lws_context_destroy(net->context);
    if (net->door.data) uv_close((uv_handle_t *)&net->door, NULL);
    uv_close((uv_handle_t *)&net->news, NULL);
    uv_close((uv_handle_t *)&net->timer, NULL);
    uv_close((uv_handle_t *)&net->patience, NULL);
    uv_close((uv_handle_t *)&net->pulse, NULL);
    uv_close((uv_handle_t *)&net->prepare, NULL);
    uv_run(&net->loop, UV_RUN_DEFAULT);
    if (net->context) lws_context_destroy(net->context); /* the rest, once its handles are closed */
    uv_walk(&net->loop, close_handle, NULL);
    uv_run(&net->loop, UV_RUN_DEFAULT);
    uv_loop_close(&net->loop);
    if (net->listening >= 0) close(net->listening);
    if (net->spare >= 0) close(net->spare);
    buffer_clear(&net->frames);
    pthread_mutex_destroy(&net->lock);
    free(net);
}
