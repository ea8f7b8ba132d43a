/* reader.c - files on the disk.
 *
 * A path may lead to a pipe without a writer or an endless device, and may change between two
 * system calls. So it is opened without waiting and examined once it is open. */
#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int reader_descriptor(const char *path) {
    static const char *const NAMED[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char *const NUMBERED[] = {"/dev/fd/", "/proc/self/fd/"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(path, NAMED[i])) return i;
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(NUMBERED[i]), digits;
        if (strncmp(path, NUMBERED[i], length) != 0) continue;
        digits = strspn(path + length, "0123456789");
        if (digits && digits < 7 && !path[length + digits]) return atoi(path + length);
    }
    return -1;
}

static bool is_regular(const struct stat *about) {
    errno = S_ISDIR(about->st_mode) ? EISDIR : ENOTSUP;
    return S_ISREG(about->st_mode);
}

int reader_open(const char *path) {
    struct stat about;
    /* Opening a device may have side effects, so it is refused unopened. */
    if (stat(path, &about) || !is_regular(&about)) return -1;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 || (!fstat(file, &about) && is_regular(&about))) return file;
    int error = errno;
    close(file);
    errno = error;
    return -1;
}

static long disk_size(void *context, const char *path) {
    struct stat info;
    (void)context;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (long)info.st_size : -1;
}

static long disk_read(void *context, const char *path, char *out, size_t size) {
    size_t used = 0;
    ssize_t got = 0;
    int file = reader_open(path);
    (void)context;
    if (file < 0) return -1;
    while (used < size && (got = read(file, out + used, size - used)) != 0) {
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) break;
        used += (size_t)got;
    }
    close(file);
    return got < 0 ? -1 : (long)used;
}

const struct reader READER_DISK = {disk_size, disk_read, NULL};
