/* websocket.c - the frames of RFC 6455 over a blocking socket. */
#define _GNU_SOURCE
#include "websocket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* Less than the silence after which the server pings: an answered ping would renew it. */
enum { PATIENCE_MS = 30000, REQUEST_MAX = 8192 };

struct web *web_over(int socket) {
    struct web *web = malloc(sizeof *web);
    assert_non_null(web);
    web->socket = socket;
    web->length = 0;
    web->input[0] = 0;
    web->ended = false;
    return web;
}

int web_connect(int port) {
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (;;) {
        const int end = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_true(end >= 0);
        if (!connect(end, (const struct sockaddr *)&at, sizeof at)) return end;
        assert_int_equal(errno, EINTR); /* a fuzzer's alarm */
        close(end);
    }
}

struct web *web_open(int port) {
    return web_over(web_connect(port));
}

void web_close(struct web *web) {
    close(web->socket);
    free(web);
}

void web_send(struct web *web, const void *bytes, size_t length) {
    for (const char *at = bytes; length;) {
        ssize_t sent = TEMP_FAILURE_RETRY(send(web->socket, at, length, MSG_NOSIGNAL));
        if (sent <= 0) return; /* the server hung up; hearing it says so */
        at += sent;
        length -= (size_t)sent;
    }
}

/* Waits for more input, or, with no patience, reads what is there. False if that is nothing. */
static bool read_more(struct web *web, int patience) {
    struct pollfd end = {.fd = web->socket, .events = POLLIN};
    assert_true(web->length < WEB_INPUT_MAX);
    if (TEMP_FAILURE_RETRY(poll(&end, 1, patience)) != 1) {
        assert_int_equal(patience, 0);
        return false;
    }
    ssize_t got = recv(web->socket, web->input + web->length, WEB_INPUT_MAX - web->length, 0);
    if (got <= 0)
        web->ended = true;
    else
        web->length += (size_t)got;
    web->input[web->length] = 0;
    return true;
}

static void drop_input(struct web *web, size_t length) {
    memmove(web->input, web->input + length, web->length - length + 1);
    web->length -= length;
}

int web_ask(struct web *web, const char *method, const char *path, const char *headers) {
    char request[REQUEST_MAX];
    const char *host = strcasestr(headers, "Host:") ? "" : "Host: localhost\r\n";
    int length = snprintf(request, sizeof request, "%s %s HTTP/1.1\r\n%s%s\r\n", method, path, host,
                          headers);
    assert_true(length > 0 && length < (int)sizeof request);
    drop_input(web, web->length);
    web_send(web, request, (size_t)length);
    const char *end;
    while (!(end = strstr(web->input, "\r\n\r\n")) && !web->ended) read_more(web, PATIENCE_MS);
    if (!end) return 0;
    const int status = atoi(web->input + strlen("HTTP/1.1 "));
    const char *size = strcasestr(web->input, "\r\ncontent-length:");
    const bool bodiless = !strcmp(method, "HEAD") || status == 304 || status == 101;
    size_t body = size && size < end && !bodiless ? (size_t)atoi(size + 17) : 0;
    const size_t head = (size_t)(end - web->input) + 4;
    while (web->length < head + body && !web->ended) read_more(web, PATIENCE_MS);
    return status;
}

int web_status(int port, const char *method, const char *path, const char *headers) {
    struct web *web = web_open(port);
    int status = web_ask(web, method, path, headers);
    web_close(web);
    return status;
}

int web_upgrade(struct web *web, const char *path, const char *headers) {
    char all[REQUEST_MAX];
    snprintf(all, sizeof all,
             "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s",
             headers);
    int status = web_ask(web, "GET", path, all);
    const char *end = strstr(web->input, "\r\n\r\n");
    if (status == 101) drop_input(web, (size_t)(end - web->input) + 4);
    return status;
}

struct web *web_socket(int port) {
    struct web *web = web_open(port);
    assert_int_equal(web_upgrade(web, "/ws", ""), 101);
    return web;
}

/* Head and content go at once: the system would keep the second of two short pieces back. */
void web_frame(struct web *web, enum web_opcode opcode, bool final, const void *bytes,
               size_t length) {
    enum { HEAD_MAX = 14 };
    static const unsigned char mask[4] = {0x12, 0x34, 0x56, 0x78};
    unsigned char *frame = malloc(HEAD_MAX + length);
    assert_non_null(frame);
    size_t size = 2;
    frame[0] = (unsigned char)((final ? 0x80 : 0) | (int)opcode);
    if (length > 65535)
        frame[1] = 127, size = 10;
    else if (length > 125)
        frame[1] = 126, size = 4;
    else
        frame[1] = (unsigned char)length;
    for (size_t i = size, rest = length; i > 2; rest >>= 8) frame[--i] = (unsigned char)rest;
    frame[1] |= 0x80;
    memcpy(frame + size, mask, sizeof mask);
    size += sizeof mask;
    for (size_t i = 0; i < length; i++)
        frame[size + i] = ((const unsigned char *)bytes)[i] ^ mask[i % 4];
    web_send(web, frame, size + length);
    free(frame);
}

void web_say(struct web *web, const char *text) {
    web_frame(web, WEB_TEXT, true, text, strlen(text));
}

/* The opcode of the frame at the start of the input, with its content's place; -1: not complete. */
static int read_frame(const struct web *web, size_t *start, size_t *length) {
    const unsigned char *head = (const unsigned char *)web->input;
    if (web->length < 2) return -1;
    *start = head[1] < 126 ? 2 : head[1] == 126 ? 4 : 10;
    if (web->length < *start) return -1;
    *length = *start == 2 ? head[1] : 0;
    for (size_t i = 2; i < *start; i++) *length = *length << 8 | head[i];
    return web->length < *start + *length ? -1 : head[0] & 15;
}

static const char *hear(struct web *web, int patience, int *why) {
    static char text[WEB_INPUT_MAX + 1];
    size_t start, length;
    *why = 0;
    for (;;) {
        int opcode = read_frame(web, &start, &length);
        if (opcode < 0 && web->ended) return NULL;
        if (opcode < 0) {
            if (!read_more(web, patience)) return NULL;
            continue;
        }
        memcpy(text, web->input + start, length);
        text[length] = 0;
        drop_input(web, start + length);
        if (opcode == WEB_TEXT) return text;
        if (opcode == WEB_PING) web_frame(web, WEB_PONG, true, text, length);
        if (opcode != WEB_CLOSE) continue;
        if (length >= 2) *why = (unsigned char)text[0] << 8 | (unsigned char)text[1];
        return NULL;
    }
}

const char *web_hear(struct web *web, int *why) {
    return hear(web, PATIENCE_MS, why);
}

const char *web_overhear(struct web *web) {
    int why;
    return hear(web, 0, &why);
}

int web_hear_end(struct web *web) {
    int why;
    while (web_hear(web, &why)) {}
    return why;
}
