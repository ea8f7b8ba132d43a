/* Texts that somebody sends to have them checked. */
#include "host/check/inspect_json.h"
#include "host/check/unsaved.h"
#include "support.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const struct inspect_terms BRIEF = {.variant = "duel", .games = 5, .seed = 1, .seconds = 60};

static json_t *check_sent(const struct inspect_terms *terms, const char *name, const char *text) {
    struct fault fault = {0};
    json_t *document =
        inspect_json_text(support_folders(), terms, name, text, strlen(text), &fault);
    if (!document) fail_msg("%s: %s", name, fault.text);
    return document;
}

static char *check(const struct inspect_terms *terms, const char *name, const char *text) {
    json_t *document = check_sent(terms, name, text);
    char *json = json_dumps(document, JSON_COMPACT);
    json_decref(document);
    return json;
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
        json_t *document = check_sent(&BRIEF, files[i].name, files[i].text);
        if (!json_equal(document, expected)) fail_msg("%s", files[i].name);
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
    const struct folders *folders = support_folders();
    struct fault fault = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(unsaved_may_be_named(names[i]));
        assert_null(inspect_json_text(folders, &BRIEF, names[i], "", 0, &fault));
        assert_int_equal(fault.status, STATUS_USAGE);
    }
    assert_null(inspect_json_text(folders, &BRIEF, "x.lua", "", INSPECT_TEXT_MAX + 1, &fault));
    assert_non_null(strstr(fault.text, "1048577 bytes"));
    const struct inspect_terms endless = {.seconds = 86401};
    assert_null(inspect_json_text(folders, &endless, "x.lua", "", 0, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
}

static void a_large_text_arrives_whole(void **state) {
    (void)state;
    char *text = malloc(INSPECT_TEXT_MAX + 1);
    assert_non_null(text);
    memset(text, ' ', INSPECT_TEXT_MAX);
    static const char end[] = "return { api = 1, extends = 'duel', title = 'At the end' }";
    memcpy(text + INSPECT_TEXT_MAX - sizeof end + 1, end, sizeof end);
    char *json = check(&BRIEF, "large.lua", text);
    assert_non_null(strstr(json, "At the end"));
    free(json);
    free(text);
}

struct checker {
    pthread_t thread;
    const char *name, *text;
    json_t *document;
};

static void *check_one(void *context) {
    struct checker *checker = context;
    checker->document = inspect_json_text(support_folders(), &BRIEF, checker->name, checker->text,
                                          strlen(checker->text), NULL);
    return NULL;
}

static void texts_are_checked_by_threads_at_once(void **state) {
    (void)state;
    struct checker checkers[] = {
        {.name = "mine.lua", .text = "return { api = 1, extends = 'duel', title = 'Mine' }"},
        {.name = "endless.lua", .text = "while true do end"},
        {.name = "bot.lua",
         .text = "return { api = 1, move = function(v) return v:moves()[1] end }"},
        {.name = "calls.lua",
         .text = "return { api = 1, extends = 'duel', title = 'Calls',\n"
                 "calls = { after_move = function() end } }"}};
    enum { CHECKERS = sizeof checkers / sizeof *checkers };
    for (int i = 0; i < CHECKERS; i++)
        assert_int_equal(pthread_create(&checkers[i].thread, NULL, check_one, &checkers[i]), 0);
    for (int i = 0; i < CHECKERS; i++) {
        assert_int_equal(pthread_join(checkers[i].thread, NULL), 0);
        json_t *alone = check_sent(&BRIEF, checkers[i].name, checkers[i].text);
        if (!json_equal(alone, checkers[i].document)) fail_msg("%s", checkers[i].name);
        json_decref(alone);
        json_decref(checkers[i].document);
    }
}

/* In the test folder, which is the current one. */
static char root[256];

static int enter(void **state) {
    if (!getcwd(root, sizeof root)) return -1;
    make_test_folder(state);
    return chdir(test_folder);
}

static int leave(void **state) {
    return chdir(root) || remove_test_folder(state);
}

#define WITHIN(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITHIN(a_text_gives_the_document_of_the_file),
        WITHIN(a_text_reads_nothing_but_the_search_path),
        cmocka_unit_test(a_check_out_of_range_is_refused),
        cmocka_unit_test(a_large_text_arrives_whole),
        cmocka_unit_test(texts_are_checked_by_threads_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
