/* reader.c - reads files from the disk. */
#include "reader.h"

#include <stdio.h>
#include <sys/stat.h>

static long disk_size(void *context, const char *path) {
    struct stat info;
    (void)context;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? (long)info.st_size : -1;
}

static long disk_read(void *context, const char *path, char *out, size_t size) {
    FILE *file = fopen(path, "rb");
    (void)context;
    if (!file) return -1;
    size_t got = fread(out, 1, size, file);
    long result = ferror(file) ? -1 : (long)got;
    fclose(file);
    return result;
}

const struct reader READER_DISK = {disk_size, disk_read, NULL};
