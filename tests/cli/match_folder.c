#include "match_folder.h"

#include <dirent.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

void match_folder_make(char folder[MATCH_FOLDER_MAX]) {
    strcpy(folder, "/tmp/ensign-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

void match_folder_remove(const char *folder) {
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));)
        unlinkat(dirfd(files), entry->d_name, 0);
    if (files) closedir(files);
    rmdir(folder);
}

char *match_folder_file(const char *in_folder, const char *name, size_t *length) {
    char path[512];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", in_folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &about)) fail_msg("%s", path);
    char *bytes = calloc(1, (size_t)about.st_size + 1);
    *length = fread(bytes, 1, (size_t)about.st_size, file);
    fclose(file);
    return bytes;
}

static int append_row(void *text, int count, char **values, char **names) {
    (void)names;
    for (int i = 0; i < count; i++) fprintf(text, "%s|", values[i] ? values[i] : "NULL");
    fprintf(text, "\n");
    return 0;
}

char *match_folder_query(const char *in_folder, const char *sql) {
    char path[128], *text = NULL;
    size_t length;
    sqlite3 *database;
    snprintf(path, sizeof path, "%s/match.sqlite", in_folder);
    FILE *out = open_memstream(&text, &length);
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL)) fail_msg("%s", path);
    sqlite3_busy_timeout(database, 10000); /* a match may be writing */
    if (sqlite3_exec(database, sql, append_row, out, NULL))
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    sqlite3_close(database);
    fclose(out);
    return text;
}

void match_folder_assert_same(const char *one, const char *other) {
    static const char *const sql[] = {"SELECT * FROM game ORDER BY number",
                                      "SELECT * FROM player ORDER BY number",
                                      "SELECT * FROM source ORDER BY path"};
    for (int i = 0; i < 3; i++) {
        char *rows[2] = {match_folder_query(one, sql[i]), match_folder_query(other, sql[i])};
        assert_string_equal(rows[0], rows[1]);
        free(rows[0]);
        free(rows[1]);
    }
    int files[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        DIR *list = opendir(i ? other : one);
        for (struct dirent *entry; (entry = readdir(list));) {
            if (entry->d_name[0] == '.' || !strcmp(entry->d_name, "match.sqlite")) continue;
            size_t length[2];
            char *bytes[2] = {match_folder_file(one, entry->d_name, &length[0]),
                              match_folder_file(other, entry->d_name, &length[1])};
            assert_int_equal(length[0], length[1]);
            assert_memory_equal(bytes[0], bytes[1], length[0]);
            free(bytes[0]);
            free(bytes[1]);
            files[i]++;
        }
        closedir(list);
    }
    assert_int_equal(files[0], files[1]);
}

int match_folder_games(const char *in_folder) {
    char *text = match_folder_query(in_folder, "SELECT count(*) FROM game");
    int count = atoi(text);
    free(text);
    return count;
}
