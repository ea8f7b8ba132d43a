/* socket.c - messages as texts of a WebSocket. */
#include "socket.h"

#include "host/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { REQUEST_MAX = 4096 };

void socket_open(struct socket *socket, int port) {
    char headers[128];
    *socket = (struct socket){.web = web_open(port)};
    snprintf(headers, sizeof headers, "Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n", port,
             port);
    assert_int_equal(web_upgrade(socket->web, "/ws", headers), 101);
}

void socket_close(struct socket *socket) {
    web_close(socket->web);
    json_decref(socket->message);
    *socket = (struct socket){.web = NULL};
}

void socket_say(struct socket *socket, const char *form, ...) {
    char text[REQUEST_MAX];
    va_list args;
    va_start(args, form);
    int length = vsnprintf(text, sizeof text, form, args);
    va_end(args);
    assert_in_range(length, 1, sizeof text - 1);
    for (char *at = text; (at = strchr(at, '\''));) *at = '"';
    web_say(socket->web, text);
}

const json_t *socket_hear(struct socket *socket, bool wait) {
    char why[SCHEMA_WHY_MAX];
    int reason;
    socket->line = wait ? web_hear(socket->web, &reason) : web_overhear(socket->web);
    if (!socket->line) return NULL;
    json_decref(socket->message);
    socket->message = json_loads(socket->line, JSON_REJECT_DUPLICATES, NULL);
    if (!socket->message) fail_msg("no JSON: %.300s", socket->line);
    if (!schema_fits("from_host", socket->message, why)) fail_msg("%.300s: %s", socket->line, why);
    return socket->message;
}

const char *socket_text(const struct socket *socket, const char *key) {
    return json_string_value(json_object_get(socket->message, key));
}
