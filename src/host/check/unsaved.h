/* unsaved.h - folders with one more file: a text that somebody has sent and that is not on the
 * disk.
 *
 * Whoever sent it may not read the disk through it. Its scripts can extend variants by name and
 * require the modules of the search path; paths, and modules under the current folder, do not
 * exist. */
#ifndef ENSIGN_HOST_CHECK_UNSAVED_H
#define ENSIGN_HOST_CHECK_UNSAVED_H

#include "lua/folders.h"

struct unsaved {
    struct folders folders; /* with the text; points to the fields below, so it must not be moved */
    const struct folders *under;
    struct reader reader;
    struct finder finder;
    const char *name, *text;
    size_t length;
};

/* Folders and text must outlive it. */
void unsaved_open(struct unsaved *unsaved, const struct folders *under, const char *name,
                  const char *text, size_t length);

/* Can a text have this name? It is a file's name, without a folder, that does not begin with '.',
 * shorter than FAULT_FILE_MAX, of safe UTF-8 (base/utf8.h). */
bool unsaved_may_be_named(const char *name);

#endif
