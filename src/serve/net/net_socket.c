/* net_socket.c - the messages of a WebSocket, each a line of its client.
 *
 * What is heard is bounded by REPLY_BYTES_MAX a message. A client that is busy, or has used up what
 * it may ask for, is not heard for a while: its messages wait on the way. What is to be told is
 * taken from the client's queue when the socket can be written, and again once that is sent, until
 * nothing is queued. */
#include "net_inside.h"

#include "base/clock.h"
#include "base/descriptors.h"
#include "host/seat/reply.h"

#include <stdlib.h>
#include <string.h>

enum { TOLD_AT_ONCE = 1 << 14 /* bytes, before others have their turn */ };

enum {
    FRAME_IS_FINAL = 0x80,
    FRAME_TEXT = 1,
    FRAME_CLOSE = 8,
    FRAME_PING = 9,
    FRAME_HEAD_MAX = 10,
    FRAME_MASK = 4 /* bytes, of a client */
};

static void wake_socket(void *context) {
    struct socket *socket = context;
    struct net *net = socket->net;
    pthread_mutex_lock(&net->lock);
    bool first = !net->woken;
    if (!socket->woken) {
        socket->woken = true;
        socket->next_woken = net->woken;
        net->woken = socket;
    }
    pthread_mutex_unlock(&net->lock);
    if (first) uv_async_send(&net->news);
}

int socket_open_client(struct socket *socket) {
    struct net *net = socket->net;
    socket->client = client_open(net->options.unread, wake_socket, socket);
    if (!socket->client) return -1;
    socket->heard = buffer_of(REPLY_BYTES_MAX - 1);
    socket->telling = buffer_of(CLIENT_QUEUE_MAX);
    socket->alive_at = clock_ms();
    socket->taken_at = clock_ms();
    socket->weighed = descriptor_traffic(lws_get_socket_fd(socket->wsi)).read;
    client_is_of(socket->client, socket->visitor);
    net->figures.clients++;
    net->options.opened(net->options.context, socket->client);
    return 0;
}

/* Says why, in the frame that closes the socket: while hearing. */
static int end_hearing(struct socket *socket, enum lws_close_status why, const char *text) {
    unsigned char reason[100];
    size_t length = strlen(text);
    memcpy(reason, text, length);
    lws_close_reason(socket->wsi, why, reason, length);
    socket->net->figures.cut_off++;
    return -1;
}

/* Is not heard for some seconds, and while the client is busy. */
void socket_pause(struct socket *socket, int seconds) {
    socket->paused_until = clock_ms() + 1000 * (int64_t)seconds;
    lws_rx_flow_control(socket->wsi, 0);
}

/* What is said too often and needs no answer. */
static int seconds_to_wait(struct client *client, size_t length) {
    struct fault fault = {0};
    return client_may_ask(client, length, &fault) ? 0 : fault.wait;
}

void socket_hear_again(struct socket *socket, int64_t now) {
    socket_lives(socket); /* whatever it says is not heard */
    if (now < socket->paused_until || client_is_busy(socket->client)) return;
    if (socket_owes(socket)) return; /* for what came over others meanwhile, too */
    socket->paused_until = 0;
    socket->weighed_at = 0; /* at once */
    lws_rx_flow_control(socket->wsi, 1);
    lws_cancel_service(socket->net->context); /* or what was read already waits for more */
}

int socket_hear(struct socket *socket, const char *bytes, size_t length) {
    struct lws *wsi = socket->wsi;
    struct net *net = socket->net;
    struct buffer *heard = &socket->heard;
    if (lws_frame_is_binary(wsi))
        return end_hearing(socket, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages are texts");
    if (heard->length + length + lws_remaining_packet_payload(wsi) >= REPLY_BYTES_MAX)
        return end_hearing(socket, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "a message is too long");
    if (!buffer_add(heard, bytes, length))
        return end_hearing(socket, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "no memory");
    socket->weighed += (int64_t)length;
    if (lws_remaining_packet_payload(wsi) || !lws_is_final_fragment(wsi)) return 0;
    socket->weighed += FRAME_HEAD_MAX + FRAME_MASK;
    const enum heartbeat heartbeat = socket_hear_heartbeat(socket, heard->text, heard->length);
    net->figures.heard++;
    socket_lives(socket);
    struct buffer message = *heard;
    *heard = buffer_of(message.ceiling);
    const int seconds =
        heartbeat == HEARTBEAT_IN_TIME ? 0
        : heartbeat == HEARTBEAT_TOO_SOON
            ? seconds_to_wait(socket->client, message.length)
            : net->options.said(net->options.context, socket->client, message.text, message.length);
    buffer_clear(&message);
    if (seconds || client_is_busy(socket->client)) socket_pause(socket, seconds);
    return 0;
}

/* Adds a frame as a server sends it (RFC 6455, 5.2: unmasked). Our own writing lets many go to the
 * system at once. */
static bool add_frame(struct buffer *out, int opcode, const char *bytes, size_t length) {
    unsigned char head[FRAME_HEAD_MAX] = {(unsigned char)(FRAME_IS_FINAL | opcode)};
    size_t size = 2;
    if (length > 65535)
        head[1] = 127, size = 10;
    else if (length > 125)
        head[1] = 126, size = 4;
    else
        head[1] = (unsigned char)length;
    for (size_t i = size, rest = length; i > 2; rest >>= 8) head[--i] = (unsigned char)rest;
    return buffer_add(out, head, size) && buffer_add(out, bytes, length);
}

static bool add_pulse(struct socket *socket, struct buffer *frames) {
    static const char heartbeat[] = "{\"type\":\"heartbeat\"}";
    const bool added =
        (!socket->pinging || add_frame(frames, FRAME_PING, "?", 1)) && /* see net_pulse.c */
        (!socket->beating || add_frame(frames, FRAME_TEXT, heartbeat, sizeof heartbeat - 1));
    socket->pinging = socket->beating = false;
    return added;
}

/* Moves lines from what is taken from the queue into the frames, the first of them in any case. */
static bool add_lines(struct socket *socket, struct buffer *frames) {
    const struct buffer *telling = &socket->telling;
    const size_t before = socket->told;
    while (socket->told < telling->length && frames->length < LWS_PRE + TOLD_AT_ONCE) {
        const char *line = telling->text + socket->told;
        const size_t left = telling->length - socket->told;
        const char *end = memchr(line, '\n', left);
        const size_t length = end ? (size_t)(end - line) : left;
        if (!add_frame(frames, FRAME_TEXT, line, length)) return false;
        socket->told += length + (end != NULL);
        socket->net->figures.told++;
    }
    if (socket->told > before) client_reads(socket->client, socket->told - before);
    return true;
}

/* Without a subprotocol of libwebsockets' own, raw bytes pass unchanged, and what the system does
 * not take at once is kept. */
static bool send_frames(struct socket *socket, struct buffer *frames) {
    unsigned char *start = (unsigned char *)frames->text + LWS_PRE;
    const size_t length = frames->length - LWS_PRE;
    return !length || lws_write(socket->wsi, start, length, LWS_WRITE_RAW) >= 0;
}

static int end_telling(struct socket *socket, struct buffer *frames) {
    static const char why[] = "\x03\xe9the server ends"; /* 1001, going away */
    if (add_frame(frames, FRAME_CLOSE, why, sizeof why - 1)) send_frames(socket, frames);
    return -1;
}

void socket_kill(struct socket *socket) {
    socket->net->figures.cut_off++;
    lws_set_timeout(socket->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    lws_cancel_service(socket->net->context); /* or nobody looks at timeouts that are set here */
}

/* Is there more to say? A wake is used up by the take after it, which may have been long ago. So a
 * socket may go quiet only when a take has found the client's queue empty: the next line wakes it.
 */
static bool has_lines(struct socket *socket) {
    if (socket->told < socket->telling.length) return true;
    buffer_clear(&socket->telling); /* most sockets are silent: none keeps memory */
    socket->told = 0;
    return client_take(socket->client, &socket->telling);
}

int socket_tell(struct socket *socket) {
    struct buffer *frames = &socket->net->frames;
    static const char before[LWS_PRE];
    const bool leaving = socket->net->leaving;
    if (!lws_partial_buffered(socket->wsi)) {
        if (socket->blocked) socket_lives(socket); /* it reads, if slowly */
        frames->length = 0;
        buffer_add(frames, before, sizeof before);
        if (!add_pulse(socket, frames)) return -1;
        if (!has_lines(socket) && leaving) return end_telling(socket, frames);
        if (!add_lines(socket, frames) || !send_frames(socket, frames)) return -1;
    }
    socket->blocked = lws_partial_buffered(socket->wsi);
    if (socket->blocked || has_lines(socket) || leaving) lws_callback_on_writable(socket->wsi);
    return 0;
}

static void forget_news(struct socket *socket) {
    struct net *net = socket->net;
    pthread_mutex_lock(&net->lock);
    for (struct socket **link = &net->woken; socket->woken && *link; link = &(*link)->next_woken)
        if (*link == socket) {
            *link = socket->next_woken;
            break;
        }
    pthread_mutex_unlock(&net->lock);
}

void socket_drop_client(struct socket *socket) {
    struct net *net = socket->net;
    struct client *client = socket->client;
    if (!client) return;
    socket->client = NULL;
    net->options.closed(net->options.context, client);
    client_hang_up(client);
    client_reads(client, socket->telling.length - socket->told);
    buffer_clear(&socket->telling);
    socket->told = 0;
    forget_news(socket);
    client_release(client);
    net->figures.clients--;
}

bool socket_belongs(struct socket *socket, const char *address) {
    struct visitor *visitor = visitors_meet(socket->net->options.visitors, address);
    const bool admitted =
        visitor && (visitor == socket->visitor || visitor_take(visitor, HOLDS_SOCKETS, NULL));
    if (admitted && visitor != socket->visitor) {
        socket_leaves(socket);
        socket->visitor = visitor_hold(visitor);
    }
    visitor_release(visitor);
    return admitted;
}

void socket_leaves(struct socket *socket) {
    visitor_give(socket->visitor, HOLDS_SOCKETS);
    visitor_release(socket->visitor);
    socket->visitor = NULL;
}

void socket_close(struct socket *socket) {
    struct net *net = socket->net;
    socket_drop_client(socket);
    socket_leaves(socket);
    if (socket->next) socket->next->previous = socket->previous;
    *(socket->previous ? &socket->previous->next : &net->sockets) = socket->next;
    net->figures.sockets--;
    free(socket->page.owned);
    free(socket->awaited);
    buffer_clear(&socket->heard);
    buffer_clear(&socket->telling);
    free(socket);
}
