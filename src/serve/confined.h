/* confined.h - files of the workshop: nothing outside the folders of the search path, and no links.
 *
 * Every file is opened from its folder, one name of its path after the other, so that it cannot
 * matter what the path leads to for others, or a moment later. What came with the program is read
 * as it is. */
#ifndef ENSIGN_SERVE_CONFINED_H
#define ENSIGN_SERVE_CONFINED_H

#include "lua/folders.h"

struct confined {
    struct reader reader; /* for folders.reader */
    const struct folders *folders;
};

/* Must stay where it is, and the folders outlive it; they may be those that use the reader. */
void confined_open(struct confined *confined, const struct folders *folders);

/* Is there such a file? */
bool confined_is_file(const struct folders *folders, const char *path);

/* Reads a whole file, with a 0 after its `*length` bytes; the caller frees. NULL with a fault that
 * names the path: STATUS_NOT_FOUND if there is none, STATUS_USAGE if it is none or leads elsewhere,
 * STATUS_TEXT if it is longer than `ceiling` bytes, else STATUS_SYSTEM. */
char *confined_read(const struct folders *folders, const char *path, size_t ceiling, size_t *length,
                    struct fault *fault);

/* Writes "FOLDER/NAME" in the current folder completely or not at all, in place of what has the
 * name if it `replaces`, else only if nothing has it; makes the folder. False with a fault. */
bool confined_write(const char *folder, const char *name, const char *text, size_t length,
                    bool replaces, struct fault *fault);

#endif
