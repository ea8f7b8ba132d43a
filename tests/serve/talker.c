/* talker.c - messages as texts of a WebSocket. */
#include "talker.h"

#include "quoted.h"

#include "host/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void talker_open(struct talker *talker, int port) {
    char headers[128];
    *talker = (struct talker){.web = web_open(port)};
    snprintf(headers, sizeof headers, "Host: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\n", port,
             port);
    assert_int_equal(web_upgrade(talker->web, "/ws", headers), 101);
}

void talker_close(struct talker *talker) {
    web_close(talker->web);
    json_decref(talker->message);
    *talker = (struct talker){.web = NULL};
}

void talker_say(struct talker *talker, const char *form, ...) {
    char text[QUOTED_MAX];
    va_list args;
    va_start(args, form);
    quoted_write(text, form, args);
    va_end(args);
    web_say(talker->web, text);
}

const json_t *talker_hear(struct talker *talker, bool wait) {
    char why[SCHEMA_WHY_MAX];
    int reason;
    talker->line = wait ? web_hear(talker->web, &reason) : web_overhear(talker->web);
    if (!talker->line) return NULL;
    json_decref(talker->message);
    talker->message = json_loads(talker->line, JSON_REJECT_DUPLICATES, NULL);
    if (!talker->message) fail_msg("no JSON: %.300s", talker->line);
    if (!schema_fits("from_host", talker->message, why)) fail_msg("%.300s: %s", talker->line, why);
    return talker->message;
}

const char *talker_text(const struct talker *talker, const char *key) {
    return json_string_value(json_object_get(talker->message, key));
}
