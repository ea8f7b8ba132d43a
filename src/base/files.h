/* files.h - whole files read, with a ceiling, and written. */
#ifndef ENSIGN_BASE_FILES_H
#define ENSIGN_BASE_FILES_H

#include "draft.h"

/* The whole file with a 0 behind its `*length` bytes; "-" is standard input, and "/dev/fd/N" (what
 * a shell puts for `<(command)`) a descriptor that was given on purpose. Any other pipe, device or
 * socket is refused and never waited for. NULL with a fault that names the file: STATUS_NOT_FOUND
 * when it is not there or is no file, STATUS_TEXT when it holds more than `ceiling` bytes, else
 * STATUS_SYSTEM. The caller frees. */
char *files_read(const char *path, size_t ceiling, size_t *length, struct fault *fault);

/* Write a file that is there whole or not at all, at any moment, as draft.h says: a new one
 * (STATUS_USAGE if there is one), or one that may replace another. `terms` adds DRAFT_DURABLE and
 * the like, or is 0. False with a fault that names the file. */
bool files_write_new(const char *path, const char *text, size_t length, unsigned terms,
                     struct fault *fault);
bool files_replace(const char *path, const char *text, size_t length, struct fault *fault);

/* Makes the folder unless it is there. False with STATUS_USAGE if something else is, else with
 * STATUS_SYSTEM. */
bool files_folder(const char *path, struct fault *fault);

/* Makes the folders on the way to `path`: each that ends before a '/' in it. Those that end after
 * the first `shared` bytes are for their owner alone. False with STATUS_SYSTEM. */
bool files_folders(const char *path, size_t shared, struct fault *fault);

/* The same, and nothing may be in it. False with STATUS_USAGE if it is there and holds anything,
 * or is a file, with STATUS_SYSTEM if it cannot be made or read. */
bool files_empty_folder(const char *path, struct fault *fault);

#endif
