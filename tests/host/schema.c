#include "schema.h"

#include "host/seat/message.h"

#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_TEXT = 256, PATTERNS_MAX = 32 };

/* Where the validator is in the value, and the first reason against it. */
struct fitting {
    char path[PATH_MAX_TEXT];
    char *why;
};

static bool fits(struct fitting *at, const json_t *schema, const json_t *value);

__attribute__((format(printf, 1, 2))) static _Noreturn void schema_broken(const char *form, ...) {
    va_list args;
    va_start(args, form);
    vfprintf(stderr, form, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

const json_t *schema_document(void) {
    static json_t *document;
    json_error_t error;
    if (!document) document = json_loads(message_schema(), JSON_REJECT_DUPLICATES, &error);
    if (!document) schema_broken("schema.json:%d: %s", error.line, error.text);
    return document;
}

static const json_t *schema_definition(const char *name) {
    const json_t *found = json_object_get(json_object_get(schema_document(), "$defs"), name);
    if (!found) schema_broken("schema.json has no definition \"%s\"", name);
    return found;
}

static bool refuse(struct fitting *at, const char *what, const json_t *schema) {
    char *expected = json_dumps(schema, JSON_ENCODE_ANY | JSON_COMPACT);
    snprintf(at->why, SCHEMA_WHY_MAX, "%s: %s %.200s", at->path[0] ? at->path : "the message", what,
             expected ? expected : "");
    free(expected);
    return false;
}

/* Fits a part of the value, which the path then names. */
static bool fits_part(struct fitting *at, const char *name, const json_t *schema,
                      const json_t *value) {
    const size_t length = strlen(at->path);
    snprintf(at->path + length, sizeof at->path - length, "/%s", name);
    bool fit = fits(at, schema, value);
    at->path[length] = 0;
    return fit;
}

static bool is_whole(const json_t *value) {
    return json_is_integer(value) ||
           (json_is_real(value) && floor(json_real_value(value)) == json_real_value(value));
}

static bool is_of_type(const json_t *value, const char *type) {
    if (!strcmp(type, "object")) return json_is_object(value);
    if (!strcmp(type, "array")) return json_is_array(value);
    if (!strcmp(type, "string")) return json_is_string(value);
    if (!strcmp(type, "boolean")) return json_is_boolean(value);
    if (!strcmp(type, "null")) return json_is_null(value);
    if (!strcmp(type, "number")) return json_is_number(value);
    if (!strcmp(type, "integer")) return is_whole(value);
    schema_broken("type \"%s\" is not known", type);
}

static bool fits_type(struct fitting *at, const json_t *type, const json_t *value) {
    bool fit = json_is_string(type) && is_of_type(value, json_string_value(type));
    for (size_t i = 0; i < json_array_size(type); i++)
        fit = fit || is_of_type(value, json_string_value(json_array_get(type, i)));
    return fit || refuse(at, "is not of type", type);
}

static bool is_equal(const json_t *a, const json_t *b) {
    if (json_is_number(a) && json_is_number(b)) return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

static bool fits_enum(struct fitting *at, const json_t *list, const json_t *value) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (is_equal(json_array_get(list, i), value)) return true;
    return refuse(at, "is none of", list);
}

static bool fits_const(struct fitting *at, const json_t *only, const json_t *value) {
    return is_equal(only, value) || refuse(at, "is not", only);
}

static bool fits_properties(struct fitting *at, const json_t *properties, const json_t *value) {
    const char *key;
    json_t *part;
    json_object_foreach((json_t *)value, key, part) {
        const json_t *schema = json_object_get(properties, key);
        if (schema && !fits_part(at, key, schema, part)) return false;
    }
    return true;
}

static bool fits_required(struct fitting *at, const json_t *required, const json_t *value) {
    for (size_t i = 0; json_is_object(value) && i < json_array_size(required); i++)
        if (!json_object_get(value, json_string_value(json_array_get(required, i))))
            return refuse(at, "lacks", json_array_get(required, i));
    return true;
}

static bool fits_items(struct fitting *at, const json_t *items, const json_t *value) {
    for (size_t i = 0; i < json_array_size(value); i++) {
        char name[24];
        snprintf(name, sizeof name, "%zu", i);
        if (!fits_part(at, name, items, json_array_get(value, i))) return false;
    }
    return true;
}

/* Keys that `properties` does not name. */
static bool fits_others(struct fitting *at, const json_t *schema, const json_t *properties,
                        const json_t *value) {
    const char *key;
    json_t *part;
    json_object_foreach((json_t *)value, key, part) {
        if (json_object_get(properties, key) || json_is_true(schema)) continue;
        if (json_is_false(schema)) return fits_part(at, key, schema, part);
        if (!fits_part(at, key, schema, part)) return false;
    }
    return true;
}

/* How many of the schemas fit; the reason against the one that got farthest is kept. */
static size_t count_fitting(struct fitting *at, const json_t *schemas, const json_t *value) {
    char best[SCHEMA_WHY_MAX] = "", why[SCHEMA_WHY_MAX];
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(schemas); i++) {
        struct fitting part = *at;
        part.why = why;
        if (fits(&part, json_array_get(schemas, i), value))
            count++;
        else if (!best[0] || strstr(best, "type: is not \""))
            memcpy(best, why, sizeof best);
    }
    memcpy(at->why, best, sizeof best);
    return count;
}

static size_t count_characters(const char *text) {
    size_t count = 0;
    for (; *text; text++) count += (*text & 0xc0) != 0x80;
    return count;
}

static bool fits_pattern(struct fitting *at, const json_t *schema, const json_t *value) {
    static struct {
        const json_t *schema;
        regex_t compiled;
    } patterns[PATTERNS_MAX];
    size_t i = 0;
    while (i < PATTERNS_MAX && patterns[i].schema && patterns[i].schema != schema) i++;
    if (i == PATTERNS_MAX) schema_broken("more than %d patterns", PATTERNS_MAX);
    if (!patterns[i].schema &&
        regcomp(&patterns[i].compiled, json_string_value(schema), REG_EXTENDED | REG_NOSUB))
        schema_broken("pattern %s", json_string_value(schema));
    patterns[i].schema = schema;
    return !json_is_string(value) ||
           !regexec(&patterns[i].compiled, json_string_value(value), 0, NULL, 0) ||
           refuse(at, "does not match", schema);
}

static bool fits_keyword(struct fitting *at, const char *keyword, const json_t *argument,
                         const json_t *schema, const json_t *value) {
    static const char *const silent[] = {"$schema", "$defs", "title", "description", NULL};
    const double number = json_number_value(value), bound = json_number_value(argument);
    for (int i = 0; silent[i]; i++)
        if (!strcmp(keyword, silent[i])) return true;
    if (!strcmp(keyword, "$ref")) {
        const char *name = json_string_value(argument);
        if (strncmp(name, "#/$defs/", 8) != 0) schema_broken("$ref \"%s\"", name);
        return fits(at, schema_definition(name + 8), value);
    }
    if (!strcmp(keyword, "type")) return fits_type(at, argument, value);
    if (!strcmp(keyword, "enum")) return fits_enum(at, argument, value);
    if (!strcmp(keyword, "const")) return fits_const(at, argument, value);
    if (!strcmp(keyword, "properties")) return fits_properties(at, argument, value);
    if (!strcmp(keyword, "required")) return fits_required(at, argument, value);
    if (!strcmp(keyword, "items")) return fits_items(at, argument, value);
    if (!strcmp(keyword, "additionalProperties"))
        return fits_others(at, argument, json_object_get(schema, "properties"), value);
    if (!strcmp(keyword, "oneOf")) return count_fitting(at, argument, value) == 1;
    if (!strcmp(keyword, "anyOf")) return count_fitting(at, argument, value) > 0;
    if (!strcmp(keyword, "pattern")) return fits_pattern(at, argument, value);
    if (!strcmp(keyword, "minimum"))
        return !json_is_number(value) || number >= bound || refuse(at, "is below", argument);
    if (!strcmp(keyword, "maximum"))
        return !json_is_number(value) || number <= bound || refuse(at, "is above", argument);
    const char *text = json_string_value(value);
    if (!strcmp(keyword, "minLength"))
        return !text || (double)count_characters(text) >= bound ||
               refuse(at, "is shorter than", argument);
    if (!strcmp(keyword, "maxLength"))
        return !text || (double)count_characters(text) <= bound ||
               refuse(at, "is longer than", argument);
    schema_broken("keyword \"%s\" is not known", keyword);
}

static bool fits(struct fitting *at, const json_t *schema, const json_t *value) {
    const char *keyword;
    json_t *argument;
    if (json_is_true(schema)) return true;
    if (json_is_false(schema)) return refuse(at, "is not expected:", value);
    json_object_foreach(
        (json_t *)schema, keyword,
        argument) if (!fits_keyword(at, keyword, argument, schema, value)) return false;
    return true;
}

bool schema_fits(const char *definition, const json_t *value, char why[SCHEMA_WHY_MAX]) {
    struct fitting at = {.why = why};
    why[0] = 0;
    return fits(&at, schema_definition(definition), value);
}

bool schema_fits_line(const char *definition, const char *line, size_t length,
                      char why[SCHEMA_WHY_MAX]) {
    json_error_t error;
    json_t *value = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    if (!value) {
        snprintf(why, SCHEMA_WHY_MAX, "not JSON: %s", error.text);
        return false;
    }
    bool fit = schema_fits(definition, value, why);
    json_decref(value);
    return fit;
}
