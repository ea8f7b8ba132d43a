/* reader.h - where the files that scripts consist of are read, and how a file is opened that
 * anybody may have put there.
 *
 * Files come from the disk, unless a sandbox is given another reader: a process that may open no
 * files asks for them through a pipe. */
#ifndef ENSIGN_BASE_READER_H
#define ENSIGN_BASE_READER_H

#include <stddef.h>

enum { READER_FILE_MAX = 1 << 20 }; /* bytes of a script, or of another file that is read whole */

struct reader {
    /* Bytes of the file at `path`, -1 if no file is there. */
    long (*size)(void *context, const char *path);
    /* Reads `size` bytes at most; returns how many, or -1 if that fails. */
    long (*read)(void *context, const char *path, char *out, size_t size);
    void *context;
};

extern const struct reader READER_DISK;

/* Opens a regular file to be read, also behind links; a descriptor that the caller closes. -1 with
 * errno: EISDIR for a folder, ENOTSUP for a pipe, a device or a socket, none of which is ever
 * waited for or read from. */
int reader_open(const char *path);

/* The descriptor of this process that a path names: "/dev/stdin", "/dev/stdout", "/dev/stderr",
 * "/dev/fd/N" or "/proc/self/fd/N"; -1 if it names none. A pipe under such a name was given on
 * purpose, by a shell. */
int reader_descriptor(const char *path);

#endif
