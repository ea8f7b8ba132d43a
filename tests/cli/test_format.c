/* The format of variants stands in four places: the loader's table, the JSON Schema made from it,
 * the annotations for editors, and the reference in variants/REFERENCE.md. They name the same keys
 * and words. */
#include "cli/check/schema.h"
#include "core/play/legal.h"
#include "lua/board_lua.h"
#include "variant/answer_lua.h"
#include "variant/position_lua.h"
#include "variant/variant_abilities.h"
#include "variant/variant_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char PAGE[] = ENSIGN_ROOT "/variants/REFERENCE.md";
static const char TYPES[] = ENSIGN_ROOT "/scripts/variant_types.lua";

/* Tables of the format with keys of their own, their class in the annotations, their heading in the
 * reference, and the prefix of their keys there. */
static const struct {
    const char *table, *class, *heading, *before;
} TABLES[] = {
    {"", "Variant", "## Keys", ""},
    {"board", "VariantBoard", "## Keys", "board."},
    {"board.ground.*", "VariantGround", NULL, NULL},
    {"zone", "VariantZone", "## Keys", "zone."},
    {"zone.red", "VariantSideZone", NULL, NULL},
    {"zone.blue", "VariantSideZone", NULL, NULL},
    {"army", "VariantArmy", "## Keys", "army."},
    {"pieces.*.start", "VariantStart", NULL, NULL},
    {"limits", "VariantLimits", "## Keys", "limits."},
    {"counters.*", "VariantCounter", "## Counters and goals", ""},
    {"goal.*", "VariantGoal", NULL, NULL},
    {"goal.*.at", "VariantPlaces", NULL, NULL},
    {"pieces.*", "VariantPiece", "## Pieces", ""},
    {"pieces.*.moves", "VariantWalk", NULL, NULL}, /* stands in the row of `moves` */
    {"pieces.*.abilities.*", "VariantAbility", "## Abilities", ""},
    {"setup", "VariantArmies", NULL, NULL}, /* in the row of the key */
    {"fall_of.*", "VariantFall", NULL, NULL},
    {"calls", "VariantCalls", "## Calls", ""},
    {"tests.*", "VariantTest", "## Tests", ""},
    {"tests.*.counters.*", "VariantTestCounter", NULL, NULL},
};
enum { TABLE_COUNT = sizeof TABLES / sizeof TABLES[0] };

static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 18) - 1, file);
    assert_true(length > 0 && length < (1 << 18) - 1);
    fclose(file);
    return text;
}

static bool has_row(const char *table, const char *key) {
    const struct variant_field *field = variant_field_find(table, key);
    return field && strcmp(field->key, key) == 0;
}

static int table_of(const char *table) {
    for (int i = 0; i < TABLE_COUNT; i++)
        if (strcmp(TABLES[i].table, table) == 0) return i;
    return -1;
}

static void every_row_belongs_to_a_table_that_is_compared_here(void **state) {
    (void)state;
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++) {
        if (strcmp(field->key, "*") == 0) continue;
        if (table_of(field->table) < 0) fail_msg("%s.%s", field->table, field->key);
    }
}

/* Counts the keys of a schema and of all schemas in it; each must have a row. */
static int compare_schema(json_t *schema, const char *table) {
    int keys = 0;
    const char *key;
    json_t *value, *item;
    size_t index;
    json_object_foreach(json_object_get(schema, "properties"), key, value) {
        char below[FAULT_KEY_MAX];
        if (!has_row(table, key)) fail_msg("the schema has %s in \"%s\"", key, table);
        assert_non_null(json_object_get(value, "description"));
        snprintf(below, sizeof below, "%s%s%s", table, table[0] ? "." : "", key);
        keys += 1 + compare_schema(value, below);
    }
    json_t *others = json_object_get(schema, "additionalProperties");
    if (json_is_object(others)) {
        char below[FAULT_KEY_MAX];
        snprintf(below, sizeof below, "%s%s*", table, table[0] ? "." : "");
        keys += 1 + compare_schema(others, below);
    }
    json_array_foreach(json_object_get(schema, "anyOf"), index, item) {
        keys += compare_schema(item, table);
    }
    json_t *items = json_object_get(schema, "items");
    if (json_is_object(items)) {
        char below[FAULT_KEY_MAX];
        snprintf(below, sizeof below, "%s.*", table);
        keys += compare_schema(items, below);
    }
    return keys;
}

static void the_schema_has_every_row_once_and_nothing_else(void **state) {
    (void)state;
    int rows = 0;
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++) rows++;
    json_t *schema = schema_variant();
    assert_int_equal(compare_schema(schema, ""), rows);
    assert_string_equal(json_string_value(json_object_get(schema, "$schema")),
                        "https://json-schema.org/draft/2020-12/schema");
    json_decref(schema);
}

/* Counts the fields of a class; each must have a row. */
static int compare_class(const char *text, int table) {
    char head[96];
    int fields = 0;
    snprintf(head, sizeof head, "---@class %s\n", TABLES[table].class);
    const char *at = strstr(text, head);
    if (!at) fail_msg("no %s", head);
    for (at += strlen(head); strncmp(at, "---@field ", 10) == 0; at = strchr(at, '\n') + 1) {
        char key[64];
        snprintf(key, sizeof key, "%.*s", (int)strcspn(at + 10, "? "), at + 10);
        if (!has_row(TABLES[table].table, key))
            fail_msg("class %s has %s, which no file may have", TABLES[table].class, key);
        fields++;
    }
    return fields;
}

static int rows_of(const char *table) {
    int rows = 0;
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++)
        rows += strcmp(field->table, table) == 0 && strcmp(field->key, "*") != 0;
    return rows;
}

static void the_annotations_have_every_key_and_no_other(void **state) {
    (void)state;
    char *text = read_text(TYPES);
    for (int i = 0; i < TABLE_COUNT; i++) {
        int fields = compare_class(text, i);
        if (fields != rows_of(TABLES[i].table))
            fail_msg("class %s has %d fields of %d", TABLES[i].class, fields,
                     rows_of(TABLES[i].table));
    }
    free(text);
}

/* The row of a key below the heading, NULL if there is none. Each row names its keys in its first
 * cell: "| `files`, `ranks` | …". */
static const char *reference_row(const char *text, const char *heading, const char *key) {
    char name[96];
    const char *at = strstr(text, heading);
    assert_non_null(at);
    snprintf(name, sizeof name, "`%s`", key);
    for (at = strchr(at, '\n') + 1; at[0] != '#'; at = strchr(at, '\n') + 1) {
        const char *first = strncmp(at, "| `", 3) == 0 ? at + 2 : NULL;
        const char *found = first ? strstr(first, name) : NULL;
        if (found && found < strstr(first, " |")) return at;
    }
    return NULL;
}

static void the_reference_has_every_key(void **state) {
    (void)state;
    char *text = read_text(PAGE);
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++) {
        int table = table_of(field->table);
        char key[96];
        /* A table whose keys have rows of their own needs none. */
        bool spread = strcmp(field->key, "board") == 0 || strcmp(field->key, "zone") == 0 ||
                      strcmp(field->key, "limits") == 0;
        if (strcmp(field->key, "*") == 0 || spread) continue;
        if (!TABLES[table].heading) {
            snprintf(key, sizeof key, "%s = ", field->key);
            if (!strstr(text, key)) fail_msg("%s does not have \"%s\"", PAGE, key);
            continue;
        }
        snprintf(key, sizeof key, "%s%s", TABLES[table].before, field->key);
        const char *row = reference_row(text, TABLES[table].heading, key);
        if (!row) fail_msg("%s does not have \"%s\" below %s", PAGE, key, TABLES[table].heading);
    }
    free(text);
}

static void the_reference_has_no_key_that_no_file_may_have(void **state) {
    (void)state;
    char *text = read_text(PAGE);
    for (int i = 0; i < TABLE_COUNT; i++) {
        if (!TABLES[i].heading || TABLES[i].before[0]) continue;
        const char *at = strstr(text, TABLES[i].heading);
        at = strstr(at, "| key | value |\n");
        for (at = strchr(strchr(at, '\n') + 1, '\n') + 1; *at == '|'; at = strchr(at, '\n') + 1) {
            const char *end = strstr(at, " | ");
            for (const char *name = strchr(at, '`'); name && name < end;) {
                char key[96];
                size_t length = strcspn(name + 1, "`");
                snprintf(key, sizeof key, "%.*s", (int)length, name + 1);
                bool dotted = strchr(key, '.') && !TABLES[i].table[0];
                if (dotted ? !variant_field_of(key) : !has_row(TABLES[i].table, key))
                    fail_msg("%s names %s below %s", PAGE, key, TABLES[i].heading);
                name = strchr(name + length + 2, '`');
            }
        }
    }
    free(text);
}

static void assert_word(const char *path, const char *text, const char *word, size_t length) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)length, word);
    if (!strstr(text, quoted)) fail_msg("%s does not have %s", path, quoted);
}

static void reference_and_annotations_have_every_word(void **state) {
    (void)state;
    char *readme = read_text(PAGE), *types = read_text(TYPES);
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++) {
        for (const char *word = field->words; word && *word;) {
            size_t length = strcspn(word, " ");
            assert_word(PAGE, readme, word, length);
            assert_word(TYPES, types, word, length);
            word += length + (word[length] == ' ');
        }
    }
    free(readme);
    free(types);
}

static void the_reference_names_every_rule_and_reason_that_tests_can_expect(void **state) {
    (void)state;
    char *text = read_text(PAGE);
    const char *rules = reference_row(text, "## Tests", "illegal");
    const char *reasons = reference_row(text, "## Tests", "result");
    for (int verdict = LEGAL + 1; verdict < VERDICT_COUNT; verdict++) {
        const char *name = verdict_name((enum verdict)verdict);
        const char *at = strstr(rules, name);
        if (!at || at > strchr(rules, '\n')) fail_msg("`illegal` does not have %s", name);
    }
    for (int reason = REASON_FLAG; reason < REASON_AGREED; reason++) {
        const char *name = reason_name((enum reason)reason);
        const char *at = strstr(reasons, name);
        if (!at || at > strchr(reasons, '\n')) fail_msg("`reason` does not have %s", name);
    }
    free(text);
}

/* Every method stands behind `mark` in the text, and no other word does. */
static void compare_methods(const char *path, const char *mark, const luaL_Reg *methods) {
    char *text = read_text(path), words[64];
    for (const luaL_Reg *method = methods; method->name; method++) {
        snprintf(words, sizeof words, "%s%s(", mark, method->name);
        if (!strstr(text, words)) fail_msg("%s does not have %s", path, words);
    }
    for (const char *at = text; (at = strstr(at, mark));) {
        at += strlen(mark);
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
        bool found = false;
        for (const luaL_Reg *method = methods; method->name; method++)
            found |= strlen(method->name) == length && memcmp(method->name, at, length) == 0;
        if (!found) fail_msg("%s has %s%.*s", path, mark, (int)length, at);
    }
    free(text);
}

static void reference_and_annotations_have_every_method(void **state) {
    (void)state;
    compare_methods(PAGE, "`board:", BOARD_METHODS);
    compare_methods(TYPES, "function board:", BOARD_METHODS);
    compare_methods(PAGE, "`position:", POSITION_METHODS);
    compare_methods(TYPES, "function position:", POSITION_METHODS);
}

/* Every word stands in the reference from `heading` on as "MARK word", and is a field of the class.
 */
static void compare_effects(const char *heading, const char *mark, const char *class,
                            const char *(*word)(int index)) {
    char *readme = read_text(PAGE), *types = read_text(TYPES), words[96];
    const char *page = strstr(readme, heading);
    snprintf(words, sizeof words, "---@class %s", class);
    const char *fields = strstr(types, words);
    assert_true(page && fields);
    for (int i = 0; word(i); i++) {
        snprintf(words, sizeof words, "%s%s", mark, word(i));
        if (!strstr(page, words)) fail_msg("%s does not have %s", PAGE, words);
        snprintf(words, sizeof words, "---@field %s?", word(i));
        const char *at = strstr(fields, words);
        if (!at || at > strstr(fields, "\n\n")) fail_msg("%s lacks %s", class, words);
    }
    free(readme);
    free(types);
}

static void reference_and_annotations_have_every_effect(void **state) {
    (void)state;
    compare_effects("## Abilities", "`", "AbilityEffects", variant_abilities_effect);
    compare_effects("## Calls", "`{ ", "Effect ", answer_effect);
}

static void the_settings_for_editors_are_json(void **state) {
    (void)state;
    json_t *settings = json_load_file(ENSIGN_ROOT "/.luarc.json", 0, NULL);
    assert_true(json_is_array(json_object_get(settings, "workspace.library")));
    json_decref(settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_belongs_to_a_table_that_is_compared_here),
        cmocka_unit_test(the_schema_has_every_row_once_and_nothing_else),
        cmocka_unit_test(the_annotations_have_every_key_and_no_other),
        cmocka_unit_test(the_reference_has_every_key),
        cmocka_unit_test(the_reference_has_no_key_that_no_file_may_have),
        cmocka_unit_test(reference_and_annotations_have_every_word),
        cmocka_unit_test(the_reference_names_every_rule_and_reason_that_tests_can_expect),
        cmocka_unit_test(reference_and_annotations_have_every_method),
        cmocka_unit_test(reference_and_annotations_have_every_effect),
        cmocka_unit_test(the_settings_for_editors_are_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
