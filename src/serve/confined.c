/* confined.c - paths walked with openat(), without following links. */
#define _GNU_SOURCE
#include "confined.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

/* The descriptor, after `next` is opened from it and it is closed. */
static int step(int folder, const char *name, int flags) {
    struct stat found;
    const bool there = !fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW);
    int next = -1, error = errno;
    if (there && S_ISLNK(found.st_mode)) {
        error = ELOOP;
    } else if (there && flags != FOLDER && !S_ISREG(found.st_mode)) {
        error = EISDIR; /* opening a device may have side effects */
    } else if (there) {
        next = openat(folder, name, flags);
        error = errno;
    }
    close(folder);
    errno = error;
    return next;
}

/* Opens a path from a folder, whose descriptor it closes. */
static int walk(int folder, const char *path) {
    while (folder >= 0) {
        char name[FOLDER_PATH_MAX];
        path += strspn(path, "/");
        const size_t length = strcspn(path, "/");
        const bool last = !path[length];
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        if (!length || !strcmp(name, "..") || length >= sizeof name) {
            close(folder);
            errno = EXDEV;
            return -1;
        }
        folder = step(folder, name, last ? O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC : FOLDER);
        if (last) return folder;
        path += length;
    }
    return -1;
}

/* What follows the folder in a path; NULL if it does not begin with that. */
static const char *below(const char *path, const char *folder) {
    const size_t length = strlen(folder);
    return !strncmp(path, folder, length) && path[length] == '/' ? path + length + 1 : NULL;
}

/* As reader_open(), with ELOOP for a link and EXDEV for what lies elsewhere. */
static int open_confined(const struct folders *folders, const char *path) {
    if (*path != '/') return walk(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), path);
    if (below(path, folders->base[folders->installed])) return reader_open(path);
    if (folders->bundles[0] && below(path, folders->bundles)) return reader_open(path);
    for (int i = 0; i < folders->count; i++) {
        const char *base = folders->base[i], *rest = below(path, base);
        if (rest) return walk(open(base, O_PATH | O_DIRECTORY | O_CLOEXEC), rest);
    }
    errno = EXDEV;
    return -1;
}

static long size_of(const struct folders *folders, const char *path) {
    struct stat about;
    const int file = open_confined(folders, path);
    const bool known = file >= 0 && !fstat(file, &about) && S_ISREG(about.st_mode);
    if (file >= 0) close(file);
    return known ? (long)about.st_size : -1;
}

bool confined_is_file(const struct folders *folders, const char *path) {
    return size_of(folders, path) >= 0;
}

static long confined_size(void *context, const char *path) {
    const struct confined *confined = context;
    return size_of(confined->folders, path);
}

/* Reads at most `size` bytes and closes the file. */
static long read_up_to(int file, char *out, size_t size) {
    size_t used = 0;
    ssize_t got = 0;
    while (file >= 0 && used < size && (got = read(file, out + used, size - used)) != 0)
        if (got > 0)
            used += (size_t)got;
        else if (errno != EINTR)
            break;
    if (file < 0) return -1;
    close(file);
    return got < 0 ? -1 : (long)used;
}

static long confined_read_some(void *context, const char *path, char *out, size_t size) {
    const struct confined *confined = context;
    return read_up_to(open_confined(confined->folders, path), out, size);
}

void confined_open(struct confined *confined, const struct folders *folders) {
    *confined = (struct confined){{confined_size, confined_read_some, confined}, folders};
}

static bool refuse(const char *path, int error, struct fault *fault) {
    const bool elsewhere = error == ELOOP || error == EXDEV || error == EISDIR;
    fault_set(fault,
              error == ENOENT ? STATUS_NOT_FOUND
              : elsewhere     ? STATUS_USAGE
                              : STATUS_SYSTEM,
              "%s",
              elsewhere         ? "is not a file of its own; the workshop follows no links"
              : error == ENOENT ? "no such file"
                                : strerror(error));
    fault_place(fault, path, 0, 0);
    return false;
}

char *confined_read(const struct folders *folders, const char *path, size_t ceiling, size_t *length,
                    struct fault *fault) {
    const int file = open_confined(folders, path);
    char *text = file >= 0 ? malloc(ceiling + 2) : NULL;
    if (file < 0 || !text) {
        refuse(path, file < 0 ? errno : ENOMEM, fault);
        if (file >= 0) close(file);
        return NULL;
    }
    const long got = read_up_to(file, text, ceiling + 1);
    if (got >= 0 && (size_t)got <= ceiling) {
        text[got] = 0;
        *length = (size_t)got;
        return text;
    }
    free(text);
    if (got < 0)
        refuse(path, errno, fault);
    else
        fault_set(fault, STATUS_TEXT, "is too long: at most %zu bytes are expected", ceiling);
    fault_place(fault, path, 0, 0);
    return NULL;
}

static bool write_all(int file, const char *text, size_t length) {
    while (length) {
        ssize_t put = write(file, text, length);
        if (put < 0 && errno != EINTR) return false;
        if (put > 0) text += put, length -= (size_t)put;
    }
    return true;
}

/* Gives the draft its name. False with errno. */
static bool name_draft(int folder, const char *draft, const char *name, bool replaces) {
    if (replaces) return !renameat(folder, draft, folder, name);
    return !linkat(folder, draft, folder, name, 0) && !unlinkat(folder, draft, 0);
}

bool confined_write(const char *folder, const char *name, const char *text, size_t length,
                    bool replaces, struct fault *fault) {
    char path[FOLDER_PATH_MAX], draft[64];
    uint64_t number;
    struct stat old;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (mkdir(folder, 0777) && errno != EEXIST) return refuse(path, errno, fault);
    const int place = step(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC), folder, FOLDER);
    if (place < 0 || getrandom(&number, sizeof number, 0) != sizeof number)
        return refuse(path, errno, fault);
    snprintf(draft, sizeof draft, ".ensign-%016" PRIx64 ".part", number);
    const int file =
        openat(place, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool written = file >= 0 && write_all(file, text, length);
    if (written && replaces && !fstatat(place, name, &old, AT_SYMLINK_NOFOLLOW))
        written = !fchmod(file, old.st_mode & 0777);
    int error = errno;
    if (file >= 0 && close(file)) written = false, error = errno;
    if (written && !(written = name_draft(place, draft, name, replaces))) error = errno;
    if (file >= 0 && !written) unlinkat(place, draft, 0);
    close(place);
    if (written) return true;
    if (error != EEXIST) return refuse(path, error, fault);
    fault_set(fault, STATUS_USAGE, "already exists");
    fault_place(fault, path, 0, 0);
    return false;
}
