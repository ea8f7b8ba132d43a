/* test_language.c - files of languages as they are loaded, and texts filled in. */
#include "lua/language.h"
#include "variant/variant.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define LANGUAGE(kinds, texts)                                                                     \
    "return { api = 1, name = 'Probe', kinds = { " kinds " }, texts = { " texts " } }\n"

static struct folders folders;

static struct language *load(const char *text, struct fault *fault) {
    char path[] = "/tmp/ensign-XXXXXX.lua";
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    memset(fault, 0, sizeof *fault);
    struct language *language = language_load(&folders, path, fault);
    unlink(path);
    return language;
}

static void assert_refused(const char *text, int line, const char *why) {
    struct fault fault;
    struct language *language = load(text, &fault);
    assert_null(language);
    if (!strstr(fault.text, why)) fail_msg("\"%s\" does not say \"%s\"", fault.text, why);
    assert_int_equal(fault.line, line);
    assert_int_equal(status_exit_code(fault.status), 1);
}

static void a_text_is_translated_or_stays_english(void **state) {
    (void)state;
    struct fault fault;
    struct language *language =
        load(LANGUAGE("", "['Red'] = 'Rot', ['A draw.'] = 'Remis.'"), &fault);
    assert_non_null(language);
    assert_string_equal(language_text(language, "A draw."), "Remis.");
    assert_string_equal(language_text(language, "Blue"), "Blue");
    assert_string_equal(language_text(NULL, "Red"), "Red");
    assert_string_equal(language_side(language, RED), "Rot");
    assert_string_equal(language_name(language), "Probe");
    assert_string_equal(language_tag(NULL), "en");
    language_free(language);
}

static void placeholders_are_filled_in_any_order(void **state) {
    (void)state;
    char out[64];
    struct fault fault;
    struct language *language = load(LANGUAGE("", "['{1} takes {2}'] = '{2} x {1} ({2})'"), &fault);
    language_write(out, sizeof out, language, "{1} takes {2}", "A", "B");
    assert_string_equal(out, "B x A (B)");
    language_fill(out, sizeof out, "{1}{3}{x}{0}{", "A");
    assert_string_equal(out, "A{x}{0}{");
    language_fill(out, sizeof out, "{1}", "%s%n{1}");
    assert_string_equal(out, "%s%n{1}");
    assert_string_equal(NUMBER_TEXT(4000), "4000");
    language_free(language);
}

static void what_does_not_fit_is_cut_between_characters(void **state) {
    (void)state;
    char out[8];
    assert_int_equal(language_fill(out, sizeof out, "a{1}b", "ЖЖЖЖ"), 7);
    assert_string_equal(out, "aЖЖЖ");
    assert_int_equal(language_fill(out, 7, "a{1}b", "ЖЖЖЖ"), 6 - 1);
    assert_string_equal(out, "aЖЖ");
}

static void a_file_that_would_lose_something_is_refused(void **state) {
    (void)state;
    assert_refused(LANGUAGE("", "\n['{1} wins'] = 'gewonnen'"), 2, "lacks {1}");
    assert_refused(LANGUAGE("", "['wins'] = '{2} gewinnt'"), 1, "has no {2}");
    assert_refused(LANGUAGE("", "['wins'] = ''"), 1, "expected a text of 1 to 2047 bytes");
    assert_refused(LANGUAGE("", "['wins'] = 3"), 1, "expected a text");
    assert_refused(LANGUAGE("", "['wins'] = 'a\\nb'"), 1, "on one line");
    assert_refused(LANGUAGE("", "['wins'] = '\\xff'"), 1, "on one line");
    assert_refused(LANGUAGE("flag = ('x'):rep(64)", ""), 1, "1 to 63 bytes");
    assert_refused("return { api = 2, name = 'x', kinds = {}, texts = {} }", 1, "api is not 1");
    assert_refused("return { api = 1, kinds = {}, texts = {} }", 1, "name: expected");
    assert_refused("return { api = 1, name = 'x', texts = {} }", 1, "kinds is missing");
    assert_refused("return { api = 1,\n name = 'x', kinds = {},\n text = {} }", 3,
                   "did you mean \"texts\"");
    assert_refused("return 3", 1, "expected a table");
    assert_refused("return {\n!", 2, "unexpected symbol");
    assert_refused("while true do end", 1, "fuel");
}

static void texts_of_the_page_are_a_part_of_their_own(void **state) {
    (void)state;
    struct fault fault;
    struct language *language =
        load("return { api = 1, name = 'Probe', kinds = {}, texts = { Red = 'Rot' },\n"
             "  page = { { Blue = 'Blau' } } }",
             &fault);
    const char *key, *text;
    assert_non_null(language);
    assert_string_equal(language_text(language, "Red"), "Rot");
    assert_string_equal(language_text(language, "Blue"), "Blau");
    assert_int_equal(language_count(language, LANGUAGE_TEXTS), 1);
    assert_int_equal(language_count(language, LANGUAGE_PAGE), 1);
    language_entry(language, LANGUAGE_PAGE, 0, &key, &text);
    assert_string_equal(key, "Blue");
    assert_string_equal(text, "Blau");
    language_free(language);
    assert_refused("return { api = 1, name = 'x', kinds = {}, texts = {},\n page = 3 }", 2,
                   "page is a number, expected a list of tables");
}

static void texts_may_stand_in_further_tables(void **state) {
    (void)state;
    struct fault fault;
    struct language *language =
        load("return { api = 1, name = 'Probe', kinds = {}, texts = { Red = 'Rot' },\n"
             "  more = { { Blue = 'Blau' }, { no = 'nein' } } }",
             &fault);
    assert_non_null(language);
    assert_string_equal(language_text(language, "Red"), "Rot");
    assert_string_equal(language_text(language, "Blue"), "Blau");
    assert_string_equal(language_text(language, "no"), "nein");
    language_free(language);
    assert_refused("return { api = 1, name = 'x', kinds = {}, texts = {},\n more = 3 }", 2,
                   "more is a number, expected a list of tables");
    assert_refused("return { api = 1, name = 'x', kinds = {}, texts = {}, more = { 3 } }", 1,
                   "more is number, expected a table");
    assert_refused("return { api = 1, name = 'x', kinds = {}, texts = {},\n"
                   "  more = { { ['{1} wins'] = 'gewonnen' } } }",
                   2, "lacks {1}");
}

static void an_unknown_language_is_not_found(void **state) {
    (void)state;
    struct fault fault = {0};
    assert_null(language_load(&folders, "ukr", &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    assert_non_null(strstr(fault.text, "did you mean \"uk\""));
}

static void a_piece_is_called_as_its_variant_says(void **state) {
    (void)state;
    static const char variant[] =
        "return { api = 1, extends = 'duel', title = 'Riders', names = { xx = 'Ixen' },\n"
        "  army = { night_scout = 1, miner = 1 },\n"
        "  pieces = { night_scout = { letter = 'N', names = { xx = 'Iks' } },\n"
        "             marshal = { names = { en = 'King' } } } }";
    struct fault fault;
    struct rules *rules =
        variant_load_text(&folders, "riders.lua", variant, sizeof variant - 1, &fault);
    assert_non_null(rules);
    struct language *language = load(LANGUAGE("marshal = 'M', flag = 'Fahne'", ""), &fault);
    kind_id scout = rules_kind(rules, "night_scout", 11), marshal = rules_kind(rules, "M", 1);
    assert_string_equal(language_kind(NULL, rules, scout), "Night scout");
    assert_string_equal(language_kind(NULL, rules, marshal), "King");
    assert_string_equal(language_kind(language, rules, marshal), "M");
    assert_string_equal(language_kind(language, rules, rules_kind(rules, "F", 1)), "Fahne");
    assert_string_equal(language_kind(language, rules, scout), "Night scout");
    assert_string_equal(language_kind(language, rules, rules_kind(rules, "S", 1)), "Spy");
    assert_string_equal(language_kind(NULL, rules, KIND_NONE), "Piece");
    assert_string_equal(language_title(language, rules), "Riders");
    assert_string_equal(rules_called(rules, KIND_NONE, "xx"), "Ixen");
    assert_string_equal(rules_called(rules, scout, "xx"), "Iks");
    assert_null(rules_called(rules, marshal, "xx"));
    language_free(language);
    rules_free(rules);
}

static void a_title_in_other_languages_is_not_inherited(void **state) {
    (void)state;
    static const char variant[] = "return { api = 1, extends = './tests/data/named.lua' }";
    struct fault fault;
    struct rules *rules =
        variant_load_text(&folders, "./x.lua", variant, sizeof variant - 1, &fault);
    if (!rules) fail_msg("%s", fault.text);
    assert_null(rules_called(rules, KIND_NONE, "es"));
    assert_string_equal(rules_called(rules, rules_kind(rules, "F", 1), "es"), "Corona");
    rules_free(rules);
}

/* The text between "```lua" and "```" behind a heading. */
static char *example_of(const char *path, const char *heading) {
    static char page[1 << 16];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    char *section = strstr(page, heading), *text = section ? strstr(section, "```lua\n") : NULL;
    char *end = text ? strstr(text + 7, "```") : NULL;
    assert_non_null(end);
    *end = 0;
    return text + 7;
}

static void the_example_of_the_page_is_a_language(void **state) {
    (void)state;
    struct fault fault;
    struct language *language =
        load(example_of(ENSIGN_ROOT "/scripts/README.md", "## Languages"), &fault);
    if (!language) fail_msg("line %d: %s", fault.line, fault.text);
    assert_string_equal(language_text(language, "Red wins."), "Rot gewinnt.");
    language_free(language);
}

int main(void) {
    struct fault fault;
    if (!folders_find(&folders, &fault)) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_translated_or_stays_english),
        cmocka_unit_test(placeholders_are_filled_in_any_order),
        cmocka_unit_test(what_does_not_fit_is_cut_between_characters),
        cmocka_unit_test(a_file_that_would_lose_something_is_refused),
        cmocka_unit_test(texts_may_stand_in_further_tables),
        cmocka_unit_test(texts_of_the_page_are_a_part_of_their_own),
        cmocka_unit_test(an_unknown_language_is_not_found),
        cmocka_unit_test(a_piece_is_called_as_its_variant_says),
        cmocka_unit_test(the_example_of_the_page_is_a_language),
        cmocka_unit_test(a_title_in_other_languages_is_not_inherited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
