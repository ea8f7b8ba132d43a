/* The memory between a match and the disk. */
#include "host/match/sources.h"

#include "base/files.h"
#include "support.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], path[128];

static int make_folder(void **state) {
    (void)state;
    support_folder(folder);
    snprintf(path, sizeof path, "%s/bot.lua", folder);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    support_remove(folder);
    return 0;
}

static void write_file(const char *text) {
    struct fault fault = {0};
    if (!files_replace(path, text, strlen(text), &fault)) fail_msg("%s", fault.text);
}

static void expect_text(struct sources *sources, const char *text) {
    const struct reader *reader = sources_reader(sources);
    char bytes[64] = {0};
    assert_int_equal(reader->size(reader->context, path), strlen(text));
    assert_int_equal(reader->read(reader->context, path, bytes, sizeof bytes), strlen(text));
    assert_string_equal(bytes, text);
}

static void a_file_that_changes_is_read_as_it_was(void **state) {
    (void)state;
    struct sources *sources = sources_open(&READER_DISK);
    write_file("return 1");
    expect_text(sources, "return 1");
    write_file("return 1000");
    expect_text(sources, "return 1");
    unlink(path);
    expect_text(sources, "return 1");
    sources_close(sources);
}

static void a_file_that_was_not_there_stays_away(void **state) {
    (void)state;
    struct sources *sources = sources_open(&READER_DISK);
    const struct reader *reader = sources_reader(sources);
    assert_int_equal(reader->size(reader->context, path), -1);
    write_file("return 1");
    assert_int_equal(reader->size(reader->context, path), -1);
    char byte;
    assert_int_equal(reader->read(reader->context, path, &byte, 1), -1);
    sources_close(sources);
}

/* Scripts choose the names of the modules that they ask for, and must not take the room of others.
 */
static void names_of_missing_files_leave_room_for_files(void **state) {
    (void)state;
    struct sources *sources = sources_open(&READER_DISK);
    const struct reader *reader = sources_reader(sources);
    for (int i = 0; i < 10000; i++) {
        char missing[160];
        snprintf(missing, sizeof missing, "%s/none%d.lua", folder, i);
        assert_int_equal(reader->size(reader->context, missing), -1);
    }
    write_file("return 1");
    expect_text(sources, "return 1");
    sources_close(sources);
}

static uint64_t digest(struct sources *sources) {
    const struct reader *reader = sources_reader(sources);
    char bytes[64];
    sources_begin(sources);
    reader->read(reader->context, path, bytes, sizeof bytes);
    return sources_end(sources);
}

static void a_digest_tells_contents_apart(void **state) {
    (void)state;
    uint64_t hash[3];
    static const char *const texts[3] = {"return 1", "return 2", "return 1"};
    for (int i = 0; i < 3; i++) {
        struct sources *sources = sources_open(&READER_DISK);
        write_file(texts[i]);
        hash[i] = digest(sources);
        assert_true(digest(sources) == hash[i]); /* also when it comes from memory */
        sources_close(sources);
    }
    assert_true(hash[0] == hash[2] && hash[0] != hash[1]);
}

static void what_differs_from_the_store_is_named(void **state) {
    (void)state;
    struct fault fault = {0};
    char stored[128];
    support_folder(stored);
    struct store *store = store_create(stored, &fault);
    struct sources *sources = sources_open(&READER_DISK);
    write_file("return 1");
    expect_text(sources, "return 1");
    assert_true(sources_note(sources, "list.txt", "M", 1));
    assert_true(sources_note_program(sources, &fault));
    assert_true(sources_keep(sources, store, &fault));
    sources_close(sources);

    sources = sources_open(&READER_DISK);
    assert_true(sources_note(sources, "list.txt", "M", 1));
    assert_true(sources_note_program(sources, &fault));
    if (!sources_agree(sources, store, &fault)) fail_msg("%s", fault.text);
    sources_close(sources);

    sources = sources_open(&READER_DISK);
    write_file("return 2");
    assert_true(sources_note(sources, "list.txt", "N", 1));
    assert_true(sources_note(sources, SOURCES_PROGRAM, "other", 5));
    assert_true(sources_note(sources, "new.txt", "M", 1));
    assert_false(sources_agree(sources, store, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    const char *const named[] = {path, "list.txt", "the program itself", "new.txt"};
    for (int i = 0; i < 4; i++)
        if (!strstr(fault.text, named[i])) fail_msg("%s: %s", named[i], fault.text);
    sources_close(sources);
    store_close(store);
    support_remove(stored);
}

static void files_beyond_those_that_are_named_are_not_looked_for(void **state) {
    (void)state;
    enum { FILES = 100 };
    struct fault fault = {0};
    char stored[128], name[32];
    support_folder(stored);
    struct store *store = store_create(stored, &fault);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "/nowhere/%03d", i);
        assert_true(store_put_source(store, name, 1, &fault));
    }
    struct sources *sources = sources_open(&READER_DISK);
    assert_false(sources_agree(sources, store, &fault));
    assert_non_null(strstr(fault.text, "/nowhere/003 and others"));
    assert_int_equal(sources_size(sources, "/nowhere/004"), -1);
    assert_int_equal(sources_size(sources, "/nowhere/005"), SOURCES_UNREAD);
    sources_close(sources);
    store_close(store);
    support_remove(stored);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_that_changes_is_read_as_it_was, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_file_that_was_not_there_stays_away, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(names_of_missing_files_leave_room_for_files, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_digest_tells_contents_apart, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_differs_from_the_store_is_named, make_folder,
                                        remove_folder),
        cmocka_unit_test(files_beyond_those_that_are_named_are_not_looked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
