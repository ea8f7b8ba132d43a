/* Texts checked and files listed by processes of a stem. */
#include "host/check/inspect_json.h"
#include "host/check/unsaved.h"
#include "host/stock.h"
#include "host/wall/stem.h"
#include "processes.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct stem *stem;

static int open_stem(void **state) {
    (void)state;
    stem = stem_open(support_folders(), support_folders(), SANDBOX_DEFAULTS, NULL);
    return stem ? 0 : -1;
}

static int close_stem(void **state) {
    (void)state;
    stem_close(stem);
    return processes_of(getpid(), NULL, 0) == 0 ? 0 : -1;
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const struct inspect_terms BRIEF = {.variant = "duel", .games = 5, .seed = 1, .seconds = 60};

static char *check(const struct inspect_terms *terms, const char *name, const char *text) {
    struct buffer json = buffer_of(1 << 20);
    struct fault fault = {0};
    if (!stem_check(stem, terms, name, text, strlen(text), &json, &fault))
        fail_msg("%s: %s", name, fault.text);
    return buffer_take(&json);
}

static void a_text_gives_the_document_of_the_file(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
    } files[] = {
        {"mine.lua", "return { api = 1, extends = 'duel', title = 'Mine' }"},
        {"calls.lua", "return { api = 1, extends = 'duel', title = 'Calls',\n"
                      "calls = { after_move = function() end } }"},
        {"wrong.lua", "return { api = 1, extends = 'duel',\n  armi = {}, army = { scot = 1 } }"},
        {"syntax.lua", "return {"},
        {"chooser.lua", "return { move = function(view, moves) return moves[1] end }"},
        {"fails.lua", "return { move = function(view, moves) error('on purpose') end }"},
        {"army.txt", "nonsense"},
        {"game.rec", "[Variant \"duel\"]\n[Red \"a\"]\n\n1. a1-a9 *\n"},
        {"mine.md", "# no"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct inspector inspector = {.folders = support_folders(), .terms = BRIEF};
        struct inspection inspection = {0};
        write_text(files[i].name, files[i].text);
        assert_true(inspect_file(&inspector, files[i].name, &inspection));
        unlink(files[i].name);
        json_t *expected =
            json_pack("{s:[o]}", "files", inspect_json_file(files[i].name, &inspection, false));
        char *got = check(&BRIEF, files[i].name, files[i].text);
        json_t *document = json_loads(got, 0, NULL);
        if (!json_equal(document, expected)) fail_msg("%s: %s", files[i].name, got);
        free(got);
        json_decref(document);
        json_decref(expected);
        inspection_clear(&inspection);
        inspector_clear(&inspector);
    }
}

static void a_text_reads_nothing_but_the_search_path(void **state) {
    (void)state;
    char text[256];
    write_text("hidden.lua", "return 'password'");
    snprintf(text, sizeof text, "return { api = 1, extends = '%s/hidden.lua' }", test_folder);
    char *json = check(&BRIEF, "mine.lua", text);
    assert_non_null(strstr(json, "a name on the search path is expected"));
    free(json);
    json =
        check(&BRIEF, "mine.lua", "return { api = 1, extends = 'duel', title = require 'hidden' }");
    assert_non_null(strstr(json, "hidden"));
    assert_null(strstr(json, "password"));
    free(json);
    json = check(&BRIEF, "mine.lua",
                 "return { api = 1, extends = 'duel', title = 'x',\n"
                 "pieces = { saboteur = require 'pieces.saboteur' } }");
    assert_null(strstr(json, "module"));
    free(json);
}

static void a_check_out_of_range_is_refused(void **state) {
    (void)state;
    static const char *const names[] = {"", ".lua", "a/b.lua", "../x.lua", "x\ny.lua"};
    struct buffer json = buffer_of(1 << 20);
    struct fault fault = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(unsaved_may_be_named(names[i]));
        assert_false(stem_check(stem, &BRIEF, names[i], "", 0, &json, &fault));
        assert_int_equal(fault.status, STATUS_USAGE);
    }
    assert_false(stem_check(stem, &BRIEF, "x.lua", "", STEM_TEXT_MAX + 1, &json, &fault));
    assert_non_null(strstr(fault.text, "1048577 bytes"));
    const struct inspect_terms endless = {.seconds = 86401};
    assert_false(stem_check(stem, &endless, "x.lua", "", 0, &json, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    struct buffer small = buffer_of(10);
    assert_false(stem_check(stem, &BRIEF, "x.lua", "return", 6, &small, &fault));
    assert_int_equal(fault.status, STATUS_NO_MEMORY);
    buffer_clear(&small);
    buffer_clear(&json);
}

static void a_large_text_arrives_whole(void **state) {
    (void)state;
    char *text = malloc(STEM_TEXT_MAX + 1);
    assert_non_null(text);
    memset(text, ' ', STEM_TEXT_MAX);
    static const char end[] = "return { api = 1, extends = 'duel', title = 'At the end' }";
    memcpy(text + STEM_TEXT_MAX - sizeof end + 1, end, sizeof end);
    char *json = check(&BRIEF, "large.lua", text);
    assert_non_null(strstr(json, "At the end"));
    free(json);
    free(text);
}

static void the_list_is_that_of_the_search_path(void **state) {
    (void)state;
    struct buffer json = buffer_of(1 << 20);
    const unsigned parts = 1 << STOCK_VARIANTS;
    struct fault fault = {0};
    if (!stem_list(stem, parts, &json, &fault)) fail_msg("%s", fault.text);
    json_t *document = json_loads(json.text, 0, NULL);
    json_t *expected = stock_json(support_folders(), parts, &fault);
    assert_true(json_equal(document, expected));
    assert_null(json_object_get(document, "bots"));
    assert_true(json_array_size(json_object_get(document, "variants")) >= 11);
    json_decref(document);
    json_decref(expected);
    buffer_clear(&json);
}

/* In the test folder, which is the current one. */
static char root[256];

static int enter(void **state) {
    if (!getcwd(root, sizeof root)) return -1;
    make_test_folder(state);
    return chdir(test_folder) || open_stem(state);
}

static int leave(void **state) {
    int closed = close_stem(state);
    if (chdir(root)) return -1;
    remove_test_folder(state);
    return closed;
}

#define STEM(test) cmocka_unit_test_setup_teardown(test, open_stem, close_stem)
#define WITHIN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITHIN(a_text_gives_the_document_of_the_file),
        WITHIN(a_text_reads_nothing_but_the_search_path),
        STEM(a_check_out_of_range_is_refused),
        STEM(a_large_text_arrives_whole),
        STEM(the_list_is_that_of_the_search_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
