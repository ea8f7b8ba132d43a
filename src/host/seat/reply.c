/* reply.c - strict about the keys it knows, silent about all others. */
#include "reply.h"

#include <stdio.h>
#include <string.h>

static const char *type_name(const json_t *value) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array",  [JSON_STRING] = "a text",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a fraction", [JSON_TRUE] = "true",
        [JSON_FALSE] = "false",      [JSON_NULL] = "null"};
    return value ? names[json_typeof(value)] : "nothing";
}

/* Returns false. */
static bool reply_expected(const char *key, const json_t *value, const char *expected,
                           struct fault *fault) {
    if (json_is_string(value))
        return fault_set(fault, STATUS_TEXT, "\"%s\": expected %s, got \"%.60s\"", key, expected,
                         json_string_value(value));
    return fault_set(fault, STATUS_TEXT, "\"%s\": expected %s, got %s", key, expected,
                     type_name(value));
}

/* The values in a line of JSON, at least as many as it has: all but the first follow one of these
 * outside of texts. */
static size_t count_values(const char *line, size_t length) {
    size_t values = 1;
    bool text = false;
    for (size_t i = 0; i < length; i++) {
        const char character = line[i];
        if (character == '"')
            text = !text;
        else if (text)
            i += character == '\\';
        else
            values += character == '{' || character == '[' || character == ',';
    }
    return values;
}

json_t *reply_object(const char *line, size_t length, struct fault *fault) {
    json_error_t error;
    if (length >= REPLY_BYTES_MAX) {
        fault_set(fault, STATUS_TEXT, "a message of more than %d bytes", REPLY_BYTES_MAX - 1);
        return NULL;
    }
    if (count_values(line, length) > REPLY_VALUES_MAX) {
        fault_set(fault, STATUS_TEXT, "a message of more than %d values", REPLY_VALUES_MAX);
        return NULL;
    }
    json_t *object = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    if (json_is_object(object)) return object;
    if (object)
        fault_set(fault, STATUS_TEXT, "expected a JSON object, got %s", type_name(object));
    else
        fault_set(fault, STATUS_TEXT, "not a JSON object: %s, column %d: \"%.*s\"", error.text,
                  error.column, (int)(length < 60 ? length : 60), line);
    json_decref(object);
    return NULL;
}

/* The first text of a line that begins here, with its quotes; 0: it does not end. */
static size_t text_length(const char *text, size_t length) {
    for (size_t i = 1; i < length; i++) {
        if (text[i] == '"') return i + 1;
        i += text[i] == '\\';
    }
    return 0;
}

json_t *reply_find_id(const char *line, size_t length) {
    static const char key[] = "\"id\"";
    enum { KEY = sizeof key - 1, ID_MAX = 64 };
    int depth = 0;
    for (size_t i = 0, past; i < length; i = past) {
        const char at = line[i];
        past = i + (at == '"' ? text_length(line + i, length - i) : 1);
        if (past == i) return NULL;
        depth += (at == '{' || at == '[') - (at == '}' || at == ']');
        if (depth != 1 || past - i != KEY || memcmp(line + i, key, KEY) != 0) continue;
        const char *value = line + past + strspn(line + past, ": \t\r");
        const size_t left = (size_t)(line + length - value);
        const size_t size = *value == '"' ? text_length(value, left) : strcspn(value, ",} \t\r");
        char text[KEY + ID_MAX + 4];
        if (value == line + past || !size || size > ID_MAX) continue; /* the key is a value */
        return json_loadb(text, (size_t)sprintf(text, "{%s:%.*s}", key, (int)size, value), 0, NULL);
    }
    return NULL;
}

json_t *reply_to(const json_t *request, json_t *message) {
    json_t *id = json_object_get(request, "id");
    if (message && id) json_object_set(message, "id", id);
    return message;
}

bool reply_text(const json_t *object, const char *key, const char **text, struct fault *fault) {
    const json_t *value = json_object_get(object, key);
    *text = json_string_value(value);
    if (*text || !value || json_is_null(value)) return true;
    return reply_expected(key, value, "a text", fault);
}

bool reply_flag(const json_t *object, const char *key, bool *flag, struct fault *fault) {
    const json_t *value = json_object_get(object, key);
    if (json_is_boolean(value)) *flag = json_is_true(value);
    return !value || json_is_null(value) || json_is_boolean(value) ||
           reply_expected(key, value, "true or false", fault);
}

bool reply_number(const json_t *object, const char *key, uint64_t most, bool *there,
                  uint64_t *number, struct fault *fault) {
    const json_t *value = json_object_get(object, key);
    *there = value && !json_is_null(value);
    if (!*there) return true;
    json_int_t given = json_integer_value(value);
    *number = (uint64_t)given;
    if (json_is_integer(value) && given >= 0 && (uint64_t)given <= most) return true;
    return fault_set(fault, STATUS_TEXT, "\"%s\": expected a whole number from 0 to %llu", key,
                     (unsigned long long)most);
}

static bool read_setup(const json_t *object, struct reply *reply, struct fault *fault) {
    if (!json_object_get(object, "setup"))
        return reply_expected("setup", NULL, "a set-up, the name of one, or null", fault);
    return reply_text(object, "setup", &reply->text, fault);
}

static bool read_move(const json_t *object, struct reply *reply, struct fault *fault) {
    return reply_text(object, "move", &reply->text, fault) &&
           (reply->text || reply_expected("move", json_object_get(object, "move"),
                                          "one of the moves asked about", fault));
}

static bool read_draw(const json_t *object, struct reply *reply, struct fault *fault) {
    const json_t *accept = json_object_get(object, "accept");
    if (!accept) return true;
    reply->type = REPLY_DRAW_ANSWER;
    reply->accepts = json_is_true(accept);
    return json_is_boolean(accept) || reply_expected("accept", accept, "true or false", fault);
}

bool reply_read(const json_t *object, struct reply *reply, struct fault *fault) {
    enum { PLY_MAX = 1 << 30 };
    const json_t *type = json_object_get(object, "type");
    const char *name = json_string_value(type);
    uint64_t ply = 0;
    bool there;
    if (!name) return reply_expected("type", type, "the kind of message", fault);
    if (!reply_number(object, "ply", PLY_MAX, &there, &ply, fault)) return false;
    *reply = (struct reply){.type = REPLY_OTHER, .ply = there ? (int64_t)ply : -1};
    if (!strcmp(name, "setup")) {
        reply->type = REPLY_SETUP;
        return read_setup(object, reply, fault);
    }
    if (!strcmp(name, "move")) {
        reply->type = REPLY_MOVE;
        return read_move(object, reply, fault);
    }
    if (!strcmp(name, "resign")) {
        reply->type = REPLY_RESIGN;
    } else if (!strcmp(name, "draw")) {
        reply->type = REPLY_DRAW_OFFER;
        return read_draw(object, reply, fault);
    }
    return true;
}
