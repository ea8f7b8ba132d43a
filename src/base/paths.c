/* paths.c - the parts of a path. */
#include "paths.h"

#include "utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool path_ends(const char *text, const char *ending) {
    size_t length = strlen(text), end = strlen(ending);
    return length > end && !strcmp(text + length - end, ending);
}

bool path_is_meant(const char *word, const char *ending) {
    return strchr(word, '/') || path_ends(word, ending);
}

const char *path_file(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool path_stem(const char *path, char *out, size_t size) {
    const char *file = path_file(path), *dot = strrchr(file, '.');
    int length = (int)(dot && dot > file ? (size_t)(dot - file) : strlen(file));
    return snprintf(out, size, "%.*s", length, file) < (int)size;
}

void path_script_name(const char *path, char *out, size_t size) {
    const char *file = path_file(path), *end = file + strlen(file);
    if (!strcmp(file, "init.lua") && file > path)
        for (end = --file; file > path && file[-1] != '/';) file--;
    else if (path_ends(file, ".lua"))
        end -= strlen(".lua");
    snprintf(out, size, "%.*s", (int)(end - file), file);
    utf8_make_safe(out);
}

bool path_folder(const char *path, char *out, size_t size) {
    const char *slash = strrchr(path, '/');
    int length = !slash || slash == path ? 1 : (int)(slash - path);
    return snprintf(out, size, "%.*s", length, slash ? path : ".") < (int)size;
}

size_t path_of_user(const char *variable, const char *below, char *out, size_t size) {
    const char *named = getenv(variable), *home = getenv("HOME");
    if (named && *named == '/') return (size_t)snprintf(out, size, "%s", named);
    if (!home || *home != '/') return 0;
    return (size_t)snprintf(out, size, "%s%s", home, below);
}

bool path_is_folder(const char *path) {
    struct stat about;
    return !stat(path, &about) && S_ISDIR(about.st_mode);
}

bool path_is_file(const char *path) {
    struct stat about;
    return !stat(path, &about) && S_ISREG(about.st_mode);
}

bool path_is_same(const char *one, const char *other) {
    struct stat first, second;
    if (stat(one, &first) || stat(other, &second)) return !strcmp(one, other);
    return (S_ISREG(first.st_mode) || S_ISDIR(first.st_mode)) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}
