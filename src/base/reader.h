/* reader.h - the source of script files, and safe opening of untrusted files.
 *
 * Files come from the disk unless a sandbox is given another reader: a process without file access
 * requests them through a pipe. */
#ifndef ENSIGN_BASE_READER_H
#define ENSIGN_BASE_READER_H

#include <stdbool.h>
#include <stddef.h>

enum { READER_FILE_MAX = 1 << 20 }; /* bytes of a script or another file read as a whole */

struct reader {
    /* Size of the file at `path` in bytes, -1 if there is none. */
    long (*size)(void *context, const char *path);
    /* Reads at most `size` bytes; returns how many, -1 on failure; with errno
     * where the file cannot be opened. */
    long (*read)(void *context, const char *path, char *out, size_t size);
    void *context;
};

extern const struct reader READER_DISK;

/* Opens a regular file for reading, following links; the caller closes the descriptor. -1 with
 * errno: EISDIR for a folder, ENOTSUP for a pipe, device or socket. Never waits. */
int reader_open(const char *path);

/* The descriptor of this process named by "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/N"
 * or "/proc/self/fd/N"; -1 for other paths. A pipe under such a name is meant: a shell made it. */
int reader_descriptor(const char *path);

/* A reader that caches files, so that a script can be run again from exactly the same texts, even
 * in a process without file access. */

struct file_cache {
    struct reader reader; /* its context is the cache, which must not be moved */
    const struct reader *from;
    bool closed;           /* read no new files: those not in the list do not exist */
    size_t count, missing; /* missing files asked for, kept or not */
    struct cached_file {
        char *path, *text;
        long size; /* -1: no such file */
    } * list;
};

/* Starts empty. `from`, through which it reads, must last until `closed` is set. */
void file_cache_open(struct file_cache *cache, const struct reader *from);

/* The file at `path`, read if it is asked for the first time. NULL if it cannot be kept: without
 * memory, once the cache is closed, or if too many others are missing. It may move when another is
 * read. */
const struct cached_file *file_cache_get(struct file_cache *cache, const char *path);

/* Frees the texts. */
void file_cache_clear(struct file_cache *cache);

#endif
