/* net_pulse.c - whether the other end of a WebSocket lives, and that it sees that this one does.
 *
 * A client that says {"type":"heartbeat","ms":N} says so again within N milliseconds, and is told
 * {"type":"heartbeat"} as often. Neither end waits for the other's: a network that gets slower by
 * two seconds in each direction makes one heartbeat come two seconds late, where the answer to a
 * question would come four seconds late. All other clients are pinged after `ping_seconds` of
 * silence and have half as long to answer. A ping has content, since libwebsockets does not report
 * an empty answer. */
#include "net_inside.h"

#include "base/clock.h"
#include "base/descriptors.h"

#include <jansson.h>
#include <string.h>

enum {
    WEIGHING_MS = 500,  /* between two looks at what has come and gone */
    TAKEN_LEAST = 4096, /* bytes that show that a client reads on */
    EMPTY_WEIGHT = 8,   /* of a byte that is in no message: small frames take the most time */
    HEARTBEAT_TEXT_MAX = 64,
    HEARTBEAT_SOON = NET_HEARTBEAT_LEAST / 2, /* ms after the last one: it counts as a message */
    HEARTBEAT_GRACE = 2700 /* ms: with the usual heartbeat, the other player hears of a loss within
                              five seconds */
};

void socket_lives(struct socket *socket) {
    socket->alive_at = clock_ms();
    socket->pinged = false;
}

/* The "ms" of a heartbeat; 0: it is none, or none that can be kept. */
static json_int_t read_heartbeat(const char *text, size_t length) {
    if (length > HEARTBEAT_TEXT_MAX) return 0; /* most messages are longer: they are read once */
    json_t *message = json_loadb(text, length, 0, NULL);
    const char *type = json_string_value(json_object_get(message, "type"));
    json_int_t ms = 0;
    if (type && !strcmp(type, "heartbeat")) ms = json_integer_value(json_object_get(message, "ms"));
    json_decref(message);
    return ms >= NET_HEARTBEAT_LEAST && ms <= NET_HEARTBEAT_MOST ? ms : 0;
}

enum heartbeat socket_hear_heartbeat(struct socket *socket, const char *text, size_t length) {
    const json_int_t ms = read_heartbeat(text, length);
    if (!ms) return HEARTBEAT_NONE;
    const int64_t now = clock_ms();
    const bool soon = now - socket->heartbeat_at < HEARTBEAT_SOON;
    if (ms != socket->heartbeat) socket->beat_at = 0; /* it is told one at once */
    socket->heartbeat = (int)ms;
    socket->heartbeat_at = now;
    socket_lives(socket);
    return soon ? HEARTBEAT_TOO_SOON : HEARTBEAT_IN_TIME;
}

bool socket_owes(struct socket *socket) {
    struct fault fault = {0};
    if (visitor_spend(socket->visitor, RATE_BYTES, 0, &fault)) return false;
    socket_pause(socket, fault.wait);
    return true;
}

/* Nobody is told of pings, of pongs without one, and of frames without content, and each of them
 * takes time: they are known by the bytes that came. */
static void weigh(struct socket *socket, int64_t came) {
    const int64_t empty = came - socket->weighed;
    if (empty <= 0) return;
    socket->weighed = came;
    visitor_charge(socket->visitor, RATE_BYTES, (double)(EMPTY_WEIGHT * empty));
    socket_owes(socket);
}

/* Whatever it says, a client that takes nothing of what waits for it costs memory for nothing. */
static bool has_stopped_reading(struct socket *socket, const struct descriptor_traffic *traffic,
                                int64_t now) {
    const bool waits = traffic->waits || socket->blocked;
    if (!waits || traffic->taken - socket->taken >= TAKEN_LEAST) {
        socket->taken = traffic->taken;
        socket->taken_at = now;
    }
    return now - socket->taken_at >= 1000 * (int64_t)socket->net->options.unread_seconds;
}

/* What has come and gone. False if the client was cut off. */
static bool look_at_traffic(struct socket *socket, int64_t now) {
    const struct descriptor_traffic traffic = descriptor_traffic(lws_get_socket_fd(socket->wsi));
    socket->weighed_at = now;
    if (!socket->paused_until) weigh(socket, traffic.read);
    if (!has_stopped_reading(socket, &traffic, now)) return true;
    socket_drop_client(socket);
    socket_kill(socket);
    return false;
}

void socket_feel_pulse(struct socket *socket, int64_t now) {
    if (socket->paused_until) socket_hear_again(socket, now);
    if (now - socket->weighed_at >= WEIGHING_MS && !look_at_traffic(socket, now)) return;
    const int64_t silence = now - socket->alive_at;
    const int pace =
        socket->heartbeat ? socket->heartbeat : socket->net->options.ping_seconds * 1000;
    const int grace = socket->heartbeat ? HEARTBEAT_GRACE : pace / 2;
    if (silence >= pace + grace && (socket->heartbeat || socket->pinged)) {
        socket_drop_client(socket); /* its games hear of it now */
        socket_kill(socket);
    } else if (socket->heartbeat && now - socket->beat_at >= pace) {
        socket->beat_at = now;
        socket->beating = true;
        lws_callback_on_writable(socket->wsi);
    } else if (!socket->heartbeat && silence >= pace && !socket->pinged) {
        socket->pinged = socket->pinging = true;
        lws_callback_on_writable(socket->wsi);
    }
}
