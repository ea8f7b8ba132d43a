/* net_socket.c - the messages of a WebSocket, each a line of its client.
 *
 * What is heard is bounded by REPLY_BYTES_MAX a message and by an allowance of messages that fills
 * with time. What is to be told is taken from the client's queue when the socket can be written,
 * and taken again only once that is sent. */
#include "net_inside.h"

#include "base/clock.h"
#include "host/seat/reply.h"

#include <stdlib.h>
#include <string.h>

enum { TOLD_AT_ONCE = 1 << 16 /* bytes, before others have their turn */ };

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
    socket->allowance = net->options.burst;
    socket->heard_at = clock_ms();
    net->figures.clients++;
    net->options.opened(net->options.context, socket->client);
    return 0;
}

/* Says why, in the frame that closes the socket. */
static int end_socket(struct socket *socket, enum lws_close_status why, const char *text) {
    unsigned char reason[100];
    size_t length = strlen(text);
    memcpy(reason, text, length);
    lws_close_reason(socket->wsi, why, reason, length);
    socket->net->figures.cut_off += why != LWS_CLOSE_STATUS_GOINGAWAY;
    return -1;
}

static bool spend_allowance(struct socket *socket) {
    const struct net_options *options = &socket->net->options;
    int64_t now = clock_ms();
    socket->allowance += (double)(now - socket->heard_at) * options->messages / 1000;
    if (socket->allowance > options->burst) socket->allowance = options->burst;
    socket->heard_at = now;
    if (socket->allowance < 1) return false;
    socket->allowance -= 1;
    return true;
}

int socket_hear(struct socket *socket, const char *bytes, size_t length) {
    struct lws *wsi = socket->wsi;
    struct net *net = socket->net;
    struct buffer *heard = &socket->heard;
    if (lws_frame_is_binary(wsi))
        return end_socket(socket, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages are texts");
    if (heard->length + length + lws_remaining_packet_payload(wsi) >= REPLY_BYTES_MAX)
        return end_socket(socket, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "a message is too long");
    if (!buffer_add(heard, bytes, length))
        return end_socket(socket, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "no memory");
    if (lws_remaining_packet_payload(wsi) || !lws_is_final_fragment(wsi)) return 0;
    if (!spend_allowance(socket))
        return end_socket(socket, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages");
    net->figures.heard++;
    struct buffer message = *heard;
    *heard = buffer_of(message.ceiling);
    net->options.said(net->options.context, socket->client, message.text, message.length);
    buffer_clear(&message);
    return 0;
}

static bool tell_line(struct socket *socket, const char *line, size_t length) {
    struct buffer *frame = &socket->net->frame;
    frame->length = 0;
    if (!buffer_reserve(frame, LWS_PRE + length)) return false;
    unsigned char *text = (unsigned char *)frame->text + LWS_PRE;
    memcpy(text, line, length);
    socket->net->figures.told++;
    return lws_write(socket->wsi, text, length, LWS_WRITE_TEXT) >= (int)length;
}

int socket_tell(struct socket *socket) {
    struct buffer *telling = &socket->telling;
    size_t end = socket->told + TOLD_AT_ONCE;
    while (!lws_partial_buffered(socket->wsi)) {
        if (socket->told == telling->length) {
            buffer_clear(telling); /* most sockets are silent: none keeps memory */
            socket->told = 0;
            if (client_take(socket->client, telling)) continue;
            if (!socket->net->leaving) return 0;
            return end_socket(socket, LWS_CLOSE_STATUS_GOINGAWAY, "the server ends");
        }
        const char *line = telling->text + socket->told;
        const char *stop = memchr(line, '\n', telling->length - socket->told);
        size_t length = stop ? (size_t)(stop - line) : telling->length - socket->told;
        if (!tell_line(socket, line, length)) return -1;
        socket->told += length + (stop != NULL);
        if (socket->told >= end && socket->told < telling->length) break;
    }
    lws_callback_on_writable(socket->wsi);
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

void socket_close(struct socket *socket) {
    struct net *net = socket->net;
    if (socket->client) {
        net->options.closed(net->options.context, socket->client);
        client_hang_up(socket->client);
        forget_news(socket);
        client_release(socket->client);
        net->figures.clients--;
    }
    visitors_leave(net, socket);
    if (socket->next) socket->next->previous = socket->previous;
    *(socket->previous ? &socket->previous->next : &net->sockets) = socket->next;
    net->figures.sockets--;
    free(socket->page.owned);
    buffer_clear(&socket->heard);
    buffer_clear(&socket->telling);
    free(socket);
}
