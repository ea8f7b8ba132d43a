/* files.h - reads and writes whole files, and makes folders. */
#ifndef ENSIGN_BASE_FILES_H
#define ENSIGN_BASE_FILES_H

#include "draft.h"

/* Returns the whole file with a 0 after its `*length` bytes; the caller frees. "-" is standard
 * input; "/dev/fd/N" (a shell's `<(command)`) is read as it is. Any other pipe, device or socket is
 * refused without waiting. NULL with a fault that names the file: STATUS_NOT_FOUND if it is missing
 * or not a file, STATUS_TEXT if it is longer than `ceiling` bytes, else STATUS_SYSTEM. */
char *files_read(const char *path, size_t ceiling, size_t *length, struct fault *fault);

/* The same of a text, which is refused with STATUS_TEXT if it is in UTF-16 or UTF-32. */
char *files_read_text(const char *path, size_t ceiling, size_t *length, struct fault *fault);

/* Write a file completely or not at all (draft.h): a new one, with STATUS_USAGE if it exists, or
 * one that may replace another. `terms` is a set of enum draft_terms. False with a fault that names
 * the file. */
bool files_write_new(const char *path, const char *text, size_t length, unsigned terms,
                     struct fault *fault);
bool files_replace(const char *path, const char *text, size_t length, struct fault *fault);

/* Writes a file in place of whatever has its name: a link is removed, not followed. Much cheaper
 * than files_replace(), but not at once: for files that count only once something else says so.
 * False with a STATUS_SYSTEM fault that names the file, of which nothing is left then. */
bool files_write_anew(const char *path, const char *text, size_t length, struct fault *fault);

/* Makes the folder unless it exists. False with STATUS_USAGE if the path is something else, else
 * with STATUS_SYSTEM. */
bool files_folder(const char *path, struct fault *fault);

/* Makes the parent folders of `path`, up to its last '/'. Those whose own path is longer than
 * `shared` bytes are private to the owner. False with STATUS_SYSTEM. */
bool files_folders(const char *path, size_t shared, struct fault *fault);

/* Makes the folder or accepts an empty one. False with STATUS_USAGE if it is not empty or is a
 * file, with STATUS_SYSTEM if it cannot be made or read. */
bool files_empty_folder(const char *path, struct fault *fault);

#endif
