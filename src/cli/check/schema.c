/* schema.c - turns the rows of the variant format into nested schemas.
 *
 * Each table of the format becomes an object that allows only the keys of its rows; a table whose
 * keys are the author's names allows any name that the loader accepts. */
#include "schema.h"

#include "variant/variant_format.h"

#include <stdio.h>
#include <string.h>

static json_t *schema_table(const char *table);

static json_t *schema_words(const char *words) {
    json_t *list = json_array();
    while (*words) {
        size_t length = strcspn(words, " ");
        json_array_append_new(list, json_stringn(words, length));
        words += length + (words[length] == ' ');
    }
    return json_pack("{s:o}", "enum", list);
}

static json_t *schema_list(json_t *items) {
    return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

static json_t *schema_square(void) {
    return json_pack("{s:[{s:s, s:s}, {s:s, s:i, s:i}]}", "anyOf", "type", "string", "pattern",
                     "^[a-p](1[0-6]|[1-9])$", "type", "integer", "minimum", 1, "maximum", 128);
}

/* The schemas of all values that a field accepts; `below` is the name of its table. */
static json_t *schema_choices(const struct variant_field *field, const char *below) {
    json_t *any = json_array();
    unsigned types = field->types;
    if (types & VALUE_NUMBER) {
        /* The field's range counts characters of a text; a number in its place has up to 4 digits.
         */
        int low = types & VALUE_TEXT ? -999 : field->low;
        int high = types & VALUE_TEXT ? 9999 : field->high;
        json_array_append_new(
            any, json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", low, "maximum", high));
    }
    if ((types & VALUE_TEXT) && field->words) {
        json_array_append_new(any, schema_words(field->words));
    } else if (types & VALUE_TEXT) {
        json_array_append_new(any, json_pack("{s:s, s:i, s:i}", "type", "string", "minLength",
                                             field->low, "maxLength", field->high));
    }
    if (types & VALUE_NAMES)
        json_array_append_new(any, schema_list(json_pack("{s:s}", "type", "string")));
    if (types & VALUE_WORDS) json_array_append_new(any, schema_list(schema_words(field->words)));
    if (types & VALUE_SQUARES) json_array_append_new(any, schema_list(schema_square()));
    if (types & VALUE_TABLE) json_array_append_new(any, schema_table(below));
    if (types & VALUE_ENTRIES) {
        char entries[FAULT_KEY_MAX];
        snprintf(entries, sizeof entries, "%.200s.*", below);
        json_array_append_new(any, schema_list(schema_table(entries)));
    }
    if (types & VALUE_FUNCTION)
        json_array_append_new(any, json_pack("{s:s}", "$ref", "#/$defs/function"));
    if (types & VALUE_BOOLEAN) json_array_append_new(any, json_pack("{s:s}", "type", "boolean"));
    if (types & VALUE_OFF) json_array_append_new(any, json_pack("{s:b}", "const", 0));
    return any;
}

static json_t *schema_field(const struct variant_field *field) {
    char below[FAULT_KEY_MAX], page[FAULT_KEY_MAX];
    snprintf(below, sizeof below, "%.200s%s%.40s", field->table, field->table[0] ? "." : "",
             field->key);
    snprintf(page, sizeof page, "%s", variant_page(below));
    json_t *choices = schema_choices(field, below), *schema;
    if (json_array_size(choices) == 1) {
        schema = json_incref(json_array_get(choices, 0));
        json_decref(choices);
    } else {
        schema = json_pack("{s:o}", "anyOf", choices);
    }
    json_object_set_new(schema, "description", json_string(field->says));
    json_object_set_new(schema, "$comment", json_string(page));
    return schema;
}

static json_t *schema_table(const char *table) {
    json_t *schema = json_pack("{s:s}", "type", "object");
    json_t *properties = json_object(), *needed = json_array(), *others = json_false();
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++) {
        if (strcmp(field->table, table) != 0) continue;
        if (!strcmp(field->key, "*")) {
            json_decref(others);
            others = schema_field(field);
            json_object_set_new(schema, "propertyNames",
                                json_pack("{s:s}", "pattern", "^[a-z][a-z0-9_]{0,30}$"));
            continue;
        }
        json_object_set_new(properties, field->key, schema_field(field));
        /* A required key of any other table may come from the extended variant. */
        if ((field->types & VALUE_NEEDED) && strchr(table, '*'))
            json_array_append_new(needed, json_string(field->key));
    }
    json_object_set_new(schema, "properties", properties);
    json_object_set_new(schema, "additionalProperties", others);
    if (json_array_size(needed)) json_object_set(schema, "required", needed);
    json_decref(needed);
    return schema;
}

json_t *schema_variant(void) {
    json_t *schema = json_pack(
        "{s:s, s:s, s:s, s:{s:{s:s, s:s, s:s}}}", "$schema",
        "https://json-schema.org/draft/2020-12/schema", "title", "Ensign variant", "description",
        "What the table that a variant's file returns may hold; see variants/REFERENCE.md.",
        "$defs", "function", "type", "string", "pattern", "^function", "description",
        "A Lua function; in JSON its text.");
    json_t *table = schema_table("");
    json_object_update(schema, table);
    json_decref(table);
    json_object_set_new(schema, "required", json_pack("[s]", "api"));
    json_object_set_new(schema, "anyOf",
                        json_pack("[{s:[s]}, {s:[s, s, s, s]}]", "required", "extends", "required",
                                  "board", "zone", "army", "pieces"));
    return schema;
}
