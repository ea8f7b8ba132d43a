/* reader.h - where the files that scripts consist of are read.
 *
 * From the disk, unless a sandbox is given another reader: a process that may open no files asks
 * for them through a pipe. */
#ifndef ENSIGN_SCRIPT_READER_H
#define ENSIGN_SCRIPT_READER_H

#include <stddef.h>

struct reader {
    /* Bytes of the file at `path`, -1 if no file is there. */
    long (*size)(void *context, const char *path);
    /* Reads `size` bytes at most; returns how many, or -1 if that fails. */
    long (*read)(void *context, const char *path, char *out, size_t size);
    void *context;
};

extern const struct reader READER_DISK;

#endif
