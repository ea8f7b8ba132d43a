/* files.h - whole files read and written, with a ceiling. */
#ifndef ENSIGN_HOST_FILES_H
#define ENSIGN_HOST_FILES_H

#include "core/fault.h"

/* The whole file with a 0 behind its `*length` bytes; "-" is standard input. NULL with a fault that
 * names the file: STATUS_NOT_FOUND when it is not there or is a folder, STATUS_TEXT when it holds
 * more than `ceiling` bytes, else STATUS_SYSTEM. The caller frees. */
char *files_read(const char *path, size_t ceiling, size_t *length, struct fault *fault);

/* Writes a new file; one that is there already is not touched. False (STATUS_USAGE if there is one,
 * else STATUS_SYSTEM). */
bool files_write_new(const char *path, const char *text, size_t length, struct fault *fault);

/* Writes a file that is there whole or not at all, at any moment: it gets its name only when it is
 * complete ("PATH.part" until then), and may replace another. False (STATUS_SYSTEM). */
bool files_replace(const char *path, const char *text, size_t length, struct fault *fault);

/* Makes the folder unless it is there. False with STATUS_USAGE if something else is, else with
 * STATUS_SYSTEM. */
bool files_folder(const char *path, struct fault *fault);

/* The same, and nothing may be in it. False with STATUS_USAGE if it is there and holds anything,
 * or is a file, with STATUS_SYSTEM if it cannot be made or read. */
bool files_empty_folder(const char *path, struct fault *fault);

#endif
