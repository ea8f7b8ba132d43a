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

#include "base/buffer.h"

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

/* Reads each file once, when its size is first asked for.
 *
 * Missing files are remembered too, so that a search path gives the same result each time, but
 * only so many: scripts choose their names, and must leave room for the files of others. A file
 * that does not fit into memory counts as missing. */

enum { CACHED_FILES_MAX = 4096, MISSING_MAX = CACHED_FILES_MAX / 4 };

static struct cached_file *file_cache_find(struct file_cache *cache, const char *path) {
    for (size_t i = 0; i < cache->count; i++)
        if (!strcmp(cache->list[i].path, path)) return &cache->list[i];
    return NULL;
}

/* Fills text and size. For a file that is too large for a script, only the size. */
static void file_cache_fetch(struct cached_file *kept, const struct reader *from) {
    kept->size = from->size(from->context, kept->path);
    if (kept->size < 0 || kept->size > READER_FILE_MAX) return;
    kept->text = malloc((size_t)kept->size + 1);
    if (kept->text)
        kept->size = from->read(from->context, kept->path, kept->text, (size_t)kept->size);
    else
        kept->size = -1;
}

const struct cached_file *file_cache_get(struct file_cache *cache, const char *path) {
    struct cached_file *kept = file_cache_find(cache, path);
    if (kept || cache->closed) return kept;
    struct cached_file *grown =
        array_grown(cache->list, cache->count, sizeof *grown, CACHED_FILES_MAX);
    if (!grown) return NULL;
    cache->list = grown;
    kept = &grown[cache->count];
    *kept = (struct cached_file){.path = strdup(path)};
    if (!kept->path) return NULL;
    file_cache_fetch(kept, cache->from);
    if (kept->size < 0 && cache->missing++ >= MISSING_MAX) {
        free(kept->path);
        free(kept->text);
        return NULL;
    }
    cache->count++;
    return kept;
}

static long file_cache_size(void *context, const char *path) {
    const struct cached_file *kept = file_cache_get(context, path);
    return kept ? kept->size : -1;
}

static long file_cache_read(void *context, const char *path, char *out, size_t size) {
    const struct cached_file *kept = file_cache_find(context, path);
    if (!kept || !kept->text || kept->size < 0) return -1;
    if (size > (size_t)kept->size) size = (size_t)kept->size;
    memcpy(out, kept->text, size);
    return (long)size;
}

void file_cache_open(struct file_cache *cache, const struct reader *from) {
    *cache = (struct file_cache){.reader = {file_cache_size, file_cache_read, cache}, .from = from};
}

void file_cache_clear(struct file_cache *cache) {
    for (size_t i = 0; i < cache->count; i++) {
        free(cache->list[i].path);
        free(cache->list[i].text);
    }
    free(cache->list);
    cache->list = NULL;
    cache->count = cache->missing = 0;
}
