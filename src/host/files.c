/* files.c - whole files read and written.
 *
 * Nothing is ever read without a ceiling, and nothing that exists is overwritten by accident:
 * results of long work go to new files, or take another's place in one step. */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_BYTES = 16384 };

static char *read_all(FILE *in, const char *shown, size_t ceiling, size_t *length,
                      struct fault *fault) {
    size_t size = FIRST_BYTES, used = 0;
    char *text = malloc(size);
    while (text) {
        used += fread(text + used, 1, size - 1 - used, in);
        if (used > ceiling) {
            fault_set(fault, STATUS_TEXT, "is too long: at most %zu bytes are expected", ceiling);
            break;
        }
        if (used < size - 1) {
            if (ferror(in)) {
                fault_set(fault, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
                break;
            }
            text[used] = 0;
            *length = used;
            return text;
        }
        char *more = realloc(text, size *= 2);
        if (!more) free(text);
        text = more;
    }
    if (!text) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    fault_place(fault, shown, 0, 0);
    free(text);
    return NULL;
}

char *files_read(const char *path, size_t ceiling, size_t *length, struct fault *fault) {
    if (!strcmp(path, "-")) return read_all(stdin, "standard input", ceiling, length, fault);
    struct stat about;
    FILE *in = NULL;
    if (stat(path, &about) || !(in = fopen(path, "rb"))) {
        bool absent = errno == ENOENT || errno == ENOTDIR;
        fault_set(fault, absent ? STATUS_NOT_FOUND : STATUS_SYSTEM, "%s",
                  absent ? "no such file" : strerror(errno));
    } else if (S_ISDIR(about.st_mode)) {
        fault_set(fault, STATUS_NOT_FOUND, "is a folder; a file is expected");
    } else {
        char *text = read_all(in, path, ceiling, length, fault);
        fclose(in);
        return text;
    }
    if (in) fclose(in);
    fault_place(fault, path, 0, 0);
    return NULL;
}

/* `mode` is that of fopen(). */
static bool write_file(const char *path, const char *mode, const char *text, size_t length,
                       struct fault *fault) {
    FILE *out = fopen(path, mode);
    bool written = out && fwrite(text, 1, length, out) == length;
    int error = errno;
    if (out && fclose(out) && written) {
        written = false;
        error = errno;
    }
    if (!written && !out && error == EEXIST) {
        fault_set(fault, STATUS_USAGE, "is there already; remove it, or name another place");
    } else if (!written) {
        fault_set(fault, STATUS_SYSTEM, "cannot be written: %s", strerror(error));
    }
    if (!written) fault_place(fault, path, 0, 0);
    return written;
}

bool files_write_new(const char *path, const char *text, size_t length, struct fault *fault) {
    return write_file(path, "wbx", text, length, fault);
}

bool files_replace(const char *path, const char *text, size_t length, struct fault *fault) {
    char part[PATH_MAX];
    int needed = snprintf(part, sizeof part, "%s.part", path);
    if (needed < 0 || needed >= PATH_MAX) {
        fault_set(fault, STATUS_SYSTEM, "the path is too long");
    } else if (!write_file(part, "wb", text, length, fault)) {
        return false;
    } else if (rename(part, path) == 0) {
        return true;
    } else {
        fault_set(fault, STATUS_SYSTEM, "cannot be written: %s", strerror(errno));
    }
    fault_place(fault, path, 0, 0);
    return false;
}

bool files_folder(const char *path, struct fault *fault) {
    struct stat about;
    if (!mkdir(path, 0777)) return true;
    int error = errno;
    if (error == EEXIST && !stat(path, &about)) {
        if (S_ISDIR(about.st_mode)) return true;
        fault_set(fault, STATUS_USAGE, "is a file; a folder is expected");
    } else {
        fault_set(fault, STATUS_SYSTEM, "the folder cannot be made: %s", strerror(error));
    }
    fault_place(fault, path, 0, 0);
    return false;
}

bool files_empty_folder(const char *path, struct fault *fault) {
    DIR *folder = NULL;
    if (!files_folder(path, fault)) return false;
    if (!(folder = opendir(path))) {
        fault_set(fault, STATUS_SYSTEM, "the folder cannot be read: %s", strerror(errno));
    } else {
        bool empty = true;
        for (struct dirent *entry; (entry = readdir(folder));) {
            if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) empty = false;
        }
        closedir(folder);
        if (empty) return true;
        fault_set(fault, STATUS_USAGE, "the folder is not empty; a new or empty one is expected");
    }
    fault_place(fault, path, 0, 0);
    return false;
}
