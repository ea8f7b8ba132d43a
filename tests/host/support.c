#include "support.h"

#include "variant/variant.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

const struct folders *support_folders(void) {
    static struct folders folders;
    struct fault fault = {0};
    if (!folders.count && !folders_find(&folders, &fault)) fail_msg("%s", fault.text);
    return &folders;
}

struct rules *support_rules(const char *name) {
    struct fault fault = {0};
    struct rules *rules = variant_load(support_folders(), name, &fault);
    if (!rules) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    return rules;
}

struct rules *duel;

int load_duel(void **state) {
    (void)state;
    duel = support_rules("duel");
    return 0;
}

int drop_duel(void **state) {
    (void)state;
    rules_free(duel);
    return 0;
}

const char *support_data(void) {
    static char path[1024];
    const char *shared = getenv("ENSIGN_SHARED");
    struct stat about;
    if (shared)
        snprintf(path, sizeof path, "%s/data", shared);
    else
        snprintf(path, sizeof path, "%s/../shared/data", ENSIGN_ROOT);
    return stat(path, &about) ? NULL : path;
}

struct record *support_record(const char *text) {
    struct fault fault = {0};
    struct record *record = record_read(text, strlen(text), &fault);
    assert_non_null(record);
    if (record->damaged) fail_msg("%d:%d: %s", fault.line, fault.column, fault.text);
    return record;
}

void support_folder(char path[64]) {
    snprintf(path, 64, "/tmp/ensign-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

void support_remove(const char *path) {
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char file[512];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        unlink(file); /* does nothing to "." and ".." */
    }
    closedir(folder);
    assert_int_equal(rmdir(path), 0);
}

char test_folder[64];

int make_test_folder(void **state) {
    (void)state;
    support_folder(test_folder);
    return 0;
}

int remove_test_folder(void **state) {
    (void)state;
    support_remove(test_folder);
    return 0;
}
