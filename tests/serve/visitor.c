/* visitor.c - messages as texts of a WebSocket. */
#include "visitor.h"

#include "host/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { REQUEST_MAX = 4096 };

void visitor_open(struct visitor *visitor, int port) {
    char headers[128];
    *visitor = (struct visitor){.web = web_open(port)};
    snprintf(headers, sizeof headers, "Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n", port,
             port);
    assert_int_equal(web_upgrade(visitor->web, "/ws", headers), 101);
}

void visitor_close(struct visitor *visitor) {
    web_close(visitor->web);
    json_decref(visitor->message);
    *visitor = (struct visitor){.web = NULL};
}

void visitor_say(struct visitor *visitor, const char *form, ...) {
    char text[REQUEST_MAX];
    va_list args;
    va_start(args, form);
    int length = vsnprintf(text, sizeof text, form, args);
    va_end(args);
    assert_in_range(length, 1, sizeof text - 1);
    for (char *at = text; (at = strchr(at, '\''));) *at = '"';
    web_say(visitor->web, text);
}

const json_t *visitor_hear(struct visitor *visitor, bool wait) {
    char why[SCHEMA_WHY_MAX];
    int reason;
    visitor->line = wait ? web_hear(visitor->web, &reason) : web_overhear(visitor->web);
    if (!visitor->line) return NULL;
    json_decref(visitor->message);
    visitor->message = json_loads(visitor->line, JSON_REJECT_DUPLICATES, NULL);
    if (!visitor->message) fail_msg("no JSON: %.300s", visitor->line);
    if (!schema_fits("from_host", visitor->message, why))
        fail_msg("%.300s: %s", visitor->line, why);
    return visitor->message;
}

const char *visitor_text(const struct visitor *visitor, const char *key) {
    return json_string_value(json_object_get(visitor->message, key));
}
