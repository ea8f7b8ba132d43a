/* socket.c - RFC 6455 as far as a client needs it that sends short texts. */
#define _GNU_SOURCE
#include "socket.h"

#include "host/schema.h"

#include <arpa/inet.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE_MS = 60000, REQUEST_MAX = 4096, PIECE = 65536, TEXT = 1 };

static void send_all(const struct socket *socket, const void *bytes, size_t length) {
    const char *left = bytes;
    while (length) {
        ssize_t sent = send(socket->fd, left, length, MSG_NOSIGNAL);
        if (sent <= 0) return; /* what is heard decides */
        left += sent;
        length -= (size_t)sent;
    }
}

/* False if nothing is there, or at the end. */
static bool read_more(struct socket *socket, bool wait) {
    struct pollfd ready = {.fd = socket->fd, .events = POLLIN};
    int there = poll(&ready, 1, wait ? PATIENCE_MS : 0);
    if (!there && wait) fail_msg("no answer from the server");
    if (there <= 0) return false;
    socket->bytes = realloc(socket->bytes, socket->length + PIECE);
    assert_non_null(socket->bytes);
    ssize_t got = recv(socket->fd, socket->bytes + socket->length, PIECE, 0);
    if (got > 0) socket->length += (size_t)got;
    return got > 0;
}

static void drop_bytes(struct socket *socket, size_t count) {
    socket->length -= count;
    memmove(socket->bytes, socket->bytes + count, socket->length);
}

void socket_open(struct socket *client, const struct served *served) {
    char hello[512];
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)served->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *client = (struct socket){.fd = socket(AF_INET, SOCK_STREAM, 0)};
    assert_true(client->fd >= 0);
    assert_int_equal(connect(client->fd, (const struct sockaddr *)&address, sizeof address), 0);
    snprintf(hello, sizeof hello,
             "GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n"
             "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
             served->port, served->port);
    send_all(client, hello, strlen(hello));
    const unsigned char *end = NULL;
    while (!end) {
        if (!read_more(client, true)) fail_msg("the server hung up");
        end = memmem(client->bytes, client->length, "\r\n\r\n", 4);
    }
    assert_memory_equal(client->bytes, "HTTP/1.1 101", 12);
    drop_bytes(client, (size_t)(end + 4 - client->bytes));
}

void socket_close(struct socket *socket) {
    close(socket->fd);
    free(socket->bytes);
    json_decref(socket->message);
    *socket = (struct socket){.fd = -1};
}

void socket_say(struct socket *socket, const char *form, ...) {
    enum { FINAL = 0x80, MASKED = 0x80, LONG = 126, HEAD = 8 };
    char frame[HEAD + REQUEST_MAX] = {(char)(FINAL | TEXT), (char)(MASKED | LONG)};
    va_list args;
    va_start(args, form);
    int length = vsnprintf(frame + HEAD, REQUEST_MAX, form, args); /* the mask is 0 */
    va_end(args);
    assert_in_range(length, 1, REQUEST_MAX - 1);
    for (char *at = frame + HEAD; (at = strchr(at, '\''));) *at = '"';
    frame[2] = (char)(length >> 8);
    frame[3] = (char)length;
    send_all(socket, frame, HEAD + (size_t)length);
}

/* The size of the head of the first frame, and of its content. False if it is not all there. */
static bool measure(const struct socket *socket, size_t *head, size_t *content) {
    const unsigned char *bytes = socket->bytes;
    if (socket->length < 2) return false;
    *content = bytes[1] & 127;
    *head = *content == 127 ? 10 : *content == 126 ? 4 : 2;
    if (socket->length < *head) return false;
    if (*head > 2) *content = 0;
    for (size_t i = 2; i < *head; i++) *content = *content << 8 | bytes[i];
    return socket->length >= *head + *content;
}

const json_t *socket_hear(struct socket *socket, bool wait) {
    char why[SCHEMA_WHY_MAX];
    size_t head = 0, content = 0;
    for (bool text = false; !text;) {
        while (!measure(socket, &head, &content))
            if (!read_more(socket, wait)) return NULL;
        text = (socket->bytes[0] & 15) == TEXT;
        if (!text) drop_bytes(socket, head + content); /* a ping, or the end */
    }
    json_decref(socket->message);
    socket->message = json_loadb((const char *)socket->bytes + head, content, 0, NULL);
    if (!socket->message || !schema_fits("from_host", socket->message, why))
        fail_msg("%.*s: %s", (int)content, (const char *)socket->bytes + head, why);
    drop_bytes(socket, head + content);
    return socket->message;
}

const char *socket_text(const struct socket *socket, const char *key) {
    return json_string_value(json_object_get(socket->message, key));
}
